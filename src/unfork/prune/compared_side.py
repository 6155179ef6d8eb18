"""One of two states that are compared: what its words name, and what its unwritten bytes will be."""

from __future__ import annotations

from unfork.execute.uninitialised import COPIED
from unfork.logic.term import Value, symbol
from unfork.state.memory import (
    END_OF_NAMES,
    FIRST_HEAP,
    FIRST_LAZY,
    FIRST_STACK,
    MemoryObject,
    object_of,
    offset_in,
)
from unfork.state.state import State

NEAR = 4096
"""A word that is further than so many bytes from all of an object is no address of it."""
UNWRITTEN = "unwritten"
"""Symbols of bytes that nobody has written are named so."""


class Side:
    """One of the two states, and where its locals are."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.objects = state.memory.objects
        self.freed = state.memory.freed
        self.locals: dict[int, tuple[int, int]] = {}
        """Locals by number: the frame, and which of its locals it is."""
        self.ended: set[int] = set()
        for depth, frame in enumerate(state.frames):
            for place, number in enumerate(frame.locals):
                self.locals[number] = depth, place
            if frame.ended:
                self.ended.update(frame.ended)

    def names(self, value: int) -> bool:
        """Whether a word of 64 bits is the address of a block or local that this path has made."""
        number = object_of(value)
        if not FIRST_HEAP <= number < END_OF_NAMES:
            return False
        item = self.objects.get(number)
        if item is not None:
            return -NEAR <= offset_in(value) <= len(item.data) + NEAR
        if number >= FIRST_STACK:
            return True
        if number >= FIRST_LAZY:
            return number < self.state.lazy.next_number()
        return number < FIRST_HEAP + self.state.heap_count

    def unwritten(self, number: int, item: MemoryObject, offset: int) -> Value:
        """What an unwritten byte will be: one value for all its copies."""
        origin = item.origins.get(offset) if item.origins else None
        if origin is None:
            return symbol(f"{UNWRITTEN} {number}[{offset}]", 8)
        name = f"{origin[0]}[{origin[1]}]"
        known = self.state.remembered[COPIED.of(name)]
        return symbol(f"{UNWRITTEN} {name}", 8) if known is None else known

    def is_copied(self, item: MemoryObject, offset: int) -> bool:
        """Whether an unwritten byte has copies."""
        return bool(item.origins) and offset in (item.origins or {})
