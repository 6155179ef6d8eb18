"""Finds functions whose results depend on where objects lie in memory: hashes of addresses, their order, their bits.

Steps that have the same result in every layout (tags in low bits, offsets, casts back to a pointer, equality,
distances) do not count. A number that leaves the function does, because nobody knows what becomes of it.
"""

from __future__ import annotations

from collections.abc import Iterable

from unfork.llvm import layout
from unfork.llvm.ir import (
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
from unfork.llvm.module import Function, Program
from unfork.llvm.types import PointerType
from unfork.llvm.uses import operands_of, registers_read

ALIGNED = 16
"""Objects begin at multiples of this many bytes in every layout, unless the program asks for more."""


def assumed_layout(running: Iterable[Function], program: Program) -> list[str]:
    """What a run assumed about where objects lie: a sentence for each of the program's functions that depends on it."""
    assumptions = []
    for function in running:
        if function.name not in program.library and (instruction := first_dependence(function)) is not None:
            position = instruction.position or function.position
            place = f" ({position.file}:{position.line})" if position is not None else ""
            name = function.source_name
            assumptions.append(f"objects lie where unfork puts them: {name} looks at the bits of an address{place}")
    return assumptions


def first_dependence(function: Function) -> Instruction | None:
    """The first instruction whose result, or effect, may depend on where objects lie."""
    numbers: set[int] = set()
    body = list(function.instructions())
    grown = True
    while grown:
        derived = {
            instruction.result for instruction in body if instruction.result >= 0 and _is_number(instruction, numbers)
        }
        grown = derived != numbers
        numbers = derived
    if not numbers:
        return None
    reading = [
        instruction for instruction in body if any(register in numbers for register in registers_read(instruction))
    ]
    return next((instruction for instruction in reading if not _is_exact(instruction, numbers)), None)


def _is_number(instruction: Instruction, numbers: set[int]) -> bool:
    """Whether the result is the number of an address, perhaps with an offset or a tag."""
    match instruction:
        case Cast(op="ptrtoint", source=source):
            return isinstance(source, PointerType)
        case Binary(op="sub", left=left, right=right):
            return _of(left, numbers) and not _of(right, numbers)
        case Binary(op="add" | "or" | "xor", left=left, right=right):
            return _of(left, numbers) != _of(right, numbers)
        case Binary(op="and", left=left, right=Bits(value=mask)):
            return _of(left, numbers) and mask >= ALIGNED
        case Phi() | Select() | Freeze():
            return any(_of(operand, numbers) for operand in operands_of(instruction))
    return False


def _is_exact(instruction: Instruction, numbers: set[int]) -> bool:
    """Whether an instruction that reads such a number does the same in every layout."""
    match instruction:
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
