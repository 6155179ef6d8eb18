"""Orders led by distance: weighted choice near uncovered branches, and nearest-first towards one source line."""

from __future__ import annotations

import heapq
import random
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Protocol

from unfork.contracts.frontier import Parents, Ticket
from unfork.explore.distance import BlockId, Distances, branch_targets
from unfork.llvm.module import Function
from unfork.logic.solver import Effort
from unfork.state.state import State

_PATIENCE = 50
"""Picks, at least, between two computations of distances: coverage comes in bursts."""

_TICK = 72
"""Instructions that take as long as a tick of a solver."""
_THOUSAND = 1000.0


class Covered(Protocol):
    """Which branch edges have been covered; both sequences grow."""

    @property
    def covered(self) -> bytearray: ...

    @property
    def edges(self) -> list[tuple[str, int, int]]: ...


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


CallStack = tuple[tuple[str, int], ...]
"""Where a state is, but for the block within the innermost function: its callers' calls, and that function."""


class Family:
    """The waiting states with one call stack, by their nearness, and what they have cost of late."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.near = SumTree()
        self.count = 0
        self.fruitless = 0.0
        """What its states have cost since one of them covered something, in thousands of instructions."""

    def worth(self) -> float:
        """Its weight, by the mean nearness of its states: many are worth no more than one."""
        return self.near.total() / self.count / (1.0 + self.fruitless)


class NearUncovered:
    """States near uncovered branches come up more often, of families that do not run on and on and cover nothing.

    A state's nearness is 1 / (1 + distance)^2 (as KLEE's md2u, Cadar08). First a family is chosen, by its states' mean
    nearness over what it has cost without covering anything; then one of its states, by nearness. Whatever runs a
    state, and by which order, its family bears the cost: so in the end all families get the same share of the work.
    Distances are computed again once coverage has grown, at most every few picks in proportion to the states waiting.
    They cover the functions that have run so far, not those that were only read; a call of any other is wanted.
    """

    def __init__(self, distances: Distances, coverage: Covered, effort: Effort, chance: random.Random) -> None:
        self._distances = distances
        self._coverage = coverage
        self._effort = effort
        self._chance = chance
        self._families: list[Family] = []
        self._by_stack: dict[CallStack, Family] = {}
        self._worth = SumTree()
        self._states: dict[Ticket, tuple[State, Family]] = {}
        self._running: tuple[State, Family, int] | None = None
        """The state that was taken out last, its family, and what had been done by then, as ``_done`` counts it."""
        self._covered = 0
        """How many edges were covered when it was taken out."""
        self._picks = 0
        self._seen = -1

    def add(self, ticket: Ticket, state: State, parents: Parents) -> None:
        self._charge()
        if self._seen < 0:
            self._refresh()
        stack = _call_stack(state)
        family = self._by_stack.get(stack)
        if family is None:
            family = self._by_stack[stack] = Family(len(self._families))
            self._families.append(family)
        self._states[ticket] = state, family
        family.near.put(ticket, self._nearness(state))
        family.count += 1
        self._weigh(family)

    def remove(self, ticket: Ticket) -> None:
        self._charge()
        state, family = self._states.pop(ticket)
        family.near.take(ticket)
        family.count -= 1
        if not family.count:
            self._worth.take(family.number)
        self._running = state, family, self._done(state)
        self._covered = self._coverage.covered.count(1)

    def choose(self) -> Ticket:
        """A random family by worth, and of it a random state by nearness, once both are up to date."""
        self._charge()
        self._picks += 1
        if self._picks >= max(_PATIENCE, len(self._states) // 8):
            self._picks = 0
            if self._coverage.covered.count(1) != self._seen:
                self._refresh()
                for ticket, (state, family) in self._states.items():
                    family.near.put(ticket, self._nearness(state))
                for family in self._families:
                    self._weigh(family)
        return self._families[self._worth.choose(self._chance)].near.choose(self._chance)

    def _charge(self) -> None:
        """The state that ran last was worth it if something was covered meanwhile; else its family bears the cost."""
        if self._running is None:
            return
        state, family, before = self._running
        self._running = None
        if self._coverage.covered.count(1) > self._covered:
            family.fruitless = 0.0
        else:
            family.fruitless += (self._done(state) - before) / _THOUSAND
        self._weigh(family)

    def _done(self, state: State) -> int:
        return state.instructions + _TICK * self._effort.ticks

    def _weigh(self, family: Family) -> None:
        if family.count:
            self._worth.put(family.number, family.worth())

    def _nearness(self, state: State) -> float:
        # A function that nobody had run before is where one wants to be.
        distance = float(1 + (self._distances.of(state) if self._distances.knows(state) else 0))
        return 1.0 / (distance * distance)

    def _refresh(self) -> None:
        self._seen = self._coverage.covered.count(1)
        distances = self._distances
        distances.look_again()
        uncovered = uncovered_blocks(distances.functions(), self._coverage)
        distances.want(dict.fromkeys([*uncovered, *distances.leading_out()]))


def _call_stack(state: State) -> CallStack:
    frames = state.frames
    if not frames:
        return ()
    calls = [(frame.function.name, frame.block) for frame in frames[:-1]]
    return (*calls, (frames[-1].function.name, -1))


def uncovered_blocks(functions: Iterable[Function], coverage: Covered) -> list[BlockId]:
    """The blocks that have a branch edge which is not covered."""
    done: Counter[BlockId] = Counter()
    for (name, block, _), covered in zip(coverage.edges, coverage.covered, strict=True):
        done[(name, block)] += covered
    return [
        (function.name, block.index)
        for function in functions
        for block in function.blocks
        if done[(function.name, block.index)] < len(branch_targets(block))
    ]


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
