"""How a compiled function takes its C arguments: small structs by their words, others in memory."""

from __future__ import annotations

from collections.abc import Sequence

from unfork.errors import InputError
from unfork.program.llvm import layout
from unfork.program.llvm.c_types import CType, Pointer, Prototype, RecordType, Scalar
from unfork.program.llvm.module import Function, Program
from unfork.program.llvm.types import FloatType, IntType, PointerType, Type, VoidType

_WORD = 8
"""Bytes of a register that holds a part of a struct."""


def check(program: Program, function: Function) -> Prototype:
    """The function's prototype. Raises InputError if its arguments cannot be made."""
    prototype = program.c_types.prototype(function.name)
    where = f"--function {function.name}"
    if prototype is None:
        raise InputError(f"{where}: its arguments need debug information (compile with -g)")
    registers(program, function, prototype)
    return prototype


def registers(program: Program, function: Function, prototype: Prototype) -> list[range]:
    """For each C parameter, the compiled function's parameters that hold it: a small struct may take several.

    Raises InputError if the two do not fit.
    """
    kinds, where = function.type.parameters, f"--function {function.name}"
    at = has_result_pointer(function, prototype)
    positions = []
    for parameter in prototype.parameters:
        count = 1
        if isinstance(parameter.type, RecordType) and not is_copied(function, at):
            count = len(places(program, parameter.type))
            is_passed = not program.is_narrow or _holds_members(program, parameter.type, kinds[at : at + count])
        else:
            is_passed = at < len(kinds) and _fits(parameter.type, kinds[at])
        if not is_passed:
            raise InputError(f"{where}: its argument {parameter.name} of type {parameter.type.name} is not built")
        positions.append(range(at, at + count))
        at += count
    if at != len(kinds):
        raise InputError(f"{where}: how its arguments are passed is not built")
    return positions


def places(program: Program, kind: RecordType) -> list[int]:
    """The offsets in a struct of what its registers hold: words, or its members where pointers have 32 bits."""
    cells = program.c_types.cells(kind)
    if program.is_narrow and cells is not None:
        return [cell.offset for cell in cells.cells]
    return [*range(0, kind.size, _WORD)]


def _holds_members(program: Program, kind: RecordType, compiled: Sequence[Type]) -> bool:
    """Whether each of these parameters is one member of a struct, in order."""
    cells = program.c_types.cells(kind)
    if cells is None or len(cells.cells) != len(compiled):
        return False
    return all(_fits(cell.type, each) for cell, each in zip(cells.cells, compiled, strict=True))


def is_copied(function: Function, position: int) -> bool:
    """Whether a compiled function's parameter points to a copy of a struct."""
    return position < len(function.parameter_byval) and function.parameter_byval[position] is not None


def has_result_pointer(function: Function, prototype: Prototype) -> int:
    """1 if the function's first parameter points to the result's place, else 0."""
    is_record = isinstance(prototype.result, RecordType)
    return int(is_record and isinstance(function.type.result, VoidType))


def _fits(kind: CType, passed: Type) -> bool:
    match kind, passed:
        case Scalar(size=size), IntType(width=width):
            return width <= 8 * size
        case Scalar(size=size), FloatType():
            return layout.store_size(passed) <= size
        case Pointer() | RecordType(), PointerType():
            return True
    return False
