"""Reads C strings. Where a path must know a length, it decides symbolic characters one by one."""

from __future__ import annotations

from unfork.engine.memory.lazy_objects import reach
from unfork.engine.memory.measured_texts import (
    MeasuredText,
    character_of,
    is_measurable,
    joined_length,
    measured,
    measured_at,
)
from unfork.engine.memory.piece_looks import note_read
from unfork.engine.memory.pieces import spell_out
from unfork.engine.memory.ranges import pin_offset, readable
from unfork.engine.memory.spans import ScanStep, beyond, scan
from unfork.engine.memory.text_facts import to_lower
from unfork.engine.memory.text_searches import compare_texts
from unfork.engine.memory.uninitialised import initialise
from unfork.engine.state.lazy import LAZY
from unfork.engine.state.memory import object_of, offset_in
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value

LONGEST_TEXT = 4096
"""The longest string to show, in bytes."""
MOST_OF_ARRAYS = 256
"""Characters of arrays that grow with accesses are compared up to here: each ties all before it, and nothing ends them.
"""


class Characters:
    """The bytes from a pointer on; reading beyond the object is a fault.

    Only the constructor may split the state, and the first read behind a measured text that begins at an unknown place.
    """

    __slots__ = ("_location", "_number", "_start", "_step", "_text")

    def __init__(self, step: Step, pointer: Value) -> None:
        location = readable(step, pointer, 1)
        assert location is not None
        self._step, self._location = step, location
        self._text = None if isinstance(location.offset, int) else measured(step, location)
        self._start = 0 if self._text is not None else pin_offset(step, location)
        self._number = location.number

    def at(self, index: int) -> Value:
        return self.under(index, 1)

    def under(self, index: int, condition: Value) -> Value:
        """Byte ``index``, read where ``condition`` holds; 0 where it is beyond the end."""
        step, number = self._step, self._number
        if self._text is not None and self._is_in(self._text, index, condition):
            return character_of(step, self._text, index)
        offset = self._start + index
        item = step.state.memory.objects[number]
        otherwise = build.negate(condition)
        is_lazy = item.kind == LAZY and offset >= item.limit
        if not (is_lazy and reach(step, number, offset, 1, otherwise, beyond(item))):
            item = step.state.memory.objects[number]
            if offset >= len(item.data):
                step.require(otherwise, "out-of-bounds", beyond(item))
                return 0
            if item.limit < 0:
                inside = build.ult(offset, item.size, 64)
                step.require(build.either(otherwise, inside), "out-of-bounds", beyond(item))
        if offset >= len(step.state.memory.objects[number].data):
            return 0  # beyond --max-size, where the path goes on without the condition
        note_read(step, number, offset, 1)
        initialise(step, number, offset, 1)
        return spell_out(step, number, offset, 1).byte(offset)

    def _is_in(self, text: MeasuredText, index: int, condition: Value) -> bool:
        """Whether a byte is a measured text's, or its NUL. If not, the place becomes a known one."""
        step = self._step
        is_inside = build.either(build.negate(condition), build.ule(index, text.length, 64))
        if step.chain.must(step.state.path, is_inside):
            return True
        self._text, self._start = None, pin_offset(step, self._location)
        return False

    @property
    def grow(self) -> bool:
        """Whether the object has as many bytes as are accessed, and no end of its own."""
        array = self._step.state.lazy.find(self._number)
        return array is not None and not array.is_text and not array.is_stated

    def concrete_end(self) -> int | None:
        """The index of the terminating NUL if all bytes before it are concrete; None otherwise."""
        if self._text is not None:
            return None
        item = self._step.state.memory.objects[self._number]
        end = item.data.find(0, self._start)
        if end >= 0:
            item = spell_out(self._step, self._number, self._start, end + 1 - self._start)
            end = item.data.find(0, self._start)
        if end < 0 or item.limit < 0 or not item.is_concrete(self._start, end + 1 - self._start):
            return None
        note_read(self._step, self._number, self._start, end + 1 - self._start)
        return end - self._start

    def concrete(self, count: int) -> bytes:
        """The first ``count`` bytes, which are concrete."""
        return bytes(self._step.state.memory.objects[self._number].data[self._start : self._start + count])


def text_length(step: Step, pointer: Value, limit: int | None = None) -> Value:
    """strlen, or strnlen with a limit: a choice of all lengths, if they are not too many."""
    length = None if limit == 0 else known_length(step, pointer, limit)
    if length is not None:
        return length
    span = scan(step, pointer, _is_end, limit)
    return string_length(step, pointer, limit) if span is None else span.length


