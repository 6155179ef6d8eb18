"""The counts of a run, in sum and by place, from its events: for limits, the progress display and the summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from unfork.engine.protocols.events import (
    Beat,
    Began,
    Bounded,
    Covered,
    Dropped,
    Ended,
    Event,
    Forked,
    Joined,
    Left,
    Moved,
)
from unfork.engine.protocols.outcome import Failed, Halted, Killed, Outcome, Running
from unfork.engine.protocols.stepper import Stepper, YieldPoints
from unfork.engine.protocols.whereabouts import NOWHERE, SourceSpot, Whereabouts
from unfork.engine.state.state import State
from unfork.engine.state.threads import THREADS
from unfork.engine.step.branch_coverage import Edge


@dataclass(slots=True)
class Tally:
    """Counts so far. ``tests`` and ``errors`` are counted where they are written."""

    completed: int = 0
    represented: int = 0
    silent: int = 0
    """Paths that ended at the program's request: a failed assumption, a silent exit."""
    pruned: int = 0
    bounded: int = 0
    killed: int = 0
    created: int = 0
    waiting: int = 0
    peak: int = 0
    dropped: int = 0
    left: int = 0
    forks: int = 0
    outcomes: int = 0
    """States that forks made of their states, or ended as."""
    joins: int = 0
    instructions: int = 0
    tests: int = 0
    errors: int = 0
    threads: int = 1
    """The most threads on a path."""
    awaited: int = 0
    """Errors of a kind at which the run is to stop."""
    resident_peak: int = 0
    """Bytes."""
    bounds_hit: Counter[str] = field(default_factory=Counter)
    kills: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How often unfork gave a path up, by (reason, detail)."""

    def begin_again(self, bounds: Counter[str]) -> None:
        """Everything is explored again: counts of paths restart, except for these ``bounds``; work goes on."""
        self.completed = self.represented = self.silent = self.pruned = self.bounded = self.killed = 0
        self.dropped = self.left = self.waiting = 0
        self.bounds_hit = bounds.copy()
        self.kills = Counter()

    @property
    def over(self) -> int:
        """The paths that need no further step, by multiplicity at their ends."""
        return self.represented + self.silent + self.pruned

    def tell(self, event: Event) -> None:
        match event:
            case Forked(_, outcomes):
                self._fork(sum(1 for outcome in outcomes if isinstance(outcome, Running)), len(outcomes))
            case Ended(outcome):
                self._end(outcome)
            case Beat(_, resident):
                self.resident_peak = max(self.resident_peak, resident)
            case Began(states):
                self.created += len(states)
                self._wait(len(states))
            case Bounded(_, bound):
                self.bounded += 1
                self.bounds_hit[bound] += 1
                self._wait(-1)
            case Covered(state):
                self.pruned += 1
                self._count_threads(state)
                self._wait(-1)
            case Dropped():
                self.dropped += 1
                self._wait(-1)
            case Joined(parents, _):
                self.joins += 1
                self._wait(1 - len(parents))
            case Left():
                self.left += 1
            case Moved():
                self.created -= 1  # where it goes on, it counts as created
                self._wait(-1)

    def _fork(self, running: int, outcomes: int) -> None:
        self.forks += 1
        self.outcomes += outcomes
        self.created += outcomes - 1
        self._wait(outcomes - 1)

    def _count_threads(self, state: State) -> None:
        threads = state.remembered[THREADS]
        if threads is not None and len(threads.all) > self.threads:
            self.threads = len(threads.all)

    def _end(self, outcome: Halted | Failed | Killed) -> None:
        self._count_threads(outcome.state)
        match outcome:
            case Halted(_, "silent", _):
                self.silent += 1
            case Killed(_, "bound", detail):
                self.bounded += 1
                self.bounds_hit[detail] += 1
            case Killed(_, reason, detail):
                self.killed += 1
                self.kills[(reason, detail)] += 1
            case _:
                self.completed += 1
                self.represented += outcome.state.multiplicity
        self._wait(-1)

    def _wait(self, change: int) -> None:
        self.waiting += change
        if self.waiting > self.peak:
            self.peak = self.waiting


class Metered:
    """A machine with counted instructions; what the parts of a fork share counts once."""

    __slots__ = ("_machine", "_tally")

    def __init__(self, machine: Stepper, tally: Tally) -> None:
        self._machine = machine
        self._tally = tally

    def step(self, state: State, yield_points: YieldPoints) -> list[Outcome]:
        before = most = state.instructions
        outcomes = self._machine.step(state, yield_points)
        for outcome in outcomes:
            if outcome.state.instructions > most:
                most = outcome.state.instructions
        self._tally.instructions += most - before
        return outcomes


@dataclass(slots=True)
class PointCounts:
    """Counts by program point.

    They add up to the forks of the tally, the queries of the solver's statistics, and the refusals of merging.
    """

    queries: Counter[SourceSpot] = field(default_factory=Counter)
    microseconds: Counter[SourceSpot] = field(default_factory=Counter)
    """The time of the queries."""
    refused: Counter[tuple[SourceSpot, str]] = field(default_factory=Counter)
    """Joins refused, by program point and reason."""
    forks: Counter[tuple[SourceSpot, SourceSpot]] = field(default_factory=Counter)
    """By program point and the innermost loop around it."""
    born: Counter[tuple[SourceSpot, SourceSpot]] = field(default_factory=Counter)
    """States gained by a fork; a side that ends at once is none."""
    multiplicity: Counter[tuple[SourceSpot, SourceSpot]] = field(default_factory=Counter)
    """The sum of the multiplicities of the states that forked."""
    work: Counter[str | None] = field(default_factory=Counter)
    """The cost of steps, by the function of the program's own in which they began."""
    news: Counter[str | None] = field(default_factory=Counter)
    """Branch edges first covered there."""
    infeasible: Counter[Edge] = field(default_factory=Counter)
    """Branch sides that were not taken, as coverage counts them: the path's condition denies them,"""
    unknown: Counter[Edge] = field(default_factory=Counter)
    """the solver gave up on them,"""
    untested: Counter[Edge] = field(default_factory=Counter)
    """or no path that took them got a test."""

    def most_forks(self) -> int:
        """Forks of the loop with the most."""
        loops = Counter[SourceSpot]()
        for (_, loop), number in self.forks.items():
            loops[loop] += number
        del loops[NOWHERE]
        return max(loops.values(), default=0)


