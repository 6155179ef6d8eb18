"""Whether `--formats lcov` says of programs what gcov says when their tests run natively.

For each program: a run, then its tests on a build by gcc with --coverage and without sanitizers (which add branches of
their own), then gcov. Compared are the lines that have code, whether each ran, and on each line the branches: how many,
and how many of them were taken. A line whose branches differ is listed with the reason. First come 20 programs that
were written for other ends, then those in programs/branches, with conditions that each compiler treats in its own way.
Usage:

    python bench/lcov.py [-v] [PROGRAM.c ...]
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from unfork.api.export import kept_run
from unfork.api.native_check import Origin
from unfork.api.run import Result, run
from unfork.cli.words import parse
from unfork.formats.covered import FileCoverage
from unfork.replay import gcov
from unfork.replay.binary import Enclosure
from unfork.replay.native import Toolchain
from unfork.wiring.coverage import counted

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
BRANCHES = tuple(sorted(str(path.relative_to(ROOT)) for path in (ROOT / "bench/programs/branches").glob("*.c")))
GCC = Toolchain(("gcc",), ("--coverage",), "gcc", has_gcov=True, has_sanitizers=False)
LIMITS = ("--max-time", "60", "--max-tests", "300", "--quiet", "--native-check", "never")


@dataclass(slots=True)
class Compared:
    """What came out for one program; ``notes`` say where the two differ."""

    lines: int = 0
    lines_differ: int = 0
    branches: int = 0
    branches_equal: int = 0
    explained: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)

    def plus(self, other: Compared) -> Compared:
        """Both together."""
        return Compared(
            self.lines + other.lines,
            self.lines_differ + other.lines_differ,
            self.branches + other.branches,
            self.branches_equal + other.branches_equal,
            self.explained + other.explained,
            self.notes + other.notes,
        )


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
    _, options, arguments, _ = parse([*options_of(path), *LIMITS, "--out", str(out)])
    result = run([str(path)], options, arguments)
    if result.summary["stopped_by"] is not None:
        raise SystemExit(f"{path}: stopped by {result.summary['stopped_by']}, so that its tests go on natively")
    return result


def natively(result: Result, path: Path, folder: Path) -> tuple[gcov.Lines, gcov.Branches]:
    """What gcov counts when the tests run on the program, without sanitizers."""
    kept = kept_run(result.directory)
    _, options, _, _ = parse(options_of(path))
    origin = Origin(result.program, options, (str(path),), None, None, Enclosure.NONE)
    runner = origin.whole(GCC, folder)
    for _, test in kept.tests():
        runner.run(test)
    counted = gcov.by_line(folder)
    assert counted is not None
    return counted


def reason(line: str, ours: int, theirs: int) -> str:
    """Why the branches of a line differ."""
    if ours != theirs and "?" in line:
        return "a ?: that is a condition or an operand of one"
    if ours > theirs:
        return "a condition that gcc calculates while it compiles"
    if ours < theirs:
        return "a condition that clang calculates while it compiles"
    return "unexplained"


def compared(path: Path, ours: FileCoverage, lines: gcov.Lines, branches: gcov.Branches) -> Compared:
    """Line by line."""
    text = path.read_text(errors="replace").splitlines()
    done = Compared()
    theirs = {line: has_run for (name, line), has_run in lines.items() if os.path.samefile(name, path)}
    for line in sorted(ours.lines.keys() | theirs.keys()):
        done.lines += 1
        here, there = ours.lines.get(line), theirs.get(line)
        if here != there:
            done.lines_differ += 1
            done.notes.append(f"line {line}: {said(here)}, gcov: {said(there)}: {text[line - 1].strip()}")
    taken: dict[int, list[bool]] = {}
    for branching in ours.branches:
        taken.setdefault(branching.line, []).extend(branching.taken)
    native: dict[int, list[bool]] = {}
    for (name, line, _), hit in branches.items():
        if os.path.samefile(name, path):
            native.setdefault(line, []).append(hit)
    for line in sorted(taken.keys() | native.keys()):
        here_taken, there_taken = taken.get(line, []), native.get(line, [])
        done.branches += len(there_taken)
        if sorted(here_taken) == sorted(there_taken):
            done.branches_equal += len(there_taken)
            continue
        counts = f"{sum(here_taken)}/{len(here_taken)}, gcov: {sum(there_taken)}/{len(there_taken)}"
        why = reason(text[line - 1], len(here_taken), len(there_taken))
        done.explained[why] += 1
        done.notes.append(f"branches of line {line}: {counts} ({why}): {text[line - 1].strip()}")
    return done


def said(has_run: bool | None) -> str:
    """What is said of a line."""
    return "no code" if has_run is None else "ran" if has_run else "did not run"


def measured(path: Path) -> Compared:
    """The comparison for one program."""
    with tempfile.TemporaryDirectory(prefix="unfork-lcov-") as name:
        folder = Path(name)
        result = explored(path, folder / "run")
        (folder / "native").mkdir()
        lines, branches = natively(result, path, folder / "native")
        total = Compared()
        for file, ours in sorted(counted(kept_run(result.directory)).items()):
            total = total.plus(compared(Path(file), ours, lines, branches))
        return total


def main(words: list[str]) -> int:
    """Print a row for each program. Returns 1 if anything differs that has no explanation."""
    is_verbose = "-v" in words
    given = [word for word in words if word != "-v"]
    parts = [("all", given)] if given else [("of other programs", PROGRAMS), ("of branches", BRANCHES)]
    is_equal = True
    print(f"{'program':32} {'lines':>6} {'differ':>7} {'branches':>9} {'equal':>6}")
    for title, names in parts:
        total = Compared()
        for name in names:
            done = measured(ROOT / name)
            print(row(Path(name).name, done), flush=True)
            for note in done.notes:
                if is_verbose or "unexplained" in note or note.startswith("line"):
                    print(f"    {note}")
            total = total.plus(done)
        print(row(title, total))
        for why, count in total.explained.most_common():
            print(f"  {count} lines: {why}")
        is_equal = is_equal and total.lines_differ == 0 and total.explained["unexplained"] == 0
    return int(not is_equal)


def row(name: str, done: Compared) -> str:
    """A row of the table."""
    return f"{name:32} {done.lines:>6} {done.lines_differ:>7} {done.branches:>9} {done.branches_equal:>6}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
