"""Table 3 of Scheurer16: how much smaller do joins make four proofs? Sizes without joins, by ite and by predicates.

The paper counts rule applications of a prover. Here a proof's size is the instructions that it executes, the
obligations that it proves, and the operators in its queries (shared ones counted once per query).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bench.measure import EXAMPLES
from bench.tables import table
from bench.verify import proved

HEAD = ("program", "joined by", "joins", "instructions", "obligations", "operators", "saved", "paper saved", "verdict")
NONE = ("--merge", "none")
ITE = ("--merge", "marked", "--join", "ite")
INFERRED = ("--merge", "marked", "--join", "abstract:inferred")


@dataclass(frozen=True, slots=True)
class Technique:
    """How the states of a program are joined; ``paper`` is what that saved there, in percent of rule applications."""

    name: str
    options: tuple[str, ...]
    paper: float | None


def by_predicates(lattice: str, predicates: tuple[str, ...], paper: float | None) -> Technique:
    """A join by predicates, one lattice of them."""
    words = [word for predicate in predicates for word in ("--predicate", predicate)]
    return Technique(lattice, ("--merge", "marked", "--join", f"abstract:{lattice}", *words), paper)


PLAIN, BY_INFERENCE = Technique("-", NONE, None), Technique("inferred", INFERRED, None)
ROWS: dict[str, tuple[Technique, ...]] = {
    "dist": (
        Technique("ite", ITE, -15.98),
        by_predicates("conjunctive", ("v >= 0", "v <= y"), 5.94),
    ),
    "abs": (
        Technique("ite", ITE, 12.18),
        by_predicates("disjunctive", ("v > 0", "v == 0", "v < 0"), 15.38),
    ),
    "gcd": (
        Technique("ite", ITE, 3.29),
        by_predicates(
            "conjunctive",
            ("a: v >= 0", "a: v == a0 || v == -a0", "b: v >= 0", "b: v == b0 || v == -b0"),
            16.18,
        ),
    ),
    "pos_sum": (
        Technique("ite", ITE, 34.88),
        by_predicates("simple", ("v == first + second",), 35.94),
    ),
}
"""The paper's predicates; what it calls a, b, x and y there are the values at the start, which C keeps in variables."""


def rows(name: str) -> Iterator[tuple[tuple[str, ...], bool]]:
    """The rows of one program, each against the proof without joins."""
    source = EXAMPLES / "proofs" / f"{name}.c"
    base = proved(source, PLAIN.options)
    for technique in (PLAIN, *ROWS[name], BY_INFERENCE):
        proof = base if technique is PLAIN else proved(source, technique.options)
        paper = technique.paper
        cells = (
            name,
            technique.name,
            str(proof.count("joins")),
            str(proof.count("instructions")),
            str(proof.obligations),
            f"{proof.count('operators'):,}",
            "" if technique is PLAIN else f"{100 * (1 - proof.size / base.size):.1f} %",
            "" if paper is None else f"{paper:.1f} %",
            proof.verdict,
        )
        yield cells, proof.verdict == "safe"


def main(words: Sequence[str]) -> int:
    """The table of the programs that the command line names, or of all."""
    parser = argparse.ArgumentParser(
        prog="bench.figures table3", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "names", nargs="*", choices=[[], *ROWS], metavar="NAME", help=f"only these of {', '.join(ROWS)}"
    )
    names = parser.parse_args(words).names or list(ROWS)
    title = "Scheurer16, Table 3: a proof's size is instructions + obligations + operators"
    return table(title, HEAD, (row for name in names for row in rows(name)))
