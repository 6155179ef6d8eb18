"""The contents of files: memory objects that no pointer of the program can reach."""

from __future__ import annotations

from unfork.engine.memory.pieces import spell_out
from unfork.engine.memory.ranges import copy_locations
from unfork.engine.memory.resolve import Location, length_bounds
from unfork.engine.state.memory import LARGEST, SLOT_BITS, MemoryObject
from unfork.engine.state.state import OutputPrefix
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value

KIND = "contents"
FIRST_CONTENTS = 1 << (64 - SLOT_BITS)
"""The first object number of contents, too large for a pointer."""
SMALLEST = 64
"""Bytes of room for a file's contents at first."""

LONGEST_CHOICE = 4096
"""Longest output of symbolic length to keep, in bytes."""


def name_of(inode: int) -> int:
    """The object number of an inode's contents."""
    return FIRST_CONTENTS + inode


def location_of(step: Step, inode: int, offset: Value) -> Location:
    """The location ``offset`` (64 bits) into an inode's existing contents."""
    number = name_of(inode)
    return Location(number, step.state.memory.objects[number], offset)


def create(step: Step, inode: int, label: str, data: bytes = b"") -> MemoryObject:
    """Make the contents of a new file, called ``label`` in reports."""
    item = MemoryObject(bytearray(data), len(data), KIND, label)
    step.state.memory.add(name_of(inode), item)
    return item


def reserve(step: Step, inode: int, offset: Value, length: Value) -> None:
    """Make room for ``length`` bytes at ``offset`` (64 bits each), filled with 0; the file's size stays.

    Where the end may exceed the largest object, that part of the path stops at a capacity limit.
    """
    chain, path = step.chain, step.state.path
    end = build.add(offset, length, 64)
    if isinstance(end, Term):
        roomy = build.both(build.ule(end, LARGEST, 64), build.ule(offset, LARGEST, 64))
        most = step.limits.max_size
        small = build.both(build.ule(end, most, 64), build.ule(offset, most, 64))
        roomy = small if not chain.must(path, roomy) else 1
        step.limit(roomy, "capacity", f"a file that may have more than {most} bytes (--max-size)")
        _, high = chain.bounds(step.state.path, end, 64)
    else:
        high = end
        step.limit(int(high <= LARGEST), "capacity", f"a file of more than {LARGEST} bytes")
    item = step.state.memory.objects[name_of(inode)]
    if high <= len(item.data):
        return
    item = step.state.memory.writable(name_of(inode))
    wanted = min(max(high, 2 * len(item.data), SMALLEST), LARGEST)
    added = bytes(wanted - len(item.data))
    item.data += added
    if item.mask is not None:
        item.mask += added
    item.size = item.limit = wanted


def put(step: Step, inode: int, offset: Value, source: Location, length: Value) -> None:
    """Copy ``length`` bytes (64 bits) from the program's memory into the contents, after making room."""
    reserve(step, inode, offset, length)
    copy_locations(step, location_of(step, inode, offset), source, length)


def get(step: Step, inode: int, offset: Value, target: Location, length: Value) -> None:
    """Copy ``length`` bytes (64 bits), all within the contents, to the program's memory."""
    copy_locations(step, target, location_of(step, inode, offset), length)


def clear_from(step: Step, inode: int, start: Value, size: Value) -> None:
    """Set the bytes from ``start`` up to ``size`` (64 bits each) to 0."""
    number = name_of(inode)
    item = step.state.memory.objects[number]
    low, _ = length_bounds(step, start, len(item.data))
    _, end = length_bounds(step, size, len(item.data))
    end = min(end, len(item.data))
    if low >= end:
        return
    spell_out(step, number, low, end - low)
    item = step.state.memory.writable(number)
    if not isinstance(start, Term):
        item.write_bytes(low, bytes(end - low))
        return
    for position in range(low, end):
        item.write(position, 1, build.ite(build.ult(position, start, 64), item.byte(position), 0, 8))


def values(step: Step, location: Location, length: Value) -> list[Value] | OutputPrefix | None:
    """A location's bytes (8 bits each) for output; None if unknown, or of unknown and too large number."""
    if isinstance(location.offset, Term):
        return None
    _, most = length_bounds(step, length, len(location.item.data) - location.offset)
    if (isinstance(length, Term) and most > LONGEST_CHOICE) or location.item.uninitialised_runs(location.offset, most):
        return None
    known = spell_out(step, location.number, location.offset, most).byte_values(location.offset, most)
    return OutputPrefix(tuple(known), length) if isinstance(length, Term) else known
