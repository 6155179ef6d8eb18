"""Between a path and the solver: reuses models, splits slices, caches answers, narrows ranges; a query comes last."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic, perf_counter
from typing import TypeAlias

from unfork.logic.solve.byte_domains import WIDEST, ByteSets, everything, least
from unfork.logic.solve.path import PathCondition, Slice, join, parts_of, split
from unfork.logic.solve.recent import Recent
from unfork.logic.solve.route import MOMENT
from unfork.logic.solve.solver import FOREVER, Answer, Effort, Feasibility, Sat, Solver, Statistics, Unknown, Unsat
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.known_bits import trailing_zeros
from unfork.logic.terms.term import Term, Value

_Side: TypeAlias = "tuple[Slice, ...] | Unsat | Unknown"
"""The outcome for a slice under a condition: the slices that replace it if it is feasible."""

_FALSE = Unsat()
_CACHED = 40_000
"""Entries of each table."""
_MODELS = 2
_REFUTED = 8
_WARM = 256
_LEAST_PATIENCE = 0.1
_OVER = "the time of the run is over"
GRACE = 1.0
"""Seconds after the deadline in which queries may still start: a step under way may need a few."""


class Chain:
    """Answers feasibility under path conditions with as few solver queries as it can.

    Law: every answer is the one that the solver alone would give; only the model that a path carries may differ.
    Each slice of a path has a model, so one side of each branch is feasible for free, and a branch costs at most one
    query. Constraints on a single byte that rule a side out cost none, nor does a slice about one byte. Unknown is
    handed back, never read as Unsat.
    """

    def __init__(
        self,
        solver: Solver,
        timeout: float = FOREVER,
        statistics: Statistics | None = None,
        deadline: float = FOREVER,
        asked: Callable[[float], None] = lambda seconds: None,
        effort: Effort | None = None,
    ) -> None:
        self.solver = solver
        self.timeout = timeout
        self.deadline = deadline
        """Time (``monotonic``) at which the run ends; no query may take longer."""
        self.last = FOREVER
        """Time from which on all answers are Unknown, so that a step ends that asks without end."""
        self.statistics = Statistics() if statistics is None else statistics
        self.asked = asked
        """Gets the seconds of each query."""
        self.effort = Effort() if effort is None else effort
        """Counts the solver's work."""
        self.hard_ticks = 0
        """Ticks of the queries that took MOMENT or more."""
        self.forget()

    def forget(self) -> None:
        """Drop every cache, the solver's too, when memory is short."""
        self._slices: Recent[frozenset[Term], Slice] = Recent(_CACHED)
        self._sides: Recent[tuple[frozenset[Term], Term], _Side] = Recent(_CACHED)
        self._models: Recent[frozenset[Term], list[Model]] = Recent(_CACHED)
        self._refuted: Recent[Term, list[frozenset[Term]]] = Recent(_CACHED)
        """For a condition, constraints that contradict it."""
        self._warm: dict[int, Model] = {}
        self._ranges: Recent[tuple[frozenset[Term], Term], tuple[int, int]] = Recent(_CACHED)
        self._bytes = ByteSets()
        self._left: Recent[tuple[frozenset[Term], Term], int] = Recent(_CACHED)
        """The values of a byte that a slice about nothing else allows."""
        self._empty = Slice((), frozenset(), frozenset(), Model({}))
        self.solver.forget()

    # --- questions about a path ---

    def assume(self, path: PathCondition, condition: Value) -> Feasibility:
        """The path on which ``condition`` (1 bit) holds too."""
        if not isinstance(condition, Term):
            return path if condition else _FALSE
        queries = self.statistics.queries
        base = self._base(path, condition)
        side = self._side(base, condition)
        self.statistics.answered_without += queries == self.statistics.queries
        return self._take(path, base, condition, side)

    def branch(self, path: PathCondition, condition: Value) -> tuple[Feasibility, Feasibility]:
        """The path with ``condition`` (1 bit), and with its negation; the path itself where the other side is Unsat."""
        if not isinstance(condition, Term):
            return (path, _FALSE) if condition else (_FALSE, path)
        queries = self.statistics.queries
        base = self._base(path, condition)
        negation = build.negate(condition)
        assert isinstance(negation, Term)
        yes = self._side(base, condition)
        no = self._side(base, negation)
        self.statistics.answered_without += queries == self.statistics.queries
        if isinstance(no, Unsat):
            return path, no
        if isinstance(yes, Unsat):
            return yes, path
        return self._take(path, base, condition, yes), self._take(path, base, negation, no)

    def must(self, path: PathCondition, condition: Value) -> bool:
        """Whether ``condition`` (1 bit) is proved to hold on the whole path."""
        if not isinstance(condition, Term):
            return condition != 0
        base = self._base(path, condition)
        if condition in base.members:
            return True
        negation = build.negate(condition)
        assert isinstance(negation, Term)
        queries = self.statistics.queries
        side = self._side(base, negation)
        self.statistics.answered_without += queries == self.statistics.queries
        return isinstance(side, Unsat)

    def evaluate(self, path: PathCondition, value: Value) -> int:
        """One feasible value, under the model that the path carries."""
        if not isinstance(value, Term):
            return value
        return self._value(value, self._base(path, value).model)

    def values(self, path: PathCondition, value: Value, width: int, limit: int) -> tuple[list[int], bool]:
        """Up to ``limit`` feasible values of ``value`` (``width`` bits), ascending, and whether these are all."""
        if not isinstance(value, Term):
            return [value], True
        base = self._base(path, value)
        values = [evaluate(value, base.model)]
        excluded: list[Term] = []
        while True:
            other = build.ne(value, values[-1], width)
            if not isinstance(other, Term):
                break
            excluded.append(other)
            answer = self._ask(base, excluded)
            if not isinstance(answer, Sat):
                return sorted(values), isinstance(answer, Unsat)
            if len(values) >= limit:
                return sorted(values), False
            values.append(evaluate(value, answer.model))
        return sorted(values), True

    def bounds(self, path: PathCondition, value: Value, width: int) -> tuple[int, int]:
        """Unsigned bounds of ``value`` (``width`` bits) on the path: the tightest, unless the solver gives up."""
        if not isinstance(value, Term):
            return value, value
        base = self._base(path, value)
        bounds = self._ranges.get((base.members, value))
        if bounds is None:
            bounds = tightest(self._ask, base, value, self._value(value, base.model))
            self._ranges[base.members, value] = bounds
        return bounds

    # --- slices ---

    def _base(self, path: PathCondition, value: Term) -> Slice:
        """All that the path knows of the symbols of ``value``, as one slice."""
        touched = path.touched(value.symbols)
        if len(touched) == 1:
            return touched[0]
        return self._intern(join(touched)) if touched else self._empty

    def _intern(self, part: Slice) -> Slice:
        """The slice to use for these constraints: paths that assume the same share cached answers."""
        known = self._slices.get(part.members)
        if known is None:
            known = self._slices[part.members] = part
        return known

    def _take(self, path: PathCondition, base: Slice, condition: Term, side: _Side) -> Feasibility:
        if not isinstance(side, tuple):
            return side
        if condition in base.members:
            return path
        return path.extended(parts_of(condition), side)

    def _side(self, base: Slice, condition: Term) -> _Side:
        """The outcome for ``base`` under ``condition``: cached, else from a known model, else from the solver."""
        sides = self._sides
        side = sides.get((base.members, condition))
        if side is not None:
            return side
        if self.last != FOREVER and monotonic() > self.last:
            return Unknown(_OVER)
        side = self._decide_side(base, condition)
        sides[base.members, condition] = side
        return side

    def _decide_side(self, base: Slice, condition: Term) -> _Side:
        if condition in base.members:
            return (base,)
        symbol = _byte(condition)
        if symbol is None:
            model = self._known_model(base, condition, self._value(condition, base.model))
        else:
            wanted = self._bytes.of(condition, symbol)
            left = wanted & self._values_left(base, symbol)
            if not left:
                return _FALSE
            holds = wanted >> base.model.values.get(symbol, 0) & 1
            if base.symbols <= condition.symbols:
                model = base.model if holds else self._model_of_byte(left, symbol, condition)
            else:
                model = self._known_model(base, condition, holds)
        if model is None:
            members = base.members
            refuted = self._refuted.get(condition)
            if refuted is None:
                refuted = self._refuted[condition] = []
            for constraints in refuted:
                if constraints <= members:  # a superset is contradicted, too
                    return _FALSE
            answer = self._ask(base, [condition])
            if isinstance(answer, Unsat):
                refuted.insert(0, members)
                del refuted[_REFUTED:]
            if not isinstance(answer, Sat):
                return answer
            model = answer.model
            self._note(model, base.symbols | condition.symbols)
        return tuple([self._intern(part) for part in split(base, parts_of(condition), model)])

    def _note(self, model: Model, symbols: frozenset[Term]) -> None:
        """Remember a model for later conditions on these symbols."""
        recent = self._models.get(symbols)
        if recent is None:
            recent = self._models[symbols] = []
        recent.append(model)
        if len(recent) > _MODELS:
            del recent[0]

    def _values_left(self, base: Slice, symbol: Term) -> int:
        """The values of this byte that the constraints of ``base`` on nothing else allow."""
        left = self._left.get((base.members, symbol))
        if left is None:
            left = everything(symbol)
            if symbol in base.symbols:
                for constraint in base.constraints:
                    if _byte(constraint) is symbol:
                        left &= self._bytes.of(constraint, symbol)
            self._left[base.members, symbol] = left
        return left

    def _model_of_byte(self, left: int, symbol: Term, condition: Term) -> Model:
        """A model for a slice about one byte with these values: the one that a query would give."""
        for model in reversed(self._models.get(condition.symbols) or ()):
            if left >> model.values.get(symbol, 0) & 1:
                return model
        model = Model({symbol: least(left)})
        if condition.op != "eq" or symbol not in condition.args:
            self._note(model, condition.symbols)
        return model

    def _known_model(self, base: Slice, condition: Term, holds: int) -> Model | None:
        """A known model that satisfies ``base`` and ``condition``. ``holds`` is the condition's value under that of
        ``base``.
        """
        if holds:
            return base.model
        for model in reversed(self._models.get(base.symbols | condition.symbols) or ()):
            if self._value(condition, model) and all(evaluate(c, model) for c in base.constraints):
                return model
        return _pin(base, condition)

    def _value(self, term: Term, model: Model) -> int:
        """The term's value. Only the most recently used models cache values of terms."""
        warm = self._warm
        if id(model) not in warm:
            if len(warm) >= _WARM:
                warm.pop(next(iter(warm))).memo.clear()
            warm[id(model)] = model
        return evaluate(term, model)

    def _patience(self) -> float:
        """Seconds that the solver may take."""
        until = min(self.deadline, self.last)
        if until == FOREVER:
            return self.timeout
        return min(self.timeout, max(until - monotonic(), _LEAST_PATIENCE))

    def _ask(self, base: Slice, conditions: Sequence[Value]) -> Answer:
        """The solver's answer, counted. A constant 0, or one condition that a constraint denies, costs no query."""
        if 0 in conditions or (len(conditions) == 1 and build.negate(conditions[0]) in base.members):
            return _FALSE
        statistics = self.statistics
        terms = [condition for condition in conditions if isinstance(condition, Term)]
        if self.deadline != FOREVER and monotonic() > self.deadline + GRACE:
            statistics.unknown += 1
            return Unknown(_OVER)
        start, ticks = perf_counter(), self.effort.ticks
        answer = self.solver.check((*base.constraints, *terms), self._patience())
        seconds = perf_counter() - start
        statistics.seconds += seconds
        statistics.queries += 1
        ticks = self.effort.ticks - ticks
        if ticks >= MOMENT:
            self.hard_ticks += ticks
        self.asked(seconds)
        self.effort.pause()
        match answer:
            case Sat():
                statistics.sat += 1
            case Unsat():
                statistics.unsat += 1
            case Unknown():
                statistics.unknown += 1
        return answer


