"""Table 3 of Scheurer16: what joins cost and save on four small proofs, without, with ite, with predicates, and
with those that are inferred.

The paper counts rule applications of a prover. Here a run's work is the instructions that it executes and the queries
that it asks; what the queries hold (operators in SMT-LIB) is shown beside, since rules are applied to formulas.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from measure import PROGRAMS, Case, Measured, run_unfork, table

HEAD = (
    "program",
    "joined by",
    "joins",
    "instructions",
    "queries",
    "saved",
    "operators",
    "saved",
    "paper saved",
    "sign",
    "verdict",
)
NONE = ("--merge", "none")
ITE = ("--merge", "marked", "--join", "ite")
INFERRED = ("--merge", "marked", "--join", "abstract:inferred")
OPERATOR = re.compile(r"\((?!set-|declare-|define-|check-|exit|assert|_ |\))")


@dataclass(frozen=True, slots=True)
class Technique:
    """How the states of a program are joined; ``paper`` is what that saved there, in percent of rule applications."""

    name: str
    options: tuple[str, ...]
    paper: float | None


INFERRING = Technique("inferred", INFERRED, None)
"""The paper has no such row."""


def by_predicates(lattice: str, predicates: tuple[str, ...], paper: float) -> Technique:
    """A join by predicates, one lattice of them."""
    words = [word for predicate in predicates for word in ("--predicate", predicate)]
    return Technique(lattice, ("--merge", "marked", "--join", f"abstract:{lattice}", *words), paper)


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


def run(name: str, technique: Technique) -> tuple[Measured, int]:
    """A run and the number of operators in its queries."""
    case = Case(PROGRAMS / f"{name}.c", "", ("MOST=5",), None)  # how large numbers are, where the program asks
    with tempfile.TemporaryDirectory() as scratch:
        queries = Path(scratch, "queries")
        options = (*technique.options, "--libc", "none", "--dump-smt", str(queries), "--solver-timeout", "100")
        measured = run_unfork(case, options)
        return measured, sum(len(OPERATOR.findall(one.read_text())) for one in queries.glob("*.smt2"))


def rows(name: str) -> Iterator[tuple[tuple[str, ...], bool]]:
    """The rows of one program, each against the run without joins."""
    plain = Technique("-", NONE, None)
    base = base_size = 0
    for technique in (plain, *ROWS[name], INFERRING):
        measured, size = run(name, technique)
        instructions, queries = measured.count("instructions"), measured.count("solver", "queries")
        queries += measured.count("merges", "inferred", "queries")
        work = instructions + queries
        if technique is plain:
            base, base_size = work, size
        saved, smaller = 100 * (1 - work / base), 100 * (1 - size / base_size)
        verdict = str(measured.summary.get("verdict"))
        paper = technique.paper
        yield (
            (
                name,
                technique.name,
                str(measured.count("merges", "done")),
                f"{instructions:,}",
                f"{queries:,}",
                "" if technique is plain else f"{saved:.1f} %",
                f"{size:,}",
                "" if technique is plain else f"{smaller:.1f} %",
                "" if paper is None else f"{paper:.1f} %",
                "" if paper is None else "same" if (saved > 0) == (paper > 0) else "other",
                verdict,
            ),
            verdict == "safe",
        )


def main() -> int:
    """The table of the programs that the command line names, or of all."""
    names = sys.argv[1:] or list(ROWS)
    unknown = [name for name in names if name not in ROWS]
    if unknown:
        raise SystemExit(f"table3: no program is called {unknown[0]}; there are {', '.join(ROWS)}")
    title = "Scheurer16, Table 3: work is instructions + queries, against the same run without joins"
    return table(title, HEAD, (row for name in names for row in rows(name)))


if __name__ == "__main__":
    sys.exit(main())
