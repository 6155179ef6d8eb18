"""Conditions as decision diagrams: what the paths of two states say together, in its smallest form (Bryant 1986).

States that part at branches and meet again, in whatever order, have paths that complete each other: `a`, `not a and b`,
`not a and not b` are together no condition at all. Terms do not show that; reduced ordered decision diagrams do. A
variable is a term that conditions compare with constants, and a node has a child for each range of its values (interval
decision diagrams, Strehl and Thiele 1998): `c == 45` and `c == 101` exclude each other, and `c < 45`, `c == 45`,
`c > 45` are everything. Other conditions are variables of one bit.
Variables are ordered as paths met them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from unfork.logic import build
from unfork.logic.term import Term, Value

LARGEST = 400
"""Nodes of a diagram that is worth having; what is larger stays a term."""
_KEPT = 100_000
_FALSE, _TRUE = 0, 1
_LAST = 1 << 60
"""The level of the leaves."""

Kids = tuple[int, ...]
Node = tuple[int, tuple[int, ...], Kids]
"""(level, cuts, children): values below the first cut lead to the first child, those from there to the second cut to
the second, and so on. Neighbouring children differ."""


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
        """Of a diagram, the values that it leaves each variable of which it excludes some, as diagrams."""

    def union(self, first: Sequence[Term], second: Sequence[Term]) -> Union | None:
        """Two conjunctions as one condition; None where they do not exclude each other or are too large."""
        try:
            found = self._either(first, second)
            if found is None:
                return None
            a, b, either = found
            return Union(self._guard(first, second, a, b, either), self._conjuncts(either))
        except TooLarge:
            return None

    def _guard(self, first: Sequence[Term], second: Sequence[Term], a: int, b: int, either: int) -> Value:
        """The condition that tells both apart: a branch that they took, else what is smallest."""
        others = set(second)
        for condition in first:
            if build.negate(condition) in others:
                return condition
        mine, theirs = self._within(a, either), self._negation(self._within(b, either))
        return self._term(mine if self._size(mine) <= self._size(theirs) else theirs)

    def _either(self, first: Sequence[Term], second: Sequence[Term]) -> tuple[int, int, int] | None:
        """The diagrams of both and of their union, if they exclude each other."""
        if len(self._nodes) > _KEPT:
            self._forget()
        a, b = self._conjunction(first), self._conjunction(second)
        if self._and(a, b) != _FALSE:
            return None
        either = self._or(a, b)
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
            parts = _parts(term)
            missing = [one for one in parts if one not in known]
            if missing:
                pending += reversed(missing)
                continue
            of = [known[one] for one in parts]
            if not of:
                known[term] = self._literal(term)
            elif len(of) == 1:
                known[term] = self._negation(of[0])
            elif len(of) == 2:
                known[term] = self._and(of[0], of[1])
            else:
                known[term] = self._or(self._and(of[0], of[1]), self._and(self._negation(of[0]), of[2]))
        return known[condition]

    def _literal(self, term: Term) -> int:
        """The diagram of a single variable's range, or of a variable of one bit."""
        found = build.interval(term)
        if found is None:
            return self._node(self._level(term), (1,), (_FALSE, _TRUE))
        variable, first, last = found
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
        """The node of these children, neighbours that are equal taken together."""
        key = (level, tuple(cuts), tuple(kids))
        found = self._unique.get(key)
        if found is not None:
            return found
        left, least = [], [kids[0]]
        for cut, kid in zip(cuts, kids[1:], strict=True):
            if kid != least[-1]:
                left.append(cut)
                least.append(kid)
        if not left:
            return least[0]
        made = (level, tuple(left), tuple(least))
        found = self._unique.get(made)
        if found is None:
            found = self._unique[made] = len(self._nodes)
            self._nodes.append(made)
        return found

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
        made = self._both
        budget = LARGEST * 8
        pending = [(a, b)]
        while pending:
            x, y = pending[-1]
            if x > y:
                x, y = y, x
            if x <= _TRUE or x == y or (x, y) in made:
                pending.pop()
                continue
            level, cuts, pairs = self._pairs(x, y)
            kids = [self._known_and(*pair) for pair in pairs]
            if None in kids:
                pending += [pair for pair, kid in zip(pairs, kids, strict=True) if kid is None]
            else:
                made[x, y] = self._node(level, cuts, kids)  # type: ignore[arg-type]  # none of them is None
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

    def _or(self, a: int, b: int) -> int:
        return self._negation(self._and(self._negation(a), self._negation(b)))

    def _negation(self, a: int) -> int:
        made, nodes = self._not, self._nodes
        pending = [a]
        while pending:
            node = pending[-1]
            if node in made:
                pending.pop()
                continue
            level, cuts, kids = nodes[node]
            missing = [one for one in kids if one not in made]
            if missing:
                pending += missing
            else:
                negated = self._node(level, cuts, [made[kid] for kid in kids])
                made[node], made[negated] = negated, node
                pending.pop()
        return made[a]

    def _within(self, a: int, care: int) -> int:
        """A small diagram that equals ``a`` wherever ``care`` holds (the restrict of Coudert and Madre 1990)."""
        made: dict[tuple[int, int], int] = {}
        nodes = self._nodes
        none: Sequence[int] = ()
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
            if nodes[where][0] < nodes[node][0]:  # the variable does not matter to ``a``
                anywhere = _FALSE
                for kid in dict.fromkeys(nodes[where][2]):
                    anywhere = self._or(anywhere, kid)
                level, cuts, needed = _LAST, none, [(node, anywhere)]
            else:
                level, cuts, needed = self._pairs(node, where)
            missing = [one for one in needed if one[1] != _FALSE and one not in made]
            if missing:
                pending += missing
                continue
            # Values that do not matter go where their neighbours go.
            kids = [_FALSE if one[1] == _FALSE else made[one] for one in needed]
            matters = [i for i, one in enumerate(needed) if one[1] != _FALSE]
            nearest = matters[0]
            for i, one in enumerate(needed):
                if one[1] != _FALSE:
                    nearest = i
                kids[i] = kids[nearest]
            made[key] = kids[0] if level == _LAST else self._node(level, cuts, kids)
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
                pending += self._nodes[node][2]
        return sorted(found, key=lambda node: self._nodes[node][0])

    # --- back to terms ---

    def _conjuncts(self, a: int) -> tuple[Term, ...]:
        """Conditions that say together what a diagram says: what it leaves of single variables apart from the rest."""
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
        """What a diagram, which is not false, leaves of each variable by itself; not what it leaves as it is."""
        allowed, nodes = self._allowed, self._nodes
        for node in reversed(self._below(a)):
            if node in allowed:
                continue
            level, cuts, kids = nodes[node]
            found: dict[int, int] | None = None
            for kid in dict.fromkeys(kids):
                if kid == _FALSE:
                    continue
                below = allowed[kid]
                if found is None:
                    found = dict(below)
                    continue
                for known in [*found]:
                    either = self._or(found[known], below[known]) if known in below else _TRUE
                    if either == _TRUE:
                        del found[known]
                    else:
                        found[known] = either
            assert found is not None
            own = self._node(level, cuts, [_FALSE if kid == _FALSE else _TRUE for kid in kids])
            if own != _TRUE:
                found[level] = own
            allowed[node] = found
        return allowed[a]

    def _term(self, a: int) -> Value:
        """A diagram as a condition."""
        made: dict[int, Value] = {_FALSE: 0, _TRUE: 1}
        for node in reversed(self._below(a)):
            level, cuts, kids = self._nodes[node]
            variable = self._variables[level]
            last: int | None = None
            value: Value = 0
            for kid in sorted(dict.fromkeys(kids), key=lambda kid: (kid > _TRUE, kids.count(kid), kid), reverse=True):
                if last is None:
                    last, value = kid, made[kid]
                    continue
                there = _among(variable, cuts, [one == kid for one in kids])
                value = _one_of(there, made[kid], value)
            made[node] = value
        return made[a]


def _one_of(condition: Value, then: Value, other: Value) -> Value:
    """``then`` where the condition holds, else ``other``: conditions as conjunctions and negations."""
    if type(then) is int:
        return build.either(condition, other) if then else build.both(build.negate(condition), other)
    if type(other) is int:
        return build.either(build.negate(condition), then) if other else build.both(condition, then)
    return build.both(build.either(build.negate(condition), then), build.either(condition, other))


def _among(variable: Term, cuts: Sequence[int], chosen: Sequence[bool]) -> Value:
    """That a variable has a value of one of the chosen ranges."""
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
        return build.negate(build.disjunction([build.member(variable, *one) for one in others]))
    return build.disjunction([build.member(variable, *one) for one in ranges])


def _parts(term: Term) -> tuple[Term, ...]:
    """What a condition is made of: two conjuncts, one that it denies, the three of a choice, or nothing."""
    if term.op in ("not", "and"):
        return term.args
    if term.op == "ite":
        condition, a, b = term.args
        return condition, a, b
    return ()
