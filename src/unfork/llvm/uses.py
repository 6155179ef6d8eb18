"""What instructions read, and which allocas' addresses may outlive their frame by that, or be seen as numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
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
    GlobalAddress,
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
from unfork.llvm.module import Block, Function

Operands = tuple[Operand, ...]
# Functions that use an address during the call and return nothing derived from it.
FORGETTING = ("llvm.memcpy.", "llvm.memmove.", "llvm.memset.", "llvm.lifetime.", "llvm.va_", "llvm.prefetch.")
FORGETTING_EXACTLY = frozenset(("klee_make_symbolic", "unfork_symbolic"))


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


def with_captures(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """The blocks with ``captured`` decided for each alloca."""
    captured = captured_registers(blocks)
    if captured is None:
        return tuple(blocks)
    known = captured

    def decided(instruction: Instruction) -> Instruction:
        if isinstance(instruction, Alloca) and instruction.result not in known:
            return replace(instruction, captured=False)
        return instruction

    return tuple([replace(block, body=tuple(map(decided, block.body))) for block in blocks])


def captured_registers(blocks: Sequence[Block]) -> set[int] | None:
    """The results of the allocas whose address is stored, passed, returned, compared or cast; None without allocas."""
    owner: dict[int, int] = {}
    geps: list[GetElementPointer] = []
    for block in blocks:
        for instruction in block.body:
            if isinstance(instruction, Alloca):
                owner[instruction.result] = instruction.result
            elif isinstance(instruction, GetElementPointer):
                geps.append(instruction)
    if not owner:
        return None
    grown = -1
    while grown != len(owner):
        # Bases mostly precede what is derived from them: one round, and one more to see that it is complete.
        grown = len(owner)
        for gep in geps:
            if isinstance(gep.base, Register) and gep.base.index in owner:
                owner.setdefault(gep.result, owner[gep.base.index])
    captured: set[int] = set()
    for block in blocks:
        for phi in block.phis:
            captured.update(owner[index] for index in registers_read(phi) if index in owner)
        for instruction in block.body:
            for index in registers_read(instruction):
                if index in owner and not keeps_secret(instruction, index):
                    captured.add(owner[index])
    return captured


def keeps_secret(instruction: Instruction, index: int) -> bool:
    """Whether the instruction uses the address in register ``index`` and passes it on to nobody."""
    match instruction:
        case Load():
            return True
        case Store(value=value):
            return not (isinstance(value, Register) and value.index == index)
        case GetElementPointer(terms=terms):
            return all(not isinstance(term, Register) or term.index != index for term, _ in terms)
        case Call(callee=GlobalAddress(name)):
            return name in FORGETTING_EXACTLY or name.startswith(FORGETTING)
    return False
