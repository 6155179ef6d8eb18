"""The semantics, as an exploration asks for them."""

from __future__ import annotations

from typing import Protocol

from unfork.contracts.outcome import Outcome
from unfork.contracts.yield_points import YieldPoints
from unfork.state.state import State


class Stepper(Protocol):
    """Runs states.

    Law: ``step`` owns the state, runs it to its next fork, its end or a yield point, and returns what it came
    to, in the same order whenever it is repeated. Nothing but its arguments says where it ends. Exactly
    ``[Running(state)]`` of that same state means no fork; nothing at all means that the state turned out not to exist.
    """

    def step(self, state: State, yield_points: YieldPoints) -> list[Outcome]: ...
