"""What a joined path would cost: what it says in one condition that two paths said in many simple ones."""

from __future__ import annotations

from unfork.merge.diagrams import Diagrams
from unfork.merge.paths import residuals
from unfork.program.module import Function
from unfork.state.state import State

MOST = 2
"""Nodes of a decision diagram by which the joined path may be larger than either path (docs/decisions.md)."""
_HOPE = 32
"""Joins at one place that were too costly, one after the other, before most are refused unseen."""
_SAMPLE = 16
"""Then, one in so many is looked at."""


class PathCost:
    """Paths that complete each other say less together; others leave a disjunction in every query to come.

    Each side of such a disjunction tends to be asked for again later, so that the join has saved nothing. What grows
    with the number of inputs, but not with that of joins, is no reason to refuse.
    """

    def __init__(self) -> None:
        self._diagrams = Diagrams()
        self._refusals: dict[tuple[Function, int, int], int] = {}

    def is_hopeless(self, state: State) -> bool:
        """Whether joins where the state waits have been too costly so often that this one is not looked at."""
        place = _place(state)
        refusals = self._refusals.get(place, 0)
        if refusals < _HOPE or refusals % _SAMPLE == 0:
            return False
        self._refusals[place] = refusals + 1
        return True

    def exceeds(self, a: State, b: State) -> bool:
        """Whether the path of both would be too large."""
        place = _place(a)
        if self._is_small(a, b):
            self._refusals.pop(place, None)
            return False
        self._refusals[place] = self._refusals.get(place, 0) + 1
        return True

    def _is_small(self, a: State, b: State) -> bool:
        rest = residuals(a.path, b.path)
        if not rest.first or not rest.second:
            return True
        more = self._diagrams.growth(rest.first, rest.second)
        return more is not None and more <= MOST


def _place(state: State) -> tuple[Function, int, int]:
    top = state.frames[-1]
    return top.function, top.block, top.index
