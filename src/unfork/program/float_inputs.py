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
    """A mask with a bit for each register that floating-point arithmetic uses, directly or through other registers.

    Values that are loaded, or returned by calls, count as depending on no register.
    """
    made_from: dict[int, list[int]] = {}
    mask = 0
    for block in function.blocks:
        for phi in block.phis:
            made_from[phi.result] = registers_read(phi)
        for instruction in block.body:
            if isinstance(instruction, Binary | Cast | Select | ExtractValue | Freeze):
                made_from[instruction.result] = registers_read(instruction)
            for register in _computed_with(instruction):
                mask |= 1 << register
    pending = [register for register in made_from if mask >> register & 1]
    while pending:
        for register in made_from.get(pending.pop(), ()):
            if not mask >> register & 1:
                mask |= 1 << register
                pending.append(register)
    return mask


def _computed_with(instruction: Instruction) -> Iterable[int]:
    match instruction:
        case Binary(op=op) if op in _ARITHMETIC:
            return registers_read(instruction)
        case Cast(op=op) if op in _CONVERSIONS:
            return registers_read(instruction)
        case FloatCompare():
            return registers_read(instruction)
        case Call(arguments=arguments):
            return [
                argument.index
                for argument in arguments
                if isinstance(argument, Register) and isinstance(argument.type, FloatType)
            ]
    return ()
