"""What an interpolant keeps: conditions that hold at a place, and imply what must hold there.

What must hold is the weakest precondition of a stretch. It may grow, so other sources put in its place something
between it and what is known of the state: numbers that an unsat core names (deletion of all others, Chu17, section
V-A), or intervals around them (slackening).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from unfork.logic import build
from unfork.logic.boolean import conjuncts, interval
from unfork.logic.evaluate import substitute
from unfork.logic.literals import Literals
from unfork.logic.solver import Solver, Unsat
from unfork.logic.term import Term, Value
from unfork.prune.interpolation.general import CannotGeneralise
from unfork.prune.interpolation.shifts import Holds, without_shifts
from unfork.prune.interpolation.slacken import slackened

MOST = 400
"""Conditions of an interpolant; where there are more, known numbers are put in their place."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Where interpolants come from."""

    cores: bool
    slacken: bool
    weakest: bool


class Strengthening:
    """Makes conditions fewer or simpler, never weaker. ``solver`` is asked for unsat cores."""

    def __init__(self, sources: Sources, solver: Solver) -> None:
        self._sources = sources
        self._solver = solver

    def of(self, conditions: Sequence[Term], values: Mapping[Term, Value], holds: Holds) -> list[Term]:
        """What implies ``conditions`` and holds for ``values``. Raises CannotGeneralise where that is too much.

        ``holds`` says whether a condition does, as far as that is easily seen.
        """
        sources = self._sources
        kept = simplified(conditions)
        if not sources.weakest:
            kept = [stronger for condition in kept for stronger in self._core(condition, values)]
        if sources.slacken:
            kept = slackened(without_shifts(kept, holds), values)
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
        """The numbers that make a condition true, if numbers do; of bounds on one number an interval, if wanted."""
        if self._sources.slacken and len(condition.symbols) == 1 and interval(condition) is not None:
            return [condition]
        facts = _facts(condition, values)
        if len(facts) < len(condition.symbols):
            return pin(
                [condition], {symbol: value for symbol in condition.symbols if isinstance(value := values[symbol], int)}
            )
        return self._needed(list(facts.values()), build.negate(condition))

    def _needed(self, facts: list[Term], against: Value) -> list[Term]:
        """Those of ``facts`` that contradict ``against``, none of which can be left out."""
        assert isinstance(against, Term)
        at = 0
        while at < len(facts):
            fewer = facts[:at] + facts[at + 1 :]
            answer = self._solver.check((*fewer, against))
            if isinstance(answer, Unsat):
                facts = fewer if answer.core is None else [fact for fact in fewer if fact in answer.core]
            else:
                at += 1
        return facts

    def implies(self, known: Sequence[Term], condition: Term) -> bool:
        """Whether ``known`` imply ``condition``, whatever else holds, as far as the solver says so."""
        against = build.negate(condition)
        return isinstance(against, Term) and isinstance(self._solver.check((*known, against)), Unsat)


def _facts(condition: Term, values: Mapping[Term, Value]) -> dict[Term, Term]:
    """That the symbols of a condition are the numbers that they are, where they are numbers."""
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
    """The conditions with numbers in place of some symbols, and that these are those numbers."""
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
