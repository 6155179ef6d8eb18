"""Formulas over values: conditions, connectives and quantifiers, in negation normal form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from unfork.logic.terms import build
from unfork.logic.terms.term import Value

Values = tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Ground:
    """A condition (1 bit)."""

    value: Value


@dataclass(frozen=True, slots=True)
class All:
    """Each of the formulas holds."""

    formulas: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Some:
    """One of the formulas holds."""

    formulas: tuple[Formula, ...]


@dataclass(frozen=True, slots=True, eq=False)
class QuantifiedFormula:
    """``body`` for all values of variables that are ``widths`` bits wide, or, with ``exists``, for some."""

    exists: bool
    widths: tuple[int, ...]
    body: Callable[[Values], Formula]


Formula: TypeAlias = "Ground | All | Some | QuantifiedFormula"
TRUE, FALSE = Ground(1), Ground(0)


@dataclass(frozen=True, slots=True, eq=False)
class Universal:
    """``body`` holds for all values of variables that are ``widths`` bits wide, where ``guard`` (1 bit) does."""

    widths: tuple[int, ...]
    body: Callable[[Values], Formula]
    guard: Value = 1

    def under(self, guard: Value) -> Universal:
        """The claim, where ``guard`` holds too."""
        return Universal(self.widths, self.body, build.both(self.guard, guard))

    def at(self, values: Values) -> Formula:
        """The claim for these values."""
        return either((Ground(build.negate(self.guard)), self.body(values)))


def both(formulas: Sequence[Formula]) -> Formula:
    """The conjunction, with as few nodes as possible."""
    ground: Value = 1
    others: list[Formula] = []
    for formula in formulas:
        if isinstance(formula, Ground):
            ground = build.both(ground, formula.value)
        else:
            others.append(formula)
    if not others or ground == 0:
        return Ground(ground)
    if ground != 1:
        others.insert(0, Ground(ground))
    return others[0] if len(others) == 1 else All(tuple(others))


def either(formulas: Sequence[Formula]) -> Formula:
    """The disjunction."""
    return negated(both([negated(formula) for formula in formulas]))


def negated(formula: Formula) -> Formula:
    """The negation."""
    match formula:
        case Ground(value):
            return Ground(build.negate(value))
        case All(formulas):
            return Some(tuple([negated(each) for each in formulas]))
        case Some(formulas):
            return All(tuple([negated(each) for each in formulas]))
        case QuantifiedFormula(exists, widths, body):
            return QuantifiedFormula(not exists, widths, lambda values: negated(body(values)))


def equivalent(a: Formula, b: Formula) -> Formula:
    """Both hold, or neither."""
    if isinstance(a, Ground) and isinstance(b, Ground):
        return Ground(build.eq(a.value, b.value, 1))
    return both([implied(a, b), implied(b, a)])


def implied(condition: Formula, consequence: Formula) -> Formula:
    """Where ``condition`` holds, ``consequence`` does."""
    return either([negated(condition), consequence])
