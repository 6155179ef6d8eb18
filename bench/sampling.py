"""What is sampling worth where queries are hard? Each program by waiting, by sampling, and as a run without options."""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

from coreutils import Tool, read_run, unfork
from measure import WORLD
from tests.support.corpus import read

WAYS = {"plain": ("--strategy", "plain"), "sample": ("--strategy", "sample"), "default": ()}
PROGRAMS = sorted(Path("tests/logic/solve/sampled").glob("*_bug.c"))
START = 20
"""Seconds of the clock that a second of processors may take."""


@dataclass(frozen=True, slots=True)
class Row:
    """A run: branches covered (of the file that has main) and in all, errors, and what its queries came to."""

    covered: int
    total: int
    errors: int
    seconds: float
    asked: tuple[int, int, int]

    def __str__(self) -> str:
        queries, unknown, sampled = self.asked
        share = f"{100 * self.covered / self.total:3.0f} %" if self.total else "-"
        found = f"{self.covered:5}/{self.total:<5} {share:>6} {self.errors:6} {self.seconds:7.1f}"
        return f"{found} {queries:8} {unknown:8} {sampled:8}"


def measured(program: Path, words: Sequence[str], inputs: Sequence[str], seconds: float) -> Row:
    """One run of so many seconds of processors."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "run")
        limit = ["--max-time", f"{START * seconds:g}", "--no-progress", "--out", str(place)]
        done = unfork(
            ["run", str(program.resolve()), *limit, *words, "--", *inputs], Path(folder), START * seconds, seconds
        )
        summary = json.loads((place / "summary.json").read_text())
        asked, branches = summary["solver"], summary["coverage"]["branches"]
        own = branches["covered"], branches["total"]
        if program.suffix == ".bc":
            tool = Tool(program.stem)
            read_run(tool, place, program)
            own = tool.own
        return Row(*own, len(summary["errors"]), done.cpu, (asked["queries"], asked["unknown"], asked["sampled"]))


def chosen(tools: Sequence[Path], only: str) -> Iterator[tuple[Path, Sequence[str]]]:
    """The programs and what each is given."""
    for program in (*PROGRAMS, *tools):
        if fnmatch(program.stem, only):
            yield program, WORLD if program.suffix == ".bc" else read(program).args


def main() -> None:
    """A line for each run."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--cpu", type=float, default=30.0, help="seconds of processors for each run")
    arguments.add_argument("--only", default="*", help="programs by name, with wildcards")
    arguments.add_argument("--ways", default=",".join(WAYS), help="which of them")
    arguments.add_argument("--options", default="", help="further words for unfork run")
    arguments.add_argument(
        "tools", type=Path, nargs="*", help="bitcode with its program beside it (bench/coreutils.py)"
    )
    given = arguments.parse_args()
    heads = ("own branches", 18), ("errors", 6), ("CPU s", 7), ("queries", 8), ("unknown", 8), ("sampled", 8)
    print(f"{'program':14} {'way':8}", *[f"{head:>{width}}" for head, width in heads])
    for program, inputs in chosen(given.tools, given.only):
        for way in given.ways.split(","):
            row = measured(program, (*WAYS[way], *given.options.split()), inputs, given.cpu)
            print(f"{program.stem:14} {way:8} {row}", flush=True)


if __name__ == "__main__":
    main()
