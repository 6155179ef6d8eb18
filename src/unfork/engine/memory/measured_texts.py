"""Texts of the input whose length is one value, and copies of them: their characters are made when they are read.

A copy of characters leaves unread bytes with an origin (CopiedText), so that a long text, too, costs nothing before a
character of it matters.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from unfork.engine.memory.lazy_objects import character_at, length_of_text
from unfork.engine.memory.pieces import put, spell_ends_out, spell_out
from unfork.engine.memory.resolve import Location, resolve_single
from unfork.engine.memory.uninitialised import mark_copied
from unfork.engine.state.lazy import LAZY
from unfork.engine.state.memory import (
    SYMBOLIC,
    UNINITIALISED,
    CopiedText,
    MemoryObject,
    Origin,
    OverwrittenByte,
    TextCharacter,
)
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value


@dataclass(frozen=True, slots=True)
class MeasuredText:
    """A text that begins at character ``offset`` (64 bits) of input object ``number``; ``length`` is from there."""

    number: int
    offset: Value
    length: Value


def measured(step: Step, location: Location) -> MeasuredText | None:
    """The unchanged text of the input, or the copy of one, at a location; None for other bytes."""
    if not step.limits.measures_texts:
        return None
    length = length_of_text(step, location.number, location.offset)
    if length is not None:
        return MeasuredText(location.number, location.offset, build.sub(length, location.offset, 64))
    if isinstance(location.offset, int):
        return _copied(step, location.number, location.offset)
    whole = _copied(step, location.number, 0)
    if whole is None or not step.chain.must(step.state.path, build.ule(location.offset, whole.length, 64)):
        return None
    offset = build.add(whole.offset, location.offset, 64)
    return MeasuredText(whole.number, offset, build.sub(whole.length, location.offset, 64))


def measured_at(step: Step, pointer: Value) -> MeasuredText | None:
    """The same at a pointer; reading nowhere is a fault."""
    if not step.limits.measures_texts:
        return None
    location = resolve_single(step, pointer, 1, "read")
    assert location is not None
    return measured(step, location)


def is_measurable(step: Step, pointer: Value) -> bool:
    """Whether a pointer leads to a text of the input, or to a copy of characters; reading nowhere is a fault."""
    if not step.limits.measures_texts:
        return False
    location = resolve_single(step, pointer, 1, "read")
    assert location is not None
    text = step.state.lazy.find(location.number)
    if text is not None:
        return text.is_text and not text.is_stated
    return isinstance(location.offset, int) and _origin(location.item, location.offset) is not None


def text_character(step: Step, location: Location) -> Value | None:
    """The byte at an unknown offset of a measured text or a copy of one; None elsewhere."""
    if not step.limits.measures_texts or isinstance(location.offset, int):
        return None
    text = step.state.lazy.find(location.number)
    if text is not None and (not text.is_text or isinstance(text.length, int)):
        return None
    source = measured(step, location)
    return None if source is None else character_at(step, source.number, source.offset)


def _copied(step: Step, number: int, start: int) -> MeasuredText | None:
    """The text of which a whole copy, with its NUL, begins at byte ``start`` of an object."""
    item = step.state.memory.objects[number]
    first = _character(step, item, start)
    text = None if first is None else step.state.lazy.find(first[0])
    if first is None or text is None or isinstance(text.length, int):
        return None
    length = build.sub(build.sub(text.length, 1, 64), first[1], 64)
    _, most = step.chain.bounds(step.state.path, length, 64)
    if most >= len(item.data) - start:
        return None
    begins: dict[Value, int] = {}
    for distance in range(most + 1):
        position, wanted = start + distance, (first[0], first[1] + distance)
        origin = _origin(item, position)
        if origin is not None and (origin.text, origin.offset) == wanted:
            if build.ult(origin.index, origin.count, 64) == 1:
                continue
            begins[origin.count] = max(begins.get(origin.count, 0), origin.index - distance)
        elif origin is not None or not _is_read(step, item, position, wanted):
            return None
    for count, begin in begins.items():
        if not step.chain.must(step.state.path, build.ult(build.add(length, begin, 64), count, 64)):
            return None
    return MeasuredText(*first, length)


def _origin(item: MemoryObject, position: int) -> CopiedText | None:
    """The character that an unread byte is a copy of."""
    if item.mask is None or item.origins is None or item.mask[position] != UNINITIALISED:
        return None
    origin = item.origins.get(position)
    return origin if isinstance(origin, CopiedText) else None


def _character(step: Step, item: MemoryObject, position: int) -> tuple[int, int] | None:
    """The text and the offset of the character that a byte is a copy of, read or not."""
    if not 0 <= position < len(item.data) or item.mask is None:
        return None
    origin = _origin(item, position)
    if origin is not None:
        return origin.text, origin.offset
    known = step.state.lazy.numbers.items() if item.mask[position] == SYMBOLIC else ()
    return next((place for place, value in known if _is_read(step, item, position, place)), None)


def _is_read(step: Step, item: MemoryObject, position: int, place: tuple[int, int]) -> bool:
    """Whether a byte is the character at a place of a text, which was read."""
    if item.mask is None or item.mask[position] == UNINITIALISED:
        return False
    value = step.state.lazy.numbers.get(place)
    return value is not None and item.byte(position) is value


def copy_text(step: Step, destination: Location, origin: Location, count: Value) -> bool:
    """Copy ``count`` bytes (64 bits) of a measured text, unread. Whether the bytes are one."""
    if not step.limits.measures_texts or destination.item.kind == LAZY:
        return False
    text = step.state.lazy.find(origin.number)
    if isinstance(count, int) and text is not None and isinstance(text.length, int):
        return False  # a few characters of a text whose length does not matter yet
    source = measured(step, origin)
    if source is None:
        return False
    whole = build.add(source.length, 1, 64)
    if count is not whole and not step.chain.must(step.state.path, build.ule(count, whole, 64)):
        return False
    if isinstance(destination.offset, int) and isinstance(source.offset, int):
        put_text(step, destination.number, destination.offset, source, count)
    else:

        def byte(position: int) -> TextCharacter:
            distance = build.sub(position, destination.offset, 64)
            return TextCharacter(source.number, build.add(source.offset, distance, 64))

        _overwrite(step, destination, count, byte)
    return True


def put_text(step: Step, number: int, goal: int, source: MeasuredText, count: Value) -> None:
    """Make bytes of an object from ``goal`` on the first ``count`` characters (64 bits) of a text, unread."""
    assert isinstance(source.offset, int)
    low, high = step.chain.bounds(step.state.path, count, 64)
    high = min(high, len(step.state.memory.objects[number].data) - goal)
    spell_ends_out(step, number, goal, low)
    spell_out(step, number, goal + low, high - low)
    before = [_before(step, number, goal + index) for index in range(low, high)]
    item = step.state.memory.writable(number)
    item.make_uninitialised(goal, high)
    origins = {} if item.origins is None else item.origins
    for index in range(high):
        offset = source.offset + index
        if index < low:
            origins[goal + index] = CopiedText(source.number, offset, 0, 1, 0)
        else:
            origins[goal + index] = CopiedText(source.number, offset, index, count, before[index - low])
    item.origins = origins


def _before(step: Step, number: int, position: int) -> Value | Origin:
    """A byte that a write may change: its value, or the origin of an unread one."""
    item = step.state.memory.objects[number]
    origin = (item.origins or {}).get(position)
    if origin is not None:
        return origin
    if item.kind == LAZY and item.mask is not None and item.mask[position] == UNINITIALISED:
        return CopiedText(number, position, 0, 1, 0)
    item = mark_copied(step, number, position, 1)
    return item.byte(position) if item.origins is None or position not in item.origins else item.origins[position]


def overwrite(step: Step, location: Location, value: Value, size: int) -> bool:
    """Write ``size`` bytes at an unknown offset of an object with unread characters. Whether it is one."""
    offset = location.offset
    if isinstance(offset, int) or not _has_unread(step, location):
        return False
    if size == 1 and value == 0 and _ends_copy(step, location.number, offset):
        return True
    if location.item.kind == LAZY:
        first, _ = step.chain.bounds(step.state.path, offset, 64)
        if step.decide(build.eq(offset, first, 64)):  # later looks at a text that was cut cost less so
            put(step, location.number, first, size, value)
            return True
    for i in range(size):
        part = build.extract(value, 8 * i, 8)
        _overwrite(step, replace(location, offset=build.add(offset, i, 64)), 1, partial(_same, part))
    return True


def _same(value: Value, position: int) -> Value:
    return value


def _has_unread(step: Step, location: Location) -> bool:
    """Whether an object has characters that were not read."""
    if not step.limits.measures_texts:
        return False
    text = step.state.lazy.find(location.number)
    if text is not None:
        return text.is_text and not isinstance(text.length, int) and not text.is_stated
    return any(not isinstance(each, tuple) for each in (location.item.origins or {}).values())


def _overwrite(step: Step, location: Location, count: Value, byte: Callable[[int], Value | TextCharacter]) -> None:
    """Write ``byte`` of each position to ``count`` bytes (64 bits) at an offset, one of which at least is unknown."""
    number, offset, path = location.number, location.offset, step.state.path
    first, last = step.chain.bounds(path, offset, 64)
    end = min(last + step.chain.bounds(path, count, 64)[1], len(location.item.data))
    spell_out(step, number, first, end - first)
    for position in range(first, end):
        is_meant = (
            build.ult(build.sub(position, offset, 64), count, 64) if count != 1 else build.eq(offset, position, 64)
        )
        before = _before(step, number, position)
        new, item = byte(position), step.state.memory.writable(number)
        if isinstance(before, int | Term) and isinstance(new, int | Term):
            item.write(position, 1, build.ite(is_meant, new, before, 8))
            continue
        item.make_uninitialised(position, 1)
        item.origins = {} if item.origins is None else item.origins
        item.origins[position] = OverwrittenByte(offset, count, is_meant, new, before)


def _ends_copy(step: Step, number: int, place: Value) -> bool:
    """Take a NUL after all characters of a copied text for that of the text. Whether it is there."""
    item, path = step.state.memory.objects[number], step.state.path
    found = next(
        (each for each in (item.origins or {}).items() if isinstance(each[1], CopiedText) and each[1].index), None
    )
    if found is None:
        return False
    position, origin = found
    assert isinstance(origin, CopiedText)
    goal, offset, text = position - origin.index, origin.offset - origin.index, step.state.lazy.find(origin.text)
    assert text is not None
    length = build.sub(build.sub(text.length, 1, 64), offset, 64)
    ends = build.both(build.eq(origin.count, length, 64), build.eq(place, build.add(goal, length, 64), 64))
    if goal < 0 or offset < 0 or not step.chain.must(path, ends):
        return False
    put_text(step, number, goal, MeasuredText(origin.text, offset, length), build.add(length, 1, 64))
    return True
