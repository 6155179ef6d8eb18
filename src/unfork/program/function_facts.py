"""Facts that comparing two states in a function needs: which registers are live, and their types."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from unfork.program.cfg import control_flow
from unfork.program.dataflow import Liveness
from unfork.program.ir import Alloca, Call, GlobalAddress
from unfork.program.module import Function
from unfork.program.register_types import register_types
from unfork.program.types import Type

STACK_MARK = "llvm.stacksave"


class FunctionFacts:
    """The facts about one function, each computed once."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.liveness = Liveness(function, control_flow(function))
        self.bases = frozenset(
            instruction.result
            for block in function.blocks
            for instruction in block.body
            if isinstance(instruction, Alloca)
        )
        """The registers that hold addresses of locals."""
        self._live: dict[tuple[int, int, bool], tuple[int, ...]] = {}

    @cached_property
    def types(self) -> list[Type]:
        """The type of each register, by number; void for one that nothing writes."""
        return register_types(self.function)

    @cached_property
    def marks_stack(self) -> bool:
        """Whether it saves the stack pointer, as is done for arrays of variable length."""
        return any(
            isinstance(instruction, Call)
            and isinstance(instruction.callee, GlobalAddress)
            and instruction.callee.name.startswith(STACK_MARK)
            for block in self.function.blocks
            for instruction in block.body
        )

    def live(self, block: int, index: int, *, is_calling: bool) -> tuple[int, ...]:
        """The registers that may be read from a place on; ``is_calling`` leaves out the result of the call before."""
        key = (block, index, is_calling)
        registers = self._live.get(key)
        if registers is None:
            mask = self.liveness.before(block, index) if index else self.liveness.entry[block]
            if is_calling:
                result = self.function.blocks[block].body[index - 1].result
                mask &= ~(1 << result) if result >= 0 else -1
            registers = self._live[key] = tuple([i for i in range(mask.bit_length()) if mask >> i & 1])
        return registers


class FactsTable(dict[Function, FunctionFacts]):
    """The facts about functions, computed on first use; ``seen`` gives the function to analyse in place of another."""

    def __init__(self, seen: Callable[[Function], Function] | None = None) -> None:
        super().__init__()
        self._seen = seen

    def __missing__(self, function: Function) -> FunctionFacts:
        facts = self[function] = FunctionFacts(function if self._seen is None else self._seen(function))
        return facts
