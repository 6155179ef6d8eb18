"""Texts of the input whose length is one value, and copies of them: their characters are made when they are read.

A copy of characters leaves unread bytes with an origin (CopiedText), so that a long text, too, costs nothing before a
character of it matters. So does a write at an unknown place (OverwrittenBytes).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from unfork.engine.memory.lazy_objects import character_at, made_length
from unfork.engine.memory.pieces import spell_ends_out, spell_out
from unfork.engine.memory.resolve import Location, resolve_single
from unfork.engine.memory.uninitialised import is_measured_text, name_unread
from unfork.engine.state.lazy import LAZY, LazyObject
from unfork.engine.state.memory import MASK_64, SYMBOLIC, UNINITIALISED, MemoryObject
from unfork.engine.state.origins import (
    NO_ORIGINS,
    CopiedText,
    FormerBytes,
    OriginRange,
    OverwrittenBytes,
    RepeatedByte,
    StoredBytes,
    TextPart,
    UnknownWrite,
    UnwrittenBytes,
)
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value

_KNOWN = re.compile(rb"[^%c]" % UNINITIALISED)
Writes = tuple[tuple[Value, UnknownWrite], ...]
"""Writes at unknown places, each with its distance (64 bits) from the beginning of a text."""
MOST_CHANGES = 16
"""A text of which the program changed more is read character by character."""


@dataclass(frozen=True, slots=True)
class MeasuredText:
    """A text that begins at character ``offset`` (64 bits) of input object ``number``; ``length`` is from there.

    ``is_cut``: the program may have written a NUL at its end. ``made`` is the length without that.
    """

    number: int
    offset: Value
    length: Value
    made: Value
    is_cut: bool = False


def character_of(step: Step, text: MeasuredText, distance: Value) -> Value:
    """The character (8 bits) of a measured text at a distance (64 bits) of at most its length."""
    character = character_at(step, text.number, build.add(text.offset, distance, 64))
    return build.ite(build.eq(distance, text.length, 64), 0, character, 8) if text.is_cut else character


def measured(step: Step, location: Location) -> MeasuredText | None:
    """The text of the input, or the copy of one, at a location; None for other bytes."""
    if not step.limits.measures_texts:
        return None
    number, offset = location.number, location.offset
    begin = offset if isinstance(offset, int) else 0
    start = 0 if isinstance(offset, int) else offset
    text = step.state.lazy.find(number)
    if text is not None:
        return _given(step, text, begin, start)
    copy = _copy_at(step, location.item, begin, start)
    return None if copy is None else copy.text()


def joined_length(step: Step, location: Location) -> Value | None:
    """The length (64 bits) of the copy of a text to which others were added at unknown places; None for other bytes."""
    offset = location.offset
    if not step.limits.measures_texts or not isinstance(offset, int) or location.item.kind == LAZY:
        return None
    copy = _copy_at(step, location.item, offset, 0)
    return None if copy is None else copy.joined_length()


def _copy_at(step: Step, item: MemoryObject, begin: int, start: Value) -> _Inspection | None:
    """A look at the copy of a text that begins at a byte, if that is a copy of a character."""
    first = _character(step, item, begin)
    text = None if first is None else step.state.lazy.find(first[0])
    if first is None or text is None or isinstance(text.length, int):
        return None
    most = build.sub(made_length(step, text), first[1], 64)
    if step.chain.bounds(step.state.path, most, 64)[1] >= len(item.data) - begin:
        return None
    return _Inspection(step, item, begin, start, first, most)


def _given(step: Step, text: LazyObject, begin: int, start: Value) -> MeasuredText | None:
    """The text of the input that begins ``start`` (64 bits) bytes from byte ``begin`` on."""
    item = step.state.memory.objects[text.number]
    if not text.is_text or text.is_stated or item.mask is None:
        return None
    first = text.number, begin
    if isinstance(text.length, int) and any(
        not _is_read(step, item, position, (text.number, position))
        for position in _known_positions(item, begin, len(item.data))
    ):
        return None
    most = build.sub(made_length(step, text), begin, 64)
    return _Inspection(step, step.state.memory.objects[text.number], begin, start, first, most).text()


@dataclass(slots=True)
class _Inspection:
    """Whether the bytes of an object from ``begin`` on are those of a text, and where that ends.

    They would be the text of the input with character ``first`` (its number, and an offset), of ``most`` characters
    (64 bits). The text that is wanted begins ``start`` bytes (64 bits) later.
    """

    step: Step
    item: MemoryObject
    begin: int
    start: Value
    first: tuple[int, int]
    most: Value
    _ends: dict[tuple[Value, Value], Writes] = field(default_factory=dict)
    """NULs that the program wrote, by their distance from ``begin`` and their number (64 bits), with newer writes."""
    _copied: dict[tuple[Value, Value], CopiedText] = field(default_factory=dict)
    """The NULs among them that ended copies."""
    _nuls: dict[tuple[Value, UnknownWrite], None] = field(default_factory=dict)
    """The writes of NULs at unknown places."""
    _pieces: dict[tuple[CopiedText | None, Writes], list[range]] = field(default_factory=dict)
    """Where bytes of copies are, by record and newer writes; None: where own characters were read or written."""
    _writes: dict[tuple[Value, Value], Writes] = field(default_factory=dict)
    """Other bytes that are not the text's, by their distance from ``begin`` and their number, with newer writes."""
    _copies: dict[Value, int] = field(default_factory=dict)
    """The numbers of bytes of copies, with the largest index in them of the byte at ``begin``."""
    _chains: dict[Writes, None] = field(default_factory=dict)
    """Writes at unknown places that may be to a byte, for some byte; the last one is the newest."""
    _own: dict[Writes, range] = field(default_factory=dict)
    """Where the text's own bytes lie, by newer writes."""

    def text(self) -> MeasuredText | None:
        """The text; None if there is another one."""
        self._see_all(self.step.chain.bounds(self.step.state.path, self.most, 64)[1] + 1)
        for chain in self._chains:
            for distance, write in chain:
                is_nul = (write.size, write.written) == (1, 0) or write.written == RepeatedByte(0)
                if is_nul:
                    self._nuls[distance, write] = None
                (self._ends if is_nul else self._writes)[distance, write.size] = ()
        return self._text()

    def joined_length(self) -> Value | None:
        """The length (64 bits) of the text after all writes at unknown places; None if that is not one value."""
        self._see_all(len(self.item.data) - self.begin)
        writes = max(self._chains, key=len, default=())
        if any(not _is_subsequence(each, writes) for each in self._chains) or not self._is_base(writes):
            return None  # it is not known which one is newer
        others = {**self._ends, **self._writes}
        newest = [place for place, newer in others.items() if not self._is_older(place, newer, writes)]
        self._ends = {place: newer for place, newer in self._ends.items() if place not in newest}
        self._writes = {place: newer for place, newer in self._writes.items() if place not in newest}
        base = self._text()
        text = JoinedText(base.length, is_open=False) if base is not None else self._open_copy()
        for distance, write in writes:
            text = None if text is None else _after(self.step, text, distance, write)
        if text is None or text.is_open:
            return None
        behind = [build.ult(text.length, place, 64) for place, _ in newest]
        return text.length if self.step.chain.must(self.step.state.path, build.conjunction(behind)) else None

    def _is_base(self, writes: Writes) -> bool:
        """Whether each write is newer than the text's own bytes, or to none of them."""
        return all(self._is_older((own.start, len(own)), newer, writes) for newer, own in self._own.items())

    def _is_older(self, place: tuple[Value, Value], newer: Writes, writes: Writes) -> bool:
        """Whether each write is among those that are newer than some bytes, or to none of them."""
        apart = [_is_apart(*place, *each) for each in writes if each not in newer]
        return self.step.chain.must(self.step.state.path, build.conjunction(apart))

    def _note_own(self, low: int, high: int, newer: Writes) -> None:
        known = self._own.get(newer, range(low, high))
        self._own[newer] = range(min(low, known.start), max(high, known.stop))

    def _open_copy(self) -> JoinedText | None:
        """The copy of the first characters of a text, without its NUL."""
        must, path = self.step.chain.must, self.step.state.path
        if len(self._copies) != 1 or self._ends:
            return None
        [(count, begin)] = self._copies.items()
        fits = [build.ule(count, place, 64) for place, _ in self._writes]
        is_copy = build.conjunction([int(begin == 0), build.ule(count, self.most, 64), *fits])
        return JoinedText(count, is_open=True) if must(path, is_copy) else None

    def _text(self) -> MeasuredText | None:
        step, start = self.step, self.start
        path = step.state.path
        if len(self._ends) + len(self._writes) > MOST_CHANGES:
            return None
        if start != 0 and self.item.kind != LAZY and not step.chain.must(path, build.ule(start, self.most, 64)):
            return None
        if not self._keeps_ends():
            return None
        made = length = build.sub(self.most, start, 64)
        ends: list[Value] = []
        for place, size in self._ends:
            end = build.sub(place, start, 64)
            if size != 1:
                last = build.sub(build.add(end, size, 64), 1, 64)
                is_none = build.eq(size, 0, 64)
                if not step.chain.must(path, build.either(is_none, build.ule(end, last, 64))):
                    return None  # the text may begin among them
                end = build.ite(is_none, MASK_64, end, 64)
            if not step.chain.must(path, build.ult(made, end, 64)):
                length = build.ite(build.ult(end, length, 64), end, length, 64)
                ends.append(end)
        if not self._is_whole(made, length, ends):
            return None
        offset = build.add(self.first[1], start, 64)
        return MeasuredText(self.first[0], offset, length, made, is_cut=bool(ends))

    def _keeps_ends(self) -> bool:
        """Whether no character of the text has replaced a NUL of a copy, or one at an unknown place."""
        keeps: list[Value] = []
        for (place, _), record in self._copied.items():
            others = [each for (other, _), pieces in self._pieces.items() if other != record for each in pieces]
            keeps += [
                build.either(build.ult(place, each.start, 64), build.ule(each.stop, place, 64)) for each in others
            ]
        for nul in self._nuls:
            others = [each for (_, newer), pieces in self._pieces.items() if nul not in newer for each in pieces]
            keeps += [_is_apart(each.start, len(each), *nul) for each in others]
        return self.step.chain.must(self.step.state.path, build.conjunction(keeps))

    def _note_piece(self, record: CopiedText | None, low: int, high: int, newer: Writes) -> None:
        pieces = self._pieces.setdefault((record, newer), [])
        if pieces and pieces[-1].stop == low:
            low = pieces.pop().start
        pieces.append(range(low, high))

    def _is_whole(self, made: Value, length: Value, ends: list[Value]) -> bool:
        """Whether no other write is to the text's ``length`` characters or its NUL, and copies have all of them."""
        chain, path = self.step.chain, self.step.state.path
        for place, size in self._writes:
            distance = build.sub(place, self.start, 64)
            last = build.sub(build.add(distance, size, 64), 1, 64)
            is_behind = build.both(build.ult(length, distance, 64), build.ule(distance, last, 64))
            if not chain.must(path, build.either(build.eq(size, 0, 64), is_behind)):
                return False
        is_cut = build.disjunction([build.eq(length, each, 64) for each in ends])
        for count, begin in self._copies.items():
            skipped = build.add(self.start, begin, 64)
            has_all = build.ule(build.add(length, skipped, 64), count, 64)
            has_end = build.either(is_cut, build.ult(build.add(made, skipped, 64), count, 64))
            if not chain.must(path, build.both(has_all, has_end)):
                return False
        return True

    def _see_all(self, count: int) -> None:
        """Note what the ``count`` bytes from ``begin`` on are, if they are not the text's."""
        waiting: list[tuple[StoredBytes, int, int, int, Writes]] = [(self.item, self.begin, 0, count, ())]
        while waiting:
            item, base, low, high, newer = waiting.pop()
            ranges = () if item.origins is None else item.origins.within(base + low, base + high)
            for each in ranges:
                record, beginning = each.record, base - each.shift
                if isinstance(record, OverwrittenBytes):
                    older = [(build.sub(write.place, beginning, 64), write) for write in record.writes]
                    place = beginning - record.before.start
                    view = record.before.item, place, each.start - base, each.end - base
                    waiting.append((*view, (*older, *newer)))
                else:
                    self._see_range(each, base, newer)
            self._chains[newer] = None
            self._see_known(item, base, low, high, newer)
            if item is not self.item or item.kind != LAZY:
                for start, size in item.uninitialised_runs(base + low, high - low):
                    for gap, end in (item.origins or NO_ORIGINS).gaps(start, start + size):
                        self._writes[gap - base, end - gap] = newer

    def _see_range(self, each: OriginRange, base: int, newer: Writes) -> None:
        """Note what the bytes of a range are."""
        record, beginning = each.record, base - each.shift
        match record:
            case CopiedText(text=text, offset=offset, start=start, count=count, before=before, end=end):
                index = beginning - start
                if (text, offset + index) != self.first:
                    self._writes[each.start - base, each.end - each.start] = newer
                    return
                self._note_own(each.start - base, each.end - base, newer)
                self._note_piece(record, each.start - base, each.end - base, newer)
                if before is not None and each.end - each.shift > before.start:
                    self._copies[count] = max(self._copies.get(count, index), index)
                if end is not None:
                    is_copied = build.ult(end, count, 64)
                    size = 1 if self.step.chain.must(self.step.state.path, is_copied) else build.zext(is_copied, 1, 64)
                    self._ends[build.sub(end, index, 64), size] = newer
                    self._copied[build.sub(end, index, 64), size] = record
            case _:
                self._writes[each.start - base, each.end - each.start] = newer

    def _see_known(self, item: StoredBytes, base: int, low: int, high: int, newer: Writes) -> None:
        """Note the bytes that were read or written at known places; only the first other one, if the text begins at
        ``begin``.
        """
        number, offset = self.first
        for position in _known_positions(item, base + low, base + high):
            distance = position - base
            if _is_read(self.step, item, position, (number, offset + distance)):
                self._note_own(distance, distance + 1, newer)
                self._note_piece(None, distance, distance + 1, newer)
                continue
            if item.is_concrete(position, 1) and item.data[position] == 0:
                self._ends[distance, 1] = newer
            else:
                self._writes[distance, 1] = newer
            if self.start == 0 or len(self._ends) + len(self._writes) > MOST_CHANGES:
                break


