"""Copies and fills at unknown places: each byte near by keeps its value, or gets one of the range's.

The path does not split over the places. Which byte of a range it is that a byte gets, a table of these says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from unfork.engine.memory.pieces import spell_out
from unfork.engine.memory.resolve import Location, length_bounds
from unfork.engine.memory.uninitialised import initialise
from unfork.engine.state.memory import MASK_64, SLOT_BITS
from unfork.engine.state.pointer_words import pointer_words
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.program.facts.address_uses import WORD
from unfork.program.llvm.c_types import Scalar, TypeCells

MOST_PLACED = 1 << 12
"""The most bytes that a copy or fill at a symbolic offset may change, or read."""
SHIFTED = 256
"""The bytes of a part of which one is chosen by a shift: solvers find shifts of more bytes hard."""


def copy(step: Step, destination: Location, origin: Location, length: Value) -> bool:
    """Copy bytes at symbolic offsets: each byte that may change is its old value, or one of the origin's. Whether there
    are few enough.
    """
    high = length_bounds(step, length, len(origin.item.data))[1]
    there = _bytes_at(step, origin, high, length)
    changed = None if there is None else _bytes_at(step, destination, high, length)
    if there is None or changed is None:
        return False
    initialise(step, origin.number, there.start, len(there))
    initialise(step, destination.number, changed.start, len(changed))
    values = spell_out(step, origin.number, there.start, len(there)).byte_values(there.start, len(there))
    table, ahead = ByteTable(values), build.sub(origin.offset, there.start, 64)
    furthest = len(values) if isinstance(ahead, Term) else 0

    def byte_of(index: Value, most: int) -> Value:
        return table.byte(build.add(index, ahead, 64), min(most + furthest, len(values) - 1))

    _change(step, destination, changed, length, byte_of)
    return True


def fill(step: Step, location: Location, byte: Value, length: Value) -> bool:
    """Set bytes at a symbolic offset to ``byte`` (8 bits). Whether few enough may change."""
    changed = _bytes_at(step, location, length_bounds(step, length, len(location.item.data))[1], length)
    if changed is None:
        return False
    initialise(step, location.number, changed.start, len(changed))
    _change(step, location, changed, length, lambda index, most: byte)
    return True


def _bytes_at(step: Step, location: Location, high: int, length: Value) -> range | None:
    """The offsets of ``length`` bytes at a location, at most ``high``; None if they are many, or no mere bytes.

    In a struct of the input these are those of an array of bytes, and the state splits if there may be others: what
    else it has stays clear.
    """
    least, most = step.chain.bounds(step.state.path, location.offset, 64)
    places = range(least, min(most + high, len(location.item.data)))
    thing = step.state.lazy.find(location.number)
    if thing is not None and thing.cells is not None and not _are_bytes(thing.cells, places.start, places.stop):
        start = max(build.parted(location.offset)[0] & MASK_64, least)
        stop = start
        while stop < places.stop and _are_bytes(thing.cells, stop, stop + 1):
            stop += 1
        end = build.add(location.offset, length, 64)
        is_before = build.both(build.ule(location.offset, end, 64), build.ule(end, stop, 64))
        if not (start < stop and step.decide(build.both(build.ule(start, location.offset, 64), is_before))):
            return None
        places = range(start, stop)
    elif thing is None and _has_pointer(step, location.number, places):
        return None
    return places if len(places) <= MOST_PLACED else None


def _has_pointer(step: Step, number: int, places: range) -> bool:
    """Whether one of some bytes is of a pointer."""
    objects = step.state.memory.objects
    item = objects[number]
    words = pointer_words(item, places.start & -WORD, places.stop) if item.has_names else ()
    values = [item.read(word, WORD) for word in words]
    return any(isinstance(value, Term) or value >> SLOT_BITS in objects for value in values)


def _are_bytes(cells: TypeCells, start: int, end: int) -> bool:
    """Whether a type has nothing but numbers of a byte in a range of its object."""
    return all(isinstance(cell.type, Scalar) and cell.size == 1 for _, cell in cells.within(start, end))


class ByteTable:
    """Bytes of which one is chosen by its number: the part that it is in, and of this a byte, by a shift."""

    def __init__(self, values: Sequence[Value]) -> None:
        self._values = [*values, *[0] * (-len(values) % WORD)]
        self._parts: dict[int, list[Value]] = {}
        """Parts of so many bytes, as values."""

    def byte(self, index: Value, most: int) -> Value:
        """Byte number ``index`` (64 bits), which is at most ``most`` where it matters."""
        bits = min(max(WORD - 1, most).bit_length(), SHIFTED.bit_length() - 1)
        size = 1 << bits
        parts = self._parts_of(size)[: most // size + 1]
        part = build.lookup(build.extract(index, bits, 64 - bits), 64 - bits, parts, 8 * size)
        amount = build.zext(build.concat(build.extract(index, 0, bits), 0, bits, 3), bits + 3, 8 * size)
        return build.extract(build.lshr(part, amount, 8 * size), 0, 8)

    def _parts_of(self, size: int) -> list[Value]:
        if size not in self._parts:
            every = [self._values[start : start + size] for start in range(0, len(self._values), size)]
            self._parts[size] = [build.zext(_joined(each), 8 * len(each), 8 * size) for each in every]
        return self._parts[size]


def _change(
    step: Step, destination: Location, places: range, length: Value, byte_of: Callable[[Value, int], Value]
) -> None:
    """Write to the location the bytes that ``byte_of`` gives by their numbers, of which it gets the largest, too: those
    below ``length``. ``places`` has all that may change.
    """
    spell_out(step, destination.number, places.start, len(places))
    item = step.state.memory.writable(destination.number)
    for position in places:
        index = build.sub(position, destination.offset, 64)
        is_meant = build.ult(index, length, 64)
        if is_meant != 0:
            byte = byte_of(index, position - places.start)
            item.write(position, 1, build.ite(is_meant, byte, item.byte(position), 8))


def _joined(values: Sequence[Value]) -> Value:
    """Bytes as one value, the least significant first, as a balanced tree."""

    def joined(low: tuple[Value, int], high: tuple[Value, int]) -> tuple[Value, int]:
        return build.concat(high[0], low[0], high[1], low[1]), high[1] + low[1]

    return build.balanced([(value, 8) for value in values], joined)[0]
