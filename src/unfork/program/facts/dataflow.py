"""A solver for facts that flow along control-flow edges, and liveness of registers on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heapify, heappop, heappush
from typing import TypeVar

from unfork.program.facts.cfg import ControlFlow
from unfork.program.llvm.ir import Register
from unfork.program.llvm.module import Block, Function
from unfork.program.llvm.uses import registers_read

Fact = TypeVar("Fact")


def fixpoint(
    order: Sequence[int],
    dependents: Sequence[Sequence[int]],
    start: list[Fact],
    update: Callable[[int, list[Fact]], Fact],
) -> list[Fact]:
    """The least facts with ``facts[node] == update(node, facts)`` for each node of ``order``, from ``start`` upward.

    ``update`` must be monotone; ``dependents[node]`` are the nodes whose update reads the node's fact. Nodes are
    visited by their position in ``order``, which should follow the flow of facts.
    """
    facts = list(start)
    position = {node: number for number, node in enumerate(order)}
    queue = list(range(len(order)))
    heapify(queue)
    waiting = set(queue)
    while queue:
        number = heappop(queue)
        waiting.discard(number)
        node = order[number]
        fact = update(node, facts)
        if fact == facts[node]:
            continue
        facts[node] = fact
        for dependent in dependents[node]:
            again = position.get(dependent)
            if again is not None and again not in waiting:
                waiting.add(again)
                heappush(queue, again)
    return facts


class Liveness:
    """Registers that may still be read: bit ``i`` of a mask stands for register ``i``.

    ``entry[b]`` is live in block ``b`` just after its phis, including phi results that are read. ``looked_at`` has
    the masks of registers also read from outside, before each instruction of each block.
    """

    def __init__(self, function: Function, flow: ControlFlow, looked_at: Sequence[Sequence[int]] = ()) -> None:
        self.blocks = function.blocks
        self.flow = flow
        self._looked_at = looked_at or [[0] * len(block.body) for block in self.blocks]
        self.results = [sum(1 << phi.result for phi in block.phis) for block in self.blocks]
        self.passed = [phi_reads(block) for block in self.blocks]
        reads = zip(self.blocks, self._looked_at, strict=True)
        needs, kills = zip(*(needs_and_kills(block, looked_at) for block, looked_at in reads), strict=True)

        def update(block: int, entry: list[int]) -> int:
            mask: int = needs[block] | (self.leaving(block, entry) & ~kills[block])
            return mask

        nodes = flow.order[::-1]
        self.entry = fixpoint(nodes, flow.predecessors, [0] * flow.size, update)
        self._before: dict[int, list[int]] = {}
        self._registers: dict[tuple[int, int, bool], tuple[int, ...]] = {}

    def along(self, block: int, successor: int, entry: list[int]) -> int:
        """Live on an edge, before the successor's phis: their operands for this edge, not their results."""
        return (entry[successor] & ~self.results[successor]) | self.passed[successor].get(block, 0)

    def leaving(self, block: int, entry: list[int]) -> int:
        """Live after a block's terminator, over all its edges."""
        mask = 0
        for successor in self.flow.successors[block]:
            mask |= self.along(block, successor, entry)
        return mask

    def before(self, block: int, index: int) -> int:
        """Live just before instruction ``index`` of the block's body, or after the last one, a tail call."""
        masks = self._before.get(block)
        if masks is None:
            mask = self.leaving(block, self.entry)
            masks = [mask]
            reads = zip(self.blocks[block].body, self._looked_at[block], strict=True)
            for instruction, looked_at in reversed(list(reads)):
                if instruction.result >= 0:
                    mask &= ~(1 << instruction.result)
                mask |= looked_at
                for register in registers_read(instruction):
                    mask |= 1 << register
                masks.append(mask)
            masks.reverse()
            self._before[block] = masks
        return masks[index]

    def at(self, block: int, index: int, *, is_calling: bool) -> int:
        """Live just before instruction ``index``, after the block's phis.

        ``is_calling``: the call before has not returned, so that its result is not live.
        """
        mask = self.before(block, index) if index else self.entry[block]
        result = self.blocks[block].body[index - 1].result if is_calling else -1
        return mask if result < 0 else mask & ~(1 << result)

    def registers(self, block: int, index: int, *, is_calling: bool) -> tuple[int, ...]:
        """The registers of ``at``, in order."""
        key = (block, index, is_calling)
        registers = self._registers.get(key)
        if registers is None:
            mask = self.at(block, index, is_calling=is_calling)
            registers = self._registers[key] = tuple([i for i in range(mask.bit_length()) if mask >> i & 1])
        return registers


def phi_reads(block: Block) -> dict[int, int]:
    """The registers that the block's phis read, by predecessor."""
    passed: dict[int, int] = {}
    for phi in block.phis:
        for value, before in phi.incoming:
            if isinstance(value, Register):
                passed[before] = passed.get(before, 0) | 1 << value.index
    return passed


def needs_and_kills(block: Block, looked_at: Sequence[int]) -> tuple[int, int]:
    """The registers that a block's body reads before it writes them, and those that it writes.

    ``looked_at`` are the masks of registers also read before each instruction.
    """
    needs = 0
    kills = 0
    for instruction, mask in zip(block.body, looked_at, strict=True):
        needs |= mask & ~kills
        for register in registers_read(instruction):
            bit = 1 << register
            if not kills & bit:
                needs |= bit
        if instruction.result >= 0:
            kills |= 1 << instruction.result
    return needs, kills
