"""Where the statements of a function begin: the places at which control comes to another line."""

from __future__ import annotations

from dataclasses import dataclass

from unfork.facts.cfg import control_flow
from unfork.facts.function_facts import SCOPES
from unfork.facts.merge_points import MergePoints
from unfork.facts.own_source import own_position
from unfork.llvm.ir import Alloca, Branch, Call, GlobalAddress, Instruction
from unfork.llvm.module import Function
from unfork.llvm.types import Position


@dataclass(frozen=True, slots=True)
class Beginning:
    """A place where a line begins. ``is_turn``: a loop comes back there, so that the line may begin after itself."""

    position: Position
    is_turn: bool


def beginnings(function: Function) -> dict[tuple[int, int], Beginning]:
    """The places (block, index) in a function where lines of the program's own source begin.

    A block may go on with the line that control comes from; a path that comes there knows.
    """
    heads = control_flow(function).loop_heads
    places: dict[tuple[int, int], Beginning] = {}
    for block in function.blocks:
        line: tuple[str, int] | None = None
        for index, instruction in enumerate(block.body):
            position = instruction.position
            if position is None or (position.file, position.line) == line or not _does(instruction):
                continue
            if own_position(position) is position:
                places[block.index, index] = Beginning(position, line is None and block.index in heads)
            line = (position.file, position.line)
    return places


def _does(instruction: Instruction) -> bool:
    """Whether an instruction is something that a statement does, and not only how a compiler goes about it."""
    match instruction:
        case Alloca() | Branch():
            return False
        case Call(callee=GlobalAddress(name)):
            return not name.startswith(SCOPES)
    return instruction.position is not None and instruction.position.line > 0


def places_of(begin: dict[tuple[int, int], Beginning]) -> MergePoints:
    """Where states rest to be looked at; they are not joined for that."""
    blocks = frozenset(block for block, index in begin if index == 0)
    inside = frozenset(place for place in begin if place[1])
    return MergePoints(blocks, inside, lambda block, index: False)
