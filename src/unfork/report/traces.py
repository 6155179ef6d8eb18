"""Where tests come from: the state of each, and the sides of joins that its path takes."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic

from unfork.contracts.events import Event, Joined
from unfork.logic.chain import Chain
from unfork.logic.path import PathCondition
from unfork.logic.solver import Unknown
from unfork.merge.lineage import Lineage
from unfork.state.state import State

MOST_PATHS = 1000
"""Paths of one joined state that get a test of their own."""


class Traces:
    """Observes the joins of a run.

    ``tests_of`` names the last test of each node that has one; ``tests`` are all (test, node), and ``taken`` the joins
    on their paths as (test, join, the parent that the path comes from), until somebody has written them down.
    """

    def __init__(self, lineage: Lineage, chain: Chain) -> None:
        self._lineage = lineage
        self._chain = chain
        self.tests_of: dict[int, str] = {}
        self.tests: list[tuple[str, int]] = []
        self.taken: list[tuple[str, int, int]] = []
        self.unexpanded = 0
        """Joined states that stand for more paths than got a test."""

    def tell(self, event: Event) -> None:
        if isinstance(event, Joined):
            self._lineage.remember(event.state.node, [one.node for one in event.parents], event.state.joined_under)

    def wrote(self, test: str, state: State) -> None:
        """``test`` was written for the path that the model of ``state`` takes."""
        node = state.node
        self.tests_of[node] = test
        self.tests.append((test, node))
        if state.multiplicity > 1:
            self.taken += [(test, *step) for step in self._lineage.way(node, state.path.model())]

    def paths(self, state: State) -> Iterator[State]:
        """A state for each path that ``state``, which has ended, stands for, that of its own model first."""
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
            one = _on(state, path)
            one.pending, pending = pending, ()
            yield one
        self.unexpanded += not is_whole


def _on(state: State, path: PathCondition) -> State:
    one = state.fork()
    one.path = path
    one.multiplicity = state.multiplicity
    return one
