"""Lazy initialisation: makes what a function's pointers lead to when it is first read (Anand06, section 2).

Arrays are as long as an access needs, until the program states their length; strings end at a NUL. Accesses to a string
at known offsets only assume that no character before is NUL, so that characters stay independent. An access elsewhere
makes a number of the length, which ties all characters together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Protocol

from unfork.engine.memory import lazy_ranges
from unfork.engine.memory.lazy_targets import (
    Target,
    address_of_target,
    check_room,
    functions_of,
    functions_of_caller,
    most_elements,
    room_of,
    size_of,
    sized,
    targets,
)
from unfork.engine.memory.lazy_types import copies, number_of_size, reads_pointer, typed_by_access
from unfork.engine.memory.lazy_values import (
    MOST_CHARACTERS,
    assume_string,
    bytes_of_string,
    has_made_vector,
    holds_string,
    vector_with,
)
from unfork.engine.memory.text_facts import learn_character, learn_characters
from unfork.engine.memory.virtual_tables import decide_class, leads_to_table
from unfork.engine.protocols.fault import AccessFault, FaultyObject, Reach
from unfork.engine.state.flat_layout import as_read, as_stored
from unfork.engine.state.lazy import LAZY, POINT, UNTOUCHED, LazyHeap, LazyObject, TextPoint, cell_path
from unfork.engine.state.memory import UNINITIALISED, MemoryObject, object_of, offset_in
from unfork.engine.state.state import State
from unfork.engine.step.step import Step
from unfork.logic.solve.path import PathCondition
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.program.facts import counting, held_tables, pointer_ranges, stored_functions, stream_pointers
from unfork.program.facts.struct_members import StructMember, member_at, tail_of
from unfork.program.llvm.c_type_reader import CTypes
from unfork.program.llvm.c_types import BYTE, Pointer, RecordType, Routine, Scalar, TypeCell
from unfork.program.llvm.module import Program

MOST_KNOWN = 64
"""Of a buffer of which more bytes are known, a byte at an unknown offset is a choice of all: each known one is a
condition for it.
"""
MOST_SKIPPED = 64
"""An access to a string this many characters beyond its known ones makes its length a number."""


class Reader(Protocol):
    """An instruction that reads (Step), or a join that names bytes which one of two states has not touched."""

    state: State

    def fresh(self, name: str, width: int, kind: str) -> Value:
        """A fresh value of ``width`` bits: a new input of the path."""

    def choose(self, do: Callable[[Step], None]) -> None:
        """Run an action that may split the state or add to its path condition."""


def touch(step: Reader, number: int, offset: int, count: int) -> None:
    """Initialise the untouched cells in a range of an object.

    What follows for them from bytes of a buffer that were read at unknown offsets, the path is told at once.
    """
    heap_object = step.state.lazy.find(number)
    assert heap_object is not None
    is_open_text = _is_open_text(heap_object)
    is_told = is_open_text or number in step.state.lazy.points
    runs = step.state.memory.objects[number].uninitialised_runs(offset, count) if is_told else ()
    if isinstance(step, Step) and isinstance(heap_object.type, RecordType) and not step.state.lazy.is_frozen:
        heap_object = typed_by_access(step, heap_object, offset, count, is_inside=True)
    assert heap_object.cells is not None  # an opaque object has no bytes
    size = heap_object.cells.size
    numbers = list[tuple[int, TypeCell]]()
    for index, cell in heap_object.cells.within(offset, offset + count):
        if isinstance(cell.type, Scalar) and cell.type.encoding != "boolean" and heap_object.given is None:
            numbers.append((index, cell))
            continue
        _touch_numbers(step, heap_object, numbers)
        numbers.clear()
        if isinstance(cell.type, RecordType):
            start, end = max(offset - index * size, cell.offset), min(offset + count - index * size, cell.end)
            step.choose(partial(_touch_union, heap_object, index, cell, start, end))
        else:
            _touch_cell(step, heap_object, index, cell)
    _touch_numbers(step, heap_object, numbers)
    if runs:
        offsets = [at for start, length in runs for at in range(start, start + length)]
        learn = _learn_text if is_open_text else _learn_bytes
        step.choose(lambda step: learn(step, number, offsets))


def _is_open_text(heap_object: LazyObject) -> bool:
    """Whether each character of an object says whether it is its last."""
    return heap_object.is_text and not isinstance(heap_object.length, int)


def _touch_numbers(step: Reader, heap_object: LazyObject, cells: Sequence[tuple[int, TypeCell]]) -> None:
    """Initialise those of some cells of numbers that are untouched, together: each change of the heap copies it."""
    state, size, made = step.state, _size(heap_object), dict[tuple[int, int], Value]()
    mask = state.memory.objects[heap_object.number].mask
    for index, cell in cells if mask is not None else ():
        start, kind = index * size + cell.offset, cell.type
        assert mask is not None
        assert isinstance(kind, Scalar)
        if mask.count(UNINITIALISED, start, start + cell.size):
            value = state.lazy.numbers.get((heap_object.number, start))
            if value is None:
                value = make_number(step, cell_path(heap_object, index, cell), kind)
                made[heap_object.number, start] = value
            item = state.memory.writable(heap_object.number)
            _write_untouched(item, start, cell.size, value)
            mask = item.mask
    if made:
        state.lazy = state.lazy.with_numbers(made)


def _touch_cell(step: Reader, heap_object: LazyObject, index: int, cell: TypeCell) -> None:
    start, path = index * _size(heap_object) + cell.offset, cell_path(heap_object, index, cell)
    mask = step.state.memory.objects[heap_object.number].mask
    if mask is None or not mask.count(UNINITIALISED, start, start + cell.size):
        return
    if isinstance(cell.type, Scalar):
        if heap_object.given is not None:
            step.choose(partial(_refuse_pointer, path))
        _touch_numbers(step, heap_object, [(index, cell)])
    else:
        step.choose(partial(_decide, heap_object, start, cell, path))


def _refuse_pointer(path: str, step: Step) -> None:
    """Refuse to make a pointer from what the code took for a number: it might lead anywhere."""
    if reads_pointer(step):
        step.unsupported(f"reading a pointer from {path}, which the code took for a number")


def _size(heap_object: LazyObject) -> int:
    assert heap_object.cells is not None
    return heap_object.cells.size


def _decide(heap_object: LazyObject, start: int, cell: TypeCell, path: str, step: Step) -> None:
    kind = cell.type
    if step.state.lazy.is_frozen:
        step.halt(UNTOUCHED, 0)
    if isinstance(kind, RecordType):
        step.unsupported(f"reading {path}, a union within a union")
    assert isinstance(kind, Pointer)
    mask = step.state.memory.objects[heap_object.number].mask
    if mask is None or mask.count(UNINITIALISED, start, start + cell.size) < cell.size:
        step.unsupported(f"reading {path}, of which some bytes were overwritten")
    if leads_to_table(cell):
        decide_class(step, heap_object, start, path)
        return
    first = vector_with(heap_object, start)
    if first is not None and has_made_vector(step, heap_object, first):
        return
    if step.limits.pairs_sizes and lazy_ranges.has_made_range(step, heap_object, start):
        return
    if step.limits.pairs_sizes and _has_made_cursor(step, heap_object, start, cell, path):
        return

    def change(target: Target) -> Callable[[State], None]:
        def run(state: State) -> None:
            address = address_of_target(state, target, step.limits)
            if isinstance(target, LazyObject):
                state.path = fits
            state.lazy = state.lazy.with_pointer(heap_object.number, start, address)
            state.memory.writable(heap_object.number).write(start, cell.size, as_stored(address, state.memory))

        return run

    member = member_in(step.program.c_types, heap_object, start)
    own = _tables_of_member(step, member, path) or _functions_of_variable(step, heap_object, start, kind)
    is_of_stream = member in stream_pointers.stream_pointers(step.program).members
    choices = targets(step, kind, path, is_of_stream=is_of_stream) if own is None else [*own]
    fits = step.state.path
    if isinstance(choices[-1], LazyObject) and step.limits.pairs_sizes:
        choices[-1], room = counted(step, heap_object, start, choices[-1])
        good = step.conduct.assumption(fits, room)
        if isinstance(good, PathCondition):
            fits = good
        else:
            choices.pop()
            step.give_up_part("capacity", f"{path} with more elements than there is room for; see --max-size")
    step.part([change(target) for target in choices])


def _has_made_cursor(step: Step, holder: LazyObject, start: int, cell: TypeCell, path: str) -> bool:
    """Let a pointer of a struct lead into the text at which another one of its members begins, if the program's code
    shows that it does. Whether it does.
    """
    member, cursors = (
        member_in(step.program.c_types, holder, start),
        pointer_ranges.pointer_ranges(step.program).cursors,
    )
    cursor = None if member is None else cursors.get(member)
    if member is None or cursor is None or step.state.memory.is_narrow or not step.limits.measures_texts:
        return False
    first = start - member.offset
    touch(step, holder.number, first + cursor.begin.offset, cell.size)
    pointers, numbers = step.state.lazy.pointers, step.state.lazy.numbers
    address = pointers.get((holder.number, first + cursor.begin.offset))
    text = None if address is None else step.state.lazy.find(object_of(address))
    if address == 0:
        lazy_ranges.give(step.state, holder.number, start, 0)
        return True
    if address is None or text is None or not text.is_text or text.is_stated or offset_in(address):
        return False
    place = step.fresh(lazy_ranges.distance(path, text.path), 64, LAZY)
    step.state.lazy = step.state.lazy.assuming(
        f"{path} leads into the text at {text.path}: code subtracts one from the other"
    )
    step.assume(build.ule(place, made_length(step, text), 64))
    for other, of_other in cursors.items():
        known = numbers.get((holder.number, first + other.offset)) if of_other.begin == cursor.begin else None
        other_place = None if known is None else build.sub(known, address, 64)
        if other_place is not None and other in cursor.before:
            step.assume(build.ule(other_place, place, 64))
        elif other_place is not None and member in of_other.before:
            step.assume(build.ule(place, other_place, 64))
    lazy_ranges.give(step.state, holder.number, start, build.add(address, place, 64))
    return True


def counted(step: Step, holder: LazyObject, start: int, target: LazyObject) -> tuple[LazyObject, Value]:
    """The object with as many elements as members beside its pointer say, and when it fits (1 bit)."""
    pointer = member_in(step.program.c_types, holder, start)
    if pointer is None or target.cells is None or target.cells.tail is not None:
        return target, 1
    counts = sorted(counting.counting_members(step.program).get(pointer, ()))
    numbers = [_number_at(step, holder, start - pointer.offset + offset) for offset in counts]
    return sized(step, target, numbers) if numbers else (target, 1)


def member_in(types: CTypes, holder: LazyObject, start: int) -> StructMember | None:
    """The member of a struct at an offset of an object."""
    return None if holder.cells is None else member_at(types, *holder.cells.type_around(holder.type, start))


def _tables_of_member(step: Step, member: StructMember | None, path: str) -> Sequence[int]:
    """Where a member leads that leads to nothing but tables of functions: to those that can be named in the file of the
    function that runs alone. Nowhere for other members.
    """
    tables = held_tables.held_tables(step.program).get(member, frozenset()) if member is not None else frozenset()
    types, frames = step.program.c_types, step.state.frames
    unit = types.unit(frames[0].function.name) if tables and frames else ""
    variables = {each: types.variable(step.program.globals[each].reference) for each in sorted(tables)}
    named = [each for each, known in variables.items() if known and (not known.is_static or known.unit == unit)]
    addresses = {step.statics.address(each): f"{each}+0" for each in named}
    if addresses:
        said = f"{path} leads to {' or '.join(named)}: code here lets it lead nowhere else that can be named"
        step.state.lazy = step.state.lazy.with_functions(addresses).assuming(said)
    return [*addresses]


def _functions_of_variable(step: Step, heap_object: LazyObject, start: int, kind: Pointer) -> Sequence[int] | None:
    """Where a variable's pointer to a function leads: to null, to the function that it has at the start, for example a
    library's allocator, and to those that the project stores there, or to one of the caller's if it stores what it is
    passed. None if that is not known.
    """
    variable, whole = heap_object.variable, step.program.c_types.target(kind)
    if variable is None or not isinstance(whole, Routine):
        return None
    item = step.statics.memory().objects[heap_object.number]
    word = int.from_bytes(item.data[start : start + step.program.c_types.any_pointer.size], "little")
    address = as_read(word, step.state.memory)
    initial = step.statics.function_at(address)
    stored = stored_functions.stored_at(step.program, variable.symbol, start)
    may_be_of_caller = stored_functions.OF_CALLER in stored
    is_known = bool(stored) and not may_be_of_caller and _is_static(step.program, variable.symbol)
    if initial is None and not is_known:
        return None
    found = {} if initial is None else {address: initial}
    names = functions_of_caller(step, kind) if may_be_of_caller else functions_of(step, whole)
    more = {step.statics.address(name): name for name in names if may_be_of_caller or name in stored}
    said = ["null", *(["the function that it is at first"] if initial is not None else [])]
    said += [f"one that {'a caller' if may_be_of_caller else 'the program'} sets"] if more.keys() - found.keys() else []
    path = heap_object.path.removeprefix("&")
    step.state.lazy = step.state.lazy.with_functions(found | more).assuming(f"{path} is {', or '.join(said)}")
    return [0, *(found | more)]


def _is_static(program: Program, symbol: str) -> bool:
    """Whether only the file of a variable knows its name."""
    variable = program.c_types.variable(program.globals[symbol].reference)
    return variable is not None and variable.is_static


def _touch_union(heap_object: LazyObject, index: int, union: TypeCell, start: int, end: int, step: Step) -> None:
    """Initialise a range of a union that may hold a pointer: the first read of a place decides its type."""
    assert isinstance(union.type, RecordType)
    path, base, number = cell_path(heap_object, index, union), index * _size(heap_object), heap_object.number
    mask = step.state.memory.objects[number].mask
    untouched = [at for at in range(start, end) if mask is not None and mask[base + at] == UNINITIALISED]
    if not untouched:
        return
    if step.state.lazy.is_frozen:
        step.halt(UNTOUCHED, 0)
    key = number, base + union.offset
    if holds_string(heap_object, union):
        parts = [each.within(union) for each in bytes_of_string(union)]
        said = f"{path.partition('.__r_')[0]} has at most {MOST_CHARACTERS} characters"
        step.state.lazy = step.state.lazy.assuming(said).with_union(*key, parts)
        assume_string(step, [_original(step, heap_object, base + part.offset, part, path) for part in parts])
        for part in parts:
            _touch_cell(step, heap_object, index, part)
        return
    if (start, end) == (union.offset, union.end) and key not in step.state.lazy.unions and copies(step):
        _decide_shape(step, heap_object, index, union)
    planned = [each for each in step.state.lazy.unions.get(key, ()) if each.offset < end and start < each.end]
    for each in planned:
        _touch_cell(step, heap_object, index, each)
    untouched = [at for at in untouched if not any(each.offset <= at < each.end for each in planned)]
    if not untouched:
        return
    first, last, is_for_pointer = start - union.offset, end - union.offset, reads_pointer(step)
    members = step.program.c_types.members(union.type, first, last, is_pointer=is_for_pointer)
    if planned:
        members = () if is_for_pointer else tuple([TypeCell(at - union.offset, BYTE, None) for at in untouched])
    elif not members:
        kind = step.program.c_types.any_pointer if is_for_pointer else number_of_size(step, last - first)
        members = () if kind is None or kind.size != last - first else (TypeCell(first, kind, None),)
    if not members:
        step.unsupported(f"reading {path}, a union that may hold a pointer, as no member of it")
    parts = [member.within(union) for member in members]
    said = f"{path}, a union, holds what it is first read as"
    step.state.lazy = step.state.lazy.assuming(said).with_union(*key, parts)
    for part in parts:
        _touch_cell(step, heap_object, index, part)


def _decide_shape(step: Step, heap_object: LazyObject, index: int, union: TypeCell) -> None:
    """Let a union that is copied hold each of its members that differ in their pointers, in states of their own."""
    assert isinstance(union.type, RecordType)
    number, offset = heap_object.number, index * _size(heap_object) + union.offset
    path = cell_path(heap_object, index, union)

    def change(shape: tuple[TypeCell, ...]) -> Callable[[State], None]:
        def run(state: State) -> None:
            cells = [each.within(union) for each in shape]
            state.lazy = state.lazy.with_shape(number, offset, cells, path)

        return run

    step.part([change(shape) for shape in step.program.c_types.shapes(union.type)])


def _write_untouched(item: MemoryObject, start: int, count: int, value: Value) -> None:
    """Write those of ``count`` bytes of a value that are untouched."""
    assert item.mask is not None
    if item.mask.count(UNINITIALISED, start, start + count) == count:
        item.write(start, count, value)
    else:
        for i in range(count):
            if item.mask[start + i] == UNINITIALISED:
                item.write(start + i, 1, build.extract(value, 8 * i, 8))


def bytes_at(step: Step, number: int, offset: Value, size: int) -> Value | None:
    """``size`` bytes at an unknown offset (64 bits) within a buffer of any size, as they were made: one value for
    each, and not a choice of all bytes. None for other objects, and where the program wrote or has read many bytes.
    """
    buffer = step.state.lazy.find(number)
    if buffer is None or not _is_measured_buffer(step, buffer):
        return None
    item, known = step.state.memory.objects[number], _known_bytes(step.state.lazy, number)
    if item.mask is None or item.origins or len(known) > MOST_KNOWN:
        return None
    read = len(item.data) - item.mask.count(UNINITIALISED)
    if read != len(known) or any(item.byte(at) is not value for at, value in known):
        return None
    return build.concat_bytes([_byte_at(step, buffer, known, build.add(offset, i, 64)) for i in range(size)])


def _byte_at(step: Step, buffer: LazyObject, known: Sequence[tuple[int, Value]], offset: Value) -> Value:
    """A byte (8 bits) of a buffer at an unknown offset, beside those that are ``known``."""
    points = step.state.lazy.points.get(buffer.number, ())
    point = next((each for each in points if each.offset is offset), None)
    if point is not None:
        return point.character
    value = step.fresh(f"{buffer.path}[at]", 8, POINT)
    step.state.lazy = step.state.lazy.with_point(buffer.number, TextPoint(offset, value))
    places = [*((each.offset, each.character) for each in points), *known]
    step.assume(build.conjunction([_same_byte(offset, value, *each) for each in places]))
    return value


def _is_measured_buffer(step: Step, thing: LazyObject) -> bool:
    """Whether an object has a number of bytes that is one value."""
    is_open = thing.is_text or isinstance(thing.length, int) or thing.variable is not None
    if is_open or not step.limits.measures_texts or thing.cells is None or thing.cells.size != 1:
        return False
    return thing.cells.tail is None and isinstance(thing.cells.cells[0].type, Scalar)


def _known_bytes(lazy: LazyHeap, number: int) -> list[tuple[int, Value]]:
    """The bytes of a buffer that were read at known offsets, as they were made."""
    return [(offset, value) for (owner, offset), value in lazy.numbers.items() if owner == number]


def _learn_bytes(step: Step, number: int, offsets: Iterable[int]) -> None:
    """Tell the path what follows for bytes at known offsets from those at unknown ones."""
    lazy = step.state.lazy
    known = [(at, value) for at in offsets if (value := lazy.numbers.get((number, at))) is not None]
    points = lazy.points.get(number, ())
    same = [_same_byte(each.offset, each.character, at, value) for each in points for at, value in known]
    step.assume(build.conjunction(same))


def _same_byte(offset: Value, byte: Value, other: Value, its: Value) -> Value:
    """That two bytes are the same if their offsets are."""
    return build.either(build.ne(offset, other, 64), build.eq(byte, its, 8))


def _original(step: Reader, heap_object: LazyObject, start: int, cell: TypeCell, path: str) -> Value:
    assert isinstance(cell.type, Scalar)
    value = step.state.lazy.numbers.get((heap_object.number, start))
    if value is None:
        value = make_number(step, path, cell.type)
        step.state.lazy = step.state.lazy.with_numbers({(heap_object.number, start): value})
    return value


def original_character(step: Reader, number: int, offset: int) -> Value:
    """A character of a measured text as it was made, read or not."""
    text = step.state.lazy.find(number)
    assert text is not None
    assert text.cells is not None
    [(index, cell)] = text.cells.within(offset, offset + 1)
    is_new = (number, offset) not in step.state.lazy.numbers
    value = _original(step, text, offset, cell, cell_path(text, index, cell))
    if is_new:
        step.choose(lambda step: _learn_text(step, text.number, [offset]))
    return value


def character_at(step: Reader, number: int, offset: Value) -> Value:
    """The character (8 bits) of a measured text at any offset (64 bits) within it, as it was made."""
    if isinstance(offset, int):
        return original_character(step, number, offset)
    text = step.state.lazy.find(number)
    assert text is not None
    if offset is build.sub(text.length, 1, 64):
        return 0
    known = next((each for each in step.state.lazy.points.get(number, ()) if each.offset is offset), None)
    if known is not None:
        return known.character
    value = step.fresh(f"{text.path}[at]", 8, POINT)
    step.state.lazy = step.state.lazy.with_point(number, TextPoint(offset, value))
    step.choose(lambda step: learn_character(step, number, offset, value, character_at))
    return value


def make_number(step: Reader, path: str, kind: Scalar) -> Value:
    """A new input of a C type, with any of its values."""
    value = step.fresh(path, 8 * kind.size, LAZY)
    state = step.state
    state.inputs.describe(kind.name)
    if kind.encoding == "boolean":
        step.choose(lambda step: step.assume(build.ule(value, 1, 8 * kind.size)))
    return value


def _learn_text(step: Step, number: int, offsets: Iterable[int]) -> None:
    """Tell the path what follows for new characters of a text at known offsets: its last one is NUL."""
    numbers = step.state.lazy.numbers
    learn_characters(step, number, [(at, numbers[number, at]) for at in offsets], character_at)


def reach(step: Step, number: int, offset: Value, size: Value, elsewhere: Value, cause: AccessFault) -> bool:
    """Make the object long enough for ``size`` bytes at ``offset`` (64 bits). Whether they lie in it from now on.

    There is no access where ``elsewhere`` (1 bit) holds. False: the length is stated, and the caller must check it. An
    access beyond a string is a fault with ``cause``.
    """
    heap, memory = step.state.lazy, step.state.memory
    array = heap.find(number)
    if array is None or array.is_stated:
        return False
    typed = array if heap.is_frozen else typed_by_access(step, array, offset, size)
    if typed is not array:
        array, end = typed, build.add(offset, size, 64)
        if build.both(build.ule(offset, end, 64), build.ule(end, memory.objects[number].size, 64)) == 1:
            return True
    if array.cells is None:
        step.unsupported(f"an access to what {array.path} points to, of type {array.type.name}")
    if heap.is_frozen and array.length == (0 if array.is_text or array.cells.tail is not None else 1):
        step.halt(UNTOUCHED, 0)
    if array.cells.has_flexible_end and array.cells.tail is None:
        step.unsupported(f"an access past the end of {array.path}, a struct with an array of no elements")
    if _has_counted_tail(step, array):
        return False
    front = replace(cause, reach=Reach.FRONT, thing=FaultyObject(array.path, LAZY), offset=None)
    step.require(build.either(elsewhere, build.sle(0, offset, 64)), "out-of-bounds", front)
    end = build.add(offset, size, 64)
    is_known = isinstance(array.length, int) and isinstance(end, int) and end <= array.length + MOST_SKIPPED
    if not (array.is_text and is_known):
        array = _measure(step, array)
    assert array.cells is not None
    room = room_of(step.limits, array)
    check_room(step.state, array.path, room)
    inside = build.both(build.ule(offset, room, 64), build.ule(end, room, 64))
    beyond = f"an access to {array.path} beyond the capacity of {room} bytes; see --max-size"
    if array.is_text:
        step.state.lazy = step.state.lazy.assuming(f"{array.path} is a string, whose object ends with its first NUL")
        if isinstance(array.length, int):
            assert isinstance(end, int)
            inside = build.both(inside, build.ult(end, room, 64))
            step.limit(build.either(elsewhere, inside), "capacity", beyond)
            _read_on(step, array, end, elsewhere, cause)
        else:
            ends = build.both(build.ule(offset, end, 64), build.ule(end, memory.objects[number].size, 64))
            step.require(build.either(elsewhere, ends), "out-of-bounds", cause)
        return True
    step.limit(build.either(elsewhere, inside), "capacity", beyond)
    step.state.lazy = step.state.lazy.assuming(
        f"{array.path} has as many elements as are accessed (its length is not stated: unfork_length({array.path}))"
    )
    step.assume(build.either(elsewhere, build.ule(end, memory.objects[number].size, 64)))
    return True


def _has_counted_tail(step: Step, array: LazyObject) -> bool:
    """Give a flexible array member as many elements as members before it say. Whether the code shows such members."""
    cells = array.cells
    if cells is None or cells.tail is None or not step.limits.pairs_sizes:
        return False
    tail = tail_of(step.program.c_types, cells.tail.record)
    offsets = () if tail is None else sorted(counting.counting_members(step.program).get(tail, ()))
    if tail is None or not offsets:
        return False
    counts = [_number_at(step, array, cells.tail.offset - tail.offset + offset) for offset in offsets]
    changed, fits = sized(step, array, counts)
    step.limit(fits, "capacity", f"{array.path} with more elements than there is room for; see --max-size")
    step.state.lazy = step.state.lazy.with_changed(changed)
    item = step.state.memory.writable(array.number)
    item.make_room(room_of(step.limits, changed))
    item.size, item.limit = size_of(changed), -1
    return True


def _number_at(step: Step, holder: LazyObject, at: int) -> tuple[str, Value, int]:
    """The number at an offset of an object as it was made: its C expression, value and bytes."""
    assert holder.cells is not None
    [(index, cell)] = holder.cells.within(at, at + 1)
    path = cell_path(holder, index, cell)
    return path, _original(step, holder, at, cell, path), cell.size


def _read_on(step: Step, text: LazyObject, end: int, elsewhere: Value, cause: AccessFault) -> None:
    """Extend a string from ``text.length`` known bytes to ``end``: no byte before the last is its NUL."""
    assert isinstance(text.length, int)
    assert text.cells is not None
    begin, last = max(text.length - 1, 0), end - 1
    step.state.memory.writable(text.number).make_room(end)
    if begin < last:
        touch(step, text.number, begin, last - begin)
        characters = [
            _original(step, text, index, cell, cell_path(text, index, cell))
            for index, cell in text.cells.within(begin, last)
        ]
        goes_on = build.either(elsewhere, build.conjunction([build.ne(character, 0, 8) for character in characters]))
        step.require(goes_on, "out-of-bounds", cause)
        step.assume(goes_on)  # a guarded step keeps the faulty side too, and cannot go on with both
    if elsewhere == 0 and end > text.length:
        step.state.lazy = step.state.lazy.with_changed(replace(text, length=end))
        item = step.state.memory.writable(text.number)
        item.size = end
        item.vanish(item.gone)


def length_name(array: LazyObject) -> str:
    """The name of the input for the length of an array or a text."""
    return f"strlen({array.path})" if array.is_text else f"unfork_length({array.path})"


def _measure(step: Step, array: LazyObject) -> LazyObject:
    """The object with a symbolic number of elements; the known ones are there."""
    if not isinstance(array.length, int):
        return array
    assert array.cells is not None
    most = most_elements(step.limits, array)
    name = length_name(array)
    count = step.fresh(name, 64, LAZY)
    length = build.add(count, 1, 64) if array.is_text else count
    step.assume(build.ult(count, most - 1, 64) if array.is_text else build.ule(count, most, 64))
    if array.is_text:
        step.state.lazy = step.state.lazy.assuming(f"{array.path} has fewer than {most - 1} characters (--max-size)")
    if array.is_text or _is_touched(step, array):
        step.assume(build.ule(array.length, length, 64))
    changed = replace(array, length=length)
    step.state.lazy = step.state.lazy.with_changed(changed)
    item = step.state.memory.writable(array.number)
    item.make_room(room_of(step.limits, array))
    item.size, item.limit = size_of(changed), -1
    if array.is_text:
        characters = [*step.state.lazy.possible_ends(array).items()]
        learn_characters(step, array.number, characters, character_at)
    return changed


def made_length(step: Step, text: LazyObject) -> Value:
    """The length of a text of the input as it was made, without its NUL, as one value (64 bits)."""
    return build.sub(_measure(step, text).length, 1, 64)


def settle(step: Step, number: int) -> MemoryObject:
    """The object with an exact size: the length of a string whose end is not known becomes a number."""
    text = step.state.lazy.find(number)
    if text is not None and text.is_text and (text.length != 0 or step.limits.measures_texts):
        _measure(step, text)
    return step.state.memory.objects[number]


def _is_touched(step: Step, array: LazyObject) -> bool:
    item = step.state.memory.objects[array.number]
    return item.mask is None or item.is_parted or item.mask.count(UNINITIALISED) < len(item.data)


def stated_length(step: Step, number: int) -> Value | None:
    """The number of elements of a lazily made object, which from now on bounds accesses; None for another object."""
    array = step.state.lazy.find(number)
    if array is None:
        return None
    if array.is_stated:
        return array.length
    if array.cells is None or array.cells.tail is not None:
        step.unsupported(f"unfork_length of {array.path}, which points to {array.type.name}")
    item = step.state.memory.objects.get(number)
    if item is None:
        step.unsupported(f"unfork_length of {array.path}, which was freed")
    if array.is_text and array.length != 0:
        step.unsupported(f"unfork_length of {array.path}, which was read as a string before")
    array = _measure(step, replace(array, is_text=False))
    changed = replace(array, is_stated=True)
    step.state.lazy = step.state.lazy.with_changed(changed)
    most = len(step.state.memory.objects[number].data)
    step.give_up_part("capacity", f"{array.path} longer than {most} bytes; see --max-size")
    return changed.length
