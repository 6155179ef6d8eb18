"""Which registers a function computes floating-point numbers from."""

from __future__ import annotations

from collections.abc import Iterable

from unfork.program.ir import (
    Binary,
    Call,
    Cast,
    ExtractValue,
    FloatCompare,
    Freeze,
    Instruction,
    Register,
    Select,
)
from unfork.program.module import Function
from unfork.program.types import FloatType
from unfork.program.uses import registers_read

_ARITHMETIC = frozenset(("fadd", "fsub", "fmul", "fdiv", "frem"))
_CONVERSIONS = frozenset(("fptrunc", "fpext", "fptoui", "fptosi", "uitofp", "sitofp"))


def float_inputs(function: Function) -> int:
    """A mask with a bit for each register that floating-point arithmetic takes, at once or through other registers.

    What is loaded from an address and what a call returns depends on no register here.
    """
    made_from: dict[int, list[int]] = {}
    found = 0
    for block in function.blocks:
        for phi in block.phis:
            made_from[phi.result] = registers_read(phi)
        for instruction in block.body:
            if isinstance(instruction, Binary | Cast | Select | ExtractValue | Freeze):
                made_from[instruction.result] = registers_read(instruction)
            for register in _computed_with(instruction):
                found |= 1 << register
    pending = [register for register in made_from if found >> register & 1]
    while pending:
        for register in made_from.get(pending.pop(), ()):
            if not found >> register & 1:
                found |= 1 << register
                pending.append(register)
    return found


def _computed_with(instruction: Instruction) -> Iterable[int]:
    match instruction:
        case Binary(op=op) if op in _ARITHMETIC:
            return registers_read(instruction)
        case Cast(op=op) if op in _CONVERSIONS:
            return registers_read(instruction)
        case FloatCompare():
            return registers_read(instruction)
        case Call(arguments=arguments):
            return [one.index for one in arguments if isinstance(one, Register) and isinstance(one.type, FloatType)]
    return ()
