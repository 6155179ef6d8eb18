"""Conditions read under others that hold: unit propagation over conjunctions, and intervals of compared terms."""

from __future__ import annotations

from collections.abc import Iterable

from unfork.logic.boolean import Interval, conjunction, decides, interval, negate
from unfork.logic.term import Term, Value


class Literals:
    """What is known to hold. ``contradictory``: it was found that it cannot hold together.

    Law: ``reduced(c)`` is worth what ``c`` is under every model of the conditions assumed; ``contradictory`` means that
    they have none. Neither asks a solver.
    """

    __slots__ = ("_clauses", "_intervals", "_units", "contradictory")

    def __init__(self, conditions: Iterable[Value] = ()) -> None:
        self._units: set[Term] = set()
        self._intervals: dict[Term, list[Interval]] = {}
        self._clauses: list[tuple[Term, ...]] = []
        self.contradictory = False
        for condition in conditions:
            self.assume(condition)

    def assume(self, condition: Value) -> None:
        """``condition`` (1 bit) holds too."""
        pending: list[Value] = [condition]
        while pending and not self.contradictory:
            one = pending.pop()
            if not isinstance(one, Term):
                self.contradictory = one == 0
                continue
            for part in conjuncts_of(one):
                reduced = self.reduced(part)
                if not isinstance(reduced, Term):
                    self.contradictory = self.contradictory or reduced == 0
                elif reduced.op == "and":
                    pending.append(reduced)
                else:
                    self._add(reduced)
                    pending += self._woken()

    def _add(self, literal: Term) -> None:
        self._units.add(literal)
        found = interval(literal)
        if found is not None:
            self._intervals.setdefault(found[0], []).append(found)
        if literal.op == "not" and literal.args[0].op == "and":
            self._clauses.append(tuple(conjuncts_of(literal.args[0])))

    def _woken(self) -> list[Value]:
        """What follows from clauses of which one literal is left, or none."""
        woken: list[Value] = []
        kept = []
        for clause in self._clauses:
            left = [part for part in clause if self.decide(part) != 1]
            if any(self.decide(part) == 0 for part in left):
                continue
            if len(left) < 2:
                woken.append(negate(left[0]) if left else 0)
            else:
                kept.append(clause)
        self._clauses = kept
        return woken

    def decide(self, literal: Term) -> int | None:
        """1 or 0 where the literal is known to hold or to fail."""
        if literal in self._units:
            return 1
        opposite = negate(literal)
        if opposite in self._units:
            return 0
        asked = interval(literal)
        if asked is not None:
            for known in self._intervals.get(asked[0], ()):
                answer = decides(known, asked)
                if answer is not None:
                    return answer
        return None

    def reduced(self, condition: Value) -> Value:
        """The condition without what is known: 1 or 0 where that decides it."""
        if not isinstance(condition, Term):
            return condition
        known = self.decide(condition)
        if known is not None:
            return known
        if condition.op == "and":
            return self._conjunction(condition)
        if condition.op == "not" and condition.args[0].op == "and":
            return negate(self._conjunction(condition.args[0]))
        return condition

    def _conjunction(self, condition: Term) -> Value:
        parts = conjuncts_of(condition)
        left = []
        for part in parts:
            known = self.decide(part)
            if known == 0:
                return 0
            if known is None:
                left.append(part)
        return condition if len(left) == len(parts) else conjunction(left)


def conjuncts_of(condition: Term) -> list[Term]:
    """All parts of a conjunction; the condition itself if it is none."""
    parts: list[Term] = []
    stack = [condition]
    while stack:
        term = stack.pop()
        if term.op == "and" and term.width == 1:
            stack.append(term.args[1])
            stack.append(term.args[0])
        else:
            parts.append(term)
    return parts
