"""When a run must stop, and which states it drops when memory is short."""

from __future__ import annotations

import gc
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from unfork import host
from unfork.engine.explore.endings import Interrupt
from unfork.engine.explore.tally import Tally
from unfork.engine.protocols.events import Beat, Dropped, Observer
from unfork.engine.protocols.frontier import Frontier
from unfork.engine.state.state import State

_BEAT = 0.1
"""Seconds between two looks at the resident memory."""
_REST = 10
"""Making room takes seconds when memory is large: wait this many times as long before the next time,"""
_TIGHT = 0.92
"""unless this share of the memory is used."""
LIMITS_OF_WORK = ("max-instructions", "max-forks", "max-tests", "max-errors", "stop-at")
"""Limits that a repeated run reaches at the same point."""


@dataclass(frozen=True, slots=True)
class Work:
    """Limits that a repeated run reaches at the same point; infinite where there is none."""

    instructions: float = math.inf
    forks: float = math.inf
    tests: float = math.inf
    errors: float = math.inf


@dataclass(frozen=True, slots=True)
class Budget:
    """What a run may use, infinite without a limit: ``seconds`` since it ``began`` (``time.monotonic``), bytes of
    resident ``memory``, and ``work``.
    """

    began: float
    seconds: float = math.inf
    memory: float = math.inf
    work: Work = Work()

    @property
    def deadline(self) -> float:
        return self.began + self.seconds

    def at_most(self, seconds: float) -> Budget:
        """With at most so many seconds."""
        return replace(self, seconds=min(self.seconds, seconds))

    def shared(self, processes: int) -> Budget:
        """The share of each of several processes in the memory."""
        return replace(self, memory=self.memory / processes)

    def beside(self, resident: int) -> Budget:
        """For a process that already uses so many bytes."""
        return replace(self, memory=self.memory + resident)


class RunLimits:
    """Checked before each pick: which limit stops the run.

    At 80 % of the memory limit, ``relieve`` drops caches; if that does not help, states are dropped, an eighth of
    the waiting ones at a time. Python seldom returns memory, so after each drop only further growth counts. At the
    limit itself the run stops. When the time is over, ``until`` is asked about ten times a second with the number of
    waiting states: each may need a test.
    """

    def __init__(
        self,
        budget: Budget,
        tally: Tally,
        interrupt: Interrupt,
        relieve: Callable[[], None],
        observers: Sequence[Observer],
        until: Callable[[int], float],
        clock: Callable[[], float] = time.monotonic,
        resident: Callable[[], int] | None = None,
    ) -> None:
        self.budget = budget
        self.tally = tally
        self.interrupt = interrupt
        self.relieve = relieve
        self.observers = observers
        self.clock = clock
        self.resident = resident or host.this().resident_bytes
        self._plan = until
        self._until = until(0)
        self._next_beat = clock()
        self._relieved = False
        self._rest_until = 0.0
        self._pressure = 0.8 * budget.memory

    def look(self, frontier: Frontier) -> str | None:
        if self.interrupt.requested:
            return "interrupt"
        work, tally = self.budget.work, self.tally
        if tally.instructions >= work.instructions:
            return "max-instructions"
        if tally.forks >= work.forks:
            return "max-forks"
        if tally.tests >= work.tests:
            return "max-tests"
        if tally.errors >= work.errors:
            return "max-errors"
        if tally.awaited:
            return "stop-at"
        now = self.clock()
        if now >= self._until:
            return "max-time"
        return self._beat(frontier, now) if now >= self._next_beat else None

    def _beat(self, frontier: Frontier, now: float) -> str | None:
        resident = self.resident()
        if resident >= self._pressure:
            resident = self._make_room(frontier, resident)
            if resident >= self.budget.memory:
                return "max-memory"
        for observer in self.observers:
            observer.tell(Beat(len(frontier), resident))
        self._until = self._plan(len(frontier))
        now = self.clock()
        self._next_beat = now + _BEAT
        return "max-time" if now >= self._until else None

    def _make_room(self, frontier: Frontier, resident: int) -> int:
        began = self.clock()
        limit = self.budget.memory
        if began < self._rest_until and resident < limit * _TIGHT:
            return resident
        if not self._relieved:
            self.relieve()
            gc.collect()
            resident = self.resident()
            self._relieved = resident >= self._pressure
        if self._relieved:
            for dropped in frontier.drop(max(1, len(frontier) // 8)):
                for observer in self.observers:
                    observer.tell(Dropped(dropped))
                if self.clock() >= self._until:
                    break
            self.relieve()
            resident = self.resident()
            self._pressure = max(self._pressure, resident + limit / 50)
        now = self.clock()
        self._rest_until = now + _REST * (now - began)
        return resident


class DepthBound:
    """Follows no path beyond ``depth`` forks."""

    def __init__(self, depth: int) -> None:
        self._depth = depth

    def cut(self, state: State) -> str | None:
        return "max-depth" if state.depth > self._depth else None


class NoBound:
    """Follows every path."""

    def cut(self, state: State) -> str | None:
        return None
