"""What does a fork with its join cost, and where does the time go? CPU milliseconds a fork, and shares of parts.

``python -m bench.joining [--forks N] [--programs DIR --tools NAME,...] [--options WORDS]`` explores a program whose
paths meet again and again with large buffers, and tools of coreutils as bench/coreutils.py builds them. Each run ends
after so many forks, or a minute: two versions of unfork that join the same do the same. The processor's time is
sampled: a sample counts for the innermost part whose code is running or has called it.
"""

from __future__ import annotations

import argparse
import multiprocessing
import shlex
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from unittest.mock import patch

from bench.agreement import ran
from bench.figures.runs import WORLD
from bench.measure import PROGRAMS
from bench.tables import table
from unfork.engine.explore.search import WaitingStates
from unfork.engine.protocols.frontier import Ticket
from unfork.engine.state.state import State

PARTS = {
    "solver": ("logic/solve/",),
    "similar": ("reduce/merge/similarity", "program/facts/query_count"),
    "memory": ("reduce/merge/joined_memory", "reduce/merge/differing_bytes"),
    "schedule": tuple([f"reduce/merge/{name}" for name in ("merge_table", "fast_forward", "static_order", "marked_")]),
    "join": ("reduce/merge/",),
    "search": ("engine/explore/guided", "engine/explore/search"),
    "stowing": ("engine/explore/stowing", "engine/state/stowed"),
    "report": ("report/",),
    "saving": ("commands/run/saving", "commands/run/accounting"),
    "steps": ("engine/machine/", "engine/step/follow"),
}
"""Paths of modules below src/unfork; a part comes before those that contain it."""
OTHER = "other"
EACH = 0.005
"""CPU seconds between two samples."""
FORKS, SECONDS = 1_000, 60
OPTIONS = "--merge dynamic --similar qce"
LENGTH = 400
"""Turns of the program with large buffers, each with a fork and a join."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a run took: CPU seconds, forks, joins, picked states, and samples by part ("other" for the rest)."""

    seconds: float
    forks: int
    joins: int
    picks: int
    samples: dict[str, int]


@contextmanager
def sampled(samples: Counter[str]) -> Iterator[None]:
    """Adds a sample for each EACH seconds of the processor to the part that is running."""

    def look(_: int, frame: FrameType | None) -> None:
        samples[part_of(frame)] += 1

    before = signal.signal(signal.SIGPROF, look)
    signal.setitimer(signal.ITIMER_PROF, EACH, EACH)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def part_of(frame: FrameType | None) -> str:
    """The innermost part that a stack of calls is in."""
    while frame is not None:
        _, inside, module = frame.f_code.co_filename.rpartition("/unfork/")
        if inside:
            for part, paths in PARTS.items():
                if module.startswith(paths):
                    return part
        frame = frame.f_back
    return OTHER


def cost(source: Path, options: tuple[str, ...], arguments: tuple[str, ...]) -> Cost:
    """Explores a program in this process, which must not have explored any before."""
    samples: Counter[str] = Counter()
    picks = 0
    pick = WaitingStates.pick

    def counted(self: WaitingStates) -> tuple[Ticket, State]:
        nonlocal picks
        picks += 1
        return pick(self)

    with tempfile.TemporaryDirectory() as scratch, patch.object(WaitingStates, "pick", counted):
        began = time.process_time()
        with sampled(samples):
            result = ran([source], options, Path(scratch) / "out", None, arguments)
        seconds = time.process_time() - began
    return Cost(seconds, result.summary["forks"], result.summary["merges"]["done"], picks, dict(samples))


def row(name: str, cost: Cost) -> tuple[str, ...]:
    """The row of a run: milliseconds a fork, and of these the parts."""
    whole = sum(cost.samples.values()) or 1
    each = 1000 * cost.seconds / max(cost.forks, 1)
    parts = [f"{each * cost.samples.get(part, 0) / whole:.2f}" for part in (*PARTS, OTHER)]
    counts = (str(cost.forks), str(cost.joins), str(cost.picks))
    return (name, f"{cost.seconds:.1f}", *counts, f"{each:.2f}", *parts)


def main(words: Sequence[str] | None = None) -> int:
    """Prints a row for each program."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--forks", type=int, default=FORKS, help=f"forks of each run ({FORKS})")
    parser.add_argument("--programs", type=Path, help="folder of PROGRAM.bc")
    parser.add_argument("--tools", default="cat,nl", help="names, separated by commas (cat,nl)")
    parser.add_argument("--options", default=OPTIONS, help=f"how states are joined ({OPTIONS})")
    given = parser.parse_args(words)
    limits = ("--max-forks", str(given.forks), "--max-time", str(SECONDS), "--native-check", "never")
    options = (*shlex.split(given.options), *limits)
    runs = [("joined_buffers", PROGRAMS / "joined_buffers.c", ("-D", f"LENGTH={LENGTH}"), ())]
    if given.programs is not None:
        runs += [(name, given.programs / f"{name}.bc", (), WORLD) for name in given.tools.split(",")]

    def rows() -> Iterator[tuple[tuple[str, ...], bool]]:
        for name, source, more, arguments in runs:
            with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
                yield row(name, pool.submit(cost, source, (*options, *more), arguments).result()), True

    head = ("program", "CPU s", "forks", "joins", "picks", "ms a fork", *PARTS, OTHER)
    return table("Milliseconds of the processor for each fork, with its joins, and of these by part:", head, rows())


if __name__ == "__main__":
    sys.exit(main())
