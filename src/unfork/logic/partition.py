"""Independence: joins the slices that a condition connects, and separates constraints that share no symbol."""

from __future__ import annotations

from collections.abc import Sequence

from unfork.logic.boolean import conjuncts
from unfork.logic.evaluate import Model
from unfork.logic.path import Slice
from unfork.logic.term import Term

_CONJUNCTS = 64


def parts_of(condition: Term) -> Sequence[Term]:
    """The conjuncts of a condition."""
    return conjuncts(condition, _CONJUNCTS) if condition.op == "and" else (condition,)


def join(slices: Sequence[Slice]) -> Slice:
    """Independent slices as one, whose model takes each symbol from the slice that mentions it."""
    values: dict[Term, int] = {}
    constraints: tuple[Term, ...] = ()
    for part in slices:
        known = part.model.values
        for s in part.symbols:
            values[s] = known.get(s, 0)
        constraints += part.constraints
    members = frozenset(constraints)
    return Slice(constraints, members, frozenset(values), Model(values))


def split(base: Slice, conditions: Sequence[Term], model: Model) -> list[Slice]:
    """The independent slices of ``base`` and ``conditions`` together, which ``model`` satisfies."""
    constraints = (*base.constraints, *[c for c in conditions if c not in base.members])
    if len(conditions) == 1:
        return [Slice(constraints, frozenset(constraints), base.symbols | conditions[0].symbols, model)]
    groups = _groups(constraints)
    if len(groups) == 1:
        symbols = frozenset().union(*[c.symbols for c in constraints])
        return [Slice(constraints, frozenset(constraints), symbols, model)]
    result = []
    for group in groups:
        symbols = frozenset().union(*[c.symbols for c in group])
        result.append(Slice(tuple(group), frozenset(group), symbols, model))
    return result


def _groups(constraints: Sequence[Term]) -> list[list[Term]]:
    """The constraints by connected symbols, each group and the groups in the order given."""
    parent: dict[Term, Term] = {}

    def root(s: Term) -> Term:
        while (above := parent[s]) is not s:
            parent[s] = s = parent[above]
        return s

    for constraint in constraints:
        first: Term | None = None
        for s in constraint.symbols:
            parent.setdefault(s, s)
            if first is None:
                first = root(s)
            else:
                parent[root(s)] = first
    groups: dict[Term, list[Term]] = {}
    for constraint in constraints:
        groups.setdefault(root(next(iter(constraint.symbols))), []).append(constraint)
    return list(groups.values())
