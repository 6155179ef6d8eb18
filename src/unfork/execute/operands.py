"""Reading operands: each becomes a small function of the registers, made once per instruction."""

from __future__ import annotations

from collections.abc import Callable

from unfork.execute.statics import Statics
from unfork.execute.step import Step
from unfork.program import layout
from unfork.program.ir import Operand, Register, Undefined
from unfork.program.types import ArrayType, StructType, Type, VectorType
from unfork.state.state import RegisterValue

Registers = list[RegisterValue]
Read = Callable[[Step, Registers], RegisterValue]
Semantics = Callable[[Step, Registers], None]
"""One instruction, ready to run on a step's state and the registers of its top frame."""


def reader(operand: Operand, statics: Statics) -> Read:
    """A function that yields the operand's value; undef and poison yield fresh symbols at each reading."""
    if isinstance(operand, Register):
        index = operand.index
        return lambda step, registers: registers[index]
    if isinstance(operand, Undefined):
        kind = operand.type
        if isinstance(kind, StructType | ArrayType | VectorType):
            hole = undefined_of(kind)
            return lambda step, registers: hole
        width = layout.bits_of(kind)
        return lambda step, registers: step.fresh("undefined", width, "uninit")
    value = statics.constant(operand)
    return lambda step, registers: value


def undefined_of(kind: Type) -> RegisterValue:
    """The undefined value of a type: None, or tuples of None, which become fresh symbols where they are used."""
    match kind:
        case StructType(elements=elements):
            return tuple([undefined_of(one) for one in elements])
        case ArrayType(count=count, element=element) | VectorType(count=count, element=element):
            return (undefined_of(element),) * count
    return None


def defined(step: Step, value: RegisterValue, kind: Type) -> RegisterValue:
    """``value`` with its undefined leaves replaced by fresh symbols."""
    if value is None:
        hole = undefined_of(kind)
        return step.fresh("undefined", layout.bits_of(kind), "uninit") if hole is None else defined(step, hole, kind)
    if not isinstance(value, tuple):
        return value
    match kind:
        case StructType(elements=elements):
            return tuple([defined(step, one, part) for one, part in zip(value, elements, strict=True)])
        case ArrayType(element=element) | VectorType(element=element):
            return tuple([defined(step, one, element) for one in value])
    return value
