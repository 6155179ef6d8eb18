"""Follows only paths that may still come to a source line.

What a state may reach is over-approximated: branches go both ways, a call through a pointer leads to every function
whose address is taken, and so does a call of a library, which may call back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from unfork.engine.explore.distance import is_at_line
from unfork.engine.protocols.stopper import Bound
from unfork.engine.state.state import Frame, State
from unfork.engine.state.threads import THREADS
from unfork.program.facts.address_taken import address_taken
from unfork.program.facts.cfg import targets
from unfork.program.llvm.ir import Call, GlobalAddress
from unfork.program.llvm.module import Function, Program

OFF_THE_WAY = "aim"
"""The bound that ends paths that cannot come to the line."""
_EVERYWHERE = 1 << 40


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line of a file; ``file`` may be the end of its path."""

    file: str
    line: int


class WaysTo:
    """Tells whether states may still come to code of some lines. Knows the program's own functions once."""

    def __init__(self, program: Program, line: SourceLine) -> None:
        self._own = frozenset(program.own)
        self._last: dict[tuple[str, int], int] = {}
        """For each block that leads there, the last instruction that does: the end, if its successors lead there."""
        self.functions: dict[str, None] = {}
        """Those with code of the line."""
        functions = [program.function(name) for name in program.defined if name in self._own]
        taken = address_taken(program).union(program.destructors)
        calls, through_pointers = self._calls(functions)
        before: dict[tuple[str, int], list[int]] = defaultdict(list)
        waiting: list[tuple[str, int, int]] = []
        for function in functions:
            for block in function.blocks:
                for successor in targets(block.body[-1]):
                    before[function.name, successor].append(block.index)
                for index, instruction in enumerate(block.body):
                    if is_at_line(instruction.position, line.file, line.line):
                        self.functions[function.name] = None
                        waiting.append((function.name, block.index, index))
        self._may_be_called_back = False
        while waiting:
            name, block_index, index = waiting.pop()
            known = self._last.get((name, block_index), -1)
            if index <= known:
                continue
            self._last[name, block_index] = index
            if known >= 0:
                continue  # what leads here is known
            waiting.extend((name, each, _EVERYWHERE) for each in before[name, block_index])
            if block_index == 0:
                waiting.extend(calls[name])
                if name in taken and not self._may_be_called_back:
                    self._may_be_called_back = True
                    waiting.extend(through_pointers)
        self._is_unclear = any("setjmp" in name for name in calls)

    @property
    def is_anywhere(self) -> bool:
        """Whether the line has code."""
        return bool(self.functions)

    def leads_from(self, name: str) -> bool:
        """Whether a call of a function may come there."""
        return (name, 0) in self._last

    def leads(self, name: str, block: int) -> bool:
        """Whether a block of a function may come there."""
        return (name, block) in self._last

    def may_reach(self, state: State) -> bool:
        """Whether the state may still come there."""
        if self._is_unclear or state.remembered[THREADS] is not None:
            return True
        innermost = len(state.frames) - 1
        return any(self._may_go_on(frame, depth == innermost) for depth, frame in enumerate(state.frames))

    def _may_go_on(self, frame: Frame, is_running: bool) -> bool:
        name = frame.function.name
        if name not in self._own:
            return self._may_be_called_back
        return self._last.get((name, frame.block), -1) >= max(frame.index - is_running, 0)

    def _calls(
        self, functions: Iterable[Function]
    ) -> tuple[Mapping[str, list[tuple[str, int, int]]], list[tuple[str, int, int]]]:
        """The places of calls: by callee, and of those that may lead to any function whose address is taken."""
        calls: dict[str, list[tuple[str, int, int]]] = defaultdict(list)
        others: list[tuple[str, int, int]] = []
        for function in functions:
            for block in function.blocks:
                for index, instruction in enumerate(block.body):
                    if isinstance(instruction, Call):
                        place, callee = (function.name, block.index, index), instruction.callee
                        name = callee.name if isinstance(callee, GlobalAddress) else ""
                        calls[name].append(place)
                        if name not in self._own:
                            others.append(place)
        return calls, others


class OnlyTowards:
    """Ends paths that cannot come to some code any more, and those that ``bound`` ends."""

    def __init__(self, ways: WaysTo, bound: Bound) -> None:
        self._bound = bound
        self._ways = ways

    def cut(self, state: State) -> str | None:
        return self._bound.cut(state) or (None if self._ways.may_reach(state) else OFF_THE_WAY)
