"""Elements of input arrays at unknown places: each is an object of its own, apart from the array, and as lazily made.

An array of pointers that is indexed by an unknown number would have to choose a target for each of its elements. Only
the one that is accessed matters: the state splits over which known element that is, or it is a new one, whose place
(LazyHeap.elements) differs from all others'. Only loads and stores know elements apart: before a copy, a search or
any other access to the array, these get known places.
"""

from __future__ import annotations

from dataclasses import replace

from unfork.engine.memory.lazy_targets import address_of_target, has_room
from unfork.engine.state.lazy import UNTOUCHED, ArrayElement, LazyObject, made_for, path_of_element
from unfork.engine.state.memory import UNINITIALISED, MemoryObject
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.known_bits import trailing_zeros
from unfork.logic.terms.term import Value
from unfork.program.llvm.c_types import Scalar, TypeCells

MOST_KNOWN = 16
"""With more known elements no access is told apart from them, and those apart get known places."""
MOST_PLACES = 64
"""The most places that an element may have when it gets a known one; the others are given up."""
Place = tuple[int, MemoryObject, Value]
"""The number of an object, the object, and an offset in it (64 bits)."""


def in_element(step: Step, number: int, offset: Value, size: Value, guard: Value) -> Place:
    """Where ``size`` bytes at ``offset`` of an input array are: in an element that is apart, or in the array itself.

    Splits over which element it is, except under a ``guard`` (1 bit).
    """
    here = number, step.state.memory.objects[number], offset
    known = step.state.lazy.elements_apart(number)
    array = step.state.lazy.find(number)
    if array is None or array.is_text or array.cells is None or array.cells.tail is not None:
        return here
    if not known and (isinstance(offset, int) or not _holds_pointers(array.cells)):
        return here
    place = _place(step, array.cells, offset, size) if guard == 1 and len(known) < MOST_KNOWN else None
    used = None if place is None else _used_elements(here[1], array.cells.size)
    if place is None or used is None:
        return number, pin_elements(step, number), offset
    start, within = place
    for each in known:
        if each.start is start or step.decide(build.eq(start, each.start, 64)):
            return each.number, step.state.memory.objects[each.number], within
    if isinstance(start, int):
        return here
    for other in used:
        if step.decide(build.eq(start, other, 64)):
            return number, here[1], other + within
    return *_set_apart(step, array, start), within


def pin_elements(step: Step, number: int) -> MemoryObject:
    """The array, after its elements that are apart have known places, and are there. Splits over these."""
    for each in step.state.lazy.elements_apart(number):
        start = step.concretize(each.start, 64, MOST_PLACES, "the place of an element of an array")
        _join(step, number, each, start)
    return step.state.memory.objects[number]


def _holds_pointers(cells: TypeCells) -> bool:
    return any(not isinstance(cell.type, Scalar) for cell in cells.cells)


def _place(step: Step, cells: TypeCells, offset: Value, size: Value) -> tuple[Value, int] | None:
    """Where the element that has ``size`` bytes at ``offset`` begins, and where in it they do; None if there is none
    for sure.
    """
    constant, rest = (offset, 0) if isinstance(offset, int) else build.constant_offset(offset)
    signed = constant - (1 << 64) if constant >> 63 else constant
    within = signed % cells.size
    if not isinstance(size, int) or within + size > cells.size:
        return None
    start = build.sub(offset, within, 64)
    is_whole = _is_multiple(step, rest, cells.size) or step.chain.must(
        step.state.path, build.eq(build.urem(start, cells.size, 64), 0, 64)
    )
    return (start, within) if is_whole else None


def _is_multiple(step: Step, value: Value, of: int) -> bool:
    """Whether a number of 64 bits is a multiple, as far as its form tells."""
    if isinstance(value, int):
        return value % of == 0
    if of & (of - 1) == 0:
        return 1 << trailing_zeros(value) >= of
    if value.op != "mul":
        return False
    factors = sorted(value.args, key=lambda each: each.op != "const")
    if factors[0].op != "const" or factors[0].value % of:
        return False
    _, most = step.chain.bounds(step.state.path, factors[1], 64)
    return most * factors[0].value < 1 << 63  # so that the sum with the constant does not wrap either


def _used_elements(item: MemoryObject, size: int) -> list[int] | None:
    """The offsets of elements of which some bytes were read or written; None if they are many."""
    if item.mask is None or len(item.data) - item.mask.count(UNINITIALISED) > MOST_KNOWN * size:
        return None
    starts = range(0, len(item.data) - size + 1, size)
    used = [start for start in starts if item.mask.count(UNINITIALISED, start, start + size) < size]
    if item.origins:  # unread bytes that were written
        written = {index for each in item.origins.ranges for index in range(each.start // size, -(-each.end // size))}
        used = sorted({*used, *(index * size for index in written)})
    return used if len(used) <= MOST_KNOWN else None


def _set_apart(step: Step, array: LazyObject, start: Value) -> tuple[int, MemoryObject]:
    """A new element at ``start`` (64 bits): its number and object."""
    if step.state.lazy.is_frozen:
        step.halt(UNTOUCHED, 0)
    step.limit(int(has_room(step.state.lazy)), "capacity", "more lazily initialised objects than there are numbers for")
    path = path_of_element(array, len(step.state.lazy.elements.get(array.number, ())))
    made = made_for(step.state.lazy.next_number(), path, array.type, array.cells)
    made = replace(made, length=1, is_stated=True, is_text=False, given=array.given)
    address_of_target(step.state, made, step.limits)
    step.state.lazy = step.state.lazy.with_element(array.number, ArrayElement(start, made.number))
    return made.number, step.state.memory.objects[made.number]


def _join(step: Step, number: int, element: ArrayElement, start: int) -> None:
    """Move an element into its array."""
    part = step.state.memory.objects[element.number]
    step.state.memory.writable(number).copy_range(start, part, 0, len(part.data))
    step.state.memory.objects.drop(element.number)
    step.state.lazy = step.state.lazy.with_element_placed(number, element, start)
