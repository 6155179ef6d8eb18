"""The source position of an instruction; one without a position, added by the compiler, gets the nearest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from unfork.program.facts.cfg import ControlFlow, control_flow
from unfork.program.llvm.ir import Instruction
from unfork.program.llvm.module import Function
from unfork.program.llvm.types import Position


def position_at(function: Function, block: int, index: int) -> Position | None:
    """The position of an instruction, or the nearest one; None in a function without debug information."""
    body = function.blocks[block].body
    own = body[index].position if index < len(body) else None
    return own or nearest_position(function, control_flow(function), block, index)


def end_position(function: Function, block: int) -> Position | None:
    """The position of the instruction that ends a block, or the nearest one."""
    return position_at(function, block, len(function.blocks[block].body) - 1)


def nearest_position(function: Function, flow: ControlFlow, block: int, index: int) -> Position | None:
    """The nearest position before an instruction, marked as near.

    Searches the block, first before the instruction and then after it; then the blocks that dominate this one.
    Otherwise it is the function's beginning.
    """
    body = function.blocks[block].body
    position = _first(reversed(body[:index])) or _first(body[index:])
    if position is None and function.position is None:
        return None
    if position is None:
        position = _above(function, flow.dominators, block) or function.position
    return None if position is None else replace(position, is_near=True)


def _above(function: Function, dominators: list[int], block: int) -> Position | None:
    """The last position in the blocks that dominate a block, nearest first."""
    while block > 0 <= dominators[block]:
        block = dominators[block]
        if (position := _first(reversed(function.blocks[block].body))) is not None:
            return position
    return None


def _first(body: Iterable[Instruction]) -> Position | None:
    return next((instruction.position for instruction in body if instruction.position is not None), None)
