"""The type of every register of a function."""

from __future__ import annotations

from unfork.llvm.ir import (
    Alloca,
    Call,
    Cast,
    Compare,
    CompareExchange,
    ExtractElement,
    ExtractValue,
    FloatCompare,
    GetElementPointer,
    Instruction,
    ShuffleVector,
)
from unfork.llvm.module import Function
from unfork.llvm.types import POINTER, VOID, ArrayType, IntType, StructType, Type, VectorType

_BIT = IntType(1)


def register_types(function: Function) -> list[Type]:
    """The type of each register, by number; void for one that nothing writes."""
    types: list[Type] = [VOID] * function.register_count
    for number, kind in enumerate(function.type.parameters):
        types[number] = kind
    for instruction in function.instructions():
        if instruction.result >= 0:
            types[instruction.result] = result_type(instruction)
    return types


def result_type(instruction: Instruction) -> Type:
    """The type of an instruction's result."""
    match instruction:
        case Alloca():
            return POINTER
        case Call(type=signature):
            return signature.result
        case Cast(target=target):
            return target
        case Compare(type=kind) | FloatCompare(type=kind):
            return VectorType(kind.count, _BIT) if isinstance(kind, VectorType) else _BIT
        case CompareExchange(expected=expected):
            return StructType((expected.type, _BIT))
        case ExtractElement(source=VectorType(element=element)):
            return element
        case ExtractValue(source=source, indices=indices):
            return _part(source, indices)
        case ShuffleVector(source=VectorType(element=element), mask=mask):
            return VectorType(len(mask), element)
        case GetElementPointer(type=kind):
            return kind
    return getattr(instruction, "type", VOID)


def _part(kind: Type, indices: tuple[int, ...]) -> Type:
    for index in indices:
        match kind:
            case StructType(elements=elements):
                kind = elements[index]
            case ArrayType(element=element) | VectorType(element=element):
                kind = element
    return kind
