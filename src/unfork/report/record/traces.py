"""Origins of tests: the state of each, and the parent on its path at each join."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic

from unfork.engine.protocols.events import Event, Joined
from unfork.engine.state.state import State
from unfork.logic.solve.chain import Chain
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.solver import Unknown
from unfork.reduce.merge.lineage import Lineage

MOST_PATHS = 1000
"""The most paths of a joined state that get a test each."""


class Traces:
    """Observes the joins of a run.

    ``tests_of`` gives the last test of a node. ``tests`` has (test, node), and ``taken`` the joins on the paths of
    tests as (test, join, parent on the path). The writer of these two lists empties them.
    """

    def __init__(self, lineage: Lineage, chain: Chain) -> None:
        self._lineage = lineage
        self._chain = chain
        self.tests_of: dict[int, str] = {}
        self.tests: list[tuple[str, int]] = []
        self.taken: list[tuple[str, int, int]] = []
        self.unexpanded = 0
        """The number of joined states with paths that lack a test."""

    def tell(self, event: Event) -> None:
        if isinstance(event, Joined):
            parents = [parent.node for parent in event.parents]
            self._lineage.remember(event.state.node, parents, event.state.joined_under)

    def wrote(self, test: str, state: State) -> None:
        """Note that ``test`` is for the path of ``state``'s model."""
        node = state.node
        self.tests_of[node] = test
        self.tests.append((test, node))
        if state.multiplicity > 1:
            self.taken += [(test, *step) for step in self._lineage.way(node, state.path.model())]

    def paths(self, state: State) -> Iterator[State]:
        """A state for each path of an ended ``state``; the path of its own model comes first."""
        if state.multiplicity == 1:
            yield state
            return
        pending = state.pending
        state.pending = ()
        is_whole = True
        for number, path in enumerate(self._lineage.paths(state.node, state.path, self._chain)):
            if isinstance(path, Unknown):
                is_whole = False
                continue
            if number >= MOST_PATHS or (number and monotonic() > self._chain.deadline):
                is_whole = False
                break
            single = _on(state, path)
            single.pending, pending = pending, ()
            yield single
        self.unexpanded += not is_whole


def _on(state: State, path: PathCondition) -> State:
    copy = state.fork()
    copy.path = path
    copy.multiplicity = state.multiplicity
    return copy
