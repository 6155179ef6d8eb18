"""What do commands cost that do little, and how soon is the first state? CPU seconds and seconds, with targets."""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench.measure import PROGRAMS, Case, run_unfork
from bench.tables import table

CASE = Case(PROGRAMS / "startup.c", "50 lines", (), None, paths=1)
RUNS = 5
TARGET = 1.0
"""Seconds."""
TIMES = 10
"""That each command is run."""
QUICK = 0.1
"""CPU seconds that a command may take that runs no program."""
EMPTY = "int main(void) { return 0; }\n"
COMMANDS = {
    "--version": QUICK,
    "--help": QUICK,
    "run --help": QUICK,
    "show --help": QUICK,
    "completions bash": QUICK,
    "strategies": QUICK,
    "run empty.c --quiet": None,
}
"""Commands, and what they may take, where that is stated."""
FIRST_STATE = """
import sys, time, unfork
from unfork.engine.protocols.events import Began

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


def cpu_seconds(words: list[str], folder: Path) -> float:
    """What a command takes of the processor, in all its processes."""
    with open(os.devnull, "wb") as nowhere:
        process = subprocess.Popen([sys.executable, "-m", "unfork", *words], cwd=folder, stdout=nowhere)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"unfork {' '.join(words)}: status {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def commands() -> Iterator[tuple[tuple[str, ...], bool]]:
    """A row for each command; one run before the others leaves compiled modules."""
    with tempfile.TemporaryDirectory() as scratch:
        (Path(scratch) / "empty.c").write_text(EMPTY)
        for words, target in COMMANDS.items():
            _, *taken = [cpu_seconds(words.split(), Path(scratch)) for _ in range(TIMES + 1)]
            middle = statistics.median(taken)
            cells = (words, f"{middle:.3f}", f"{min(taken):.3f}", "" if target is None else f"{target}")
            yield cells, target is None or middle <= target


def rows() -> Iterator[tuple[tuple[str, ...], bool]]:
    """One row: the whole command, and the way to its first state."""
    whole = [run_unfork(CASE).seconds for _ in range(RUNS)]
    first = [until_first_state() for _ in range(RUNS)]
    cells = (f"{statistics.median(whole):.2f}", f"{statistics.median(first):.2f}", f"{min(first):.2f}", f"{TARGET}")
    yield (CASE.name, CASE.size, *cells), statistics.median(first) <= TARGET


def main() -> int:
    """The tables; the exit status is 1 if a target is missed."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    cheap = table(f"CPU seconds (median of {TIMES})", ("command", "CPU s", "best s", "target s"), commands())
    head = ("program", "size", "command s", "first state s", "best s", "target s")
    return max(cheap, table(f"Start-up to the first state (median of {RUNS})", head, rows()))


if __name__ == "__main__":
    sys.exit(main())
