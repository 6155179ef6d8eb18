"""Which allocas' addresses may outlive their frame, or be seen as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from unfork.llvm.ir import Alloca, Call, GetElementPointer, GlobalAddress, Instruction, Load, Register, Store
from unfork.llvm.module import Block
from unfork.llvm.uses import registers_read

# Functions that use an address during the call and return nothing derived from it.
FORGETTING = ("llvm.memcpy.", "llvm.memmove.", "llvm.memset.", "llvm.lifetime.", "llvm.va_", "llvm.prefetch.")
FORGETTING_EXACTLY = frozenset(("klee_make_symbolic", "unfork_symbolic"))


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
