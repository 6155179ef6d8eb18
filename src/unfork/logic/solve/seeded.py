"""Questions about the path of known inputs, a seed: their values decide, and no solver is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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

    def with_defaults(self, values: Mapping[Term, int]) -> UncheckedPath:
        return UncheckedPath(self.before.with_defaults(values), self.condition)


class SeededQuestions:
    """Answers along the path of a seed, whose values ``model`` has.

    Law: the paths that it returns have the seed's values as a model, except for those that are unchecked.
    """

    deadline = FOREVER

    def __init__(self, model: Model, wants_sides: Callable[[], bool]) -> None:
        self._model = model
        self._wants_sides = wants_sides
        """Whether the other sides of the question that comes next are of interest; else they are left out."""
        self.statistics = Statistics()
        self.decisions = 0
        """The questions so far."""

    def assume(self, path: PathCondition, condition: Value) -> Feasibility:
        if isinstance(path, UncheckedPath):
            return _UNCHECKED
        if self._worth(condition):
            return self._extended(path, condition)
        return UncheckedPath(path, condition) if isinstance(condition, Term) and self._wants_sides() else _NOWHERE

    def branch(self, path: PathCondition, condition: Value) -> tuple[Feasibility, Feasibility]:
        return self.both(path, condition) if self._wants_sides() else self._without_other(path, condition)

    def both(self, path: PathCondition, condition: Value) -> tuple[Feasibility, Feasibility]:
        """Both sides of a branch, whether they are wanted or not: the seed's and an unchecked one."""
        kept = self._without_other(path, condition)
        other = build.negate(condition) if isinstance(kept[0], PathCondition) else condition
        is_said = any(each is path for each in kept)  # equality would read the whole path at each branch
        if is_said or isinstance(path, UncheckedPath) or not isinstance(other, Term):
            return kept
        side = UncheckedPath(path, other)
        return (kept[0], side) if isinstance(kept[0], PathCondition) else (side, kept[1])

    def _without_other(self, path: PathCondition, condition: Value) -> tuple[Feasibility, Feasibility]:
        if isinstance(path, UncheckedPath):
            return _UNCHECKED, _UNCHECKED
        if self._worth(condition):
            return self._extended(path, condition), _NOWHERE
        return _NOWHERE, self._extended(path, build.negate(condition))

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
        self.decisions += 1
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
