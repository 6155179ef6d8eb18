"""Unread bytes: unwritten ones become fresh inputs when first read; copies of one byte agree.

A variable that the program declares and the C library defines, such as stdout, has known bytes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from unfork.engine.memory import copied_extents
from unfork.engine.memory.lazy_objects import Reader, character_at, touch
from unfork.engine.memory.library_objects import extern_contents
from unfork.engine.state.flat_layout import number_of
from unfork.engine.state.inputs import unwritten_symbols
from unfork.engine.state.lazy import LAZY
from unfork.engine.state.memory import MASK_64, UNINITIALISED, MemoryObject
from unfork.engine.state.merge_rules import CountPart, FirstNamePart
from unfork.engine.state.origins import (
    NO_ORIGINS,
    CopiedText,
    OriginRange,
    OriginRecord,
    OverwrittenBytes,
    RepeatedByte,
    StoredBytes,
    TextPart,
    UnknownWrite,
    UnreadByte,
    UnwrittenBytes,
)
from unfork.engine.state.remembered import FactFamily
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.program.llvm.types import NARROW_POINTER, POINTER

WIDEST = 8
"""A longer run is cut into symbols of this many bytes."""
MOST_CHANGED = 512
"""The most bytes under writes at unknown places that one access reads: each asks whether each write is there.
clibs/buffer's buffer_trim_right took more than 1.6 GB without."""
LEAST_UNREAD = 16
"""An access at an unknown place makes fewer unread bytes one by one."""
MOST_PIECES = 64
"""A byte at an unknown place is one of so many known bytes and records, or all unread ones are made."""
SHARED_COPIES = 1 << 16
"""A longer unwritten range does not share symbols with its copies."""
LABELS: FactFamily[int] = FactFamily("objects called", CountPart(), 0)
"""How many objects of a name have labels, by name."""
COPIED: FactFamily[Value | None] = FactFamily("uninitialised", FirstNamePart(), None)
"""The symbols (8 bits) of unwritten bytes that were read after they were copied, by object and offset."""


def initialise(step: Reader, number: int, offset: int, count: int) -> MemoryObject:
    """The object, after fresh symbols have replaced the unwritten bytes of a range."""
    memory = step.state.memory
    item = memory.objects[number]
    if item.mask is None:
        return item
    runs = item.uninitialised_runs(offset, count)
    if not runs:
        return item
    if isinstance(step, Step):
        limit_changed(step, number, offset, count)
    if item.kind == LAZY:
        _read_origins(step, number, offset, count)
        if not item.origins or memory.objects[number].uninitialised_runs(offset, count):
            touch(step, number, offset, count)
        return memory.objects[number]
    known = extern_contents(item.name) if item.kind == "global" else None
    if known is not None and memory.is_narrow and len(known) == POINTER.size:
        known = number_of(int.from_bytes(known, "little"), memory).to_bytes(NARROW_POINTER.size, "little")
    for start, length in runs:
        if known is not None and start + length <= len(known):
            memory.writable(number).write_bytes(start, known[start : start + length])
        else:
            _fill(step, number, start, length)
    item = memory.objects[number]
    if item.read_only:
        item.owner = None
    return item


def limit_changed(step: Step, number: int, offset: int, count: int) -> None:
    """Give up a path that reads too many bytes at once that writes at unknown places may have changed."""
    origins = step.state.memory.objects[number].origins
    if not origins:
        return
    ranges = origins.within(offset, offset + count)
    changed = sum(each.end - each.start for each in ranges if isinstance(each.record, OverwrittenBytes))
    said = f"a read of more than {MOST_CHANGED} bytes at once that writes at unknown places may have changed"
    step.limit(int(changed <= MOST_CHANGED), "capacity", said)


def _fill(step: Reader, number: int, start: int, length: int) -> None:
    has_origins = _read_origins(step, number, start, length)
    item = step.state.memory.writable(number)
    for begin, size in item.uninitialised_runs(start, length) if has_origins else [(start, length)]:
        _make_fresh(step, item, begin, size)


