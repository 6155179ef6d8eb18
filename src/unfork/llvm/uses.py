"""What an instruction reads: its operands in order, and the registers among them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from unfork.llvm.ir import (
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
from unfork.llvm.module import Function

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
    Select: lambda select: (select.condition, select.then, select.otherwise),
    Phi: lambda phi: tuple(value for value, _ in phi.incoming),
    Alloca: lambda alloca: (alloca.count,),
    Load: lambda load: (load.pointer,),
    Store: lambda store: (store.value, store.pointer),
    GetElementPointer: lambda gep: (gep.base, *(index for index, _ in gep.terms)),
    Call: lambda call: (call.callee, *call.arguments),
    InsertValue: lambda insert: (insert.aggregate, insert.value),
    ExtractElement: lambda extract: (extract.vector, extract.index),
    InsertElement: lambda insert: (insert.vector, insert.value, insert.index),
    AtomicUpdate: lambda update: (update.pointer, update.value),
    CompareExchange: lambda exchange: (exchange.pointer, exchange.expected, exchange.replacement),
    VariadicArgument: lambda argument: (argument.list,),
    ConditionalBranch: lambda branch: (branch.condition,),
    IndirectBranch: lambda branch: (branch.address,),
    Return: lambda end: () if end.value is None else (end.value,),
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
