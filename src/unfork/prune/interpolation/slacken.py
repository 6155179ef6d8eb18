"""Slackening (Chu17, section V-A): what must be a certain number may be any of an interval around it instead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from unfork.logic.boolean import decides, interval
from unfork.logic.comparisons import member
from unfork.logic.evaluate import substitute
from unfork.logic.term import Term, Value

ALIKE = 16
"""Conditions on one term that are kept apart; more become one interval around what the term is worth."""


def slackened(conditions: Sequence[Term], values: Mapping[Term, Value]) -> list[Term]:
    """Conditions that imply ``conditions`` and hold for ``values``: of those on one term, what the others imply goes.

    Where more than ALIKE are left on a term that is a known number, one interval (modulo 2**width) takes their place.
    """
    groups: dict[Term, dict[Term, tuple[int, int]]] = {}
    for condition in conditions:
        found = interval(condition)
        if found is not None:
            term, first, last = found
            groups.setdefault(term, {})[condition] = (first, last)
    instead: dict[Term, Term] = {}
    for term, group in groups.items():
        if len(group) < 2:
            continue
        kept = _without_implied(term, group)
        if len(kept) > ALIKE:
            kept = _around(term, kept, values) or kept
        for condition in group:
            if condition not in kept:
                instead[condition] = next(iter(kept))
        for condition in kept:
            if condition not in group:
                instead.update(dict.fromkeys(group, condition))
    return list(dict.fromkeys(instead.get(condition, condition) for condition in conditions))


def _without_implied(term: Term, group: Mapping[Term, tuple[int, int]]) -> dict[Term, tuple[int, int]]:
    mask = (1 << term.width) - 1
    kept: dict[Term, tuple[int, int]] = {}
    for condition, arc in sorted(group.items(), key=lambda item: (item[1][1] - item[1][0]) & mask):
        if not any(decides((term, *one), (term, *arc)) == 1 for one in kept.values()):
            kept[condition] = arc
    return kept


def _around(
    term: Term, group: Mapping[Term, tuple[int, int]], values: Mapping[Term, Value]
) -> dict[Term, tuple[int, int]] | None:
    here = substitute(term, {one: values[one] for one in term.symbols})
    if isinstance(here, Term):
        return None
    mask = (1 << term.width) - 1
    down = min((here - first) & mask for first, _ in group.values())
    up = min((last - here) & mask for _, last in group.values())
    first, last = (here - down) & mask, (here + up) & mask
    condition = member(term, first, last)
    return {condition: (first, last)} if isinstance(condition, Term) else None
