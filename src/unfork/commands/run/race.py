"""A race: several strategies explore one program; the first in this process, each other one in its own.

It begins as the first strategy alone. The others begin once that finds nothing new any more, as forks of its process,
which has read the program by then. The first one that has explored everything wins; reports of the same round from
strategies after it don't count. A quota follows success: a strategy that finds more with its work, or may end sooner,
may do more of it in the next round.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic

from unfork import host
from unfork.commands.run.coordinator import Coordinator, Remote
from unfork.commands.run.messages import (
    ELSEWHERE,
    GOING,
    Adopted,
    Shown,
    Standing,
    WorkerKnowledge,
    WorkerReport,
    WorkerTask,
    progress,
)
from unfork.commands.run.prospects import TRIED, Prospects
from unfork.commands.run.success import FadingSuccess, shares
from unfork.engine.explore.finished_share import FinishedShare
from unfork.engine.explore.limits import LIMITS_OF_WORK
from unfork.engine.explore.tally import Tally
from unfork.engine.protocols.frontier import Frontier
from unfork.engine.step.branch_coverage import Edge
from unfork.failures import InternalFailure
from unfork.options.strategies import StrategyKind

FIRST = 400_000
"""Work of the first strategy (0.4 s) before which no other begins: shorter runs need none of them."""
STUCK = 1
"""The first strategy is stuck, and others begin, after so much work without news for the work up to the last news
(chosen on cut, head and tr of coreutils, which find more after up to 0.83 times)."""
_NEXT_LOOK = 1.05
"""The first strategy's work from one look for news to the next grows by this factor, ..."""
_LOOKS = 40
"""... from this part of ``FIRST`` on."""
HEAD_START = 1_000_000
"""Work (1 s) that strategies for what keeps the first one busy may do before the other strategies begin."""
GROWTH = 2
"""A round is half as long as all rounds before it, and at least 0.1 s."""
_SECONDS_APART = 0.2
"""Between two looks at the memory of all processes."""
_TIGHT = 0.8
"""The share of the memory limit at which a worker is ended."""
LEAST = 0.03
"""The least share of a round's work for a strategy that finds nothing new while others do."""
LEAST_OF_FIRST = 2 / 5
"""The least share of the first strategy: what it ends alone, it ends within 2.5 times the work beside others."""
QUIET = 2
"""After so many rounds in which only the first strategy found anything new, quotas depend on who may end first."""
SLOWEST, FASTEST = 0.75, 1.5
"""Least and most parts of an equal share then (docs/history/benchmarks.md): a strategy that ends soon may have ended no
path yet."""
PROMISED = 1 / 5
"""The least part of all work then, unless equal parts are less: on two cores, 2.5 times as long as alone."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A strategy that joins in the first round in which it ``is_due``; ``begin`` starts its process."""

    name: str
    kind: StrategyKind
    begin: Callable[[], Remote]
    is_due: Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Book:
    """The findings of the run.

    ``adopt`` takes over a test of another strategy, ``settled`` gives the names of the edges that are covered, and
    ``won`` is called when another strategy has explored everything. ``wants_tests``: not only of errors.
    """

    adopt: Callable[[Shown], Adopted]
    settled: Callable[[], Sequence[Edge]]
    won: Callable[[], None]
    wants_tests: bool


