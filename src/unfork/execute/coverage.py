"""Branch edges and goals: their numbers, and which of them the run has covered."""

from __future__ import annotations

from unfork.program.module import Function
from unfork.program.nearest import position_at
from unfork.program.types import Position
from unfork.state.state import State

GOAL = "unfork_cover"
"""The function of edges that are none, but goals: (GOAL, id, 0)."""


class BranchCoverage:
    """The covered edges of a run. An edge is (function, block, successor number) of a branch with more than one.
    The cases of a switch that share a target are one edge. A goal (unfork_cover) counts as an edge of its own.

    ``covered`` grows in place and is shared with compiled code. A newly covered edge becomes pending on the state that
    covered it first, and on all that fork off it, until it is settled: the first of them to end does that, and gets a
    test. What is pending on states alone that turn out to be no paths of the program is opened again.
    """

    def __init__(self) -> None:
        self.covered = bytearray()
        self._settled = bytearray()
        self.edges: list[tuple[str, int, int]] = []
        self.positions: list[Position | None] = []
        self._numbers: dict[tuple[str, int, int], int] = {}
        self.reopened = 0
        """How often edges were opened again."""

    def number(self, function: Function, block: int, successor: int) -> int:
        """The number of an edge."""
        end = len(function.blocks[block].body) - 1
        return self._number_of((function.name, block, successor), position_at(function, block, end))

    def _number_of(self, key: tuple[str, int, int], position: Position | None) -> int:
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = len(self.edges)
            self.edges.append(key)
            self.positions.append(position)
            self.covered.append(0)
            self._settled.append(0)
        return found

    def hit(self, state: State, edge: int) -> None:
        """``state`` takes ``edge``."""
        if not self.covered[edge]:
            self.covered[edge] = 1
            if edge not in state.pending:  # it may have been opened again
                state.pending += (edge,)

    def reach(self, state: State, goal: int) -> None:
        """``state`` reaches a goal."""
        self.hit(state, self._number_of((GOAL, goal, 0), None))

    def goals(self) -> tuple[int, ...]:
        """The goals that are covered, in order."""
        met = zip(self.edges, self.covered, strict=True)
        return tuple(sorted([number for (name, number, _), hit in met if hit and name == GOAL]))

    def open(self) -> int:
        """How many covered edges no test shows yet."""
        return self.covered.count(1) - self._settled.count(1)

    def covers(self, edge: tuple[str, int, int]) -> bool:
        """Whether the edge of this name is covered."""
        number = self._numbers.get(edge)
        return number is not None and self.covered[number] == 1

    def adopt(self, other: BranchCoverage) -> list[int]:
        """Cover what ``other`` does, which is of the same program; the edges that were open till now."""
        fresh = []
        for edge, position, hit in zip(other.edges, other.positions, other.covered, strict=True):
            if hit:
                number = self._number_of(edge, position)
                if not self.covered[number]:
                    fresh.append(number)
                self.settle((number,))
        return fresh

    def unsettled(self, edges: tuple[int, ...]) -> tuple[int, ...]:
        """Those that nobody who took them has settled yet."""
        return tuple([edge for edge in edges if not self._settled[edge]])

    def settle(self, edges: tuple[int, ...]) -> None:
        """A path of the program has taken them: they are covered for good."""
        for edge in edges:
            self.covered[edge] = self._settled[edge] = 1

    def forget(self, edges: tuple[int, ...]) -> None:
        """A state with these pending edges was lost without a test: those that are not settled are open again."""
        self.reopened += 1
        for edge in self.unsettled(edges):
            self.covered[edge] = 0


class Onlooker(BranchCoverage):
    """The coverage of a machine that covers nothing itself: covered is what ``other``, a run's, covers.

    All other edges that a state takes are pending on it, again and again.
    """

    def __init__(self, other: BranchCoverage) -> None:
        super().__init__()
        self._other = other
        self._reopened = other.reopened
        self._seen = bytearray()
        self._known = 0
        """What the run covered, and how many edges were known here, when that was looked at last."""

    def hit(self, state: State, edge: int) -> None:
        if edge not in state.pending:
            state.pending += (edge,)

    def forget(self, edges: tuple[int, ...]) -> None:
        """Nothing was covered by them."""

    def renew(self) -> bool:
        """Look at what the run covers by now. Whether it opened edges again, which compiled code must look for."""
        other, covered = self._other, self.covered
        if other.covered == self._seen and len(covered) == self._known:
            return False
        self._seen, self._known = other.covered.copy(), len(covered)
        was_reopened = other.reopened != self._reopened
        self._reopened = other.reopened
        for number, edge in enumerate(self.edges):
            covered[number] = other.covers(edge)
        return was_reopened
