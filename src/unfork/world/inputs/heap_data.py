"""The input heap of a function in a test, as data: objects, their contents, and the targets of their pointers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from unfork.engine.state.flat_layout import as_read
from unfork.engine.state.lazy import LazyHeap, LazyObject, cell_path
from unfork.engine.state.memory import object_of, offset_in
from unfork.engine.state.state import State
from unfork.engine.state.text_contents import TextContents
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.program.llvm.c_types import Pointer, RecordType, TypeCell


@dataclass(frozen=True, slots=True)
class HeapAddress:
    """The location ``offset`` bytes into object ``index`` of the heap."""

    index: int
    offset: int


@dataclass(frozen=True, slots=True)
class FunctionAddress:
    """The address of a function, or of a virtual table in a variable: name, plus, offset in bytes."""

    name: str


@dataclass(frozen=True, slots=True)
class OutsideLocation:
    """A location outside the input heap, in words. Only the heap after a run has these."""

    what: str


Reference = HeapAddress | FunctionAddress | OutsideLocation | None
"""The value of a pointer; None is null."""
_AS_BYTES = "((unsigned char *)"
"""How the path of a byte without a name begins."""
MOST_UNTOUCHED = 64
"""An object of up to this many cells lists untouched ones too."""


@dataclass(frozen=True, slots=True)
class HeapCell:
    """A number or a pointer. ``path`` is its C expression, ``target`` a pointer's target.

    An untouched cell was never read: any value will do, and it is 0 here. A const cell cannot be assigned.
    """

    path: str
    offset: int
    size: int
    type: str
    is_pointer: bool = False
    target: Reference = None
    is_touched: bool = True
    is_const: bool = False


@dataclass(frozen=True, slots=True)
class HeapObject:
    """``length`` elements of C type ``type``. ``data`` are the bytes: zeros for pointers, empty if opaque.

    ``name`` is the C expression of the first pointer here. ``symbol`` is the linker name of a variable; empty for
    other objects. A foreign variable belongs to another file than the function. ``tail``: bytes of ``data`` past the
    struct, for a flexible array member.
    """

    name: str
    type: str
    length: int
    data: bytes
    cells: tuple[HeapCell, ...]
    is_text: bool = False
    symbol: str = ""
    is_foreign: bool = False
    tail: int = 0


@dataclass(frozen=True, slots=True)
class HeapArgument:
    """A function's argument: bytes, a pointer, or (``is_copy``) the struct at an address."""

    name: str
    type: str
    data: bytes
    is_pointer: bool = False
    target: Reference = None
    is_copy: bool = False


@dataclass(frozen=True, slots=True)
class Heap:
    """The arguments and objects for a call of ``function``."""

    function: str
    arguments: tuple[HeapArgument, ...]
    objects: tuple[HeapObject, ...]


def of_state(state: State, model: Model) -> Heap | None:
    """A path's input heap under a model, without variables that do not matter; None for a start in main."""
    lazy = state.lazy
    if not lazy.function:
        return None
    used, elements = _used_objects(lazy, model), lazy.element_numbers
    every = [lazy_object for lazy_object in lazy.all if lazy_object.number not in elements]
    shown = [lazy_object for lazy_object in every if lazy_object.variable is None or lazy_object.number in used]
    names = {lazy_object.number: index for index, lazy_object in enumerate(shown)}
    arguments = []
    for argument in lazy.arguments:
        name, kind = argument.name, argument.type
        value = evaluate(argument.value, model)
        if isinstance(kind, Pointer | RecordType):
            target = _reference(lazy, names, value)
            arguments.append(HeapArgument(name, kind.name, b"", True, target, isinstance(kind, RecordType)))
        else:
            arguments.append(HeapArgument(name, kind.name, value.to_bytes(kind.size, "little")))
    objects = [_object(lazy, names, lazy_object, model) for lazy_object in shown]
    return Heap(lazy.function, tuple(arguments), tuple(_placed(lazy, model, objects)))


