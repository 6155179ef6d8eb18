"""The nesting of a function's loops, and their trip counts where these are known without running them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from operator import eq, ge, gt, le, lt, ne

from unfork.program.facts.cfg import ControlFlow, targets
from unfork.program.llvm import layout
from unfork.program.llvm.ir import Binary, Bits, Compare, ConditionalBranch, Instruction, Operand, Phi, Register
from unfork.program.llvm.module import Function
from unfork.program.llvm.types import IntType

_ORDERS: dict[str, Callable[[int, int], bool]] = {"eq": eq, "ne": ne, "lt": lt, "le": le, "gt": gt, "ge": ge}
"""The meaning of predicates, signed or not."""
_OTHER_WAY = str.maketrans("lg", "gl")
MOST_TRIPS = 4096
"""Larger trip counts count as unknown."""


class LoopNest:
    """The natural loops of a function as a tree. A loop is named by its head; None stands for the whole function."""

    def __init__(self, flow: ControlFlow) -> None:
        self.flow = flow
        self.blocks = flow.loops
        by_size = sorted(self.blocks, key=lambda head: (len(self.blocks[head]), flow.rank[head]))
        self.innermost: list[int | None] = [None] * flow.size
        for head in reversed(by_size):
            for block in self.blocks[head]:
                self.innermost[block] = head
        self.parent: dict[int, int | None] = {}
        for number, head in enumerate(by_size):
            around = (other for other in by_size[number + 1 :] if head in self.blocks[other] and other != head)
            self.parent[head] = next(around, None)
        self.inside_out = tuple(by_size)
        """The heads, each before those of the surrounding loops."""

    @cached_property
    def around(self) -> list[tuple[int, ...]]:
        """For each block, the heads of the loops around it, outermost first."""
        chains: dict[int | None, tuple[int, ...]] = {None: ()}
        for head in reversed(self.inside_out):
            chains[head] = (*chains[self.parent[head]], head)
        return [chains[self.innermost[block]] for block in range(self.flow.size)]

    def node(self, level: int | None, block: int) -> int:
        """The node for ``block`` in loop ``level``: itself, or the head of the inner loop around it.

        ``block`` is in ``level``.
        """
        inner = self.innermost[block]
        while inner != level and inner is not None:
            block, inner = inner, self.parent[inner]
        return block

    def contains(self, level: int | None, block: int) -> bool:
        """Whether ``block`` is in loop ``level``."""
        return level is None or block in self.blocks[level]


@dataclass(frozen=True, slots=True)
class CountedExit:
    """An exit that counts: ``branch`` is the block that decides it, and the head runs ``trips`` times."""

    trips: int
    branch: int
    stays: int
    """The target that goes on with the iteration."""
    leaves: int


def trip_count(function: Function, nest: LoopNest, head: int) -> int | None:
    """How often the head runs each time the loop is entered, if an exit counts from a constant to a constant."""
    known = counted_exit(function, nest, head)
    return None if known is None else known.trips


def counted_exit(function: Function, nest: LoopNest, head: int) -> CountedExit | None:
    """The exit of a loop that counts from a constant to a constant; the first to be taken if there are several."""
    known: list[CountedExit] = []
    for block in sorted(nest.blocks[head]):
        targets = nest.flow.successors[block]
        leaving = [target for target in targets if target not in nest.blocks[head]]
        terminator = function.blocks[block].body[-1]
        if len(leaving) != 1 or len(targets) != 2 or not isinstance(terminator, ConditionalBranch):
            continue
        if nest.innermost[block] != head or any(
            not nest.flow.dominates(block, tail) for tail in nest.flow.predecessors[head] if tail in nest.blocks[head]
        ):
            continue  # not run exactly once per iteration
        stays = terminator.then in nest.blocks[head]
        count = _count(function, nest, head, terminator, stays=stays)
        if count is not None:
            (staying,) = [target for target in targets if target in nest.blocks[head]]
            known.append(CountedExit(count, block, staying, leaving[0]))
    return min(known, key=lambda counted: counted.trips, default=None)


def _count(function: Function, nest: LoopNest, head: int, branch: ConditionalBranch, *, stays: bool) -> int | None:
    """Iterations until ``branch`` leaves: it compares a counter, a phi of the head or the sum that feeds it."""
    compare = _definition(function, branch.condition)
    if not isinstance(compare, Compare) or not isinstance(compare.type, IntType):
        return None
    left, right, predicate = compare.left, compare.right, compare.predicate
    if isinstance(left, Bits):
        left, right, predicate = right, left, predicate.translate(_OTHER_WAY)
    if not isinstance(right, Bits):
        return None
    width = layout.bits_of(compare.type)
    for phi in function.blocks[head].phis:
        counter = _counter(function, nest, head, phi)
        if counter is None:
            continue
        start, step, following = counter
        if isinstance(left, Register) and left.index == phi.result:
            value = start
        elif isinstance(left, Register) and left.index == following:
            value = start + step
        else:
            continue
        for count in range(1, MOST_TRIPS + 1):
            if _holds(predicate, value, right.value, width) != stays:
                return count
            value += step
    return None


def _counter(function: Function, nest: LoopNest, head: int, phi: Phi) -> tuple[int, int, int] | None:
    """(start, step, register of the next value) of a counting phi."""
    start: int | None = None
    step: tuple[int, int] | None = None
    for value, source in phi.incoming:
        if source not in nest.blocks[head]:
            if not isinstance(value, Bits) or start not in (None, value.value):
                return None
            start = value.value
            continue
        match _definition(function, value):
            case Binary(result, "add" | "sub" as op, left=Register(index), right=Bits(amount)) if index == phi.result:
                following = (amount if op == "add" else -amount), result
            case _:
                return None
        if step not in (None, following):
            return None
        step = following
    return None if start is None or step is None else (start, *step)


def _definition(function: Function, operand: Operand) -> Instruction | None:
    """The instruction that computes a register; phis and parameters have none."""
    if not isinstance(operand, Register):
        return None
    bodies = (instruction for block in function.blocks for instruction in block.body)
    return next((instruction for instruction in bodies if instruction.result == operand.index), None)


def _holds(predicate: str, left: int, right: int, width: int) -> bool:
    bound = 1 << width
    left, right = left % bound, right % bound
    if predicate[0] == "s":
        half = bound >> 1
        left, right = (left + half) % bound, (right + half) % bound
    return _ORDERS[predicate[-2:]](left, right)


def decides_turn(function: Function, loop: frozenset[int], block: int) -> bool:
    """Whether the end of a loop's block decides if it turns again: by itself, or as a part of ``a && b`` or ``a || b``,
    whose result is a phi of the block that leaves it.
    """
    after = targets(function.blocks[block].body[-1])
    return not loop.issuperset(after) or any(
        not loop.issuperset(targets(function.blocks[each].body[-1])) and _is_settled_by(function, each, block)
        for each in after
    )


def _is_settled_by(function: Function, block: int, before: int) -> bool:
    """Whether the decision at the end of a block is known where another one comes before it."""
    match function.blocks[block].body[-1]:
        case ConditionalBranch(condition=Register(index=index)):
            known = [value for phi in function.blocks[block].phis if phi.result == index for value in phi.incoming]
            return any(at == before and isinstance(value, Bits) for value, at in known)
    return False
