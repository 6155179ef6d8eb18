"""What an interpolant keeps: conditions that hold at a program point and imply the requirements there.

The requirements are the weakest precondition of a stretch, which may be large. Other sources put something between
it and the state's facts in its place: the numbers in an unsat core (deletion of all others, Chu17, section V-A), or
intervals around them (slackening).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from unfork.logic.solve.solver import Solver, Unsat
from unfork.logic.terms import build
from unfork.logic.terms.boolean import conjuncts, interval
from unfork.logic.terms.build import constant_offset
from unfork.logic.terms.comparisons import member
from unfork.logic.terms.concrete import signed
from unfork.logic.terms.evaluate import substitute
from unfork.logic.terms.literals import Literals
from unfork.logic.terms.term import Term, Value
from unfork.reduce.prune.interpolation.general import CannotGeneralise

MOST = 400
"""Conditions of an interpolant; beyond, known numbers take their place."""


@dataclass(frozen=True, slots=True)
class Sources:
    """The sources of interpolants."""

    cores: bool
    slacken: bool
    weakest: bool


class Strengthening:
    """Makes conditions fewer or simpler, never weaker. ``solver`` gives unsat cores."""

    def __init__(self, sources: Sources, solver: Solver) -> None:
        self._sources = sources
        self._solver = solver

    def of(self, conditions: Sequence[Term], values: Mapping[Term, Value], holds: Holds) -> list[Term]:
        """Conditions that imply ``conditions`` and hold for ``values``. Raises CannotGeneralise for too many.

        ``holds`` is a cheap test of whether a condition does.
        """
        sources = self._sources
        kept = simplify(conditions)
        if not sources.weakest:
            kept = [stronger for condition in kept for stronger in self._core(condition, values)]
        if sources.slacken:
            kept = slacken(without_shifts(kept, holds), values)
        kept = list(dict.fromkeys(kept))
        if len(kept) <= MOST:
            return kept
        if not sources.cores:
            raise CannotGeneralise("too many conditions")
        known = {symbol: value for c in kept for symbol in c.symbols if isinstance(value := values[symbol], int)}
        kept = pin(kept, known)
        if len(kept) > MOST:
            raise CannotGeneralise("too many conditions")
        return kept

    def _core(self, condition: Term, values: Mapping[Term, Value]) -> list[Term]:
        """The numbers that make a condition true, if any do; for bounds on one number an interval, if wanted."""
        if self._sources.slacken and len(condition.symbols) == 1 and interval(condition) is not None:
            return [condition]
        facts = _facts(condition, values)
        if len(facts) < len(condition.symbols):
            return pin(
                [condition], {symbol: value for symbol in condition.symbols if isinstance(value := values[symbol], int)}
            )
        return self._unsat_core(list(facts.values()), build.negate(condition))

    def _unsat_core(self, facts: list[Term], against: Value) -> list[Term]:
        """A minimal part of ``facts`` that contradicts ``against``."""
        assert isinstance(against, Term)
        at = 0
        while at < len(facts):
            fewer = facts[:at] + facts[at + 1 :]
            answer = self._solver.check((*fewer, against))
            if isinstance(answer, Unsat):
                facts = fewer
            else:
                at += 1
        return facts

    def implies(self, known: Sequence[Term], condition: Term) -> bool:
        """Whether the solver says that ``known`` imply ``condition``."""
        against = build.negate(condition)
        return isinstance(against, Term) and isinstance(self._solver.check((*known, against)), Unsat)


def _facts(condition: Term, values: Mapping[Term, Value]) -> dict[Term, Term]:
    """Equations of a condition's symbols with their values, where these are numbers."""
    facts = {}
    for symbol in sorted(condition.symbols, key=_name):
        if isinstance(value := values[symbol], int):
            equal = build.eq(symbol, value, symbol.width)
            assert isinstance(equal, Term)
            facts[symbol] = equal
    return facts


def _name(symbol: Term) -> str:
    return symbol.name


def pin(conditions: Iterable[Term], pinned: Mapping[Term, Value]) -> list[Term]:
    """The conditions with numbers for some symbols, plus the equations for these."""
    kept: dict[Term, None] = {}
    for condition in conditions:
        if condition.symbols.isdisjoint(pinned):
            kept[condition] = None
            continue
        here = substitute(condition, {symbol: pinned[symbol] for symbol in condition.symbols if symbol in pinned})
        if isinstance(here, Term):
            kept[here] = None
        elif not here:
            raise CannotGeneralise("a condition that is not met")
        for symbol in sorted(condition.symbols, key=_name):
            if symbol in pinned:
                equal = build.eq(symbol, pinned[symbol], symbol.width)
                assert isinstance(equal, Term)
                kept[equal] = None
    return list(kept)


def simplify(conditions: Sequence[Term]) -> list[Term]:
    """Conditions equivalent to ``conditions``.

    Literals go into disjunctions (unit propagation), and a disjunction with all parts of another one is dropped.
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
    """The disjunctions that do not have all parts of another one."""
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


FEW = 2
"""Up to this many conditions on one term stay apart, since they are likely to occur elsewhere as they are."""
ALIKE = 16
"""Conditions on one term to keep apart; more become one interval around the term's value."""


Arc = tuple[int, int]
"""The first and the last of some consecutive numbers modulo 2**width."""


def slacken(conditions: Sequence[Term], values: Mapping[Term, Value]) -> list[Term]:
    """Conditions that imply ``conditions`` and hold for ``values``; those on one term become one where possible.

    More than ALIKE conditions on a term with a known value become one interval (modulo 2**width).
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
            arcs = _intersections(arcs, (1 << term.width) - 1)
        if len(arcs) > ALIKE:
            arcs = _around(term, arcs, values) or arcs
        said = {arc: condition for condition, arc in group.items()}
        kept = [said.get(arc) or member(term, *arc) for arc in arcs]
        if len(kept) < len(group) and 0 not in kept:
            instead.update({condition: [bound for bound in kept if isinstance(bound, Term)] for condition in group})
    return list(dict.fromkeys(one for condition in conditions for one in instead.get(condition, [condition])))


def _without_implied(arcs: Iterable[Arc], mask: int) -> list[Arc]:
    """Arcs with the same intersection, none of which lies in another."""
    kept: list[Arc] = []
    for arc in sorted(arcs, key=lambda arc: (arc[1] - arc[0]) & mask):
        if not any(_intersection(arc, one, mask) == one for one in kept):
            kept.append(arc)
    return kept


def _intersections(arcs: Iterable[Arc], mask: int) -> list[Arc]:
    """Arcs with the same intersection, no two of which intersect in an arc."""
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
    """The numbers in both, if they are consecutive."""
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


Holds = Callable[[Value], bool]
"""Whether a condition over the general state is true of the original one."""


def without_shifts(conditions: Sequence[Term], holds: Holds) -> list[Term]:
    """Conditions that imply ``conditions`` and are equally true, as far as ``holds`` says.

    Of several that compare ``a + i`` with ``b + j``, the one with the least distance remains, plus conditions that
    the additions to ``a`` and ``b`` do not wrap, where these hold and are fewer.
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
    """A term, and the (signed) number added to it."""
    added, rest = constant_offset(term)
    return rest, signed(added, term.width)


def _ordered(order: str, term: Term, added: set[int]) -> Iterator[Value]:
    """That the sums of ``term`` and each number are in the order of these numbers."""
    first, last = min(added), max(added)
    if first != last:
        lowest = 1 << term.width - 1 if order == "slt" else 0
        yield member(term, lowest - first, lowest - 1 - last)
