"""Topological order: a state waits until none is left that may still come to where it is (Kuznetsov12, section 4.1)."""

from __future__ import annotations

import heapq

from unfork.explore.search import Frontier
from unfork.merge.meetings import Arrival, Meetings
from unfork.merge.positions import Position, Positions
from unfork.state.state import State


class StaticOrder:
    """An order and a joiner: the state with the least position comes next, and is joined where it meets a similar one.

    Nothing deadlocks: some state is always least. A loop without end keeps all behind it waiting.
    """

    def __init__(self, meetings: Meetings) -> None:
        self._meetings = meetings
        self._positions = Positions()
        self._heap: list[tuple[tuple[int, ...], int]] = []
        self._waiting: dict[int, tuple[Arrival, Position]] = {}
        self._chosen = -1
        self._before: tuple[Arrival, Position] | None = None
        self._arrived: tuple[Arrival, Position] | None = None

    def add(self, ticket: int, state: State) -> None:
        arrival, position = self._of(state)
        self._arrived = None
        self._waiting[ticket] = arrival, position
        self._meetings.add(ticket, arrival)
        heapq.heappush(self._heap, (position.key, ticket))

    def remove(self, ticket: int) -> None:
        arrival, position = self._waiting.pop(ticket)
        self._meetings.remove(ticket, arrival)
        if ticket == self._chosen:
            self._before = arrival, position
            self._meetings.sets_out(arrival)
            self._chosen = -1

    def choose(self) -> int:
        heap = self._heap
        while heap[0][1] not in self._waiting:
            heapq.heappop(heap)
        self._chosen = heap[0][1]
        return self._chosen

    def join(self, state: State, frontier: Frontier) -> tuple[State, tuple[State, State]] | None:
        """Join an arriving state with one that waits at its place."""
        arrival, position = self._of(state)
        met = self._meetings.meet(arrival, frontier)
        if met is None:
            return None
        joined, other = met
        self._arrived = self._meetings.joined(joined, arrival), position
        return joined, (other, state)

    def _of(self, state: State) -> tuple[Arrival, Position]:
        arrived = self._arrived
        if arrived is None or arrived[0].state is not state:
            left, position = (None, None) if self._before is None else self._before
            arrived = self._meetings.arrival(state, left), self._positions.moved(position, state)
            self._arrived = arrived
        return arrived
