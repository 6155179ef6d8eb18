"""Which states are worth joining: all, those with equal live values, or those whose differences cost few queries."""

from __future__ import annotations

from decimal import Decimal
from functools import reduce
from typing import Any

from unfork.engine.meaning.scopes import Addresses
from unfork.engine.protocols.join import Refusal
from unfork.engine.state.live_registers import LiveRegisters
from unfork.engine.state.memory import MemoryObject, object_of, offset_in
from unfork.engine.state.state import RegisterValue, State
from unfork.logic.terms.term import Term
from unfork.program.facts.query_count import NUMBERS, ONE, ZERO, LocalCount, QueryCounts

HOT, LIVE = Refusal("hot variable"), Refusal("live variable")
SYMBOLIC = "symbolic"
"""Stands for every symbolic value in a signature (Kuznetsov12, section 4.3)."""


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
        self._alpha = ZERO if self._everything else Decimal(repr(alpha))
        self._dearer = NUMBERS.subtract(Decimal(repr(zeta)), ONE)

    def differs(self, a: State, b: State) -> Refusal | None:
        """Refuses if the left side of the inequality is not below alpha * Qt."""
        if self._everything:
            return None
        local = self._local(a)
        more = dearer = ZERO
        for count, mine, theirs in zip(local, a.frames, b.frames, strict=True):
            if mine is theirs or (mine.block, mine.index) != (theirs.block, theirs.index):
                continue  # no value becomes a choice
            for register, queries in count.registers:
                left, right = mine.registers[register], theirs.registers[register]
                if same(left, right):
                    continue
                if is_symbolic(left) or is_symbolic(right):
                    dearer = max(dearer, queries)
                else:
                    more = max(more, queries)
        for (number, offset, size), queries in self._cells(a, local).items():
            match difference(a.memory.objects.get(number), b.memory.objects.get(number), offset, size):
                case "symbolic":
                    dearer = max(dearer, queries)
                case "concrete":
                    more = max(more, queries)
        cost = NUMBERS.add(NUMBERS.multiply(self._dearer, dearer), more)
        return None if not cost or cost < self._limit(local) else HOT

    def signature(self, state: State) -> int:
        """A hash of the hot variables: concrete values as they are, symbolic ones all alike."""
        if self._everything:
            return 0
        local = self._local(state)
        limit = self._limit(local)
        parts: list[Any] = []
        for count, frame in zip(local, state.frames, strict=True):
            for register, queries in count.registers:
                if queries < limit:
                    break
                parts.append(filtered(frame.registers[register]))
        for (number, offset, size), queries in self._cells(state, local).items():
            item = state.memory.objects.get(number)
            if queries >= limit and item is not None and 0 <= offset <= item.limit - size:
                concrete = item.is_concrete(offset, size)
                parts.append(bytes(item.data[offset : offset + size]) if concrete else SYMBOLIC)
        return hash(tuple(parts))

    def _local(self, state: State) -> list[LocalCount]:
        """The local counts of every frame: where it is, or at the return site."""
        at, after = self._counts.at, self._counts.after_call
        frames = state.frames
        counts = [after(frame.function, frame.block, frame.index) for frame in frames[:-1]]
        top = frames[-1]
        counts.append(at(top.function, top.block, top.index))
        return counts

    def _limit(self, local: list[LocalCount]) -> Decimal:
        """alpha * Qt."""
        return NUMBERS.multiply(self._alpha, reduce(NUMBERS.add, [count.total for count in local], ZERO))

    def _cells(self, state: State, local: list[LocalCount]) -> dict[tuple[int, int, int], Decimal]:
        """The cells that count as (object, offset, size), each with its queries in all frames."""
        cells: dict[tuple[int, int, int], Decimal] = {}
        for count, frame in zip(local, state.frames, strict=True):
            for cell, queries in count.cells:
                base = self._addresses.address(cell.base) if isinstance(cell.base, str) else frame.registers[cell.base]
                if base.__class__ is not int:
                    continue
                location = (object_of(base), offset_in(base) + cell.offset, cell.size)
                cells[location] = NUMBERS.add(cells.get(location, ZERO), queries)
        return cells


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
