"""How many executions do programs with threads have, and at what cost? Executions, verdict and seconds of each.

``python -m bench.threads [NAMES] [--sources DIR] [--max-time S]``: programs after the descriptions in Abdulla et al.,
Optimal Dynamic Partial Order Reduction (POPL 2014), and in SV-COMP, with the paper's number of executions (or the
number of Mazurkiewicz traces); a program with branches, with and without joins; and a queue of jobs over yarn.c of
pigz, whose sources are fetched into ``--sources`` at a commit and never become part of this repository. ``--steps``:
what a turn of a loop costs with threads and without, in pairs of runs.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.processors import run
from bench.trees import clone

HERE = Path(__file__).resolve().parent
PIGZ = ("https://github.com/madler/pigz", "fe4894f57739e3039a2ffc2a2a360d35e19bacbe")
NO_RACE = ("--check", "memory,div,shift,unreachable,deadlock")
# Of one process each: several that share states may come to the same execution.
PLAIN, JOIN = ("--strategy", "plain", "--cores", "1"), ("--strategy", "join", "--cores", "1")


@dataclass(frozen=True, slots=True)
class Program:
    """A program of bench/threads, in C unless its name ends otherwise, with ``defines`` and options.

    ``executions`` (None: not known) and ``verdict`` are what is expected.
    """

    name: str
    defines: Sequence[str]
    options: Sequence[str]
    executions: int | None
    verdict: str
    is_of_pigz: bool = False


PROGRAMS = (
    Program("readers", ("N=8",), (*PLAIN, *NO_RACE, "--max-threads", "9"), 256, "safe"),
    Program("readers", ("N=13",), (*PLAIN, *NO_RACE, "--max-threads", "14"), 8192, "safe"),
    Program("indexer", ("N=12",), (*PLAIN, "--max-threads", "12"), 8, "safe"),
    Program("indexer", ("N=15",), (*PLAIN, "--max-threads", "15"), 4096, "safe"),
    Program("filesystem", ("N=16",), (*PLAIN, "--max-threads", "16"), 8, "safe"),
    Program("filesystem", ("N=18",), (*PLAIN, "--max-threads", "18"), 32, "safe"),
    Program("lastzero", ("N=5",), PLAIN, 64, "safe"),
    Program("fibonacci", ("N=3", "BOUND=21"), PLAIN, 20, "safe"),
    Program("fibonacci", ("N=3", "BOUND=20"), PLAIN, 20, "unsafe"),
    Program("waiting", (), PLAIN, None, "safe"),
    Program("waiting.cpp", (), PLAIN, None, "safe"),
    Program("branches", ("N=4",), PLAIN, None, "safe"),
    Program("branches", ("N=4",), JOIN, 2, "safe"),
    Program("branches", ("N=8",), JOIN, 2, "safe"),
    Program("jobs", (), (), None, "safe", is_of_pigz=True),
    Program("jobs", ("RACE",), (), None, "unsafe", is_of_pigz=True),
)
STEPS = (("LOCALS", 10_000_000, 10_000_000), ("HEAP", 300_000, 3_000), ("ATOMIC", 300_000, 3_000))
"""What the loops of bench/threads/steps.c are over, and their turns without threads and with them."""


def main() -> int:
    """Print a row for each program; 1 if one came to something else than expected."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--sources", type=Path, default=Path("sources"))
    parser.add_argument("--max-time", type=float, default=300.0)
    parser.add_argument("--steps", action="store_true")
    given = parser.parse_args()
    if given.steps:
        return _steps(given)
    print("| program | executions | expected | verdict | instructions | CPU s |\n|---|---:|---:|---|---:|---:|")
    wrong = 0
    for program in PROGRAMS:
        if given.names and program.name not in given.names:
            continue
        wrong += not _row(program, given)
    return int(wrong > 0)


def _steps(given: argparse.Namespace) -> int:
    """Print CPU seconds per turn of a loop: those of a run with TURNS less those of a run with one."""
    print("| loops over | plain, ns a turn | with threads | times |\n|---|---:|---:|---:|")
    for name, *turns in STEPS:
        costs = []
        for how, count in zip(("PLAIN", "THREADS"), turns, strict=True):
            pairs = [_cpu(given, name, how, count) - _cpu(given, name, how, 1) for _ in range(3)]
            costs.append(sorted(pairs)[1] * 1e9 / count / 2)
        plain, threaded = costs
        print(f"| {name} | {plain:,.1f} | {threaded:,.1f} | {threaded / plain:,.1f} |", flush=True)
    return 0


def _cpu(given: argparse.Namespace, name: str, how: str, turns: int) -> float:
    """CPU seconds of a run."""
    defines = [word for define in (name, how, f"TURNS={turns}") for word in ("-D", define)]
    with tempfile.TemporaryDirectory() as place:
        command = [sys.executable, "-m", "unfork", "run", str(HERE / "threads" / "steps.c"), *PLAIN, *defines]
        command += ["--out", str(Path(place) / "out"), "--native-check", "never", "--quiet"]
        return run(command, Path(place), os.environ, given.max_time + 60).cpu


def _row(program: Program, given: argparse.Namespace) -> bool:
    file = program.name if program.name.endswith(".cpp") else f"{program.name}.c"
    files, options = [str(HERE / "threads" / file)], list(program.options)
    if program.is_of_pigz:
        folder = _pigz(given.sources)
        files.append(str(folder / "yarn.c"))
        options += ["-I", str(folder)]
    for define in program.defines:
        options += ["-D", define]
    with tempfile.TemporaryDirectory() as place:
        out = Path(place) / "out"
        command = [sys.executable, "-m", "unfork", "run", *files, *options, "--out", str(out)]
        command += ["--native-check", "never", "--max-time", str(given.max_time), "--quiet"]
        done = run(command, Path(place), os.environ, given.max_time + 60)
        summary = json.loads((out / "summary.json").read_text()) if (out / "summary.json").exists() else {}
    verdict, paths = summary.get("verdict", "none"), summary.get("paths", {}).get("completed", 0)
    expected = "" if program.executions is None else f"{program.executions:,}"
    name = " ".join([program.name, *program.defines, *[word for word in program.options if word == "join"]])
    row = [name, f"{paths:,}", expected, verdict, f"{summary.get('instructions', 0):,}", f"{done.cpu:.1f}"]
    print("| " + " | ".join(row) + " |", flush=True)
    return verdict == program.verdict and program.executions in (None, paths)


def _pigz(sources: Path) -> Path:
    """pigz's sources at the commit."""
    folder, (address, commit) = sources / "pigz", PIGZ
    if not folder.exists():
        clone(address, commit, folder)
    return folder.resolve()


if __name__ == "__main__":
    sys.exit(main())
