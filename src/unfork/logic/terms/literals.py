"""Conditions read under others: unit propagation over conjunctions, and intervals of compared terms."""

from __future__ import annotations

from collections.abc import Iterable

from unfork.logic.terms.boolean import Interval, conjunction, conjuncts, decides, interval, negate
from unfork.logic.terms.term import Term, Value


class _Clause:
    """At least one of ``parts`` is false. Waits for news of two of them, ``watched``. Empty once used."""

    __slots__ = ("parts", "watched")

    def __init__(self, parts: tuple[Term, ...], watched: tuple[Term, ...]) -> None:
        self.parts = parts
        self.watched = watched


class Literals:
    """Conditions known to hold. ``contradictory``: they are known to contradict each other.

    Law: under every model of the assumed conditions, ``reduced(c)`` has the value of ``c``; ``contradictory`` means
    that there is none. Neither calls a solver.
    """

    __slots__ = ("_intervals", "_units", "_watching", "contradictory")

    def __init__(self, conditions: Iterable[Value] = ()) -> None:
        self._units: set[Term] = set()
        self._intervals: dict[Term, list[Interval]] = {}
        self._watching: dict[Term, list[_Clause]] = {}
        """The clauses that wait for news of a literal's subject. Each waits for two literals (Moskewicz et al. 2001),
        so that most news wakes none.
        """
        self.contradictory = False
        for condition in conditions:
            self.assume(condition)

    def assume(self, condition: Value) -> None:
        """``condition`` (1 bit) holds too."""
        pending: list[Value] = [condition]
        while pending and not self.contradictory:
            fact = pending.pop()
            if not isinstance(fact, Term):
                self.contradictory = fact == 0
                continue
            for part in conjuncts(fact):
                reduced = self.reduced(part)
                if not isinstance(reduced, Term):
                    self.contradictory = self.contradictory or reduced == 0
                elif reduced.op == "and":
                    pending.append(reduced)
                else:
                    self._add(reduced, pending)

    def _add(self, literal: Term, pending: list[Value]) -> None:
        """A literal holds. Clauses left with one literal add it to ``pending``."""
        self._units.add(literal)
        bounds = interval(literal)
        if bounds is not None:
            self._intervals.setdefault(bounds[0], []).append(bounds)
        subject = _subject(literal, bounds)
        for clause in self._watching.pop(subject, ()):
            self._look(clause, subject, pending)
        if literal.op == "not" and literal.args[0].op == "and":
            self._look(_Clause(tuple(conjuncts(literal.args[0])), ()), None, pending)

    def _look(self, clause: _Clause, news: Term | None, pending: list[Value]) -> None:
        """Make a clause wait for two undecided parts, or use it if there are not two.

        ``news`` is the subject that woke it; nothing changed about the clause's other subjects.
        """
        left: list[Term] = []
        for part in (*clause.watched, *clause.parts):
            known = self.decide(part)
            if known == 0:
                clause.parts = clause.watched = ()
                return
            if known is None and part not in left:
                left.append(part)
                if len(left) == 2:
                    break
        if len(left) < 2:
            if clause.parts:
                pending.append(negate(left[0]) if left else 0)
            clause.parts = clause.watched = ()
            return
        waits = {_subject(part, interval(part)) for part in clause.watched if part in left} - {news}
        clause.watched = tuple(left)
        for subject in dict.fromkeys([_subject(part, interval(part)) for part in left]):
            if subject not in waits:
                self._watching.setdefault(subject, []).append(clause)

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
        """The condition without its known parts; 1 or 0 where they decide it."""
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
        parts = conjuncts(condition)
        left = []
        for part in parts:
            known = self.decide(part)
            if known == 0:
                return 0
            if known is None:
                left.append(part)
        return condition if len(left) == len(parts) else conjunction(left)


def _subject(literal: Term, bounds: Interval | None) -> Term:
    """The subject of a literal: the compared term, or the literal without its negation."""
    if bounds is not None:
        return bounds[0]
    return literal.args[0] if literal.op == "not" else literal
