"""Which registers of a waiting state may still be read, including those that longjmp restores."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from unfork.engine.state.state import JUMP_TARGETS, ProgramPoint, RegisterValue, State
from unfork.program.facts.dataflow import Liveness
from unfork.program.facts.function_facts import FactsTable, FunctionFacts
from unfork.program.llvm.module import Function


class LiveRegisters:
    """Live registers by program point, with functions as ``seen`` shows them."""

    def __init__(self, facts: FactsTable, seen: Callable[[FunctionFacts], Liveness]) -> None:
        self._facts = facts
        self._seen = seen

    def facts(self, function: Function) -> FunctionFacts:
        return self._facts[function]

    def of_frame(self, state: State, depth: int) -> tuple[int, ...]:
        """The registers of a frame that may still be read, without the result of a call that has not returned."""
        frame = state.frames[depth]
        liveness = self._seen(self._facts[frame.function])
        live = liveness.registers(frame.block, frame.index, is_calling=depth < len(state.frames) - 1)
        for activation, frames, block, index in state.remembered[JUMP_TARGETS].values():
            if frames == depth + 1 and activation == frame.activation:
                live = tuple(dict.fromkeys((*live, *liveness.registers(block, index, is_calling=True))))
        return live

    def after_call(self, function: Function, point: ProgramPoint) -> tuple[int, ...]:
        """The registers that may be read after a call that returns to ``point``, without its result."""
        return self._seen(self._facts[function]).registers(*point, is_calling=True)

    def pairs(self, a: State, b: State) -> Iterator[tuple[RegisterValue, RegisterValue]]:
        """The values of live registers in two states at one program point, except in shared frames."""
        for depth, (left, right) in enumerate(zip(a.frames, b.frames, strict=True)):
            if left is not right:
                for register in self.of_frame(a, depth):
                    yield left.registers[register], right.registers[register]


def without_scopes(facts: FunctionFacts) -> Liveness:
    """A function whose markers for the beginning and end of a scope read nothing."""
    return facts.liveness_without_scopes


def as_it_is(facts: FunctionFacts) -> Liveness:
    """A function whose every operand counts as read: a path that runs it from a program point on needs all."""
    return facts.liveness
