"""How long a small program takes from the command line to its first state, and to the end of the command."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Iterator

from measure import PROGRAMS, Case, run_unfork, table

CASE = Case(PROGRAMS / "startup.c", "50 lines", (), None, paths=2)
RUNS = 5
TARGET = 1.0
"""Seconds."""


def rows() -> Iterator[tuple[tuple[str, ...], bool]]:
    """One row: the whole command, and the part of it before exploring began."""
    whole, before = [], []
    for _ in range(RUNS):
        measured = run_unfork(CASE)
        explored = measured.summary["seconds"]
        assert isinstance(explored, float | int)
        whole.append(measured.seconds)
        before.append(measured.seconds - explored)
    cells = (f"{statistics.median(whole):.2f}", f"{statistics.median(before):.2f}", f"{min(before):.2f}", f"{TARGET}")
    yield (CASE.name, CASE.size, *cells), True


if __name__ == "__main__":
    head = ("program", "size", "command s", "start-up s", "best s", "target s")
    sys.exit(table(f"Start-up to the first state (median of {RUNS})", head, rows()))
