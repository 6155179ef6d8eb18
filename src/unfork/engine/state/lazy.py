"""The input heap of a function, as far as its path has read it: lazy initialisation (Anand06, section 2).

The objects are ordinary memory objects of kind LAZY whose bytes are UNINITIALISED until the first read. Then a
number becomes an input named by its path ("l->next->elem"); a pointer becomes null, the address of a new object or
of an earlier one, each on a path of its own, so that pointers in memory are always concrete. The choices are kept
here, since the program may overwrite the memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from unfork.engine.state import updates
from unfork.engine.state.memory import FIRST_LAZY, UNINITIALISED, Memory
from unfork.engine.state.narrow_layout import LAZY_NAMES
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Term, Value
from unfork.program.llvm.c_types import CType, RecordType, Scalar, TypeCell, TypeCells

KeptValue = TypeVar("KeptValue")

LAZY = "lazy"
"""The kind of these memory objects, and of the inputs for their numbers."""
POINT = "point"
"""The kind of inputs for characters at unknown offsets of texts."""
_UNPLACED = re.compile(r"\[at\d*\]")
UNTOUCHED = "untouched"
"""The end of a path that reads an untouched cell while that is not allowed."""


@dataclass(frozen=True, slots=True)
class InputVariable:
    """A global variable as an object: ``symbol`` is its name in the linked program.

    ``is_foreign``: the file that defines the function does not declare it.
    """

    symbol: str
    is_foreign: bool


@dataclass(frozen=True, slots=True)
class LazyObject:
    """An object of the input heap. ``path`` is the C expression of the first pointer to it.

    For a global variable that is "&g" or "table", and its number is the program's.

    ``type`` is that of one element and ``cells`` its layout (None: opaque). ``length`` (64 bits) is the number of
    elements. It is *stated* if the program read it (unfork_length) or a terminator gives it (``is_text``): only then
    is an access beyond it an error. For a string it is an int while all that is known is its number of bytes, only
    the last of which may be its NUL. Of a struct with a flexible array member there is one, and ``length`` is that
    member's. ``given`` is the declared target of the pointer, if the code uses another type.
    """

    number: int
    path: str
    type: CType
    cells: TypeCells | None
    length: Value = 1
    is_stated: bool = False
    is_text: bool = False
    variable: InputVariable | None = None
    given: CType | None = None


def made_for(number: int, path: str, kind: CType, cells: TypeCells | None) -> LazyObject:
    """A new object for a pointer to ``kind``. A ``char *`` points to a string."""
    is_text = isinstance(kind, Scalar) and kind.name == "char"
    length = 0 if is_text or (cells is not None and cells.tail is not None) else 1
    return LazyObject(number, path, kind, cells, length, is_text=is_text)


@dataclass(frozen=True, slots=True)
class LazyArgument:
    """The argument for a parameter. ``value`` is as wide as ``type``; ``room`` is the number beside a pointer that
    gives its bytes.
    """

    name: str
    type: CType
    value: Value
    room: Value | None = None


@dataclass(frozen=True, slots=True)
class LazyCell:
    """A cell of an object that was neither read nor written: its type, and the C expression that names it."""

    type: CType
    path: str


@dataclass(frozen=True, slots=True)
class ArrayCell:
    """A cell of an array that a path has accessed, where cells are kept in order (engine/memory/loads.py).

    ``offset`` (64 bits) is in bytes; ``span`` gives the cells among which it was looked up. ``first`` is its content
    at the first access.
    """

    offset: Value
    span: updates.OffsetRange
    first: Value


@dataclass(frozen=True, slots=True)
class ElementRow:
    """An array in an object, or an object that is one: elements of ``type``, from offset ``begin`` on.

    ``count`` is their number; None: as many as the object has room for. ``path`` is the array's C expression,
    ``dimensions`` those of an array of arrays.
    """

    begin: int
    path: str
    type: CType
    cells: TypeCells
    count: int | None = None
    dimensions: tuple[int, ...] = ()

    def place(self, start: int) -> str:
        """The C expression of the element that begins at an offset of the object."""
        index, places = (start - self.begin) // self.cells.size, list[str]()
        for count in reversed(self.dimensions[1:]):
            index, place = divmod(index, count)
            places.append(f"[{place}]")
        return f"{self.path}[{index}]{''.join(reversed(places))}"


@dataclass(frozen=True, slots=True)
class ArrayElement:
    """An element of an array that is object ``number``: it begins at ``start`` (64 bits), in bytes, in the object that
    has the array.

    It is apart until its bytes are joined to that object's.
    """

    start: Value
    number: int
    row: ElementRow
    is_apart: bool = True


@dataclass(frozen=True, slots=True)
class TextPoint:
    """A character (8 bits) of a text, or a byte of a buffer, at an unknown offset (64 bits)."""

    offset: Value
    character: Value


@dataclass(frozen=True, slots=True)
class UniformCharacters:
    """All characters of a text from offset ``start`` to before ``end`` (64 bits) are among ``characters``, or none."""

    start: Value
    end: Value
    characters: tuple[Value, ...]
    are_among: bool


@dataclass(frozen=True, slots=True)
class EqualCharacters:
    """A text has the same characters from ``start`` to before ``end`` as another one from ``other_start`` on.

    ``is_folded``: but for the case of letters.
    """

    start: Value
    end: Value
    other: int
    other_start: Value
    is_folded: bool = False


@dataclass(frozen=True, slots=True)
class NoOccurrence:
    """Nowhere from offset ``start`` to before ``end`` (64 bits) of a text does ``needle`` begin."""

    start: Value
    end: Value
    needle: tuple[int, ...]


TextFact = UniformCharacters | EqualCharacters | NoOccurrence
TextQuestion = tuple[str, tuple[Value, ...]]
"""A search or a comparison, by its name and all that it depends on."""


@dataclass(frozen=True, slots=True)
class LazyHeap:
    """The input heap of one path: an immutable value.

    ``function`` was called with ``arguments``. ``objects`` are in order of creation. ``globals`` are the variables that
    are part of the input, by number: the same on all paths. By (object number, offset), ``pointers`` has the address
    (0: null) of each pointer that was read and ``numbers`` the value of each number; ``unions`` has the cells as which
    a union was read, and ``shaped`` those of which a copy decided that. ``functions`` names those whose addresses
    pointers may hold. ``assumptions`` are the path's assumptions about its input, in words. ``cells`` has the known
    cells of arrays by object number, by offset, where they are kept. ``elements`` has the elements of arrays that are
    objects of their own, by the number of the object with the array. ``points`` and ``facts`` are what is known of
    texts by object number, apart from characters at known offsets. The path has what each fact says of each known
    character. ``places`` has the answers of searches. From one object to the next, numbers differ by ``spacing``.
    """

    function: str = ""
    arguments: tuple[LazyArgument, ...] = ()
    objects: tuple[LazyObject, ...] = ()
    globals: Mapping[int, LazyObject] = field(default_factory=dict)
    pointers: Mapping[tuple[int, int], int] = field(default_factory=dict)
    numbers: Mapping[tuple[int, int], Value] = field(default_factory=dict)
    unions: Mapping[tuple[int, int], tuple[TypeCell, ...]] = field(default_factory=dict)
    shaped: frozenset[tuple[int, int]] = frozenset()
    functions: Mapping[int, str] = field(default_factory=dict)
    assumptions: frozenset[str] = frozenset()
    cells: Mapping[int, tuple[ArrayCell, ...]] = field(default_factory=dict)
    elements: Mapping[int, tuple[ArrayElement, ...]] = field(default_factory=dict)
    points: Mapping[int, tuple[TextPoint, ...]] = field(default_factory=dict)
    facts: Mapping[int, tuple[TextFact, ...]] = field(default_factory=dict)
    places: Mapping[TextQuestion, Value] = field(default_factory=dict)
    spacing: int = 1
    is_frozen: bool = False
    """Whether a path ends (UNTOUCHED) when it reads an untouched pointer or needs an unknown length."""
    is_checked: bool = False
    """Whether the precondition was checked since the last change of the heap."""
    is_wild: bool = False
    """Whether a number that is no pointer was taken for the address of whatever happens to be there."""

    def find(self, number: int) -> LazyObject | None:
        index, rest = divmod(number - FIRST_LAZY, self.spacing)
        return self.objects[index] if 0 <= index < len(self.objects) and not rest else self.globals.get(number)

    @property
    def all(self) -> Iterator[LazyObject]:
        """The objects in order of creation, then the variables."""
        yield from self.objects
        yield from self.globals.values()

    def next_number(self) -> int:
        """The number of the next object."""
        return FIRST_LAZY + self.spacing * len(self.objects)

    def with_arguments(self, arguments: Iterable[LazyArgument]) -> LazyHeap:
        return replace(self, arguments=tuple(arguments))

    def with_globals(self, variables: Iterable[LazyObject]) -> LazyHeap:
        return replace(self, globals={variable.number: variable for variable in variables})

    def with_object(self, heap_object: LazyObject) -> LazyHeap:
        return replace(self, objects=(*self.objects, heap_object), is_checked=False)

    def with_changed(self, changed: LazyObject) -> LazyHeap:
        index = (changed.number - FIRST_LAZY) // self.spacing
        return replace(self, objects=(*self.objects[:index], changed, *self.objects[index + 1 :]), is_checked=False)

    def with_pointer(self, number: int, offset: int, address: int) -> LazyHeap:
        return replace(self, pointers={**self.pointers, (number, offset): address}, is_checked=False)

    def with_numbers(self, made: Mapping[tuple[int, int], Value]) -> LazyHeap:
        """With more numbers, by object and offset."""
        return replace(self, numbers={**self.numbers, **made}, is_checked=False)

    def possible_ends(self, text: LazyObject) -> dict[int, Value]:
        """The known characters of a string that may be its NUL, by position; none once its length is a number."""
        if not text.is_text or not isinstance(text.length, int):
            return {}
        return {
            position: character
            for (number, position), character in self.numbers.items()
            if number == text.number and position >= text.length - 1
        }

    def text_size(self, text: LazyObject, model: Model) -> int:
        """The bytes of a string, with its NUL, under a model of its path."""
        size, ends = max(evaluate(text.length, model), 1), self.possible_ends(text)
        while evaluate(ends.get(size - 1, 0), model):
            size += 1
        return size

    def with_union(self, number: int, offset: int, cells: Iterable[TypeCell]) -> LazyHeap:
        """With more cells as which the union at ``offset`` is read; they are cells of the object with the union."""
        known = self.unions.get((number, offset), ())
        more = (*known, *(cell for cell in cells if cell not in known))
        return replace(self, unions={**self.unions, (number, offset): more}, is_checked=False)

    def with_shape(self, number: int, offset: int, cells: Iterable[TypeCell], path: str) -> LazyHeap:
        """With the cells of one member of a union that is copied before it is read."""
        said = f"{path}, a union that is copied, is read as the member that it holds"
        shaped = self.shaped | {(number, offset)}
        return replace(self.with_union(number, offset, cells).assuming(said), shaped=shaped)

    def cells_of_unions(self, *, shaped: bool = False) -> Mapping[tuple[int, int], TypeCell]:
        """The cells as which unions are read, by object number and offset; of those alone that copies decided."""
        found: dict[tuple[int, int], TypeCell] = {}
        for (number, start), cells in self.unions.items():
            if shaped and (number, start) not in self.shaped:
                continue
            described = self.find(number)
            if described is not None and described.cells is not None:
                base = start - start % described.cells.size
                found |= {(number, base + each.offset): each for each in cells}
        return found

    def is_of_other_member(self, pointer: Term) -> bool:
        """Whether a pointer is made of numbers alone that unions hold of which copies decided that."""
        places = self.cells_of_unions(shaped=True).keys() & self.numbers.keys() if self.shaped else ()
        numbers = [number for place in places if isinstance(number := self.numbers[place], Term)]
        return bool(pointer.symbols) and pointer.symbols <= frozenset().union(*[each.symbols for each in numbers])

    def read_as(self, number: int, index: int, cell: TypeCell) -> tuple[TypeCell, ...]:
        """The cells as which a cell of element ``index`` was read; several for a union."""
        described = self.find(number)
        if not isinstance(cell.type, RecordType) or described is None or described.cells is None:
            return (cell,)
        return self.unions.get((number, index * described.cells.size + cell.offset), (cell,))

    def cell_at(self, number: int, offset: int) -> TypeCell:
        """The cell as which an object was read at an offset in bytes, as far as is known."""
        described = self.find(number)
        assert described is not None
        assert described.cells is not None
        [(index, cell)] = described.cells.within(offset, offset + 1)
        within = offset - index * described.cells.size
        return next((part for part in self.read_as(number, index, cell) if part.offset == within), cell)

    def with_cell(self, number: int, position: int, cell: ArrayCell) -> LazyHeap:
        """With one more known cell of an array, at index ``position``."""
        cells = self.cells.get(number, ())
        return replace(self, cells={**self.cells, number: (*cells[:position], cell, *cells[position:])})

    def with_element(self, number: int, element: ArrayElement) -> LazyHeap:
        """With one more element of an array in an object apart."""
        elements = (*self.elements.get(number, ()), element)
        return replace(self, elements={**self.elements, number: elements}, is_checked=False)

    def with_element_placed(self, number: int, element: ArrayElement, start: int) -> LazyHeap:
        """With an element that begins at byte ``start`` of object ``number`` as part of that."""
        placed = replace(element, start=start, is_apart=False)
        elements = tuple([placed if each is element else each for each in self.elements[number]])

        def moved(known: Mapping[tuple[int, int], KeptValue]) -> dict[tuple[int, int], KeptValue]:
            return {
                (number, start + at) if owner == element.number else (owner, at): value
                for (owner, at), value in known.items()
            }

        return replace(
            self,
            elements={**self.elements, number: elements},
            pointers=moved(self.pointers),
            numbers=moved(self.numbers),
            unions=moved(self.unions),
            shaped=frozenset(moved(dict.fromkeys(self.shaped))),
            is_checked=False,
        )

    def elements_apart(self, number: int) -> list[ArrayElement]:
        """The elements in an object that are objects of their own."""
        return [each for each in self.elements.get(number, ()) if each.is_apart]

    def around(self, number: int, offset: int) -> Iterator[tuple[LazyObject, int]]:
        """A place in an object; then, of each object of which that is an element, where the array begins."""
        owners = {each.number: (owner, each) for owner, elements in self.elements.items() for each in elements}
        item = self.find(number)
        while item is not None:
            yield item, offset
            number, element = owners.get(item.number, (0, None))
            item, offset = (None, 0) if element is None else (self.find(number), element.row.begin)

    @property
    def element_numbers(self) -> frozenset[int]:
        """The numbers of objects that are, or were, elements of arrays."""
        return frozenset(each.number for elements in self.elements.values() for each in elements)

    def with_point(self, number: int, point: TextPoint) -> LazyHeap:
        return replace(self, points={**self.points, number: (*self.points.get(number, ()), point)})

    def characters_at_points(self, number: int, model: Model) -> dict[int, int]:
        """What a path knows of an object's characters at unknown offsets, by their offsets under a model."""
        return {evaluate(each.offset, model): evaluate(each.character, model) for each in self.points.get(number, ())}

    def with_fact(self, number: int, fact: TextFact) -> LazyHeap:
        return replace(self, facts={**self.facts, number: (*self.facts.get(number, ()), fact)})

    def with_place(self, question: TextQuestion, distance: Value) -> LazyHeap:
        return replace(self, places={**self.places, question: distance})

    def with_functions(self, names: Mapping[int, str]) -> LazyHeap:
        return self if names.keys() <= self.functions.keys() else replace(self, functions={**self.functions, **names})

    def assuming(self, assumption: str) -> LazyHeap:
        return self if assumption in self.assumptions else replace(self, assumptions=self.assumptions | {assumption})

    def agrees(self, other: LazyHeap) -> bool:
        """Whether both have the same objects, arguments, pointers and cells, and so are one input heap (joined)."""
        return self is other or (
            self.objects == other.objects
            and self.pointers == other.pointers
            and self.unions == other.unions
            and self.arguments == other.arguments
            and self.cells == other.cells
            and self.elements == other.elements
            and self.points == other.points
            and self.facts == other.facts
            and self.places == other.places
        )

    def joined(self, other: LazyHeap) -> LazyHeap:
        """What either of two agreeing paths knows of the heap."""
        if self is other:
            return self
        return replace(
            self,
            is_checked=self.is_checked and other.is_checked,
            is_wild=self.is_wild or other.is_wild,
            numbers={**self.numbers, **other.numbers},
            shaped=self.shaped | other.shaped,
            functions={**self.functions, **other.functions},
            assumptions=self.assumptions | other.assumptions,
        )

    def untouched(self, memory: Memory) -> dict[tuple[int, int], LazyCell]:
        """The uninitialised cells, by (object number, offset)."""
        return {(item.number, offset): cell for item in self.all for offset, cell in untouched_of(item, memory)}


