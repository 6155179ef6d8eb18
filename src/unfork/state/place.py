"""Where in the source a state is."""

from __future__ import annotations

from unfork.llvm.types import Position
from unfork.state.state import State


def position_of(state: State) -> Position | None:
    """The source position at which a state rests: that of the next instruction in its block that has one."""
    if not state.frames:
        return None
    frame = state.frames[-1]
    body = frame.function.blocks[frame.block].body
    for index in range(frame.index, len(body)):
        if body[index].position is not None:
            return body[index].position
    return None