class Race:
    """Leads the strategies other than the first (Plan).

    ``elapsed``, ``tally`` and ``share`` are the work, the counts and the finished share of the first.
    ``memory`` is the limit of all processes together, in bytes. ``before`` are the standings of the earlier race that
    this one goes on with, if any.
    """

    def __init__(
        self,
        name: str,
        entrants: Sequence[Entrant],
        elapsed: Callable[[], int],
        tally: Tally,
        share: FinishedShare,
        book: Book,
        memory: float,
        before: Sequence[Standing] = (),
    ) -> None:
        self._entrants = entrants
        self._elapsed = elapsed
        self._tally = tally
        self._share = share
        self._book = book
        self._memory = memory
        self._next_look = 0.0
        self._told: set[Edge] = set()
        """The edges that the others know. In its first round a strategy is told of all."""
        self._entered: set[str] = set()
        """The strategies that have begun, besides the first."""
        self._racing: dict[str, None] = {}
        """Those of them that have not dropped out."""
        self._in_round: set[str] = set()
        """Those of them that have not reported in this round."""
        self._rounds = 0
        """The length of all rounds so far: the work in them, if all quotas were equal."""
        self._prospects = Prospects()
        self._quotas = Quotas(self._prospects)
        self.until_others = FIRST
        """Work until the others begin."""
        self._news = FirstNews()
        self._is_stuck = False
        self._due = {name: FIRST}
        """The work until which each may go on. One beyond it, as after a hard query, rests in the next rounds."""
        self.first = Standing(name)
        self.others = {entrant.name: Standing(entrant.name) for entrant in entrants}
        self._failures: dict[str, InternalFailure] = {}
        self._unwritten: dict[str, int] = {}
        self._proof: WorkerReport | None = None
        """The last report of a strategy that has proved everything, and leaves tests to others."""
        self.winner: WorkerReport | None = None
        """The last report of the strategy that has explored everything, if it was not the first."""
        if len(before) == 1 + len(entrants):
            self._go_on(before)

    def _go_on(self, standings: Sequence[Standing]) -> None:
        self.first, *others = standings
        self.others = {standing.name: standing for standing in others}
        if any(standing.rounds for standing in others):
            over = {standing.name for standing in others if standing.stopped_by is not None}
            self._entrants = [each for each in self._entrants if each.name not in over]
            self._is_stuck = True
            self.until_others, self._rounds = 0, max(self.first.work - FIRST, 0)
            self._due = {standing.name: standing.work for standing in standings}

    def standings(self) -> list[Standing]:
        """The standings of all strategies, in order. The first is credited with all that no other found first."""
        others = self.others.values()
        first = replace(
            self.first,
            work=self._elapsed(),
            states=self._tally.created,
            paths=self._tally.over,
            progress=progress(self._share, self._tally),
            edges_first=len(self._book.settled()) - sum(other.edges_first for other in others),
            errors_first=self._tally.errors - sum(other.errors_first for other in others),
        )
        return [first, *others]

    @property
    def failures(self) -> Sequence[InternalFailure]:
        return list(self._failures.values())

    @property
    def unwritten(self) -> int:
        """Tests that were due when the time was up, in all strategies but the first."""
        return sum(self._unwritten.values())

    # --- the plan of the coordinator

    def is_due(self, due: int) -> bool:
        work = self._elapsed()
        if self._entered:
            return work >= due
        if not self._is_stuck and work >= self._news.next_look:
            self._due[self.first.name] = max(due, self._news.looked)
            self._news.look(work, len(self._book.settled()) + self._tally.errors)
            self._is_stuck = self._news.are_old()
            self._prospects.news[self.first.name] = self._news.last
        return work >= due and self._is_stuck and any(each.is_due() for each in self._entrants)

    def begin(self) -> Sequence[Remote]:
        coming = [each for each in self._entrants if each.name not in self._entered and each.is_due()]
        if self._entered or not all(self._leaves_tests(each) for each in coming):  # others may find what is new
            coming = [each for each in coming if not self._leaves_tests(each) or self._quotas.quiet >= QUIET]
        late = [each for each in coming if each.kind is not StrategyKind.EXACT]
        is_ahead = (late or self._racing) and sum(self.others[name].work for name in self._racing) < HEAD_START
        if is_ahead and self._elapsed() - self._due[self.first.name] > FIRST:
            coming = late  # the queries that keep the first strategy busy would keep the others busy, too
        self._entered |= {each.name for each in coming}
        self._racing |= dict.fromkeys([each.name for each in coming])
        return [each.begin() for each in coming]

    def _leaves_tests(self, entrant: Entrant) -> bool:
        """Whether tests are wanted that it cannot give, since its paths need not be the program's.

        Then it waits until the others find nothing new; once it has proved everything, they go on as long as they do.
        """
        return self._book.wants_tests and entrant.kind is StrategyKind.OVER

    def watch(self, lead: Coordinator) -> None:
        """End the worker that has grown most if all together come near the memory limit. This process goes last."""
        if not lead.workers or monotonic() < self._next_look:
            return
        self._next_look = monotonic() + _SECONDS_APART
        grown = {name: worker.grown() for name, worker in lead.workers.items()}
        if host.this().resident_bytes() + sum(grown.values()) > _TIGHT * self._memory:
            lead.lose(max(grown, key=lambda name: grown[name]), "max-memory")

    def round(self, frontier: Frontier, lead: Coordinator) -> tuple[Mapping[str, WorkerTask], int]:
        standings = [each for each in self.standings() if each.name == self.first.name or each.name in self._racing]
        base = max(FIRST // 4, self._rounds // GROWTH)
        self._rounds += base
        self._in_round = set(self._racing)
        quotas = self._left(standings, self._quotas.next(standings, base))
        settled = tuple(self._book.settled())
        news = tuple([edge for edge in settled if edge not in self._told])
        self._told.update(news)
        self.first = replace(self.first, rounds=self.first.rounds + 1)
        known = {name: WorkerKnowledge(settled=news if self.others[name].rounds else settled) for name in self._racing}
        tasks = {name: WorkerTask(quotas[name], (known[name],)) for name in self._racing}
        return tasks, self._elapsed() + quotas[self.first.name]

    def _left(self, standings: Sequence[Standing], quotas: Mapping[str, int]) -> dict[str, int]:
        self._due |= {each.name: self._due.get(each.name, each.work) + quotas[each.name] for each in standings}
        return {each.name: max(self._due[each.name] - each.work, 0) for each in standings}

    def take(self, name: str, report: WorkerReport) -> bool:
        adopted = [self._book.adopt(shown) for shown in report.shown]
        self.others[name] = self.others[name].after(report, adopted, int(name in self._in_round))
        self._in_round.discard(name)
        self._unwritten[name] = report.unwritten
        if report.failure is not None:
            self._failures[name] = report.failure
        if report.status != GOING:
            del self._racing[name]
        if report.has_explored_everything:
            if name in [each.name for each in self._entrants if self._leaves_tests(each)]:
                self._proof = report
            else:
                self._win(report)
        return self.winner is None

    def _win_by_proof(self) -> None:
        if self._proof is not None and self.winner is None:
            self._win(self._proof)

    def _win(self, report: WorkerReport) -> None:
        self.winner = report
        self._book.won()

    def lose(self, name: str, reason: str) -> None:
        del self._racing[name]
        self.others[name] = replace(self.others[name], stopped_by=reason)

    def over(self, reason: str | None) -> str | None:
        if self._quotas.quiet >= QUIET:
            self._win_by_proof()
        return reason if self.winner is None else ELSEWHERE

    def conclude(self, reason: str | None) -> str | None:
        if reason == "max-time" or reason in LIMITS_OF_WORK:
            self._win_by_proof()
        if reason is None:
            self.first = replace(self.first, ended=not self._tally.dropped)
        return None if self.winner is not None else reason


class FirstNews:
    """When the first strategy, while it is alone, last found something new: by its work, to within a twentieth."""

    def __init__(self) -> None:
        self.next_look = FIRST // _LOOKS
        self.looked = 0
        """The work at the last look."""
        self._known = 0
        self.last = 0
        """The work at the look that found the last news."""

    def look(self, work: int, known: int) -> None:
        """There are so many edges and errors after so much work."""
        if known > self._known:
            self._known, self.last = known, work
        self.looked, self.next_look = work, int(work * _NEXT_LOOK)

    def are_old(self) -> bool:
        return self.looked >= max((1 + STUCK) * self.last, FIRST)


class Quotas:
    """Shares out the next round by the success of earlier work, or by prospects.

    Success is to cover an edge or find an error first. While another than the first strategy has any, a strategy's
    share is its part in all rates of success per work (FadingSuccess).

    After ``QUIET`` rounds in which nothing was found, or only by the first strategy, which needs no others for that,
    all get about the same until they have worked for ``TRIED``, and those more whose paths end. Paths count by how
    often their number has doubled: one end of a joined state may stand for more paths than all others together. The
    shares of those that are tried are inverse to the work that each may still need, but the first strategy keeps
    ``LEAST_OF_FIRST``.

    No share is less than about ``LEAST``.
    """

    def __init__(self, prospects: Prospects) -> None:
        self._prospects = prospects
        self._before: dict[str, Standing] = {}
        self._success = FadingSuccess()
        self.quiet = 0
        """Rounds in a row without anything new."""
        self._unaided = 0
        """Rounds in a row in which only the first strategy found anything new, if that."""

    def next(self, standings: Sequence[Standing], base: int) -> dict[str, int]:
        """The quotas of the strategies that have not dropped out, ``base`` on average."""
        changes = [(self._before.get(each.name, each), each) for each in standings]
        self._before = {each.name: each for each in standings}
        news = [
            (now.edges_first - before.edges_first, now.errors_first - before.errors_first) for before, now in changes
        ]
        self.quiet = 0 if any(map(sum, news)) else self.quiet + 1
        self._unaided = 0 if any(map(sum, news[1:])) else self._unaided + 1
        self._success.note(
            {now.name: (*new, now.work - before.work) for (before, now), new in zip(changes, news, strict=True)}
        )
        self._prospects.note(standings)
        names = [each.name for each in standings]
        if self._unaided < QUIET and self._success.all_work():
            parts = shares(self._success.rates(), LEAST, 1.0)
        else:
            parts = self._by_prospects(standings, _about_equal(changes))
        return {name: int(base * len(names) * part) for name, part in parts.items()}

    def _by_prospects(self, standings: Sequence[Standing], equal: Mapping[str, float]) -> dict[str, float]:
        """About ``equal`` parts for those on trial, and the rest for the others, by their prospects."""
        tried = [each.name for each in standings if each.work >= TRIED]
        if not tried:
            return {**equal}
        parts = shares({name: (1 / self._prospects.remaining(name),) for name in tried}, LEAST, 1.0)
        rest = (1 - sum([part for name, part in equal.items() if name not in parts])) / sum(parts.values())
        return {**equal, **_with_first(standings[0].name, {name: rest * share for name, share in parts.items()})}


def _with_first(first: str, parts: Mapping[str, float]) -> dict[str, float]:
    """The same in sum, but at least ``LEAST_OF_FIRST`` for the first strategy. The others give it in proportion."""
    total, part = sum(parts.values()), parts.get(first, math.inf)
    least = min(LEAST_OF_FIRST, total)
    if part >= least:
        return {**parts}
    kept = (total - least) / (total - part)
    return {name: least if name == first else each * kept for name, each in parts.items()}


def _about_equal(changes: Sequence[tuple[Standing, Standing]]) -> dict[str, float]:
    equal = 1 / len(changes)
    ends = {now.name: (_ends(before, now),) for before, now in changes}
    return shares(ends, max(SLOWEST * equal, min(PROMISED, equal)), FASTEST * equal)


def _ends(before: Standing, now: Standing) -> float:
    """How often the number of ended paths doubled, per unit of work."""
    work = now.work - before.work
    return (math.log2(1 + now.paths) - math.log2(1 + before.paths)) / work if work > 0 else 0.0
