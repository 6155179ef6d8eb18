"""Which registers of a waiting state may still be read, those that longjmp brings back included."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from unfork.program.function_facts import FactsTable, FunctionFacts
from unfork.program.ir import Call, GlobalAddress, Instruction
from unfork.program.module import Function
from unfork.state.afterwards import JUMP_TARGETS
from unfork.state.state import RegisterValue, State

_SCOPES = "llvm.lifetime."


class LiveRegisters:
    """Live registers by place, each function analysed once, as ``seen`` shows it."""

    def __init__(self, seen: Callable[[Function], Function]) -> None:
        self._facts = FactsTable(seen)

    def facts(self, function: Function) -> FunctionFacts:
        return self._facts[function]

    def of_frame(self, state: State, depth: int) -> tuple[int, ...]:
        """The registers of a frame that may still be read, without the result of a call that has not returned."""
        frame = state.frames[depth]
        facts = self.facts(frame.function)
        live = facts.live(frame.block, frame.index, is_calling=depth < len(state.frames) - 1)
        for activation, frames, block, index in state.remembered[JUMP_TARGETS].values():
            if frames == depth + 1 and activation == frame.activation:
                live = tuple(dict.fromkeys((*live, *facts.live(block, index, is_calling=True))))
        return live

    def pairs(self, a: State, b: State) -> Iterator[tuple[RegisterValue, RegisterValue]]:
        """The values of live registers in two states at one place, except in frames that both share."""
        for depth, (left, right) in enumerate(zip(a.frames, b.frames, strict=True)):
            if left is not right:
                for register in self.of_frame(a, depth):
                    yield left.registers[register], right.registers[register]


def without_scopes(function: Function) -> Function:
    """The function with lifetime markers that read nothing."""
    blocks = [replace(block, body=tuple(map(_unread, block.body))) for block in function.blocks]
    return replace(function, blocks=tuple(blocks))


def as_it_is(function: Function) -> Function:
    """The function itself: every operand counts as read, as it is when the function runs."""
    return function


def _unread(instruction: Instruction) -> Instruction:
    """A lifetime marker reads nothing: if nothing else reads the local, its contents are garbage."""
    match instruction:
        case Call(callee=GlobalAddress(name=name)) if name.startswith(_SCOPES):
            return replace(instruction, arguments=(), byval=())
    return instruction
