"""What an open length costs: functions on text, arrays and lists of any length, and on some of a fixed one.

``python -m bench.open_lengths [NAME...]`` runs the functions of programs/open_lengths alone (--function), and called
from main on objects with as much room as they look at. Both take the same paths, path by path and turn by turn, to the
end; null pointers and pointers to nodes that were met before are what there is besides. Every run is a fork of one
process that has built the program.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

from bench.measure import PROGRAMS
from bench.worth import Case, Ran, built, run_without

SOURCE = PROGRAMS / "open_lengths" / "functions.c"
CALLS = {
    "words": 'words(text("s"))',
    "minify": 'minify(text("s"))',
    "number": 'number(text("s"))',
    "common": 'common(text("a"), text("b"))',
    "keyword": 'keyword(text("s"))',
    "copied": 'copied(text("s"))',
    "backwards": 'backwards(text("s"))',
    "above": 'above(array(), size("n"))',
    "picked": 'picked(array(), size("i"), size("j"))',
    "sum": 'sum(bytes(), size("n"))',
    "sorted": "sorted(array())",
    "negative": "negative(list())",
    "kinds": "kinds(entry())",
}
"""The functions, and how main calls them."""
PLAIN = ("--strategy", "plain", "--cores", "1", "--loops", "run")
REPEATS = 3
HEAD = ("function", "states", "fixed", "CPU ms / state", "fixed", "ratio", "queries", "fixed", "to a solver", "fixed")


@dataclass(frozen=True, slots=True)
class Pair:
    """A function on inputs of open length, and on fixed ones."""

    name: str
    open: Ran
    fixed: Ran

    @property
    def ratio(self) -> float:
        """What a state of open length costs, measured in one of fixed length."""
        return (self.open.seconds / self.open.states) / (self.fixed.seconds / self.fixed.states)

    def row(self) -> tuple[str, ...]:
        """The cells of the table."""
        cost = [f"{1000 * ran.seconds / ran.states:.2f}" for ran in (self.open, self.fixed)]
        runs = (self.open, self.fixed)
        states, queries, solved = ([str(n) for n in pair] for pair in zip(*[_counts(ran) for ran in runs], strict=True))
        return (self.name, *states, *cost, f"{self.ratio:.2f}", *queries, *solved)


def _counts(ran: Ran) -> tuple[int, int, int]:
    return ran.states, ran.queries, ran.solved


def pairs(names: list[str]) -> Iterator[Pair]:
    """Runs of each function, the open and the fixed one in turn; the least time of each counts."""
    for name in names:
        cases = [
            Case(name, (SOURCE,), (*PLAIN, "--sizes", "pair", "--function", name)),
            Case(name, (SOURCE,), (*PLAIN, "-D", f"CALL={CALLS[name]}")),
        ]
        programs = [built(case) for case in cases]
        runs: list[list[Ran]] = [[], []]
        for _ in range(REPEATS):
            for case, program, sample in zip(cases, programs, runs, strict=True):
                ran = run_without(case, program, None)
                if ran is None:
                    raise SystemExit(f"{name}: the run broke down")
                sample.append(ran)
        yield Pair(name, *[min(sample, key=lambda ran: ran.seconds) for sample in runs])


def main() -> None:
    """Runs and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[[], *CALLS], help="only these functions")
    names = parser.parse_args().names or list(CALLS)
    print("| " + " | ".join(HEAD) + " |\n| --- |" + " ---: |" * (len(HEAD) - 1))
    for pair in pairs(names):
        print("| " + " | ".join(pair.row()) + " |", flush=True)


if __name__ == "__main__":
    main()
