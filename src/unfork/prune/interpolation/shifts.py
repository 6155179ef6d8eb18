"""Comparisons of two terms that differ in what is added to them: where no sum wraps, one of them implies all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from unfork.logic.build import constant_offset, member
from unfork.logic.concrete import signed
from unfork.logic.term import Term, Value

Holds = Callable[[Value], bool]
"""Whether a condition over the general state is true of the original one."""


def without_shifts(conditions: Sequence[Term], holds: Holds) -> list[Term]:
    """Conditions that imply ``conditions``, and are true of what these are true of, as far as ``holds`` says.

    Of several that compare ``a + i`` with ``b + j`` one is left, that with the least distance, and that what is added
    to ``a`` and to ``b`` makes none wrap, where this holds and is less.
    """
    groups: dict[tuple[str, bool, Term, Term], dict[Term, tuple[int, int]]] = {}
    for condition in conditions:
        is_less = condition.op != "not"
        comparison = condition if is_less else condition.args[0]
        if comparison.op in ("slt", "ult") and comparison.args[1].op != "const":
            (left, added), (right, further) = map(_sum, comparison.args)
            groups.setdefault((comparison.op, is_less, left, right), {})[condition] = added, further
    instead: dict[Term, list[Term]] = {}
    for (order, is_less, left, right), group in groups.items():
        if len(group) < 3:
            continue
        distances = {condition: further - added for condition, (added, further) in group.items()}
        hardest = (min if is_less else max)(distances, key=distances.__getitem__)
        bounds = [*_ordered(order, left, {i for i, _ in group.values()})]
        bounds += _ordered(order, right, {j for _, j in group.values()})
        if len(bounds) + 1 < len(group) and all(map(holds, bounds)):
            kept = [hardest, *[bound for bound in bounds if isinstance(bound, Term)]]
            instead.update(dict.fromkeys(group, kept))
    return list(dict.fromkeys(one for condition in conditions for one in instead.get(condition, [condition])))


def _sum(term: Term) -> tuple[Term, int]:
    """Something, and the (signed) number that is added to it."""
    added, rest = constant_offset(term)
    return rest, signed(added, term.width)


def _ordered(order: str, term: Term, added: set[int]) -> Iterator[Value]:
    """That the sums of ``term`` and each number are in the order of these numbers."""
    first, last = min(added), max(added)
    if first != last:
        lowest = 1 << term.width - 1 if order == "slt" else 0
        yield member(term, lowest - first, lowest - 1 - last)
