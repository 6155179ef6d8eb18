"""The operands of instructions, and the allocas whose addresses may outlive their frame or be observed as numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import fields, replace
from typing import TypeVar, get_args

from unfork.program.llvm.ir import (
    Alloca,
    Call,
    Compare,
    ConditionalBranch,
    GetElementPointer,
    GlobalAddress,
    Instruction,
    Load,
    Operand,
    Register,
    Store,
)
from unfork.program.llvm.module import Block, Function

Operands = tuple[Operand, ...]
Owner = TypeVar("Owner")
# Functions that use an address during the call and return nothing derived from it.
FORGETTING = ("llvm.memcpy.", "llvm.memmove.", "llvm.memset.", "llvm.lifetime.", "llvm.va_", "llvm.prefetch.")
FORGETTING_EXACTLY = frozenset(("klee_make_symbolic", "unfork_symbolic"))


_FIELDS: dict[type, list[str]] = {
    kind: [field.name for field in fields(kind) if "Operand" in str(field.type)] for kind in get_args(Instruction)
}
"""The fields of each kind of instruction with operands: one each, several, or pairs that begin with one."""


def operands_of(instruction: Instruction) -> Operands:
    """The operands, in the order of the instruction; Branch, Fence and Unreachable have none."""
    operands: list[Operand] = []
    for name in _FIELDS[instruction.__class__]:
        match getattr(instruction, name):
            case tuple(several):
                operands += (each[0] if isinstance(each, tuple) else each for each in several)
            case None:
                pass
            case operand:
                operands.append(operand)
    return tuple(operands)


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

    def decide(instruction: Instruction) -> Instruction:
        if isinstance(instruction, Alloca) and instruction.result not in known:
            return replace(instruction, captured=False)
        return instruction

    return tuple([replace(block, body=tuple(map(decide, block.body))) for block in blocks])


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
    derive(owner, geps)
    captured: set[int] = set()
    for block in blocks:
        for phi in block.phis:
            captured.update(owner[index] for index in registers_read(phi) if index in owner)
        for instruction in block.body:
            for index in registers_read(instruction):
                if index in owner and not keeps_secret(instruction, index):
                    captured.add(owner[index])
    return captured


def derive(owner: dict[int, Owner], geps: Collection[GetElementPointer]) -> None:
    """Give registers derived by address arithmetic the owner of their base."""
    grown = -1
    while grown != len(owner):
        # Bases mostly precede derived registers: one round, and one more to check for completeness.
        grown = len(owner)
        for gep in geps:
            if isinstance(gep.base, Register) and gep.base.index in owner:
                owner.setdefault(gep.result, owner[gep.base.index])


def pointers_to(function: Function, locals: Iterable[Alloca]) -> frozenset[int]:
    """The registers of a function with addresses in some of its locals."""
    owner = {local.result: None for local in locals}
    derive(owner, [each for each in function.instructions() if isinstance(each, GetElementPointer)])
    return frozenset(owner)


def keeps_secret(instruction: Instruction, index: int) -> bool:
    """Whether the instruction uses the address in register ``index`` without passing it on."""
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
