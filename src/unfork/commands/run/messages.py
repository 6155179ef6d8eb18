"""The messages between a coordinator and its workers: tasks, and reports with counts, tests and knowledge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from unfork.engine.explore.finished_share import FinishedShare
from unfork.engine.explore.tally import PointCounts, Tally
from unfork.engine.step.branch_coverage import Edge
from unfork.failures import InternalFailure
from unfork.logic.solve.solver import Statistics
from unfork.program.facts.address_uses import LayoutLook
from unfork.reduce.merge.merge_table import MergeCounts
from unfork.reduce.prune.contract import PruneCounts
from unfork.report.record.findings import Finding

GOING = "going"
"""Status: has used up its quota."""
IDLE = "idle"
"""Status: no state waits, so it may be given some."""
SAMPLED = "sampled"
"""Why a strategy drops out that has explored all that it did not leave out."""
ELSEWHERE = "explored elsewhere"
"""Why the first strategy stops once another one has explored everything."""


@dataclass(frozen=True, slots=True)
class Shown:
    """The text of a test file that showed something new when it was made.

    ``length`` is that of its path in instructions. ``alarm`` is a possible error that it does not reproduce.
    """

    test: str
    length: int
    alarm: Finding | None = None


@dataclass(frozen=True, slots=True)
class Adopted:
    """The numbers of edges and errors that another worker's test was the first to show, and the tests written."""

    edges: int
    errors: int
    tests: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Counts:
    """The counts of an exploration."""

    tally: Tally
    statistics: Statistics
    merges: MergeCounts
    prunes: PruneCounts
    assumptions: tuple[str, ...]
    """What was taken for granted, in words; only in the last report of an exploration."""
    places: PointCounts


@dataclass(frozen=True, slots=True)
class WorkerKnowledge:
    """What a worker has found out since its last report; all others may rely on it.

    ``settled`` edges have tests, functions ``ran``, ``looked`` is the first look at an address, ``learnt`` are
    packed interpolants, and the results of functions in ``layout_looks`` depend on where objects lie.
    """

    settled: tuple[Edge, ...] = ()
    ran: tuple[str, ...] = ()
    looked: str | None = None
    learnt: bytes = b""
    layout_looks: tuple[LayoutLook, ...] = ()


@dataclass(frozen=True, slots=True)
class TreeProgress:
    """How far an exploration is: the share ``finished`` of its tree (FinishedShare), and its ``waiting`` states.

    It has forked and joined so often.
    """

    finished: float = 0.0
    waiting: int = 0
    forks: int = 0
    joins: int = 0


def progress(share: FinishedShare, tally: Tally) -> TreeProgress:
    """The progress of this process's own exploration."""
    return TreeProgress(share.finished, tally.waiting, tally.forks, tally.joins)


@dataclass(frozen=True, slots=True)
class WorkerReport:
    """What a worker answers at a meeting.

    ``status`` is GOING, IDLE, None once everything is explored, or what stopped it. ``work`` is all its work so far,
    ``shown`` are its new tests, and ``unwritten`` counts the tests that were due when its time was up. In a team,
    ``waiting`` counts its states, and ``known`` is new.
    """

    work: int
    status: str | None
    shown: tuple[Shown, ...]
    counts: Counts
    failure: InternalFailure | None
    unwritten: int = 0
    waiting: int = 0
    known: WorkerKnowledge = WorkerKnowledge()
    progress: TreeProgress = TreeProgress()

    @property
    def has_explored_everything(self) -> bool:
        """Whether no state was left or dropped for lack of memory, and no path was sampled for the rest of a branch."""
        return self.status is None and not self.counts.tally.dropped and not self.counts.statistics.sampled

    @property
    def stopped_by(self) -> str | None:
        """Why it drops out without having explored everything; None if it goes on, or has explored everything."""
        if self.status is None and self.counts.statistics.sampled:
            return SAMPLED
        return None if self.status == GOING else self.status


@dataclass(frozen=True, slots=True)
class Give:
    """Asks a worker for up to ``count`` states: the answer is a family."""

    count: int


@dataclass(frozen=True, slots=True)
class WorkerTask:
    """What a worker is told at a meeting: a ``quota`` of work until the next one, what others know, and new states.

    ``is_last``: all is explored, and the last report is due. ``limit`` is what has stopped the run: the last report
    comes once the tests that are due are written.
    """

    quota: int
    known: tuple[WorkerKnowledge, ...] = ()
    families: tuple[bytes, ...] = ()
    is_last: bool = False
    limit: str | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """The results of a strategy so far, for progress and summary."""

    name: str
    rounds: int = 0
    work: int = 0
    states: int = 0
    paths: int = 0
    """Paths that have come to an end, by multiplicity."""
    ended: bool = False
    edges_first: int = 0
    errors_first: int = 0
    tests: tuple[str, ...] = ()
    """The tests written because of it; for the first strategy of a run, all that no other one made."""
    stopped_by: str | None = None
    """Why it dropped out without having explored everything; None if it did not."""
    places: PointCounts = field(default_factory=PointCounts)
    """Counts by program point; empty for the first strategy, which counts in the run's own."""
    progress: TreeProgress = TreeProgress()

    def after(self, report: WorkerReport, adopted: Sequence[Adopted], rounds: int) -> Standing:
        """The standing after a report, at the end of one round or (``rounds`` 0) within one."""
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
            progress=report.progress,
            stopped_by=report.stopped_by,
        )

    def doing(self) -> str:
        if self.stopped_by is not None:
            return f"{self.name} stopped: {self.stopped_by}"
        first = f" +{self.edges_first:,} branches" * bool(self.edges_first)
        first += f" +{self.errors_first:,} errors" * bool(self.errors_first)
        return f"{self.name} {self.states:,} states{first}"

    def as_dict(self) -> dict[str, Any]:
        plain = {
            each.name: getattr(self, each.name) for each in fields(self) if each.name not in ("places", "progress")
        }
        return {**plain, "tests": list(self.tests)}


# --- counts of several processes


def total(counts: Sequence[Counts]) -> Counts:
    """The sum of the counts. Of memory and threads, the most of any one; assumptions in their order, each once."""
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
    """``tally`` with the tests and errors of ``tests``, the tally of the process that writes them."""
    return replace(tally, tests=tests.tests, errors=tests.errors)


def _total(parts: Sequence[Any]) -> Any:
    return type(parts[0])(
        **{field.name: _sum([getattr(part, field.name) for part in parts]) for field in fields(parts[0])}
    )


def _sum(values: Sequence[Any]) -> Any:
    if any(value is None or isinstance(value, str) for value in values):
        return next((value for value in values if value is not None), None)
    return sum(values[1:], start=values[0])
