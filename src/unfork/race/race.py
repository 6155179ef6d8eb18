"""A race: several strategies explore one program, each in processes of its own; the first in this one.

What is reported in the round in which somebody has explored everything counts up to that strategy, and no further. A
quota follows success: a worker that comes further with its work may do more of it in the next round.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log2
from time import monotonic

from unfork.contracts.frontier import Frontier
from unfork.execute.coverage import Edge
from unfork.explore.limits import resident_bytes
from unfork.explore.tally import Tally
from unfork.failures import Failure
from unfork.race.coordinator import Coordinator, Remote
from unfork.race.messages import ELSEWHERE, GOING, Adopted, Known, Report, Shown, Standing, Task

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
LEAST, MOST = 0.75, 1.5
"""Everybody's parts of an equal share, whatever came of it: success proves nothing, who ends soon may have none.

Chosen on ten programs (docs/benchmarks.md, Races): none takes more than 1.21 times the least work of any choice.
"""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A strategy that takes part, and how to begin with it apart from the others."""

    name: str
    begin: Callable[[], Remote]


@dataclass(frozen=True, slots=True)
class Book:
    """Where the run keeps what it has found.

    ``adopt`` takes what another strategy has shown, ``settled`` gives edges that are covered, by their names, and
    ``won`` is called when another has explored everything.
    """

    adopt: Callable[[Shown], Adopted]
    settled: Callable[[], Sequence[Edge]]
    won: Callable[[], None]


class Race:
    """Leads the strategies other than the first. ``elapsed`` and ``tally`` say what that has done so far.

    ``memory`` is what all together may use, in bytes; ``before`` are the standings of an earlier process, if it goes on
    with one's race.
    """

    def __init__(
        self,
        name: str,
        entrants: Sequence[Entrant],
        elapsed: Callable[[], int],
        tally: Tally,
        book: Book,
        memory: float,
        before: Sequence[Standing] = (),
    ) -> None:
        self._entrants = entrants
        self._elapsed = elapsed
        self._tally = tally
        self._book = book
        self._memory = memory
        self._next_look = 0.0
        self._told: set[Edge] = set()
        """The edges that the others were told of: all are told the same."""
        self._racing: dict[str, None] = {}
        """Who takes part, besides the first."""
        self._rounds = 0
        """The length of all rounds so far: the work in them, if all quotas were equal."""
        self._quotas = Quotas()
        self.until_others = FIRST
        """Work until the others begin."""
        self.first = Standing(name)
        self.others = {entrant.name: Standing(entrant.name) for entrant in entrants}
        self._failures: dict[str, Failure] = {}
        self.winner: Report | None = None
        """The last report of the strategy that has explored everything, if it was not the first."""
        if len(before) == 1 + len(entrants):
            self._go_on(before)

    def _go_on(self, standings: Sequence[Standing]) -> None:
        """An earlier process has led so far; one that took no part any more does not either."""
        self.first, *others = standings
        self.others = {standing.name: standing for standing in others}
        if any(standing.rounds for standing in others):
            self._entrants = [each for each in self._entrants if self.others[each.name].stopped_by is None]
            self.until_others, self._rounds = 0, max(self.first.work - FIRST, 0)

    def standings(self) -> list[Standing]:
        """Of all strategies, in their order. What is found and no other one was the first to find, the first has."""
        others = self.others.values()
        first = replace(
            self.first,
            work=self._elapsed(),
            states=self._tally.created,
            paths=self._tally.over,
            edges_first=len(self._book.settled()) - sum(other.edges_first for other in others),
            errors_first=self._tally.errors - sum(other.errors_first for other in others),
        )
        return [first, *others]

    @property
    def failures(self) -> Sequence[Failure]:
        """The first failure of the engine in each strategy that had any."""
        return list(self._failures.values())

    # --- the plan of the coordinator

    def is_due(self, due: int) -> bool:
        return self._tally.forks > 0 and self._elapsed() >= due

    def begin(self) -> Sequence[Remote]:
        self._racing = dict.fromkeys([entrant.name for entrant in self._entrants])
        return [entrant.begin() for entrant in self._entrants]

    def watch(self, lead: Coordinator) -> None:
        """End the worker that has grown most, if all together come near the limit: this process goes last."""
        if not lead.workers or monotonic() < self._next_look:
            return
        self._next_look = monotonic() + _SECONDS_APART
        grown = {name: worker.grown() for name, worker in lead.workers.items()}
        if resident_bytes() + sum(grown.values()) > _TIGHT * self._memory:
            lead.lose(max(grown, key=lambda name: grown[name]), "max-memory")

    def round(self, frontier: Frontier, lead: Coordinator) -> tuple[Mapping[str, Task], int]:
        standings = [each for each in self.standings() if each.name == self.first.name or each.name in self._racing]
        base = max(FIRST // 4, self._rounds // GROWTH)
        self._rounds += base
        quotas = self._quotas.next(standings, base)
        news = tuple([edge for edge in self._book.settled() if edge not in self._told])
        self._told.update(news)
        self.first = replace(self.first, rounds=self.first.rounds + 1)
        tasks = {name: Task(quotas[name], (Known(settled=news),)) for name in self._racing}
        return tasks, self._elapsed() + quotas[self.first.name]

    def take(self, name: str, report: Report) -> bool:
        self.others[name] = self.others[name].after(report, [self._book.adopt(shown) for shown in report.shown])
        if report.failure is not None:
            self._failures[name] = report.failure
        if report.status != GOING:
            del self._racing[name]
        if report.has_explored_everything:
            self.winner = report
            self._book.won()
        return self.winner is None

    def lose(self, name: str, reason: str) -> None:
        del self._racing[name]
        self.others[name] = replace(self.others[name], stopped_by=reason)

    def over(self, reason: str | None) -> str | None:
        return reason if self.winner is None else ELSEWHERE

    def conclude(self, reason: str | None) -> str | None:
        """Nothing has stopped the run if any strategy has explored everything."""
        if reason is None:
            self.first = replace(self.first, ended=not self._tally.dropped)
        return None if self.winner is not None else reason


class Quotas:
    """Shares of the next round, by what came of the work in the one before.

    There are three kinds of success: edges covered first, errors found first, and paths ended. Of each kind that there
    was any of, a strategy has as large a part as its success for its work is among all. Paths count by how often their
    number has doubled: one end of a joined state may stand for more of them than all others ever come to.
    """

    def __init__(self) -> None:
        self._before: dict[str, Standing] = {}

    def next(self, standings: Sequence[Standing], base: int) -> dict[str, int]:
        """The quotas of those that still take part, around ``base``."""
        rates = {each.name: _rates(self._before.get(each.name, each), each) for each in standings}
        self._before = {each.name: each for each in standings}
        totals = [sum(kind) for kind in zip(*rates.values(), strict=True)]
        kinds = sum(total > 0 for total in totals)
        quotas = {}
        for name, rate in rates.items():
            parts = [mine / total for mine, total in zip(rate, totals, strict=True) if total > 0]
            share = len(rates) * sum(parts) / kinds if kinds else 1.0
            quotas[name] = int(base * min(max(share, LEAST), MOST))
        return quotas


def _rates(before: Standing, now: Standing) -> tuple[float, float, float]:
    """What came of a unit of work, of each kind of success."""
    work = now.work - before.work
    if work <= 0:
        return 0.0, 0.0, 0.0
    edges, errors = now.edges_first - before.edges_first, now.errors_first - before.errors_first
    return edges / work, errors / work, (log2(1 + now.paths) - log2(1 + before.paths)) / work
