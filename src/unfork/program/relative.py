"""Pointers that a function computes as a constant table plus a distance of 32 bits that the table holds.

Compilers make such tables of a switch over strings, and of virtual functions. Where ``llvm.load.relative`` has been
lowered, what is left looks like an access to the table, but leads to another object.
"""

from __future__ import annotations

from unfork.program.ir import (
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
from unfork.program.module import Function, Program
from unfork.program.types import IntType

DISTANCE = IntType(32)


def relative_pointers(function: Function, program: Program) -> frozenset[int]:
    """The registers that hold such pointers."""
    found = [
        one
        for block in function.blocks
        for one in block.body
        if isinstance(one, GetElementPointer) and _table(one) is not None
    ]
    if not found:
        return frozenset()
    made = {one.result: one for block in function.blocks for one in block.body}
    return frozenset([one.result for one in found if _is_relative(one, made, program)])


def _table(one: GetElementPointer) -> str | None:
    """The global that bytes are counted from, by one index."""
    is_plain = len(one.terms) == 1 and one.terms[0][1] == 1 and not one.offset
    return one.base.name if is_plain and isinstance(one.base, GlobalAddress) else None


def _is_relative(one: GetElementPointer, made: dict[int, Instruction], program: Program) -> bool:
    index = _maker(one.terms[0][0], made)
    if isinstance(index, Cast) and index.op == "sext":
        index = _maker(index.value, made)
    table = _table(one)
    return (
        isinstance(index, Load)
        and index.type == DISTANCE
        and table is not None
        and _base(index.pointer, made) == table
        and _holds_distances(table, program)
    )


def _maker(operand: Operand, made: dict[int, Instruction]) -> Instruction | None:
    return made.get(operand.index) if isinstance(operand, Register) else None


def _base(pointer: Operand, made: dict[int, Instruction]) -> str | None:
    """The global that an address is counted from."""
    while not isinstance(pointer, GlobalAddress):
        maker = pointer.instruction if isinstance(pointer, ConstantExpression) else _maker(pointer, made)
        if not isinstance(maker, GetElementPointer):
            return None
        pointer = maker.base
    return pointer.name


def _holds_distances(name: str, program: Program) -> bool:
    """Whether a constant holds distances of objects from others."""
    variable = program.globals.get(name)
    if variable is None or not variable.constant:
        return False
    waiting = [variable.initializer]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Aggregate):
            waiting.extend(one.elements)
        elif isinstance(one, ConstantExpression):
            cast = one.instruction
            if isinstance(cast, Cast) and cast.op == "trunc" and cast.target == DISTANCE:
                return True
    return False
