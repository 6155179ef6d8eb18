"""The numeric half of covering (Anand06, Definition 2): one path allows all values that the other allows.

For all v1: if PC1(v1), then for some v2: PC2(v2), and each value of the second state equals that of the first.
Nearly always the v2 can be read off: a cell that is a bare symbol of the second state equals the first's value in
its place; x + 1 there makes x one less; a symbol that is only bounded may be its greatest lower bound. Substituted
symbols need no quantifier. The remaining ones are found by counterexamples: a v1 that fits no choice so far has a v2
of its own, or there is none and the path is not covered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod

from unfork.logic.solve.chain import Chain
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.solver import Unsat
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import evaluate, substitute
from unfork.logic.terms.term import Term, Value, sort_terms
from unfork.logic.terms.term_table import symbol
from unfork.reduce.prune.contract import ContainmentProof, Differ, Pair

ROUNDS = 4
"""Counterexamples to answer before giving up."""
ANY = "any "
"""Prefix of unknown symbols of the second path."""
MOST_CONSTRAINTS = 2000
MOST_CHOICES = 32
"""Ways to choose the symbols of a covering path, in one proof."""
PATH, VALUES, LARGE = "path condition", "different values", "large path condition"


class Implication:
    """Decides whether one path's values are among another's; ``chain``'s Unknown never counts as yes."""

    def __init__(self, chain: Chain) -> None:
        self._chain = chain

    def prove(self, path: PathCondition, other: PathCondition, pairs: Sequence[Pair]) -> ContainmentProof:
        """The proof that ``path`` with its values in ``pairs`` is among what ``other`` allows. Raises Differ."""
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
        """Values for the unknown symbols of a group of conditions under which these hold, wherever ``path`` does."""
        chain = self._chain
        together = build.conjunction(group)
        if not isinstance(together, Term):
            if together:
                return 1, []
            raise Differ(PATH)
        symbols = [s for s in sort_terms(together.symbols) if s in unknown]
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
    """The determined symbols of the second path: first those that stand alone, then those that can be solved for."""
    known: dict[Term, Value] = {}
    open_ones = []
    for one, its, width in pairs:
        if isinstance(its, Term):
            if its.op == "symbol":
                known.setdefault(its, one)
            else:
                open_ones.append((one, its, width))
    for way in (solve, unify):
        before = -1
        while before != len(known):
            before = len(known)
            for one, its, _ in open_ones:
                if not its.symbols <= known.keys():
                    known.update(way(its, one, known))
    return known


def _about(path: PathCondition, pairs: Sequence[Pair]) -> list[Term]:
    """The second path's conditions on the symbols of its values; the rest can hold independently."""
    symbols: set[Term] = set()
    for _, its, _ in pairs:
        if isinstance(its, Term):
            symbols |= its.symbols
    return [constraint for part in path.touched(sort_terms(symbols)) for constraint in part.constraints]


def _free(pairs: Sequence[Pair], constraints: Sequence[Term], known: Mapping[Term, Value]) -> list[Term]:
    symbols: set[Term] = set()
    for term in (*[its for _, its, _ in pairs], *constraints):
        if isinstance(term, Term):
            symbols |= term.symbols
    return sort_terms(symbols - known.keys())


def _groups(conditions: Sequence[Term], unknown: frozenset[Term]) -> list[list[Term]]:
    """The conditions, grouped by the unknown symbols that connect them."""
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
) -> ContainmentProof:
    """All that was proved, and the values of the second path's symbols."""
    obligations = [*plain, *[condition for condition, _ in choices if isinstance(condition, Term)]]
    found = [tries for _, tries in choices if tries]
    if prod(map(len, found)) > MOST_CHOICES:
        raise Differ("existential symbols")
    substitutions = []
    for tries in product(*found):
        chosen = {key: value for one in tries for key, value in one.items()}
        mine = {s: chosen.get(fresh, 0) for s, fresh in open_symbols.items()}
        substitutions.append({**known, **mine})
    return ContainmentProof(tuple(obligations), tuple(substitutions))


_ORDERS = {"unsigned": build.ule, "signed": build.sle}


