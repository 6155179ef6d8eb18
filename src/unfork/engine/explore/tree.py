"""The execution graph: the origin of each node. A join has several parents; a node finishes after all nodes below."""

from __future__ import annotations

from array import array
from collections.abc import Iterator


class ExecutionGraph:
    """Nodes are numbers. A node is open until it ends, or until all its children are finished.

    Law: ``finish`` yields every node exactly once over a run, children before parents (post-order, across joins
    too).
    """

    def __init__(self) -> None:
        self._first_parent = array("q")
        self._more_parents: dict[int, tuple[int, ...]] = {}
        self._open = array("q")

    def __len__(self) -> int:
        return len(self._open)

    def skip(self, count: int) -> None:
        """The first ``count`` nodes are those of an earlier process: none of them is open here."""
        self._first_parent.extend(array("q", [-1]) * count)
        self._open.extend(array("q", [0]) * count)

    def root(self) -> int:
        """A new node without parents."""
        self._first_parent.append(-1)
        self._open.append(0)
        return len(self._open) - 1

    def fork(self, parent: int, count: int) -> tuple[int, ...]:
        """``count`` new children of ``parent``."""
        first = len(self._open)
        for _ in range(count):
            self._first_parent.append(parent)
            self._open.append(0)
        self._open[parent] += count
        return tuple(range(first, first + count))

    def join(self, parents: tuple[int, ...]) -> int:
        """A new node that continues all of ``parents``."""
        node = len(self._open)
        self._first_parent.append(parents[0])
        self._more_parents[node] = parents[1:]
        self._open.append(0)
        for parent in parents:
            self._open[parent] += 1
        return node

    def parents(self, node: int) -> tuple[int, ...]:
        """The parents of ``node``: none for a root, several for a join."""
        first = self._first_parent[node]
        return () if first < 0 else (first, *self._more_parents.get(node, ()))

    def finish(self, node: int) -> Iterator[int]:
        """The nodes that finish now that leaf ``node`` has ended, in post-order."""
        ended = [node]
        while ended:
            node = ended.pop()
            yield node
            for parent in reversed(self.parents(node)):
                self._open[parent] -= 1
                if not self._open[parent]:
                    ended.append(parent)
