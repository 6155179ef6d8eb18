"""What is known of functions without running them: one table for a program, each fact computed when it is first asked.

Every part that needs such facts is given the same table.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from unfork.facts.cfg import ControlFlow, control_flow
from unfork.facts.dataflow import Liveness
from unfork.facts.loops import LoopNest
from unfork.facts.register_types import register_types
from unfork.facts.steering import steering
from unfork.facts.visible import VisibleVariables
from unfork.llvm.ir import Alloca, Call, GlobalAddress, Instruction
from unfork.llvm.module import Function
from unfork.llvm.types import Type

STACK_MARK = "llvm.stacksave"
SCOPES = "llvm.lifetime."


class FunctionFacts:
    """The facts about one function."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self._steering: dict[int, frozenset[int]] = {}

    @cached_property
    def flow(self) -> ControlFlow:
        """Its control-flow graph."""
        return control_flow(self.function)

    @cached_property
    def nest(self) -> LoopNest:
        """Its loops."""
        return LoopNest(self.flow)

    @cached_property
    def liveness(self) -> Liveness:
        """Which registers may still be read."""
        return Liveness(self.function, self.flow)

    @cached_property
    def liveness_without_scopes(self) -> Liveness:
        """The same where notes that a scope begins or ends read nothing: a local that nothing else reads is garbage."""
        blocks = [replace(block, body=tuple(map(_unread, block.body))) for block in self.function.blocks]
        return Liveness(replace(self.function, blocks=tuple(blocks)), self.flow)

    def steering(self, head: int) -> frozenset[int]:
        """The registers that steer the loop with this head."""
        known = self._steering.get(head)
        if known is None:
            known = self._steering[head] = steering(self.function, self.flow, head)
        return known

    @cached_property
    def visible(self) -> VisibleVariables:
        """Its source variables."""
        return VisibleVariables(self.function, self.flow)

    @cached_property
    def types(self) -> list[Type]:
        """The type of each register, by number; void for one that nothing writes."""
        return register_types(self.function)

    @cached_property
    def bases(self) -> frozenset[int]:
        """The registers that hold addresses of locals."""
        instructions = self.function.instructions()
        return frozenset(instruction.result for instruction in instructions if isinstance(instruction, Alloca))

    @cached_property
    def marks_stack(self) -> bool:
        """Whether it saves the stack pointer, as is done for arrays of variable length."""
        return any(_calls(instruction, STACK_MARK) for instruction in self.function.instructions())


class FactsTable(dict[Function, FunctionFacts]):
    """The facts about the functions of a program."""

    def __missing__(self, function: Function) -> FunctionFacts:
        facts = self[function] = FunctionFacts(function)
        return facts


def _calls(instruction: Instruction, prefix: str) -> bool:
    """Whether the instruction calls a function whose name begins so."""
    return (
        isinstance(instruction, Call)
        and isinstance(instruction.callee, GlobalAddress)
        and instruction.callee.name.startswith(prefix)
    )


def _unread(instruction: Instruction) -> Instruction:
    """A note that a scope begins or ends, as one that reads nothing."""
    if isinstance(instruction, Call) and _calls(instruction, SCOPES):
        return replace(instruction, arguments=(), byval=())
    return instruction
