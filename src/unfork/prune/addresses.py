"""Whether a function looks at addresses as numbers: then it may matter how objects are named.

Addresses of one object differ as C says, and the low bits of an address are those of its offset, whatever its object
is called. What is made of an address beyond differences, comparisons for equality and low bits depends on its name.
"""

from __future__ import annotations

from unfork.program.ir import Binary, Bits, Cast, Compare, ConstantExpression, Instruction, Register
from unfork.program.module import Function
from unfork.program.types import IntType
from unfork.program.uses import operands_of, registers_read
from unfork.state.numbers import GRAIN_BITS

_SAME_WHATEVER_THE_NAME = GRAIN_BITS
"""Bits of an address that do not depend on the object's name."""


def looks_at_addresses(function: Function) -> bool:
    """Whether a number that depends on an object's name may come about in the function."""
    made = {
        one.result
        for block in function.blocks
        for one in block.body
        if isinstance(one, Cast) and one.op == "ptrtoint" and not _is_low(one)
    }
    if not made:
        return False
    for block in function.blocks:
        for phi in block.phis:
            if any(register in made for register in registers_read(phi)):
                return True
        for one in block.body:
            if any(register in made for register in registers_read(one)) and not _is_harmless(one, made):
                return True
    return False


def _is_low(cast: Cast) -> bool:
    return isinstance(cast.target, IntType) and cast.target.width <= _SAME_WHATEVER_THE_NAME


def _is_harmless(one: Instruction, made: set[int]) -> bool:
    """Whether what the instruction yields is the same under each name."""
    match one:
        case Binary(op="sub", left=left, right=right):
            return _is_address(left, made) and _is_address(right, made)
        case Binary(op="and"):
            return any(
                isinstance(each, Bits) and each.value < 1 << _SAME_WHATEVER_THE_NAME for each in operands_of(one)
            )
        case Compare(predicate="eq" | "ne", left=left, right=right):
            return all(_is_address(each, made) or each == Bits(0, each.type) for each in (left, right))
        case Cast(op="inttoptr"):
            return True
        case Cast(op="trunc", target=IntType(width=width)):
            return width <= _SAME_WHATEVER_THE_NAME
    return False


def _is_address(operand: object, made: set[int]) -> bool:
    if isinstance(operand, ConstantExpression):
        return isinstance(operand.instruction, Cast) and operand.instruction.op == "ptrtoint"
    return isinstance(operand, Register) and operand.index in made
