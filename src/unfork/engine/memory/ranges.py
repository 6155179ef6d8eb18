"""Copies, fills and compares ranges of memory, with lengths and contents that may be symbolic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from unfork.engine.memory import lookout, placed_bytes
from unfork.engine.memory.lazy_objects import bytes_at
from unfork.engine.memory.loads import WRITE_CELLS, find_cells, is_wide, read_location, store
from unfork.engine.memory.loads import write_location as write_cells
from unfork.engine.memory.measured_texts import (
    MeasuredText,
    copy_text,
    copy_whole,
    is_of_text,
    measured,
    overwrite,
    overwrite_all,
)
from unfork.engine.memory.piece_looks import note_compared
from unfork.engine.memory.pieces import spell_ends_out, spell_out
from unfork.engine.memory.resolve import Location, length_bounds, resolve_any, resolve_single
from unfork.engine.memory.text_searches import compare_texts
from unfork.engine.memory.uninitialised import doubtful_bytes, initialise, mark_copied
from unfork.engine.state import unbounded
from unfork.engine.state.memory import MemoryObject, address_of
from unfork.engine.state.unbounded import UNBOUNDED
from unfork.engine.step.step import UNINITIALISED, WRITTEN, Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.program.facts.address_uses import WORD

WIDE_VALUE = 64
"""The most bytes to copy as one value at a symbolic offset."""
SPREAD_CHOICES = 1 << 11
"""The most choices for copying a symbolic number of bytes to a symbolic offset."""
MOST_COPIED = 64
"""The most elements to copy singly to or from an object of any length: each one changes its contents."""
PINNED_OFFSETS = 512
"""The most values of a symbolic offset that is split over."""


def readable(step: Step, pointer: Value, size: Value) -> Location | None:
    """The location of ``size`` bytes to read; None if there are none. Raises faults, splits over bases."""
    return resolve_single(step, pointer, size, "read")


def writable(step: Step, pointer: Value, size: Value) -> Location | None:
    """The location of ``size`` bytes to write; None if there are none. Raises faults, splits over bases."""
    return resolve_single(step, pointer, size, "write")


def pin_offset(step: Step, location: Location) -> int:
    """The location's offset as an int; splits over its values."""
    return step.concretize(location.offset, 64, PINNED_OFFSETS, "the offset of a range")


def use_bytes(step: Step, location: Location, length: Value) -> None:
    """The bytes of a location leave the program: unwritten ones are a fault. Bytes known to be written stay unread."""
    if UNINITIALISED not in step.limits.checks or is_of_text(step, location, length):
        return
    begin = pin_offset(step, location)
    low, high = length_bounds(step, length, len(location.item.data) - begin)
    for start, end in doubtful_bytes(step, location.number, begin, begin + high):
        initialise(step, location.number, start, end - start)
        values = spell_out(step, location.number, start, end - start).byte_values(start, end - start)
        for position, byte in enumerate(values, start - begin):
            step.use(byte if position < low else build.ite(build.ult(position, length, 64), byte, 0, 8), WRITTEN)


# --- copy ------------------------------------------------------------------------------------------------------------


def copy(step: Step, target: Value, source: Value, length: Value) -> None:
    """Copy ``length`` bytes (64 bits) as memmove does."""
    locations = _ends(step, target, source, length)
    if locations is not None:
        copy_locations(step, *locations, length)


def copy_apart(step: Step, target: Value, source: Value, length: Value, function: str) -> None:
    """Copy as memcpy does: ranges that overlap are a fault, but not equal ones: compilers copy structs so."""
    locations = _ends(step, target, source, length)
    if locations is None:
        return
    destination, origin = locations
    itself = build.eq(destination.offset, origin.offset, 64) if destination.number == origin.number else 0
    _require_apart(step, destination, length, origin, length, function, itself)
    copy_locations(step, destination, origin, length)


def require_apart(step: Step, target: Value, room: Value, source: Value, length: Value, function: str) -> None:
    """Check that the ``room`` bytes that ``function`` writes overlap none of the ``length`` that it reads."""
    origin, destination = readable(step, source, length), writable(step, target, room)
    if origin is not None and destination is not None:
        _require_apart(step, destination, room, origin, length, function, 0)


def _ends(step: Step, target: Value, source: Value, length: Value) -> tuple[Location, Location] | None:
    if length == 0:
        return None
    origin = resolve_any(step, source, length, "read")
    if origin is None:
        return None
    destination = resolve_any(step, target, length, "write")
    return None if destination is None else (destination, origin)


