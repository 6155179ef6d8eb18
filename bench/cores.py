"""What further processes of one strategy are worth, and what it is worth that they tell each other what they learn.

``python -m bench.cores`` explores programs with one process and with two; ``--learning`` compares two that share what
they learn with two that do not. Work is what Explorer.work() counts, about microseconds of one processor: the work of
the process that did most stands for the time that the run takes on cores of its own, whatever else the machine does.
Where a limit ends a run, states per work are compared instead of the work. ``--tools FOLDER`` adds tools of coreutils
that bench/coreutils.py has built there.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from bench.measure import EXAMPLES, WORLD
from unfork.cli import parse
from unfork.commands.run.run import run
from unfork.commands.run.team import Team
from unfork.reduce.prune.interpolation.sharing import NoSharing

TOOLS = ("cut", "seq", "tr", "expand")


@dataclass(frozen=True, slots=True)
class Case:
    """A program, the options of its runs and its arguments."""

    name: str
    file: Path
    words: tuple[str, ...]
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ran:
    """One run: the work of each process, and what they came to."""

    works: tuple[int, ...]
    paths: int
    states: int
    verdict: str
    is_cut: bool
    seconds: float

    @property
    def speed(self) -> float:
        """Of a run that was cut, the states that it made per work of its busiest process; else runs per work."""
        return (self.states if self.is_cut else 1) / max(self.works)

    def row(self, name: str, than: Ran) -> str:
        """The run in a table, and how much faster than another one it was."""
        works = " + ".join(f"{work / 1e6:.1f}" for work in self.works)
        said = self.verdict + (", cut" if self.is_cut else "")
        gain = self.speed / than.speed
        return f"| {name} | {works} | {self.paths:,} | {self.states:,} | {said} | {self.seconds:.0f} | {gain:.2f} |"


def plain(seconds: float, tools: Path | None) -> Iterator[Case]:
    """What is explored path by path."""
    limit = ("--strategy", "plain", "--max-time", str(seconds))
    yield Case("regexp 8", EXAMPLES / "regexp.c", ("-D", "SIZE=8", *limit))
    yield Case("bubble 7", EXAMPLES / "bubble_sort.c", ("-D", "K=7", *limit))
    for tool in TOOLS if tools is not None else ():
        assert tools is not None
        yield Case(tool, tools / f"{tool}.bc", limit, WORLD)


def learning(seconds: float) -> Iterator[Case]:
    """What is explored with interpolants."""
    limit = ("--strategy", "learn", "--max-time", str(seconds))
    for size in (6, 7, 8, 10):
        yield Case(f"regexp_safe {size}", EXAMPLES / "regexp_safe.c", ("-D", f"SIZE={size}", *limit))


class Kept(Team):
    """A team that can be asked when the run is over."""

    last: Team

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        Kept.last = self


def ran(case: Case, cores: int) -> Ran:
    """Run a case."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["run", *case.words, "--cores", str(cores), "--quiet", "--no-progress", "--out", f"{folder}/out"]
        began = time.monotonic()
        with mock.patch("unfork.commands.run.strategy_worker.Team", Kept):
            result = run([case.file], parse([*words[1:]])[1], case.arguments)
        seconds = time.monotonic() - began
    data: dict[str, Any] = result.summary
    works = tuple([worker["work"] for worker in Kept.last.as_dicts()])
    is_cut = data["stopped_by"] is not None
    return Ran(works, data["paths"]["completed"], data["states"]["created"], result.verdict, is_cut, seconds)


@contextmanager
def unshared() -> Iterator[None]:
    """Nobody tells what was learnt."""
    with mock.patch("unfork.reduce.prune.interpolation.make_interpolation.Sharing", lambda *_: NoSharing()):
        yield


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--learning", action="store_true")
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--tools", type=Path)
    parser.add_argument("--only", default="")
    chosen = parser.parse_args()
    print("| program | work of each process (M) | paths | states | verdict | s | times as fast |", flush=True)
    print("|:--|:--|--:|--:|:--|--:|--:|")
    cases = learning(chosen.seconds) if chosen.learning else plain(chosen.seconds, chosen.tools)
    for case in cases:
        if chosen.only not in case.name:
            continue
        alone = ran(case, 1)
        print(alone.row(f"{case.name}, 1 process", alone), flush=True)
        if chosen.learning:
            with unshared():
                print(ran(case, 2).row("2, nothing shared", alone), flush=True)
        print(ran(case, 2).row("2 processes", alone), flush=True)


if __name__ == "__main__":
    main()
