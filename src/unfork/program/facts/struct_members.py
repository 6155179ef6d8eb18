"""Members of structs, found by their places."""

from __future__ import annotations

from typing import NamedTuple

from unfork.program.llvm.c_type_reader import CTypes
from unfork.program.llvm.c_types import CType, RecordType


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
