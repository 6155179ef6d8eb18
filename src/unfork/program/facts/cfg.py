"""The control-flow graph of a function: orders, dominators, loops and join points."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property
from typing import TypeVar

from unfork.program.llvm.dominators import immediate_dominators, is_ancestor, positions, reverse_post_order
from unfork.program.llvm.ir import Branch, ConditionalBranch, IndirectBranch, Instruction, Invoked, Switch
from unfork.program.llvm.module import Block, Function

Node = TypeVar("Node", bound=Hashable)


def targets(terminator: Instruction) -> tuple[int, ...]:
    """The targets of a terminator, each once, in its order."""
    match terminator:
        case Branch(target=target):
            return (target,)
        case Invoked(target=target, landing=landing):
            return (target, landing)
        case ConditionalBranch(then=then, otherwise=otherwise):
            return (then,) if then == otherwise else (then, otherwise)
        case Switch(default=default, cases=cases):
            return tuple(dict.fromkeys((default, *(block for _, block in cases))))
        case IndirectBranch(targets=blocks):
            return tuple(dict.fromkeys(blocks))
    return ()


class ControlFlow:
    """The graph over a function's block indices. Facts are computed on first use; nothing changes afterwards.

    Block 0 is the entry. ``exit`` is a virtual block after all blocks without successors.
    """

    def __init__(self, blocks: Sequence[Block]) -> None:
        self.size = len(blocks)
        self.exit = len(blocks)
        self.successors = [targets(block.body[-1]) if block.body else () for block in blocks]
        self.predecessors: list[list[int]] = [[] for _ in blocks]
        for block, following in enumerate(self.successors):
            for target in following:
                self.predecessors[target].append(block)

    @cached_property
    def order(self) -> list[int]:
        """The reachable blocks in reverse post-order; of two branches the first named comes first."""
        return reverse_post_order(0, self.size, self.successors)

    @cached_property
    def rank(self) -> list[int]:
        """The position of each block in ``order``; -1 if unreachable."""
        return positions(self.order, self.size)

    @cached_property
    def dominators(self) -> list[int]:
        """The immediate dominator of each block; the entry has itself, an unreachable block -1."""
        return immediate_dominators(self.order, self.size, self.predecessors)

    @cached_property
    def post_dominators(self) -> list[int]:
        """The immediate post-dominator of each block, ``exit`` if none is nearer; -1 if no path leads to an end."""
        backward: list[Sequence[int]] = [*self.predecessors, []]
        forward: list[Sequence[int]] = [following or (self.exit,) for following in self.successors]
        ends = [block for block, following in enumerate(self.successors) if not following]
        backward[self.exit] = ends
        forward.append(())
        order = reverse_post_order(self.exit, self.size + 1, backward)
        return immediate_dominators(order, self.size + 1, forward)[: self.size]

    def dominates(self, above: int, below: int) -> bool:
        """Whether every path from the entry to ``below`` goes through ``above``."""
        return is_ancestor(self.dominators, above, below)

    @cached_property
    def retreating(self) -> list[tuple[int, int]]:
        """The edges that go back in ``order``: every cycle has one."""
        rank = self.rank
        return [
            (block, target) for block in self.order for target in self.successors[block] if rank[target] <= rank[block]
        ]

    @cached_property
    def loop_heads(self) -> frozenset[int]:
        """The targets of retreating edges: heads of natural loops, and the entries of irreducible ones."""
        return frozenset(head for _, head in self.retreating)

    @cached_property
    def loops(self) -> dict[int, frozenset[int]]:
        """The blocks of each natural loop, by its head. Loops with one head are one loop."""
        tails: dict[int, list[int]] = {}
        for tail, head in self.retreating:
            if self.dominates(head, tail):
                tails.setdefault(head, []).append(tail)
        return {head: frozenset((head, *self._leading_to(tails[head], head))) for head in tails}

    @cached_property
    def turning(self) -> frozenset[int]:
        """The blocks of all natural loops."""
        return frozenset().union(*self.loops.values())

    def _leading_to(self, blocks: Sequence[int], head: int) -> set[int]:
        """The blocks from which edges lead to one of ``blocks``, except through ``head``."""

        def before(block: int) -> list[int]:
            return [] if block == head else [other for other in self.predecessors[block] if self.rank[other] >= 0]

        return closure(blocks, before)

    @cached_property
    def join_points(self) -> frozenset[int]:
        """The blocks where several reachable edges meet."""
        rank = self.rank
        return frozenset(
            block
            for block in self.order
            if sum(rank[before] >= 0 for before in self.predecessors[block]) + (block == 0) > 1
        )

    @cached_property
    def loop_exits(self) -> frozenset[int]:
        """The outside successors of natural loops: paths with different numbers of iterations meet there."""
        return frozenset(
            target
            for body in self.loops.values()
            for block in body
            for target in self.successors[block]
            if target not in body
        )

    @cached_property
    def loop_ends(self) -> frozenset[int]:
        """The blocks from which a natural loop can be left."""
        successors = self.successors
        return frozenset(
            block for body in self.loops.values() for block in body if not body.issuperset(successors[block])
        )

    @cached_property
    def meeting_points(self) -> frozenset[int]:
        """The blocks where paths may meet: join points, loop heads and loop exits."""
        return self.join_points | self.loop_heads | self.loop_exits


def control_flow(function: Function) -> ControlFlow:
    """The control-flow graph of ``function``."""
    return ControlFlow(function.blocks)


def closure(starts: Iterable[Node], following: Callable[[Node], Iterable[Node]]) -> set[Node]:
    """All nodes reachable from ``starts``, these included."""
    nodes = set(starts)
    pending = list(nodes)
    while pending:
        for node in following(pending.pop()):
            if node not in nodes:
                nodes.add(node)
                pending.append(node)
    return nodes


def strong_components(start: Node, following: Callable[[Node], Iterable[Node]]) -> list[tuple[Node, ...]]:
    """The strongly connected components that ``start`` reaches, each after those that it leads to (Tarjan 1972)."""
    number: dict[Node, int] = {start: 0}
    low = {start: 0}
    open_: list[Node] = [start]
    is_open = {start}
    components: list[tuple[Node, ...]] = []
    stack = [(start, iter(following(start)))]
    while stack:
        node, targets = stack[-1]
        for target in targets:
            if target not in number:
                number[target] = low[target] = len(number)
                open_.append(target)
                is_open.add(target)
                stack.append((target, iter(following(target))))
                break
            if target in is_open:
                low[node] = min(low[node], number[target])
        else:
            stack.pop()
            if stack:
                above = stack[-1][0]
                low[above] = min(low[above], low[node])
            if low[node] == number[node]:
                start_of_component = open_.index(node)
                component = tuple(open_[start_of_component:])
                components.append(component)
                is_open.difference_update(component)
                del open_[start_of_component:]
    return components
