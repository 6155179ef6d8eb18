"""Conditions as decision diagrams: what the paths of two states say together, in its smallest form (Bryant 1986).

States that part at branches and meet again, in whatever order, have paths that complete each other: `a`, `not a and b`,
`not a and not b` are together no condition at all. Terms do not show that; reduced ordered decision diagrams do. Their
variables are conditions that are neither a conjunction nor a negation, in the order in which paths met them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from unfork.logic import build
from unfork.logic.term import Term, Value

LARGEST = 400
"""Nodes of a diagram that is worth having; what is larger stays a term."""
_KEPT = 100_000
_FALSE, _TRUE = 0, 1


class TooLarge(Exception):
    """A diagram has more nodes than is worth while."""


@dataclass(frozen=True, slots=True)
class Union:
    """What two exclusive paths say together: ``conditions``. ``guard`` holds on the first and not on the second."""

    guard: Value
    conditions: tuple[Term, ...]


class Diagrams:
    """Reduced ordered decision diagrams over the conditions of one run."""

    def __init__(self) -> None:
        self._levels: dict[Term, int] = {}
        self._atoms: list[Term] = []
        self._forget()

    def _forget(self) -> None:
        last = 1 << 60
        self._nodes: list[tuple[int, int, int]] = [(last, 0, 0), (last, 1, 1)]
        """(level, where the variable fails, where it holds); the two leaves come first."""
        self._unique: dict[tuple[int, int, int], int] = {}
        self._both: dict[tuple[int, int], int] = {}
        self._not: dict[int, int] = {_FALSE: _TRUE, _TRUE: _FALSE}
        self._of_term: dict[Term, int] = {}

    def union(self, first: Sequence[Term], second: Sequence[Term]) -> Union | None:
        """Two conjunctions as one condition; None where they do not exclude each other or are too large."""
        try:
            found = self._either(first, second)
            if found is None:
                return None
            a, b, either = found
            mine, theirs = self._within(a, either), self._negation(self._within(b, either))
            guard = mine if self._size(mine) <= self._size(theirs) else theirs
            return Union(self._term(guard), self._conjuncts(either))
        except TooLarge:
            return None

    def _either(self, first: Sequence[Term], second: Sequence[Term]) -> tuple[int, int, int] | None:
        """The diagrams of both and of their union, if they exclude each other."""
        if len(self._nodes) > _KEPT:
            self._forget()
        a, b = self._conjunction(first), self._conjunction(second)
        if self._and(a, b) != _FALSE:
            return None
        either = self._negation(self._and(self._negation(a), self._negation(b)))
        return None if either == _FALSE else (a, b, either)

    # --- diagrams ---

    def _conjunction(self, conditions: Iterable[Term]) -> int:
        parts = [self._of(condition) for condition in conditions]
        if len(parts) > LARGEST:
            raise TooLarge
        found = _TRUE
        for part in sorted(parts, key=lambda part: self._nodes[part][0], reverse=True):
            found = self._and(part, found)  # what lies above all that is there is put on top in one step
        return found

    def _of(self, condition: Term) -> int:
        """The diagram of a condition."""
        known = self._of_term
        pending = [condition]
        while pending:
            term = pending[-1]
            if term in known:
                pending.pop()
                continue
            if term.op not in ("not", "and"):
                known[term] = self._node(self._level(term), _FALSE, _TRUE)
                continue
            missing = [one for one in term.args if one not in known]
            if missing:
                pending += reversed(missing)
            elif term.op == "not":
                known[term] = self._negation(known[term.args[0]])
            else:
                known[term] = self._and(known[term.args[0]], known[term.args[1]])
        return known[condition]

    def _level(self, atom: Term) -> int:
        level = self._levels.get(atom)
        if level is None:
            level = self._levels[atom] = len(self._atoms)
            self._atoms.append(atom)
        return level

    def _node(self, level: int, low: int, high: int) -> int:
        if low == high:
            return low
        key = (level, low, high)
        found = self._unique.get(key)
        if found is None:
            found = self._unique[key] = len(self._nodes)
            self._nodes.append(key)
        return found

    def _and(self, a: int, b: int) -> int:
        """The conjunction of two diagrams."""
        made, nodes = self._both, self._nodes
        budget = LARGEST * 8
        pending = [(a, b)]
        while pending:
            x, y = pending[-1]
            if x > y:
                x, y = y, x
            if x <= _TRUE or x == y or (x, y) in made:
                pending.pop()
                continue
            (level, low, high), (other, its_low, its_high) = nodes[x], nodes[y]
            if level < other:
                its_low = its_high = y
            elif other < level:
                level, low, high = other, x, x
            left, right = self._known_and(low, its_low), self._known_and(high, its_high)
            if left is None:
                pending.append((low, its_low))
            if right is None:
                pending.append((high, its_high))
            if left is not None and right is not None:
                made[x, y] = self._node(level, left, right)
                pending.pop()
                budget -= 1
                if not budget:
                    raise TooLarge
        found = self._known_and(a, b)
        assert found is not None
        return found

    def _known_and(self, x: int, y: int) -> int | None:
        if x > y:
            x, y = y, x
        if x == _FALSE:
            return _FALSE
        if x in (_TRUE, y):
            return y
        return self._both.get((x, y))

    def _negation(self, a: int) -> int:
        made, nodes = self._not, self._nodes
        pending = [a]
        while pending:
            node = pending[-1]
            if node in made:
                pending.pop()
                continue
            level, low, high = nodes[node]
            missing = [one for one in (low, high) if one not in made]
            if missing:
                pending += missing
            else:
                negated = self._node(level, made[low], made[high])
                made[node], made[negated] = negated, node
                pending.pop()
        return made[a]

    def _within(self, a: int, care: int) -> int:
        """A small diagram that equals ``a`` wherever ``care`` holds (the restrict of Coudert and Madre 1990)."""
        made: dict[tuple[int, int], int] = {}
        nodes = self._nodes
        pending = [(a, care)]
        while pending:
            key = pending[-1]
            node, where = key
            if key in made:
                pending.pop()
                continue
            if node <= _TRUE or where == _TRUE:
                made[key] = node
                continue
            (level, low, high), (other, care_low, care_high) = nodes[node], nodes[where]
            if other < level:  # the variable does not matter to ``a``
                anywhere = self._negation(self._and(self._negation(care_low), self._negation(care_high)))
                needed = [(node, anywhere)]
            elif level < other:
                needed = [(low, where), (high, where)]
            elif care_low == _FALSE:
                needed = [(high, care_high)]
            elif care_high == _FALSE:
                needed = [(low, care_low)]
            else:
                needed = [(low, care_low), (high, care_high)]
            missing = [one for one in needed if one not in made]
            if missing:
                pending += missing
            elif len(needed) == 1:
                made[key] = made[needed[0]]
            else:
                made[key] = self._node(level, made[needed[0]], made[needed[1]])
        return made[a, care]

    def _size(self, a: int) -> int:
        return len(self._below(a))

    def _below(self, a: int) -> list[int]:
        """The inner nodes of a diagram, each before those below it."""
        found: dict[int, None] = {}
        pending = [a]
        while pending:
            node = pending.pop()
            if node > _TRUE and node not in found:
                found[node] = None
                if len(found) > LARGEST:
                    raise TooLarge
                pending += self._nodes[node][1:]
        return sorted(found, key=lambda node: self._nodes[node][0])

    # --- back to terms ---

    def _conjuncts(self, a: int) -> tuple[Term, ...]:
        """Conditions that say together what a diagram says: what it fixes of single variables apart from the rest."""
        nodes = self._nodes
        fixed: dict[int, frozenset[tuple[int, bool]] | None] = {_FALSE: None, _TRUE: frozenset()}
        below = self._below(a)
        for node in reversed(below):
            level, low, high = nodes[node]
            left, right = fixed[low], fixed[high]
            if left is None:
                assert right is not None
                fixed[node] = right | {(level, True)}
            elif right is None:
                fixed[node] = left | {(level, False)}
            else:
                fixed[node] = left & right
        alone = dict(sorted(fixed[a] or ()))
        rest: dict[int, int] = {_FALSE: _FALSE, _TRUE: _TRUE}
        for node in reversed(below):
            level, low, high = nodes[node]
            if level in alone:
                rest[node] = rest[high] if alone[level] else rest[low]
            else:
                rest[node] = self._node(level, rest[low], rest[high])
        terms = [self._atoms[level] if holds else build.negate(self._atoms[level]) for level, holds in alone.items()]
        terms.append(self._term(rest[a]))
        return tuple([term for term in terms if isinstance(term, Term)])

    def _term(self, a: int) -> Value:
        """A diagram as a condition."""
        made: dict[int, Value] = {_FALSE: 0, _TRUE: 1}
        for node in reversed(self._below(a)):
            level, low, high = self._nodes[node]
            atom = self._atoms[level]
            if low == _FALSE:
                made[node] = build.both(atom, made[high])
            elif high == _FALSE:
                made[node] = build.both(build.negate(atom), made[low])
            elif high == _TRUE:
                made[node] = build.either(atom, made[low])
            elif low == _TRUE:
                made[node] = build.either(build.negate(atom), made[high])
            else:
                made[node] = build.both(build.either(build.negate(atom), made[high]), build.either(atom, made[low]))
        return made[a]