def _placed(lazy: LazyHeap, model: Model, objects: list[HeapObject]) -> Iterator[HeapObject]:
    """The objects, named by the places of array elements."""
    places: list[tuple[str, str]] = []

    def placed(path: str) -> str:
        for unplaced, place in places:
            for begin in ("", _AS_BYTES):
                if path.startswith(begin + unplaced):
                    rest = path[len(begin + unplaced) :]
                    is_first = place.endswith("[0]") and rest.startswith(".")
                    path = begin + (f"{place[:-3]}->{rest[1:]}" if is_first else f"{place}{rest}")
        return path

    elements = [each for parts in lazy.elements.values() for each in parts]
    for part in sorted(elements, key=lambda part: part.number):
        element = lazy.find(part.number)
        assert element is not None
        places.append((placed(element.path[1:]), placed(part.row.place(evaluate(part.start, model)))))
    for each in objects:
        cells = [replace(cell, path=placed(cell.path)) for cell in each.cells] if places else each.cells
        yield replace(each, name=placed(each.name), cells=tuple(cells))


def _used_objects(lazy: LazyHeap, model: Model) -> set[int]:
    used = {number for number, _ in (*lazy.pointers, *lazy.numbers)} | lazy.elements.keys()
    used.update(object_of(address) for address in lazy.pointers.values())
    used.update(
        object_of(evaluate(argument.value, model)) for argument in lazy.arguments if isinstance(argument.type, Pointer)
    )
    return used


def _reference(lazy: LazyHeap, names: Mapping[int, int], address: int) -> Reference:
    if address == 0:
        return None
    name = lazy.functions.get(address)
    if name is not None:
        return FunctionAddress(name)
    return HeapAddress(names[object_of(address)], offset_in(address))


def _object(lazy: LazyHeap, names: Mapping[int, int], lazy_object: LazyObject, model: Model) -> HeapObject:
    if lazy_object.cells is None:
        return HeapObject(lazy_object.path, lazy_object.type.name, 0, b"", ())
    layout, size, is_text = lazy_object.cells, lazy_object.cells.size, lazy_object.is_text
    length = lazy.text_size(lazy_object, model) if is_text else evaluate(lazy_object.length, model)
    data = bytearray(layout.base + length * layout.stride)
    if lazy_object.is_text:
        data[:] = TextContents(lazy, model).of(lazy_object)
    cells, at_points = [], {} if is_text else lazy.characters_at_points(lazy_object.number, model)
    for index, key, cell in _cells(lazy, lazy_object, len(data), model):
        offset = index * size + cell.offset
        path, kind = cell_path(lazy_object, index, cell), cell.type.name
        if key in lazy.pointers:
            target = _reference(lazy, names, lazy.pointers[key])
            cells.append(HeapCell(path, offset, cell.size, kind, True, target, is_const=cell.is_const))
        elif key in lazy.numbers and isinstance(cell.type, Pointer):
            target = _reference(lazy, names, evaluate(lazy.numbers[key], model))
            cells.append(HeapCell(path, offset, cell.size, kind, True, target, is_const=cell.is_const))
        elif key in lazy.numbers:
            value = evaluate(lazy.numbers[key], model)
            data[offset : offset + cell.size] = value.to_bytes(cell.size, "little")
            cells.append(HeapCell(path, offset, cell.size, kind, is_const=cell.is_const))
        elif offset in at_points:
            data[offset] = at_points[offset]
            cells.append(HeapCell(path, offset, cell.size, kind, is_const=cell.is_const))
        elif (
            cell.path is not None
            and len(data) // size * len(lazy_object.cells.cells) <= MOST_UNTOUCHED
            and not lazy_object.is_text
        ):
            is_pointer = isinstance(cell.type, Pointer)
            cells.append(HeapCell(path, offset, cell.size, kind, is_pointer, None, False, cell.is_const))
    heap_object = HeapObject(
        lazy_object.path, lazy_object.type.name, length, bytes(data), tuple(cells), lazy_object.is_text
    )
    if layout.tail is not None:
        heap_object = replace(heap_object, length=1, tail=len(data) - size)
    if lazy_object.variable is None:
        return heap_object
    return replace(heap_object, symbol=lazy_object.variable.symbol, is_foreign=lazy_object.variable.is_foreign)


