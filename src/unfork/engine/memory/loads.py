"""Loads and stores, exact at symbolic offsets and through pointers that may name several objects."""

from __future__ import annotations

from dataclasses import replace

from unfork.engine.memory.lazy_objects import bytes_at
from unfork.engine.memory.measured_texts import overwrite, text_character
from unfork.engine.memory.pieces import put, spell_out
from unfork.engine.memory.resolve import Location, resolve
from unfork.engine.memory.uninitialised import initialise, limit_changed, unread_byte
from unfork.engine.state import unbounded
from unfork.engine.state.lazy import LAZY, ArrayCell, LazyObject
from unfork.engine.state.memory import MASK_64, SLOT_BITS, SLOT_MASK, SLOT_MIDDLE, MemoryObject
from unfork.engine.state.pointer_words import is_whole
from unfork.engine.state.unbounded import UNBOUNDED
from unfork.engine.state.updates import OffsetRange, Update, read_cells, remember
from unfork.engine.step.numbers import read_as_number, spell, unspell
from unfork.engine.step.step import PathEnded, Step
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.solver import PathQuestions, Unsat
from unfork.logic.terms import build
from unfork.logic.terms.known_bits import trailing_zeros
from unfork.logic.terms.term import Term, Value
from unfork.program.facts.address_uses import WORD
from unfork.program.llvm.c_types import Scalar
from unfork.program.llvm.types import NARROW_POINTER, POINTER, pointer_type

READ_CELLS = 4096
"""The most cells that a read at a symbolic offset chooses from; a wider range is split first."""
WRITE_CELLS = 256
"""The most cells that a write at a symbolic offset touches; a wider range is split first."""
CHOICES = 4096
"""A choice of addresses with more leaves is read as a symbolic offset."""
FACTS_SUFFICE = 256
"""Queries narrow only ranges of more cells."""

MADE_AS_READ = (LAZY, UNBOUNDED)
"""Kinds of objects whose bytes are made when they are read."""


def load(step: Step, pointer: Value, size: int) -> Value:
    """``size`` bytes at ``pointer``, a little-endian value of 8 * size bits: a whole pointer, or parts of numbers."""
    if isinstance(pointer, int):
        item = step.state.memory.objects.get(pointer >> SLOT_BITS)
        offset = (pointer & SLOT_MASK) - SLOT_MIDDLE
        if item is not None and 0 <= offset <= item.limit - size:
            return read_at(step, pointer >> SLOT_BITS, offset, size)
    elif (choice := _read_choice(step, pointer, size)) is not None:
        return choice
    locations = resolve(step, pointer, size, "read")
    if not locations:
        raise PathEnded
    if len(locations) == 1 and has_order(step, locations[0][1].number, locations[0][1].offset, size):
        return read_cell(step, locations[0][1].number, cell_at(step, locations[0][1], size), size)
    result = read_location(step, locations[-1][1], size)
    for guard, location in reversed(locations[:-1]):
        result = build.ite(guard, read_location(step, location, size), result, 8 * size)
    return result


def _read_choice(step: Step, pointer: Term, size: int) -> Value | None:
    """The same for a choice among known, valid addresses; None for another pointer."""
    base, tree = build.constant_offset(pointer)
    addresses = build.leaves(tree, CHOICES)
    if addresses is None:
        return None
    objects = step.state.memory.objects
    for leaf in addresses:
        address = leaf + base & MASK_64
        item = objects.get(address >> SLOT_BITS)
        if item is None or item.kind == LAZY or not 0 <= (address & SLOT_MASK) - SLOT_MIDDLE <= item.limit - size:
            return None
    step.use(pointer, "an address")

    def read(leaf: int) -> Value:
        address = leaf + base & MASK_64
        number, offset = address >> SLOT_BITS, (address & SLOT_MASK) - SLOT_MIDDLE
        return read_at(step, number, offset, size)

    return build.spread(read, tree, 8 * size)


