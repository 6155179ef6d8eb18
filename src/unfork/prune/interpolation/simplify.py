"""The same condition in fewer words: what conjuncts decide in others, and what others imply, goes."""

from __future__ import annotations

from collections.abc import Sequence

from unfork.logic.boolean import conjuncts
from unfork.logic.literals import Literals
from unfork.logic.term import Term


def simplified(conditions: Sequence[Term]) -> list[Term]:
    """Conditions that hold together where ``conditions`` do, and nowhere else.

    Literals are read into disjunctions (unit propagation), and a disjunction that has all parts of another one goes.
    """
    pending = [part for condition in conditions for part in conjuncts(condition)]
    known = Literals()
    literals: dict[Term, None] = {}
    while True:
        for condition in pending:
            if not _is_disjunction(condition):
                known.assume(condition)
                literals[condition] = None
        reduced = [known.reduced(condition) for condition in dict.fromkeys(pending) if _is_disjunction(condition)]
        if known.contradictory or 0 in reduced:
            return list(conditions)
        pending = [part for condition in reduced if isinstance(condition, Term) for part in conjuncts(condition)]
        if all(_is_disjunction(condition) for condition in pending):
            return [*literals, *_without_wider(list(dict.fromkeys(pending)))]


def _is_disjunction(condition: Term) -> bool:
    return condition.op == "not" and condition.args[0].op == "and"


def _without_wider(disjunctions: Sequence[Term]) -> list[Term]:
    """Those that do not have all parts of another one."""
    failing = {condition: frozenset(conjuncts(condition.args[0])) for condition in disjunctions}
    having: dict[Term, list[Term]] = {}
    kept: dict[Term, None] = {}
    for condition in sorted(disjunctions, key=lambda condition: len(failing[condition])):
        parts = failing[condition]
        if any(failing[other] <= parts for part in parts for other in having.get(part, ())):
            continue
        having.setdefault(min(parts, key=_digest), []).append(condition)
        kept[condition] = None
    return [condition for condition in disjunctions if condition in kept]


def _digest(term: Term) -> int:
    return term.digest
