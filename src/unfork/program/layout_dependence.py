"""Which functions make numbers of addresses that would be others in another layout of memory: hashes, order, bits.

What is made of an address by steps that have one result in every layout (tags in its low bits, offsets, back into a
pointer, equality, distances) does not count. A number that leaves the function does: what becomes of it is not known.
"""

from __future__ import annotations

from collections.abc import Iterable

from unfork.program import layout
from unfork.program.ir import (
    Binary,
    Bits,
    Cast,
    Compare,
    ConstantExpression,
    Freeze,
    Instruction,
    Operand,
    Phi,
    Register,
    Select,
)
from unfork.program.module import Function, Program
from unfork.program.types import PointerType
from unfork.program.uses import operands_of, registers_read

ALIGNED = 16
"""Addresses of objects are multiples of this in all layouts, where the program says no more."""


def assumed_layout(running: Iterable[Function], program: Program) -> list[str]:
    """What a run took for granted of where objects lie: a sentence for each of the program's functions that asks."""
    found = []
    for function in running:
        if function.name not in program.library and (one := first_dependence(function)) is not None:
            position = one.position or function.position
            place = f" ({position.file}:{position.line})" if position is not None else ""
            name = function.source_name
            found.append(f"objects lie where unfork puts them: {name} looks at the bits of an address{place}")
    return found


def first_dependence(function: Function) -> Instruction | None:
    """The first instruction whose result, or effect, may depend on where objects lie."""
    numbers: set[int] = set()
    body = [one for block in function.blocks for one in (*block.phis, *block.body)]
    grown = True
    while grown:
        derived = {one.result for one in body if one.result >= 0 and _is_number(one, numbers)}
        grown = derived != numbers
        numbers = derived
    if not numbers:
        return None
    reading = [one for one in body if any(register in numbers for register in registers_read(one))]
    return next((one for one in reading if not _is_exact(one, numbers)), None)


def _is_number(one: Instruction, numbers: set[int]) -> bool:
    """Whether the result is the number of an address, perhaps with an offset or a tag."""
    match one:
        case Cast(op="ptrtoint", source=source):
            return isinstance(source, PointerType)
        case Binary(op="sub", left=left, right=right):
            return _of(left, numbers) and not _of(right, numbers)
        case Binary(op="add" | "or" | "xor", left=left, right=right):
            return _of(left, numbers) != _of(right, numbers)
        case Binary(op="and", left=left, right=Bits(value=mask)):
            return _of(left, numbers) and mask >= ALIGNED
        case Phi() | Select() | Freeze():
            return any(_of(operand, numbers) for operand in operands_of(one))
    return False


def _is_exact(one: Instruction, numbers: set[int]) -> bool:
    """Whether an instruction that reads such a number does the same in every layout."""
    match one:
        case Binary(op="sub", left=left, right=right):
            return _of(left, numbers)
        case Binary(op="add" | "or" | "xor", left=left, right=right):
            return _of(left, numbers) != _of(right, numbers)
        case Binary(op="and", right=Bits(value=mask, type=kind)):
            return mask < ALIGNED or mask >= (1 << layout.bits_of(kind)) - ALIGNED
        case Cast(op="inttoptr") | Phi() | Select() | Freeze() | Compare(predicate="eq" | "ne"):
            return True
    return False


def _of(operand: Operand, numbers: set[int]) -> bool:
    if isinstance(operand, ConstantExpression):
        return isinstance(operand.instruction, Cast) and operand.instruction.op == "ptrtoint"
    return isinstance(operand, Register) and operand.index in numbers