def read_at(step: Step, number: int, offset: int, size: int) -> Value:
    """``size`` bytes at a valid offset of an object, as load() gives them."""
    item = initialise(step, number, offset, size)
    if not is_whole(offset, size):
        item = spell_out(step, number, offset, size)
    return item.read(offset, size)


def store(step: Step, pointer: Value, value: Value, size: int) -> None:
    """Write a little-endian value of 8 * size bits to the ``size`` bytes at ``pointer``."""
    memory = step.state.memory
    if isinstance(pointer, int):
        number = pointer >> SLOT_BITS
        item = memory.objects.get(number)
        offset = (pointer & SLOT_MASK) - SLOT_MIDDLE
        if item is not None and not item.read_only and 0 <= offset <= item.limit - size:
            put(step, number, offset, size, value)
            return
    locations = resolve(step, pointer, size, "write")
    if len(locations) == 1 and has_order(step, locations[0][1].number, locations[0][1].offset, size):
        write_cell(step, locations[0][1], cell_at(step, locations[0][1], size), size, value)
        return
    if len(locations) == 1 and overwrite(step, locations[0][1], value, size):
        return
    cells = [find_cells(step, location, size, WRITE_CELLS) for _, location in locations]
    if len(locations) == 1:
        write_location(step, locations[0][1], cells[0], size, value, 1)
        return
    for (guard, location), cell in zip(locations, cells, strict=True):
        write_location(step, location, cell, size, value, guard)


def load_pointer(step: Step, pointer: Value) -> Value:
    """The pointer in memory at ``pointer``."""
    if step.state.memory.is_narrow:
        return unspell(step, load(step, pointer, NARROW_POINTER.size))
    return load(step, pointer, POINTER.size)


def store_pointer(step: Step, pointer: Value, value: Value) -> None:
    """Write the pointer ``value`` to memory at ``pointer``."""
    if step.state.memory.is_narrow:
        store(step, pointer, spell(step, value), NARROW_POINTER.size)
    else:
        store(step, pointer, value, POINTER.size)


def pointer_size(step: Step) -> int:
    """The bytes of a pointer, or a long, in the program's memory."""
    return pointer_type(is_narrow=step.state.memory.is_narrow).size


# --- one location ---------------------------------------------------------------------------------------------------


def read_location(step: Step, location: Location, size: int) -> Value:
    """``size`` bytes at a location; splits when the offset's range is too wide."""
    offset = location.offset
    if location.item.kind == UNBOUNDED:
        value = unbounded.read(step.state.proof.contents[location.number], offset, size)
        _unfold(step, location.number, offset)
        return value
    if isinstance(offset, int):
        return read_at(step, location.number, offset, size)
    character = text_character(step, location) if size == 1 else None
    if character is None and location.item.kind == LAZY and is_wide(offset, location.item):
        character = bytes_at(step, location.number, offset, size)
    if character is not None:
        return character
    cells = find_cells(step, location, size, READ_CELLS)
    first, stride, count = cells.first, cells.stride, cells.count
    if size == stride == 1 and location.item.origins:
        spell_out(step, location.number, first, count)
        byte = unread_byte(step, location.number, offset, first, first + count)
        if byte is not None:
            return byte
    item = _written_cells(step, location.number, cells, size)
    if count == 1:
        return item.read(first, size)
    return read_cells(item, cells, size, read_table(item, first, stride, count, size))


def is_wide(offset: Term, item: MemoryObject) -> bool:
    """Whether an offset may be one of many."""
    return min(offset.high, len(item.data)) - offset.low >= FACTS_SUFFICE


def _written_cells(step: Step, number: int, cells: OffsetRange, size: int) -> MemoryObject:
    first, stride, count = cells.first, cells.stride, cells.count
    length = (count - 1) * stride + size
    limit_changed(step, number, first, length)
    if stride <= size or number in step.state.lazy.points:
        initialise(step, number, first, length)
    else:
        for i in range(count):
            initialise(step, number, first + i * stride, size)
    if not is_whole(first, size) or stride % WORD:
        spell_out(step, number, first, length)
    return step.state.memory.objects[number]


