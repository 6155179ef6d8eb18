"""How much of a scan's time would summaries of callees save at most?

``python -m bench.callees FOLDER [--per-function S] [--max-time S]``

Scans the C files of a folder in one process at a time, and looks every 10 ms of processor time which functions are
on the stack. Prints the share of the time in functions that the scanned one calls, and in those among them that the
same scan explored completely: only these have a summary, so that what such summaries save is less.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from unfork.cli import main as unfork
from unfork.commands.scan import scan_job
from unfork.commands.scan.results import Explored
from unfork.engine.state.state import State
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.program.llvm.module import Program

EVERY = 0.01
"""Seconds of processor time between two looks."""


class Sampler:
    """Notes which functions are on the stack of the state that runs."""

    def __init__(self, scan: Callable[..., Explored], file: Path) -> None:
        self._scan, self._file = scan, file
        self._running: State | None = None
        self._turn_to = BranchCoverage.turn_to
        self._seen: Counter[tuple[str, ...]] = Counter()

    def begin(self) -> None:
        """Take the place of what scans a function, and of what turns to a state."""

        def turn_to(coverage: BranchCoverage, state: State) -> None:
            self._running = state
            self._turn_to(coverage, state)

        BranchCoverage.turn_to = turn_to  # type: ignore[assignment, method-assign]
        scan_job.scan_function = self._scan_function  # type: ignore[attr-defined]

    def _scan_function(self, program: Program, *about: Any, **more: Any) -> Explored:
        def look(number: int, frame: object) -> None:
            if self._running is not None:
                self._seen[tuple([each.function.source_name for each in self._running.frames])] += 1

        signal.signal(signal.SIGVTALRM, look)
        signal.setitimer(signal.ITIMER_VIRTUAL, EVERY, EVERY)
        try:
            return self._scan(program, *about, **more)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            with self._file.open("a") as file:
                file.writelines(f"{json.dumps([*stack])}\t{count}\n" for stack, count in self._seen.items())


def shares(samples: Path, scan: Path) -> tuple[int, float, float]:
    """The looks, the share of them in callees of the project, and in those that were explored completely."""
    explored = {each["name"]: each["explored"] for each in json.loads(scan.read_text())["functions"]}
    every = within = complete = 0
    for line in samples.read_text().splitlines():
        stack, count = line.split("\t")
        callees = json.loads(stack)[1:]
        every += int(count)
        within += int(count) * any(each in explored for each in callees)
        complete += int(count) * any(explored.get(each) == "all" for each in callees)
    return every, within / max(every, 1), complete / max(every, 1)


def main() -> None:
    """Scan a folder, and print the shares."""
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("folder", type=Path)
    reader.add_argument("--per-function", type=float, default=10)
    reader.add_argument("--max-time", type=float, default=100)
    given = reader.parse_args()
    with tempfile.TemporaryDirectory(prefix="unfork-callees-") as scratch:
        out, samples = Path(scratch, "out"), Path(scratch, "samples")
        os.chdir(given.folder)
        Sampler(scan_job.scan_function, samples).begin()  # type: ignore[attr-defined]
        words = ["scan", ".", "--out", str(out), "--no-cache", "--quiet", "--cores", "1", "--cflags", "-w -I."]
        unfork([*words, "--per-function", str(given.per_function), "--max-time", str(given.max_time)])
        count, within, complete = shares(samples, out / "scan.json")
    print(f"{given.folder.name}: {count} looks, {within:.0%} in callees, {complete:.0%} in callees explored completely")


if __name__ == "__main__":
    main()
