"""Conditions as decision diagrams: what the paths of two states say together, in its smallest form (Bryant 1986).

States that part at branches and meet again, in any order, have paths that complete each other: `a`, `not a and b`,
`not a and not b` are together no condition at all. Terms do not show that; reduced ordered decision diagrams do. A
variable is a term that conditions compare with constants, and a node has a child for each range of its values
(interval decision diagrams, Strehl and Thiele 1998): `c == 45` and `c == 101` exclude each other, and `c < 45`, `c
== 45`, `c > 45` are everything. Other conditions are variables of one bit. Variables are ordered as paths met them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from unfork.logic.solve.solver import Effort
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value

LARGEST = 400
"""Nodes of the largest diagram to keep; larger conditions stay terms."""
_STEPS = 4 * LARGEST
"""A conjunction of two diagrams that takes more steps counts as too large."""
_KEPT = 100_000
_FALSE, _TRUE = 0, 1
_LAST = 1 << 60
"""The level of the leaves."""

Kids = tuple[int, ...]
Node = tuple[int, tuple[int, ...], Kids]
"""(level, cuts, children): values below the first cut lead to the first child, those from there to the second cut to
the second, and so on. Neighbouring children differ.
"""


class TooLarge(Exception):
    """A diagram has more nodes than LARGEST."""


@dataclass(frozen=True, slots=True)
class PathUnion:
    """The union of two exclusive paths: ``conditions``. ``guard`` holds on the first and not on the second."""

    guard: Value
    conditions: tuple[Term, ...]


class Diagrams:
    """Reduced ordered decision diagrams over the conditions of one run. ``effort`` counts the work."""

    def __init__(self, effort: Effort) -> None:
        self._effort = effort
        self._levels: dict[Term, int] = {}
        self._variables: list[Term] = []
        self._forget()

    def _forget(self) -> None:
        self._nodes: list[Node] = [(_LAST, (), (0,)), (_LAST, (), (1,))]
        """The two leaves come first."""
        self._unique: dict[Node, int] = {}
        self._both: dict[tuple[int, int], int] = {}
        self._not: dict[int, int] = {_FALSE: _TRUE, _TRUE: _FALSE}
        self._of_term: dict[Term, int] = {}
        self._allowed: dict[int, dict[int, int]] = {_TRUE: {}}
        """For a diagram, the values that it allows each variable, as diagrams; unrestricted variables are absent."""
        self._terms: dict[int, Value] = {_FALSE: 0, _TRUE: 1}
        self._restricted: dict[tuple[int, int], int] = {}

    def union(self, first: Sequence[Term], second: Sequence[Term]) -> PathUnion | None:
        """Two conjunctions as one condition; None if they do not exclude each other or are too large."""
        if len(self._nodes) > _KEPT:
            self._forget()
        try:
            a, b = self._conjunction(first), self._conjunction(second)
            if self._and(a, b) != _FALSE:
                return None
            either = self._or(a, b)
            if either == _FALSE:
                return None
            return PathUnion(self._guard(first, second, a, b, either), self._conjuncts(either))
        except TooLarge:
            return None

    def _guard(self, first: Sequence[Term], second: Sequence[Term], a: int, b: int, either: int) -> Value:
        """A condition that holds on the first and not on the second: a branch that they took, else the smallest."""
        others = set(second)
        for condition in first:
            if build.negate(condition) in others:
                return condition
        mine, theirs = self._within(a, either), self._negation(self._within(b, either))
        return self._term(min(mine, theirs, key=lambda diagram: len(self._below(diagram))))

    # --- diagrams ---

    def _conjunction(self, conditions: Iterable[Term]) -> int:
        parts = [self._of(condition) for condition in conditions]
        if len(parts) > LARGEST:
            raise TooLarge
        diagram = _TRUE
        for part in sorted(parts, key=lambda part: self._nodes[part][0], reverse=True):
            diagram = self._and(part, diagram)  # in this order each goes on top, in one step
        return diagram

    def _of(self, condition: Term) -> int:
        """The diagram of a condition."""
        known = self._of_term
        pending = [condition]
        while pending:
            term = pending[-1]
            if term in known:
                pending.pop()
                continue
            parts = _parts(term)
            missing = [part for part in parts if part not in known]
            if missing:
                pending += reversed(missing)
                continue
            match [known[part] for part in parts]:
                case [negated]:
                    known[term] = self._negation(negated)
                case [a, b]:
                    known[term] = self._and(a, b)
                case [test, then, otherwise]:
                    known[term] = self._or(self._and(test, then), self._and(self._negation(test), otherwise))
                case _:
                    known[term] = self._literal(term)
        return known[condition]

    def _literal(self, term: Term) -> int:
        """The diagram of a single variable's range, or of a variable of one bit."""
        interval = build.interval(term)
        if interval is None:
            return self._node(self._level(term), (1,), (_FALSE, _TRUE))
        variable, first, last = interval
        level, end = self._level(variable), 1 << variable.width
        inside, outside = (_TRUE, _FALSE) if first <= last else (_FALSE, _TRUE)
        low, high = (first, last + 1) if first <= last else (last + 1, first)
        cuts, kids = [low], [outside, inside]
        if low == 0:
            cuts, kids = [], [inside]
        if high < end:
            cuts, kids = [*cuts, high], [*kids, outside]
        return self._node(level, cuts, kids)

    def _level(self, variable: Term) -> int:
        level = self._levels.get(variable)
        if level is None:
            level = self._levels[variable] = len(self._variables)
            self._variables.append(variable)
        return level

    def _node(self, level: int, cuts: Sequence[int], kids: Sequence[int]) -> int:
        """The node with these children; equal neighbours become one."""
        self._effort.ranges += len(kids)
        key = (level, tuple(cuts), tuple(kids))
        number = self._unique.get(key)
        if number is not None:
            return number
        left, least = [], [kids[0]]
        for cut, kid in zip(cuts, kids[1:], strict=True):
            if kid != least[-1]:
                left.append(cut)
                least.append(kid)
        if not left:
            return least[0]
        reduced = (level, tuple(left), tuple(least))
        number = self._unique.get(reduced)
        if number is None:
            number = self._unique[reduced] = len(self._nodes)
            self._nodes.append(reduced)
        return number

    def _pairs(self, x: int, y: int) -> tuple[int, Sequence[int], list[tuple[int, int]]]:
        """(the upper level of both, its cuts, the children of both for each range)."""
        (level, cuts, kids), (other, its_cuts, its_kids) = self._nodes[x], self._nodes[y]
        if level < other:
            return level, cuts, [(kid, y) for kid in kids]
        if other < level:
            return other, its_cuts, [(x, kid) for kid in its_kids]
        if cuts == its_cuts:
            return level, cuts, list(zip(kids, its_kids, strict=True))
        merged = sorted({*cuts, *its_cuts})
        pairs = [(kids[0], its_kids[0])]
        pairs += [(kids[bisect_right(cuts, cut)], its_kids[bisect_right(its_cuts, cut)]) for cut in merged]
        return level, merged, pairs

    def _and(self, a: int, b: int) -> int:
        """The conjunction of two diagrams."""
        known = self._both
        budget = _STEPS
        pending = [(a, b)]
        while pending:
            x, y = pending[-1]
            if x > y:
                x, y = y, x
            if x <= _TRUE or x == y or (x, y) in known:
                pending.pop()
                continue
            level, cuts, pairs = self._pairs(x, y)
            kids = [self._known_and(*pair) for pair in pairs]
            if None in kids:
                pending += [pair for pair, kid in zip(pairs, kids, strict=True) if kid is None]
            else:
                known[x, y] = self._node(level, cuts, kids)  # type: ignore[arg-type]  # none of them is None
                pending.pop()
                budget -= 1
                if not budget:
                    raise TooLarge
        result = self._known_and(a, b)
        assert result is not None
        return result

    def _known_and(self, x: int, y: int) -> int | None:
        if x > y:
            x, y = y, x
        if x == _FALSE:
            return _FALSE
        if x in (_TRUE, y):
            return y
        return self._both.get((x, y))

    def _or(self, a: int, b: int) -> int:
        return self._negation(self._and(self._negation(a), self._negation(b)))

    def _negation(self, a: int) -> int:
        known, nodes = self._not, self._nodes
        pending = [a]
        while pending:
            node = pending[-1]
            if node in known:
                pending.pop()
                continue
            level, cuts, kids = nodes[node]
            missing = [kid for kid in kids if kid not in known]
            if missing:
                pending += missing
            else:
                negated = self._node(level, cuts, [known[kid] for kid in kids])
                known[node], known[negated] = negated, node
                pending.pop()
        return known[a]

    def _within(self, a: int, care: int) -> int:
        """A small diagram equal to ``a`` wherever ``care`` holds (the restrict of Coudert and Madre 1990)."""
        known, nodes = self._restricted, self._nodes
        none: Sequence[int] = ()
        pending = [(a, care)]
        while pending:
            key = pending[-1]
            node, where = key
            if key in known:
                pending.pop()
                continue
            if node <= _TRUE or where == _TRUE:
                known[key] = node
                continue
            if nodes[where][0] < nodes[node][0]:  # ``a`` does not depend on the variable
                anywhere = _FALSE
                for kid in dict.fromkeys(nodes[where][2]):
                    anywhere = self._or(anywhere, kid)
                level, cuts, needed = _LAST, none, [(node, anywhere)]
            else:
                level, cuts, needed = self._pairs(node, where)
            missing = [pair for pair in needed if pair[1] != _FALSE and pair not in known]
            if missing:
                pending += missing
                continue
            # Irrelevant values go where their neighbours go.
            kids = [_FALSE if pair[1] == _FALSE else known[pair] for pair in needed]
            matters = [i for i, pair in enumerate(needed) if pair[1] != _FALSE]
            nearest = matters[0]
            for i, pair in enumerate(needed):
                if pair[1] != _FALSE:
                    nearest = i
                kids[i] = kids[nearest]
            known[key] = kids[0] if level == _LAST else self._node(level, cuts, kids)
        return known[a, care]

    def _below(self, a: int) -> list[int]:
        """The inner nodes of a diagram, each before those below it."""
        inner: dict[int, None] = {}
        pending = [a]
        while pending:
            node = pending.pop()
            if node > _TRUE and node not in inner:
                inner[node] = None
                if len(inner) > LARGEST:
                    raise TooLarge
                pending += self._nodes[node][2]
        return sorted(inner, key=lambda node: self._nodes[node][0])

    # --- back to terms ---

    def _conjuncts(self, a: int) -> tuple[Term, ...]:
        """Conditions that together equal a diagram: first those on single variables, then the rest."""
        alone = self._alone(a)
        rest, care = a, _TRUE
        for level in sorted(alone, reverse=True):
            care = self._and(alone[level], care)
        if care != _TRUE:
            rest = self._within(a, care)
        terms = [self._term(alone[level]) for level in sorted(alone)]
        terms.append(self._term(rest))
        return tuple([term for term in terms if isinstance(term, Term)])

    def _alone(self, a: int) -> dict[int, int]:
        """The values that a diagram (not false) allows each variable; unrestricted variables are absent."""
        allowed, nodes = self._allowed, self._nodes
        for node in reversed(self._below(a)):
            if node in allowed:
                continue
            level, cuts, kids = nodes[node]
            ranges: dict[int, int] | None = None
            for kid in dict.fromkeys(kids):
                if kid == _FALSE:
                    continue
                below = allowed[kid]
                if ranges is None:
                    ranges = dict(below)
                    continue
                for known in [*ranges]:
                    either = self._or(ranges[known], below[known]) if known in below else _TRUE
                    if either == _TRUE:
                        del ranges[known]
                    else:
                        ranges[known] = either
            assert ranges is not None
            own = self._node(level, cuts, [_FALSE if kid == _FALSE else _TRUE for kid in kids])
            if own != _TRUE:
                ranges[level] = own
            allowed[node] = ranges
        return allowed[a]

    def _term(self, a: int) -> Value:
        """A diagram as a condition."""
        conditions, nodes = self._terms, self._nodes
        pending = [a]
        while pending:
            node = pending[-1]
            if node in conditions:
                pending.pop()
                continue
            level, cuts, kids = nodes[node]
            missing = [kid for kid in dict.fromkeys(kids) if kid not in conditions]
            if missing:
                pending += missing
                continue
            variable = self._variables[level]
            last: int | None = None
            value: Value = 0
            for kid in sorted(dict.fromkeys(kids), key=lambda kid: (kid > _TRUE, kids.count(kid), kid), reverse=True):
                if last is None:
                    last, value = kid, conditions[kid]
                    continue
                there = _among(variable, cuts, [child == kid for child in kids])
                value = _one_of(there, conditions[kid], value)
            conditions[node] = value
        return conditions[a]