class CountingTally:
    """Counts events by program point."""

    def __init__(self, counts: PointCounts, whereabouts: Whereabouts) -> None:
        self.counts = counts
        self.whereabouts = whereabouts

    def asked(self, seconds: float) -> None:
        """A query took ``seconds``."""
        spot = self.whereabouts.running()
        self.counts.queries[spot] += 1
        self.counts.microseconds[spot] += round(seconds * 1e6)

    def refused(self, state: State, reason: str, times: int) -> None:
        """``state`` was not joined where it rests."""
        self.counts.refused[self.whereabouts.yielding(state), reason] += times

    def tell(self, event: Event) -> None:
        """Counts a fork."""
        if isinstance(event, Forked):
            place, counts = (event.at, event.loop), self.counts
            running = len([outcome for outcome in event.outcomes if isinstance(outcome, Running)])
            counts.forks[place] += 1
            counts.born[place] += max(running - 1, 0)
            counts.multiplicity[place] += event.outcomes[0].state.multiplicity


class AttentionMachine:
    """A machine that counts, by function, the cost of steps and the branch edges that they covered first.

    ``covered`` are the edges covered so far, and ``work`` is the exploration's total.
    """

    __slots__ = ("_counts", "_covered", "_machine", "_whereabouts", "_work")

    def __init__(self, machine: Stepper, counting: CountingTally, covered: bytearray, work: Callable[[], int]) -> None:
        self._machine = machine
        self._counts = counting.counts
        self._whereabouts = counting.whereabouts
        self._covered = covered
        self._work = work

    def step(self, state: State, yield_points: YieldPoints) -> list[Outcome]:
        function = self._whereabouts.yielding(state).function
        work, covered = self._work(), self._covered.count(1)
        outcomes = self._machine.step(state, yield_points)
        self._counts.work[function] += self._work() - work
        self._counts.news[function] += self._covered.count(1) - covered
        return outcomes
