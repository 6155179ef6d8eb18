"""What an instruction reads: its operands in order, and the registers among them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from unfork.program.ir import (
    Alloca,
    AtomicUpdate,
    Binary,
    Call,
    Cast,
    Compare,
    CompareExchange,
    ConditionalBranch,
    ExtractElement,
    ExtractValue,
    FloatCompare,
    FloatNegate,
    Freeze,
    GetElementPointer,
    IndirectBranch,
    InsertElement,
    InsertValue,
    Instruction,
    Load,
    Operand,
    Phi,
    Register,
    Return,
    Select,
    ShuffleVector,
    Store,
    Switch,
    VariadicArgument,
)
from unfork.program.module import Function

Operands = tuple[Operand, ...]


def of_pair(instruction: Binary | Compare | FloatCompare | ShuffleVector) -> Operands:
    """Two operands of one type."""
    return (instruction.left, instruction.right)


def of_value(instruction: FloatNegate | Cast | Freeze | ExtractValue | Switch) -> Operands:
    """A single operand."""
    return (instruction.value,)


READS: dict[type, Callable[[Any], Operands]] = {
    Binary: of_pair,
    Compare: of_pair,
    FloatCompare: of_pair,
    ShuffleVector: of_pair,
    FloatNegate: of_value,
    Cast: of_value,
    Freeze: of_value,
    ExtractValue: of_value,
    Switch: of_value,
    Select: lambda it: (it.condition, it.then, it.otherwise),
    Phi: lambda it: tuple(value for value, _ in it.incoming),
    Alloca: lambda it: (it.count,),
    Load: lambda it: (it.pointer,),
    Store: lambda it: (it.value, it.pointer),
    GetElementPointer: lambda it: (it.base, *(index for index, _ in it.terms)),
    Call: lambda it: (it.callee, *it.arguments),
    InsertValue: lambda it: (it.aggregate, it.value),
    ExtractElement: lambda it: (it.vector, it.index),
    InsertElement: lambda it: (it.vector, it.value, it.index),
    AtomicUpdate: lambda it: (it.pointer, it.value),
    CompareExchange: lambda it: (it.pointer, it.expected, it.replacement),
    VariadicArgument: lambda it: (it.list,),
    ConditionalBranch: lambda it: (it.condition,),
    IndirectBranch: lambda it: (it.address,),
    Return: lambda it: () if it.value is None else (it.value,),
}


def operands_of(instruction: Instruction) -> Operands:
    """The operands, in the order of the instruction; Branch, Fence and Unreachable have none."""
    read = READS.get(instruction.__class__)
    return read(instruction) if read is not None else ()


def registers_read(instruction: Instruction) -> list[int]:
    """The numbers of the registers that the instruction reads."""
    return [operand.index for operand in operands_of(instruction) if operand.__class__ is Register]


def compares_used_by_their_branch(function: Function) -> frozenset[int]:
    """Registers of comparisons whose only use is the branch that ends their block."""
    uses: Counter[int] = Counter()
    for instruction in function.instructions():
        uses.update(registers_read(instruction))
    fused: set[int] = set()
    for block in function.blocks:
        match block.body[-1]:
            case ConditionalBranch(condition=Register(index=index)) if uses[index] == 1:
                fused.update(
                    instruction.result
                    for instruction in block.body
                    if isinstance(instruction, Compare) and instruction.result == index
                )
    return frozenset(fused)
