"""Rounds: several explorations, each for a quota of work; then what they have found is put together in a fixed order.

One of them, the first, is explored by this process; the others have processes of their own. Since a quota counts work
and not time, and reports are taken in the order of the strategies, a race comes to the same on any machine. What is
reported in the round in which somebody has explored everything counts up to that strategy, and no further.

A quota follows success: whoever comes further with its work may do more of it in the next round (race/quotas.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import TYPE_CHECKING

from unfork.contracts.frontier import Frontier
from unfork.contracts.stopper import Stopper
from unfork.execute.coverage import Edge
from unfork.explore.limits import resident_bytes
from unfork.explore.tally import Tally
from unfork.failures import Failure
from unfork.later import Later
from unfork.race.contestant import Contestant
from unfork.race.messages import ELSEWHERE, GOING, Adopted, Report, Shown, Standing, Turn
from unfork.race.quotas import Quotas

if TYPE_CHECKING:
    from unfork.race import gathering
else:
    gathering = Later("unfork.race.gathering")

FIRST = 400_000
"""Work of the first strategy until the others begin, about so many microseconds: shorter runs need none of them.

Nor does a path that has not forked: all strategies run it alike.
"""
GROWTH = 2
"""A round is one in so many parts of all rounds before it, and at least 0.1 s."""
_SECONDS_APART = 0.2
"""Between two looks at the memory of all."""
_TIGHT = 0.8
"""The share of the memory at which somebody must go."""
GONE = "its process ended"
_HOPELESS = ("disk-full", "write-failed", "no-memory")
"""Reasons for which nothing more can be taken from others."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A strategy that takes part, and how to begin with it in a place of its own."""

    name: str
    begin: Callable[[], Contestant]


@dataclass(frozen=True, slots=True)
class Book:
    """Where the run keeps what it has found.

    ``adopt`` takes what another strategy has shown, ``settled`` gives edges that are covered, by their names, and
    ``won`` is called when another has explored everything.
    """

    adopt: Callable[[Shown], Adopted]
    settled: Callable[[], Sequence[Edge]]
    won: Callable[[], None]


class Referee:
    """A stopper for the first strategy, whose ``limits`` are those of the run; it leads the others from round to round.

    ``work`` and ``tally`` say what the first one has done so far. ``memory`` is what all together may use, in bytes.
    """

    def __init__(
        self,
        name: str,
        entrants: Sequence[Entrant],
        limits: Stopper,
        work: Callable[[], int],
        tally: Tally,
        book: Book,
        memory: float,
    ) -> None:
        self._entrants = entrants
        self._limits = limits
        self._work = work
        self._tally = tally
        self._book = book
        self._memory = memory
        self._next_look = 0.0
        self._processes: dict[str, Contestant] = {}
        self._told: set[Edge] = set()
        """The edges that the others were told of: all are told the same."""
        self._due = FIRST
        self._has_begun = False
        self._rounds = 0
        """The length of all rounds so far: the work in them, if all quotas were equal."""
        self._quotas = Quotas()
        self.first = Standing(name)
        self.others = {entrant.name: Standing(entrant.name) for entrant in entrants}
        self.failures: dict[str, Failure] = {}
        """The first failure of the engine in each strategy that had any."""
        self.winner: Report | None = None
        """The last report of the strategy that has explored everything, if it was not the first."""

    def go_on(self, standings: Sequence[Standing]) -> None:
        """Lead a race on that an earlier process has led so far; whoever took no part any more does not either."""
        if len(standings) != 1 + len(self._entrants):
            return
        self.first, *others = standings
        self.others = {standing.name: standing for standing in others}
        if any(standing.rounds for standing in others):
            self._entrants = [each for each in self._entrants if self.others[each.name].stopped_by is None]
            self._due, self._rounds = 0, max(self.first.work - FIRST, 0)

    def look(self, frontier: Frontier) -> str | None:
        """Why the run ends, or None; at the end of a round, everybody meets first."""
        if (reason := self._limits.look(frontier)) is not None:
            return reason
        self._make_room()
        if self._work() < self._due or not self._tally.forks:
            return None
        if not self._has_begun:
            self._has_begun = True
            self._processes = {entrant.name: entrant.begin() for entrant in self._entrants}
        elif (reason := self._meet(frontier)) is not None:
            return reason
        self._start()
        return None

    def end(self, reason: str | None) -> str | None:
        """End the race: the first one has stopped, for this reason. Returns what has stopped the run.

        That is nothing if any of them has explored everything.
        """
        try:
            if reason is None:
                self.first = replace(self.first, ended=not self._tally.dropped)
            elif reason != ELSEWHERE and reason not in _HOPELESS:
                self._put_together(gathering.last_words(list(self._processes.values()), reason))
            return None if self.winner is not None else reason
        finally:
            for process in self._processes.values():
                process.end()
            self._processes = {}

    def standings(self) -> list[Standing]:
        """Of all strategies, in their order. What is found and no other one was the first to find, the first has."""
        others = self.others.values()
        first = replace(
            self.first,
            work=self._work(),
            states=self._tally.created,
            paths=self._tally.over,
            edges_first=len(self._book.settled()) - sum(other.edges_first for other in others),
            errors_first=self._tally.errors - sum(other.errors_first for other in others),
        )
        return [first, *others]

    def _start(self) -> None:
        """Begin a round."""
        standings = [each for each in self.standings() if each.name == self.first.name or each.name in self._processes]
        base = max(FIRST // 4, self._rounds // GROWTH)
        self._rounds += base
        quotas = self._quotas.next(standings, base)
        news = tuple([edge for edge in self._book.settled() if edge not in self._told])
        self._told.update(news)
        for name, process in list(self._processes.items()):
            try:
                process.start(Turn(quotas[name], news))
            except OSError:
                self._leave(name, GONE)
        self._due = self._work() + quotas[self.first.name]
        self.first = replace(self.first, rounds=self.first.rounds + 1)

    def _meet(self, frontier: Frontier) -> str | None:
        """Wait for all reports and put them together. Returns why the run ends, or None."""

        def stop() -> str | None:
            self._make_room()
            return self._limits.look(frontier)

        reports, reason = gathering.gathered(list(self._processes.values()), stop)
        self._put_together(reports)
        return reason if self.winner is None else ELSEWHERE

    def _put_together(self, reports: Mapping[str, Report | None]) -> None:
        """Take the reports of a round, up to that of a strategy that has explored everything."""
        for name, report in reports.items():
            self._take(name, report)
            if report is not None and report.has_explored_everything:
                self.winner = report
                self._book.won()
                return

    def _take(self, name: str, report: Report | None) -> None:
        """Put in what a strategy has found. None: its process is gone, or its message was broken."""
        if report is None:
            self._leave(name, GONE)
            return
        self.others[name] = self.others[name].after(report, [self._book.adopt(shown) for shown in report.shown])
        if report.failure is not None:
            self.failures[name] = report.failure
        if report.status != GOING:
            self._processes.pop(name).end()

    def _make_room(self) -> None:
        """End whichever process has grown most, if all together come near the limit: this one goes last."""
        if not self._processes or monotonic() < self._next_look:
            return
        self._next_look = monotonic() + _SECONDS_APART
        grown = {name: process.grown() for name, process in self._processes.items()}
        if resident_bytes() + sum(grown.values()) > _TIGHT * self._memory:
            self._leave(max(grown, key=lambda name: grown[name]), "max-memory")

    def _leave(self, name: str, reason: str) -> None:
        self._processes.pop(name).end()
        self.others[name] = replace(self.others[name], stopped_by=reason)
