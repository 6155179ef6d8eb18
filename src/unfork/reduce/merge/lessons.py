"""Predicates that failures teach about forgotten values: found at the failure, applied where states meet again.

For a failure, the true values are put back: the ite of both sides, as an exact join would have it, in place of each
forgotten value. If the failure is unsatisfiable then, the conditions of its unsat core must also exclude each other
at the join. Symbols of forgotten values are new in each exploration; the variable that held a value, or else the
pair of values that met, stays the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import monotonic

from unfork.logic.solve.chain import Chain
from unfork.logic.solve.path import Trail
from unfork.logic.solve.solver import Unknown, Unsat
from unfork.logic.terms import build
from unfork.logic.terms.boolean import conjuncts
from unfork.logic.terms.c_terms import words
from unfork.logic.terms.evaluate import substitute, substitution
from unfork.logic.terms.term import Term, Value, postorder
from unfork.logic.terms.term_table import symbol
from unfork.program.facts.merge_points import Mark
from unfork.reduce.invariants.havoc import HAVOC
from unfork.reduce.merge.inference import NAMELESS
from unfork.reduce.merge.scope import Pair

Values = tuple[Value, Value, Value]
"""The values on both sides of a join, and the joined one."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """What a symbol stood for: a number in ``variables`` (name, depth of frame) whose sides were ``pair``.

    For an origin, the number's possible values on the first side; None if these are not constants, or are possible
    on the second side, too.
    """

    variables: tuple[tuple[str, int], ...]
    pair: Pair
    is_origin: bool = False
    firsts: tuple[int, ...] | None = None

    def named(self) -> Value:
        """The meaning of the symbol, named by its variable if there is one."""
        number = symbol(self.variables[0][0] if self.variables else NAMELESS, self.pair[2])
        return _is_one_of(number, self.firsts or self.pair[:1], number.width) if self.is_origin else number


Found = Callable[[Likeness], Values | None]
"""The values at a join that resemble those of a symbol."""


@dataclass(frozen=True, slots=True)
class LearntCondition:
    """A condition (1 bit) over symbols of forgotten values, and how to recognise these."""

    condition: Term
    likeness: Mapping[Term, Sequence[Likeness]]

    def meaning(self) -> Value:
        """The condition with names that are the same in each exploration."""
        ways = {term: self.likeness.get(term) for term in self._terms()}
        return _same_name(substitute(self.condition, {term: way[0].named() for term, way in ways.items() if way}))

    def text(self) -> str:
        """The condition as text."""
        return words(self.meaning(), 1, signed=False)

    def at(self, found: Found) -> Values | None:
        """The condition for both sides and for the joined state; None if it mentions other values."""
        mappings: tuple[dict[Term, Value], ...] = ({}, {}, {})
        for term in self._terms():
            for likeness in self.likeness.get(term, ()):
                values = found(likeness)
                if values is not None:
                    break
            else:
                return None
            for mapping, value in zip(mappings, values, strict=True):
                mapping[term] = value
        first, second, joined = [substitute(self.condition, mapping) for mapping in mappings]
        return first, second, joined

    def _terms(self) -> list[Term]:
        """The symbols of forgotten values."""
        return _forgotten(self.condition)


def alike(values: Values, pair: Pair, likeness: Likeness, origin: Term | None) -> Values | None:
    """The meaning of a symbol where a number like its own has ``values`` with the sides ``pair``."""
    if not likeness.is_origin:
        return values
    if likeness.firsts is not None:
        first, second, joined = [_is_one_of(value, likeness.firsts, pair[2]) for value in values]
        return first, second, joined
    sides, others = same_names(pair), same_names(likeness.pair)
    if origin is None or sides not in (others, others[::-1]):
        return None
    return (1, 0, origin) if sides == others else (0, 1, build.negate(origin))


def same_names(pair: Pair) -> tuple[Value, Value]:
    """The sides of a pair, comparable with those of another exploration."""
    return _same_name(pair[0]), _same_name(pair[1])


def _same_name(value: Value) -> Value:
    """A value in which all forgotten values have one name, by width."""
    if not isinstance(value, Term):
        return value
    return substitute(value, {term: symbol(HAVOC, term.width) for term in _forgotten(value)})


def _forgotten(term: Term) -> list[Term]:
    return sorted([each for each in term.symbols if each.name.startswith(HAVOC)], key=lambda each: each.name)


def _is_one_of(value: Value, others: Sequence[Value], width: int) -> Value:
    return build.disjunction([build.eq(value, each, width) for each in others])


MOST_CHECKS = 64
"""Queries about all failures of an exploration; after the first without an answer, there are no more."""
PATIENCE = 2.0
"""Seconds for a query."""
MOST_CONDITIONS = 1_000
"""A failure with more conditions is not analysed."""
MOST_IN_CORE = 8
MOST_ATOMS = 12
LEAST = 0.01
"""Seconds of a query that comes too late."""
_ATOMS = ("eq", "ult", "slt")


@dataclass(frozen=True, slots=True)
class Forgot:
    """What one join forgot: for its symbols the true values, and their likenesses; and its other knowledge."""

    mark: Mark
    truth: Mapping[Term, Value]
    likeness: Mapping[Term, Sequence[Likeness]]
    trail: Trail | None
    """The joined path before anything was inferred."""

    def known(self) -> set[Term]:
        """The conditions of the joined path."""
        known: set[Term] = set()
        trail = self.trail
        while trail is not None:
            trail, condition = trail
            known.add(condition)
        return known


class Restoring:
    """Puts true values back into the failures of one exploration, with a budget of queries to ``chain``'s solver."""

    def __init__(self, chain: Chain) -> None:
        self._chain = chain
        self.queries = 0
        self._gives_up = False

    def learnt(self, conditions: Sequence[Term], forgotten: Mapping[Term, Forgot]) -> dict[Mark, list[LearntCondition]]:
        """Predicates by program point that exclude a failure under ``conditions``; none if it may be real.

        ``forgotten`` has the symbols of all joins, the latest last.
        """
        if len(conditions) > MOST_CONDITIONS:
            return {}
        order = {
            id(join): number for number, join in enumerate({id(each): each for each in forgotten.values()}.values())
        }
        levels: list[tuple[Forgot, list[Value]]] = []
        now: list[Value] = list(conditions)
        while (latest := _latest(now, forgotten, order)) is not None:
            levels.append((latest, now))
            put_back = substitution(latest.truth)
            now = [put_back(each) for each in now]
        core = self._core(now) if levels else []
        if not core or len(core) > MOST_IN_CORE:
            return {}
        lessons: dict[Mark, list[LearntCondition]] = {}
        likeness = {term: ways for join, _ in levels for term, ways in join.likeness.items()}
        for (join, before), (_, after) in zip(levels, [*levels[1:], (None, now)], strict=True):
            if join.mark not in lessons and any(join.truth.keys() & _symbols(before[index]) for index in core):
                lessons[join.mark] = _learnt(join, [before[index] for index in core], likeness)
            if self._excluded([after[index] for index in core]):
                break
        return lessons

    def _core(self, conditions: Sequence[Value]) -> list[int]:
        """The conditions that exclude each other, minimised as far as checks allow; none if they do not."""
        kept = list(range(len(conditions)))
        if not self._excluded(conditions):
            return []
        step = max(len(kept) // 2, 1)
        while True:
            at = 0
            while at < len(kept) and not self._gives_up:
                fewer = kept[:at] + kept[at + step :]
                if self._excluded([conditions[index] for index in fewer]):
                    kept = fewer
                else:
                    at += step
            if step == 1 or self._gives_up:
                return kept
            step = max(step // 2, 1)

    def _excluded(self, conditions: Sequence[Value]) -> bool:
        """Whether the conditions cannot all hold."""
        if any(isinstance(each, int) and not each for each in conditions):
            return True
        terms = list(dict.fromkeys([each for each in conditions if isinstance(each, Term)]))
        if not terms or self._gives_up:
            return False
        self.queries += 1
        left = self._chain.deadline - monotonic()
        answer = self._chain.solver.check(terms, max(min(self._chain.timeout, PATIENCE, left), LEAST))
        self._gives_up = isinstance(answer, Unknown) or self.queries == MOST_CHECKS or left < 0
        return isinstance(answer, Unsat)


def _latest(conditions: Sequence[Value], forgotten: Mapping[Term, Forgot], order: Mapping[int, int]) -> Forgot | None:
    """The latest join on which the conditions depend."""
    joins = {id(join): join for each in conditions for s in _symbols(each) if (join := forgotten.get(s)) is not None}
    return max(joins.values(), key=lambda join: order[id(join)], default=None)


def _symbols(value: Value) -> frozenset[Term]:
    return value.symbols if isinstance(value, Term) else frozenset()


def _learnt(join: Forgot, core: Sequence[Value], likeness: Mapping[Term, Sequence[Likeness]]) -> list[LearntCondition]:
    """The atoms of a core over a join's forgotten values, in either polarity, that its other knowledge does not
    exclude.
    """
    known = join.known()
    conditions = [each for each in core if isinstance(each, Term) and each not in known]
    atoms = [
        atom
        for atom in postorder(tuple(conditions))
        if atom.op in _ATOMS and join.truth.keys() & atom.symbols and atom not in conditions
    ]
    whole = build.negate(build.conjunction(conditions))
    parts = [build.negate(part) for each in conditions for part in conjuncts(each, MOST_ATOMS)]
    either = [each for atom in atoms[:MOST_ATOMS] for each in (atom, build.negate(atom))]
    terms = dict.fromkeys([each for each in (*parts, *either, whole) if isinstance(each, Term)])
    return [LearntCondition(each, likeness) for each in terms if join.truth.keys() & each.symbols]