def measured_length(step: Step, pointer: Value, limit: Value | None = None) -> Value | None:
    """strlen, or strnlen with a limit (64 bits), of a text whose length is one value; None for another text."""
    text = measured_at(step, pointer)
    return None if text is None else _limited(text.length, limit)


def known_length(step: Step, pointer: Value, limit: Value | None = None) -> Value | None:
    """The same of a text that was joined from several, too."""
    length = measured_length(step, pointer, limit)
    if length is not None or not step.limits.measures_texts:
        return length
    location = readable(step, pointer, 1)
    assert location is not None
    length = joined_length(step, location)
    return None if length is None else _limited(length, limit)


def _limited(length: Value, limit: Value | None) -> Value:
    return length if limit is None else build.ite(build.ult(length, limit, 64), length, limit, 64)


def _is_end(character: Value) -> ScanStep:
    return ScanStep(build.eq(character, 0, 8), 1)


def string_length(step: Step, pointer: Value, limit: int | None = None) -> int:
    """The same as a number: the path forks on each symbolic character."""
    if limit == 0:
        return 0
    return _length_of(step, Characters(step, pointer), limit)


def _length_of(step: Step, characters: Characters, limit: int | None = None) -> int:
    known = characters.concrete_end()
    if known is not None and (limit is None or known <= limit):
        return known
    index = 0
    while limit is None or index < limit:
        if step.decide(build.eq(characters.at(index), 0, 8)):
            break
        index += 1
    return index


def read_c_string(step: Step, pointer: Value, limit: int | None = None) -> list[Value]:
    """The characters of a string without its NUL, at most ``limit``."""
    if limit == 0:
        return []
    characters = Characters(step, pointer)
    known = characters.concrete_end()
    if known is not None and (limit is None or known <= limit):
        return list(characters.concrete(known))
    return [characters.at(i) for i in range(_length_of(step, characters, limit))]


def text_at(step: Step, pointer: Value, otherwise: str) -> str:
    """A string for a name or a message. It has no faults and no forks; a symbolic character shows as ?."""
    if isinstance(pointer, Term):
        return otherwise
    item = step.state.memory.objects.get(object_of(pointer))
    offset = offset_in(pointer)
    if item is None or not 0 <= offset < len(item.data):
        return otherwise
    end = min(len(item.data), offset + LONGEST_TEXT)
    text = bytearray()
    for position in range(offset, end):
        if not item.is_concrete(position, 1):
            text.append(ord("?"))
            continue
        byte = item.data[position]
        if byte == 0:
            break
        text.append(byte)
    return text.decode("utf-8", "replace")


def compare_strings(step: Step, left: Value, right: Value, limit: Value | None, *, fold: bool) -> Value:
    """strcmp, strncmp (``limit``: 64 bits) and, with ``fold``, strcasecmp, without forks.

    Yields the difference of the first characters that differ, as unsigned bytes (32 bits).
    """
    if limit == 0:
        return 0
    if limit is not None and isinstance(limit, Term) and step.decide(build.eq(limit, 0, 64)):
        return 0
    if is_measurable(step, left) and is_measurable(step, right):
        one, other = measured_at(step, left), measured_at(step, right)
        if one is not None and other is not None:
            return compare_texts(step, one, other, limit, fold=fold)
    a, b = Characters(step, left), Characters(step, right)
    steps: list[tuple[Value, Value, Value]] = []
    going: Value = 1
    index = 0
    while limit is None or not isinstance(limit, int) or index < limit:
        if isinstance(limit, Term) and index:
            going = build.both(going, build.ult(index, limit, 64))
        if going == 0:
            break
        if index == MOST_OF_ARRAYS and (a.grow or b.grow):
            said = f"a comparison of more than {MOST_OF_ARRAYS} characters of an array without an end"
            step.limit(build.negate(going), "capacity", said)
            break
        x, y = a.under(index, going), b.under(index, going)
        if fold:
            x, y = to_lower(x, 8), to_lower(y, 8)
        steps.append((going, x, y))
        going = build.both(going, build.both(build.eq(x, y, 8), build.ne(x, 0, 8)))
        index += 1
    result: Value = 0
    for condition, x, y in reversed(steps):
        stop = build.either(build.ne(x, y, 8), build.eq(x, 0, 8))
        value = build.sub(build.zext(x, 8, 32), build.zext(y, 8, 32), 32)
        difference = build.ite(stop, value, result, 32)
        result = build.ite(condition, difference, 0, 32) if isinstance(limit, Term) else difference
    return result
