"""Members of structs, found by their places, and by the registers in which they are passed."""

from __future__ import annotations

from typing import NamedTuple

from unfork.errors import InputError
from unfork.program.llvm import c_registers
from unfork.program.llvm.c_type_reader import CTypes
from unfork.program.llvm.c_types import CType, Pointer, RecordType
from unfork.program.llvm.ir import GetElementPointer
from unfork.program.llvm.module import Function, Program


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


class PassedMember(NamedTuple):
    """A member of a struct that is passed by value, and the number of the parameter in C."""

    member: StructMember
    parameter: int


def passed_members(program: Program, function: Function) -> dict[int, PassedMember]:
    """The members of structs that are passed by value, by the registers that hold one of them alone."""
    prototype = program.c_types.prototype(function.name)
    if prototype is None or not any(isinstance(each.type, RecordType) for each in prototype.parameters):
        return {}
    try:
        held = c_registers.registers(program, function, prototype)
    except InputError:
        return {}
    found = {}
    for number, (parameter, positions) in enumerate(zip(prototype.parameters, held, strict=True)):
        kind = parameter.type
        cells = program.c_types.cells(kind)
        if not isinstance(kind, RecordType) or cells is None or c_registers.is_copied(function, positions[0]):
            continue
        places = c_registers.places(program, kind)
        for place, end, position in zip(places, [*places[1:], kind.size], positions, strict=True):
            member = member_at(program.c_types, kind, place)
            named = [cell for _, cell in cells.within(place, end) if cell.path is not None]
            if member is not None and len(named) == 1:
                found[position] = PassedMember(member, number)
    return found


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
