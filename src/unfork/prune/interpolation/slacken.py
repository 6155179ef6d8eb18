"""Slackening (Chu17, section V-A): what must be a certain number may be any of an interval around it instead."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from unfork.logic.boolean import interval
from unfork.logic.comparisons import member
from unfork.logic.evaluate import substitute
from unfork.logic.term import Term, Value

FEW = 2
"""Conditions on one term that are not put together, since they are likely to be met with elsewhere as they are."""
ALIKE = 16
"""Conditions on one term that are kept apart; more become one interval around what the term is worth."""


Arc = tuple[int, int]
"""The first and the last of some numbers that follow each other modulo 2**width."""


def slackened(conditions: Sequence[Term], values: Mapping[Term, Value]) -> list[Term]:
    """Conditions that imply ``conditions`` and hold for ``values``: those on one term are one, as far as one says it.

    Where more than ALIKE are left on a term that is a known number, one interval (modulo 2**width) takes their place.
    """
    groups: dict[Term, dict[Term, Arc]] = {}
    for condition in conditions:
        bounds = interval(condition)
        if bounds is not None:
            term, first, last = bounds
            groups.setdefault(term, {})[condition] = (first, last)
    instead: dict[Term, list[Term]] = {}
    for term, group in groups.items():
        if len(group) < 2:
            continue
        arcs = _without_implied(list(group.values()), (1 << term.width) - 1)
        if len(arcs) > FEW:
            arcs = _met(arcs, (1 << term.width) - 1)
        if len(arcs) > ALIKE:
            arcs = _around(term, arcs, values) or arcs
        said = {arc: condition for condition, arc in group.items()}
        kept = [said.get(arc) or member(term, *arc) for arc in arcs]
        if len(kept) < len(group) and 0 not in kept:
            instead.update({condition: [bound for bound in kept if isinstance(bound, Term)] for condition in group})
    return list(dict.fromkeys(one for condition in conditions for one in instead.get(condition, [condition])))


def _without_implied(arcs: Iterable[Arc], mask: int) -> list[Arc]:
    """Arcs with the same intersection, none of which lies within another."""
    kept: list[Arc] = []
    for arc in sorted(arcs, key=lambda arc: (arc[1] - arc[0]) & mask):
        if not any(_intersection(arc, one, mask) == one for one in kept):
            kept.append(arc)
    return kept


def _met(arcs: Iterable[Arc], mask: int) -> list[Arc]:
    """Arcs with the same intersection, no two of which have an arc for theirs."""
    kept: list[Arc] = []
    for arc in arcs:
        one = arc
        while True:
            for other in kept:
                both = _intersection(one, other, mask)
                if both is not None:
                    kept.remove(other)
                    one = both
                    break
            else:
                break
        kept.append(one)
    return kept


def _intersection(one: Arc, other: Arc, mask: int) -> Arc | None:
    """The numbers that are in both, if they follow each other."""
    first, last = one
    size, start, stop = (last - first) & mask, (other[0] - first) & mask, (other[1] - first) & mask
    if start > stop and start > size:
        return first, (first + min(size, stop)) & mask
    if start <= stop and start <= size:
        return (first + start) & mask, (first + min(size, stop)) & mask
    return None


def _around(term: Term, arcs: Sequence[Arc], values: Mapping[Term, Value]) -> list[Arc] | None:
    here = substitute(term, {symbol: values[symbol] for symbol in term.symbols})
    if isinstance(here, Term):
        return None
    mask = (1 << term.width) - 1
    down = min((here - first) & mask for first, _ in arcs)
    up = min((last - here) & mask for _, last in arcs)
    return [((here - down) & mask, (here + up) & mask)]
