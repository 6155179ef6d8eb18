"""Operands as small functions of the registers, made once per instruction."""

from __future__ import annotations

from collections.abc import Callable

from unfork.engine.state.state import RegisterValue
from unfork.engine.step.numbers import to_number, to_pointer
from unfork.engine.step.statics import Statics, filled
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.program.llvm import layout
from unfork.program.llvm.ir import MetadataOperand, Operand, Register, Undefined
from unfork.program.llvm.types import ArrayType, FloatType, PointerType, StructType, Type, VectorType, VoidType

Registers = list[RegisterValue]
Read = Callable[[Step, Registers], RegisterValue]
Semantics = Callable[[Step, Registers], None]
"""One instruction, ready to run on a step's state and the registers of its top frame."""


def reader(operand: Operand, statics: Statics) -> Read:
    """A function that yields the operand's value; undef and poison give fresh symbols at each read."""
    if isinstance(operand, Register):
        index = operand.index
        return lambda step, registers: registers[index]
    if isinstance(operand, MetadataOperand):
        return lambda step, registers: None
    if isinstance(operand, Undefined):
        kind = operand.type
        if isinstance(kind, StructType | ArrayType | VectorType):
            hole = filled(kind, None)  # each None becomes a fresh symbol at its use
            return lambda step, registers: hole
        width = layout.bits_of(kind)
        return lambda step, registers: step.fresh("undefined", width, "uninit")
    value = statics.constant(operand)
    return lambda step, registers: value


def define(step: Step, value: RegisterValue, kind: Type) -> RegisterValue:
    """``value`` with its undefined leaves replaced by fresh symbols."""
    if value is None:
        hole = filled(kind, None)
        return step.fresh("undefined", layout.bits_of(kind), "uninit") if hole is None else define(step, hole, kind)
    if not isinstance(value, tuple):
        return value
    match kind:
        case StructType(elements=elements):
            return tuple([define(step, leaf, part) for leaf, part in zip(value, elements, strict=True)])
        case ArrayType(element=element) | VectorType(element=element):
            return tuple([define(step, leaf, element) for leaf in value])
    return value


def convert(step: Step, value: RegisterValue, given: Type, wanted: Type) -> RegisterValue:
    """An argument or result, converted to the type that the other side of the call expects.

    They differ in calls through a declaration that is not the definition's: integers are cut or zero-extended,
    missing values are undefined.
    """
    if given == wanted:
        return value
    if isinstance(given, VoidType):
        return define(step, None, wanted)
    plain, wants_plain = (not isinstance(kind, StructType | ArrayType | VectorType) for kind in (given, wanted))
    if plain != wants_plain or isinstance(given, FloatType) != isinstance(wanted, FloatType):
        step.fail("invalid-call", "caller and function differ in the kind of an argument or result")
    if not plain:
        return value
    before, after = layout.bits_of(given), layout.bits_of(wanted)
    value = define(step, value, given)
    if isinstance(given, PointerType):
        value = to_number(step, value)
    value = resize(value, before, after)
    return to_pointer(step, value) if isinstance(wanted, PointerType) else value


def resize(value: Value, before: int, after: int) -> Value:
    """An integer of ``before`` bits cut or zero-extended to ``after``."""
    return build.trunc(value, before, after) if after < before else build.zext(value, before, after)
