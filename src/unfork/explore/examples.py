"""Tests for branch edges that a step took on some of the paths that it left together."""

from __future__ import annotations

from unfork.contracts.events import Left, Observer
from unfork.contracts.outcome import Outcome
from unfork.contracts.stepper import Stepper, YieldPoints
from unfork.execute.coverage import BranchCoverage
from unfork.state.state import State


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
