"""Topological order: a state waits until none is left that may still come to where it is (Kuznetsov12, section 4.1)."""

from __future__ import annotations

import heapq

from unfork.contracts.frontier import Frontier, Parents, Ticket
from unfork.contracts.join import Union
from unfork.merge.merge_table import Arrival, Arrivals, MergeTable
from unfork.merge.positions import Position, Positions
from unfork.state.state import State


class StaticOrder:
    """An order and a joiner: the state with the least position comes next, and is joined where it meets a similar one.

    Nothing deadlocks: some state is always least. A loop without end keeps all after it waiting.
    """

    def __init__(self, meetings: MergeTable, positions: Positions) -> None:
        self._meetings = meetings
        self._positions = positions
        self._heap: list[tuple[tuple[int, ...], Ticket]] = []
        self._waiting: dict[Ticket, tuple[Arrival, Position]] = {}
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

    def join(self, state: State, parents: Parents, frontier: Frontier) -> Union | None:
        """Join an arriving state with one that waits at its place."""
        arrival, position = self._arrivals.of(state, parents)
        union = self._meetings.meet(arrival, frontier)
        if union is not None:
            self._arrivals.becomes(union.state, (self._meetings.joined(union.state, arrival), position))
        return union

    def _look(self, state: State, last: tuple[Arrival, Position] | None) -> tuple[Arrival, Position]:
        before, position = (None, None) if last is None else last
        return self._meetings.arrival(state, before), self._positions.moved(position, state)
