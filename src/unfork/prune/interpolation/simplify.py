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
        found = [one for one in pending if not _is_disjunction(one)]
        for literal in found:
            known.assume(literal)
            literals[literal] = None
        reduced = [known.reduced(one) for one in dict.fromkeys(pending) if _is_disjunction(one)]
        if known.contradictory or 0 in reduced:
            return list(conditions)
        pending = [part for one in reduced if isinstance(one, Term) for part in conjuncts(one)]
        if all(_is_disjunction(one) for one in pending):
            return [*literals, *_without_wider(list(dict.fromkeys(pending)))]


def _is_disjunction(condition: Term) -> bool:
    return condition.op == "not" and condition.args[0].op == "and"


def _without_wider(disjunctions: Sequence[Term]) -> list[Term]:
    """Those that do not have all parts of another one."""
    failing = {one: frozenset(conjuncts(one.args[0])) for one in disjunctions}
    having: dict[Term, list[Term]] = {}
    kept: dict[Term, None] = {}
    for one in sorted(disjunctions, key=lambda one: len(failing[one])):
        parts = failing[one]
        if any(failing[other] <= parts for part in parts for other in having.get(part, ())):
            continue
        having.setdefault(min(parts, key=_digest), []).append(one)
        kept[one] = None
    return [one for one in disjunctions if one in kept]


def _digest(term: Term) -> int:
    return term.digest
