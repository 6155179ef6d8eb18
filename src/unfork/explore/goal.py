"""Whether a source line has been reached, told from the branch edges that lead there."""

from __future__ import annotations

from unfork.explore.guided import Covered


class Reached:
    """True once one of ``edges`` is covered; from the start when there is no edge to wait for."""

    __slots__ = ("_coverage", "_edges", "_numbers", "_seen")

    def __init__(self, coverage: Covered, edges: set[tuple[str, int, int]] | None) -> None:
        self._coverage = coverage
        self._edges = edges
        self._numbers: list[int] = []
        self._seen = 0

    def __call__(self) -> bool:
        if self._edges is None:
            return True
        coverage = self._coverage
        for number in range(self._seen, len(coverage.edges)):
            if coverage.edges[number] in self._edges:
                self._numbers.append(number)
        self._seen = len(coverage.edges)
        return any(coverage.covered[number] for number in self._numbers)