def _require_apart(
    step: Step, destination: Location, room: Value, origin: Location, length: Value, function: str, otherwise: Value
) -> None:
    if destination.number != origin.number:
        return
    ahead, behind = build.sub(destination.offset, origin.offset, 64), build.sub(origin.offset, destination.offset, 64)
    are_apart = build.both(build.uge(ahead, length, 64), build.uge(behind, room, 64))
    step.require(build.either(otherwise, are_apart), "invalid-call", f"{function} between ranges that overlap")


def _address(location: Location) -> Value:
    return build.add(address_of(location.number), location.offset, 64)


def copy_locations(step: Step, destination: Location, origin: Location, length: Value) -> None:
    """Copy between two locations that have room."""
    if step.sightings.watches:
        lookout.note_copy(step, _address(destination), _address(origin), length)
    if UNBOUNDED in (destination.item.kind, origin.item.kind):
        _copy_of_any_length(step, destination, origin, length)
        return
    if copy_text(step, destination, origin, length):
        return
    if (
        isinstance(length, int)
        and length <= WIDE_VALUE
        and not (isinstance(origin.offset, int) and isinstance(destination.offset, int))
    ):
        _copy_value(step, destination, origin, length)
        return
    if _copy_of_buffer(step, destination, origin, length):
        return
    is_movable = isinstance(destination.offset, Term)
    if is_movable and isinstance(length, Term) and _spread(step, destination, origin, length):
        return
    if (is_movable or isinstance(origin.offset, Term)) and placed_bytes.copy(step, destination, origin, length):
        return
    start = pin_offset(step, origin)
    if is_movable and step.chain.bounds(step.state.path, length, 64)[1] <= WIDE_VALUE:
        known = step.concretize(length, 64, WIDE_VALUE + 1, "the length of a copy")
        if known:
            _copy_value(step, destination, origin, known)
        return
    goal = pin_offset(step, destination)
    memory = step.state.memory
    low, high = length_bounds(step, length, min(len(origin.item.data) - start, len(destination.item.data) - goal))
    if isinstance(length, int):
        mark_copied(step, origin.number, start, length)
        _spell_out_copied(step, destination.number, goal, origin.number, start, length)
        source = memory.objects[origin.number]
        memory.writable(destination.number).copy_range(goal, source, start, length)
        return
    initialise(step, origin.number, start, high)
    initialise(step, destination.number, goal + low, high - low)
    _spell_out_copied(step, destination.number, goal, origin.number, start, low)
    spell_out(step, origin.number, start + low, high - low)
    spell_out(step, destination.number, goal + low, high - low)
    source = memory.objects[origin.number]
    new = source.byte_values(start + low, high - low)
    item = memory.writable(destination.number)
    old = item.byte_values(goal + low, high - low)
    item.copy_range(goal, source, start, low)
    _write_prefix(item, goal, new, old, low, length)


def copy_measured(step: Step, target: Value, source: Value, text: MeasuredText) -> None:
    """Copy the text at ``source`` and its NUL. All splits come before the first change."""
    whole = build.add(text.length, 1, 64)
    destination = resolve_any(step, target, whole, "write")
    if destination is None:
        return
    if step.sightings.watches:
        lookout.note_copy(step, target, source, whole)
    if not copy_whole(step, destination, text):
        store(step, build.add(target, text.length, 64), 0, 1)
        copy(step, target, source, text.length)


def _spell_out_copied(step: Step, target: int, goal: int, source: int, start: int, length: int) -> None:
    """Before a copy, make numbers of pointers that are copied in part, copied to unaligned places, or overwritten in
    part.
    """
    if (goal - start) % WORD:
        spell_out(step, source, start, length)
    else:
        spell_ends_out(step, source, start, length)
    spell_ends_out(step, target, goal, length)


def _copy_of_any_length(step: Step, destination: Location, origin: Location, length: Value) -> None:
    proof = step.state.proof
    contents, source = proof.contents.get(destination.number), proof.contents.get(origin.number)
    if contents is None or source is None:
        _copy_elements(step, destination, origin, length)
        return
    end = build.add(destination.offset, length, 64)
    changed = unbounded.copy(contents, destination.offset, end, source, origin.offset)
    step.state.proof = replace(proof, contents={**proof.contents, destination.number: changed})


