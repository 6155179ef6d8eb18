"""Members of structs, found by their places."""

from __future__ import annotations

from typing import NamedTuple

from unfork.program.llvm.c_type_reader import CTypes
from unfork.program.llvm.c_types import CType, Pointer, RecordType
from unfork.program.llvm.ir import GetElementPointer


class StructMember(NamedTuple):
    """A member of a struct; of nested structs, the innermost."""

    record: RecordType
    offset: int


def member_at(types: CTypes, kind: CType, offset: int) -> StructMember | None:
    """The member at an offset in a struct, or in an element of an array of structs."""
    cells = types.cells(kind)
    if cells is None:
        return None
    around = [(at, part) for at, part in cells.parts if isinstance(part, RecordType) and at <= offset < at + part.size]
    at, part = max(around, key=lambda each: (each[0], -each[1].size), default=(0, None))
    return None if part is None or part.is_union else StructMember(part, offset - at)


def tail_of(types: CTypes, record: RecordType) -> StructMember | None:
    """The flexible array member that a struct declares."""
    cells = types.cells(record)
    return None if cells is None or cells.tail is None else StructMember(record, cells.tail.offset)


def member_of(types: CTypes, address: object) -> StructMember | None:
    """The member whose address an instruction computes; None for any other."""
    match address:
        case GetElementPointer(terms=(), record=(name, size), offset=offset):
            record = types.named(name, size)
            return None if record is None else member_at(types, record, offset)
    return None


def size_behind(types: CTypes, pointer: StructMember, of_char: int = 0) -> int:
    """The bytes of each element to which a member leads; ``of_char`` for characters, which may end with a NUL; 0 for
    none.
    """
    cells = types.cells(pointer.record)
    for cell in () if cells is None else cells.cells:
        if cell.offset == pointer.offset and isinstance(cell.type, Pointer):
            target = types.target(cell.type)
            return of_char if target.name == "char" else target.size
    return 0
