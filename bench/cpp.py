"""What does C++ cost beside C? CPU seconds of sorting, a map and hello world, next to what is aimed at.

``python -m bench.cpp [--corpus]`` prints the least CPU seconds of several runs, all processes together, instructions
and paths. ``--corpus`` also says which programs of tests/programs/cpp come out as stated.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from tests.support.corpus import programs
from tests.support.runs import comes_out_as_stated

PROGRAMS = Path(__file__).parent / "cpp"
PAIRS = {"sort": 3.0, "hello": 1.5}
"""Programs in both languages, and how many times the CPU seconds of C that of C++ may take."""
ALONE = {"map.cpp": 20.0, "strings.cpp": 5.0}
"""Programs, and the CPU seconds that they may take."""
PLAIN = ("--merge", "none", "--loops", "run")
"""Every path by itself, so that the same work is compared."""
TIMES = 3


class Spent(NamedTuple):
    """What a run took and did."""

    seconds: float
    instructions: int
    paths: int


def run(source: Path, options: tuple[str, ...]) -> Spent:
    """One run of a program."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory() as scratch:
        command = [sys.executable, "-m", "unfork", "run", str(source), "--cores", "1", "--quiet", *options]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([*command, "--native-check", "never", "--out", f"{scratch}/out"], check=True, env=environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        summary = json.loads(Path(scratch, "out", "summary.json").read_text())
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Spent(seconds, summary["instructions"], summary["paths"]["completed"])


def spent(name: str, options: tuple[str, ...]) -> Spent:
    """The cheapest of several runs. All but the first find the compiled and linked program in the cache."""
    return min(run(PROGRAMS / name, options) for _ in range(TIMES))


def spent_first(name: str) -> Spent:
    """The cheapest of several runs of programs that were never seen before, but for the libraries."""
    runs = []
    for _ in range(TIMES):
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder, name)
            copy.write_text(f"{(PROGRAMS / name).read_text()}// {folder}\n")
            runs.append(run(copy, ()))
    return min(runs)


def compare_first() -> None:
    """What a program costs that was just written."""
    ours, theirs = spent_first("hello.cpp").seconds, spent_first("hello.c").seconds
    print(f"hello, just written:\tC++ {ours:.2f} s\tC {theirs:.2f} s\tratio {ours / theirs:.2f}", flush=True)


def compare(options: tuple[str, ...]) -> None:
    """A line for each program, with the ratio to C or the limit."""
    print(f"{' '.join(options) or 'default'}:")
    for name, target in PAIRS.items():
        ours, theirs = spent(f"{name}.cpp", options), spent(f"{name}.c", options)
        for each, kind in ((ours, "C++"), (theirs, "C")):
            print(f"  {name}\t{kind}\t{each.seconds:.2f} s\t{each.instructions:,} instructions\t{each.paths} paths")
        print(f"  {name}\tratio\t{ours.seconds / theirs.seconds:.2f} (target {target})", flush=True)
    for name, seconds in ALONE.items():
        each = spent(name, options)
        print(f"  {name}\t{each.seconds:.2f} s (target {seconds:g})\t{each.instructions:,} instructions")


def check_corpus() -> None:
    """The programs of tests/programs/cpp that do not come out as stated, and how many do."""
    chosen = [program for program in programs() if program.path.parent.name == "cpp"]
    right = 0
    for program in chosen:
        with tempfile.TemporaryDirectory() as scratch:
            try:
                comes_out_as_stated(program, Path(scratch, "run"))
                right += 1
            except AssertionError as problem:
                print(f"  {program.name}: {problem}", flush=True)
    print(f"{right} of {len(chosen)} programs come out as stated")


def main() -> None:
    """Compare, with the usual options and without joining; then the corpus, if that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", action="store_true", help="run the programs of the corpus, too")
    given = parser.parse_args()
    for options in ((), PLAIN):
        compare(options)
    compare_first()
    if given.corpus:
        check_corpus()


if __name__ == "__main__":
    main()
