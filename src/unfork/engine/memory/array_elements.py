"""Elements of arrays in the input at unknown places: each is an object of its own, and as lazily made.

An array of pointers that is indexed by an unknown number would have to choose a target for each of its elements. Only
the one that is accessed matters: the state splits over which known element that is, or it is a new one, whose place
(LazyHeap.elements) differs from all others'. The array is an object, or a part of one: a member of a struct, or of an
element. Only loads and stores know elements apart: before a copy, a search or any other access to the object, these get
known places.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from unfork.engine.memory.lazy_targets import address_of_target, has_room
from unfork.engine.state.flat_layout import as_read
from unfork.engine.state.lazy import (
    UNTOUCHED,
    ArrayElement,
    ElementRow,
    LazyObject,
    made_for,
    member_path,
    path_of_element,
)
from unfork.engine.state.memory import UNINITIALISED, MemoryObject
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.known_bits import trailing_zeros
from unfork.logic.terms.term import Term, Value
from unfork.program.llvm.c_types import MemberArray, Pointer, TypeCells

MOST_KNOWN = 16
"""With more known elements no access is told apart from them, and those apart get known places."""
MOST_PLACES = 64
"""The most places that an element may have when it gets a known one; the others are given up."""
Place = tuple[int, MemoryObject, Value]
"""The number of an object, the object, and an offset in it (64 bits)."""


def in_element(step: Step, number: int, offset: Value, size: Value, guard: Value) -> Place:
    """Where ``size`` bytes at ``offset`` of an input object are: in an element that is apart, or in the object itself.

    Splits over which element it is, except under a ``guard`` (1 bit).
    """
    while _may_be_apart(step, number, offset):
        if guard != 1 or not isinstance(size, int) or len(step.state.lazy.elements_apart(number)) >= MOST_KNOWN:
            pin_elements(step, number)
            break
        owner = number
        number, offset = _next_place(step, number, offset, size)
        if number == owner:
            break
    return number, step.state.memory.objects[number], offset


def pin_elements(step: Step, number: int) -> MemoryObject:
    """The object, after its elements that are apart have known places, and are there. Splits over these."""
    if step.state.lazy.elements_apart(number):
        while apart := step.state.lazy.elements_apart(number):
            owner, each = number, apart[0]
            while inner := step.state.lazy.elements_apart(each.number):
                owner, each = each.number, inner[0]
            start = step.concretize(each.start, 64, MOST_PLACES, "the place of an element of an array")
            _join(step, owner, each, start)
        step.state.memory.writable(number).mark_parted(is_parted=False)
    return step.state.memory.objects[number]


def are_in_one_row(step: Step, number: int, offsets: Sequence[Value], size: Value) -> bool:
    """Whether accesses of ``size`` bytes at all these offsets of an input object are to elements of one array of
    pointers, at one offset in each.
    """
    whole, known = step.state.lazy.find(number), [each for each in offsets if isinstance(each, int)]
    if whole is None or whole.cells is None or not _has_rows(whole) or not isinstance(size, int):
        return False
    rows = [(each.offset, _end_of(step, number, each), each.cells.size) for each in _arrays_in(whole.cells)]
    if _row_of(whole) is not None:
        rows = [(0, len(step.state.memory.objects[number].data), whole.cells.size)]
    return len(known) == len(offsets) and any(
        begin <= min(known) and max(known) + size <= end and len({(each - begin) % width for each in known}) == 1
        for begin, end, width in rows
    )


# --- which array, and which element of it -----------------------------------------------------------------------------


def _may_be_apart(step: Step, number: int, offset: Value) -> bool:
    whole = step.state.lazy.find(number)
    if whole is None or not _has_rows(whole):
        return False
    return not isinstance(offset, int) or bool(step.state.lazy.elements_apart(number))


def _has_rows(whole: LazyObject) -> bool:
    """Whether an object is, or has, an array of pointers, or of structs with pointers."""
    if whole.cells is None or whole.is_text:
        return False
    if _row_of(whole) is not None:
        return whole.cells.holds_pointers
    return bool(_arrays_in(whole.cells))


def _row_of(whole: LazyObject) -> ElementRow | None:
    """The object as an array; None if it has one element."""
    assert whole.cells is not None
    if whole.cells.tail is not None or whole.length == 1:
        return None
    return ElementRow(0, whole.path.removeprefix("&"), whole.type, whole.cells)


def _arrays_in(cells: TypeCells) -> Sequence[MemberArray]:
    """The arrays of pointers within a type; one without ``dimensions`` takes the rest of its object."""
    tail = cells.tail
    if tail is None or not tail.cells.holds_pointers:
        return cells.arrays
    return *cells.arrays, MemberArray(tail.offset, tail.path, tail.element, tail.cells, ())


def _end_of(step: Step, number: int, array: MemberArray) -> int:
    return array.end if array.dimensions else len(step.state.memory.objects[number].data)


def _next_place(step: Step, number: int, offset: Value, size: int) -> tuple[int, Value]:
    """The place of bytes of an object in an element of it that is apart, or else in the object: a number, an offset."""
    whole = step.state.lazy.find(number)
    assert whole is not None
    assert whole.cells is not None
    outer, cells, start, within = _row_of(whole), whole.cells, 0, offset
    row = outer
    while True:
        if row is not None:
            if not isinstance(offset, int) and _is_read(step, number, row):
                return number, offset
            place = None if _has_functions(step, whole, row) else _divided(step, row, offset, size)
            element = None if place is None else _element_at(step, whole, row, place[0])
            if place is None or element is None:
                pin_elements(step, number)
                return number, offset
            if isinstance(element, ArrayElement):
                return element.number, place[1]
            start, within, cells = element, place[1], row.cells
            offset = build.add(start, within, 64)
        array = _array_around(step, number, cells, within, size)
        if array is None:
            return number, offset
        if row is None or row is outer:
            path = member_path(whole, start // whole.cells.size, array.path)
        else:
            path = row.place(start) + array.path
        count = (array.end - array.offset) // array.cells.size if array.dimensions else None
        begin = start + array.offset
        row = ElementRow(begin, path, array.element, array.cells, count, array.dimensions)


def _array_around(step: Step, number: int, cells: TypeCells, within: Value, size: int) -> MemberArray | None:
    """The array that has ``size`` bytes at an offset within an element; None if none has.

    Splits over whether they are in it. Elements that some of them might be in get known places.
    """
    arrays = [(each, _end_of(step, number, each)) for each in _arrays_in(cells)]
    constant, rest = build.parted(within)
    if rest == 0:
        low = high = constant
    else:
        assert isinstance(within, Term)
        around = [(each, end) for each, end in arrays if each.offset <= constant < end]
        low, high = (constant, constant) if around else step.chain.bounds(step.state.path, within, 64)
    overlapping = [(each, end) for each, end in arrays if each.offset < high + size and low < end]
    if not overlapping:
        return None
    array, end = overlapping[0]
    begins = build.uge(within, array.offset, 64)
    if step.decide(build.both(begins, build.ule(within, end - size, 64))):
        return array
    pin_elements(step, number)
    return None


def _divided(step: Step, row: ElementRow, offset: Value, size: int) -> tuple[Value, Value] | None:
    """Where the element that has ``size`` bytes at ``offset`` begins, and where in it they do; None if there is none
    for sure.
    """
    width, path = row.cells.size, step.state.path
    constant, rest = build.parted(build.sub(offset, row.begin, 64))
    signed = constant - (1 << 64) if constant >> 63 else constant
    within: Value = signed % width
    others, total = list[Value](), 0
    for addend in _addends(rest):
        most = _most_multiple(step, addend, width)
        others += [addend] if most is None else []
        total += most or 0
    if others and row.cells.arrays:
        inner = within
        for each in others:
            inner = build.add(inner, each, 64)
        if step.chain.must(path, build.ule(inner, width - size, 64)):
            within, others = inner, []
    if isinstance(within, int) and within + size > width:
        return None
    start = build.sub(offset, within, 64)
    multiple = build.urem(build.sub(start, row.begin, 64), width, 64)
    if (others or total >> 63) and not step.chain.must(path, build.eq(multiple, 0, 64)):
        return None
    return start, within


def _addends(value: Value) -> Iterator[Term]:
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Term):
            if each.op == "add":
                waiting.extend(each.args)
            else:
                yield each


def _most_multiple(step: Step, value: Term, of: int) -> int | None:
    """The largest value of a multiple of ``of``, or 0 where sums may wrap; None if its form doesn't tell."""
    if of & (of - 1) == 0:
        return 0 if 1 << trailing_zeros(value) >= of else None
    zeros = 0
    while value.op == "zext" or (value.op == "concat" and value.args[1].op == "const" and value.args[1].value == 0):
        zeros += value.args[1].width if value.op == "concat" else 0
        value = value.args[0]
    if value.op != "mul":
        return None
    factor, other = sorted(value.args, key=lambda each: each.op != "const")
    if factor.op != "const" or (factor.value << zeros) % of:
        return None
    most = step.chain.bounds(step.state.path, other, value.width)[1] * factor.value
    return None if most >> value.width else most << zeros