def _read_origins(step: Reader, number: int, start: int, length: int) -> bool:
    """Write what the unread bytes of a range are by their origins. Whether any had one.

    A read may copy the state, so that the object is looked up for each byte.
    """
    origins = step.state.memory.objects[number].origins
    ranges = origins.within(start, start + length) if origins else ()
    for each in ranges:
        extent = copied_extents.CopiedExtent.of(step, each) if isinstance(step, Step) else None
        for position in range(each.start, each.end):
            value = _unread(step, each.at(position), extent)
            step.state.memory.writable(number).write(position, 1, value)
    return bool(ranges)


def _make_fresh(step: Reader, item: MemoryObject, start: int, length: int) -> None:
    end = start + length
    while start < end:
        size = end - start
        if size > WIDEST and size != 16:
            size = WIDEST
        item.write(start, size, step.fresh(f"{_label(step, item)}[{start}]", 8 * size, "uninit"))
        start += size


def _label(step: Reader, item: MemoryObject) -> str:
    """A name for the object that is unique on the path, and the same in a replay."""
    label = item.label
    if label is None:
        remembered = step.state.remembered
        name = item.name if item.site is None else f"{item.name}:{item.site.line}"
        count = remembered[LABELS.of(name)] + 1
        remembered[LABELS.of(name)] = count
        label = item.label = name if count == 1 else f"{name}#{count}"
    return label


def _copied_byte(step: Reader, owner: str, position: int) -> Value:
    """The value of an unwritten byte that was copied: one symbol for all copies."""
    remembered = step.state.remembered
    name = f"{owner}[{position}]"
    value = remembered[COPIED.of(name)]
    if value is None:
        value = remembered[COPIED.of(name)] = step.fresh(name, 8, "uninit")
    return value


def _unread(step: Reader, origin: Value | UnreadByte, extent: copied_extents.CopiedExtent | None = None) -> Value:
    """The value of a byte by its origin. What the path excludes is not made. ``extent``: what is known of its newest
    record.
    """
    layers: list[tuple[Value, Value]] = []
    while isinstance(origin, UnreadByte) and not (layers and layers[-1][0] == 1):
        more, origin = _peeled(step, origin.record, origin.place, extent)
        layers += more
        extent = None
    return _choice(layers, 0 if isinstance(origin, UnreadByte) else origin)


def _choice(layers: Sequence[tuple[Value, Value]], otherwise: Value) -> Value:
    """The first of some bytes (8 bits) whose condition holds."""
    result = otherwise
    for condition, then in reversed(layers):
        result = build.ite(condition, then, result, 8)
    return result


def _peeled(
    step: Reader, record: OriginRecord, place: int, extent: copied_extents.CopiedExtent | None
) -> tuple[list[tuple[Value, Value]], Value | UnreadByte]:
    """What a byte may be by its newest record, each value (8 bits) with its condition, and what it is otherwise."""
    if isinstance(record, UnwrittenBytes):
        return [], _copied_byte(step, record.name, place)
    is_meant, before = _is_meant(record, place, place + 1), record.before
    if extent is None:
        layers = _newest(step, record, place, is_meant)
    else:
        is_meant = is_meant if is_meant == 1 else extent.is_meant(place, is_meant)
        layers = _known_layers(step, extent, place, is_meant)
    return layers, 0 if before is None or is_meant == 1 else before.at(place)


def _known_layers(
    step: Reader, extent: copied_extents.CopiedExtent, place: int, is_meant: Value
) -> list[tuple[Value, Value]]:
    """What a byte of a copied text may be, each value (8 bits) with its condition."""
    record = extent.record
    distance = place - record.start
    layers: list[tuple[Value, Value]] = []
    if record.end is not None and extent.may_end(place):
        is_end = build.both(is_meant, build.eq(distance, record.end, 64))
        layers = [] if is_end == 0 else [(is_end, 0)]
    if is_meant == 0 or (layers and layers[0][0] == 1):
        return layers
    return [*layers, (is_meant, character_at(step, record.text, record.offset + distance))]


