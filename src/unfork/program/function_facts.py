"""What is asked of a function when two states in it are compared: which registers are live, and their types."""

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
    """What comparing two states in a function takes, computed once."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.liveness = Liveness(function, control_flow(function))
        self.bases = frozenset(one.result for block in function.blocks for one in block.body if isinstance(one, Alloca))
        """The registers that hold addresses of locals."""
        self._live: dict[tuple[int, int, bool], tuple[int, ...]] = {}

    @cached_property
    def types(self) -> list[Type]:
        """The type of each register, by number; void for one that nothing writes."""
        return register_types(self.function)

    @cached_property
    def marks_stack(self) -> bool:
        """Whether it takes marks of the stack, for arrays of variable length."""
        return any(
            isinstance(one, Call) and isinstance(one.callee, GlobalAddress) and one.callee.name.startswith(STACK_MARK)
            for block in self.function.blocks
            for one in block.body
        )

    def live(self, block: int, index: int, *, is_calling: bool) -> tuple[int, ...]:
        """The registers that may be read from a place on; behind a call that has not returned, not its result."""
        key = (block, index, is_calling)
        found = self._live.get(key)
        if found is None:
            mask = self.liveness.before(block, index) if index else self.liveness.entry[block]
            if is_calling:
                result = self.function.blocks[block].body[index - 1].result
                mask &= ~(1 << result) if result >= 0 else -1
            found = self._live[key] = tuple([i for i in range(mask.bit_length()) if mask >> i & 1])
        return found


class FactsTable(dict[Function, FunctionFacts]):
    """The facts of functions, each worked out when it is first asked for, of the function as ``seen`` shows it."""

    def __init__(self, seen: Callable[[Function], Function] | None = None) -> None:
        super().__init__()
        self._seen = seen

    def __missing__(self, function: Function) -> FunctionFacts:
        found = self[function] = FunctionFacts(function if self._seen is None else self._seen(function))
        return found
