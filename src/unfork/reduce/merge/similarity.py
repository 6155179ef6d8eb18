"""Which states are worth joining: all, those with equal live values, or those whose differences cost few queries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from unfork.engine.meaning.scopes import Addresses
from unfork.engine.protocols.join import Refusal
from unfork.engine.state.live_registers import LiveRegisters
from unfork.engine.state.memory import MemoryObject, object_of, offset_in
from unfork.engine.state.state import RegisterValue, State
from unfork.logic.solve.recent import Recent
from unfork.logic.terms.term import Term
from unfork.program.facts.dependence import LoadedCell
from unfork.program.facts.query_count import LocalCount, QueryCounts

HOT, LIVE = Refusal("hot variable"), Refusal("live variable")
SYMBOLIC = "symbolic"
"""Stands for every symbolic value in a signature (Kuznetsov12, section 4.3)."""
_STACKS = 4096
"""Stacks whose counts are kept."""
ByteRange = tuple[int, int, int]
"""An object, an offset in it, and a number of bytes."""


class Always:
    """All states at one program point are similar."""

    unlike = Refusal("different signature")
    """Not met: all signatures are equal."""

    def differs(self, a: State, b: State) -> Refusal | None:
        return None

    def signature(self, state: State) -> int:
        return 0


class LiveSimilarity:
    """States are similar if all live registers and all bytes of memory are equal."""

    unlike = LIVE

    def __init__(self, live: LiveRegisters) -> None:
        self._live = live

    def differs(self, a: State, b: State) -> Refusal | None:
        if any((x.block, x.index) != (y.block, y.index) for x, y in zip(a.frames, b.frames, strict=True)):
            return LIVE
        for left, right in self._live.pairs(a, b):
            if not same(left, right):
                return LIVE
        return None if a.memory.same(b.memory) else LIVE

    def signature(self, state: State) -> int:
        return _signature(self._live, state)


class QueryCounting:
    """Query count estimation, the full criterion of Kuznetsov12 (section 3.3, equation 7).

    Over the variables in which two states differ, with ``alpha`` and ``zeta`` as in the paper: similar if

    (zeta - 1) * max Qite(v symbolic in one at least) + max Qadd(v concrete in both) < alpha * Qt

    With zeta = 1 this is equation 1: no hot variable has two concrete values. Differences that cost no query never
    prevent a join. Variables are the live registers of every frame, and the memory cells that they reach at constant
    offsets.

    With ``alpha`` infinite, all states are similar.
    """

    unlike = HOT

    def __init__(self, counts: QueryCounts, addresses: Addresses, alpha: float, zeta: float) -> None:
        self._counts = counts
        self._addresses = addresses
        self._everything = alpha == float("inf")
        self._alpha = alpha
        self._dearer = zeta - 1.0
        self._stacks: Recent[tuple[int, ...], _StackCounts] = Recent(_STACKS)

    def differs(self, a: State, b: State) -> Refusal | None:
        """Refuses if the left side of the inequality is not below alpha * Qt."""
        if self._everything:
            return None
        stack = self._stack(a)
        least = stack.limit if not self._dearer else 0.0
        more = dearer = 0.0
        for count, mine, theirs in zip(stack.local, a.frames, b.frames, strict=True):
            if mine is theirs or (mine.block, mine.index) != (theirs.block, theirs.index):
                continue  # no value becomes a choice
            for register, queries in count.registers:
                if queries < least:
                    break
                left, right = mine.registers[register], theirs.registers[register]
                if same(left, right):
                    continue
                if is_symbolic(left) or is_symbolic(right):
                    dearer = max(dearer, queries)
                else:
                    more = max(more, queries)
        for (number, offset, size), queries in stack.cells(a, least).items():
            match difference(a.memory.objects.get(number), b.memory.objects.get(number), offset, size):
                case "symbolic":
                    dearer = max(dearer, queries)
                case "concrete":
                    more = max(more, queries)
        cost = self._dearer * dearer + more
        return None if not cost or cost < stack.limit else HOT

    def signature(self, state: State) -> int:
        """A hash of the hot variables: concrete values as they are, symbolic ones all alike."""
        if self._everything:
            return 0
        stack = self._stack(state)
        limit = stack.limit
        parts: list[Any] = []
        for count, frame in zip(stack.local, state.frames, strict=True):
            for register, queries in count.registers:
                if queries < limit:
                    break
                parts.append(filtered(frame.registers[register]))
        for number, offset, size in stack.cells(state, limit):
            item = state.memory.objects.get(number)
            if item is not None and 0 <= offset <= item.limit - size:
                concrete = item.is_concrete(offset, size)
                parts.append(bytes(item.data[offset : offset + size]) if concrete else SYMBOLIC)
        return hash(tuple(parts))

    def _stack(self, state: State) -> _StackCounts:
        """The counts of every frame: where it is, or at the return site."""
        at, after = self._counts.at, self._counts.after_call
        frames = state.frames
        local = [after(frame.function, frame.block, frame.index) for frame in frames[:-1]]
        top = frames[-1]
        local.append(at(top.function, top.block, top.index))
        key = tuple([id(count) for count in local])  # the counts keep them all
        stack = self._stacks.get(key)
        if stack is None:
            stack = _StackCounts(local, self._alpha * sum([count.total for count in local]), self._addresses)
            self._stacks[key] = stack
        return stack


class _StackCounts:
    """The counts of a stack, which many states share. ``limit`` is alpha * Qt."""

    def __init__(self, local: Sequence[LocalCount], limit: float, addresses: Addresses) -> None:
        self.local = local
        self.limit = limit
        self._fixed: dict[ByteRange, float] = {}
        """The cells of globals."""
        self._held: list[tuple[int, int, LoadedCell, float]] = []
        """The cells at an address that a register of a frame holds."""
        for depth, count in enumerate(local):
            for cell, queries in count.cells:
                if isinstance(cell.base, int):
                    self._held.append((depth, cell.base, cell, queries))
                    continue
                where = _range_of(addresses.address(cell.base), cell)
                self._fixed[where] = self._fixed.get(where, 0.0) + queries
        self._hot = {where: queries for where, queries in self._fixed.items() if queries >= limit}

    def cells(self, state: State, least: float) -> dict[ByteRange, float]:
        """The cells about which all frames together have at least so many queries, which is 0 or the limit."""
        reached: dict[ByteRange, float] = {}
        for depth, register, cell, queries in self._held:
            base = state.frames[depth].registers[register]
            if base.__class__ is int:
                where = _range_of(base, cell)
                reached[where] = reached.get(where, self._fixed.get(where, 0.0)) + queries
        cells = dict(self._hot if least else self._fixed)
        cells.update((where, queries) for where, queries in reached.items() if queries >= least)
        return cells


def _range_of(base: int, cell: LoadedCell) -> ByteRange:
    return object_of(base), offset_in(base) + cell.offset, cell.size


def difference(left: MemoryObject | None, right: MemoryObject | None, offset: int, size: int) -> str | None:
    """How a range of one object differs in two states: "concrete", "symbolic" or not at all (None)."""
    if left is right or left is None or right is None:
        return None
    if offset < 0 or offset + size > min(len(left.data), len(right.data)) or left.same_bytes(right, offset, size):
        return None
    return "concrete" if left.is_concrete(offset, size) and right.is_concrete(offset, size) else "symbolic"


def same(left: RegisterValue, right: RegisterValue) -> bool:
    """Whether two register values are known to be equal."""
    return left is right or bool(left == right)


def is_symbolic(value: RegisterValue) -> bool:
    """Whether a value, or an element of it, depends on inputs."""
    pending = [value]
    while pending:
        part = pending.pop()
        if isinstance(part, Term):
            return True
        if isinstance(part, tuple):
            pending.extend(part)
    return False


def _signature(live: LiveRegisters, state: State) -> int:
    """A hash of the live registers of the top frame."""
    depth = len(state.frames) - 1
    top = state.frames[depth]
    return hash(tuple([filtered(top.registers[register]) for register in live.of_frame(state, depth)]))


def filtered(value: RegisterValue) -> Any:
    """h(v) of Kuznetsov12: a concrete value as it is, all symbolic ones alike."""
    return SYMBOLIC if is_symbolic(value) else value
