"""Pointers computed as the address of a constant table plus a 32-bit distance from that table.

Compilers make such tables for switches over strings and for virtual functions. After ``llvm.load.relative`` was
lowered, the code looks like an access to the table, but leads to another object.
"""

from __future__ import annotations

from unfork.program.llvm.ir import (
    Aggregate,
    Cast,
    ConstantExpression,
    GetElementPointer,
    GlobalAddress,
    Instruction,
    Load,
    Operand,
    Register,
)
from unfork.program.llvm.module import Function, Program
from unfork.program.llvm.types import IntType

DISTANCE = IntType(32)


def relative_pointers(function: Function, program: Program) -> frozenset[int]:
    """The registers that hold relative pointers."""
    geps = [
        instruction
        for instruction in function.instructions()
        if isinstance(instruction, GetElementPointer) and _table(instruction) is not None
    ]
    if not geps:
        return frozenset()
    definitions = {instruction.result: instruction for instruction in function.instructions()}
    return frozenset([gep.result for gep in geps if _is_relative(gep, definitions, program)])


def _table(gep: GetElementPointer) -> str | None:
    """The global to which a single index in bytes is added, if there is one."""
    is_plain = len(gep.terms) == 1 and gep.terms[0][1] == 1 and not gep.offset
    return gep.base.name if is_plain and isinstance(gep.base, GlobalAddress) else None


def _is_relative(gep: GetElementPointer, definitions: dict[int, Instruction], program: Program) -> bool:
    index = _definition(gep.terms[0][0], definitions)
    if isinstance(index, Cast) and index.op == "sext":
        index = _definition(index.value, definitions)
    table = _table(gep)
    return (
        isinstance(index, Load)
        and index.type == DISTANCE
        and table is not None
        and _base(index.pointer, definitions) == table
        and _holds_distances(table, program)
    )


def _definition(operand: Operand, definitions: dict[int, Instruction]) -> Instruction | None:
    return definitions.get(operand.index) if isinstance(operand, Register) else None


def _base(pointer: Operand, definitions: dict[int, Instruction]) -> str | None:
    """The global from which an address is computed."""
    while not isinstance(pointer, GlobalAddress):
        definition = (
            pointer.instruction if isinstance(pointer, ConstantExpression) else _definition(pointer, definitions)
        )
        if not isinstance(definition, GetElementPointer):
            return None
        pointer = definition.base
    return pointer.name


def _holds_distances(name: str, program: Program) -> bool:
    """Whether a constant holds distances between objects."""
    variable = program.globals.get(name)
    if variable is None or not variable.constant:
        return False
    waiting = [variable.initializer]
    while waiting:
        constant = waiting.pop()
        if isinstance(constant, Aggregate):
            waiting.extend(constant.elements)
        elif isinstance(constant, ConstantExpression):
            cast = constant.instruction
            if isinstance(cast, Cast) and cast.op == "trunc" and cast.target == DISTANCE:
                return True
    return False