NO_HEAP = LazyHeap()


def empty_heap(function: str, memory: Memory) -> LazyHeap:
    """The heap of which a path that begins in ``function`` has read nothing."""
    return LazyHeap(function, spacing=LAZY_NAMES if memory.is_narrow else 1)


def untouched_of(heap_object: LazyObject, memory: Memory) -> Iterator[tuple[int, LazyCell]]:
    """The untouched cells of an object, with their offsets; none if it was freed."""
    item = memory.objects.get(heap_object.number)
    if heap_object.cells is None or item is None or item.mask is None:
        return
    size = heap_object.cells.size
    end = len(item.data) if heap_object.cells.tail is not None else len(item.data) // size * size
    for index, cell in heap_object.cells.within(0, end) if end else ():
        offset = index * size + cell.offset
        if item.mask[offset] == UNINITIALISED:
            yield offset, LazyCell(cell.type, cell_path(heap_object, index, cell))
    if heap_object.is_text and isinstance(heap_object.length, int):
        end, cell = len(item.data), heap_object.cells.cells[0]
        yield end, LazyCell(cell.type, cell_path(heap_object, end, cell))


def path_of_element(row: ElementRow, count: int) -> str:
    """An expression for an element of an array at an unknown place, as its object has ``count`` such elements already.
    It is not C (names_places).
    """
    return f"&{row.path}[at{count + 1 if count else ''}]"


def member_path(heap_object: LazyObject, index: int, path: str) -> str:
    """The C expression of a member of element ``index`` of an object; ``path`` leads there from the element."""
    if heap_object.path.startswith("&"):
        return f"{heap_object.path[1:]}{path}"
    if path.startswith(".") and index == 0:
        return f"{heap_object.path}->{path[1:]}"
    return f"{heap_object.path}[{index}]{path}"


def names_places(path: str) -> bool:
    """Whether an expression names all elements by their places, and so is C."""
    return _UNPLACED.search(path) is None


def cell_path(heap_object: LazyObject, index: int, cell: TypeCell) -> str:
    """The C expression of a cell of element ``index``; bytes without a name get a number."""
    if cell.path is None:
        assert heap_object.cells is not None
        return f"((unsigned char *){heap_object.path})[{index * heap_object.cells.size + cell.offset}]"
    return member_path(heap_object, index, cell.path)
