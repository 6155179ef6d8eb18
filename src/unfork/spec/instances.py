"""Whether a formula is false of inputs that are known, and the instance of it by which it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from unfork.logic import build
from unfork.logic.path import PathCondition
from unfork.logic.solver import Sat, Unsat
from unfork.logic.term import Value, symbol
from unfork.meaning.c_values import NoMeaning
from unfork.meaning.formula import All, Formula, Ground, Quantified, Some, negated
from unfork.spec.refute import Refuter

SECONDS = 2.0
"""For a query about inputs that are known."""
Known: TypeAlias = Callable[[Value], Value]
"""What a value is for inputs that are known."""


class Instances:
    """Evaluates formulas. ``fresh`` numbers what quantifiers range over."""

    def __init__(self, refuter: Refuter, fresh: Callable[[], int]) -> None:
        self._refuter = refuter
        self._fresh = fresh

    def holds(self, condition: Formula) -> bool:
        """Whether a formula about inputs that are known is true for certain."""
        return self.fails(negated(condition))

    def fails(self, condition: Formula) -> bool:
        """Whether it is false for certain. What has no meaning is neither true nor false."""
        try:
            return self.broken(condition, lambda value: value) is not None or self._is_unsat(condition)
        except NoMeaning:
            return False

    def broken(self, condition: Formula, known: Known) -> Value | None:
        """A condition (1 bit) that follows from a formula, and is false for inputs. None: none was found.

        Raises NoMeaning.
        """
        match condition:
            case Ground(value):
                return value if self._is_false(known(value)) else None
            case All(formulas):
                return next((each for part in formulas if (each := self.broken(part, known)) is not None), None)
            case Some(formulas):
                parts: list[Value] = []
                for part in formulas:
                    each = self.broken(part, known)
                    if each is None:
                        return None
                    parts.append(each)
                return build.disjunction(parts)
            case Quantified(exists=False, widths=widths, body=body):
                variables = tuple([symbol(f"instance#{self._fresh()}", width) for width in widths])
                wrong = replaced(negated(body(variables)), known)
                answer = self._refuter.check(PathCondition.EMPTY, (), wrong, SECONDS)
                if not isinstance(answer, Sat):
                    return None
                values = answer.model.values
                return self.broken(body(tuple([values.get(variable, 0) for variable in variables])), known)
            case _:
                return None

    def _is_false(self, value: Value) -> bool:
        """Whether a condition is false, whatever is not known of it."""
        return not value if isinstance(value, int) else self._is_unsat(Ground(value))

    def _is_unsat(self, condition: Formula) -> bool:
        return isinstance(self._refuter.check(PathCondition.EMPTY, (), condition, SECONDS), Unsat)


def replaced(condition: Formula, known: Known) -> Formula:
    """What a formula is for inputs that are known."""
    match condition:
        case Ground(value):
            return Ground(known(value))
        case All(formulas):
            return All(tuple([replaced(each, known) for each in formulas]))
        case Some(formulas):
            return Some(tuple([replaced(each, known) for each in formulas]))
        case Quantified(exists, widths, body):
            return Quantified(exists, widths, lambda values: replaced(body(values), known))


def witnessed(condition: Formula, fresh: Callable[[int], Value]) -> Formula:
    """A formula with a ``fresh`` value (of some bits) for what is said to exist, but within ``\\forall``."""
    match condition:
        case All(formulas):
            return All(tuple([witnessed(each, fresh) for each in formulas]))
        case Some(formulas):
            return Some(tuple([witnessed(each, fresh) for each in formulas]))
        case Quantified(exists=True, widths=widths, body=body):
            return witnessed(body(tuple([fresh(width) for width in widths])), fresh)
        case _:
            return condition
