"""Where in the program's own source a machine is, and the loop around it."""

from __future__ import annotations

from collections.abc import Collection

from unfork.engine.protocols.whereabouts import NOWHERE, SourceSpot
from unfork.engine.state.state import Frame, State, position_of
from unfork.engine.step.step import Step
from unfork.program.facts.function_facts import FactsTable
from unfork.program.facts.nearest import end_position, nearest_position
from unfork.program.facts.own_source import own_position
from unfork.program.llvm.module import Function
from unfork.program.llvm.types import Position


class SourceWhereabouts:
    """The location of ``step``, in functions outside of the ``library``."""

    def __init__(self, step: Step, facts: FactsTable, library: Collection[str]) -> None:
        self._step = step
        self._facts = facts
        self._library = library
        self._resting: dict[tuple[Function, int, int], SourceSpot] = {}
        """By program points in the program's own functions."""
        self._heads: dict[tuple[Function, Position], int | None] = {}
        """The head of the loop around an instruction, by its position."""
        self._loops: dict[tuple[Function, int], SourceSpot] = {}
        """The locations of loops, by their heads."""

    def running(self) -> SourceSpot:
        state = self._state()
        return NOWHERE if state is None else self._spot(self._step.position, state.frames)

    def loop(self) -> SourceSpot:
        state, position = self._state(), self._step.position
        for frame in [] if state is None else reversed(state.frames):
            function = frame.function
            if function.name in self._library:
                position = None
                continue
            nest = self._facts[function].nest
            head = nest.innermost[frame.block] if position is None else self._head(function, position)
            if head is not None:
                return self._named_loop(function, head)
            position = None
        return NOWHERE

    def yielding(self, state: State) -> SourceSpot:
        if not state.frames:
            return NOWHERE
        top = state.frames[-1]
        key = (top.function, top.block, top.index)
        spot = self._resting.get(key)
        if spot is None:
            spot = self._spot(position_of(state), state.frames)
            if top.function.name not in self._library and spot is not NOWHERE:
                self._resting[key] = spot
        return spot

    def _named_loop(self, function: Function, head: int) -> SourceSpot:
        spot = self._loops.get((function, head))
        if spot is None:
            spot = self._loops[function, head] = _named(own_position(end_position(function, head)))
        return spot

    def _state(self) -> State | None:
        """The state that ran last; None before the first."""
        return getattr(self._step, "state", None)

    def _spot(self, position: Position | None, frames: list[Frame]) -> SourceSpot:
        """The innermost source location of the program's own; ``position`` is that of the top frame."""
        for depth in range(len(frames) - 1, -1, -1):
            frame = frames[depth]
            if frame.function.name in self._library:
                continue
            if depth < len(frames) - 1:
                position = self._call(frame)
            if (own := own_position(position)) is not None:
                return _named(own)
        return NOWHERE

    def _call(self, frame: Frame) -> Position | None:
        """The call for whose end a frame waits."""
        body, index = frame.function.blocks[frame.block].body, max(frame.index - 1, 0)
        return body[index].position or nearest_position(
            frame.function, self._facts[frame.function].flow, frame.block, index
        )

    def _head(self, function: Function, position: Position) -> int | None:
        """The head of the innermost loop with an instruction at a position.

        Frames do not tell after a fork, when they are past the branch. A compiler may test a loop's condition before
        the loop, too: that counts as the loop.
        """
        key = (function, position)
        if key not in self._heads:
            nest = self._facts[function].nest
            ending = [block.index for block in function.blocks if block.body[-1].position == position]
            blocks = ending or [
                block.index for block in function.blocks if any(each.position == position for each in block.body)
            ]
            around = max([nest.around[block] for block in blocks], key=len, default=())
            self._heads[key] = around[-1] if around else None
        return self._heads[key]


def _named(position: Position | None) -> SourceSpot:
    return NOWHERE if position is None else SourceSpot(position.file, position.line, position.function)
