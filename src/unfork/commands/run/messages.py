"""What explorations tell each other where they meet, as data that goes through a pipe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from unfork.engine.explore.tally import PointCounts, Tally
from unfork.engine.step.branch_coverage import Edge
from unfork.failures import InternalFailure
from unfork.logic.solve.solver import Statistics
from unfork.reduce.merge.merge_table import MergeCounts
from unfork.reduce.prune.contract import PruneCounts
from unfork.report.record.findings import Finding

GOING = "going"
"""The status of an exploration that has used up its quota."""
IDLE = "idle"
"""The status of a worker for whom nothing waits, and who may be given states."""
SAMPLED = "sampled"
"""Why a strategy takes no part any more that has explored what it did not leave out."""
ELSEWHERE = "explored elsewhere"
"""Why the first strategy stops when another one has explored everything."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A test as its file has it, which shows something that nobody had shown when it was made.

    ``length`` is that of its path in instructions. ``alarm``: what may be an error, which it does not reproduce.
    """

    test: str
    length: int
    alarm: Finding | None = None


@dataclass(frozen=True, slots=True)
class Adopted:
    """What a test of another exploration was the first to show: so many edges and errors; and the tests written."""

    edges: int
    errors: int
    tests: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Counts:
    """What an exploration has counted, for the summary."""

    tally: Tally
    statistics: Statistics
    merges: MergeCounts
    prunes: PruneCounts
    assumptions: tuple[str, ...]
    """What was taken for granted, in words; only the last report of an exploration says."""
    places: PointCounts


@dataclass(frozen=True, slots=True)
class WorkerKnowledge:
    """What a worker has found out since it was asked last, and all others may rely on.

    ``settled`` edges have tests, functions ``ran``, ``looked`` is the first look at an address; ``learnt`` are
    interpolants, packed.
    """

    settled: tuple[Edge, ...] = ()
    ran: tuple[str, ...] = ()
    looked: str | None = None
    learnt: bytes = b""


@dataclass(frozen=True, slots=True)
class WorkerReport:
    """What an exploration has done since the last meeting.

    ``status`` is GOING, IDLE, None once everything is explored, or what stopped it; ``work`` is all that it did so far,
    ``unwritten`` how many tests were due when its time was up.
    In a team it says too how many states are ``waiting`` for it, and what is ``known`` now.
    """

    work: int
    status: str | None
    shown: tuple[Shown, ...]
    counts: Counts
    failure: InternalFailure | None
    unwritten: int = 0
    waiting: int = 0
    known: WorkerKnowledge = WorkerKnowledge()

    @property
    def has_explored_everything(self) -> bool:
        """Whether no state was left or given up for lack of memory, and no path stands for the rest of a branch."""
        return self.status is None and not self.counts.tally.dropped and not self.counts.statistics.sampled

    @property
    def stopped_by(self) -> str | None:
        """Why it takes no part any more, though it has not explored everything; None if it does."""
        if self.status is None and self.counts.statistics.sampled:
            return SAMPLED
        return None if self.status == GOING else self.status


@dataclass(frozen=True, slots=True)
class Give:
    """Give so many states away: the answer is a family."""

    count: int


@dataclass(frozen=True, slots=True)
class WorkerTask:
    """What a worker may do until the next meeting: its quota, what others know, and the families that come to it.

    ``is_last``: all is explored, and one last report is due. ``limit``: what has stopped the run; the last report comes
    when the tests that are due are written.
    """

    quota: int
    known: tuple[WorkerKnowledge, ...] = ()
    families: tuple[bytes, ...] = ()
    is_last: bool = False
    limit: str | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """What a strategy has come to, for progress and summary."""

    name: str
    rounds: int = 0
    work: int = 0
    states: int = 0
    paths: int = 0
    """Those that have come to an end, by multiplicity."""
    ended: bool = False
    edges_first: int = 0
    errors_first: int = 0
    tests: tuple[str, ...] = ()
    """Those that were written because of it; for the first strategy of a run, all that no other one made."""
    stopped_by: str | None = None
    """Why it takes no part any more, though it has not explored everything; None if it does."""
    places: PointCounts = field(default_factory=PointCounts)
    """Of the first strategy, none: the run has its own."""

    def after(self, report: WorkerReport, adopted: Sequence[Adopted], rounds: int) -> Standing:
        """The standing after as many more rounds, one or none."""
        return replace(
            self,
            rounds=self.rounds + rounds,
            work=report.work,
            states=report.counts.tally.created,
            paths=report.counts.tally.over,
            edges_first=self.edges_first + sum(each.edges for each in adopted),
            errors_first=self.errors_first + sum(each.errors for each in adopted),
            tests=(*self.tests, *[name for each in adopted for name in each.tests]),
            ended=report.has_explored_everything,
            places=report.counts.places,
            stopped_by=report.stopped_by,
        )

    def doing(self) -> str:
        """What it does, in a few words for a terminal."""
        if self.stopped_by is not None:
            return f"{self.name} stopped: {self.stopped_by}"
        first = f" +{self.edges_first:,} branches" * bool(self.edges_first)
        first += f" +{self.errors_first:,} errors" * bool(self.errors_first)
        return f"{self.name} {self.states:,} states{first}"

    def as_dict(self) -> dict[str, Any]:
        """The entry of summary.json."""
        plain = {each.name: getattr(self, each.name) for each in fields(self) if each.name != "places"}
        return {**plain, "tests": list(self.tests)}


# --- counts of several processes that explore one program together


def total(counts: Sequence[Counts]) -> Counts:
    """The counts of all. Of memory and threads, the most that one had; assumptions in their order, each once."""
    tally = _total([each.tally for each in counts])
    peak, threads = (max(getattr(each.tally, name) for each in counts) for name in ("resident_peak", "threads"))
    return Counts(
        replace(tally, resident_peak=peak, threads=threads),
        _total([each.statistics for each in counts]),
        _total([each.merges for each in counts]),
        _total([each.prunes for each in counts]),
        tuple(dict.fromkeys([text for each in counts for text in each.assumptions])),
        _total([each.places for each in counts]),
    )


def of_paths(tally: Tally, tests: Tally) -> Tally:
    """``tally``, but with the tests and errors of the one that writes them."""
    return replace(tally, tests=tests.tests, errors=tests.errors)


def _total(parts: Sequence[Any]) -> Any:
    """The sum of counts, field by field."""
    return type(parts[0])(
        **{field.name: _sum([getattr(part, field.name) for part in parts]) for field in fields(parts[0])}
    )


def _sum(values: Sequence[Any]) -> Any:
    """The sum of numbers or counters; of words, the first that is there."""
    if any(value is None or isinstance(value, str) for value in values):
        return next((value for value in values if value is not None), None)
    return sum(values[1:], start=values[0])
