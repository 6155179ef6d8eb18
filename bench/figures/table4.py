"""Table 4 of Scheurer16: how much smaller do joins make proofs of TimSort's methods? Sizes without and with joins.

The paper counts rule applications of a prover. Here a proof's size is the instructions that it executes, the
obligations that it proves, and the operators in its queries (shared ones counted once per query). The C is our own, and
so are the contracts: no undefined behaviour, termination, and bounds; gallop_left also finds the right place.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.figures.table3 import ITE, NONE, Technique, by_predicates
from bench.tables import table
from bench.verify import proved

TIMSORT = Path(__file__).resolve().parents[1] / "timsort"
LIMIT = 600
"""Seconds for a proof; what is not done by then is unknown."""
HEAD = (
    *("method", "joined by", "joins", "paths", "instructions", "obligations", "operators", "seconds", "saved"),
    *("paper saved", "verdict"),
)
ROWS: dict[str, tuple[Technique, ...]] = {
    "ensure_capacity": (
        Technique("ite", ITE, -14.0),
        by_predicates("conjunctive", ("size: v >= needed", "size: v <= most"), 15.0),
    ),
    "merge_at": (Technique("ite", ITE, 77.0), by_predicates("conjunctive", ("length2: v >= 0",), None)),
    "gallop_left": (Technique("ite", ITE, 71.0), by_predicates("conjunctive", ("step: v > last",), None)),
    "sort": (
        Technique("ite", ITE, 35.0),
        by_predicates("conjunctive", ("run: v >= 1", "run: v <= left", "forced: v >= run", "forced: v <= left"), None),
    ),
    "merge_hi": (
        Technique("ite", ITE, None),
        by_predicates(
            "conjunctive",
            (
                *("one: v >= 0", "one: v < first", "two: v >= 0", "two: v <= second"),
                *("one: v + two < before", "one: v + two <= before", "two: one + v < before", "two: one + v <= before"),
                *("is_over: v || (1 <= one && 2 <= two)", "wins1: v >= 0", "wins2: v >= 0"),
                *("least: v >= 0", "least: v <= patience"),
            ),
            None,
        ),
    ),
}
"""The paper has no proof of merge_hi without joins."""


def rows(name: str) -> Iterator[tuple[tuple[str, ...], bool]]:
    """The rows of one method, each against the proof without joins."""
    source, always = TIMSORT / f"{name}.c", ("--function", name, "--max-time", str(LIMIT))
    plain = Technique("-", NONE, None)
    base = proved(source, (*always, *plain.options))
    for technique in (plain, *ROWS[name]):
        proof = base if technique is plain else proved(source, (*always, *technique.options))
        can_compare = technique is not plain and base.verdict == proof.verdict == "safe"
        cells = (
            name,
            technique.name,
            str(proof.count("joins")),
            str(proof.count("paths")),
            f"{proof.count('instructions'):,}",
            str(proof.obligations),
            f"{proof.count('operators'):,}",
            f"{proof.seconds:.1f}",
            f"{100 * (1 - proof.size / base.size):.1f} %" if can_compare else "",
            "" if technique.paper is None else f"{technique.paper:.0f} %",
            proof.verdict,
        )
        yield cells, proof.verdict == "safe"


def main(words: Sequence[str]) -> int:
    """The table of the methods that the command line names, or of all."""
    parser = argparse.ArgumentParser(
        prog="bench.figures table4", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "names", nargs="*", choices=[[], *ROWS], metavar="NAME", help=f"only these of {', '.join(ROWS)}"
    )
    names = parser.parse_args(words).names or list(ROWS)
    title = "Scheurer16, Table 4: a proof's size is instructions + obligations + operators"
    return table(title, HEAD, (row for name in names for row in rows(name)))