def _unfold(step: Step, number: int, offset: Value) -> None:
    """Tell the path about one element what it knows of all elements of an object of any length."""
    facts = build.conjunction(unbounded.facts_at(step.state.proof, number, offset))
    known = step.chain.assume(step.state.path, facts)
    if isinstance(known, Unsat):
        raise PathEnded
    if isinstance(known, PathCondition):
        step.state.path = known


def read_table(item: MemoryObject, first: int, stride: int, count: int, size: int) -> list[Value]:
    """The contents of ``count`` cells of ``size`` bytes."""
    end = first + count * stride
    if item.is_concrete(first, end - stride + size - first):
        data, convert = item.data, int.from_bytes
        return [convert(data[i : i + size], "little") for i in range(first, end, stride)]
    return [item.read(i, size) for i in range(first, end, stride)]


def find_cells(step: Step, location: Location, size: int, limit: int) -> OffsetRange:
    """The cells that the location's offset can name; splits the path into parts of at most ``limit`` cells."""
    offset = location.offset
    if location.item.kind == UNBOUNDED:
        return OffsetRange(0, size, 1, 0, 0)  # the location names the cell
    if isinstance(offset, int):
        return OffsetRange(offset, size, 1, 0, 0)
    constant, rest = build.constant_offset(offset)
    zeros = trailing_zeros(rest)
    stride = 1 << zeros
    low, high = offset.low, min(offset.high, len(location.item.data) - size)
    if high - low >= FACTS_SUFFICE * stride:
        lowest, highest = step.chain.bounds(step.state.path, offset, 64)
        low, high = max(low, lowest), min(high, highest)
    low += (constant - low) % stride
    if low > high:  # then the location's guard is false: any cell will do
        return OffsetRange(0, size, 1, 0, 0)
    count = (high - low) // stride + 1
    if count > limit:
        _split_range(step, offset, low, high, limit * stride)
    if 0 <= constant <= low and (low - constant) // stride <= count:
        low = constant  # the index term needs no subtraction
        count = (high - low) // stride + 1
    width = (count - 1).bit_length()
    index: Value = 0
    if width:
        index = build.extract(build.sub(offset, low, 64), zeros, width)
    return OffsetRange(low, stride, count, index, width)


def _split_range(step: Step, offset: Term, low: int, high: int, span: int) -> None:
    conditions = []
    while low <= high:
        last = min(low + span - 1, high)
        conditions.append(build.both(build.uge(offset, low, 64), build.ule(offset, last, 64)))
        low = last + 1
    outside = build.negate(build.disjunction(conditions))  # feasible where the guard of the location is false
    step.split([*conditions, outside])


def write_location(step: Step, location: Location, cells: OffsetRange, size: int, value: Value, guard: Value) -> None:
    """Write to the cell that the offset names, where ``guard`` holds. All other bytes keep their values."""
    first, stride, count = cells.first, cells.stride, cells.count
    if location.item.kind == UNBOUNDED:
        proof = step.state.proof
        changed = unbounded.write(proof.contents[location.number], location.offset, size, value, guard)
        step.state.proof = replace(proof, contents={**proof.contents, location.number: changed})
        return
    if count == 1 and guard == 1:
        put(step, location.number, first, size, value)
        return
    _written_cells(step, location.number, cells, size)
    if size == WORD and (first % WORD or stride % WORD):
        value = read_as_number(step, value)
    item = step.state.memory.writable(location.number)
    if stride >= size:
        old, new = read_table(item, first, stride, count, size), []
        for i, before in enumerate(old):
            after = build.ite(build.both(guard, cells.is_cell(i)), value, before, 8 * size)
            item.write(first + i * stride, size, after)
            new.append(after)
        remember(item, Update(cells, size, guard, value, tuple(old), tuple(new)))
        return
    meant_at = [build.both(guard, cells.is_cell(i)) for i in range(count)]
    for position in range(first, first + (count - 1) * stride + size):
        byte = item.byte(position)
        for part in range(size):
            cell, remainder = divmod(position - part - first, stride)
            if remainder == 0 and 0 <= cell < count:
                byte = build.ite(meant_at[cell], build.extract(value, 8 * part, 8), byte, 8)
        item.write(position, 1, byte)