def _byte(condition: Term) -> Term | None:
    """The byte that a condition is about, if nothing else is in it."""
    if condition.is_wide or len(condition.symbols) != 1:
        return None
    (symbol,) = condition.symbols
    return symbol if symbol.width <= WIDEST else None


def _pin(base: Slice, condition: Term) -> Model | None:
    """The slice's model with the symbol set to the constant that ``condition`` equates it with, if that satisfies
    both.

    So a switch costs no query per case.
    """
    if condition.op != "eq":
        return None
    for symbol, constant in (condition.args, condition.args[::-1]):
        if symbol.op == "symbol" and constant.op == "const":
            model = Model({**base.model.values, symbol: constant.value})
            touched = (each for each in base.constraints if symbol in each.symbols)  # the others hold as before
            return model if all(evaluate(each, model) for each in touched) else None
    return None


Ask: TypeAlias = Callable[[Slice, Sequence[Value]], Answer]
_FEW = 3


def tightest(ask: Ask, base: Slice, value: Term, seen: int) -> tuple[int, int]:
    """The least and the greatest value, given a possible value ``seen``; wider bounds where the solver gives up."""
    search = _Search(ask, base, value, seen)
    if search.high - search.low < _FEW or not search.is_single():
        search.lower()
        search.upper()
    return search.low, search.high


