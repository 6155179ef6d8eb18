"""Topological order: a state waits until no other can still reach its place (Kuznetsov12, section 4.1)."""

from __future__ import annotations

import heapq
from dataclasses import dataclass

from unfork.engine.protocols.frontier import Frontier, Parents, Ticket
from unfork.engine.protocols.join import StateUnion
from unfork.engine.state.state import State
from unfork.program.facts.function_facts import FactsTable
from unfork.program.facts.merge_points import MergePointsOf
from unfork.program.llvm.module import Function
from unfork.reduce.merge.merge_table import Arrival, Arrivals, MergeTable

_MOST_FRAMES = 64
"""Frames beyond this many from the bottom count by depth alone."""


@dataclass(frozen=True, slots=True)
class OrderPosition:
    """For each frame, outermost first: (function, block, index, turns of each loop around the block)."""

    frames: tuple[tuple[Function, int, int, tuple[int, ...]], ...]
    key: tuple[int, ...]
    """Keys in lexicographic order are the order of exploration: earlier states may still lead to later ones."""


class Positions:
    """Positions of states, each computed from the state's previous one.

    The order is (call stack, reverse post-order, turns of the loops), lexicographic: of two states in one loop the
    one with fewer turns comes first, and both before one that has left it; a state within a call before the point of
    its return. Turns are counted at the loop's head. Calls at which one state can wait all count as the last of
    them: a state that may reach another call comes first, and meets its callees.
    """

    def __init__(self, facts: FactsTable, merge_points: MergePointsOf) -> None:
        self._facts = facts
        self._merge_points = merge_points

    def moved(self, before: OrderPosition | None, state: State) -> OrderPosition:
        """The position of a state that was at ``before`` at the last look."""
        known = () if before is None else before.frames
        frames: list[tuple[Function, int, int, tuple[int, ...]]] = []
        key: list[int] = []
        alike = True
        last = len(state.frames) - 1
        for depth, frame in enumerate(state.frames[:_MOST_FRAMES]):
            function, block, index = frame.function, frame.block, frame.index
            facts = self._facts[function]
            rank, around = facts.flow.rank, facts.nest.around
            loops = around[block]
            turns = (0,) * len(loops)
            if alike and depth < len(known):
                old = known[depth]
                if old[0] is function:
                    turns = _turns(old, around, block, index)
                    alike = old[1] == block and old[2] == index and turns == old[3]
                else:
                    alike = False
            frames.append((function, block, index, turns))
            for head, turn in zip(loops, turns, strict=True):
                key.append(rank[head])
                key.append(turn)
            if depth == last:
                key += (rank[block], 2 * index)
            else:
                block, index = self._merge_points(function).calls.get((block, index), (block, index))
                key += (rank[block], 2 * index - 1)
        return OrderPosition(tuple(frames), tuple(key))


def _turns(
    old: tuple[Function, int, int, tuple[int, ...]], around: list[tuple[int, ...]], block: int, index: int
) -> tuple[int, ...]:
    """The turns of the loops around ``block`` in an activation that came there from ``old``."""
    loops, before, turned = around[block], around[old[1]], old[3]
    turns = []
    shared = True
    for depth, head in enumerate(loops):
        shared = shared and depth < len(before) and before[depth] == head
        count = turned[depth] if shared else 0
        if shared and head == block and index == 0:
            count += 1
            shared = False
        turns.append(count)
    return tuple(turns)


class StaticOrder:
    """An order and a joiner: the state with the least position comes next, and joins a similar one that it meets.

    There is no deadlock: some state is always least. An endless loop keeps all states after it waiting.
    """

    def __init__(self, meetings: MergeTable, positions: Positions) -> None:
        self._meetings = meetings
        self._positions = positions
        self._heap: list[tuple[tuple[int, ...], Ticket]] = []
        self._waiting: dict[Ticket, tuple[Arrival, OrderPosition]] = {}
        self._chosen = -1
        self._arrivals = Arrivals(self._look)

    def add(self, ticket: Ticket, state: State, parents: Parents) -> None:
        arrival, position = self._arrivals.waits(state, parents)
        self._waiting[ticket] = arrival, position
        self._meetings.add(ticket, arrival)
        heapq.heappush(self._heap, (position.key, ticket))

    def remove(self, ticket: Ticket) -> None:
        arrival, position = self._waiting.pop(ticket)
        self._meetings.remove(ticket, arrival)
        if ticket == self._chosen:
            self._arrivals.sets_out(ticket, (arrival, position))
            self._chosen = -1

    def choose(self) -> Ticket:
        heap = self._heap
        while heap[0][1] not in self._waiting:
            heapq.heappop(heap)
        self._chosen = heap[0][1]
        return self._chosen

    def join(self, state: State, parents: Parents, frontier: Frontier) -> StateUnion | None:
        """Join an arriving state with one that waits at its place."""
        arrival, position = self._arrivals.of(state, parents)
        union = self._meetings.meet(arrival, frontier)
        if union is not None:
            self._arrivals.becomes(union.state, (self._meetings.joined(union.state, arrival), position))
        return union

    def _look(self, state: State, last: tuple[Arrival, OrderPosition] | None) -> tuple[Arrival, OrderPosition]:
        before, position = (None, None) if last is None else last
        return self._meetings.arrival(state, before), self._positions.moved(position, state)
