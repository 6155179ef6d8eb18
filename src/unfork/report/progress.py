"""The progress display on a terminal: time left, states, paths, coverage and when it last grew, queries, memory."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
from rich.progress import Progress as Bar
from rich.text import Text

from unfork.contracts.events import Beat, Began, Event
from unfork.execute.coverage import BranchCoverage
from unfork.explore.tally import Tally
from unfork.logic.solver import Statistics

_WIDTH, _INDENT = 80, " " * 8
_IDLE = 5
"""Seconds without a new branch that are worth telling."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a run may take, and how much memory; None: any amount."""

    seconds: float | None = None
    megabytes: int | None = None


class Progress:
    """Redraws some lines at each beat of the run. It has no thread: a long query delays the display.

    ``seconds`` and ``megabytes`` are the run's limits; ``strategies`` says what each strategy of a race does.
    """

    def __init__(
        self,
        tally: Tally,
        statistics: Statistics,
        coverage: BranchCoverage,
        limits: Limits,
        strategies: Callable[[], Sequence[str]] = tuple,
        console: Console | None = None,
    ) -> None:
        self._tally = tally
        self._statistics = statistics
        self._coverage = coverage
        self._limits = limits
        self._strategies = strategies
        self._clock: Callable[[], float] = time.monotonic
        self._began = self._grown = self._clock()
        self._met = 0
        self._live = Live(console=console or Console(stderr=True), auto_refresh=False, transient=True)

    def tell(self, event: Event) -> None:
        """Start the display when the run begins, and redraw it at each beat."""
        match event:
            case Began():
                self._live.start()
            case Beat(waiting, resident):
                self._live.update(Text(self.line(waiting, resident), no_wrap=True, overflow="ellipsis"), refresh=True)

    def line(self, waiting: int, resident: int) -> str:
        """The text to show for so many waiting states and resident bytes. No name from the program is in it."""
        tally, solver = self._tally, self._statistics
        now = self._clock()
        seconds = now - self._began
        solving = 100 * solver.seconds / seconds if seconds > 0 else 0.0
        edges = self._coverage.covered
        if (met := edges.count(1)) > self._met:
            self._met, self._grown = met, now
        idle = f", none new for {now - self._grown:.0f} s" if now - self._grown >= _IDLE else ""
        most = self._limits
        left = "" if most.seconds is None else f", {max(0.0, most.seconds - seconds):.0f} s left"
        room = "" if most.megabytes is None else f" of {most.megabytes}"
        return (
            f"{seconds:5.0f} s{left}  {waiting:,} states  {tally.completed:,} paths  {tally.errors} errors  "
            f"{tally.tests} tests\n{_INDENT}{met}/{len(edges)} branches met{idle}  {resident >> 20} MB{room}\n"
            f"{_INDENT}{solver.queries:,} queries ({solving:.0f} % of time){_packed(self._strategies())}"
        )

    def stop(self) -> None:
        """Remove the display."""
        self._live.stop()


def _packed(parts: Sequence[str]) -> str:
    """The parts, as many on a line as there is room for; each of the lines begins with a line break."""
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1]) + len(part) + 2 <= _WIDTH:
            lines[-1] += f"  {part}"
        else:
            lines.append(_INDENT + part)
    return "".join(f"\n{line}" for line in lines)


@contextlib.contextmanager
def building(what: str, console: Console | None = None) -> Iterator[Callable[[int, int], None]]:
    """A progress bar for a build; yields a function that takes the parts done and their total."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Bar(*columns, console=console or Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
