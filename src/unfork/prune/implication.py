"""The numeric half of covering (Anand06, Definition 2): whatever the one path allows, the other allows, value by value.

For all v1: if PC1(v1), then for some v2: PC2(v2), and each value of the second state is that of the first. Nearly
always the v2 can be read off: a cell that is a bare symbol of the second state is worth what the first has in its
place, x + 1 there makes x one less, and a symbol that is only bounded may be its greatest lower bound. What is
substituted needs no quantifier. Symbols that are left are looked for by counterexamples: a v1 that no choice so far
fits has a v2 of its own, or there is none and the path is not covered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod

from unfork.logic import build
from unfork.logic.chain import Chain
from unfork.logic.evaluate import evaluate, substitute
from unfork.logic.path import PathCondition
from unfork.logic.solver import Unsat
from unfork.logic.term import Term, Value, ordered, symbol
from unfork.prune.contract import Differ, Pair, Proof
from unfork.prune.solve import bounded_values, solved, unified

ROUNDS = 4
"""Counterexamples that are answered before nobody knows."""
ANY = "any "
"""Names of symbols of the second path begin so where nothing is known of them yet."""
MOST_CONSTRAINTS = 2000
MOST_CHOICES = 32
"""Ways to choose the symbols of a covering path, in one proof."""
PATH, VALUES, LARGE = "path condition", "different values", "large path condition"


class Implication:
    """Decides whether one path's values are among another's; asks ``chain``, whose Unknown is never a yes."""

    def __init__(self, chain: Chain) -> None:
        self._chain = chain

    def prove(self, path: PathCondition, other: PathCondition, pairs: Sequence[Pair]) -> Proof:
        """The proof that ``path`` with its values of ``pairs`` is among what ``other`` allows. Raises Differ."""
        pairs = list(dict.fromkeys(pairs))
        chain = self._chain
        for one, its, _ in pairs:
            if its.__class__ is int and chain.evaluate(path, one) != its:
                raise Differ(VALUES)
        known = _bound(pairs)
        constraints = _about(other, pairs)
        if len(constraints) > MOST_CONSTRAINTS:
            raise Differ(LARGE)
        free = _free(pairs, constraints, known)
        open_symbols = {s: symbol(ANY + s.name, s.width) for s in free}
        every: dict[Term, Value] = {**known, **open_symbols}
        equal = [build.eq(substitute(its, every), one, width) for one, its, width in pairs]
        allowed = [substitute(constraint, every) for constraint in constraints]
        unknown = frozenset(open_symbols.values())
        plain: list[Term] = []
        open_ones: list[Term] = []
        for condition, reason in [*((one, VALUES) for one in equal), *((one, PATH) for one in allowed)]:
            if condition == 0:
                raise Differ(reason)
            if not isinstance(condition, Term):
                continue
            if unknown.isdisjoint(condition.symbols):
                if not chain.must(path, condition):
                    raise Differ(reason)
                plain.append(condition)
            else:
                open_ones.append(condition)
        choices = [self._choose(path, group, unknown) for group in _groups(open_ones, unknown)]
        return _proof(known, open_symbols, plain, choices)

    def _choose(
        self, path: PathCondition, group: Sequence[Term], unknown: frozenset[Term]
    ) -> tuple[Value, list[dict[Term, Value]]]:
        """Values of the unknown symbols of a group of conditions that make them hold, wherever ``path`` does."""
        chain = self._chain
        together = build.conjunction(group)
        if not isinstance(together, Term):
            if together:
                return 1, []
            raise Differ(PATH)
        symbols = [s for s in ordered(together.symbols) if s in unknown]
        tries: list[dict[Term, Value]] = []
        failing: Value = 1
        for number in range(ROUNDS + 2):
            if number == 0:
                chosen = bounded_values(group, symbols)
            elif number == 1:
                chosen = {s: symbol(s.name.removeprefix(ANY), s.width) for s in symbols}
            else:
                counterexample = chain.assume(path, failing)
                if isinstance(counterexample, Unsat):
                    return _any_of(together, tries), tries
                if not isinstance(counterexample, PathCondition):
                    raise Differ("solver gave up")
                values = counterexample.model().values
                here = {s: values.get(s, 0) for s in together.symbols if s not in unknown}
                answer = chain.assume(PathCondition.EMPTY, substitute(together, here))
                if isinstance(answer, Unsat):
                    raise Differ(PATH)
                if not isinstance(answer, PathCondition):
                    raise Differ("solver gave up")
                mine = answer.model()
                chosen = {s: evaluate(s, mine) for s in symbols}
            tries.append(chosen)
            failing = build.both(failing, build.negate(substitute(together, chosen)))
            if failing == 0:
                return _any_of(together, tries), tries
        raise Differ("existential symbols")


def _bound(pairs: Sequence[Pair]) -> dict[Term, Value]:
    """What the symbols of the second path must be: those that stand alone first, then those that can be solved for."""
    known: dict[Term, Value] = {}
    open_ones = []
    for one, its, width in pairs:
        if isinstance(its, Term):
            if its.op == "symbol":
                known.setdefault(its, one)
            else:
                open_ones.append((one, its, width))
    for way in (solved, unified):
        before = -1
        while before != len(known):
            before = len(known)
            for one, its, _ in open_ones:
                if not its.symbols <= known.keys():
                    known.update(way(its, one, known))
    return known


def _about(path: PathCondition, pairs: Sequence[Pair]) -> list[Term]:
    """What the second path says of the symbols of its values; whatever they are, the rest can hold."""
    symbols: set[Term] = set()
    for _, its, _ in pairs:
        if isinstance(its, Term):
            symbols |= its.symbols
    return [constraint for part in path.touched(ordered(symbols)) for constraint in part.constraints]


def _free(pairs: Sequence[Pair], constraints: Sequence[Term], known: Mapping[Term, Value]) -> list[Term]:
    symbols: set[Term] = set()
    for term in (*[its for _, its, _ in pairs], *constraints):
        if isinstance(term, Term):
            symbols |= term.symbols
    return ordered(symbols - known.keys())


def _groups(conditions: Sequence[Term], unknown: frozenset[Term]) -> list[list[Term]]:
    """The conditions by the unknown symbols that connect them."""
    groups: list[tuple[set[Term], list[Term]]] = []
    for condition in conditions:
        symbols = {s for s in condition.symbols if s in unknown}
        members = [condition]
        apart = []
        for its, others in groups:
            if symbols.isdisjoint(its):
                apart.append((its, others))
            else:
                symbols |= its
                members = others + members
        groups = [*apart, (symbols, members)]
    return [members for _, members in groups]


def _any_of(together: Term, tries: Sequence[Mapping[Term, Value]]) -> Value:
    return build.disjunction([substitute(together, chosen) for chosen in tries])


def _proof(
    known: Mapping[Term, Value],
    open_symbols: Mapping[Term, Term],
    plain: Sequence[Term],
    choices: Sequence[tuple[Value, list[dict[Term, Value]]]],
) -> Proof:
    """Everything that was proved, and what the second path's symbols are worth."""
    obligations = [*plain, *[condition for condition, _ in choices if isinstance(condition, Term)]]
    found = [tries for _, tries in choices if tries]
    if prod(map(len, found)) > MOST_CHOICES:
        raise Differ("existential symbols")
    substitutions = []
    for tries in product(*found):
        chosen = {key: value for one in tries for key, value in one.items()}
        mine = {s: chosen.get(fresh, 0) for s, fresh in open_symbols.items()}
        substitutions.append({**known, **mine})
    return Proof(tuple(obligations), tuple(substitutions))
