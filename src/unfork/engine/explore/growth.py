"""How the paths of a run grow with their multiplicity: a line through what it came by (Kuznetsov12, section 5.2)."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, fsum, log

_GROWTH = 1.05
"""A point is kept whenever the multiplicity has grown by this factor, so that no part of a run outweighs others."""


@dataclass(frozen=True, slots=True)
class LineFit:
    """A line through ``points`` pairs (m, p), in natural logarithms; ``error`` is their root mean square."""

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
    """The points of a run: how many paths there were, counted or estimated, at each multiplicity."""

    def __init__(self) -> None:
        self._points: list[tuple[float, float]] = []
        self._next = 2.0

    def is_due(self, multiplicity: int) -> bool:
        """Whether the next point is to be noted."""
        return multiplicity >= self._next

    def note(self, multiplicity: int, paths: float) -> None:
        """The run now stands for ``paths`` paths, at this multiplicity."""
        if self.is_due(multiplicity) and paths > 0:
            self._points.append((log(multiplicity), log(paths)))
            self._next = multiplicity * _GROWTH

    def fit(self) -> LineFit | None:
        """The line of least squares; None for fewer than two points."""
        points = self._points
        count = len(points)
        if count < 2:
            return None
        mean_x = fsum(x for x, _ in points) / count
        mean_y = fsum(y for _, y in points) / count
        slope = fsum((x - mean_x) * (y - mean_y) for x, y in points) / fsum((x - mean_x) ** 2 for x, _ in points)
        c1 = mean_y - slope * mean_x
        squares = fsum((y - c1 - slope * x) ** 2 for x, y in points)
        return LineFit(c1, slope, count, (squares / count) ** 0.5)
