"""What merging does for exhaustive exploration: seconds and states of each schedule as the input grows."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import measure
from measure import EXAMPLES, PROGRAMS, Case, Measured, run_unfork, table

HEAD = ("program", "size", "mode", "seconds", "target", "states", "joins", "paths", "queries", "verdict")
STATIC, DYNAMIC = ("--merge", "static", "--similar", "qce"), ("--merge", "dynamic")
ALWAYS = ("--similar", "always")


@dataclass(frozen=True, slots=True)
class Row:
    """A case under a mode. ``target`` is the number of seconds that is aimed at; None: not stated."""

    case: Case
    mode: tuple[str, ...]
    target: float | None


def rows() -> Iterator[Row]:
    """Every program at its sizes, under the schedules; sorts are joined whatever that costs."""
    for count, target in ((4, None), (6, None), (8, 5.0), (12, 15.0)):
        case = Case(EXAMPLES / "echo.c", f"{count},{count}", (f"N={count}", f"L={count}"), None)
        yield from (Row(case, mode, target) for mode in (STATIC, DYNAMIC))
    popcount = Case(PROGRAMS / "popcount.c", "32", ("BITS=32",), None)
    yield Row(popcount, (*STATIC, *ALWAYS), 2.0)
    for size, target in ((30, 3.0), (200, 10.0)):
        for other in (1, 2):
            case = Case(EXAMPLES / "malloc_diamond.c", f"{size} (+{other})", (f"MAX={size}", f"OTHER={other}"), None)
            yield from (Row(case, mode, target) for mode in (STATIC, DYNAMIC))
    yield Row(Case(EXAMPLES / "regexp.c", "10", ("SIZE=10",), None, verdict="unsafe"), DYNAMIC, 60.0)
    for folder, name, targets in (
        (EXAMPLES, "bubble_sort.c", {6: 3.0, 10: 10.0, 16: 30.0}),
        (PROGRAMS, "insertion_sort.c", {6: 3.0, 10: 20.0}),
        (PROGRAMS, "selection_sort.c", {6: 3.0, 10: 60.0}),
    ):
        for k, target in targets.items():
            yield Row(Case(folder / name, str(k), (f"K={k}",), None), (*STATIC, *ALWAYS), target)


def cells(row: Row) -> tuple[tuple[str, ...], bool]:
    """The measured row, and whether the verdict is the right one."""
    measured: Measured = run_unfork(row.case, (*row.mode, "--libc", "none"))
    verdict = str(measured.summary.get("verdict"))
    good = verdict == row.case.verdict
    paths = measured.count("paths", "represented")
    return (
        row.case.name,
        row.case.size,
        " ".join(word for word in row.mode if not word.startswith("--")),
        f"{measured.seconds:.2f}",
        f"{row.target:.0f}" if row.target is not None else "",
        f"{measured.count('states', 'created'):,}",
        f"{measured.count('merges', 'done'):,}",
        f"{paths:,}" if paths < 10**9 else f"1e{len(str(paths)) - 1}",
        f"{measured.count('solver', 'queries'):,}",
        verdict if good else f"{verdict} (!)",
    ), good


def main() -> int:
    """The table of the programs that the command line names, or of all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="only these programs (default: all)")
    parser.add_argument("--limit", type=int, default=120, help="seconds after which a run stops (default 120)")
    given = parser.parse_args()
    measure.LIMIT = given.limit
    chosen = [row for row in rows() if not given.names or row.case.name in given.names]
    return table("Merging, to the end of every path", HEAD, (cells(row) for row in chosen))


if __name__ == "__main__":
    sys.exit(main())
