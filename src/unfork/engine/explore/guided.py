"""Orders by distance: a weighted choice near uncovered branches, and nearest-first towards one source line."""

from __future__ import annotations

import heapq
import random
from collections import Counter
from collections.abc import Callable, Hashable
from typing import NamedTuple

from unfork.engine.explore.distance import BlockId, CallStack, Distances
from unfork.engine.explore.goals import CoveredEdges, Goals
from unfork.engine.protocols.frontier import Parents, Ticket
from unfork.engine.state.state import State
from unfork.logic.solve.solver import Effort

_PATIENCE = 50
"""The fewest picks between two computations of distances or covers: coverage comes in bursts."""

_TICK = 72
"""Instructions that take as long as a tick of a solver."""
_WORTH, _MOST_PATHS = 0.3, 10**30
"""By depth and by nearness, a state of multiplicity m is chosen m ** _WORTH times as often as a single path. Chosen on
cat, nl, join and uniq of coreutils, where 0 covers as much and explores fewer paths.
"""
FEW = 32
"""While so few states wait, joins keep up with forks, and those that lag behind should come. No program of the corpus
of recursion has more than 17; coreutils have hundreds.
"""
_DEEPEST = 1000
"""States with more forks count as equally deep: smaller weights underflow."""


def weight_of(state: State) -> float:
    """How many paths a state stands for."""
    return float(min(state.multiplicity, _MOST_PATHS))


