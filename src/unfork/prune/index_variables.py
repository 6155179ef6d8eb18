"""Which registers of a function hold variables that index arrays: the program says so (unfork_index), or uses them so.

A variable is all registers that hand one value on to another: phis, selects, casts. Of the index in a[i + 1] that is i.
"""

from __future__ import annotations

from collections.abc import Iterator

from unfork.program.ir import (
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
from unfork.program.module import Function
from unfork.program.types import IntType

MARK = "unfork_index"


def index_variables(function: Function) -> frozenset[int]:
    """The integer registers of all variables that are marked; where none is, of those that arrays are indexed by."""
    made: dict[int, Instruction] = {}
    passed: dict[int, set[int]] = {}
    marked: set[int] = set()
    used: set[int] = set()
    for block in function.blocks:
        for one in (*block.phis, *block.body):
            made[one.result] = one
            if isinstance(one, Call):
                if isinstance(one.callee, GlobalAddress) and one.callee.name == MARK:
                    marked.update(_registers(one.arguments[:1]))
            elif isinstance(one, GetElementPointer):
                used.update(_registers(index for index, _ in one.terms))
            for source in _registers(_handed_on(one)):
                passed.setdefault(source, set()).add(one.result)
                passed.setdefault(one.result, set()).add(source)
    found: set[int] = set()
    waiting = [_without_distance(register, made) for register in marked or used]
    while waiting:
        register = waiting.pop()
        if register not in found:
            found.add(register)
            waiting.extend(passed.get(register, ()))
    return frozenset(found)


def _registers(operands: Iterator[Operand] | tuple[Operand, ...]) -> list[int]:
    return [one.index for one in operands if isinstance(one, Register) and isinstance(one.type, IntType)]


def _handed_on(one: Instruction) -> tuple[Operand, ...]:
    """The operands of which an instruction's result is one, whatever its width."""
    match one:
        case Phi(incoming=incoming):
            return tuple(value for value, _ in incoming)
        case Select(then=then, otherwise=otherwise):
            return (then, otherwise)
        case Cast(op="sext" | "zext" | "trunc", value=value) | Freeze(value=value):
            return (value,)
    return ()


def _without_distance(register: int, made: dict[int, Instruction]) -> int:
    """The register that another one is, but for a constant that is added and for casts."""
    while True:
        match made.get(register):
            case Cast(op="sext" | "zext" | "trunc", value=Register(index=source)):
                register = source
            case Binary(op="add" | "sub", left=Register(index=source), right=Bits()):
                register = source
            case Binary(op="add", left=Bits(), right=Register(index=source)):
                register = source
            case _:
                return register
