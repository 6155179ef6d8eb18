"""Rounds: several explorations, each for a quota of work; then what they have found is put together in a fixed order.

One of them, the first, is explored by this process; the others have processes of their own. Since a quota counts work
and not time, and reports are taken in the order of the strategies, a race comes to the same on any machine. What is
reported in the round in which somebody has explored everything counts up to that strategy, and no further.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from time import monotonic

from unfork.contracts.frontier import Frontier
from unfork.contracts.stopper import Stopper
from unfork.explore.failures import Failure
from unfork.explore.limits import LIMITS_OF_WORK, resident_bytes
from unfork.race.contestant import Contestant, with_news
from unfork.race.messages import GOING, Adopted, Counts, Edge, Report, Shown, Standing, Turn

FIRST = 400_000
"""Work of the first strategy until the others begin, about so many microseconds: shorter runs need none of them."""
GROWTH = 2
"""A round is one in so many parts of the work that each has done since the others began, and at least 0.1 s."""
_PATIENCE = 0.05
"""Seconds between two looks at the limits, while others are at work."""
_LAST_WORDS = 1.0
"""Seconds that those who are interrupted have to report."""
_SECONDS_APART = 0.2
"""Between two looks at the memory of all."""
_TIGHT = 0.8
"""The share of the memory at which somebody must go."""
ELSEWHERE = "explored elsewhere"
"""Why the first strategy stops when another one has explored everything."""
GONE = "its process ended"


@dataclass(frozen=True, slots=True)
class Entrant:
    """A strategy that takes part, and how to begin with it in a place of its own."""

    name: str
    begin: Callable[[], Contestant]


class Referee:
    """A stopper for the first strategy, whose ``limits`` are those of the run; it leads the others from round to round.

    ``work`` says what the first one has done so far. ``adopt`` takes what another has shown, ``settled`` gives edges
    that are covered, by their names, and ``won`` is called when another has explored everything. ``memory`` is what all
    together may use, in bytes.
    """

    def __init__(
        self,
        name: str,
        entrants: Sequence[Entrant],
        limits: Stopper,
        work: Callable[[], int],
        adopt: Callable[[Shown], Adopted],
        settled: Callable[[], Sequence[Edge]],
        won: Callable[[], None],
        memory: int | None,
    ) -> None:
        self._entrants = entrants
        self._limits = limits
        self._work = work
        self._adopt = adopt
        self._settled = settled
        self._won = won
        self._memory = memory
        self._next_look = 0.0
        self._processes: dict[str, Contestant] = {}
        self._told: set[Edge] = set()
        """The edges that the others were told of: all are told the same."""
        self._due = FIRST
        self._has_begun = False
        self.first = Standing(name)
        self.others = {entrant.name: Standing(entrant.name) for entrant in entrants}
        self.failures: dict[str, Failure] = {}
        """The first failure of the engine in each strategy that had any."""
        self.winner: Counts | None = None
        """What the strategy has counted that explored everything, if it was not the first."""

    def look(self, frontier: Frontier) -> str | None:
        """Why the run ends, or None; at the end of a round, everybody meets first."""
        if (reason := self._limits.look(frontier)) is not None:
            return reason
        self._make_room()
        if self._work() < self._due:
            return None
        if not self._has_begun:
            self._has_begun = True
            self._processes = {entrant.name: entrant.begin() for entrant in self._entrants}
        elif (reason := self._meet(frontier)) is not None:
            return reason
        self._start()
        return None

    def finish(self) -> None:
        """End the others, whatever they have found since the last meeting."""
        for process in self._processes.values():
            process.end()
        self._processes = {}

    def stop(self, reason: str) -> None:
        """A limit has ended the run: take what the others have found in the round that was not finished.

        They may end their round if the limit is one of work, so that the run can be repeated. If it is one of time or
        memory, they are interrupted.
        """
        until = math.inf
        if reason not in LIMITS_OF_WORK:
            until = monotonic() + _LAST_WORDS
            for process in self._processes.values():
                process.interrupt()
        reports, _ = self._gathered(lambda: reason if monotonic() > until else None)
        for name, report in reports.items():
            self._take(name, report)
        self.finish()

    def standings(self) -> list[Standing]:
        """Of all strategies, in their order."""
        return [replace(self.first, work=self._work()), *self.others.values()]

    def _start(self) -> None:
        """Begin a round."""
        done = self._work()
        quota = max(FIRST // 4, (done - FIRST) // GROWTH)
        news = tuple([edge for edge in self._settled() if edge not in self._told])
        self._told.update(news)
        for name, process in list(self._processes.items()):
            try:
                process.start(Turn(quota, news))
            except OSError:
                self._leave(name, GONE)
        self._due = done + quota
        self.first = replace(self.first, rounds=self.first.rounds + 1)

    def _meet(self, frontier: Frontier) -> str | None:
        """Wait for all reports and put them together. Returns why the run ends, or None."""

        def stop() -> str | None:
            self._make_room()
            return self._limits.look(frontier)

        reports, reason = self._gathered(stop)
        for name, report in reports.items():
            self._take(name, report)
            if report is not None and report.has_explored_everything and reason is None:
                self.winner = report.counts
                self._won()
                return ELSEWHERE
        return reason

    def _gathered(self, stop: Callable[[], str | None]) -> tuple[dict[str, Report | None], str | None]:
        """The reports of those that are still there, in their order, and what ``stop`` said if they are not all."""
        reports: dict[str, Report | None] = {}
        reason = None
        while reason is None and (waited := [each for each in self._processes.values() if each.name not in reports]):
            reports |= {process.name: _reported(process) for process in with_news(waited, _PATIENCE)}
            reports |= {process.name: None for process in waited if process.is_stopped()}
            reason = stop()
        return {name: reports[name] for name in self._processes if name in reports}, reason

    def _take(self, name: str, report: Report | None) -> None:
        """Put in what a strategy has found. None: its process is gone, or its message was broken."""
        if report is None:
            self._leave(name, GONE)
            return
        self.others[name] = self.others[name].after(report, [self._adopt(shown) for shown in report.shown])
        if report.failure is not None:
            self.failures[name] = report.failure
        if report.status != GOING:
            self._processes.pop(name).end()

    def _make_room(self) -> None:
        """End whichever process has grown most, if all together come near the limit: this one goes last."""
        if self._memory is None or not self._processes or monotonic() < self._next_look:
            return
        self._next_look = monotonic() + _SECONDS_APART
        grown = {name: process.grown() for name, process in self._processes.items()}
        if resident_bytes() + sum(grown.values()) > _TIGHT * self._memory:
            self._leave(max(grown, key=lambda name: grown[name]), "max-memory")

    def _leave(self, name: str, reason: str) -> None:
        self._processes.pop(name).end()
        self.others[name] = replace(self.others[name], stopped_by=reason)


def _reported(process: Contestant) -> Report | None:
    try:
        return process.report()
    except Exception:  # noqa: BLE001  # a message may break anywhere: whoever sent it is out of the race
        return None
