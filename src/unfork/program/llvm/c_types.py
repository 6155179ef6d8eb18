"""The C types of data behind pointers, from debug information, and their layout in memory."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field, replace
from math import prod


@dataclass(frozen=True, slots=True)
class Scalar:
    """A number. ``encoding`` is DWARF's ("signed", "boolean", "float", ...); an enum has that of its base."""

    name: str
    size: int
    encoding: str


@dataclass(frozen=True, slots=True)
class Pointer:
    """A pointer. ``reference`` leads to its target (CTypes.target) and is not part of the type's identity."""

    name: str
    reference: str | None = field(compare=False)
    size: int = 8


@dataclass(frozen=True, slots=True)
class Array:
    """``count`` elements in a row; a flexible array member has none."""

    name: str
    element: CType
    count: int
    size: int


@dataclass(frozen=True, slots=True)
class RecordType:
    """A struct, or a union. Two with equal names and sizes are one type, whichever file declares them."""

    name: str
    size: int
    is_union: bool
    reference: str = field(compare=False)


@dataclass(frozen=True, slots=True)
class Routine:
    """The type of a function: the target of a function pointer."""

    name: str
    size: int = 0


@dataclass(frozen=True, slots=True)
class Opaque:
    """void, a struct that is only declared, or a type that debug information does not describe."""

    name: str
    size: int = 0


CType = Scalar | Pointer | Array | RecordType | Routine | Opaque
VOID = Opaque("void")
BYTE = Scalar("unsigned char", 1, "unsigned_char")
ANY_POINTER = Pointer("void *", None)
ANY_NARROW_POINTER = Pointer("void *", None, 4)


def array_of(element: CType, count: int) -> Array:
    """An array of so many elements."""
    return Array(f"{element.name}[{count}]", element, count, count * element.size)


@dataclass(frozen=True, slots=True)
class Field:
    """A member. ``is_bits``: a bit-field, whose ``offset`` is that of the first byte that it touches.

    ``is_const``: C does not let it be assigned, nor any element of it.
    """

    name: str
    type: CType
    offset: int
    is_bits: bool
    is_const: bool


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a function. ``is_address``: an object in the source, whose address callers pass."""

    name: str
    type: CType
    is_address: bool = False


@dataclass(frozen=True, slots=True)
class Prototype:
    """A function's declaration in C."""

    name: str
    result: CType
    parameters: tuple[Parameter, ...]
    is_variadic: bool


@dataclass(frozen=True, slots=True)
class ProgramVariable:
    """A variable with static lifetime, as C declares it.

    ``unit`` is the compile unit that defines it, "" for one that is declared in a function; ``is_static`` says
    whether other units cannot name it.
    """

    name: str
    type: CType
    unit: str
    is_static: bool


@dataclass(frozen=True, slots=True)
class TypeCell:
    """A number or a pointer within a type: ``path`` leads there from the whole, "" , ".next", ".table[2].x".

    Bytes without a plain member (padding, bit-fields, parts of unions) are cells of one byte each, with ``path``
    None. A union is the number that fills it, if it has one; a union with pointers is one cell of its own type.
    ``is_const``: a member on the path is const, so that C does not let ``path`` be assigned.
    """

    offset: int
    type: Scalar | Pointer | RecordType
    path: str | None
    is_const: bool = False

    @property
    def size(self) -> int:
        """Bytes."""
        return self.type.size

    @property
    def end(self) -> int:
        """The offset just after it."""
        return self.offset + self.type.size

    def within(self, whole: TypeCell) -> TypeCell:
        """A cell of a union as a cell of the type with the union."""
        path = None if whole.path is None or self.path is None else whole.path + self.path
        return replace(self, offset=whole.offset + self.offset, path=path, is_const=self.is_const or whole.is_const)


@dataclass(frozen=True, slots=True)
class FlexibleTail:
    """The elements of a flexible array member, which begin at ``offset``. ``path`` is the member's: ".items".

    ``record`` is the struct that declares it: the type itself, or the last struct within it.
    """

    record: RecordType
    offset: int
    path: str
    element: CType
    cells: TypeCells

    def within(self, start: int, end: int) -> list[TypeCell]:
        """The cells that overlap a range of the struct's object."""
        return [
            replace(
                cell,
                offset=self.offset + index * self.cells.size + cell.offset,
                path=None if cell.path is None else f"{self.path}[{index}]{cell.path}",
            )
            for index, cell in self.cells.within(start - self.offset, end - self.offset)
        ]


@dataclass(frozen=True, slots=True)
class MemberArray:
    """An array within a type, from ``offset`` on, whose elements hold pointers. ``path`` leads there from the whole.

    An array of arrays is one of their elements; ``dimensions`` has the counts of both, from the outside in.
    """

    offset: int
    path: str
    element: CType
    cells: TypeCells
    dimensions: tuple[int, ...]

    @property
    def end(self) -> int:
        """The offset just after it."""
        return self.offset + prod(self.dimensions) * self.cells.size


@dataclass(frozen=True, slots=True)
class TypeCells:
    """All cells of one element of a type, in order, without gaps; and the parts that pointers may lead to.

    ``parts`` are the structs and array elements within the type, each with its offset, the whole type first.
    ``arrays`` are those within no other array.
    ``tail``: the flexible array member that ends it, which has no cells in ``cells``. An object of such a type is one
    struct, and its elements are the tail's.
    """

    size: int
    cells: tuple[TypeCell, ...]
    parts: tuple[tuple[int, CType], ...]
    has_flexible_end: bool = False
    tail: FlexibleTail | None = None
    arrays: tuple[MemberArray, ...] = ()

    @property
    def holds_pointers(self) -> bool:
        """Whether a cell is a pointer, or may be one."""
        return any(not isinstance(cell.type, Scalar) for cell in self.cells)

    @property
    def base(self) -> int:
        """The bytes of an object of no elements: the struct itself, before a flexible tail."""
        return 0 if self.tail is None else self.size

    @property
    def stride(self) -> int:
        """The bytes that one more element adds to an object."""
        return self.size if self.tail is None else self.tail.cells.size

    def within(self, start: int, end: int) -> list[tuple[int, TypeCell]]:
        """The cells that overlap the bytes from ``start`` to ``end`` of an array of the type: (element, cell) each.

        Those of a flexible tail belong to element 0, the struct.
        """
        if self.tail is not None:
            return [(0, cell) for cell in self._of_struct_with_tail(self.tail, start, end)]
        overlapping: list[tuple[int, TypeCell]] = []
        size = self.size
        for index in range(start // size, (end - 1) // size + 1):
            low, high = max(start - index * size, 0), min(end - index * size, size)
            at = bisect_right(self.cells, low, key=lambda cell: cell.offset) - 1
            while at < len(self.cells) and self.cells[at].offset < high:
                overlapping.append((index, self.cells[at]))
                at += 1
        return overlapping

    def _of_struct_with_tail(self, tail: FlexibleTail, start: int, end: int) -> list[TypeCell]:
        of_tail = tail.within(max(start, tail.offset), end) if end > tail.offset else []
        stop = min(end, tail.offset)
        return [*(cell for cell in self.cells if cell.offset < stop and start < cell.end), *of_tail]

    def type_around(self, whole: CType, offset: int) -> tuple[CType, int]:
        """The type of the element with the byte at an offset of an object, and where that is in the element."""
        if self.tail is not None and offset >= self.tail.offset:
            return self.tail.element, (offset - self.tail.offset) % self.tail.cells.size
        return whole, offset % self.size
