"""Which registers of a function hold variables that index arrays: the program says so (unfork_index), or uses them so.

A variable is all registers that hand one value on to another: phis, selects, casts. Of the index in a[i + 1] that is i.
"""

from __future__ import annotations

from collections.abc import Iterator

from unfork.llvm.ir import (
    Binary,
    Bits,
    Call,
    Cast,
    Freeze,
    GetElementPointer,
    GlobalAddress,
    Instruction,
    Operand,
    Phi,
    Register,
    Select,
)
from unfork.llvm.module import Function
from unfork.llvm.types import IntType

MARK = "unfork_index"


def index_variables(function: Function) -> frozenset[int]:
    """The integer registers of all variables that are marked; where none is, of those that arrays are indexed by."""
    makers: dict[int, Instruction] = {}
    passed: dict[int, set[int]] = {}
    marked: set[int] = set()
    used: set[int] = set()
    for block in function.blocks:
        for instruction in (*block.phis, *block.body):
            makers[instruction.result] = instruction
            if isinstance(instruction, Call):
                if isinstance(instruction.callee, GlobalAddress) and instruction.callee.name == MARK:
                    marked.update(_registers(instruction.arguments[:1]))
            elif isinstance(instruction, GetElementPointer):
                used.update(_registers(index for index, _ in instruction.terms))
            for source in _registers(_handed_on(instruction)):
                passed.setdefault(source, set()).add(instruction.result)
                passed.setdefault(instruction.result, set()).add(source)
    variables: set[int] = set()
    waiting = [_without_distance(register, makers) for register in marked or used]
    while waiting:
        register = waiting.pop()
        if register not in variables:
            variables.add(register)
            waiting.extend(passed.get(register, ()))
    return frozenset(variables)


def _registers(operands: Iterator[Operand] | tuple[Operand, ...]) -> list[int]:
    return [
        operand.index for operand in operands if isinstance(operand, Register) and isinstance(operand.type, IntType)
    ]


def _handed_on(instruction: Instruction) -> tuple[Operand, ...]:
    """The operands of which an instruction's result is one, whatever its width."""
    match instruction:
        case Phi(incoming=incoming):
            return tuple(value for value, _ in incoming)
        case Select(then=then, otherwise=otherwise):
            return (then, otherwise)
        case Cast(op="sext" | "zext" | "trunc", value=value) | Freeze(value=value):
            return (value,)
    return ()


def _without_distance(register: int, makers: dict[int, Instruction]) -> int:
    """The register that another one is, but for a constant that is added and for casts."""
    while True:
        match makers.get(register):
            case Cast(op="sext" | "zext" | "trunc", value=Register(index=source)):
                register = source
            case Binary(op="add" | "sub", left=Register(index=source), right=Bits()):
                register = source
            case Binary(op="add", left=Bits(), right=Register(index=source)):
                register = source
            case _:
                return register
