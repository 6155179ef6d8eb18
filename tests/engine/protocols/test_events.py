"""Events are data about states."""

from __future__ import annotations

from unfork.engine.protocols.events import Ended
from unfork.engine.protocols.outcome import Halted, Killed
from unfork.engine.state.state import State


def test_the_state_of_an_end_is_that_of_its_outcome() -> None:
    state = State.__new__(State)
    for outcome in (Halted(state, "exit", 0), Killed(state, "unsupported", "a reason")):
        assert Ended(outcome).state is state
