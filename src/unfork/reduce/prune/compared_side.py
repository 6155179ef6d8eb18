"""One of two compared states: the objects that its words name, its unwritten bytes, and where bytes are cut."""

from __future__ import annotations

import re
from collections.abc import Iterator

from unfork.engine.memory.uninitialised import COPIED
from unfork.engine.state.memory import (
    END_OF_NAMES,
    FIRST_HEAP,
    FIRST_LAZY,
    FIRST_STACK,
    MemoryObject,
    object_of,
    offset_in,
)
from unfork.engine.state.origins import UnwrittenBytes
from unfork.engine.state.state import State
from unfork.logic.terms.term import Value
from unfork.logic.terms.term_table import symbol

NEAR = 4096
"""A word at a larger distance from an object is not an address in it."""
UNWRITTEN = "unwritten"
"""Prefix of symbols of unwritten bytes."""


class ComparedSide:
    """One of the two states, and its locals."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.objects = state.memory.objects
        self.freed = state.memory.freed
        self.locals: dict[int, tuple[int, int]] = {}
        """Locals by number: the frame, and the index among its locals."""
        self.ended: set[int] = set()
        for depth, frame in enumerate(state.frames):
            for place, number in enumerate(frame.locals):
                self.locals[number] = depth, place
            if frame.ended:
                self.ended.update(frame.ended)

    def names(self, value: int) -> bool:
        """Whether a word of 64 bits is the address of a block or local of this path."""
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
        """The later value of an unwritten byte: one value for all its copies."""
        origin = item.origin(offset)
        if origin is None:
            return symbol(f"{UNWRITTEN} {number}[{offset}]", 8)
        assert isinstance(origin.record, UnwrittenBytes)  # texts are copied unread only where nothing is pruned
        name = f"{origin.record.name}[{origin.place}]"
        known = self.state.remembered[COPIED.of(name)]
        return symbol(f"{UNWRITTEN} {name}", 8) if known is None else known

    def is_copied(self, item: MemoryObject, offset: int) -> bool:
        """Whether an unwritten byte has copies."""
        return item.origin(offset) is not None


_MARKED = re.compile(rb"[^\0]+")
WORD = 8
"""Bytes of a pointer, and its alignment."""


def stretches(a: MemoryObject, b: MemoryObject, count: int) -> Iterator[tuple[int, int, bool]]:
    """The first ``count`` bytes as (start, end, whether both are concrete there), in order.

    Bytes that are not concrete are cut where, on either side, a term or written bytes begin or end.
    """
    position = 0
    for marked in _MARKED.finditer(_marks(a, b, count)):
        start, end = marked.span()
        if position < start:
            yield position, start, True
        yield from [(first, last, False) for first, last in _cut(a, b, start, end)]
        position = end
    if position < count:
        yield position, count, True


def _marks(a: MemoryObject, b: MemoryObject, count: int) -> bytes:
    """A byte for each of the first ``count``, nonzero where a side is not concrete."""
    masks = [int.from_bytes(item.mask[:count], "little") for item in (a, b) if item.mask is not None]
    if not masks:
        return bytes(count)
    return (masks[0] | masks[-1]).to_bytes(count, "little")


def _cut(a: MemoryObject, b: MemoryObject, start: int, end: int) -> list[tuple[int, int]]:
    """The parts of a range in which each side is part of one term, or concrete, or unwritten."""
    parts = []
    first = start
    for position in range(start + 1, end):
        if not (_goes_on(a, position) and _goes_on(b, position)):
            parts.append((first, position))
            first = position
    parts.append((first, end))
    return parts


def _goes_on(item: MemoryObject, position: int) -> bool:
    """Whether a byte belongs with the one before it."""
    mask = item.mask
    if mask is None:
        return True
    if mask[position] != mask[position - 1]:
        return False
    symbolic = item.symbolic
    here = symbolic.get(position) if symbolic else None
    if here is None:
        return True
    before = symbolic.get(position - 1) if symbolic else None
    return before is not None and here[0] is before[0] and here[1] == before[1] + 1


def words_with_names(data: bytes | bytearray, start: int, end: int) -> list[int]:
    """The aligned words in a range that may be addresses of blocks or locals: their highest byte is not 0."""
    first = (start + WORD - 1) & -WORD
    high = data[first + WORD - 1 : end : WORD]
    if not any(high):
        return []
    return [first + WORD * i for i, byte in enumerate(high) if byte]
