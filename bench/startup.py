"""How long a small program takes from the command line to its first state, and to the end of the command."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

from measure import PROGRAMS, Case, run_unfork, table

CASE = Case(PROGRAMS / "startup.c", "50 lines", (), None, paths=1)
RUNS = 5
TARGET = 1.0
"""Seconds."""
FIRST_STATE = """
import sys, time, unfork
from unfork.contracts.events import Began

class Watch:
    def tell(self, event):
        if isinstance(event, Began):
            print(time.time())

unfork.run([sys.argv[1]], unfork.Options(out=sys.argv[2], quiet=True), observers=[Watch()])
"""


def until_first_state() -> float:
    """Seconds from the start of a process to the first state."""
    with tempfile.TemporaryDirectory() as scratch:
        started = time.time()
        done = subprocess.run(
            [sys.executable, "-c", FIRST_STATE, str(CASE.source), f"{scratch}/out"],
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
    return float(done.stdout.split()[0]) - started


def rows() -> Iterator[tuple[tuple[str, ...], bool]]:
    """One row: the whole command, and the way to its first state."""
    whole = [run_unfork(CASE).seconds for _ in range(RUNS)]
    first = [until_first_state() for _ in range(RUNS)]
    cells = (f"{statistics.median(whole):.2f}", f"{statistics.median(first):.2f}", f"{min(first):.2f}", f"{TARGET}")
    yield (CASE.name, CASE.size, *cells), statistics.median(first) <= TARGET


if __name__ == "__main__":
    head = ("program", "size", "command s", "first state s", "best s", "target s")
    sys.exit(table(f"Start-up to the first state (median of {RUNS})", head, rows()))