def _is_meant(record: CopiedText | OverwrittenBytes, place: Value, end: int) -> Value:
    """Whether a byte, which lies in front of byte ``end``, is a character of a copied text (1 bit)."""
    if isinstance(record, OverwrittenBytes):
        return 0
    if record.before is None or end <= record.before.start:
        return 1
    return build.ult(build.sub(place, record.start, 64), record.count, 64)


def _newest(
    step: Reader, record: CopiedText | OverwrittenBytes, place: Value, is_meant: Value
) -> list[tuple[Value, Value]]:
    """What a byte at a place (64 bits) of a record may be by that record, each value (8 bits) with its condition."""
    if isinstance(record, CopiedText):
        part = TextPart(record.text, record.offset, record.end)
        return _character_layers(step, is_meant, part, build.sub(place, record.start, 64))
    layers: list[tuple[Value, Value]] = []
    for write in reversed(record.writes):
        layers += _written(step, write, place)
        if layers and layers[-1][0] == 1:
            break
    return layers


def unread_byte(step: Step, number: int, offset: Value, low: int, high: int) -> Value | None:
    """A byte at an unknown offset (64 bits) from byte ``low`` to before byte ``high`` of an object, by their origins.

    None if fewer bytes than LEAST_UNREAD are unread, or known bytes and records are more than MOST_PIECES.
    """
    item = step.state.memory.objects[number]
    if not item.origins or _count_unread(item, low, high) < LEAST_UNREAD:
        return None
    if is_measured_text(step, number):
        item = name_unread(step, number, low, high - low)
    layers: list[tuple[Value, Value]] = []
    parts: deque[tuple[StoredBytes, Value, int, int]] = deque([(item, offset, low, high)])
    while parts:
        stored, at, low, high = parts.popleft()
        origins = stored.origins or NO_ORIGINS
        ranges, unread = origins.within(low, high), _count_unread(stored, low, high)
        told = [(each, each.record) for each in ranges if not isinstance(each.record, UnwrittenBytes)]
        if len(told) < len(ranges) or sum(each.end - each.start for each in ranges) != unread:
            return None
        if len(layers) + len(parts) + len(ranges) + high - low - unread > MOST_PIECES:
            return None
        for each, record in told:
            place, start, end = build.sub(at, each.shift, 64), each.start - each.shift, each.end - each.shift
            is_meant = _is_meant(record, place, end)
            here = build.both(build.ule(start, place, 64), build.ult(place, end, 64))
            layers += [(build.both(here, is_it), value) for is_it, value in _newest(step, record, place, is_meant)]
            if record.before is not None and is_meant != 1:
                begin = record.before.start
                rest = record.before.item, build.sub(place, begin, 64), max(start, begin) - begin, end - begin
                parts.append(rest)
        for start, end in origins.gaps(low, high):
            layers += [(build.eq(at, position, 64), stored.byte(position)) for position in range(start, end)]
    return _choice(layers, 0)


def _count_unread(item: StoredBytes, low: int, high: int) -> int:
    return 0 if item.mask is None else item.mask.count(UNINITIALISED, low, high)


def _written(step: Reader, write: UnknownWrite, place: Value) -> list[tuple[Value, Value]]:
    """What a write may have left at a byte, each value (8 bits) with its condition."""
    distance = build.sub(place, write.place, 64)
    match write.written:
        case TextPart() as part:
            return _character_layers(step, build.ult(distance, write.size, 64), part, distance)
        case RepeatedByte(byte=byte):
            return _layers(step, [(build.ult(distance, write.size, 64), byte)])
        case value:
            assert isinstance(write.size, int)
            places = [(i, build.eq(write.place, build.sub(place, i, 64), 64)) for i in range(write.size)]
            return _layers(step, [(is_there, build.extract(value, 8 * i, 8)) for i, is_there in places])


def _character_layers(step: Reader, condition: Value, part: TextPart, distance: Value) -> list[tuple[Value, Value]]:
    """A character of a text where a condition holds, or the NUL in its place."""
    is_end = 0 if part.end is None else build.both(condition, build.eq(distance, part.end, 64))
    layers = _layers(step, [(is_end, 0)])
    if layers and layers[0][0] == 1:
        return layers
    character = TextPart(part.text, build.add(part.offset, distance, 64))
    return layers + _layers(step, [(condition, character)])


