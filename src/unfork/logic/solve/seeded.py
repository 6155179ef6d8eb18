"""Questions about the path of known inputs, a seed: their values decide, and no solver is asked."""

from __future__ import annotations

from itertools import chain

from unfork.logic.solve.path import PathCondition, Slice, parts_of
from unfork.logic.solve.solver import FOREVER, Feasibility, Statistics, Unknown, Unsat
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Term, Value

_NOWHERE = Unsat()
_UNCHECKED = Unknown("a side that the seed does not take")


class UncheckedPath(PathCondition):
    """The path ``before`` and a ``condition`` that may contradict it. Nothing may run on it before a solver says."""

    __slots__ = ("before", "condition")

    def __init__(self, before: PathCondition, condition: Term) -> None:
        super().__init__(before.trail, before.length, before.slices, before.defaults)
        self.before = before
        self.condition = condition


class SeededQuestions:
    """Answers along the path of a seed, whose values ``model`` has.

    Law: the paths that it returns have the seed's values as a model, except for those that are unchecked.
    """

    deadline = FOREVER

    def __init__(self, model: Model) -> None:
        self._model = model
        self.statistics = Statistics()

    def assume(self, path: PathCondition, condition: Value) -> Feasibility:
        if isinstance(path, UncheckedPath):
            return _UNCHECKED
        return self._extended(path, condition) if self._worth(condition) else _NOWHERE

    def branch(self, path: PathCondition, condition: Value) -> tuple[Feasibility, Feasibility]:
        if isinstance(path, UncheckedPath):
            return _UNCHECKED, _UNCHECKED
        if not isinstance(condition, Term):
            return (path, _NOWHERE) if condition else (_NOWHERE, path)
        negation = build.negate(condition)
        holds = self._worth(condition) != 0
        own, other = (condition, negation) if holds else (negation, condition)
        kept = self._extended(path, own)
        side: Feasibility = UncheckedPath(path, other) if kept is not path and isinstance(other, Term) else _NOWHERE
        return (kept, side) if holds else (side, kept)

    def must(self, path: PathCondition, condition: Value) -> bool:
        """Whether the path says so itself: what it implies is not known here."""
        if not isinstance(condition, Term):
            return condition != 0
        known = [part.members for part in path.touched(condition.symbols)]
        return all(any(each in members for members in known) for each in parts_of(condition))

    def evaluate(self, path: PathCondition, value: Value) -> int:
        return self._worth(value)

    def values(self, path: PathCondition, value: Value, width: int, limit: int) -> tuple[list[int], bool]:
        """The seed's value alone: the path is that on which the value is the seed's."""
        return [self._worth(value)], True

    def bounds(self, path: PathCondition, value: Value, width: int) -> tuple[int, int]:
        """Bounds that hold whatever the inputs are."""
        return (value.low, value.high) if isinstance(value, Term) else (value, value)

    def _worth(self, value: Value) -> int:
        return evaluate(value, self._model)

    def _extended(self, path: PathCondition, condition: Value) -> PathCondition:
        """The path with a condition that the seed meets; the path itself where it says so already."""
        if not isinstance(condition, Term):
            return path
        touched = path.touched(condition.symbols)
        new = [each for each in parts_of(condition) if not any(each in part.members for part in touched)]
        if not new:
            return path
        constraints = tuple(chain.from_iterable([*[part.constraints for part in touched], new]))
        symbols = condition.symbols.union(*[part.symbols for part in touched])
        # One slice, although parts of a conjunction may be independent: grouping a long path anew takes long.
        return path.extended(new, [Slice(constraints, frozenset(constraints), symbols, self._model)])
