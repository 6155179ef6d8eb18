"""Tests of paths that go on: for branch edges that some paths of one step took, and before time runs out."""

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
"""Work between two looks at the waiting states, about microseconds: most end sooner, and get their tests then."""


class Exemplified:
    """A stepper whose examples go to ``writer``, which writes their tests, and to no other observer."""

    def __init__(self, stepper: Stepper, coverage: BranchCoverage, writer: Observer) -> None:
        self._stepper = stepper
        self._coverage = coverage
        self._writer = writer

    def step(self, state: State, yield_points: YieldPoints) -> list[Outcome]:
        outcomes = self._stepper.step(state, yield_points)
        for example in self._coverage.taken_examples():
            self._writer.tell(Left(example))
        return outcomes


class InTime:
    """A stopper that calls ``write`` for the tests due from waiting states, whenever ``work`` has grown by EACH.

    Otherwise the edges that a long path covered would get their test at a limit, with many others and little time,
    or never.
    """

    def __init__(self, stopper: Stopper, work: Callable[[], int], write: Callable[[], None]) -> None:
        self._stopper = stopper
        self._work = work
        self._write = write
        self._round = work() // EACH

    def look(self, frontier: Frontier) -> str | None:
        if (number := self._work() // EACH) > self._round:
            self._round = number
            self._write()
        return self._stopper.look(frontier)
