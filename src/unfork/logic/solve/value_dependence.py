"""The condition under which the value of a term depends on some of its symbols."""

from __future__ import annotations

from collections.abc import Iterable

from unfork.logic.solve.path import Slice
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import substitute
from unfork.logic.terms.term import Term, Value, postorder
from unfork.logic.terms.term_table import symbol


def dependence(value: Value, symbols: frozenset[Term]) -> Value:
    """Where (1 bit) the value is computed from any of ``symbols``, given the values of all others.

    A choice or conjunction depends only on its chosen or decisive operand; other operators on all operands.
    """
    if not isinstance(value, Term) or value.symbols.isdisjoint(symbols):
        return 0
    depends: dict[Term, Value] = {}
    for term in postorder((value,)):
        if term.symbols.isdisjoint(symbols):
            depends[term] = 0
        elif term.op == "symbol":
            depends[term] = 1
        elif term.op == "ite":
            condition, a, b = term.args
            chosen = build.ite(condition, depends[a], depends[b], 1)
            depends[term] = build.either(depends[condition], chosen)
        elif term.op == "and" and term.width == 1:
            a, b = term.args
            by_first = build.both(depends[a], build.either(depends[b], b))
            by_second = build.both(depends[b], build.either(depends[a], a))
            depends[term] = build.either(by_first, by_second)
        else:
            depends[term] = build.disjunction([depends[argument] for argument in term.args])
    return depends[value]


def difference(value: Term, symbols: frozenset[Term], known: Iterable[Slice]) -> Value:
    """Whether (1 bit) the value differs between two values of ``symbols`` that both satisfy ``known``.

    The first are the symbols themselves, the second are fresh symbols.
    """
    twins: dict[Term, Value] = {free: symbol(f"{free.name} or else", free.width) for free in symbols}
    held = [substitute(condition, twins) for part in known for condition in part.constraints]
    return build.both(build.ne(value, substitute(value, twins), value.width), build.conjunction(held))
