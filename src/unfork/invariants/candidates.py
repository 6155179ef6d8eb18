"""Candidate invariants: what may hold whenever an iteration of a loop begins, said by anybody.

Each is one until an iteration breaks it: those that are left hold at the start, and an iteration keeps them all.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from unfork.clang.expression_reader import parsed
from unfork.clang.expressions import Expression
from unfork.invariants.cells import Cell
from unfork.invariants.havoc import resized
from unfork.invariants.modified_set import COUNT_BITS
from unfork.logic import build, concrete
from unfork.logic.term import Term, Value
from unfork.logic.value_dependence import dependence
from unfork.state.inputs import unwritten_symbols
from unfork.state.state import State

ORDERS: Mapping[str, Callable[[Value, Value, int], Value]] = {
    ">= (signed)": build.sge,
    "<= (signed)": build.sle,
    ">= (unsigned)": build.uge,
    "<= (unsigned)": build.ule,
}


@dataclass(frozen=True, slots=True)
class Invariant:
    """A condition in C that holds at the head of the loop at a line, the user says."""

    file: str
    line: int
    text: str
    expression: Expression


def read_invariant(text: str) -> Invariant:
    """Read ``FILE:LINE:EXPRESSION``. Raises ValueError in one line."""
    file, _, rest = text.partition(":")
    line, _, expression = rest.partition(":")
    if not file or not line.isdigit() or not expression.strip():
        raise ValueError("must be FILE:LINE:EXPRESSION, with the line of a loop")
    return Invariant(file, int(line), " ".join(expression.split()), parsed(expression))


@dataclass(frozen=True, slots=True)
class Stated:
    """What the user says of the loop."""

    invariant: Invariant
    reading: Callable[[Invariant, State], Value | None]

    def cells(self) -> Sequence[Cell]:
        """The numbers that change which it is about, as far as that is known."""
        return ()

    def at(self, state: State, turns: Value) -> Value | None:
        """What it says in a state at the head (1 bit); None where a name has no value."""
        return self.reading(self.invariant, state)


@dataclass(frozen=True, slots=True)
class Bound:
    """That a number which changes keeps to one side of a ``limit``, which does not change."""

    cell: Cell
    limit: Value
    order: str

    def cells(self) -> Sequence[Cell]:
        """The numbers that it is about."""
        return (self.cell,)

    def at(self, state: State, turns: Value) -> Value | None:
        """What it says in a state at the head (1 bit); None where the number was not written."""
        if self.cell.is_unwritten(state):
            return None
        return ORDERS[self.order](self.cell.read(state), self.limit, self.cell.width)


@dataclass(frozen=True, slots=True)
class Pair:
    """That of two numbers which change, of one width, one keeps to one side of the other."""

    first: Cell
    second: Cell
    order: str

    def cells(self) -> Sequence[Cell]:
        """The numbers that it is about."""
        return (self.first, self.second)

    def at(self, state: State, turns: Value) -> Value | None:
        """What it says in a state at the head (1 bit); None where a number was not written."""
        if self.first.is_unwritten(state) or self.second.is_unwritten(state):
            return None
        return ORDERS[self.order](self.first.read(state), self.second.read(state), self.first.width)


@dataclass(frozen=True, slots=True)
class Turns:
    """That there are at most so many turns: so a number that grows by a constant does not come to where it began."""

    most: int

    def cells(self) -> Sequence[Cell]:
        """The numbers that it is about."""
        return ()

    def at(self, state: State, turns: Value) -> Value | None:
        """What it says at the head (1 bit)."""
        return build.ule(turns, self.most, COUNT_BITS)


@dataclass(frozen=True, slots=True)
class Rate:
    """That a number grows by ``least`` to ``most`` each turn, and does not wrap, read with a sign or without one.

    So it is within ``start + least * turns .. start + most * turns``, in as many bits as that takes.
    """

    cell: Cell
    start: Value
    least: int
    most: int
    signed: bool
    bits: int
    """What the number of turns is taken to fit in."""

    def cells(self) -> Sequence[Cell]:
        """The numbers that it is about."""
        return (self.cell,)

    def at(self, state: State, turns: Value) -> Value | None:
        """What it says in a state at the head (1 bit); None where the number was not written."""
        if self.cell.is_unwritten(state):
            return None
        factor = max(abs(self.least), abs(self.most)).bit_length()
        width = max(self.cell.width, self.bits + factor) + 2
        widened = build.sext if self.signed else build.zext
        value, start = [widened(each, self.cell.width, width) for each in (self.cell.read(state), self.start)]
        grown = build.sub(value, start, width)
        count = build.zext(resized(turns, COUNT_BITS, self.bits), self.bits, width)
        least, most = [build.mul(count, rate & (1 << width) - 1, width) for rate in (self.least, self.most)]
        return build.both(build.sge(grown, least, width), build.sle(grown, most, width))


@dataclass(frozen=True, slots=True)
class Sum:
    """That a number has grown by the sum of what others have, each times a constant, and of a constant per turn.

    All of them have one width, and wrap in it.
    """

    cell: Cell
    addends: tuple[tuple[Cell, int], ...]
    each_turn: int
    starts: tuple[Value, ...]
    """Of the number, and of the addends."""

    def cells(self) -> Sequence[Cell]:
        """The numbers that it is about."""
        return (self.cell, *[cell for cell, _ in self.addends])

    def at(self, state: State, turns: Value) -> Value | None:
        """What it says in a state at the head (1 bit); None where a number was not written."""
        if any(cell.is_unwritten(state) for cell in self.cells()):
            return None
        width = self.cell.width
        mask = (1 << width) - 1
        total = build.mul(resized(turns, COUNT_BITS, width), self.each_turn & mask, width)
        for (cell, factor), start in zip(self.addends, self.starts[1:], strict=True):
            grown = build.sub(cell.read(state), start, width)
            total = build.add(total, build.mul(grown, factor & mask, width), width)
        return build.eq(build.sub(self.cell.read(state), self.starts[0], width), total, width)


@dataclass(frozen=True, slots=True)
class Written:
    """That a number is written, unless another one is still what it was before the loop."""

    cell: Cell
    other: Cell
    start: Value

    def cells(self) -> Sequence[Cell]:
        """The numbers that it is about."""
        return (self.cell, self.other)

    def at(self, state: State, turns: Value) -> Value | None:
        """What it says in a state at the head (1 bit); None where bytes in memory were not written."""
        if any(cell.is_unwritten(state) for cell in self.cells()):
            return None
        value = self.cell.read(state)
        unwritten = unwritten_symbols(value) if isinstance(value, Term) else frozenset[Term]()
        is_as_before = build.eq(self.other.read(state), self.start, self.other.width)
        return build.either(is_as_before, build.negate(dependence(value, unwritten)))


Candidate = Stated | Bound | Pair | Turns | Rate | Sum | Written


def strongest(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates without bounds by constants that other bounds by constants imply."""
    tightest: dict[tuple[Cell, str], list[Bound]] = {}
    counts: list[Turns] = []
    for each in candidates:
        if isinstance(each, Bound) and isinstance(each.limit, int):
            tightest.setdefault((each.cell, each.order), []).append(each)
        elif isinstance(each, Turns):
            counts.append(each)
    implied: set[Candidate] = {*sorted(counts, key=lambda each: each.most)[1:]}
    for bounds in tightest.values():
        bounds.sort(key=_strength)
        implied.update(weaker for weaker, _ in pairwise(bounds))
    return [each for each in candidates if each not in implied]


def _strength(bound: Bound) -> int:
    """The more, the more a bound by a constant says, of those of its order."""
    assert isinstance(bound.limit, int)
    limit = concrete.signed(bound.limit, bound.cell.width) if "(signed)" in bound.order else bound.limit
    return limit if bound.order.startswith(">=") else -limit


def about(candidates: Collection[Candidate], cells: Collection[Cell]) -> list[Candidate]:
    """The candidates about nothing but these cells."""
    return [each for each in candidates if all(cell in cells for cell in each.cells())]
