"""Branch edges and goals: their numbers, and which of them the run has covered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from unfork.engine.state.state import State
from unfork.logic.solve.solver import Feasibility, Unknown, Unsat
from unfork.program.facts.nearest import end_position
from unfork.program.llvm.module import Function, Program
from unfork.program.llvm.types import Position

Edge = tuple[str, int, int]
"""A branch edge by its name, the same in every process."""
GOAL = "unfork_cover"
"""Goals are edges of a function of this name: (GOAL, id, 0)."""


@dataclass(frozen=True, slots=True)
class SavedCoverage:
    """Branch edges by number, their locations, and which are settled (1)."""

    edges: tuple[tuple[str, int, int], ...]
    positions: tuple[Position | None, ...]
    settled: bytes


class BranchCoverage:
    """The covered edges of a run. An edge is (function, block, successor number) of a branch with more than one. The
    cases of a switch that share a target are one edge. A goal (unfork_cover) counts as an edge of its own.

    An edge is pending on every state that took it until it is settled: by the first of them that ends and stands for
    a path of the program, which gets a test. ``settled`` edges are covered for good; ``covered`` ones include
    pending edges, and are opened again if their states turn out to be no paths. ``passed`` are the edges that the
    running state need not note: the settled ones, and its own. All three grow in place; compiled code reads
    ``passed``.
    """

    def __init__(self) -> None:
        self.covered = bytearray()
        self.settled = bytearray()
        self.passed = bytearray()
        self.edges: list[tuple[str, int, int]] = []
        self.positions: list[Position | None] = []
        self._numbers: dict[tuple[str, int, int], int] = {}
        self.infeasible: Counter[Edge] = Counter()
        """How often each side was asked for where the path's condition denies it."""
        self.unknown: Counter[Edge] = Counter()
        """How often the solver gave up on each side."""
        self.untested: Counter[Edge] = Counter()
        """How often an edge counted as uncovered again, because no path that took it got a test."""
        self.examples: list[State] = []
        """Paths, among those that one step took together, that alone show the edges pending on them."""
        self.running: State | None = None
        self._noted: tuple[int, ...] = ()
        """The edges pending on the running state."""

    def saved(self) -> SavedCoverage:
        """The settled edges, for ``restore``."""
        return SavedCoverage(tuple(self.edges), tuple(self.positions), bytes(self.settled))

    def restore(self, saved: SavedCoverage, states: Iterable[State]) -> None:
        """Begin where another run of the program was; ``states`` waited then, with their pending edges."""
        for edge, position in zip(saved.edges, saved.positions, strict=True):
            self._number_of(edge, position)
        if tuple(self.edges[: len(saved.edges)]) != saved.edges:
            raise ValueError("branches were numbered otherwise")
        self.settle(tuple([number for number, hit in enumerate(saved.settled) if hit]))
        for state in states:
            for number in state.pending:
                self.covered[number] = 1

    def turn_to(self, state: State) -> None:
        """``state`` runs from now on."""
        self.running = state
        if state.pending is self._noted:
            return
        for edge in self._noted:
            self.passed[edge] = self.settled[edge]
        self._noted = state.pending = self.unsettled(state.pending)
        for edge in self._noted:
            self.passed[edge] = 1

    def number(self, function: Function, block: int, successor: int) -> int:
        return self._number_of((function.name, block, successor), end_position(function, block))

    def known_number(self, edge: Edge) -> int | None:
        """The number of a known edge."""
        return self._numbers.get(edge)

    def number_of_edge(self, edge: Edge, program: Program) -> int:
        """The number of the edge or goal of this name."""
        function, block, successor = edge
        if function == GOAL:
            return self.number_of_goal(block)
        return self.number(program.function(function), block, successor)

    def _number_of(self, key: tuple[str, int, int], position: Position | None) -> int:
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.edges)
            self.edges.append(key)
            self.positions.append(position)
            for marks in (self.covered, self.settled, self.passed):
                marks.append(0)
        return number

    def hit(self, state: State, edge: int) -> None:
        """``state`` takes ``edge``."""
        if self.settled[edge] or edge in state.pending:
            return
        self.covered[edge] = 1
        state.pending += (edge,)
        if state is self.running:
            self.passed[edge] = 1
            self._noted = state.pending

    def answer(self, number: int | None, side: Feasibility) -> None:
        """Count a ``side`` that is not taken; edges without a number do not count."""
        if number is None:
            return
        if isinstance(side, Unsat):
            self.infeasible[self.edges[number]] += 1
        elif isinstance(side, Unknown):
            self.unknown[self.edges[number]] += 1

    def show(self, example: State) -> None:
        """``example`` is a path that ends because others stand for it; it gets a test for its pending edges."""
        self.examples.append(example)

    def taken_examples(self) -> list[State]:
        """The examples since the last call."""
        examples, self.examples = self.examples, []
        return examples

    def reach(self, state: State, goal: int) -> None:
        self.hit(state, self.number_of_goal(goal))

    def number_of_goal(self, goal: int) -> int:
        """The number of a goal's edge."""
        return self._number_of((GOAL, goal, 0), None)

    def goals(self) -> tuple[int, ...]:
        """The covered goals, in order."""
        met = zip(self.edges, self.covered, strict=True)
        return tuple(sorted([number for (name, number, _), hit in met if hit and name == GOAL]))

    def open(self) -> int:
        """How many covered edges no test shows yet."""
        return self.covered.count(1) - self.settled.count(1)

    def covers(self, edge: tuple[str, int, int]) -> bool:
        """Whether the edge of this name is covered."""
        number = self._numbers.get(edge)
        return number is not None and self.covered[number] == 1

    def covered_edges(self) -> set[Edge]:
        """The names of the covered edges, including those of paths that still run."""
        return {edge for edge, hit in zip(self.edges, self.covered, strict=True) if hit and edge[0] != GOAL}

    def settled_edges(self) -> list[tuple[str, int, int]]:
        """The names of the edges covered for good."""
        return [edge for edge, hit in zip(self.edges, self.settled, strict=True) if hit]

    def settled_of(self, edges: Sequence[tuple[str, int, int]]) -> tuple[int, ...]:
        """The indices of the ``edges`` that are settled here."""
        numbers = self._numbers
        return tuple([i for i, edge in enumerate(edges) if edge in numbers and self.settled[numbers[edge]]])

    def adopt(self, other: BranchCoverage) -> list[int]:
        """Settle the edges that ``other``, of the same program, covers. Returns those that were not covered before."""
        fresh = []
        for edge, position, hit in zip(other.edges, other.positions, other.covered, strict=True):
            if hit:
                number = self._number_of(edge, position)
                if not self.covered[number]:
                    fresh.append(number)
                self.settle((number,))
        return fresh

    def unsettled(self, edges: tuple[int, ...]) -> tuple[int, ...]:
        """The ``edges`` that are not settled."""
        return tuple([edge for edge in edges if not self.settled[edge]])

    def settle(self, edges: tuple[int, ...]) -> None:
        """A path of the program took these edges: they are covered for good."""
        for edge in edges:
            self.covered[edge] = self.settled[edge] = self.passed[edge] = 1

    def forget(self, edges: tuple[int, ...]) -> None:
        """A state with these pending edges was lost without a test: unless settled, they count as uncovered again."""
        for edge in self.unsettled(edges):
            if self.covered[edge]:
                self.untested[self.edges[edge]] += 1
                self.covered[edge] = 0


class Onlooker(BranchCoverage):
    """The coverage of a machine that settles nothing itself, but reads the settled edges of ``other``, a run's.

    All other edges that a state takes are pending on it.
    """

    def __init__(self, other: BranchCoverage) -> None:
        super().__init__()
        self._other = other
        self._seen = bytearray()
        self._known = 0
        """Edges known here at the last ``renew``; ``_seen`` is what the run had settled then."""

    def numbers_there(self, numbers: Iterable[int], program: Program) -> tuple[int, ...]:
        """The numbers that the other coverage has for edges."""
        return tuple([self._other.number_of_edge(self.edges[number], program) for number in numbers])

    def renew(self) -> None:
        """Read what the run has settled by now."""
        settled = self._other.settled
        if settled == self._seen and len(self.edges) == self._known:
            return
        self._seen, self._known = settled.copy(), len(self.edges)
        self.settle(self._other.settled_of(self.edges))
