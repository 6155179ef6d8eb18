"""Models of paths: they refute most candidates before a solver is asked, and suggest sums."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from unfork.logic.solve.chain import Chain
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.solver import Unsat
from unfork.logic.terms import build, concrete
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Term, Value, postorder


class Sieve:
    """Decides conditions on ``paths``, for each of which some ``models`` are known."""

    def __init__(self, chain: Chain, paths: Sequence[PathCondition], models: Sequence[list[Model]]) -> None:
        self._chain = chain
        self._paths = paths
        self.models = models

    def survives(self, conditions: Sequence[Value]) -> bool:
        """Whether no known model of a path refutes its condition."""
        return all(
            evaluate(condition, model)
            for condition, models in zip(conditions, self.models, strict=True)
            for model in models
        )

    def proved(self, conditions: Sequence[Value]) -> bool:
        """Whether each path proves its condition."""
        return all(self.proves(side, condition) for side, condition in enumerate(conditions))

    def proves(self, side: int, condition: Value) -> bool:
        """Whether one of the paths proves a condition."""
        return self.refuted(side, condition) is True

    def refuted(self, side: int, condition: Value) -> Model | bool:
        """A model of a path that breaks a condition, and may refute others; if none, whether it is proved."""
        if not isinstance(condition, Term):
            return self.models[side][0] if condition == 0 else True
        answer = self._chain.assume(self._paths[side], build.negate(condition))
        if isinstance(answer, PathCondition):
            model = answer.model()
            self.models[side].append(model)
            return model
        return isinstance(answer, Unsat)


CHANGES = 40
MOST = 10
MOST_CONSTRAINTS = 64
"""Paths with more constraints about their numbers get no models."""


def samples(path: PathCondition, symbols: Collection[Term]) -> list[Model]:
    """Up to ``MOST`` models, which differ in ``symbols`` and in dependent values; the path's own comes first."""
    own = path.model()
    parts = path.touched(symbols)
    constraints = [constraint for part in parts for constraint in part.constraints]
    models = [own]
    if len(constraints) > MOST_CONSTRAINTS:
        return models
    free = sorted({*symbols, *[each for part in parts for each in part.symbols]}, key=lambda each: each.name)
    numbers = constants(constraints)
    chance = random.Random("samples")
    base = own.values
    for _ in range(CHANGES):
        changed = {each: _another(each, base.get(each, 0), numbers, chance) for each in free if chance.random() < 0.6}
        model = Model({**base, **changed})
        if changed and all(evaluate(constraint, model) for constraint in constraints):
            models.append(model)
            if len(models) == MOST:
                break
    return models


def constants(terms: Collection[Term]) -> list[int]:
    """The constants in terms, in ascending order."""
    return sorted({part.value for part in postorder(tuple(terms)) if part.op == "const"})


def _another(symbol: Term, value: int, numbers: list[int], chance: random.Random) -> int:
    mask = (1 << symbol.width) - 1
    near = [0, 1, 2, mask, mask >> 1, value + 1, value - 1, chance.randrange(3, 200), -chance.randrange(2, 200)]
    if numbers:
        near += [chance.choice(numbers) + step for step in (-1, 0, 1)]
    return chance.choice(near) & mask


# --- affine relations of points, modulo a power of two: which sum of numbers, times constants, gives another


Point = tuple[Sequence[int], int]
"""Numbers, and the one that is a sum of them."""


@dataclass(frozen=True, slots=True)
class LinearFit:
    """The number is ``constant`` plus the numbers times ``factors``."""

    factors: tuple[int, ...]
    constant: int


def fit_relation(points: Sequence[Point], width: int) -> LinearFit | None:
    """A guess over as few numbers as the first points allow, with small factors; None if there seems to be none.

    A factor known only up to a power of two gets the smallest value, which need not fit all points.
    """
    rows: list[tuple[int, list[int]]] = []
    """Reduced equations, each with its pivot column, where it has a 1."""
    for numbers, result in points:
        row = [signed(each, width) for each in (*numbers, 1, result)]
        for column, other in rows:
            row = _without(row, other, column, width)
        columns = [column for column, each in enumerate(row[:-1]) if each]
        if not columns:
            if row[-1]:
                return None
            continue
        column = min(columns, key=lambda each: row[each] & -row[each])
        divisor = row[column] & -row[column]
        if row[-1] % divisor:
            return None
        row = [each // divisor for each in row]
        inverse = pow(row[column], -1, 1 << width)
        row = [signed(each * inverse, width) for each in row]
        rows = [(solved, _without(other, row, column, width)) for solved, other in rows]
        rows.append((column, row))
    solution = [0] * (len(points[0][0]) + 1)
    for column, row in rows:
        solution[column] = row[-1]
    return LinearFit(tuple(solution[:-1]), solution[-1])


def signed(value: int, width: int) -> int:
    """A number of ``width`` bits, read with a sign."""
    return concrete.signed(value & (1 << width) - 1, width)


def _without(row: list[int], other: list[int], column: int, width: int) -> list[int]:
    times = row[column]
    return [signed(a - times * b, width) for a, b in zip(row, other, strict=True)] if times else row