def _copy_elements(step: Step, destination: Location, origin: Location, length: Value) -> None:
    contents = step.state.proof.contents
    strides = {unbounded.stride_of(contents[each.number]) for each in (destination, origin) if each.number in contents}
    size = max(strides)
    if len(strides) > 1 or not isinstance(length, int) or length % size or length > MOST_COPIED * size:
        step.unsupported("a copy to or from an object of any length, but of a known number of whole elements")
    destination, origin = [
        each if each.item.kind == UNBOUNDED else replace(each, offset=pin_offset(step, each))
        for each in (destination, origin)
    ]
    ends = [
        [replace(each, offset=build.add(each.offset, start, 64)) for start in range(0, length, size)]
        for each in (destination, origin)
    ]
    values = [read_location(step, source, size) for source in ends[1]]
    for target, value in zip(ends[0], values, strict=True):
        write_cells(step, target, find_cells(step, target, size, WRITE_CELLS), size, value, 1)


def _copy_of_buffer(step: Step, destination: Location, origin: Location, length: Value) -> bool:
    """Copy a few bytes, of an unknown number, from an unknown place of a buffer. Whether each is one value there."""
    goal = destination.offset
    if isinstance(origin.offset, int) or not isinstance(goal, int) or not is_wide(origin.offset, origin.item):
        return False
    low, high = length_bounds(step, length, len(destination.item.data) - goal)
    whole = bytes_at(step, origin.number, origin.offset, high) if high <= WIDE_VALUE else None
    if whole is None:
        return False
    new = [build.extract(whole, 8 * i, 8) for i in range(high)]
    initialise(step, destination.number, goal + low, high - low)
    spell_ends_out(step, destination.number, goal, low)
    spell_out(step, destination.number, goal + low, high - low)
    item = step.state.memory.writable(destination.number)
    old = item.byte_values(goal + low, high - low)
    for position, byte in enumerate(new[:low], goal):
        item.write(position, 1, byte)
    _write_prefix(item, goal, new[low:], old, low, length)
    return True


def _copy_value(step: Step, destination: Location, origin: Location, length: int) -> None:
    value = read_location(step, origin, length)
    if not overwrite(step, destination, value, length):
        write_cells(step, destination, find_cells(step, destination, length, WRITE_CELLS), length, value, 1)


def _spread(step: Step, destination: Location, origin: Location, length: Term) -> bool:
    """Copy ``length`` bytes to a symbolic offset, as choices for each byte near by. Whether these were few enough."""
    start, offset = origin.offset, destination.offset
    if isinstance(start, Term) or isinstance(offset, int):
        return False
    room = min(len(origin.item.data) - start, len(destination.item.data))
    low, high = length_bounds(step, length, room)
    if high * (offset.high - offset.low + 1) > SPREAD_CHOICES:
        least, most = step.chain.bounds(step.state.path, offset, 64)
        if high * (most - least + 1) > SPREAD_CHOICES:
            return False
    cells = find_cells(step, destination, low, WRITE_CELLS)
    initialise(step, origin.number, start, high)
    new = spell_out(step, origin.number, start, high).byte_values(start, high)
    locations = [cells.first + i * cells.stride for i in range(cells.count)]
    end = min(locations[-1] + high, len(destination.item.data))
    initialise(step, destination.number, locations[0], end - locations[0])
    spell_out(step, destination.number, locations[0], end - locations[0])
    item = step.state.memory.writable(destination.number)
    is_cell = [cells.is_cell(i) for i in range(cells.count)]
    within = [build.ult(position, length, 64) for position in range(high)]
    for position in range(locations[0], end):
        byte = item.byte(position)
        for location, is_meant in zip(locations, is_cell, strict=True):
            if 0 <= position - location < high:
                byte = build.ite(build.both(is_meant, within[position - location]), new[position - location], byte, 8)
        item.write(position, 1, byte)
    return True


def _write_prefix(item: MemoryObject, start: int, new: list[Value], old: list[Value], low: int, length: Value) -> None:
    """Write the bytes from number ``low`` on that lie within ``length``; the others keep their values."""
    for position, (byte, before) in enumerate(zip(new, old, strict=True), low):
        item.write(start + position, 1, build.ite(build.ult(position, length, 64), byte, before, 8))


# --- fill ------------------------------------------------------------------------------------------------------------