def _element_at(step: Step, whole: LazyObject, row: ElementRow, start: Value) -> ArrayElement | int | None:
    """The element of an array that begins at ``start``, if it is apart; else where it begins; None: they are too many.

    Splits over which of the known ones it is.
    """
    for each in step.state.lazy.elements_apart(whole.number):
        if _is_of(each, row) and (each.start is start or step.decide(build.eq(start, each.start, 64))):
            return each
    if isinstance(start, int):
        return start
    used = _used_elements(step, whole.number, row)
    for other in used or ():
        if step.decide(build.eq(start, other, 64)):
            return other
    return None if used is None else _set_apart(step, whole, row, start)


def _is_of(element: ArrayElement, row: ElementRow) -> bool:
    """Whether an element is one of an array, and not of one within or around that."""
    return element.row.begin == row.begin and element.row.cells.size == row.cells.size


def _extent(item: MemoryObject, row: ElementRow) -> tuple[int, int]:
    """Where the elements of an array begin and end, as far as there is room."""
    size = row.cells.size
    count = (len(item.data) - row.begin) // size if row.count is None else row.count
    return row.begin, row.begin + count * size


def _is_read(step: Step, number: int, row: ElementRow) -> bool:
    """Whether all elements of an array were read or written where they are."""
    item = step.state.memory.objects[number]
    begin, end = _extent(item, row)
    return item.mask is None or not item.mask.count(UNINITIALISED, begin, end)


