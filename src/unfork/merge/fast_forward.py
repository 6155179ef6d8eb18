"""Dynamic state merging (Kuznetsov12, Algorithm 2): any order drives; who lags behind a similar state catches up."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from heapq import heappop, heappush

from unfork.contracts.frontier import Frontier
from unfork.contracts.joiner import Union
from unfork.contracts.order import Parents, Ticket
from unfork.merge.arrivals import Arrivals
from unfork.merge.marked_order import Driving
from unfork.merge.meetings import Arrival, Meetings
from unfork.merge.positions import Position, Positions
from unfork.state.state import State

_PATIENCE = 64
"""Choices of the driving orders without progress before topological order takes most of their turns."""
_SLACK = 1024
_SHARE = 16
"""From then on, one choice in so many is still theirs."""

Mark = tuple[Hashable, ...]
"""A place with a signature: what the history keeps of a state."""


@dataclass(slots=True)
class _Forwarding:
    """One time that a state was chosen for fast-forwarding; states that it forks into share it."""

    merged: bool = False


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A waiting state. ``trail`` has the marks of its last predecessors, newest last."""

    arrival: Arrival
    mark: Mark | None
    trail: tuple[Mark, ...]
    position: Position
    forwarding: _Forwarding | None


class FastForward:
    """An order over the frontier, and a joiner.

    The forwarding set F holds the waiting states whose mark is in the history of another waiting state, at most
    ``delta`` places back. The topologically first state of F comes next. If F is empty, a state that rests between two
    places goes on to the next one, where it can be compared. Otherwise the driving orders take turns. ``progress`` says
    how near they are to their goal. While it stands still, most turns go to the topologically first state of all: then
    everything has to be explored, and that order joins most.
    """

    def __init__(
        self,
        meetings: Meetings,
        positions: Positions,
        driving: Driving,
        delta: int,
        progress: Callable[[], int] | None,
    ) -> None:
        self._meetings = meetings
        self._driving = driving
        self._delta = delta
        self._progress = progress
        self._reached = -1
        self._picks = 0
        self._heap: list[tuple[tuple[int, ...], Ticket]] = []
        self._positions = positions
        self._waiting: dict[Ticket, _Waiting] = {}
        self._here: dict[Mark, dict[Ticket, None]] = {}
        self._passed: dict[Mark, list[tuple[tuple[int, ...], Ticket]]] = {}
        self._forward: dict[Ticket, None] = {}
        self._between: dict[Ticket, None] = {}
        self._held: dict[Ticket, None] = {}
        self._chosen = -1
        self._is_forwarded = False
        self._arrivals = Arrivals(self._look)

    # --- an order ---

    def add(self, ticket: Ticket, state: State, parents: Parents) -> None:
        """A state waits; it may put others into F, and they it."""
        known = self._arrivals.waits(state, parents)
        self._waiting[ticket] = known
        self._meetings.add(ticket, known.arrival)
        for mark in dict.fromkeys(known.trail):
            insort(self._passed.setdefault(mark, []), (known.position.key, ticket))
            for behind in self._here.get(mark, ()):
                self._settle(behind, mark)
        if known.mark is not None:
            self._here.setdefault(known.mark, {})[ticket] = None
        self._driving.add(ticket, state, parents)
        self._offer(ticket, known)

    def hold(self, ticket: Ticket) -> None:
        """A state that was added may not be chosen, but joined."""
        self._held[ticket] = None
        self._forward.pop(ticket, None)
        self._between.pop(ticket, None)
        self._driving.hold(ticket)

    def release(self, ticket: Ticket, parents: Parents) -> None:
        """It may be chosen again, as if it came from ``parents``."""
        del self._held[ticket]
        self._driving.release(ticket, parents)
        self._offer(ticket, self._waiting[ticket])

    def _offer(self, ticket: Ticket, known: _Waiting) -> None:
        """A waiting state may be chosen."""
        if known.arrival.is_between:
            self._between[ticket] = None
        elif known.mark is not None:
            self._settle(ticket, known.mark)
        if self._progress is not None:
            if len(self._heap) > 2 * len(self._waiting) + _SLACK:
                self._heap = sorted((known.position.key, ticket) for ticket, known in self._waiting.items())
            else:
                heappush(self._heap, (known.position.key, ticket))

    def remove(self, ticket: Ticket) -> None:
        """A state waits no more; if it was chosen, its successors inherit its history."""
        known = self._waiting.pop(ticket)
        self._meetings.remove(ticket, known.arrival)
        self._forward.pop(ticket, None)
        self._between.pop(ticket, None)
        if known.mark is not None:
            here = self._here[known.mark]
            del here[ticket]
            if not here:
                del self._here[known.mark]
        for mark in dict.fromkeys(known.trail):
            passed = self._passed[mark]
            del passed[bisect_left(passed, (known.position.key, ticket))]
            if not passed:
                del self._passed[mark]
            for behind in self._here.get(mark, ()):
                self._settle(behind, mark)
        self._held.pop(ticket, None)
        self._driving.remove(ticket)
        if ticket == self._chosen:
            self._arrivals.sets_out(ticket, self._inherited(known))
            self._meetings.sets_out(known.arrival)
            self._chosen = -1

    def choose(self) -> Ticket:
        """The topologically first state of F; if F is empty, one between two places; else what drives decides."""
        self._is_forwarded = bool(self._forward)
        if self._forward:
            waiting = self._waiting
            self._chosen = min(self._forward, key=lambda ticket: (waiting[ticket].position.key, ticket))
        elif self._between:
            self._chosen = next(reversed(self._between))
        else:
            self._chosen = self._first() if self._is_patient() else self._driving.choose()
        return self._chosen

    def _is_patient(self) -> bool:
        """Whether this turn goes to topological order."""
        if self._progress is None:
            return False
        reached = self._progress()
        self._picks += 1
        if reached != self._reached:
            self._reached = reached
            self._picks = 0
        return self._picks > _PATIENCE and self._picks % _SHARE != 0

    def _first(self) -> Ticket:
        heap = self._heap
        while heap[0][1] not in self._waiting or heap[0][1] in self._held:
            heappop(heap)
        return heap[0][1]

    # --- a joiner ---

    def join(self, state: State, parents: Parents, frontier: Frontier) -> Union | None:
        """Join an arriving state with one that waits at its place."""
        known = self._arrivals.of(state, parents)
        union = self._meetings.meet(known.arrival, frontier)
        if union is None:
            return None
        if known.forwarding is not None and not known.forwarding.merged:
            known.forwarding.merged = True
            self._meetings.counts.forwarded_merged += 1
        arrival = self._meetings.joined(union.state, known.arrival)
        self._arrivals.becomes(union.state, replace(known, arrival=arrival, mark=_mark(arrival), forwarding=None))
        return union

    # --- inside ---

    def _look(self, state: State, last: _Waiting | None) -> _Waiting:
        """What is to be known of an arriving state."""
        if last is None:
            arrival = self._meetings.arrival(state, None)
            return _Waiting(arrival, _mark(arrival), (), self._positions.moved(None, state), None)
        arrival, position = self._meetings.arrival(state, last.arrival), self._positions.moved(last.position, state)
        return _Waiting(arrival, _mark(arrival), last.trail, position, last.forwarding)

    def _inherited(self, known: _Waiting) -> _Waiting:
        """What the successors of a chosen state inherit."""
        trail = known.trail
        if known.mark is not None:
            trail = (*trail, known.mark)[-self._delta :] if self._delta else ()
        forwarding = known.forwarding if self._is_forwarded or known.mark is None else None
        if self._is_forwarded and forwarding is None:
            forwarding = _Forwarding()
            self._meetings.counts.forwarded += 1
        return replace(known, trail=trail, forwarding=forwarding)

    def _settle(self, ticket: Ticket, mark: Mark) -> None:
        """Put a waiting state into F if one that is further has been where it is; else take it out."""
        if ticket in self._held:
            return
        passed = self._passed.get(mark)
        if passed and passed[-1][0] > self._waiting[ticket].position.key:
            self._forward[ticket] = None
        else:
            self._forward.pop(ticket, None)


def _mark(arrival: Arrival) -> Mark | None:
    return None if arrival.place is None else (arrival.place, arrival.signature)
