"""Affine relations of points, modulo a power of two: which sum of numbers, times constants, gives another at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from unfork.logic import concrete

Point = tuple[Sequence[int], int]
"""Numbers, and the one that is a sum of them."""


@dataclass(frozen=True, slots=True)
class Fit:
    """The sought number is ``constant`` plus the numbers times ``factors``."""

    factors: tuple[int, ...]
    constant: int


def fitted(points: Sequence[Point], width: int) -> Fit | None:
    """A guess, over as few numbers as the first points allow, with small factors; None if there seems to be none.

    Where a factor is known up to a power of two only, the smallest is taken: it need not fit all points.
    """
    rows: list[tuple[int, list[int]]] = []
    """Reduced equations, each with the column that it solves: there, it has a 1."""
    for numbers, result in points:
        row = [signed(each, width) for each in (*numbers, 1, result)]
        for column, other in rows:
            row = _without(row, other, column, width)
        places = [place for place, each in enumerate(row[:-1]) if each]
        if not places:
            if row[-1]:
                return None
            continue
        column = min(places, key=lambda place: row[place] & -row[place])
        divisor = row[column] & -row[column]
        if row[-1] % divisor:
            return None
        row = [each // divisor for each in row]
        inverse = pow(row[column], -1, 1 << width)
        row = [signed(each * inverse, width) for each in row]
        rows = [(place, _without(other, row, column, width)) for place, other in rows]
        rows.append((column, row))
    solution = [0] * (len(points[0][0]) + 1)
    for column, row in rows:
        solution[column] = row[-1]
    return Fit(tuple(solution[:-1]), solution[-1])


def signed(value: int, width: int) -> int:
    """A number of ``width`` bits, read with a sign."""
    return concrete.signed(value & (1 << width) - 1, width)


def _without(row: list[int], other: list[int], column: int, width: int) -> list[int]:
    times = row[column]
    return [signed(a - times * b, width) for a, b in zip(row, other, strict=True)] if times else row
