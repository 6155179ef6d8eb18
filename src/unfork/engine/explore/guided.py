"""Orders led by distance: weighted choice near uncovered branches, and nearest-first towards one source line."""

from __future__ import annotations

import heapq
import random
from collections import Counter
from collections.abc import Callable, Hashable
from typing import NamedTuple

from unfork.engine.explore.distance import BlockId, Distances
from unfork.engine.explore.goals import CoveredEdges, Goals
from unfork.engine.protocols.frontier import Parents, Ticket
from unfork.engine.state.state import State
from unfork.logic.solve.solver import Effort

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
    """States that wait and have something in common."""

    def __init__(self) -> None:
        self.near = SumTree()
        """By their nearness to goals."""
        self.shallow = SumTree()
        """Each with half the weight of one that has forked once less."""
        self.count = 0
        self.work = 0
        """What has been done by states that were in it when they were taken out."""


class Areas:
    """A partition of the waiting states."""

    def __init__(self) -> None:
        self._areas: dict[Hashable, Area] = {}
        self.inhabited: list[Area] = []
        """Those in which states wait."""
        self.work = 0
        """What has been done by states that were chosen by this partition."""
        self._picks = 0

    def enter(self, key: Hashable, ticket: Ticket, depth: int) -> Area:
        """The area of ``key``, in which a state waits from now on."""
        area = self._areas.setdefault(key, Area())
        if not area.count:
            self.inhabited.append(area)
        area.count += 1
        area.shallow.put(ticket, 0.5 ** min(depth, _DEEPEST))
        return area

    def leave(self, area: Area, ticket: Ticket) -> None:
        """A state waits in its area no more."""
        area.near.take(ticket)
        area.shallow.take(ticket)
        area.count -= 1
        if not area.count:
            self.inhabited.remove(area)

    def choose(self, area: Area, chance: random.Random) -> Ticket:
        """A state of an area, in turns by depth and by nearness."""
        self._picks += 1
        return (area.shallow if self._picks % 2 else area.near).choose(chance)


class _Waiting(NamedTuple):
    """A state, the rarest block that it comes from, its areas, and the goal that it is nearest to."""

    state: State
    origin: BlockId
    function: Area
    family: Area
    goal: BlockId | None


class NearUncovered:
    """Shares the work among functions, and among families of states that come from a block which few have come to.

    Where many states are says nothing of where anything is to be learnt: a function that makes states without end, such
    as one that quotes what a message shows, gets no more than any other. And of two states in one function that look
    alike, the one that has come from a rare block, such as that of an option which few inputs set, may be alone in what
    it can reach; distances over the control flow cannot tell. So half of the work goes to states by the function that
    they wait in, all alike in which states wait. The other half goes to families: a state's is that of the block, among
    those where it or one it comes from has waited, at which fewest states have waited; the family that has done least
    is next, so that what is new is followed at once.
    Of a function or a family, it is in turns one of its states by depth, as on a random path from the root (Cadar08),
    or by nearness to a goal, 1 / (1 + distance)^2 (as KLEE's md2u, Cadar08). Whichever it was, its goal bears the cost
    if it covers nothing.
    Distances are computed again at most every few picks in proportion to the states waiting. They cover the functions
    that have run so far, not those that were only read; a call of any other is wanted.
    """

    def __init__(self, goals: Goals, coverage: CoveredEdges, effort: Effort, chance: random.Random) -> None:
        self._goals = goals
        self._coverage = coverage
        self._effort = effort
        self._chance = chance
        self._functions, self._families = Areas(), Areas()
        self._chosen_by = self._families
        """By what the latest choice was made."""
        self._visits: Counter[BlockId] = Counter()
        """How many states have waited at a block."""
        self._states: dict[Ticket, _Waiting] = {}
        self._left: dict[Ticket, BlockId] = {}
        """The origins of those that were taken out since the latest choice."""
        self._running: tuple[_Waiting, int] | None = None
        """The state that was taken out last, and what had been done by then, as ``_done`` counts it."""
        self._covered = 0
        """How many edges were covered when it was taken out."""
        self._patience = 0

    def add(self, ticket: Ticket, state: State, parents: Parents) -> None:
        self._charge()
        if not self._visits:
            self._goals.refresh()
        block = self._goals.block(state)
        self._visits[block] += 1
        earlier = [self._left[parent] for parent in parents if parent in self._left]
        origin = min([*earlier, block], key=self._visits.__getitem__)
        function = self._functions.enter(block[0], ticket, state.depth)
        family = self._families.enter(origin, ticket, state.depth)
        self._put(ticket, _Waiting(state, origin, function, family, None))

    def remove(self, ticket: Ticket) -> None:
        self._charge()
        waiting = self._states.pop(ticket)
        self._functions.leave(waiting.function, ticket)
        self._families.leave(waiting.family, ticket)
        self._left[ticket] = waiting.origin
        self._running = waiting, self._done(waiting.state)
        self._covered = self._coverage.covered.count(1)

    def choose(self) -> Ticket:
        """By function or by family, whichever has done less."""
        self._charge()
        self._left.clear()
        self._patience += 1
        if self._patience >= max(_PATIENCE, len(self._states) // 8):
            self._patience = 0
            if self._goals.refresh():
                for ticket, waiting in self._states.items():
                    self._put(ticket, waiting)
        self._chosen_by = min(self._families, self._functions, key=_work)
        inhabited = self._chosen_by.inhabited
        if self._chosen_by is self._families:
            area = min(inhabited, key=_work)
        else:
            area = inhabited[int(self._chance.random() * len(inhabited))]
        return self._chosen_by.choose(area, self._chance)

    def _put(self, ticket: Ticket, waiting: _Waiting) -> None:
        distance, goal = self._goals.nearest(waiting.state)
        self._states[ticket] = waiting._replace(goal=goal)
        for area in (waiting.function, waiting.family):
            area.near.put(ticket, 1.0 / (1.0 + distance) ** 2)

    def _charge(self) -> None:
        """What the state that ran last has done counts; its goal bears the cost, unless anything was covered."""
        if self._running is None:
            return
        waiting, before = self._running
        self._running = None
        work = self._done(waiting.state) - before
        waiting.family.work += work
        self._chosen_by.work += work
        if waiting.goal is not None and self._coverage.covered.count(1) <= self._covered:
            self._goals.charge(waiting.goal, work)

    def _done(self, state: State) -> int:
        return state.instructions + _TICK * self._effort.ticks


def _work(areas: Area | Areas) -> int:
    return areas.work


class Reached:
    """True once one of ``edges`` is covered; from the start when there is no edge to wait for."""

    def __init__(self, coverage: CoveredEdges, edges: set[tuple[str, int, int]] | None) -> None:
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