def _cells(
    lazy: LazyHeap, lazy_object: LazyObject, length: int, model: Model
) -> Iterator[tuple[int, tuple[int, int], TypeCell]]:
    """The cells of an object of ``length`` bytes, as which it was read: with the object's element, and the object and
    offset where the path has the cell.
    """
    assert lazy_object.cells is not None
    number, size = lazy_object.number, lazy_object.cells.size
    is_whole = not lazy.elements_apart(number)
    for index, cell in lazy_object.cells.within(0, length) if length else ():
        offset = index * size + cell.offset
        owner, at = (number, offset) if is_whole else _owner(lazy, number, offset, model)
        own_index, own = index, cell
        if owner != number:
            element = lazy.find(owner)
            assert element is not None
            assert element.cells is not None
            [(own_index, own)] = element.cells.within(at, at + 1)
        for part in lazy.read_as(owner, own_index, own):
            within = part.offset - own.offset
            key, shown = (owner, at + within), part
            if own is not cell:
                path = cell.path if part is own else None
                if part.path is not None and own.path is not None and cell.path is not None:
                    path = cell.path + part.path.removeprefix(own.path)
                shown = replace(part, offset=cell.offset + within, path=path, is_const=part.is_const or cell.is_const)
            yield index, key, shown


def _owner(lazy: LazyHeap, number: int, offset: int, model: Model) -> tuple[int, int]:
    """The object, an element that is apart or the one itself, that has a byte of an object, and where."""
    apart = iter(lazy.elements_apart(number))
    while (each := next(apart, None)) is not None:
        within = offset - evaluate(each.start, model)
        if 0 <= within < each.row.cells.size:
            number, offset, apart = each.number, within, iter(lazy.elements_apart(each.number))
    return number, offset


def bytes_of(cell: HeapCell, data: bytes) -> bytes:
    """The bytes of a cell."""
    return data[cell.offset : cell.offset + cell.size]


# --- the heap that a run has come to ---------------------------------------------------------------------------------


def as_left(heap: Heap, state: State) -> Heap:
    """The concrete ``heap`` with its objects' contents in ``state``, at the end of a run on it."""
    return replace(heap, objects=tuple([_object_after(heap, index, state) for index in range(len(heap.objects))]))


def _numbers(heap: Heap, state: State) -> list[int]:
    known = {lazy_object.path: lazy_object.number for lazy_object in state.lazy.all}
    return [known[heap_object.name] for heap_object in heap.objects]


def _object_after(heap: Heap, index: int, state: State) -> HeapObject:
    heap_object = heap.objects[index]
    item = state.memory.objects.get(_numbers(heap, state)[index])
    if item is None:
        return replace(heap_object, type=f"{heap_object.type} (freed)", cells=(), data=b"", length=0)
    cells = []
    for cell in heap_object.cells:
        address = item.read(cell.offset, cell.size)
        is_touched = cell.is_touched or address != 0
        if cell.is_pointer and isinstance(address, int):
            cell = replace(cell, target=_reference_after(heap, state, as_read(address, state.memory)))
        cells.append(replace(cell, is_touched=is_touched))
    return replace(heap_object, data=bytes(item.data), cells=tuple(cells))


def _reference_after(heap: Heap, state: State, address: int) -> Reference:
    number = object_of(address)
    if address == 0:
        return None
    numbers = _numbers(heap, state)
    if number in numbers:
        return HeapAddress(numbers.index(number), offset_in(address))
    item = state.memory.objects.get(number)
    if item is not None:
        line = f" of line {item.site.line}" if item.site is not None else ""
        return OutsideLocation(f"a block from {item.name}{line}" if item.kind == "heap" else item.name)
    return OutsideLocation("what is gone" if number else f"{address:#x}")
