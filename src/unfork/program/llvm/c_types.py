"""The C types of data behind pointers, from debug information, and their layout in memory."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field, replace


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
class TypeCells:
    """All cells of one element of a type, in order, without gaps; and the parts that pointers may lead to.

    ``parts`` are the structs and array elements within the type, each with its offset, the whole type first.
    """

    size: int
    cells: tuple[TypeCell, ...]
    parts: tuple[tuple[int, CType], ...]
    has_flexible_end: bool = False

    def within(self, start: int, end: int) -> list[tuple[int, TypeCell]]:
        """The cells that overlap the bytes from ``start`` to ``end`` of an array of the type: (element, cell) each."""
        overlapping: list[tuple[int, TypeCell]] = []
        size = self.size
        for index in range(start // size, (end - 1) // size + 1):
            low, high = max(start - index * size, 0), min(end - index * size, size)
            at = bisect_right(self.cells, low, key=lambda cell: cell.offset) - 1
            while at < len(self.cells) and self.cells[at].offset < high:
                overlapping.append((index, self.cells[at]))
                at += 1
        return overlapping
