"""Does `--formats lcov` say of lines what gcov says of native runs? Lines of each program, and those that differ.

``python -m bench.lcov [PROGRAM.c ...]`` explores each program, and runs its tests on a build by gcc with --coverage and
without sanitizers, which add code of their own. It compares whether each line ran that has code for both compilers.
Branches are not compared, since each compiler has its own.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from pathlib import Path

from unfork.cli.words import parse
from unfork.commands.afterwards.export import open_run
from unfork.commands.afterwards.native_check import BuildOrigin
from unfork.commands.run.run import Result, run
from unfork.report.formats.source_coverage import FileCoverage, coverage_by_file
from unfork.report.replay import native_replay
from unfork.report.replay.binary import Enclosure
from unfork.report.replay.native_replay import Toolchain

ROOT = Path(__file__).parents[1]
PROGRAMS = (
    "examples/absorption.c",
    "examples/bubble_sort.c",
    "examples/echo.c",
    "examples/get_sign.c",
    "examples/linked_list.c",
    "examples/malloc_diamond.c",
    "examples/midpoint.c",
    "examples/ratio.c",
    "examples/regexp.c",
    "examples/regexp_safe.c",
    "examples/sv_comp.c",
    "examples/timsort_stack.c",
    "examples/timsort_stack_fixed.c",
    "bench/programs/crc32.c",
    "bench/programs/gcd.c",
    "bench/programs/log_packet_hash.c",
    "bench/programs/mcdc.c",
    "bench/programs/popcount.c",
    "bench/programs/spans_own.c",
    "bench/programs/state_chart.c",
)
GCC = Toolchain(("gcc",), ("--coverage",), "gcc", has_gcov=True, has_sanitizers=False)
LIMITS = ("--max-time", "60", "--max-tests", "300", "--quiet", "--native-check", "never")


OPTIONS = {"linked_list.c": ["-D", "FIXED"], "regexp.c": ["-D", "SIZE=4"], "regexp_safe.c": ["-D", "SIZE=4"]}
"""Other options than the first comment of a program gives: what it does natively after an error is anyone's guess."""


def options_of(path: Path) -> list[str]:
    """The options of a program's run."""
    if path.name in OPTIONS:
        return OPTIONS[path.name]
    given = re.search(r"^\s*(?:\*\s*)?options: (.*)$", path.read_text(), re.MULTILINE)
    return given[1].replace("*/", "").split() if given else []


def explored(path: Path, out: Path) -> Result:
    """A run of the program, in ``out``."""
    _, options, arguments = parse([*options_of(path), *LIMITS, "--out", str(out)])
    result = run([str(path)], options, arguments)
    if result.summary["stopped_by"] is not None:
        raise SystemExit(f"{path}: stopped by {result.summary['stopped_by']}, so that its tests go on natively")
    return result


def natively(result: Result, path: Path, folder: Path) -> native_replay.Lines:
    """The lines that gcov counts when the tests run on the program, without sanitizers."""
    kept = open_run(result.directory)
    _, options, _ = parse(options_of(path))
    origin = BuildOrigin(result.program, options, (str(path),), None, None, Enclosure.NONE)
    runner = origin.runner(GCC, folder)
    for _, test in kept.tests():
        runner.run(test)
    counted = native_replay.gcov_counts(folder)
    assert counted is not None
    return counted[0]


def compared(path: Path, ours: FileCoverage, lines: native_replay.Lines) -> tuple[int, list[int]]:
    """How many lines of a file have code for both, and those of which they do not say the same."""
    theirs = {line: has_run for (name, line), has_run in lines.items() if os.path.samefile(name, path)}
    common = sorted(ours.lines.keys() & theirs.keys())
    return len(common), [line for line in common if ours.lines[line] != theirs[line]]


def measured(path: Path) -> tuple[int, list[str]]:
    """The comparison for one program: how many lines, and those that differ, as text."""
    count, different = 0, []
    with tempfile.TemporaryDirectory(prefix="unfork-lcov-") as name:
        folder = Path(name)
        result = explored(path, folder / "run")
        (folder / "native").mkdir()
        lines = natively(result, path, folder / "native")
        for file, ours in sorted(coverage_by_file(open_run(result.directory)).items()):
            common, others = compared(Path(file), ours, lines)
            text = Path(file).read_text(errors="replace").splitlines()
            count += common
            different += [f"{Path(file).name}:{line}: {text[line - 1].strip()}" for line in others]
    return count, different


def main() -> int:
    """Print a row for each program. Returns 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", help="C files (default: some of tests, examples and bench)")
    words = parser.parse_args().programs
    is_equal = True
    print(f"{'program':32} {'lines':>6} {'differ':>7}")
    for name in words or PROGRAMS:
        count, different = measured(ROOT / name)
        print(f"{Path(name).name:32} {count:>6} {len(different):>7}", flush=True)
        print("".join(f"    {line}\n" for line in different), end="")
        is_equal = is_equal and not different
    return int(not is_equal)


if __name__ == "__main__":
    sys.exit(main())
