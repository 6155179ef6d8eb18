"""The C stack of a state, innermost frame first, with the values of visible variables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import islice

from unfork.engine.protocols.outcome import StackEntry
from unfork.engine.state.state import Frame, State
from unfork.engine.step.variable_texts import VariableTexts
from unfork.program.facts.nearest import position_at
from unfork.program.facts.own_source import own_position
from unfork.program.llvm.types import Position

VALUES_SHOWN = 12
FRAMES_SHOWN = 24
"""Frames shown at each end of a deep stack."""


class StackTraces:
    """Makes stack traces.

    Values are shown where the path has no condition, as in the replay from which every reported error comes: an
    exploration may meet thousands of faults, and reports few.
    """

    def __init__(self, variables: VariableTexts) -> None:
        self._variables = variables

    def of(self, state: State, position: Position | None) -> tuple[StackEntry, ...]:
        """The frames of ``state``, the innermost at ``position``; leaves out the middle of a deep stack."""
        frames = state.frames[::-1]
        hidden = len(frames) - 2 * FRAMES_SHOWN
        entries = []
        for depth, frame in enumerate(frames):
            if hidden > 0 and FRAMES_SHOWN <= depth < FRAMES_SHOWN + hidden:
                if depth == FRAMES_SHOWN:
                    entries.append(StackEntry(f"({hidden} more frames)", None, ()))
                continue
            where = position if depth == 0 else _call_position(frame)
            values = () if len(state.path) else self._values(state, frame)
            entries.append(StackEntry(frame.function.source_name, where, values))
        return tuple(entries)

    def _values(self, state: State, frame: Frame) -> tuple[tuple[str, str], ...]:
        """The variables visible in a frame, those of inner scopes first."""
        return tuple(islice(self._variables.during(state, frame, max(frame.index - 1, 0)).items(), VALUES_SHOWN))


def site_of(state: State, position: Position | None) -> Position | None:
    """``position``; outside of the program's own source, the call that led there, as if inlined.

    Without a position, the call is only near.
    """
    if own_position(position) is not None:
        return position
    call = _first_call(state, own_position)
    if position is not None:
        return position if call is None else replace(position, inlined_at=call)
    call = call or _first_call(state, lambda each: each)
    return None if call is None else replace(call, is_near=True)


def _first_call(state: State, seen: Callable[[Position | None], Position | None]) -> Position | None:
    """Of the calls that led to a state, the innermost for which ``seen`` gives a position."""
    return next(filter(None, (seen(_call_position(frame)) for frame in state.frames[-2::-1])), None)


def _call_position(frame: Frame) -> Position | None:
    return position_at(frame.function, frame.block, max(frame.index - 1, 0))
