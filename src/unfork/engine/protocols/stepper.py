"""The semantics as exploration uses them: a step, and the points at which a state may rest."""

from __future__ import annotations

from typing import Protocol

from unfork.engine.protocols.outcome import Outcome
from unfork.engine.state.state import State
from unfork.program.facts.merge_points import MergePoints, MergePointsOf, at_instructions, nowhere
from unfork.program.llvm.module import Function


class YieldPoints:
    """Program points at which a step ends, beside forks, ends and quanta. Caches those of each function."""

    __slots__ = ("_known", "_points_of")

    def __init__(self, points_of: MergePointsOf) -> None:
        self._points_of = points_of
        self._known: dict[Function, MergePoints] = {}

    def places(self, function: Function) -> MergePoints:
        """The yield points of a function."""
        points = self._known.get(function)
        if points is None:
            points = self._known[function] = self._points_of(function)
        return points

    def is_at(self, state: State) -> bool:
        """Whether the state is at one."""
        frame = state.frames[-1]
        points = self.places(frame.function)
        return frame.block in points.blocks if frame.index == 0 else (frame.block, frame.index) in points.inside


FORKS = YieldPoints(nowhere)
"""Only at forks and quanta: the fewest stops, for plain exploration."""
INSTRUCTIONS = YieldPoints(at_instructions)
"""After every instruction, to follow a path closely."""


class YieldPolicy(Protocol):
    """Where states may rest.

    Law: called once before each step; the answer is an argument of that step alone. It decides about cost, and which
    states may meet or be covered: wherever states rest, they come to the same ends.
    """

    def yield_points(self, state: State) -> YieldPoints: ...


class Stepper(Protocol):
    """Runs states.

    Law: ``step`` owns the state, runs it to its next fork, its end or a yield point, and returns the outcomes, in
    the same order whenever it is repeated. Its arguments alone say where it ends. Exactly ``[Running(state)]`` of
    that state means no fork; an empty list means that the state turned out not to exist.
    """

    def step(self, state: State, yield_points: YieldPoints) -> list[Outcome]: ...