# --- cells in order --------------------------------------------------------------------------------------------------


def is_array(heap_object: LazyObject) -> bool:
    """Whether an input object is an array of numbers of open length."""
    cells = heap_object.cells
    if cells is None or heap_object.is_text or isinstance(heap_object.length, int) or len(cells.cells) != 1:
        return False
    if cells.tail is not None:
        return False
    (cell,) = cells.cells
    return isinstance(cell.type, Scalar) and cell.offset == 0 and cell.size == cells.size


def has_order(step: Step, number: int, offset: Value, size: int) -> bool:
    """Whether an access of ``size`` bytes is to one cell of an array whose cells are ordered."""
    if not step.limits.orders_cells:
        return False
    heap_object = step.state.lazy.find(number)
    if heap_object is None or heap_object.cells is None or heap_object.cells.size != size or not is_array(heap_object):
        return False
    constant, rest = build.parted(offset)
    return constant % size == 0 and (not isinstance(rest, Term) or 1 << trailing_zeros(rest) >= size)


def find(step: Step, number: int, offset: Value) -> tuple[int, ArrayCell | None]:
    """The position of the cell at ``offset`` (64 bits) among an array's known cells, and the cell; None if it is not
    known.

    Splits the state if both are possible.
    """
    cells = step.state.lazy.cells.get(number, ())
    for position, cell in enumerate(cells):
        if cell.offset is offset:
            return position, cell
    for position, cell in enumerate(cells):
        if step.decide(build.eq(offset, cell.offset, 64)):
            return position, cell
        if step.decide(build.ult(offset, cell.offset, 64)):
            return position, None
    return len(cells), None


def without_decided_choices(chain: PathQuestions, path: PathCondition, value: Value) -> Value:
    """``value`` without the outermost choices that the path has decided."""
    while isinstance(value, Term) and value.op == "ite":
        condition, then, otherwise = value.args
        if chain.must(path, condition):
            value = then
        elif chain.must(path, build.negate(condition)):
            value = otherwise
        else:
            break
    return value.value if isinstance(value, Term) and value.op == "const" else value


def cell_at(step: Step, location: Location, size: int) -> ArrayCell:
    """The cell of an ordered array; splits over which one it is."""
    position, cell = find(step, location.number, location.offset)
    if cell is None:
        unread = ArrayCell(location.offset, find_cells(step, location, size, WRITE_CELLS), 0)
        cell = replace(unread, first=read_cell(step, location.number, unread, size))
        step.state.lazy = step.state.lazy.with_cell(location.number, position, cell)
    return cell


def read_cell(step: Step, number: int, cell: ArrayCell, size: int) -> Value:
    """The contents of a cell, without the choices at its top that the path has decided."""
    cells = cell.span
    item = _written_cells(step, number, cells, size)
    return without_decided_choices(step.chain, step.state.path, contents(item, cells, size))


def contents(item: MemoryObject, cells: OffsetRange, size: int) -> Value:
    """The contents of the cell of ``size`` bytes that ``cells`` names; all of them are initialised."""
    if cells.count == 1:
        return item.read(cells.first, size)
    return read_cells(item, cells, size, read_table(item, cells.first, cells.stride, cells.count, size), 1)


def write_cell(step: Step, location: Location, cell: ArrayCell, size: int, value: Value) -> None:
    """Write a cell. A write at a known offset is remembered too, since reads go through it."""
    cells = cell.span
    if cells.count > 1:
        write_location(step, location, cells, size, value, 1)
        return
    old = read_at(step, location.number, cells.first, size)
    put(step, location.number, cells.first, size, value)
    item = step.state.memory.writable(location.number)
    remember(item, Update(cells, size, 1, value, (old,), (value,)))