def is_due(picks: int, waiting: int) -> bool:
    """Whether to compute anew what coverage decides, after so many picks, while so many states wait."""
    return picks >= max(_PATIENCE, waiting // 8)


def work_done(state: State, effort: Effort) -> int:
    """A clock of work while ``state`` runs: its instructions, and the solver's ticks."""
    return state.instructions + _TICK * effort.ticks


class SumTree:
    """Weights under keys, with a choice in proportion to weight in O(log n); sums are rebuilt, so they do not drift."""

    def __init__(self) -> None:
        self._size = 1
        self._sums = [0.0, 0.0]
        self._keys: list[int] = [-1]
        self._index: dict[int, int] = {}
        self._free = [0]

    def __len__(self) -> int:
        return len(self._index)

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
    """Waiting states with something in common."""

    def __init__(self, *, prefers_joined: bool) -> None:
        self.near = SumTree()
        """By nearness to goals."""
        self.shallow = SumTree()
        """By depth: each fork halves the weight."""
        self.heavy = SumTree() if prefers_joined else None
        """By the paths that they stand for."""
        self.work = 0
        """Work of states that were taken out of it."""


class Areas:
    """A partition of the waiting states.

    ``prefers_joined``: if many wait, each third choice in an area goes to a state that stands for many paths.
    """

    def __init__(self, *, prefers_joined: bool) -> None:
        self._prefers_joined = prefers_joined
        self._areas: dict[Hashable, Area] = {}
        self.inhabited: list[Area] = []
        """The areas with waiting states."""
        self.work = 0
        """Work of states chosen by this partition."""
        self._picks = 0

    def enter(self, key: Hashable, ticket: Ticket, state: State, worth: float) -> Area:
        """The area of ``key``, which now has the state."""
        area = self._areas.get(key)
        if area is None:
            area = self._areas[key] = Area(prefers_joined=self._prefers_joined)
        if not len(area.shallow):
            self.inhabited.append(area)
        area.shallow.put(ticket, worth * 0.5 ** min(state.depth, _DEEPEST))
        if area.heavy is not None:
            area.heavy.put(ticket, weight_of(state))
        return area

    def leave(self, area: Area, ticket: Ticket) -> None:
        """The state leaves its area."""
        area.near.take(ticket)
        area.shallow.take(ticket)
        if area.heavy is not None:
            area.heavy.take(ticket)
        if not len(area.shallow):
            self.inhabited.remove(area)

    def choose(self, area: Area, chance: random.Random, *, are_many: bool) -> Ticket:
        """A state of an area, by depth, by nearness, and, if many wait, by the paths that it stands for, in turns."""
        self._picks += 1
        trees = [area.near, area.shallow]
        if are_many and area.heavy is not None:
            trees.append(area.heavy)
        return trees[self._picks % len(trees)].choose(chance)


class _Waiting(NamedTuple):
    """A state, the rarest block that it comes from, its areas, and its nearest goal with the distance."""

    state: State
    stack: CallStack
    origin: BlockId
    function: Area
    family: Area
    distance: int
    goal: BlockId | None


class NearUncovered:
    """Shares the work among functions, and among families of states from rare blocks.

    Where many states are says little about where there is something to learn: a function that makes states without
    end, such as one that quotes text for a message, gets no more than others. And of two like states in one
    function, the one from a rare block, such as that of a seldom set option, may be alone in what it can reach;
    distances do not tell. So half of the work goes to functions, the same to each with waiting states. The other
    half goes to families: a state's family is the block with the fewest visits among those where it or an ancestor
    waited; the family with the least work is next, so that new ones are followed at once. Within a function or
    family, states are chosen in turns by depth, as on a random path from the root, or by nearness to a goal, 1 / (1
    + distance)^2 (KLEE's md2u; both Cadar08). Where states are joined (``prefers_joined``), those that stand for
    many paths are preferred, and each third choice goes by that number alone. In any case the goal is charged if
    nothing is covered. Distances are computed again at most every few picks, in proportion to the waiting states,
    once for all states with one stack. They cover the functions that have run, not those merely read; a call of any
    other function is a goal.
    """

    def __init__(
        self,
        goals: Goals,
        coverage: CoveredEdges,
        effort: Effort,
        chance: random.Random,
        *,
        prefers_joined: bool = False,
    ) -> None:
        self._goals = goals
        self._prefers_joined = prefers_joined
        self._coverage = coverage
        self._effort = effort
        self._chance = chance
        self._functions = Areas(prefers_joined=prefers_joined)
        self._families = Areas(prefers_joined=prefers_joined)
        self._chosen_by = self._families
        """The partition of the latest choice."""
        self._visits: Counter[BlockId] = Counter()
        """How many states have waited at each block."""
        self._states: dict[Ticket, _Waiting] = {}
        self._left: dict[Ticket, BlockId] = {}
        """The origins of states taken out since the latest choice."""
        self._running: tuple[_Waiting, int] | None = None
        """The state taken out last, and the total work then (``work_done``)."""
        self._covered = 0
        """The covered edges at that time."""
        self._patience = 0

    def add(self, ticket: Ticket, state: State, parents: Parents) -> None:
        self._charge()
        if not self._visits:
            self._goals.refresh()
        block = self._goals.block(state)
        self._visits[block] += 1
        earlier = [self._left[parent] for parent in parents if parent in self._left]
        origin = min([*earlier, block], key=self._visits.__getitem__)
        worth = self._worth(state)
        function = self._functions.enter(block[0], ticket, state, worth)
        family = self._families.enter(origin, ticket, state, worth)
        stack = self._goals.stack(state)
        self._weigh(ticket, _Waiting(state, stack, origin, function, family, *self._goals.nearest(stack)))

    def remove(self, ticket: Ticket) -> None:
        self._charge()
        waiting = self._states.pop(ticket)
        self._functions.leave(waiting.function, ticket)
        self._families.leave(waiting.family, ticket)
        self._left[ticket] = waiting.origin
        self._running = waiting, work_done(waiting.state, self._effort)
        self._covered = self._coverage.covered.count(1)

    def choose(self) -> Ticket:
        """By function or by family, whichever has less work."""
        self._charge()
        self._left.clear()
        self._patience += 1
        if is_due(self._patience, len(self._states)):
            self._patience = 0
            if self._goals.refresh():
                self._measure_again()
        self._chosen_by = min(self._families, self._functions, key=_work)
        inhabited = self._chosen_by.inhabited
        if self._chosen_by is self._families:
            area = min(inhabited, key=_work)
        else:
            area = inhabited[int(self._chance.random() * len(inhabited))]
        return self._chosen_by.choose(area, self._chance, are_many=len(self._states) > FEW)

    def _measure_again(self) -> None:
        """Distances may have changed: weigh the states again whose own has. One look serves all of one stack."""
        nearest: dict[CallStack, tuple[int, BlockId | None]] = {}
        for ticket, waiting in self._states.items():
            stack = waiting.stack
            found = nearest.get(stack)
            if found is None:
                found = nearest[stack] = self._goals.nearest(stack)
            if found != (waiting.distance, waiting.goal):
                distance, goal = found
                self._weigh(ticket, waiting._replace(distance=distance, goal=goal))

    def _weigh(self, ticket: Ticket, waiting: _Waiting) -> None:
        self._states[ticket] = waiting
        nearness = self._worth(waiting.state) / (1.0 + waiting.distance) ** 2
        for area in (waiting.function, waiting.family):
            area.near.put(ticket, nearness)

    def _worth(self, state: State) -> float:
        """How often a state is chosen where it is as deep or as near as another."""
        return weight_of(state) ** _WORTH if self._prefers_joined else 1.0

    def _charge(self) -> None:
        """Charge the work of the last state, to its goal too if nothing was covered."""
        if self._running is None:
            return
        waiting, before = self._running
        self._running = None
        work = work_done(waiting.state, self._effort) - before
        waiting.family.work += work
        self._chosen_by.work += work
        if waiting.goal is not None and self._coverage.covered.count(1) <= self._covered:
            self._goals.charge(waiting.goal, work)


def _work(areas: Area | Areas) -> int:
    return areas.work


class Reached:
    """True once one of ``edges`` is covered; at once if there is none."""

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
    """The state nearest to a line comes first; once ``is_reached`` is true, states at the line, then the oldest."""

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
