"""Where in the source an instruction is: one that no line asked for, as compilers make some, is near another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from unfork.program.cfg import ControlFlow, control_flow
from unfork.program.ir import Instruction
from unfork.program.module import Function
from unfork.program.types import Position


def position_at(function: Function, block: int, index: int) -> Position | None:
    """The position of an instruction, or the nearest one; None in a function without debug information."""
    body = function.blocks[block].body
    own = body[index].position if index < len(body) else None
    return own or nearest(function, control_flow(function), block, index)


def nearest(function: Function, flow: ControlFlow, block: int, index: int) -> Position | None:
    """The position that comes nearest before an instruction, which says of itself that it is only near.

    It is looked for in the block, behind the instruction too; then in the blocks that every path there goes through;
    else it is where the function begins.
    """
    body = function.blocks[block].body
    found = _first(reversed(body[:index])) or _first(body[index:])
    if found is None and function.position is None:
        return None
    if found is None:
        found = _above(function, flow.dominators, block) or function.position
    return None if found is None else replace(found, is_near=True)


def _above(function: Function, dominators: list[int], block: int) -> Position | None:
    """The last position in the blocks that dominate a block, from the nearest on."""
    while block > 0 <= dominators[block]:
        block = dominators[block]
        if (found := _first(reversed(function.blocks[block].body))) is not None:
            return found
    return None


def _first(body: Iterable[Instruction]) -> Position | None:
    return next((one.position for one in body if one.position is not None), None)
