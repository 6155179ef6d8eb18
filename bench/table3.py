"""Table 3 of Scheurer16: how joins change the size of four proofs: without, with ite, with given and with inferred
predicates.

The paper counts rule applications of a prover. Here a proof's size is the instructions that it executes, the
obligations that it proves, and the operators in its queries (shared ones counted once per query).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from measure import table

ROOT = Path(__file__).resolve().parent.parent
PROOFS = ROOT / "examples" / "proofs"
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


def by_predicates(lattice: str, predicates: tuple[str, ...], paper: float) -> Technique:
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


@dataclass(frozen=True, slots=True)
class Size:
    """What a proof took, over all functions of the program."""

    joins: int
    instructions: int
    obligations: int
    operators: int
    verdict: str

    @property
    def whole(self) -> int:
        """The size of the proof."""
        return self.instructions + self.obligations + self.operators


def proved(name: str, technique: Technique) -> Size:
    """Prove a program, without what is in the cache."""
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch, "out")
        command = [sys.executable, "-m", "unfork", "verify", str(PROOFS / f"{name}.c"), "--quiet", "--out", str(out)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "UNFORK_CACHE": str(Path(scratch, "cache"))}
        subprocess.run([*command, *technique.options], env=environment, check=False)
        summary = json.loads((out / "summary.json").read_text())
    functions = summary["functions"]
    obligations = [each for function in functions for each in function["obligations"]]
    return Size(
        sum(function["joins"] for function in functions),
        sum(function["instructions"] for function in functions),
        sum(each["paths"] for each in obligations),
        sum(function["operators"] for function in functions),
        summary["verdict"],
    )


def rows(name: str) -> Iterator[tuple[tuple[str, ...], bool]]:
    """The rows of one program, each against the proof without joins."""
    base = proved(name, PLAIN)
    for technique in (PLAIN, *ROWS[name], BY_INFERENCE):
        size = base if technique is PLAIN else proved(name, technique)
        paper = technique.paper
        cells = (
            name,
            technique.name,
            str(size.joins),
            str(size.instructions),
            str(size.obligations),
            f"{size.operators:,}",
            "" if technique is PLAIN else f"{100 * (1 - size.whole / base.whole):.1f} %",
            "" if paper is None else f"{paper:.1f} %",
            size.verdict,
        )
        yield cells, size.verdict == "safe"


def main() -> int:
    """The table of the programs that the command line names, or of all."""
    names = sys.argv[1:] or list(ROWS)
    unknown = [name for name in names if name not in ROWS]
    if unknown:
        raise SystemExit(f"table3: no program is called {unknown[0]}; there are {', '.join(ROWS)}")
    title = "Scheurer16, Table 3: a proof's size is instructions + obligations + operators"
    return table(title, HEAD, (row for name in names for row in rows(name)))


if __name__ == "__main__":
    sys.exit(main())
