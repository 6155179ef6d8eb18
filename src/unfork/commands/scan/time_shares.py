"""Shares the time of a scan among its functions, so that --max-time leaves out none for which there is a second."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence

from unfork.commands.scan.function_scan import STOPPED_BY_TIME
from unfork.commands.scan.judgement import UNDECIDED
from unfork.commands.scan.results import Explored
from unfork.commands.scan.scan_job import ScanJob
from unfork.engine.explore.limits import Budget

FIRST = 0.6
"""The part of the time in which every function is looked at; the rest is for what that leaves open: faults that are
followed to callers, objects that are made by calls, and another look at functions for which a share was not enough. Set
without a trial.
"""
TIMES = 2.0
"""How many fair shares a function may use: most need less than one. Set without a trial."""
LEAST = 1.0
"""Processor seconds that every function may use: about what compiling its paths takes."""


class TimeShares:
    """What each function may use of ``budget``, and those that needed more."""

    def __init__(self, budget: Budget, cores: int, count: Callable[[], int]) -> None:
        """``count``: how many functions there are, as far as is known."""
        self._cores, self._count = cores, count
        self._deadline = budget.deadline
        self._first = budget.began + FIRST * (budget.deadline - budget.began)
        self._taken = 0
        self._limits: dict[tuple[int, str], float] = {}
        """The seconds of functions that have less than the user allows."""

    def shared(self, jobs: Iterable[ScanJob]) -> Iterator[ScanJob]:
        """The jobs of a first look, each with its share as it is when it begins."""
        for job in jobs:
            self._taken += 1
            others = max(self._count() - self._taken, 0)
            limited = self._limited(job, self._first, others)
            if limited.seconds < job.seconds:
                self._limits[job.place] = limited.seconds
            yield limited

    def among(self, jobs: Sequence[ScanJob]) -> Iterator[ScanJob]:
        """Jobs that share all the time that is left."""
        for number, job in enumerate(jobs):
            yield self._limited(job, self._deadline, len(jobs) - number - 1)

    def again(self, jobs: Iterable[tuple[ScanJob, Explored]]) -> Iterator[ScanJob]:
        """The jobs of a first look whose share was not enough, with more: those with undecided faults first."""
        waiting = [(job, explored) for job, explored in jobs if self._is_short(job, explored)]
        waiting.sort(key=lambda each: not any(found.certainty == UNDECIDED for found in each[1].found))
        for number, (job, _) in enumerate(waiting):
            before = self._limits.pop(job.place)
            longer = self._limited(job, self._deadline, len(waiting) - number - 1)
            if longer.seconds > TIMES * before:  # else it comes to the same
                yield longer

    def _is_short(self, job: ScanJob, explored: Explored) -> bool:
        return job.place in self._limits and explored.explored == "part" and explored.reason == STOPPED_BY_TIME

    def _limited(self, job: ScanJob, until: float, others: int) -> ScanJob:
        """A job with what it may use until a moment, if ``others`` come after it."""
        fair = TIMES * self._cores * max(until - time.monotonic(), 0.0) / (others + 1)
        return job.with_seconds(max(fair, LEAST)) if max(fair, LEAST) < job.seconds else job
