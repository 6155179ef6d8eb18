"""Formulas over values: conditions, connectives and quantifiers, in negation normal form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from unfork.logic import build
from unfork.logic.term import Value

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
class Quantified:
    """``body`` for all values of variables that are ``widths`` bits wide, or, with ``exists``, for some."""

    exists: bool
    widths: tuple[int, ...]
    body: Callable[[Values], Formula]


Formula: TypeAlias = "Ground | All | Some | Quantified"
MOST_VARIABLES = 4
"""A claim that is made of several quantifiers has at most so many."""
TRUE, FALSE = Ground(1), Ground(0)


@dataclass(frozen=True, slots=True, eq=False)
class Universal:
    """``body`` holds for all values of variables that are ``widths`` bits wide, where ``guard`` (1 bit) does."""

    widths: tuple[int, ...]
    body: Callable[[Values], Formula]
    guard: Value = 1

    def under(self, guard: Value) -> Universal:
        """The same claim, where ``guard`` holds too."""
        return Universal(self.widths, self.body, build.both(self.guard, guard))

    def at(self, values: Values) -> Formula:
        """What the claim says of some values."""
        return either((Ground(build.negate(self.guard)), self.body(values)))


def flattened(claim: Universal, symbol_of: Callable[[int], Value]) -> Universal:
    """The claim with the universal quantifiers inside of it as variables of its own.

    ``symbol_of`` makes values of so many bits to look with.
    """
    while True:
        count, body = len(claim.widths), claim.body
        widths = _inner_widths(body(tuple([symbol_of(width) for width in claim.widths])))
        if widths is None or count + len(widths) > MOST_VARIABLES:
            return claim
        claim = Universal((*claim.widths, *widths), partial(_instance, body, count, widths), claim.guard)


def _inner_widths(formula: Formula) -> tuple[int, ...] | None:
    """The widths of the variables of the first universal quantifier that is in no other one."""
    waiting = [formula]
    while waiting:
        match waiting.pop():
            case All(formulas) | Some(formulas):
                waiting += reversed(formulas)
            case Quantified(exists=False, widths=widths):
                return widths
    return None


def _instance(body: Callable[[Values], Formula], count: int, widths: tuple[int, ...], values: Values) -> Formula:
    """What a body says of its own values, with the rest for all quantifiers inside that have such variables."""

    def replaced(formula: Formula) -> Formula:
        match formula:
            case All(formulas):
                return both([replaced(each) for each in formulas])
            case Some(formulas):
                return either([replaced(each) for each in formulas])
            case Quantified(exists=False, widths=own, body=inner) if own == widths:
                return inner(values[count:])
        return formula

    return replaced(body(values[:count]))


def both(formulas: Sequence[Formula]) -> Formula:
    """All of them, as few nodes as possible."""
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
    """One of them."""
    return negated(both([negated(formula) for formula in formulas]))


def negated(formula: Formula) -> Formula:
    """Where the formula does not hold."""
    match formula:
        case Ground(value):
            return Ground(build.negate(value))
        case All(formulas):
            return Some(tuple([negated(each) for each in formulas]))
        case Some(formulas):
            return All(tuple([negated(each) for each in formulas]))
        case Quantified(exists, widths, body):
            return Quantified(not exists, widths, lambda values: negated(body(values)))


def implied(condition: Formula, consequence: Formula) -> Formula:
    """Where ``condition`` holds, ``consequence`` does."""
    return either([negated(condition), consequence])