@dataclass(frozen=True, slots=True)
class JoinedText:
    """The characters before ``length`` (64 bits) are no NUL; the one there is, unless the text ``is_open``."""

    length: Value
    is_open: bool


def _after(step: Step, text: JoinedText, distance: Value, write: UnknownWrite) -> JoinedText | None:
    """A text after a write at a distance (64 bits) from its beginning; None if that may be one of several."""
    must, path, length = step.chain.must, step.state.path, text.length
    beyond = build.add(distance, write.size, 64)
    if not text.is_open and must(path, build.both(build.ult(length, distance, 64), build.ule(distance, beyond, 64))):
        return text
    if not must(path, build.ule(distance, length, 64)):
        return None
    end = _end_in(step, write)
    if end is None:
        return None
    if end is not write.size:
        return JoinedText(build.add(distance, end, 64), is_open=False)
    if must(path, build.ule(beyond, length, 64)):
        return text
    return JoinedText(beyond, is_open=True) if must(path, build.ule(length, beyond, 64)) else None


def _end_in(step: Step, write: UnknownWrite) -> Value | None:
    """The index (64 bits) of the first NUL that is written, the size itself if none is; None if neither is known."""
    size, must, path = write.size, step.chain.must, step.state.path
    match write.written:
        case RepeatedByte(byte=byte):
            if must(path, build.ne(byte, 0, 8)):
                return size
            return 0 if byte == 0 and must(path, build.ne(size, 0, 64)) else None
        case TextPart(text=number, offset=offset, end=end):
            text = step.state.lazy.find(number)
            assert text is not None
            last = build.sub(made_length(step, text), offset, 64) if end is None else end
            if must(path, build.ult(last, size, 64)):
                return last
            return size if must(path, build.ule(size, last, 64)) else None
        case value:
            assert isinstance(size, int)
            parts = [build.extract(value, 8 * i, 8) for i in range(size)]
            index = next((i for i, part in enumerate(parts) if not must(path, build.ne(part, 0, 8))), size)
            return index if index == size or parts[index] == 0 else None