def solve(term: Term, value: Value, known: Mapping[Term, Value]) -> dict[Term, Value]:
    """The symbols that ``term == value`` determines, where one operand at a time is unknown."""
    solutions: dict[Term, Value] = {}
    waiting: list[tuple[Term, Value]] = [(term, value)]
    while waiting:
        term, value = waiting.pop()
        args, width = term.args, term.width
        match term.op:
            case "symbol":
                if term not in known:
                    solutions.setdefault(term, value)
            case "concat":
                low = args[1].width
                waiting.append((args[0], build.extract(value, low, args[0].width)))
                waiting.append((args[1], build.extract(value, 0, low)))
            case "zext" | "sext":
                waiting.append((args[0], build.extract(value, 0, args[0].width)))
            case "not":
                waiting.append((args[0], build.not_(value, width) if width > 1 else build.negate(value)))
            case "neg":
                waiting.append((args[0], build.neg(value, width)))
            case "add" | "xor":
                unknown = [a for a in args if not a.symbols <= known.keys()]
                if len(unknown) == 1:
                    other = args[1] if args[0] is unknown[0] else args[0]
                    rest = substitute(other, known) if other.op != "const" else other.value
                    inverse = build.sub if term.op == "add" else build.xor
                    waiting.append((unknown[0], inverse(value, rest, width)))
    return solutions


def unify(term: Term, value: Value, known: Mapping[Term, Value]) -> dict[Term, Value]:
    """The symbols of ``term`` as the corresponding parts of ``value``, if both were computed alike."""
    solutions: dict[Term, Value] = {}
    if not isinstance(value, Term):
        return solutions
    waiting = [(term, value)]
    met: set[tuple[Term, Term]] = set()
    while waiting:
        pair = waiting.pop()
        mine, its = pair
        if pair in met:
            continue
        met.add(pair)
        if mine.op == "symbol":
            if mine not in known:
                solutions.setdefault(mine, its.value if its.op == "const" else its)
        elif (mine.op, mine.width, mine.parameter, len(mine.args)) == (its.op, its.width, its.parameter, len(its.args)):
            waiting.extend([one for one in zip(mine.args, its.args, strict=True) if one[0].width == one[1].width])
    return solutions


def bounded_values(conditions: Sequence[Term], symbols: Sequence[Term]) -> dict[Term, Value]:
    """For each symbol its greatest lower bound, else its least upper bound, under the other symbols' values; else 0."""
    chosen: dict[Term, Value] = {}
    left = list(symbols)
    while left:
        s = next((one for one in left if _bounds(conditions, one, left) != ([], [], [])), left[0])
        left.remove(s)
        equal, low, high = _bounds(conditions, s, [*left, s])
        chosen[s] = 0
        if equal:
            chosen[s] = substitute(equal[0], chosen)
        elif low or high:
            order, first = (low or high)[0]
            value = substitute(first, chosen)
            for its_order, bound in (low or high)[1:]:
                if its_order == order:
                    bound = substitute(bound, chosen)
                    is_better = _ORDERS[order](value, bound, s.width) if low else _ORDERS[order](bound, value, s.width)
                    value = build.ite(is_better, bound, value, s.width)
            chosen[s] = value
    return chosen


_COMPARISONS = {
    "eq": ("equal", False),
    "ule": ("unsigned", False),
    "ult": ("unsigned", True),
    "sle": ("signed", False),
    "slt": ("signed", True),
}
Bounds = list[tuple[str, Value]]


def _bounds(conditions: Sequence[Term], s: Term, unknown: Sequence[Term]) -> tuple[list[Value], Bounds, Bounds]:
    """The conditions on ``s`` alone: values that it equals, lower bounds, upper bounds.

    A bound that it must not equal is moved by one.
    """
    equal: list[Value] = []
    low: Bounds = []
    high: Bounds = []
    apart: list[Value] = []
    for condition in conditions:
        is_negated = condition.op == "not"
        term = condition.args[0] if is_negated else condition
        if term.op not in _COMPARISONS:
            continue
        a, b = term.args
        other = b if a is s else a if b is s else None
        if other is None or not other.symbols.isdisjoint(unknown):
            continue
        value: Value = other.value if other.op == "const" else other
        order, is_strict = _COMPARISONS[term.op]
        strict = 1 if is_strict != is_negated else 0
        if order == "equal":
            (apart if is_negated else equal).append(value)
        elif (a is s) != is_negated:
            high.append((order, build.sub(value, strict, s.width)))
        else:
            low.append((order, build.add(value, strict, s.width)))
    low = [(order, build.add(one, 1, s.width) if one in apart else one) for order, one in low]
    high = [(order, build.sub(one, 1, s.width) if one in apart else one) for order, one in high]
    return equal, low, high
