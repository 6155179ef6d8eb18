"""Which of the paths that a joined state stands for a model takes: the guards of its joins, latest first."""

from __future__ import annotations

from collections.abc import Sequence

from unfork.logic.evaluate import Model, evaluate
from unfork.logic.term import Value


class Lineage:
    """Remembers the joins of a run: for each node of the execution graph that is a join, its parents and its guard."""

    def __init__(self) -> None:
        self._joins: dict[int, tuple[int, int, Value]] = {}

    def remember(self, node: int, parents: Sequence[int], guard: Value) -> None:
        """``node`` joined two parents; ``guard`` (1 bit) holds where it stands for the first."""
        first, second = parents
        self._joins[node] = (first, second, guard)

    def parent(self, node: int, model: Model) -> int | None:
        """The parent of a join that the model comes from; None for a node that is no join."""
        found = self._joins.get(node)
        if found is None:
            return None
        first, second, guard = found
        return first if evaluate(guard, model) else second