def _layers(step: Reader, parts: Sequence[tuple[Value, Value | TextPart]]) -> list[tuple[Value, Value]]:
    """Values with their conditions, without those that the path excludes; a condition that it implies is 1."""
    found = [_layer(step, condition, value) for condition, value in parts]
    return [each for each in found if each is not None]


def _layer(step: Reader, condition: Value, value: Value | TextPart) -> tuple[Value, Value] | None:
    """A value that a byte has under a condition, which is 1 if the path implies it; None if the path excludes it."""
    if isinstance(step, Step) and isinstance(condition, Term):
        path = step.state.path
        if step.chain.must(path, build.negate(condition)):
            return None
        if step.chain.must(path, condition):
            condition = 1
    if condition == 0:
        return None
    return condition, character_at(step, value.text, value.offset) if isinstance(value, TextPart) else value


def mark_copied(step: Reader, number: int, offset: int, count: int) -> MemoryObject:
    """The object, after its unwritten bytes in a range have names, so that the copies to be made agree."""
    memory = step.state.memory
    item = memory.objects[number]
    if item.kind == LAZY and not is_measured_text(step, number):
        return initialise(step, number, offset, count)
    if item.mask is None or (count > SHARED_COPIES and item.kind != LAZY):
        return item
    return name_unread(step, number, offset, count)


def is_measured_text(step: Reader, number: int) -> bool:
    """Whether an object of the input is a text whose length is one value."""
    if not isinstance(step, Step) or not step.limits.measures_texts:
        return False
    text = step.state.lazy.find(number)
    return text is not None and text.is_text and not text.is_stated and not isinstance(text.length, int)


def name_unread(step: Reader, number: int, offset: int, count: int) -> MemoryObject:
    """The object, after all unread bytes in a range have origins; those of a measured text are its characters."""
    memory = step.state.memory
    item = memory.objects[number]
    runs = item.uninitialised_runs(offset, count)
    gaps = [gap for start, length in runs for gap in (item.origins or NO_ORIGINS).gaps(start, start + length)]
    if not gaps:
        return item
    item = memory.writable(number)
    record: OriginRecord
    record = CopiedText(number, 0, 0, MASK_64, None) if item.kind == LAZY else UnwrittenBytes(_label(step, item))
    item.add_origins(tuple([OriginRange(start, end, record) for start, end in gaps]))
    return item


def doubtful_bytes(step: Step, number: int, start: int, end: int) -> list[tuple[int, int]]:
    """The ranges (start, end) between two positions of an object without unread bytes that were surely written."""
    origins = step.state.memory.objects[number].origins or NO_ORIGINS
    sure = [each for each in origins.within(start, end) if _is_written(step, each)]
    edges = [start, *[edge for each in sure for edge in (each.start, each.end)], end]
    return [(low, high) for low, high in zip(edges[::2], edges[1::2], strict=True) if low < high]


def _is_written(step: Step, each: OriginRange) -> bool:
    """Whether all unread bytes of a range come from writes and texts."""
    waiting, values = [each], set[Value]()
    while waiting:
        current = waiting.pop()
        match current.record:
            case UnwrittenBytes():
                return False
            case CopiedText(before=before):
                pass
            case OverwrittenBytes(writes=writes, before=before):
                values.update(write.written for write in writes if isinstance(write.written, Term))
                values.update(write.written.byte for write in writes if isinstance(write.written, RepeatedByte))
        if before is not None:
            item, shift = before.item, current.shift + before.start
            start, end = max(current.start - shift, 0), max(current.end - shift, 0)
            origins = item.origins or NO_ORIGINS
            waiting += origins.within(start, end)
            for low, high in origins.gaps(start, end):
                if item.uninitialised_runs(low, high - low):
                    return False
                if not item.is_concrete(low, high - low):
                    values.update(item.byte(at) for at in range(low, high))
    return not any(unwritten_symbols(value, step.state.inputs) for value in values if isinstance(value, Term))
