"""Where a path asks for values: the calls of __VERIFIER_nondet_*, in order, with their places in the source."""

from __future__ import annotations

from dataclasses import dataclass

from unfork.execute.input_source import InputSource
from unfork.program.nearest import position_at
from unfork.program.types import Position, Type
from unfork.state.inputs import Input
from unfork.state.state import State

NONDET = "nondet"
"""The kind of such inputs."""


@dataclass(frozen=True, slots=True)
class Asked:
    """An input by its name along the path, and the place of the call; None where debug information has none."""

    name: str
    position: Position | None


class Noting:
    """Hands on inputs, and notes in ``asked`` where the program asked for values."""

    def __init__(self, source: InputSource) -> None:
        self._source = source
        self.asked: list[Asked] = []

    def make(self, state: State, name: str, element: Type | None, size: int, kind: str) -> Input:
        record = self._source.make(state, name, element, size, kind)
        if kind == NONDET:
            self.asked.append(Asked(record.name, place_of_call(state)))
        return record


def place_of_call(state: State) -> Position | None:
    """Where the function that runs now was called from: the source of the top frame's current instruction."""
    frame = state.frames[-1]
    return position_at(frame.function, frame.block, max(frame.index - 1, 0))
