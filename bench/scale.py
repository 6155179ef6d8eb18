"""How soon does a large program have a state, and what does a state cost? Seconds, microseconds and kB, with targets.

``python -m bench.scale [PROGRAM.bc ...]`` measures a generated program of 10 MB of bitcode (bench/large_program.py),
and those that are named.
"""

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

from bench import large_program
from bench.tables import table
from unfork.program.llvm.compiler import CompileOptions, build

MODULES = 165
"""Of which the bitcode comes to about 10 MB."""
STATES = 10_000
RUNS = 3
FIRST_STATE_TARGET = 3.0
"""Seconds."""
FORK_TARGET = 200.0
"""Microseconds: well under a millisecond."""
STATE_TARGET = 32.0
"""Kilobytes."""

FIRST_STATE = """
import sys, time, unfork
from unfork.engine.protocols.events import Began

class Watch:
    def tell(self, event):
        if isinstance(event, Began):
            print(time.time(), flush=True)

options = unfork.Options(out=sys.argv[2], quiet=True, max_forks=1, libc=sys.argv[3])
unfork.run([sys.argv[1]], options, observers=[Watch()])
"""

FORKS = """
import sys, time, tracemalloc, unfork

count = int(sys.argv[4])
options = unfork.Options(out=sys.argv[2], quiet=True, max_forks=20, libc=sys.argv[3], search=("bfs",))
result = unfork.run([sys.argv[1]], options)
if not result.waiting:
    sys.exit(f"{sys.argv[1]}: no state waits after 20 forks: name a program that forks more")
state = max(result.waiting, key=lambda one: len(one.frames))
began = time.process_time()
for _ in range(1000):
    state.fork()
fork = (time.process_time() - began) / 1000
number = max(state.memory.objects.held)
kept = []
tracemalloc.start()
for _ in range(count):
    other = state.fork()
    item = other.memory.objects[number]
    if not item.read_only and item.data:
        other.memory.writable(number).write_bytes(0, b"x")
    kept.append(other)
size = tracemalloc.get_traced_memory()[0] / count
tracemalloc.stop()
began = time.process_time()
for _ in range(1000):
    other = state.fork()
    other.memory.writable(number)
write = (time.process_time() - began) / 1000
print(fork, write, size, len(state.frames), len(state.memory.objects))
"""


def large(folder: Path) -> Path:
    """A linked program of about 10 MB of bitcode."""
    made = folder / "large.bc"
    made.write_bytes(build(list(large_program.write(folder, MODULES)), CompileOptions()).bitcode)
    return made


def first_state(program: Path, cache: Path, libc: str) -> float:
    """Seconds from the start of a process to its first state."""
    with tempfile.TemporaryDirectory() as scratch:
        began = time.time()
        words = [sys.executable, "-c", FIRST_STATE, str(program), f"{scratch}/out", libc]
        environment = {**os.environ, "UNFORK_CACHE": str(cache)}
        done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True, env=environment)
    return float(done.stdout.split()[0]) - began


def loading(program: Path, libc: str) -> Iterator[tuple[tuple[str, ...], bool]]:
    """Rows: with an empty cache, and with what a run has left there."""
    size = f"{program.stat().st_size / 1e6:.1f} MB"
    cold = []
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory() as scratch:
            cold.append(first_state(program, Path(scratch), libc))
    with tempfile.TemporaryDirectory() as scratch:
        first_state(program, Path(scratch), libc)
        warm = [first_state(program, Path(scratch), libc) for _ in range(RUNS)]
    for name, seconds in (("empty cache", cold), ("again", warm)):
        middle = statistics.median(seconds)
        cells = (f"first state s, {name}", f"{middle:.2f}", f"{FIRST_STATE_TARGET:g}")
        yield (program.stem, size, *cells), middle <= FIRST_STATE_TARGET


def forking(program: Path, libc: str) -> Iterator[tuple[tuple[str, ...], bool]]:
    """Rows: a fork, a fork with the first write after it, and what each of many waiting states takes."""
    with tempfile.TemporaryDirectory() as scratch:
        words = [sys.executable, "-c", FORKS, str(program), f"{scratch}/out", libc, str(STATES)]
        done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True)
    fork, write, size, frames, objects = (float(word) for word in done.stdout.split())
    about = f"{frames:.0f} frames, {objects:.0f} objects"
    yield (program.stem, about, "fork us", f"{1e6 * fork:.1f}", f"{FORK_TARGET:g}"), 1e6 * fork <= FORK_TARGET
    both = 1e6 * write
    yield (program.stem, about, "fork and write us", f"{both:.1f}", f"{FORK_TARGET:g}"), both <= FORK_TARGET
    memory = f"{size / 1024:.1f}"
    yield (program.stem, about, f"kB each of {STATES:,}", memory, f"{STATE_TARGET:g}"), size <= 1024 * STATE_TARGET


def rows(programs: list[Path], libc: str) -> Iterator[tuple[tuple[str, ...], bool]]:
    """The generated program, then the programs that were named."""
    with tempfile.TemporaryDirectory() as scratch:
        made = large(Path(scratch))
        yield from loading(made, "none")
        yield from forking(made, "none")
    for program in programs:
        yield from loading(program, libc)
        yield from forking(program, libc)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", type=Path, help="bitcode to measure besides the generated program")
    parser.add_argument("--libc", default="musl")
    given = parser.parse_args()
    head = ("program", "size", "measure", "value", "target")
    sys.exit(table("Scale", head, rows(given.programs, given.libc)))