def _is_apart(start: Value, count: Value, distance: Value, write: UnknownWrite) -> Value:
    """Whether a write at a distance (64 bits) is to none of ``count`` bytes."""
    end, beyond = build.add(start, count, 64), build.add(distance, write.size, 64)
    is_outside = build.either(build.ule(end, distance, 64), build.ule(beyond, start, 64))
    return build.conjunction([build.ule(start, end, 64), build.ule(distance, beyond, 64), is_outside])


def _is_subsequence(few: Writes, many: Writes) -> bool:
    rest = iter(many)
    return all(each in rest for each in few)


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
    return isinstance(location.offset, int) and _character(step, location.item, location.offset) is not None


def text_character(step: Step, location: Location) -> Value | None:
    """The byte at an unknown offset of a measured text or a copy of one; None elsewhere."""
    if not step.limits.measures_texts or isinstance(location.offset, int):
        return None
    text = step.state.lazy.find(location.number)
    if text is not None and (not text.is_text or isinstance(text.length, int)):
        return None
    source = measured(step, location)
    return None if source is None else character_of(step, source, 0)


def _known_positions(item: StoredBytes, start: int, end: int) -> Iterator[int]:
    """The bytes between two positions that were read or written."""
    if item.mask is None:
        yield from range(max(start, 0), min(end, len(item.data)))
    else:
        for found in _KNOWN.finditer(item.mask, max(start, 0), min(end, len(item.mask))):
            yield found.start()


