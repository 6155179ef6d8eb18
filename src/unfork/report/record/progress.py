"""The progress of a run in numbers, for terminal and page, and its display on a terminal."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rich import console as terminals
from rich import live, text
from rich import progress as bars

from unfork.engine.explore.limits import Budget
from unfork.engine.explore.tally import Tally
from unfork.engine.protocols.events import Beat, Began, Event
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.logic.solve.solver import Statistics

_WIDTH, _INDENT = 80, " " * 8
_IDLE = 5
"""From this many seconds without a new branch, say so."""
_SAMPLE, _LEAST_PARTS = 3.0, 20
"""The speed of a build is known after this many seconds and parts."""


@dataclass(frozen=True, slots=True)
class ProgressReading:
    """A run's progress at one moment, without names from the program."""

    seconds: float
    left: float | None
    idle: float
    """Seconds since the last new branch."""
    states: int
    paths: int
    threads: int
    blocked: int
    """Executions of several threads that were cut short, since others do the same."""
    errors: int
    tests: int
    branches_met: int
    branches: int
    queries: int
    solving: float
    """The solver's share of the time, 0 to 1."""
    megabytes: int
    most_megabytes: int | None
    strategies: tuple[str, ...]
    """The present state of each strategy in a race."""


class Gauge:
    """Reads the counts of a run. ``strategies`` gives the present state of each strategy in a race."""

    def __init__(
        self,
        tally: Tally,
        statistics: Statistics,
        coverage: BranchCoverage,
        budget: Budget,
        strategies: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        self._tally = tally
        self._statistics = statistics
        self._coverage = coverage
        self._budget = budget
        self._strategies = strategies
        self._began = self._grown = time.monotonic()
        self._met = 0

    def read(self, waiting: int, resident: int) -> ProgressReading:
        now = time.monotonic()
        seconds = now - self._began
        edges = self._coverage.covered
        if (met := edges.count(1)) > self._met:
            self._met, self._grown = met, now
        most = self._budget
        return ProgressReading(
            seconds,
            None if most.seconds == math.inf else max(0.0, most.seconds - seconds),
            now - self._grown,
            waiting,
            self._tally.completed,
            self._tally.threads,
            self._tally.pruned if self._tally.threads > 1 else 0,
            self._tally.errors,
            self._tally.tests,
            met,
            len(edges),
            self._statistics.queries,
            self._statistics.seconds / seconds if seconds > 0 else 0.0,
            resident >> 20,
            None if most.memory == math.inf else int(most.memory) >> 20,
            tuple(self._strategies()),
        )


class Progress:
    """Redraws some lines at each beat of the run. It has no thread: a long query delays the display."""

    def __init__(self, gauge: Gauge, console: terminals.Console | None = None) -> None:
        self._gauge = gauge
        self._live = live.Live(console=console or terminals.Console(stderr=True), auto_refresh=False, transient=True)

    def tell(self, event: Event) -> None:
        match event:
            case Began():
                self._live.start()
            case Beat(waiting, resident):
                words = line(self._gauge.read(waiting, resident))
                self._live.update(text.Text(words, no_wrap=True, overflow="ellipsis"), refresh=True)

    def stop(self) -> None:
        self._live.stop()


def line(now: ProgressReading) -> str:
    """The text of a reading."""
    left = "" if now.left is None else f", {now.left:.0f} s left"
    idle = f", none new for {now.idle:.0f} s" if now.idle >= _IDLE else ""
    threads = f"\n{_INDENT}{now.threads} threads, {now.blocked:,} cut short" if now.threads > 1 else ""
    room = "" if now.most_megabytes is None else f" of {now.most_megabytes}"
    return (
        f"{now.seconds:5.0f} s{left}  {now.states:,} states  {now.paths:,} paths  {now.errors} errors  "
        f"{now.tests} tests\n{_INDENT}{now.branches_met}/{now.branches} branches met{idle}  {now.megabytes} MB{room}\n"
        f"{_INDENT}{now.queries:,} queries ({100 * now.solving:.0f} % of time){threads}{_fill_lines(now.strategies)}"
    )


def _fill_lines(parts: Sequence[str]) -> str:
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1]) + len(part) + 2 <= _WIDTH:
            lines[-1] += f"  {part}"
        else:
            lines.append(_INDENT + part)
    return "".join(f"\n{line}" for line in lines)


@contextlib.contextmanager
def building(what: str, console: terminals.Console | None = None) -> Iterator[Callable[[int, int], None]]:
    """A progress bar for a build; a line if there is no terminal.

    Yields a function of the parts done and their total; its first call counts parts that were done before. The
    remaining time follows from the speed so far.
    """
    console = console or terminals.Console(stderr=True)
    if not console.is_terminal:
        line = _BuildLine(what, console)
        try:
            yield line.report
        finally:
            line.end()
        return
    columns = (bars.TextColumn("{task.description}"), bars.BarColumn(), bars.MofNCompleteColumn())
    with bars.Progress(*columns, bars.TimeRemainingColumn(), console=console, transient=True) as bar:
        console.show_cursor(True)  # a limit may kill this process
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


class _BuildLine:
    """One line on a build: first its name, then the remaining time once it is known."""

    def __init__(self, what: str, console: terminals.Console) -> None:
        self._console = console
        self._first: tuple[float, int] | None = None
        self._is_open = True
        self._say(f"{what} ...", "")

    def report(self, done: int, total: int) -> None:
        now = time.monotonic()
        if self._first is None:
            self._first = now, done
        began, before = self._first
        if self._is_open and done < total and now - began >= _SAMPLE and done - before >= _LEAST_PARTS:
            self._is_open = False
            left = (now - began) * (total - done) / (done - before)
            self._say(f" about {duration(left)}", "\n")

    def end(self) -> None:
        if self._is_open:
            self._is_open = False
            self._say("", "\n")

    def _say(self, words: str, end: str) -> None:
        with contextlib.suppress(OSError):
            self._console.print(words, soft_wrap=True, end=end)


def duration(seconds: float) -> str:
    """Seconds rounded up to fives; minutes from two minutes on."""
    if seconds >= 120:
        return f"{seconds / 60:.0f} min"
    return f"{max(math.ceil(seconds / 5) * 5, 5):.0f} s"
