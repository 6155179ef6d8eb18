"""Candidate invariants: what may hold whenever an iteration of a loop begins, from any source.

A candidate stays until an iteration breaks it: the remaining ones hold at the start, and an iteration keeps them
all.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise

from unfork.engine.state.inputs import unwritten_symbols
from unfork.engine.state.state import State
from unfork.engine.state.unbounded import ORDERS
from unfork.logic.solve.value_dependence import dependence
from unfork.logic.terms import build, concrete
from unfork.logic.terms.term import Term, Value
from unfork.program.c.expression_reader import parse_expression
from unfork.program.c.expressions import Expression
from unfork.reduce.invariants.array_invariants import ElementBound, OfArray, Within, condition
from unfork.reduce.invariants.cells import Cell, MemoryCell, RegisterCell
from unfork.reduce.invariants.havoc import resize
from unfork.reduce.invariants.modified_set import COUNT_BITS


@dataclass(frozen=True, slots=True)
class StatedInvariant:
    """A condition in C that the user states for the head of the loop at a line."""

    file: str
    line: int
    text: str
    expression: Expression


def read_invariant(text: str) -> StatedInvariant:
    """Read ``FILE:LINE:EXPRESSION``. Raises ValueError in one line."""
    file, _, rest = text.partition(":")
    line, _, expression = rest.partition(":")
    if not file or not line.isdigit() or not expression.strip():
        raise ValueError("must be FILE:LINE:EXPRESSION, with the line of a loop")
    return StatedInvariant(file, int(line), " ".join(expression.split()), parse_expression(expression))


@dataclass(frozen=True, slots=True)
class Stated:
    """A stated invariant of the loop; ``reading`` gives it in a state (1 bit), None where a name has no value."""

    invariant: StatedInvariant
    reading: Callable[[StatedInvariant, State], Value | None]


@dataclass(frozen=True, slots=True)
class BoundCandidate:
    """A changing number keeps to one side of a ``limit``: another number of its width, or an unchanged value."""

    cell: Cell
    limit: Cell | Value
    order: str


@dataclass(frozen=True, slots=True)
class TurnsCandidate:
    """There are at most this many turns, so that a number that grows by a constant does not come round."""

    most: int


@dataclass(frozen=True, slots=True)
class Rate:
    """A number grows by ``least`` to ``most`` each turn without wrapping, read as signed or unsigned.

    So it is within ``start + least * turns .. start + most * turns``, in as many bits as that takes.
    """

    cell: Cell
    start: Value
    least: int
    most: int
    signed: bool
    bits: int
    """The bits in which the number of turns is assumed to fit."""


@dataclass(frozen=True, slots=True)
class Sum:
    """A number has grown by the sum of the growth of others, each times a constant, and of a constant per turn.

    All have one width, and wrap in it.
    """

    cell: Cell
    addends: tuple[tuple[Cell, int], ...]
    each_turn: int
    starts: tuple[Value, ...]
    """The values at the start: of the number, and of the addends."""


@dataclass(frozen=True, slots=True)
class WriteCandidate:
    """A number is written, unless another is still unchanged since before the loop."""

    cell: Cell
    other: Cell
    start: Value


Candidate = Stated | BoundCandidate | TurnsCandidate | Rate | Sum | WriteCandidate | OfArray


def cells_of(candidate: Candidate) -> tuple[Cell, ...]:
    """The changing numbers that a candidate is known to be about."""
    match candidate:
        case BoundCandidate(cell, limit):
            return (cell, limit) if isinstance(limit, RegisterCell | MemoryCell) else (cell,)
        case Rate(cell):
            return (cell,)
        case Sum(cell, addends):
            return (cell, *[other for other, _ in addends])
        case WriteCandidate(cell, other):
            return (cell, other)
        case ElementBound(index=index, limit=limit):
            return (index, limit) if isinstance(limit, RegisterCell | MemoryCell) else (index,)
        case Within(index=index):
            return (index,)
        case Stated() | TurnsCandidate():
            return ()


def condition_of(candidate: Candidate, state: State, before: Value) -> Value | None:
    """The claim of a candidate (1 bit) in a state at the head, ``before`` which there were so many iterations.

    None if one of its numbers is unwritten.
    """
    if any(cell.is_unwritten(state) for cell in cells_of(candidate)):
        return None
    match candidate:
        case Stated(invariant, reading):
            return reading(invariant, state)
        case BoundCandidate(cell, limit, order):
            other = limit.read(state) if isinstance(limit, RegisterCell | MemoryCell) else limit
            return ORDERS[order](cell.read(state), other, cell.width)
        case TurnsCandidate(most):
            return build.ule(before, most, COUNT_BITS)
        case Rate():
            return _rate(candidate, candidate.cell.read(state), before)
        case Sum():
            return _sum(candidate, state, before)
        case ElementBound() | Within():
            return condition(candidate, state)
        case WriteCandidate(cell, changed, start):
            value = cell.read(state)
            unwritten = unwritten_symbols(value) if isinstance(value, Term) else frozenset[Term]()
            is_as_before = build.eq(changed.read(state), start, changed.width)
            return build.either(is_as_before, build.negate(dependence(value, unwritten)))


def _rate(rate: Rate, value: Value, before: Value) -> Value:
    factor = max(abs(rate.least), abs(rate.most)).bit_length()
    width = max(rate.cell.width, rate.bits + factor) + 2
    widened = build.sext if rate.signed else build.zext
    now, start = [widened(each, rate.cell.width, width) for each in (value, rate.start)]
    grown = build.sub(now, start, width)
    count = build.zext(resize(before, COUNT_BITS, rate.bits), rate.bits, width)
    least, most = [build.mul(count, each & (1 << width) - 1, width) for each in (rate.least, rate.most)]
    return build.both(build.sge(grown, least, width), build.sle(grown, most, width))


def _sum(total: Sum, state: State, before: Value) -> Value:
    width = total.cell.width
    mask = (1 << width) - 1
    expected = build.mul(resize(before, COUNT_BITS, width), total.each_turn & mask, width)
    for (cell, factor), start in zip(total.addends, total.starts[1:], strict=True):
        grown = build.sub(cell.read(state), start, width)
        expected = build.add(expected, build.mul(grown, factor & mask, width), width)
    return build.eq(build.sub(total.cell.read(state), total.starts[0], width), expected, width)


def strongest(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates without bounds by constants, or equalities of elements, that others imply."""
    tightest: dict[tuple[object, str], list[BoundCandidate | ElementBound]] = {}
    counts: list[TurnsCandidate] = []
    equal = {(each.array, each.index) for each in candidates if isinstance(each, ElementBound) and each.order == "=="}
    implied: set[Candidate] = set()
    for each in candidates:
        if isinstance(each, BoundCandidate) and isinstance(each.limit, int):
            tightest.setdefault((each.cell, each.order), []).append(each)
        elif isinstance(each, TurnsCandidate):
            counts.append(each)
        elif isinstance(each, ElementBound) and each.order != "==":
            if (each.array, each.index) in equal:
                implied.add(each)
            elif isinstance(each.limit, int):
                tightest.setdefault(((each.array, each.index), each.order), []).append(each)
    implied.update(sorted(counts, key=lambda each: each.most)[1:])
    for bounds in tightest.values():
        bounds.sort(key=_strength)
        implied.update(weaker for weaker, _ in pairwise(bounds))
    return [each for each in candidates if each not in implied]


def _strength(bound: BoundCandidate | ElementBound) -> int:
    """Orders the bounds by constants of one kind: stronger ones are larger."""
    assert isinstance(bound.limit, int)
    width = bound.cell.width if isinstance(bound, BoundCandidate) else bound.width
    limit = concrete.signed(bound.limit, width) if "(signed)" in bound.order else bound.limit
    return limit if bound.order.startswith(">=") else -limit


def about(candidates: Collection[Candidate], cells: Collection[Cell]) -> list[Candidate]:
    """The candidates about these cells only."""
    return [each for each in candidates if all(cell in cells for cell in cells_of(each))]
