"""Weighted samples of the single paths that a joined state stands for, cut down without bias."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum, sqrt
from random import Random
from statistics import stdev

from unfork.logic.solve.path import PathCondition, parts_of
from unfork.logic.terms.evaluate import substitute
from unfork.logic.terms.term import Term, Value

_GROUPS = 4
"""Independent samples beside each other. More of them say the spread better, but each becomes smaller."""
LEAST = 2
"""Paths of the smallest sample: two independent samples of one path each."""


def groups_of(size: int) -> int:
    """How many independent samples share ``size`` paths."""
    return min(_GROUPS, size)


@dataclass(frozen=True, slots=True)
class SampledPath:
    """A single path of a joined state, and for how many it stands in each independent sample.

    ``guards`` are the conditions of joins, with their values (0 or 1) on this path. Conditions of the joined state are
    read under them: most say then what the path would have asked alone, so that its own condition stays small.
    """

    path: PathCondition
    guards: Mapping[Term, Value]
    weights: tuple[float, ...]

    def read(self, condition: Value) -> Value:
        """A condition of the joined state as this path alone would have it."""
        return substitute(condition, self.guards) if self.guards else condition

    def on_side(self, guard: Value, side: int) -> SampledPath:
        """The path as one of a joined state, on the side where ``guard`` is ``side``."""
        more = dict(_decided(guard, side))
        return replace(self, guards={**self.guards, **more}) if more else self


@dataclass(frozen=True, slots=True)
class PathSample:
    """The sampled paths of a state that had the conditions ``known`` when they were placed.

    ``is_exact``: it was never cut, and lost nothing, so that the paths are all there are, each with weight 1.
    """

    known: PathCondition
    paths: tuple[SampledPath, ...]
    is_exact: bool = True


def cut(paths: Sequence[SampledPath], size: int, chance: Random) -> Sequence[SampledPath]:
    """At most ``size`` of the paths. Law: the expected weight of each stays what it was, in every independent sample.

    Each independent sample chooses its own paths. All are left as they are if they are few enough.
    """
    if len(paths) <= size:
        return paths
    groups = groups_of(size)
    columns = [resampled([each.weights[i] for each in paths], size // groups, chance.random()) for i in range(groups)]
    rows = zip(paths, zip(*columns, strict=True), strict=True)
    return [replace(path, weights=weights) for path, weights in rows if any(weights)]


def resampled(weights: Sequence[float], size: int, start: float) -> list[float]:
    """Weights of which at most ``size`` are not 0; the expected weight of each is what it was.

    This is the optimal resampling of Fearnhead and Clifford (On-line inference for hidden Markov models via particle
    filters, 2003): what is heavier than a share stays as it is, the rest is chosen systematically, in proportion to
    weight, and weighs a share each. ``start`` is a random number in [0, 1).
    """
    order = sorted((i for i, weight in enumerate(weights) if weight), key=lambda i: weights[i], reverse=True)
    if len(order) <= size:
        return list(weights)
    heavy, rest = 0, fsum(weights)
    while heavy < size - 1 and weights[order[heavy]] * (size - heavy) >= rest:
        heavy += 1
        rest = fsum(weights[i] for i in order[heavy:])
    result = [0.0] * len(weights)
    for i in order[:heavy]:
        result[i] = weights[i]
    share = rest / (size - heavy)
    passed, mark = 0.0, start * share
    for i in sorted(order[heavy:]):
        passed += weights[i]
        if mark < passed:
            result[i] = share
            mark += share
    return result


def _decided(condition: Value, value: int) -> Iterator[tuple[Term, Value]]:
    """The conditions that have a value if this one has it: it and its conjuncts, without negations."""
    if not isinstance(condition, Term):
        return
    if condition.op == "not":
        condition, value = condition.args[0], 1 - value
    yield condition, value
    if condition.op == "and" and value:
        for part in parts_of(condition):
            yield (part.args[0], 0) if part.op == "not" else (part, 1)


def total(paths: Sequence[SampledPath], groups: int) -> tuple[float, ...]:
    """For how many paths they stand, in each independent sample."""
    return tuple([fsum(each.weights[i] for each in paths) for i in range(groups)])


@dataclass(frozen=True, slots=True)
class PathEstimate:
    """How many single paths a run explored (ended, except in silence, or waiting), and how many it completed.

    ``spread`` is the standard error of ``explored``. The numbers rest on ``sampled`` paths, of which ``lost`` more
    left the sample since the solver could not place them: the numbers are too small by these. ``is_exact``: no sample
    was ever cut, so that all paths were counted.
    """

    explored: float
    completed: float
    spread: float
    sampled: int
    lost: int
    is_exact: bool

    def as_dict(self) -> dict[str, float | int | bool]:
        """The block of summary.json."""
        return {
            "explored": _rounded(self.explored),
            "completed": _rounded(self.completed),
            "spread": _rounded(self.spread),
            "sampled": self.sampled,
            "lost": self.lost,
            "exact": self.is_exact,
        }


def _rounded(number: float) -> float | int:
    """Whole numbers as such."""
    return int(number) if number == int(number) else round(number, 2)


def mean(sums: Sequence[float]) -> float:
    """The mean over the independent samples."""
    return fsum(sums) / len(sums)


def spread(sums: Sequence[float]) -> float:
    """The standard error of the mean."""
    return stdev(sums) / sqrt(len(sums))
