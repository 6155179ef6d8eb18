"""The path conditions of joined states: the common part stays, a condition distinguishes the two sides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from unfork.logic.solve.path import PathCondition, Slice, join, parts_of, split
from unfork.logic.terms import build
from unfork.logic.terms.boolean import conjuncts
from unfork.logic.terms.evaluate import Model
from unfork.logic.terms.literals import Literals
from unfork.logic.terms.term import Term, Value


@dataclass(frozen=True, slots=True)
class Residuals:
    """The conditions of two paths, in order: those of ``first`` and ``second`` alone, and those ``shared`` by both.

    Both paths begin with ``common`` more constraints that they share.
    """

    common: int
    shared: tuple[Term, ...]
    first: tuple[Term, ...]
    second: tuple[Term, ...]


def residuals(a: PathCondition, b: PathCondition) -> Residuals:
    """Compare two paths."""
    common = a.common_prefix(b)
    first, second = a.constraints(common), b.constraints(common)
    again = set(first).union(second).intersection(a.constraints()[:common])
    if again:  # a condition may occur twice, as a part of a conjunction
        first = [c for c in first if c not in again]
        second = [c for c in second if c not in again]
    in_both = set(first).intersection(second)
    return Residuals(
        common,
        tuple([c for c in first if c in in_both]),
        tuple([c for c in first if c not in in_both]),
        tuple([c for c in second if c not in in_both]),
    )


def distinguishing(first: Sequence[Term], second: Sequence[Term]) -> Value | None:
    """The smallest available condition that ``first`` implies and ``second`` excludes (Scheurer16, Def. 10).

    Mostly the branch at which the two paths parted. None if folding alone does not distinguish them.
    """
    others = set(second)
    for condition in first:
        if build.negate(condition) in others:
            return condition
    together = Literals(first)
    for condition in second:
        together.assume(condition)
    return smaller_side(first, second) if together.contradictory else None


def smaller_side(first: Sequence[Term], second: Sequence[Term]) -> Value:
    """Of two residuals that exclude each other, the shorter one as a condition for the first."""
    sizes = [sum(len(conjuncts(_positive(c))) for c in side) for side in (first, second)]
    return build.conjunction(first) if sizes[0] <= sizes[1] else build.negate(build.conjunction(second))


def _positive(condition: Term) -> Term:
    return condition.args[0] if condition.op == "not" else condition


def guarded_conditions(rest: Residuals, guard: Value) -> dict[Term, None]:
    """The conditions of each side beyond ``guard``, which holds on the first side and not on the second."""
    other = build.negate(guard)
    conditions: dict[Term, None] = {}
    for side, residual in ((guard, rest.first), (other, rest.second)):
        holding = Literals((side,))
        for condition in residual:
            reduced = holding.reduced(condition)
            implied = build.either(build.negate(side), reduced)
            if isinstance(implied, Term):
                conditions.update(dict.fromkeys(parts_of(implied)))
            holding.assume(reduced)
    return conditions


def joined_path(a: PathCondition, rest: Residuals, conditions: dict[Term, None], origin: Term | None) -> PathCondition:
    """The path of both: the shared constraints, and ``conditions``, which hold on either side.

    ``a``'s model satisfies it; a symbol ``origin``, which that model does not have, is 1 there.
    """
    trail, length = a.trail, a.length
    while length > rest.common:
        assert trail is not None
        trail, length = trail[0], length - 1

    touched = a.touched(_symbols((*rest.first, *conditions)))
    slices = a.slices.copy()
    for part in touched:
        for symbol in part.symbols:
            del slices[symbol]
    gone = frozenset(rest.first)
    base = join(touched)
    kept = [c for c in base.constraints if c not in gone]
    known = frozenset(kept)
    new = [c for c in conditions if c not in known]
    values = base.model.values if origin is None else {**base.model.values, origin: 1}
    if kept or new:
        for part in split(_NOTHING, (*kept, *new), Model(values)):
            for symbol in part.symbols:
                slices[symbol] = part
    for condition in (*rest.shared, *new):
        trail = (trail, condition)
    return PathCondition(trail, length + len(rest.shared) + len(new), slices)


_NOTHING = Slice((), frozenset(), frozenset(), Model({}))


def _symbols(conditions: Iterable[Term]) -> frozenset[Term]:
    return frozenset().union(*[c.symbols for c in conditions])
