"""Follows one known path: a guide answers what instructions ask, and the caller watches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from unfork.engine.protocols.outcome import Killed, Outcome, Running
from unfork.engine.protocols.stepper import Stepper, YieldPoints
from unfork.engine.state.state import State
from unfork.engine.step.conduct import NOWHERE
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.solver import FOREVER, Feasibility, Statistics
from unfork.logic.terms.term import Value


class Guide(Protocol):
    """The source of a known path: the values of a test, a model, the choices of another path.

    Law: all answers agree with one assignment of the inputs.
    """

    def decide(self, condition: Value) -> bool:
        """The side of a fork on ``condition`` (1 bit) that the path takes."""

    def choose(self, value: Value) -> int:
        """The value, where it says how the path goes on."""

    def knows(self, condition: Value) -> bool:
        """Whether ``condition`` (1 bit) holds for all that the path stands for."""

    def worth(self, value: Value) -> int:
        """The value on the path; nothing depends on it."""


class Guided:
    """A guide's answers, as instructions ask for them: of two sides, one is feasible. Needs no solver."""

    deadline = FOREVER

    def __init__(self, guide: Guide) -> None:
        self._guide = guide
        self.statistics = Statistics()

    def assume(self, path: PathCondition, condition: Value) -> Feasibility:
        return path if self._guide.decide(condition) else NOWHERE

    def branch(self, path: PathCondition, condition: Value) -> tuple[Feasibility, Feasibility]:
        return sides_of(path, self._guide.decide(condition))

    def must(self, path: PathCondition, condition: Value) -> bool:
        return self._guide.knows(condition)

    def evaluate(self, path: PathCondition, value: Value) -> int:
        return self._guide.worth(value)

    def values(self, path: PathCondition, value: Value, width: int, limit: int) -> tuple[list[int], bool]:
        return [self._guide.choose(value)], True

    def bounds(self, path: PathCondition, value: Value, width: int) -> tuple[int, int]:
        only = self._guide.choose(value)
        return only, only


def sides_of(path: PathCondition, holds: bool) -> tuple[Feasibility, Feasibility]:
    """The two sides of a question with a known answer."""
    return (path, NOWHERE) if holds else (NOWHERE, path)


Sides = Callable[[list[Outcome]], list[Outcome]]
"""Selects the outcomes of a step that belong to the path."""


def every_outcome(outcomes: list[Outcome]) -> list[Outcome]:
    """Every outcome: a path of which a part is left out is lost."""
    return outcomes


def without_unmodelled(outcomes: list[Outcome]) -> list[Outcome]:
    """All but what the path could not model: it goes on from there, and so does its follower."""
    return [each for each in outcomes if not (isinstance(each, Killed) and each.reason == "unmodelled")]


def follow(
    stepper: Stepper, state: State, yield_points: YieldPoints, sides: Sides = without_unmodelled
) -> Iterator[Outcome]:
    """The path of ``state``: Running wherever it rests, from the first state on, then its end.

    Ends early where the path is lost: at no outcome, or at more than one.
    """
    outcome: Outcome = Running(state)
    yield outcome
    while isinstance(outcome, Running):
        outcomes = sides(stepper.step(outcome.state, yield_points))
        if len(outcomes) != 1:
            return
        [outcome] = outcomes
        yield outcome
