"""Where the solver gives up a query, the path goes on with values from its model: fewer paths, each of them real."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random

from unfork.logic.solve.chain import Chain
from unfork.logic.solve.path import PathCondition, Slice, parts_of, split
from unfork.logic.solve.route import read_by_hard
from unfork.logic.solve.solver import Answer, Feasibility, Sat, Unknown, Unsat
from unfork.logic.terms import build, fp
from unfork.logic.terms.evaluate import Model, evaluate, substitution
from unfork.logic.terms.term import Term, Value, constants_by_width, postorder, sort_terms

_SUBSTITUTIONS = 64
_TRIALS = 100
"""Inputs to try where a solver gave up: so `savings` of tests/logic/solve/sampled has 12 paths and not 6."""


class Sampling(Chain):
    """A chain that makes the path concrete where the solver gives up a branch.

    The operands of hard operations get their values from the path's model, as equalities, so that everything said of
    the path afterwards holds for it. The model satisfies the path, so there is such a path. The query's other paths
    are lost: that counts as ``sampled`` and, like every Unknown, as ``unknown``.

    Law: the path of an answer implies the path of the question, and has a model.
    """

    _hopeless: set[Term]
    """Conditions that the solver gave up. They are not tried again: other paths sample at once."""
    _sampled: set[Term]
    """Symbols with a fixed value on some path."""
    _substitutions: dict[frozenset[tuple[Term, int]], Callable[[Value], Value]]

    def forget(self) -> None:
        super().forget()
        self._hopeless, self._sampled, self._substitutions = set(), set(), {}

    def assume(self, path: PathCondition, condition: Value) -> Feasibility:
        return super().assume(path, self._under(path, condition))

    def branch(self, path: PathCondition, condition: Value) -> tuple[Feasibility, Feasibility]:
        """The path with ``condition`` (1 bit), and with its negation.

        If the solver gives up, the sides of a part of the path; a side that this part lacks is Unknown.
        """
        value = self._under(path, condition)
        yes, no = super().branch(path, value)
        lost: Unknown | None = None
        for reads in (read_by_hard, _symbols):
            unknown = yes if isinstance(yes, Unknown) else no
            if not isinstance(unknown, Unknown) or not isinstance(value, Term):
                break
            lost = lost or unknown
            path = self._sample(path, value, reads((value,)))
            value = self._under(path, value)
            yes, no = super().branch(path, value)
        if lost is None:
            return yes, no
        self.statistics.sampled += 1
        return lost if isinstance(yes, Unsat) else yes, lost if isinstance(no, Unsat) else no

    def must(self, path: PathCondition, condition: Value) -> bool:
        return super().must(path, self._under(path, condition))

    def values(self, path: PathCondition, value: Value, width: int, limit: int) -> tuple[list[int], bool]:
        return super().values(path, self._under(path, value), width, limit)

    def bounds(self, path: PathCondition, value: Value, width: int) -> tuple[int, int]:
        return super().bounds(path, self._under(path, value), width)

    def _sample(self, path: PathCondition, condition: Term, symbols: frozenset[Term]) -> PathCondition:
        """The part of the path on which ``symbols`` have their values in its model, without those in other slices."""
        base = self._base(path, condition)
        values = {s: base.model.values.get(s, 0) for s in sort_terms(symbols)}
        self._sampled.update(values)
        equalities = [_term(build.eq(s, value, s.width)) for s, value in values.items()]
        slices = [
            self._intern(Slice((equality,), frozenset((equality,)), equality.symbols, Model({s: values[s]})))
            for s, equality in zip(values, equalities, strict=True)
        ]
        known = substitution(values)
        rest = [part for each in base.constraints if isinstance(left := known(each), Term) for part in parts_of(left)]
        slices += map(self._intern, split(self._empty, rest, base.model)) if rest else []
        others = {s: part for s, part in path.slices.items() if s not in base.symbols}
        return PathCondition(path.trail, path.length, others).extended(equalities, slices)

    def _under(self, path: PathCondition, value: Value) -> Value:
        """The value under the path's values for its symbols, if those were sampled."""
        if not isinstance(value, Term) or self._sampled.isdisjoint(value.symbols):
            return value
        held = {s: number for s in value.symbols & self._sampled if (number := _held(path, s)) is not None}
        if not held:
            return value
        key = frozenset(held.items())
        replaced = self._substitutions.get(key)
        if replaced is None:
            if len(self._substitutions) >= _SUBSTITUTIONS:
                del self._substitutions[next(iter(self._substitutions))]
            replaced = self._substitutions[key] = substitution(held)
        return replaced(value)

    def _ask(self, base: Slice, conditions: Sequence[Value]) -> Answer:
        terms = [each for each in conditions if isinstance(each, Term)]
        reason = "it was given up before"
        if self._hopeless.isdisjoint(terms):
            answer = super()._ask(base, conditions)
            if not isinstance(answer, Unknown):
                return answer
            self._hopeless.update(terms)
            self.statistics.unknown -= 1
            reason = answer.reason
        model = self._by_trial(base, terms)
        if model is not None:
            self.statistics.sat += 1
            return Sat(model)
        self.statistics.unknown += 1
        return Unknown(f"sampled: {reason}")

    def _by_trial(self, base: Slice, conditions: Sequence[Term]) -> Model | None:
        """A model of the slice and the conditions among inputs close to known ones."""
        symbols = sort_terms(_symbols(conditions))
        if not symbols:
            return base.model
        self.effort.ticks += _TRIALS
        pools = constants_by_width(postorder(conditions))
        chance = Random(conditions[0].digest)
        for _ in range(_TRIALS):
            values = dict(base.model.values)
            for symbol in chance.sample(symbols, min(chance.randint(1, 2), len(symbols))):
                values[symbol] = _candidate(symbol.width, pools.get(symbol.width, ()), chance)
            model = Model(values)
            if all(evaluate(each, model) for each in (*conditions, *base.constraints)):
                return model
        return None


def _symbols(conditions: Iterable[Term]) -> frozenset[Term]:
    """The symbols that the conditions read."""
    return frozenset().union(*[condition.symbols for condition in conditions])


def _candidate(width: int, constants: Sequence[int], chance: Random) -> int:
    """A value to try: any bits, a small number, or one near a constant, as an integer or as a double."""
    near = chance.choice(constants) if constants else 0
    small = chance.randint(-2, 10)
    float_bits = fp.from_int(small & 0xFF, 8, True, "double" if width == 64 else "float") if width in (32, 64) else near
    choices = (chance.getrandbits(width), small, near, near + small, float_bits, near ^ 1 << chance.randrange(width))
    return chance.choice(choices) & (1 << width) - 1


def _held(path: PathCondition, symbol: Term) -> int | None:
    """The value that an equality of the path gives a symbol."""
    part = path.slices.get(symbol)
    if part is None:
        return None
    value = part.model.values.get(symbol, 0)
    return value if build.eq(symbol, value, symbol.width) in part.members else None


def _term(value: Value) -> Term:
    assert isinstance(value, Term)
    return value