def fill(step: Step, target: Value, byte: Value, length: Value) -> None:
    """Set ``length`` bytes (64 bits) to ``byte`` (8 bits)."""
    if length == 0:
        return
    location = resolve_any(step, target, length, "write")
    if location is None:
        return
    if location.item.kind == UNBOUNDED:
        proof, end = step.state.proof, build.add(location.offset, length, 64)
        filled = unbounded.fill(proof.contents[location.number], location.offset, end, byte)
        step.state.proof = replace(proof, contents={**proof.contents, location.number: filled})
        return
    if overwrite_all(step, location, byte, length):
        return
    if isinstance(location.offset, Term) and isinstance(length, int) and length <= WIDE_VALUE:
        cells = find_cells(step, location, length, WRITE_CELLS)
        write_cells(step, location, cells, length, build.concat_bytes([byte] * length), 1)
        return
    if isinstance(location.offset, Term) and placed_bytes.fill(step, location, byte, length):
        return
    start = pin_offset(step, location)
    low, high = length_bounds(step, length, len(location.item.data) - start)
    if isinstance(length, Term):
        initialise(step, location.number, start + low, high - low)
        spell_out(step, location.number, start + low, high - low)
    spell_ends_out(step, location.number, start, low)
    item = step.state.memory.writable(location.number)
    if isinstance(byte, int):
        item.write_bytes(start, bytes((byte,)) * low)
    else:
        item.write_values(start, [byte] * low)
    if isinstance(length, Term):
        old = item.byte_values(start + low, high - low)
        _write_prefix(item, start, [byte] * (high - low), old, low, length)


# --- compare ---------------------------------------------------------------------------------------------------------


def compare(step: Step, left: Value, right: Value, length: Value) -> Value:
    """memcmp: 0, or the difference of the first bytes that differ (32 bits)."""
    if length == 0:
        return 0
    first = readable(step, left, length)
    if first is None:
        return 0
    second = readable(step, right, length)
    if second is None:
        return 0
    if isinstance(length, Term):
        texts = measured(step, first), measured(step, second)
        ends = [build.ule(length, build.add(text.length, 1, 64), 64) for text in texts if text is not None]
        if texts[0] is not None and texts[1] is not None and step.chain.must(step.state.path, build.both(*ends)):
            return compare_texts(step, texts[0], texts[1], length, fold=False)
    start, other = pin_offset(step, first), pin_offset(step, second)
    _, high = length_bounds(step, length, min(len(first.item.data) - start, len(second.item.data) - other))
    lookout.note_read(step, first.number, start, high)
    lookout.note_read(step, second.number, other, high)
    initialise(step, first.number, start, high)
    a = spell_out(step, first.number, start, high).byte_values(start, high)
    initialise(step, second.number, other, high)
    b = spell_out(step, second.number, other, high).byte_values(other, high)
    objects = step.state.memory.objects
    note_compared(step, (objects[first.number], start), (objects[second.number], other), (a, b))
    if high > WIDE_VALUE:
        return _first_difference(a, b, length)
    result: Value = 0
    for position in reversed(range(high)):
        result = difference(a[position], b[position], result)
        if isinstance(length, Term):
            result = build.ite(build.ult(position, length, 64), result, 0, 32)
    return result


def _first_difference(a: Sequence[Value], b: Sequence[Value], length: Value) -> Value:
    """The difference of the first of ``length`` bytes that differ (32 bits), or 0, as a balanced tree: a chain would
    have terms with all symbols behind each byte.
    """
    parts: list[tuple[Value, Value]] = []
    for position, (left, right) in enumerate(zip(a, b, strict=True)):
        differ = build.both(build.ult(position, length, 64), build.ne(left, right, 8))
        parts.append((differ, build.sub(build.zext(left, 8, 32), build.zext(right, 8, 32), 32) if differ != 0 else 0))

    def first(left: tuple[Value, Value], right: tuple[Value, Value]) -> tuple[Value, Value]:
        return build.either(left[0], right[0]), build.ite(left[0], left[1], right[1], 32)

    is_any, value = build.balanced(parts, first)
    return build.ite(is_any, value, 0, 32)


def difference(a: Value, b: Value, otherwise: Value) -> Value:
    """The difference of two bytes (32 bits), or ``otherwise`` if they are equal."""
    same = build.eq(a, b, 8)
    if same == 1:
        return otherwise
    return build.ite(same, otherwise, build.sub(build.zext(a, 8, 32), build.zext(b, 8, 32), 32), 32)