def _character(step: Step, item: StoredBytes, position: int) -> tuple[int, int] | None:
    """The text and the offset of the character that a byte is a copy of, read or not, unless it was overwritten."""
    if not 0 <= position < len(item.data) or item.mask is None:
        return None
    origin = item.origin(position)
    while origin is not None:
        match origin.record:
            case CopiedText(text=text, offset=offset, start=start):
                return text, offset + origin.place - start
            case OverwrittenBytes(before=before):
                item, position = before.item, origin.place - before.start
                origin = item.origin(position)
            case _:
                return None
    known = step.state.lazy.numbers.items() if item.mask is not None and item.mask[position] == SYMBOLIC else ()
    return next((place for place, value in known if _is_read(step, item, position, place)), None)


def _is_read(step: Step, item: StoredBytes, position: int, place: tuple[int, int]) -> bool:
    """Whether a byte is the character at a place of a text, which was read."""
    if item.mask is None or item.mask[position] == UNINITIALISED:
        return False
    value = step.state.lazy.numbers.get(place)
    return value is not None and item.byte(position) is value


def copy_text(step: Step, destination: Location, origin: Location, count: Value) -> bool:
    """Copy ``count`` bytes (64 bits) of a measured text, unread. Whether the bytes are one."""
    if not _takes_text(step, destination):
        return False
    text = step.state.lazy.find(origin.number)
    if isinstance(count, int) and text is not None and isinstance(text.length, int):
        return False  # a few characters of a text whose length does not matter yet
    source = _text_of(step, origin, count)
    if source is None:
        return False
    _copy_characters(step, destination, source, count)
    return True


