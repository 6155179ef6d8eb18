"""Times whole commands, unfork's and KLEE's, on programs at a size: what throughput, startup and others share."""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.tables import table

HERE = Path(__file__).resolve().parent
PROGRAMS = HERE / "programs"
EXAMPLES = HERE.parent / "examples"
WORLD = ("--sym-args", "0", "2", "3", "--sym-stdin", "4")
"""What the tools of coreutils are given, where runs of them are compared."""
LIMIT = 600
"""Seconds after which a run stops; the row says so."""


@dataclass(frozen=True, slots=True)
class Case:
    """A program at a size. ``klee`` is KLEE's time as once measured on another machine, None where it timed out.

    ``target`` is the largest ratio to KLEE's time that is aimed at, ``paths`` what must be completed; None: not stated.
    """

    source: Path
    size: str
    defines: tuple[str, ...]
    klee: float | None
    verdict: str = "safe"
    target: float | None = None
    paths: int | None = None

    @property
    def name(self) -> str:
        """The program's name without its suffix."""
        return self.source.stem


@dataclass(frozen=True, slots=True)
class Measured:
    """What one run of unfork took and said; memory in MB, of the largest process."""

    seconds: float
    memory: float
    summary: dict[str, object]

    def count(self, *keys: str) -> int:
        """A number of the summary by its path of keys, 0 where there is none."""
        value: object = self.summary
        for key in keys:
            value = value.get(key) if isinstance(value, dict) else None
        return value if isinstance(value, int) else 0


def timed(command: Sequence[str]) -> tuple[float, float, int]:
    """Seconds, peak MB and exit status of a command that is run in silence."""
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert process.stderr is not None
    problem = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    process.stderr.close()
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1, 3):
        sys.stderr.write(problem.decode(errors="replace"))
    return seconds, usage.ru_maxrss / 1024, process.returncode


def run_unfork(case: Case, options: Sequence[str] = ()) -> Measured:
    """The whole command, in a fresh process with a fresh run directory."""
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "out"
        defines = [word for define in case.defines for word in ("-D", define)]
        command = [sys.executable, "-m", "unfork", "run", "--cores", "1", str(case.source), *defines, *options]
        quiet = ["--out", str(out), "--quiet", "--no-progress", "--max-time", str(LIMIT)]
        seconds, memory, status = timed([*command, *quiet])
        path = out / "summary.json"
        if not path.exists():
            raise SystemExit(f"{case.name} {case.size}: unfork ended with status {status} and no summary")
        return Measured(seconds, memory, json.loads(path.read_text()))


def run_klee(klee: str, clang: str, case: Case) -> tuple[float, int]:
    """Seconds and completed paths of KLEE on the same program, compiled at -O0 (compilation is not counted)."""
    with tempfile.TemporaryDirectory() as scratch:
        bitcode = Path(scratch) / "program.bc"
        flags = [f"-D{define}" for define in case.defines]
        compile_line = [clang, "-emit-llvm", "-c", "-g", "-O0", "-Xclang", "-disable-O0-optnone", f"-I{HERE / 'klee'}"]
        subprocess.run([*compile_line, *flags, str(case.source), "-o", str(bitcode)], check=True)
        started = time.perf_counter()
        done = subprocess.run(
            [klee, f"--output-dir={scratch}/out", "--only-output-states-covering-new", f"--max-time={LIMIT}s", bitcode],
            capture_output=True,
            text=True,
            check=False,
        )
        seconds = time.perf_counter() - started
        completed = re.search(r"completed paths = (\d+)", done.stderr)
        return seconds, int(completed.group(1)) if completed else 0


def arguments(description: str) -> argparse.Namespace:
    """The command line that the scripts share."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="only these programs (default: all)")
    parser.add_argument("--klee", help="measure this KLEE as well, in place of the times from another machine")
    parser.add_argument("--clang", default="clang", help="the clang that fits that KLEE (default clang)")
    given = parser.parse_args()
    if given.klee and not shutil.which(given.klee):
        parser.error(f"{given.klee} is not a program")
    return given


HEAD = ("program", "size", "seconds", "KLEE s", "ratio", "target", "paths", "instructions", "M/s", "MB", "verdict")


PATH_BY_PATH = ("--strategy", "plain", "--loops", "run")
"""What KLEE does: no joins, and loops that scan a text are run, not taken in one step."""


def row(case: Case, given: argparse.Namespace) -> tuple[tuple[str, ...], bool]:
    """The cells of one case, and whether verdict and paths came out as they must."""
    measured = run_unfork(case, PATH_BY_PATH)
    klee = run_klee(given.klee, given.clang, case)[0] if given.klee else case.klee
    ratio = measured.seconds / klee if klee else None
    paths, instructions = measured.count("paths", "completed"), measured.count("instructions")
    verdict = str(measured.summary.get("verdict"))
    good = verdict == case.verdict and case.paths in (None, paths)
    cells = (
        case.name,
        case.size,
        f"{measured.seconds:.2f}",
        f"{klee:.2f}" if klee else "-",
        f"{ratio:.2f}" if ratio is not None else "-",
        f"{case.target:.1f}" if case.target is not None else "",
        f"{paths:,}",
        f"{instructions:,}",
        f"{instructions / measured.seconds / 1e6:.2f}",
        f"{measured.memory:.0f}",
        verdict if good else f"{verdict} (!)",
    )
    return cells, good


def compare(description: str, cases: Sequence[Case]) -> int:
    """The table of all cases that the command line names."""
    given = arguments(description)
    chosen = [case for case in cases if not given.names or case.name in given.names]
    source = "measured here" if given.klee else "measured on another machine: trust the order of magnitude"
    return table(f"KLEE's seconds: {source}", HEAD, (row(case, given) for case in chosen))
