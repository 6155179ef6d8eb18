"""The steps of a replay: the program's lines in order of execution, with the values of variables there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from unfork.engine.protocols.outcome import Fault
from unfork.engine.protocols.stepper import YieldPoints
from unfork.engine.state.state import Frame, State
from unfork.engine.step.variable_texts import OPTIMISED_OUT, SYMBOLIC, VariableTexts
from unfork.program.facts.address_uses import is_failed_check
from unfork.program.facts.merge_points import MergePoints, nowhere
from unfork.program.llvm.ir import Call, GlobalAddress, Instruction
from unfork.program.llvm.module import Function, Program
from unfork.program.llvm.types import Position

Values = tuple[tuple[str, str], ...]


@dataclass(slots=True)
class WalkStep:
    """A line, ``depth`` calls below the first function; ``values`` are new or changed."""

    position: Position
    depth: int
    values: Values


class Walk:
    """Observes one replay, block by block. Functions of a library count as part of the line that calls them.

    It keeps the first and the last ``most`` // 2 steps; ``left_out`` counts the others.
    """

    def __init__(self, program: Program, variables: VariableTexts, most: int) -> None:
        self._program = program
        self._variables = variables
        self._half = max(most // 2, 1)
        self._first: list[WalkStep] = []
        self._last: list[WalkStep] = []
        self._batch: list[WalkStep] = []
        """The lines up to the next yield point; the path may fail before."""
        self._known: list[dict[str, str]] = []
        """The known values of each frame, by depth."""
        self._thread = 0
        self._depths: list[int] = []
        """For each frame of that thread, the number of the program's own functions below it."""
        self.left_out = 0
        self.yield_points = YieldPoints(partial(of_own_blocks, program))

    def see(self, state: State) -> None:
        """The replay has reached ``state``, and goes on from there."""
        frame = state.frames[-1] if state.frames else None
        if frame is None or frame.function.name in self._program.library:
            return
        self._keep(self._batch)
        depth = self._depth(state.frames)
        values = self._changed(state, frame, depth)
        self._batch = []
        for position in self._lines(frame):
            if not self._batch or self._batch[-1].position.line != position.line:
                self._batch.append(WalkStep(position, depth, values if not self._batch else ()))

    def steps(self, fault: Fault | None) -> tuple[list[WalkStep], list[WalkStep]]:
        """The first and the last steps of a replay that ended, in ``fault`` or by itself."""
        batch = self._batch
        if fault is not None and fault.position is not None:
            at = [number for number, step in enumerate(batch) if step.position.line == fault.position.line]
            batch = batch[: at[-1] + 1] if at else batch
        self._keep(batch)
        self._batch = []
        self._trim()
        return self._first, self._last

    def _keep(self, batch: list[WalkStep]) -> None:
        for step in batch:
            before = self._last[-1] if self._last else self._first[-1] if self._first else None
            if before is not None and not step.values and _is_same_line(before, step):
                continue
            if len(self._first) < self._half:
                self._first.append(step)
                continue
            self._last.append(step)
            if len(self._last) > 2 * self._half:
                self._trim()

    def _trim(self) -> None:
        surplus = max(len(self._last) - self._half, 0)
        self.left_out += surplus
        del self._last[:surplus]

    def _lines(self, frame: Frame) -> Iterator[Position]:
        """The positions from a frame's place to the end of its block, or to a call with its own steps."""
        for instruction in frame.function.blocks[frame.block].body[frame.index :]:
            if instruction.position is not None:
                yield instruction.position
            if leads_on(self._program, instruction):
                return

    def _depth(self, frames: list[Frame]) -> int:
        if frames[0].ordinal != self._thread:
            self._thread = frames[0].ordinal
            self._depths.clear()
        depths = self._depths
        del depths[len(frames) :]
        for below in range(len(depths), len(frames)):
            is_own = below > 0 and frames[below - 1].function.name not in self._program.library
            depths.append(depths[-1] + is_own if depths else 0)
        return depths[-1]

    def _changed(self, state: State, frame: Frame, depth: int) -> Values:
        del self._known[depth + 1 :]
        self._known += [{} for _ in range(len(self._known), depth + 1)]
        known = self._known[depth]
        if frame.block == 0 and frame.index == 0:
            known.clear()
        fresh = []
        for name, text in self._variables.before(state, frame).items():
            is_news = text not in (SYMBOLIC, OPTIMISED_OUT) or name in known
            if is_news and known.get(name) != text:
                known[name] = text
                fresh.append((name, text))
        return tuple(fresh)


def _is_same_line(before: WalkStep, step: WalkStep) -> bool:
    was, now = before.position, step.position
    return (was.file, was.line, before.depth) == (now.file, now.line, step.depth)


def of_own_blocks(program: Program, function: Function) -> MergePoints:
    """Every block of the program's own functions, and the places after calls with their own steps. Where a check of
    the compiler's failed is no block of theirs.
    """
    if function.name in program.library:
        return nowhere(function)
    after = frozenset(
        (block.index, index + 1)
        for block in function.blocks
        for index, instruction in enumerate(block.body)
        if leads_on(program, instruction)
    )
    own = frozenset(block.index for block in function.blocks if not is_failed_check(block))
    return MergePoints(own, after, lambda block, index: False)


def leads_on(program: Program, instruction: Instruction) -> bool:
    """Whether a call may lead to the program's own functions."""
    if not isinstance(instruction, Call):
        return False
    callee = instruction.callee
    if not isinstance(callee, GlobalAddress):
        return True
    return callee.name in program.defined and callee.name not in program.library
