"""The guards of joins: the path of a joined state that a model takes, and the list of its paths."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from unfork.logic.solve.chain import Chain
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.solver import Unknown
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Value


class Lineage:
    """Records the joins of a run: for each joined node of the execution graph, its parents and its guard.

    ``parents`` gives the parents of a node, none for a root.
    """

    def __init__(self, parents: Callable[[int], Sequence[int]]) -> None:
        self._parents = parents
        self._joins: dict[int, tuple[int, int, Value]] = {}

    def remember(self, node: int, parents: Sequence[int], guard: Value) -> None:
        """``node`` joined two parents; ``guard`` (1 bit) holds where it stands for the first."""
        first, second = parents
        self._joins[node] = (first, second, guard)

    def way(self, node: int, model: Model) -> list[tuple[int, int]]:
        """The joins on the path of ``model`` to ``node``, latest first: (join, the parent on the path)."""
        joins = []
        while (join := self._latest(node)) is not None:
            first, second, guard = self._joins[join]
            node = first if evaluate(guard, model) else second
            joins.append((join, node))
        return joins

    def paths(self, node: int, path: PathCondition, chain: Chain) -> Iterator[PathCondition | Unknown]:
        """Each path that a state at ``node`` under ``path`` stands for, that of its model first.

        Unknown stands for paths that the solver did not separate in time.
        """
        waiting = [(node, path)]
        while waiting:
            node, path = waiting.pop()
            join = self._latest(node)
            if join is None:
                yield path
                continue
            first, second, guard = self._joins[join]
            sides = list(zip((first, second), chain.branch(path, guard), strict=True))
            if evaluate(guard, path.model()):
                sides.reverse()  # the last one pushed comes first
            for parent, side in sides:
                if isinstance(side, PathCondition):
                    waiting.append((parent, side))
                elif isinstance(side, Unknown):
                    yield side

    def _latest(self, node: int) -> int | None:
        """The join nearest to ``node`` on the only way to it, itself included."""
        while node not in self._joins:
            parents = self._parents(node)
            if not parents:
                return None
            (node,) = parents
        return node
