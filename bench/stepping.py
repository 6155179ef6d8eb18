"""How many instructions a CPU second runs on paths of coreutils and in concrete code, by a fixed amount of work.

``python -m bench.stepping FOLDER`` explores each tool of coreutils whose bitcode is in FOLDER (bench/coreutils.py
builds it) until so many instructions have run, plainly and in one process, and prints the CPU seconds of that, reading
and compiling left out. The other numbers are the same in every run that takes the same course.
"""

from __future__ import annotations

import argparse
import multiprocessing
import tempfile
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

from bench.measure import WORLD
from bench.short_runs import spent
from unfork.cli import parse
from unfork.commands.run.run import explore, run

HERE = Path(__file__).resolve().parent
TOOLS = ("echo", "paste", "cut", "wc", "tr", "seq")
CONCRETE = ("crc32", "sha256")
WORDS = ("--strategy", "plain", "--cores", "1", "--quiet", "--no-progress", "--native-check", "never")


def measured(source: Path, arguments: tuple[str, ...], most: int, scratch: Path) -> str:
    """One line about the exploration of a program."""
    options = parse([*WORDS, "--max-instructions", str(most)])[1]
    built = run([source], replace(options, max_instructions=1, out=str(scratch / "built")), arguments).program
    before = spent()
    result = explore([source], built, replace(options, out=str(scratch / "run")), arguments)
    seconds = spent() - before
    summary = result.summary
    done = summary["instructions"]
    counts = f"{summary['paths']['completed']}\t{summary['forks']}\t{summary['solver']['queries']}"
    return f"{source.stem}\t{seconds:.2f}\t{done:,}\t{done / seconds / 1000:.0f}\t{counts}"


def line(source: Path, arguments: tuple[str, ...], most: int) -> str:
    """The line, from a process of its own."""
    with (
        tempfile.TemporaryDirectory() as scratch,
        ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool,
    ):
        return pool.submit(measured, source, arguments, most, Path(scratch)).result()


def main() -> None:
    """Print a line for each program."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="where the bitcode of the tools is")
    parser.add_argument("--instructions", type=int, default=1_000_000, help="of each tool (default: %(default)s)")
    parser.add_argument(
        "--only", nargs="+", default=(*TOOLS, *CONCRETE), metavar="NAME", help="programs (default: all)"
    )
    given = parser.parse_args()
    print("program\tCPU s\tinstructions\tthousands/s\tpaths\tforks\tqueries", flush=True)
    for name in given.only:
        if name in CONCRETE:
            print(line(HERE / "programs" / f"{name}.c", (), 100_000_000), flush=True)
        else:
            print(line(given.folder / f"{name}.bc", WORLD, given.instructions), flush=True)


if __name__ == "__main__":
    main()
