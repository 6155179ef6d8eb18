"""One of the two states of a join, which is never changed: a fork of it names unwritten bytes where it must."""

from __future__ import annotations

from collections.abc import Callable

from unfork.execute.input_source import InputSource, fresh_input
from unfork.execute.step import Step
from unfork.execute.uninitialised import initialised
from unfork.logic.term import Value
from unfork.merge.value_choice import Unjoinable
from unfork.state.memory import Memory, MemoryObject
from unfork.state.state import State


class Side:
    """A state as a join reads it. ``state`` is a fork of the given one once something had to be named."""

    def __init__(self, state: State, source: InputSource) -> None:
        self.state = state
        self._source = source
        self._is_fork = False

    @property
    def memory(self) -> Memory:
        """Its memory."""
        return self.state.memory

    def written(self, number: int, offset: int, count: int) -> MemoryObject:
        """An object whose bytes of a range are as a read would make them: unwritten ones are fresh, latent inputs."""
        if not self._is_fork:
            self.state = self.state.fork()
            self._is_fork = True
        known = len(self.state.inputs)
        item = initialised(self, number, offset, count)
        self.state.inputs = self.state.inputs.latent_after(known)
        return item

    def choose(self, do: Callable[[Step], None]) -> None:
        """A join splits no state."""
        raise Unjoinable("untouched parts of the input heap")

    def fresh(self, name: str, width: int, kind: str) -> Value:
        """A fresh value: a new input of this side."""
        return fresh_input(self._source, self.state, name, width, kind)
