"""The branches that no test shows yet: what a test would be the first to show, and what lost paths reopen."""

from __future__ import annotations

from collections.abc import Iterable

from unfork.engine.state.state import State
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.report.record.coverage_measure import edge_name

_FORGIVEN = 16
"""An edge is reopened for searchers this often, each time because the paths to it got no test."""


class DueBranches:
    """The branch edges of ``coverage`` without a test. They are pending on the states that took them.

    A state that stands for more than the program does (State.over) may not even have a path.
    """

    def __init__(self, coverage: BranchCoverage) -> None:
        self._coverage = coverage
        self._numbers: dict[str, int] = {}
        """By the names of edges."""
        self.reopened: dict[int, int] = {}
        """How often each edge was reopened."""

    def of(self, state: State) -> tuple[int, ...]:
        """The edges that a test of this state would be the first to show.

        For a state that stands for too much, edges with too many failed attempts are left out.
        """
        state.pending = self._coverage.unsettled(state.pending)
        if state.over:
            state.pending = tuple([edge for edge in state.pending if self.reopened.get(edge, 0) <= _FORGIVEN])
        return state.pending

    def settle(self, state: State) -> None:
        """A test shows the pending edges of this state."""
        self._coverage.settle(state.pending)
        state.pending = ()

    def give_up(self, state: State) -> None:
        """The state gets no test. Its edges count as covered, unless it stands for too much."""
        if state.over:
            self.reopen(state)
        else:
            self._coverage.settle(state.pending)

    def reopen(self, state: State) -> None:
        """The program may not have this path, so the edges that it alone covered are open again."""
        due = self.of(state)
        for edge in due:
            self.reopened[edge] = self.reopened.get(edge, 0) + 1
        self._coverage.forget(tuple([edge for edge in due if self.reopened[edge] <= _FORGIVEN]))

    def settle_replays(self, replays: BranchCoverage) -> list[int]:
        """Settle the coverage of replays. Returns the edges that no test had shown."""
        settled = bytes(self._coverage.settled)
        self._coverage.adopt(replays)
        after = self._coverage.settled
        return [edge for edge, hit in enumerate(after) if hit and not any(settled[edge : edge + 1])]

    def settle_attempt(self, state: State, replays: BranchCoverage, before: bytes) -> list[int]:
        """Settle the coverage of ``replays``, the last of which was an attempt at a path of ``state``.

        ``before`` is the coverage without that one. Reopens the due edges of the state that no replay shows. Returns
        the edges that the attempt was the first to show.
        """
        due, edges = self.of(state), self._coverage.edges
        fresh = [hit and not any(before[number : number + 1]) for number, hit in enumerate(replays.covered)]
        here = {edge for edge, is_fresh in zip(replays.edges, fresh, strict=True) if is_fresh}
        state.pending = tuple([edge for edge in due if not replays.covers(edges[edge])])
        self.reopen(state)
        adopted = self._coverage.adopt(replays)
        state.pending = ()
        return sorted({*adopted, *[edge for edge in due if edges[edge] in here]})

    def names(self, edges: Iterable[int]) -> tuple[str, ...]:
        return tuple([edge_name(self._coverage, edge) for edge in edges])

    def are_shown(self, names: Iterable[str]) -> bool:
        """Whether tests show all edges with these names."""
        numbers, settled = self._numbers, self._coverage.settled
        for edge in range(len(numbers), len(settled)):
            numbers[edge_name(self._coverage, edge)] = edge
        return all(name in numbers and settled[numbers[name]] for name in names)

    def forget_unshown(self) -> None:
        """From now on, edges without a test do not count as covered."""
        self._coverage.forget(tuple(range(len(self._coverage.edges))))
