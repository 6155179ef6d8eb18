"""Lets states rest at statements, too, and shows each state to a callback as it leaves one."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

from unfork.engine.protocols.outcome import Outcome, Running
from unfork.engine.protocols.stepper import Stepper, YieldPoints, YieldPolicy
from unfork.engine.state.state import State
from unfork.program.facts.cfg import control_flow
from unfork.program.facts.function_facts import SCOPES
from unfork.program.facts.merge_points import MergePoints, nowhere, union
from unfork.program.facts.own_source import own_position
from unfork.program.llvm.ir import Alloca, Branch, Call, GlobalAddress, Instruction
from unfork.program.llvm.module import Function
from unfork.program.llvm.types import Position


@dataclass(frozen=True, slots=True)
class LineStart:
    """The beginning of a line. ``is_turn``: a loop comes back to it, so that the line may begin again right after
    itself.
    """

    position: Position
    is_turn: bool


def beginnings(function: Function) -> dict[tuple[int, int], LineStart]:
    """The program points (block, index) of a function at which lines of the program's own source begin.

    A block may continue the line that control comes from; only a path knows.
    """
    heads = control_flow(function).loop_heads
    points: dict[tuple[int, int], LineStart] = {}
    for block in function.blocks:
        line: tuple[str, int] | None = None
        for index, instruction in enumerate(block.body):
            position = instruction.position
            if position is None or (position.file, position.line) == line or not _does(instruction):
                continue
            if own_position(position) is position:
                points[block.index, index] = LineStart(position, line is None and block.index in heads)
            line = (position.file, position.line)
    return points


def _does(instruction: Instruction) -> bool:
    """Whether an instruction does something that the statement says, and is not a detail of compilation."""
    match instruction:
        case Alloca() | Branch():
            return False
        case Call(callee=GlobalAddress(name)):
            return not name.startswith(SCOPES)
    return instruction.position is not None and instruction.position.line > 0


def merge_points_of(begin: dict[tuple[int, int], LineStart]) -> MergePoints:
    """The points at which states rest to be looked at; they are not joined for that."""
    blocks = frozenset(block for block, index in begin if index == 0)
    inside = frozenset(point for point in begin if point[1])
    return MergePoints(blocks, inside, lambda block, index: False)


Look = Callable[[State, Position], None]
"""Looks at a state that is about to run a statement; changes nothing."""
Wanted = Callable[[Position], bool]
Line = tuple[str, str, int]
"""Function, file, line."""


class Statements:
    """The beginnings of lines in functions outside of the ``library`` with at least one ``wanted`` line."""

    def __init__(self, wanted: Wanted, library: Collection[str]) -> None:
        self.wanted = wanted
        self._library = library
        self._known: dict[Function, dict[tuple[int, int], LineStart]] = {}

    def of(self, function: Function) -> dict[tuple[int, int], LineStart]:
        begin = self._known.get(function)
        if begin is None:
            begin = {} if function.name in self._library else beginnings(function)
            if not any(self.wanted(each.position) for each in begin.values()):
                begin = {}
            self._known[function] = begin
        return begin

    def merge_points(self, function: Function) -> MergePoints:
        """Where states rest for them."""
        begin = self.of(function)
        return merge_points_of(begin) if begin else nowhere(function)


class YieldAtStatements:
    """States rest at the points of ``others``, and at statements."""

    def __init__(self, others: YieldPolicy, statements: Statements) -> None:
        self._others = others
        self._statements = statements
        self._known: dict[int, tuple[YieldPoints, YieldPoints]] = {}

    def yield_points(self, state: State) -> YieldPoints:
        yield_points = self._others.yield_points(state)
        known = self._known.get(id(yield_points))
        if known is None:
            known = self._known[id(yield_points)] = (
                yield_points,
                YieldPoints(union(yield_points.places, self._statements.merge_points)),
            )
        return known[1]


@dataclass(frozen=True, slots=True)
class _Before:
    """Where a state was: the line of each frame, and where a statement began last.

    Holds the state, so that no other has its identity.
    """

    state: State
    lines: tuple[Line | None, ...]
    point: tuple[int, int]
    instructions: int


class LookingStepper:
    """A stepper that shows states to a callback as they leave the beginning of a wanted statement.

    That includes joined states, but none that is joined there, covered or cut. A state that split within an
    instruction runs it again, and one that continues the same line has not reached another statement.
    """

    def __init__(self, stepper: Stepper, statements: Statements, look: Look) -> None:
        self._stepper = stepper
        self._statements = statements
        self._look = look
        self._before: dict[int, _Before] = {}

    def step(self, state: State, yield_points: YieldPoints) -> list[Outcome]:
        before = self._before.pop(id(state), None)
        here = self._here(state, before) if state.frames else before
        outcomes = self._stepper.step(state, yield_points)
        for outcome in outcomes:
            if here is not None and isinstance(outcome, Running):
                self._before[id(outcome.state)] = replace(here, state=outcome.state)
        return outcomes

    def _here(self, state: State, before: _Before | None) -> _Before | None:
        """Where the state is; shows it first if it begins a statement."""
        top, depth = state.frames[-1], len(state.frames)
        point = (top.block, top.index)
        begin = self._statements.of(top.function).get(point)
        if begin is None:
            return before
        position = begin.position
        line = (top.function.name, position.file, position.line)
        lines = () if before is None else before.lines[:depth]
        goes_on = len(lines) == depth and lines[-1] == line and not begin.is_turn
        again = before is not None and before.point == point and state.instructions <= before.instructions + 1
        if not goes_on and not again and self._statements.wanted(position):
            self._look(state, position)
        callers = (*lines[: depth - 1], *(None,) * (depth - 1 - len(lines)))
        return _Before(state, (*callers, line), point, state.instructions)
