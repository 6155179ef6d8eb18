"""What a path comes by, in order: calls of __VERIFIER_nondet_* with their places, other inputs, and probes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from unfork.clang.probes import PASSED
from unfork.execute.input_source import InputSource
from unfork.execute.step import Step
from unfork.facts.nearest import position_at
from unfork.library.model import Arguments, Model
from unfork.llvm.ir import Call
from unfork.llvm.types import Position, Type
from unfork.logic.term import Value
from unfork.state.inputs import Input
from unfork.state.state import State

NONDET = "nondet"
"""The kind of such inputs."""


@dataclass(frozen=True, slots=True)
class Asked:
    """An input by its name along the path, and the place of the call; None where debug information has none."""

    name: str
    position: Position | None


@dataclass(frozen=True, slots=True)
class Other:
    """An input that no such call returns."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A probe by its number, and whether the value there was true."""

    place: int
    is_true: bool


class Noting:
    """Hands on inputs, and writes down in ``events`` what a path comes by."""

    def __init__(self, source: InputSource, events: list[Asked | Other | Seen]) -> None:
        self._source = source
        self._events = events

    def make(self, state: State, name: str, element: Type | None, size: int, kind: str) -> Input:
        record = self._source.make(state, name, element, size, kind)
        self._events.append(Asked(record.name, place_of_call(state)) if kind == NONDET else Other())
        return record


def noting(events: list[Asked | Other | Seen]) -> Mapping[str, Model]:
    """The function that is called at probes: it writes them down in ``events``."""

    def come_by(step: Step, arguments: Arguments, call: Call) -> Value:
        place, value = arguments
        if isinstance(place, int) and isinstance(value, int):
            events.append(Seen(place, value != 0))
        return value

    return {PASSED: Model("ii", "i", come_by)}


def place_of_call(state: State) -> Position | None:
    """Where the function that runs now was called from: the source of the top frame's current instruction."""
    frame = state.frames[-1]
    return position_at(frame.function, frame.block, max(frame.index - 1, 0))