class _Search:
    """One search: ``low`` and ``high`` are bounds; ``least`` and ``most`` are values that occurred."""

    def __init__(self, ask: Ask, base: Slice, value: Term, seen: int) -> None:
        self._ask = ask
        self._base = base
        self._value = value
        self.low = value.low
        self.high = value.high
        self.least = self.most = seen
        self.gave_up = False

    def _is_any(self, condition: Value) -> bool:
        """Whether some value meets ``condition``, which then counts as seen. Also true for Unknown."""
        answer = self._ask(self._base, [condition])
        if isinstance(answer, Unsat):
            return False
        if isinstance(answer, Sat):
            seen = evaluate(self._value, answer.model)
            self.least = min(self.least, seen)
            self.most = max(self.most, seen)
        else:
            self.gave_up = True
        return True

    def is_single(self) -> bool:
        """Whether one value is left."""
        value = self._value
        if self._is_any(build.ne(value, self.least, value.width)):
            return False
        self.low = self.high = self.least
        return True

    def lower(self) -> None:
        """Raise the lower bound to the least value."""
        value, trial, stride = self._value, self.low, 1
        while self.low < self.least and not self.gave_up:
            if self._is_any(build.ule(value, trial, value.width)):
                stride *= 4
            else:
                self.low = trial + 1
            trial = max((self.low + self.least) // 2, self.least - stride)

    def upper(self) -> None:
        """Lower the upper bound to the greatest value, at once if the path states it."""
        value = self._value
        constant, rest = build.parted(value)
        for constraint in self._base.constraints:
            if constraint.op == "ult" and constraint.args[1].op == "const" and isinstance(rest, Term):
                high = constant + ((constraint.args[1].value - 1) << trailing_zeros(rest))
                if self.most <= high < self.high and build.ule(value, high, value.width) is constraint:
                    self.high = high
        trial, stride = self.high, 1
        while self.high > self.most and not self.gave_up:
            if self._is_any(build.uge(value, trial, value.width)):
                stride *= 4
            else:
                self.high = trial - 1
            trial = min((self.most + self.high + 1) // 2, self.most + stride)
