"""Which registers steer a loop: what it does next, and all that it does but arithmetic, depends on no others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from unfork.facts.cfg import ControlFlow
from unfork.llvm.ir import Binary, Cast, Instruction, Phi
from unfork.llvm.module import Function
from unfork.llvm.uses import registers_read

_ARITHMETIC = frozenset(("add", "sub", "mul", "and", "or", "xor"))
_CASTS = frozenset(("trunc", "zext", "sext"))


def steering(function: Function, flow: ControlFlow, head: int) -> frozenset[int]:
    """The registers that matter to whoever runs from ``head`` back to it within one activation, however often.

    Law: two runs that begin at ``head`` with equal memory and equal steering registers do the same, and have them equal
    again, until one of them is where no path leads back to ``head``.
    """
    blocks = _reached(head, flow.successors) & _reached(head, flow.predecessors)
    places = [function.blocks[number] for number in sorted(blocks)]
    instructions = [each for block in places for each in (*block.phis, *block.body)]
    sources = {each.result: registers_read(each) for each in instructions if _only_computes(each)}
    found: set[int] = set()
    pending = [number for each in instructions if not _only_computes(each) for number in registers_read(each)]
    while pending:
        number = pending.pop()
        if number not in found:
            found.add(number)
            pending += sources.get(number, ())
    return frozenset(found)


def _only_computes(instruction: Instruction) -> bool:
    """Whether an instruction is defined for all values, and does nothing else than to make another one."""
    match instruction:
        case Phi():
            return True
        case Binary(op=op, flags=flags):
            return op in _ARITHMETIC and not flags
        case Cast(op=op):
            return op in _CASTS
    return False


def _reached(start: int, following: Sequence[Iterable[int]]) -> set[int]:
    """The blocks to which edges lead from ``start``, itself among them."""
    reached, pending = {start}, [start]
    while pending:
        for block in following[pending.pop()]:
            if block not in reached:
                reached.add(block)
                pending.append(block)
    return reached
