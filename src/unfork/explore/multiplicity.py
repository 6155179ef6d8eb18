"""How the number of paths grows with multiplicity: log p = c1 + c2 log m (Kuznetsov12, section 5.2 and Figure 3)."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, fsum, log

_GROWTH = 1.05
"""A point is kept whenever the multiplicity has grown by this factor, so that no part of a run outweighs the others."""


@dataclass(frozen=True, slots=True)
class Fit:
    """Natural logarithms. ``points`` is how many (m, p) the line goes through, ``error`` their root mean square."""

    c1: float
    c2: float
    points: int
    error: float

    def as_dict(self) -> dict[str, float | int]:
        """The block of summary.json."""
        return {"c1": round(self.c1, 4), "c2": round(self.c2, 4), "points": self.points, "error": round(self.error, 4)}

    def paths(self, multiplicity: int) -> float:
        """The estimate for a multiplicity of at least 1."""
        return exp(self.c1 + self.c2 * log(multiplicity))


class Growth:
    """The points of a run: the exact number of paths at each multiplicity that it came by."""

    def __init__(self) -> None:
        self._points: list[tuple[float, float]] = []
        self._next = 2.0

    def reached(self, multiplicity: int, paths: int) -> None:
        """So far the run stands for ``paths`` paths, and has counted them as ``multiplicity``."""
        if multiplicity >= self._next and paths > 0:
            self._points.append((log(multiplicity), log(paths)))
            self._next = multiplicity * _GROWTH

    def fit(self) -> Fit | None:
        """The line of least squares, None where there are not two points."""
        points = self._points
        count = len(points)
        if count < 2:
            return None
        mean_x = fsum(x for x, _ in points) / count
        mean_y = fsum(y for _, y in points) / count
        slope = fsum((x - mean_x) * (y - mean_y) for x, y in points) / fsum((x - mean_x) ** 2 for x, _ in points)
        c1 = mean_y - slope * mean_x
        squares = fsum((y - c1 - slope * x) ** 2 for x, y in points)
        return Fit(c1, slope, count, (squares / count) ** 0.5)
