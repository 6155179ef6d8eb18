"""Affine relations of points, exactly: which sum of numbers, times constants, gives another at all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

Point = tuple[Sequence[int], int]
"""Numbers, and the one that is a sum of them."""


@dataclass(frozen=True, slots=True)
class Fit:
    """``divisor`` times the sought number is ``constant`` plus the numbers times ``factors``."""

    factors: tuple[int, ...]
    constant: int
    divisor: int


def fitted(points: Sequence[Point]) -> Fit | None:
    """A relation of all points, over as few numbers as the first ones allow; None if there is none."""
    rows: list[tuple[int, list[Fraction]]] = []
    """Reduced equations, each with the column that it solves."""
    for numbers, result in points:
        row = [*map(Fraction, numbers), Fraction(1), Fraction(result)]
        for column, other in rows:
            row = _without(row, other, column)
        column = next((place for place, each in enumerate(row[:-1]) if each), -1)
        if column < 0:
            if row[-1]:
                return None
            continue
        row = [each / row[column] for each in row]
        rows = [(place, _without(other, row, column)) for place, other in rows]
        rows.append((column, row))
    count = len(points[0][0])
    solution = [Fraction(0)] * (count + 1)
    for column, row in rows:
        solution[column] = row[-1]
    divisor = lcm(*[each.denominator for each in solution])
    whole = [int(each * divisor) for each in solution]
    return Fit(tuple(whole[:-1]), whole[-1], divisor)


def _without(row: list[Fraction], other: list[Fraction], column: int) -> list[Fraction]:
    times = row[column]
    return [a - times * b for a, b in zip(row, other, strict=True)] if times else row