def is_of_text(step: Step, location: Location, count: Value) -> bool:
    """Whether ``count`` bytes (64 bits) are characters of a measured text, and so have values, read or not."""
    return isinstance(count, Term) and _text_of(step, location, count) is not None


def _text_of(step: Step, location: Location, count: Value) -> MeasuredText | None:
    """The measured text to which ``count`` bytes (64 bits) at a location belong, its NUL included."""
    source = measured(step, location)
    if source is None:
        return None
    whole = build.add(source.length, 1, 64)
    is_within = count is whole or step.chain.must(step.state.path, build.ule(count, whole, 64))
    return source if is_within else None


def copy_whole(step: Step, destination: Location, source: MeasuredText) -> bool:
    """Copy a text and its NUL, unread. Whether the destination takes such bytes."""
    if not _takes_text(step, destination):
        return False
    _copy_characters(step, destination, source, build.add(source.length, 1, 64))
    return True


def _takes_text(step: Step, destination: Location) -> bool:
    """Whether an object may have unread characters of another one."""
    if not step.limits.measures_texts:
        return False
    return destination.item.kind != LAZY or is_measured_text(step, destination.number)


def _copy_characters(step: Step, destination: Location, source: MeasuredText, count: Value) -> None:
    if count == 0:
        return
    if isinstance(destination.offset, int) and isinstance(source.offset, int):
        put_text(step, destination.number, destination.offset, source, count)
    else:
        end = source.length if source.is_cut else None
        _overwrite(step, destination, count, TextPart(source.number, source.offset, end))


