"""Orders led by distance: weighted choice near uncovered branches, and nearest-first towards one source line."""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable

from unfork.contracts.frontier import Parents, Ticket
from unfork.explore.distance import BlockId, Distances
from unfork.explore.goals import Covered, Goals
from unfork.logic.solver import Effort
from unfork.state.state import State

_PATIENCE = 50
"""Picks, at least, between two computations of distances: coverage comes in bursts."""

_TICK = 72
"""Instructions that take as long as a tick of a solver."""
_DEEPEST = 1000
"""Forks beyond which states count as equally deep: smaller weights are no numbers."""


class SumTree:
    """Weights under keys, with a choice in proportion to weight in O(log n); sums are rebuilt, so they do not drift."""

    def __init__(self) -> None:
        self._size = 1
        self._sums = [0.0, 0.0]
        self._keys: list[int] = [-1]
        self._index: dict[int, int] = {}
        self._free = [0]

    def put(self, key: int, weight: float) -> None:
        """Give ``key`` this positive weight."""
        index = self._index.get(key)
        if index is None:
            if not self._free:
                self._grow()
            index = self._free.pop()
            self._index[key] = index
            self._keys[index] = key
        self._set(index, weight)

    def take(self, key: int) -> None:
        """Forget ``key``."""
        index = self._index.pop(key)
        self._keys[index] = -1
        self._free.append(index)
        self._set(index, 0.0)

    def total(self) -> float:
        """The sum of all weights."""
        return self._sums[1]

    def choose(self, chance: random.Random) -> int:
        """A key in proportion to its weight."""
        sums = self._sums
        target = chance.random() * sums[1]
        node = 1
        while node < self._size:
            node *= 2
            left = sums[node]
            if target >= left and sums[node + 1] > 0.0:
                target -= left
                node += 1
        return self._keys[node - self._size]

    def _set(self, index: int, weight: float) -> None:
        sums = self._sums
        node = index + self._size
        sums[node] = weight
        node >>= 1
        while node:
            sums[node] = sums[2 * node] + sums[2 * node + 1]
            node >>= 1

    def _grow(self) -> None:
        size = self._size
        weights = self._sums[size:] + [0.0] * size
        self._keys.extend([-1] * size)
        self._free.extend(range(2 * size - 1, size - 1, -1))
        self._size = 2 * size
        self._sums = [0.0] * (2 * size) + weights
        for node in range(2 * size - 1, 0, -1):
            self._sums[node] = self._sums[2 * node] + self._sums[2 * node + 1]


class Area:
    """The states that wait in one function of the program's own."""

    def __init__(self) -> None:
        self.near = SumTree()
        """By their nearness to goals."""
        self.shallow = SumTree()
        """Each with half the weight of one that has forked once less."""
        self.count = 0


class NearUncovered:
    """All functions in which states wait come up alike; of their states, shallow ones and those near goals more often.

    Where many states are says nothing of where anything is to be learnt: a function that makes states without end, such
    as one that quotes what a message shows, gets no more than any other. First a function is chosen. Then, in turns,
    one of its states is by depth, as on a random path from the root (Cadar08), or by nearness to a goal, 1 / (1 +
    distance)^2 (as KLEE's md2u, Cadar08). Whichever it was, its goal bears the cost if it covers nothing.
    Distances are computed again at most every few picks in proportion to the states waiting. They cover the functions
    that have run so far, not those that were only read; a call of any other is wanted.
    """

    def __init__(self, goals: Goals, coverage: Covered, effort: Effort, chance: random.Random) -> None:
        self._goals = goals
        self._coverage = coverage
        self._effort = effort
        self._chance = chance
        self._areas: dict[str, Area] = {}
        self._inhabited: list[Area] = []
        """Those in which states wait."""
        self._states: dict[Ticket, tuple[State, Area, BlockId | None]] = {}
        """With the goal that each is nearest to."""
        self._running: tuple[State, BlockId | None, int] | None = None
        """The state that was taken out last, its goal, and what had been done by then, as ``_done`` counts it."""
        self._covered = 0
        """How many edges were covered when it was taken out."""
        self._picks, self._patience = 0, 0

    def add(self, ticket: Ticket, state: State, parents: Parents) -> None:
        self._charge()
        if not self._areas:
            self._goals.refresh()
        area = self._areas.setdefault(self._goals.function(state), Area())
        if not area.count:
            self._inhabited.append(area)
        area.count += 1
        area.shallow.put(ticket, 0.5 ** min(state.depth, _DEEPEST))
        self._put(ticket, state, area)

    def remove(self, ticket: Ticket) -> None:
        self._charge()
        state, area, goal = self._states.pop(ticket)
        area.near.take(ticket)
        area.shallow.take(ticket)
        area.count -= 1
        if not area.count:
            self._inhabited.remove(area)
        self._running = state, goal, self._done(state)
        self._covered = self._coverage.covered.count(1)

    def choose(self) -> Ticket:
        """Any function, and one of its states in one of the two ways, in turns."""
        self._charge()
        self._picks += 1
        self._patience += 1
        if self._patience >= max(_PATIENCE, len(self._states) // 8):
            self._patience = 0
            if self._goals.refresh():
                for ticket, (state, area, _) in self._states.items():
                    self._put(ticket, state, area)
        area = self._inhabited[int(self._chance.random() * len(self._inhabited))]
        return (area.shallow if self._picks % 2 else area.near).choose(self._chance)

    def _put(self, ticket: Ticket, state: State, area: Area) -> None:
        distance, goal = self._goals.nearest(state)
        self._states[ticket] = state, area, goal
        area.near.put(ticket, 1.0 / (1.0 + distance) ** 2)

    def _charge(self) -> None:
        """The goal of the state that ran last bears the cost, unless anything was covered meanwhile."""
        if self._running is None:
            return
        state, goal, before = self._running
        self._running = None
        if goal is not None and self._coverage.covered.count(1) <= self._covered:
            self._goals.charge(goal, self._done(state) - before)

    def _done(self, state: State) -> int:
        return state.instructions + _TICK * self._effort.ticks


class Reached:
    """True once one of ``edges`` is covered; from the start when there is no edge to wait for."""

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


class Towards:
    """The state nearest to a line comes first; once ``is_reached`` says so, states at the line, then the oldest."""

    def __init__(self, distances: Distances, is_reached: Callable[[], bool]) -> None:
        self._distances = distances
        self._is_reached = is_reached
        self._reached = False
        self._heap: list[tuple[int, int]] = []
        self._states: dict[int, State] = {}

    def add(self, ticket: Ticket, state: State, parents: Parents) -> None:
        self._states[ticket] = state
        heapq.heappush(self._heap, (self._rank(state), ticket))

    def remove(self, ticket: Ticket) -> None:
        del self._states[ticket]

    def choose(self) -> Ticket:
        """The first state by rank; ranks change when the line is reached."""
        if not self._reached and self._is_reached():
            self._reached = True
            self._heap = [(self._rank(state), ticket) for ticket, state in self._states.items()]
            heapq.heapify(self._heap)
        while self._heap[0][1] not in self._states:
            heapq.heappop(self._heap)
        return self._heap[0][1]

    def _rank(self, state: State) -> int:
        distance = self._distances.of(state)
        return min(distance, 1) if self._reached else distance
