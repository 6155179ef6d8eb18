"""Follows the waypoints of a witness: calls return what it says, and a path must come by all of them to its target."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from unfork.contracts.faults import Fault
from unfork.contracts.outcome import Failed, Running
from unfork.contracts.rest import FORKS
from unfork.execute.input_source import InputSource
from unfork.execute.machine import Machine
from unfork.inputs.c_literals import data_of
from unfork.inputs.shape import leaves_of
from unfork.inputs.source import full_name, record, unique_name
from unfork.library.verifier_api import NONDET_TYPES
from unfork.logic.term import Value
from unfork.program.types import Position, Type
from unfork.replay.asked import NONDET, place_of_call
from unfork.state.inputs import Input
from unfork.state.state import State

_REACHED = "waypoint "
"""The base of inputs that a witness gives begins so, and ends in the number of its waypoint."""

Return = tuple[Callable[[Position | None], bool], str]
"""Whether a call is the one of a waypoint, and the value that it returns, in C."""


class WitnessInputs:
    """A call at the place of the next waypoint returns its value; all else is symbolic.

    How many waypoints a path has come by is seen from its inputs. ``strange`` are values that are no constants.
    """

    def __init__(self, returns: Sequence[Return], symbolic: InputSource) -> None:
        self._returns = returns
        self._symbolic = symbolic
        self.strange: list[str] = []

    def make(self, state: State, name: str, element: Type | None, size: int, kind: str) -> Input:
        if kind != NONDET:
            return self._symbolic.make(state, name, element, size, kind)
        number = self.passed(state)
        if number == len(self._returns) or not self._returns[number][0](place_of_call(state)):
            return self._symbolic.make(state, name, element, size, kind)
        value = self._returns[number][1]
        data = data_of(value, size, NONDET_TYPES.get(name.removeprefix("nondet_").lower()))
        if data is None:
            self.strange.append(value)
            return self._symbolic.make(state, name, element, size, kind)
        leaves: list[tuple[Value, int]] = []
        offset = 0
        for leaf in leaves_of(element, size):
            leaves.append((int.from_bytes(data[offset : offset + leaf.size], "little"), leaf.size))
            offset += leaf.size
        unique = unique_name(state.input_counts, full_name(name, kind))
        return record(state, Input(unique, kind, size, tuple(leaves), base=f"{_REACHED}{number}"))

    def passed(self, state: State) -> int:
        """How many waypoints the path has come by."""
        for each in reversed(list(state.inputs)):
            if each.base.startswith(_REACHED):
                return int(each.base.removeprefix(_REACHED)) + 1
        return 0


def reaches(
    machine: Machine,
    first: Sequence[State],
    inputs: WitnessInputs,
    returns: int,
    is_target: Callable[[Fault], bool],
    is_over: Callable[[], bool],
) -> bool | None:
    """Whether some path comes by all waypoints and fails at the target; None if time was over before that was known."""
    waiting = list(first)
    while waiting:
        if is_over():
            return None
        for outcome in machine.step(waiting.pop(), FORKS):
            match outcome:
                case Running(state):
                    waiting.append(state)
                case Failed(state, fault) if inputs.passed(state) == returns and is_target(fault):
                    return True
    return False