def _one_of(condition: Value, then: Value, other: Value) -> Value:
    """``then`` where the condition holds, else ``other``, with conjunctions and negations only."""
    if type(then) is int:
        return build.either(condition, other) if then else build.both(build.negate(condition), other)
    if type(other) is int:
        return build.either(build.negate(condition), then) if other else build.both(condition, then)
    return build.both(build.either(build.negate(condition), then), build.either(condition, other))


def _among(variable: Term, cuts: Sequence[int], chosen: Sequence[bool]) -> Value:
    """The condition that a variable is in one of the chosen ranges."""
    ends = (*cuts, 1 << variable.width)
    ranges: list[tuple[int, int]] = []
    others: list[tuple[int, int]] = []
    start = 0
    for end, is_chosen in zip(ends, chosen, strict=True):
        side = ranges if is_chosen else others
        if side and side[-1][1] == start - 1:
            side[-1] = side[-1][0], end - 1
        else:
            side.append((start, end - 1))
        start = end
    if len(others) < len(ranges):
        return build.negate(build.disjunction([build.member(variable, *span) for span in others]))
    return build.disjunction([build.member(variable, *span) for span in ranges])


def _parts(term: Term) -> tuple[Term, ...]:
    """The operands of a conjunction (two), a negation (one) or a choice (three); none of other terms."""
    if term.op in ("not", "and"):
        return term.args
    if term.op == "ite":
        condition, a, b = term.args
        return condition, a, b
    return ()
