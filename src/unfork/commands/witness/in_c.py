"""What --loops abstract has shown of a loop, as conditions in C over the variables that are visible at its head.

They are about the last way into the loop that was looked at, and so are guesses: the caller must check them. No
expression has undefined behaviour: sums have 64 bits over narrower variables, or are unsigned.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from unfork.logic.terms import concrete
from unfork.logic.terms.term import Term, Value
from unfork.program.c.expressions import Integral
from unfork.reduce.invariants.abstract_loops import Taken
from unfork.reduce.invariants.candidates import BoundCandidate, Rate, Sum
from unfork.reduce.invariants.cells import Cell, MemoryCell, RegisterCell

MOST_FACTOR = 1 << 20
MOST_CONSTANT = 1 << 40
MOST_ADDENDS = 8
"""A sum of as many addends, over variables of at most 32 bits, fits into 64 bits."""
_UNSIGNED = {32: ("unsigned int", "U"), 64: ("unsigned long long", "ULL")}

Variable = tuple[str, Value, Integral]
"""A variable: its name, value and type."""
Alternatives = tuple[str, ...]
"""Conditions, the strongest first: one that holds makes those after it needless."""


@dataclass(frozen=True, slots=True)
class _Named:
    name: str
    type: Integral


@dataclass(frozen=True, slots=True)
class _Line:
    """A sum of variables, each times a number, and of a constant."""

    factors: Mapping[_Named, int]
    constant: int = 0

    def plus(self, other: _Line, times: int = 1) -> _Line:
        factors = dict(self.factors)
        for name, factor in other.factors.items():
            factors[name] = factors.get(name, 0) + times * factor
        kept = {name: factor for name, factor in factors.items() if factor}
        return _Line(kept, self.constant + times * other.constant)


_NOTHING = _Line({})


class Relations:
    """Conditions that may hold at the head; ``visible`` are variables with their values as any turn begins."""

    def __init__(self, taken: Taken, visible: Sequence[Variable]) -> None:
        self._taken = taken
        self._named: dict[Value, _Named] = {}
        self._alike: list[tuple[_Named, _Named]] = []
        for name, value, kind in visible:
            if isinstance(value, Term) and kind.width > 1:
                mine = _Named(name, kind)
                other = self._named.setdefault(value, mine)
                if other is not mine:
                    self._alike.append((other, mine))
        self._counter = self._counted()

    def all(self) -> Iterator[Alternatives]:
        """Each condition with weaker ones."""
        for one, other in self._alike:
            yield from _equal(_Line({one: 1, other: -1}))
        yield from self._steady()
        for candidate in self._taken.kept:
            match candidate:
                case BoundCandidate(cell, limit, order):
                    yield from self._ordered(self._of(cell), self._of(limit), order)
                case Rate():
                    yield from self._rate(candidate)
                case Sum():
                    yield from self._sum(candidate)

    def _of(self, number: Cell | Value) -> _Named | None:
        if isinstance(number, RegisterCell | MemoryCell):
            number = number.read(self._taken.any.state)
        return self._named.get(number)

    def _line(self, start: Value, kind: Integral) -> _Line | None:
        """The value before the loop as a sum: a constant, or a variable that does not change."""
        if isinstance(start, int):
            return _Line({}, concrete.signed(start, kind.width) if kind.signed else start)
        name = self._named.get(start)
        return None if name is None else _Line({name: 1})

    def _grown(self, cell: Cell, start: Value) -> _Line | None:
        """By how much a variable has grown."""
        name = self._of(cell)
        line = None if name is None else self._line(start, name.type)
        return None if name is None or line is None else _Line({name: 1}).plus(line, -1)

    def _steps(self) -> Iterator[tuple[_Line, int]]:
        """The variables that grow by a constant each turn, and by how much."""
        for cell, step in self._taken.modified.cells.items():
            if not isinstance(step, int) or step == 0 or cell.is_pointer:
                continue
            grown = self._grown(cell, cell.read(self._taken.modified.entry))
            if grown is not None:
                yield grown, concrete.signed(step, cell.width)

    def _counted(self) -> tuple[_Line, int] | None:
        """A variable that counts the turns, and by how much each turn."""
        return min(self._steps(), key=lambda each: abs(each[1]), default=None)

    def _steady(self) -> Iterator[Alternatives]:
        """Variables that grow by constants keep pace with each other."""
        if self._counter is not None:
            count, each_turn = self._counter
            for grown, step in self._steps():
                if grown != count:
                    yield from _equal(_Line({}).plus(grown, each_turn).plus(count, -step))

    def _ordered(self, first: _Named | None, second: _Named | None, order: str) -> Iterator[Alternatives]:
        if first is None or second is None or first.name == second.name or first.type != second.type:
            return
        if first.type.signed == ("(signed)" in order):
            yield (f"{first.name} {order.partition(' ')[0]} {second.name}",)

    def _rate(self, rate: Rate) -> Iterator[Alternatives]:
        grown = self._grown(rate.cell, rate.start)
        if grown is None or self._counter is None:
            return
        count, each_turn = self._counter
        turns = _NOTHING.plus(count, 1 if each_turn > 0 else -1)
        for bound, sign in ((rate.least, 1), (rate.most, -1)):
            # |step| * grown >= least * turns, and likewise for the most.
            line = _NOTHING.plus(grown, sign * abs(each_turn)).plus(turns, -sign * bound)
            if (text := _text(line, ">=")) is not None:
                yield (text,)

    def _sum(self, candidate: Sum) -> Iterator[Alternatives]:
        line = self._grown(candidate.cell, candidate.starts[0])
        for (cell, factor), start in zip(candidate.addends, candidate.starts[1:], strict=True):
            grown = self._grown(cell, start)
            if line is None or grown is None:
                return
            line = line.plus(grown, -concrete.signed(factor & (1 << cell.width) - 1, cell.width))
        if line is not None and candidate.each_turn == 0:
            yield from _equal(line)
        elif line is not None and self._counter is not None and abs(self._counter[1]) == 1:
            count, step = self._counter
            yield from _equal(line.plus(count, -candidate.each_turn * step))


def _equal(line: _Line) -> Iterator[Alternatives]:
    """The sum is 0: as a number, or else modulo its width."""
    texts = tuple(text for text in (_text(line, "=="), _wrapping(line)) if text is not None)
    if texts:
        yield texts


def _text(line: _Line, order: str) -> str | None:
    """The comparison of a sum with 0 in 64 bits; None if it may not fit."""
    names = line.factors
    if not names or len(names) > MOST_ADDENDS or abs(line.constant) > MOST_CONSTANT:
        return None
    if any(each.type.width > 32 or abs(factor) > MOST_FACTOR for each, factor in names.items()):
        same = len({each.type for each in names}) == 1 and sorted(names.values()) == [-1, 1] and not line.constant
        if not same:
            return None
        by_factor = {factor: each.name for each, factor in names.items()}
        return f"{by_factor[1]} {order} {by_factor[-1]}"
    sides = [[_product(each, sign * factor) for each, factor in names.items() if sign * factor > 0] for sign in (1, -1)]
    if line.constant:
        sides[line.constant < 0].append(f"{abs(line.constant)}LL")
    return f" {order} ".join(" + ".join(side) or "0LL" for side in sides)


def _product(named: _Named, factor: int) -> str:
    wide = f"(long long) {named.name}"
    return wide if factor == 1 else f"{factor}LL * {wide}"


def _wrapping(line: _Line) -> str | None:
    """The sum is 0 modulo 2 to the width of its variables; None if they have different widths."""
    widths = {each.type.width for each in line.factors}
    if len(widths) != 1 or len(line.factors) > MOST_ADDENDS or not widths <= _UNSIGNED.keys():
        return None
    [width] = widths
    kind, suffix = _UNSIGNED[width]
    mask = (1 << width) - 1
    sides: list[list[str]] = [[], []]
    for each, factor in line.factors.items():
        word = f"({kind}) {each.name}"
        sides[factor < 0].append(word if abs(factor) == 1 else f"{abs(factor) & mask}{suffix} * {word}")
    if line.constant & mask:
        sides[line.constant < 0].append(f"{abs(line.constant) & mask}{suffix}")
    return " == ".join(" + ".join(side) or f"0{suffix}" for side in sides)
