"""What do merging and interpolation bring, alone and together? A row for each program, a column for each mode.

The programs are those whose paths multiply. A cell has the seconds of the processor (start, compilation and end
included), completed paths, states, covered states, and the verdict where it is not the program's. ">": the limit ended
the run.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench import processors
from bench.figures.runs import SOURCE
from bench.measure import EXAMPLES, PROGRAMS, Case
from bench.tables import markdown, number

DEPTH_FIRST = ("--search", "dfs")
DYNAMIC, STATIC = ("--merge", "dynamic"), ("--merge", "static", "--similar", "always")
LEARNING = ("--prune", "interpolate")
MODES = {
    "neither": ("--merge", "none", *DEPTH_FIRST),
    "dynamic": DYNAMIC,
    "static": STATIC,
    "interpolation": ("--merge", "none", *LEARNING, *DEPTH_FIRST),
    "both, dynamic": (*DYNAMIC, *LEARNING, *DEPTH_FIRST),
    "both, static": (*STATIC, *LEARNING),
}
"""Dynamic joins are those that look worth it (query counts), static ones all that can be made."""
SECONDS = 60.0
PATIENCE, GRACE = 60, 60
"""A run is killed after this many times its seconds on the clock, and this many seconds more."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What one run came to; ``hits`` are the states that were covered."""

    seconds: float
    is_cut: bool
    paths: int
    states: int
    hits: int
    verdict: str

    def cell(self, expected: str) -> str:
        """The run in a table."""
        counts = f"{number(self.paths)} / {number(self.states)}" + (f" / {number(self.hits)}" if self.hits else "")
        wrong = "" if self.is_good(expected) else f", {self.verdict} (!)"
        return f"{'> ' if self.is_cut else ''}{self.seconds:.1f} s, {counts}{wrong}"

    def is_good(self, expected: str) -> bool:
        """Whether the run says what it should, as far as it came."""
        return self.verdict == ("unknown" if self.is_cut and self.verdict != "unsafe" else expected)


def cases() -> Iterator[Case]:
    """The programs at their sizes."""
    for other in (1, 2):
        for count in (10, 30, 100, 200):
            defines = (f"MAX={count}", f"OTHER={other}")
            yield Case(EXAMPLES / "malloc_diamond.c", f"{count} (+{other})", defines, None)
    for count in (4, 12):
        yield Case(EXAMPLES / "echo.c", f"{count},{count}", (f"N={count}", f"L={count}"), None)
    for folder, name, macro, sizes in (
        (EXAMPLES, "regexp_safe", "SIZE", (7, 10, 15)),
        (PROGRAMS, "mcdc", "N", (10, 100)),
        (PROGRAMS, "state_chart", "STEPS", (4, 8, 20)),
        (PROGRAMS, "nested_locks", "LOCKS", (5, 10, 20)),
        (EXAMPLES, "bubble_sort", "K", (4, 5, 6)),
        (PROGRAMS, "insertion_sort", "K", (4, 5, 6)),
    ):
        for size in sizes:
            yield Case(folder / f"{name}.c", str(size), (f"{macro}={size}",), None)


def ran(case: Case, mode: Sequence[str], limit: float) -> Ran:
    """The whole command in a fresh process, ended after ``limit`` seconds of the processor."""
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "out"
        defines = [word for define in case.defines for word in ("-D", define)]
        words = [str(case.source), *defines, *mode, "--libc", "none", "--out", str(out), "--quiet", "--no-progress"]
        words += ["--solver-timeout", f"{limit:g}"]  # or a busy machine, on which a query waits, has another verdict
        command = [sys.executable, "-m", "unfork", "run", "--cores", "1", *words]
        environment = {**os.environ, "PYTHONPATH": str(SOURCE)}
        done = processors.run(command, Path.cwd(), environment, PATIENCE * limit + GRACE, limit)
        summary = out / "summary.json"
        if not summary.exists() and done.status is None:
            return Ran(done.cpu, True, 0, 0, 0, "unknown")
        if not summary.exists():
            raise SystemExit(f"{' '.join(words)}: {done.stderr.strip() or f'status {done.status}'}")
        data = json.loads(summary.read_text())
        return Ran(
            done.cpu,
            data["stopped_by"] is not None,
            data["paths"]["completed"],
            data["states"]["created"],
            data["prunes"]["hits"],
            data["verdict"],
        )


def row(case: Case, modes: Sequence[str], limit: float) -> tuple[list[str], bool]:
    """The cells of a program, and whether all runs said what they should."""
    cells, good = [f"{case.name} {case.size}"], True
    for name in modes:
        if sys.stderr.isatty():
            print(f"\r\x1b[K{cells[0]}: {name}", end="", file=sys.stderr, flush=True)
        one = ran(case, MODES[name], limit)
        cells.append(one.cell(case.verdict))
        good &= one.is_good(case.verdict)
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    return cells, good


def main() -> int:
    """The table; the exit status says whether a run was wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="programs, separated by commas: mcdc, or mcdc:100 for one size")
    parser.add_argument("--modes", default="", help="columns, separated by semicolons: interpolation;both, static")
    parser.add_argument(
        "--limit", type=float, default=SECONDS, help=f"seconds of the processor for a run ({SECONDS:g})"
    )
    given = parser.parse_args()
    wanted = [one for one in given.only.split(",") if one]
    modes = [one.strip() for one in given.modes.split(";") if one.strip()] or list(MODES)
    if unknown := [one for one in modes if one not in MODES]:
        parser.error(f"no column is called {unknown[0]!r}: there are {'; '.join(MODES)}")
    chosen = [one for one in cases() if not wanted or {one.name, f"{one.name}:{one.size.split()[0]}"} & {*wanted}]
    if not chosen:
        parser.error(f"no program is called so: there are {', '.join(dict.fromkeys(one.name for one in cases()))}")
    rows, status = [], 0
    with contextlib.suppress(KeyboardInterrupt):  # what is known by then is worth a table
        for case in chosen:
            cells, good = row(case, modes, given.limit)
            rows.append(cells)
            status |= not good
    print(markdown(("program", *modes), rows))
    return status


if __name__ == "__main__":
    sys.exit(main())
