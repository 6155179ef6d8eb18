"""Obligations of an audit, built from the parts that joined or dropped states, without a simplifier in between."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from unfork.logic.terms.term import Term, Value, postorder
from unfork.logic.terms.term_table import constant, make


@dataclass(frozen=True, slots=True)
class AuditObligation:
    """``conclusion`` (1 bit) must hold wherever all ``hypotheses`` do. ``what`` names the value for a reader.

    The hypotheses have a model, which their maker ensures: a contradiction proves anything.
    """

    what: str
    hypotheses: tuple[Term, ...]
    conclusion: Value


@runtime_checkable
class Claim(Protocol):
    """A claim of exploration: a join, or a cover (Covered.cover).

    Law: if all obligations hold, exploration lost nothing by it (and, if it claims to be exact, added nothing).
    """

    def obligations(self) -> Iterable[AuditObligation]:
        """The obligations, in an order that is the same in every run."""


def term_of(value: Value, width: int) -> Term:
    """A value of ``width`` bits as a term."""
    return constant(value & (1 << width) - 1, width) if isinstance(value, int) else value


def equal(a: Value, b: Value, width: int) -> Value:
    """Whether two values of ``width`` bits are equal: 1 or 0 where obvious, else the unsimplified comparison."""
    if a is b:
        return 1
    if isinstance(a, int) and isinstance(b, int):
        return int(a == b)
    return make("eq", 1, (term_of(a, width), term_of(b, width)))


def negation(condition: Value) -> Value:
    """Not, unsimplified."""
    return condition ^ 1 if isinstance(condition, int) else make("not", 1, (condition,))


def either(a: Value, b: Value) -> Value:
    """Or, unsimplified."""
    if isinstance(a, int):
        return 1 if a else b
    if isinstance(b, int):
        return 1 if b else a
    return make("or", 1, (a, b))


def replaced(value: Value, known: Mapping[Term, Term]) -> Value:
    """The value with symbols replaced, unsimplified."""
    if isinstance(value, int):
        return value
    copies: dict[Term, Term] = {}
    for term in postorder((value,)):
        if term.op == "symbol":
            copies[term] = known.get(term, term)
        elif not term.args:
            copies[term] = term
        else:
            copies[term] = make(term.op, term.width, tuple([copies[operand] for operand in term.args]), term.parameter)
    copy = copies[value]
    return copy.value if copy.op == "const" else copy


def all_of(conditions: Iterable[Value]) -> Value:
    """And of any number, unsimplified."""
    conclusion: Value = 1
    for condition in conditions:
        if isinstance(condition, int):
            if not condition:
                return 0
        elif isinstance(conclusion, int):
            conclusion = condition
        else:
            conclusion = make("and", 1, (conclusion, condition))
    return conclusion