def _has_functions(step: Step, whole: LazyObject, row: ElementRow) -> bool:
    """Whether pointers in an array of a variable lead to functions at the start: then their places matter."""
    if whole.variable is None:
        return False
    item = step.statics.memory().objects[whole.number]
    begin, end = _extent(item, row)
    data = item.data[begin:end]
    if not any(data):
        return False
    words = [
        data[at + cell.offset : at + cell.end]
        for cell in row.cells.cells
        if isinstance(cell.type, Pointer)
        for at in range(0, len(data), row.cells.size)
    ]
    addresses = [as_read(int.from_bytes(word, "little"), step.state.memory) for word in words]
    return any(step.statics.function_at(address) is not None for address in addresses)


def _used_elements(step: Step, number: int, row: ElementRow) -> list[int] | None:
    """The offsets of elements of which some bytes were read or written, or are apart within; None: they are many."""
    item, size = step.state.memory.objects[number], row.cells.size
    begin, end = _extent(item, row)
    if item.mask is None or end - begin - item.mask.count(UNINITIALISED, begin, end) > MOST_KNOWN * size:
        return None
    used = {start for start in range(begin, end, size) if item.mask.count(UNINITIALISED, start, start + size) < size}
    written = item.origins.within(begin, end) if item.origins else ()  # unread bytes that were written
    inner = [each.row.begin for each in step.state.lazy.elements_apart(number) if not _is_of(each, row)]
    places = [place for each in written for place in range(each.start, each.end)]
    used.update(begin + (place - begin) // size * size for place in (*places, *inner) if begin <= place < end)
    return sorted(used) if len(used) <= MOST_KNOWN else None


# --- changes ----------------------------------------------------------------------------------------------------------


def _set_apart(step: Step, whole: LazyObject, row: ElementRow, start: Value) -> ArrayElement:
    """A new element of an array in an object, at ``start`` (64 bits)."""
    if step.state.lazy.is_frozen:
        step.halt(UNTOUCHED, 0)
    step.limit(int(has_room(step.state.lazy)), "capacity", "more lazily initialised objects than there are numbers for")
    path = path_of_element(row, len(step.state.lazy.elements.get(whole.number, ())))
    made = made_for(step.state.lazy.next_number(), path, row.type, row.cells)
    made = replace(made, length=1, is_stated=True, is_text=False, given=whole.given)
    address_of_target(step.state, made, step.limits)
    element = ArrayElement(start, made.number, row)
    step.state.lazy = step.state.lazy.with_element(whole.number, element)
    step.state.memory.writable(whole.number).mark_parted(is_parted=True)
    return element


def _join(step: Step, number: int, element: ArrayElement, start: int) -> None:
    """Move an element into the object with its array."""
    part = step.state.memory.objects[element.number]
    step.state.memory.writable(number).copy_range(start, part, 0, len(part.data))
    step.state.memory.objects.drop(element.number)
    step.state.lazy = step.state.lazy.with_element_placed(number, element, start)