def put_text(step: Step, number: int, goal: int, source: MeasuredText, count: Value) -> None:
    """Make bytes of an object from ``goal`` on the first ``count`` characters (64 bits) of a text, unread."""
    assert isinstance(source.offset, int)
    low, high = step.chain.bounds(step.state.path, count, 64)
    high = min(high, len(step.state.memory.objects[number].data) - goal)
    spell_ends_out(step, number, goal, low)
    before = _former(step, number, goal + low, goal + high) if low < high else None
    end = source.length if source.is_cut else None
    item = step.state.memory.writable(number)
    item.leave_unread(goal, high, CopiedText(source.number, source.offset, goal, count, before, end))


def _former(step: Step, number: int, start: int, end: int) -> FormerBytes:
    """A range of bytes before a write that may be to them."""
    spell_out(step, number, start, end - start)
    return FormerBytes(start, name_unread(step, number, start, end - start).part(start, end - start))


def overwrite(step: Step, location: Location, value: Value, size: int) -> bool:
    """Write ``size`` bytes at an unknown offset of an object with unread characters. Whether it is one."""
    if isinstance(location.offset, int) or not _has_unread(step, location):
        return False
    if not (size == 1 and value == 0 and _ends_copy(step, location.number, location.offset)):
        _overwrite(step, location, size, value)
    return True


def overwrite_all(step: Step, location: Location, byte: Value, size: Value) -> bool:
    """Write a byte ``size`` times (64 bits), where one is unknown. Whether the object has unread characters."""
    if (isinstance(location.offset, int) and isinstance(size, int)) or not _has_unread(step, location):
        return False
    _overwrite(step, location, size, RepeatedByte(byte))
    return True


def _has_unread(step: Step, location: Location) -> bool:
    """Whether an object has characters that were not read."""
    if not step.limits.measures_texts:
        return False
    if step.state.lazy.find(location.number) is not None:
        return is_measured_text(step, location.number)
    ranges = () if location.item.origins is None else location.item.origins.ranges
    return any(not isinstance(each.record, UnwrittenBytes) for each in ranges)


def _overwrite(step: Step, location: Location, size: Value, written: Value | TextPart | RepeatedByte) -> None:
    """Write ``size`` bytes (64 bits) at an unknown offset, or an unknown number of them."""
    number, offset, path = location.number, location.offset, step.state.path
    first, last = step.chain.bounds(path, offset, 64)
    end = min(last + step.chain.bounds(path, size, 64)[1], len(location.item.data))
    origins = step.state.memory.objects[number].origins
    known = None if origins is None else origins.range_at(first)
    if known is not None and end <= known.end and isinstance(known.record, OverwrittenBytes):
        write = UnknownWrite(build.sub(offset, known.shift, 64), size, written)
        made = replace(known.cut(first, end), record=replace(known.record, writes=(*known.record.writes, write)))
    else:
        record = OverwrittenBytes((UnknownWrite(offset, size, written),), _former(step, number, first, end))
        made = OriginRange(first, end, record)
    item = step.state.memory.writable(number)
    item.make_uninitialised(first, end - first)
    item.add_origins((made,))


def _ends_copy(step: Step, number: int, place: Value) -> bool:
    """Take a NUL after all characters of a copied text for that of the text. Whether it is there."""
    item = step.state.memory.objects[number]
    for each in () if item.origins is None else item.origins.ranges:
        record = each.record
        if not isinstance(record, CopiedText) or record.before is None:
            continue
        goal, text = record.start + each.shift, step.state.lazy.find(record.text)
        assert text is not None
        length = build.sub(made_length(step, text), record.offset, 64)
        ends = build.both(build.eq(record.count, length, 64), build.eq(place, build.add(goal, length, 64), 64))
        if goal >= 0 and step.chain.must(step.state.path, ends):
            source = MeasuredText(record.text, record.offset, length, length)
            put_text(step, number, goal, source, build.add(length, 1, 64))
            return True
    return False
