"""How far a run is, in numbers: the terminal and the page of a run that goes on show the same."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from unfork.execute.coverage import BranchCoverage
from unfork.explore.limits import Budget
from unfork.explore.tally import Tally
from unfork.logic.solver import Statistics


@dataclass(frozen=True, slots=True)
class Reading:
    """How far a run is at one moment. No name from the program is in it."""

    seconds: float
    left: float | None
    """Seconds until --max-time; None without it."""
    idle: float
    """Seconds since a branch was met for the first time."""
    states: int
    paths: int
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
    """What each strategy of a race does."""


class Gauge:
    """Reads the counts of a run that goes on. ``strategies`` says what each strategy of a race does."""

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

    def read(self, waiting: int, resident: int) -> Reading:
        """How far the run is while so many states wait, in so many resident bytes."""
        now = time.monotonic()
        seconds = now - self._began
        edges = self._coverage.covered
        if (met := edges.count(1)) > self._met:
            self._met, self._grown = met, now
        most = self._budget
        return Reading(
            seconds,
            None if most.seconds == math.inf else max(0.0, most.seconds - seconds),
            now - self._grown,
            waiting,
            self._tally.completed,
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
