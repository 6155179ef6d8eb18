"""Tests of paths that go on: for branch edges that some paths of one step took, and so that tests come in time."""

from __future__ import annotations

from collections.abc import Callable

from unfork.engine.protocols.events import Left, Observer
from unfork.engine.protocols.frontier import Frontier
from unfork.engine.protocols.outcome import Outcome
from unfork.engine.protocols.stepper import Stepper, YieldPoints
from unfork.engine.protocols.stopper import Stopper
from unfork.engine.state.state import State
from unfork.engine.step.branch_coverage import BranchCoverage

EACH = 1_000_000
"""Work between two looks at the states that wait, about so many microseconds: most end sooner, and get their tests
then."""


class Exemplified:
    """A stepper whose examples are told to ``writer``, who writes their tests, and to nobody else."""

    def __init__(self, stepper: Stepper, coverage: BranchCoverage, writer: Observer) -> None:
        self._stepper = stepper
        self._coverage = coverage
        self._writer = writer

    def step(self, state: State, yield_points: YieldPoints) -> list[Outcome]:
        """As the stepper's."""
        outcomes = self._stepper.step(state, yield_points)
        for example in self._coverage.taken_examples():
            self._writer.tell(Left(example))
        return outcomes


class InTime:
    """A stopper that lets ``write`` write the tests that waiting states have due, whenever ``work`` has grown by EACH.

    What a path without an end in sight has covered would else have its test at a limit, when there are many of them and
    little time, or never.
    """

    def __init__(self, stopper: Stopper, work: Callable[[], int], write: Callable[[], None]) -> None:
        self._stopper = stopper
        self._work = work
        self._write = write
        self._round = work() // EACH

    def look(self, frontier: Frontier) -> str | None:
        """What the stopper says."""
        if (number := self._work() // EACH) > self._round:
            self._round = number
            self._write()
        return self._stopper.look(frontier)
