"""Dynamic state merging (Kuznetsov12, Algorithm 2): any order drives; a state behind a similar one catches up."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Hashable
from dataclasses import dataclass, replace

from unfork.engine.protocols.frontier import Frontier, Parents, Ticket
from unfork.engine.protocols.join import StateUnion
from unfork.engine.state.state import State
from unfork.reduce.merge.marked_order import Driving
from unfork.reduce.merge.merge_table import Arrival, Arrivals, MergeTable
from unfork.reduce.merge.static_order import OrderPosition, Positions

Mark = tuple[Hashable, ...]
"""A program point with a signature: an entry of a state's history."""
_START: tuple[Mark, ...] = (("start",),)
"""The mark that all new states share: states that are alone rest nowhere, and so get no other."""
Entry = tuple[tuple[int, ...], Ticket]
"""A waiting state by its position in topological order."""


@dataclass(slots=True)
class _Forwarding:
    """One choice of a state for fast-forwarding; states that it forks into share it."""

    merged: bool = False


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A waiting state. ``trail`` has its last distinct marks, newest last, including the current one."""

    arrival: Arrival
    trail: tuple[Mark, ...]
    position: OrderPosition
    forwarding: _Forwarding | None


class FastForward:
    """An order over the frontier, and a joiner.

    The forwarding set F holds each waiting state that shares a mark, at most ``delta`` points back on either side,
    with a state further in topological order. The topologically first state of F comes next. If F is empty, the
    driving order chooses.

    A state that took another arm of a branch than the one ahead is in F by the point before the branch, though it is
    where the other never was.
    """

    def __init__(self, meetings: MergeTable, positions: Positions, driving: Driving, delta: int) -> None:
        self._meetings = meetings
        self._positions = positions
        self._driving = driving
        self._delta = delta
        self._waiting: dict[Ticket, _Waiting] = {}
        self._passed: dict[Mark, list[Entry]] = {}
        self._forward: list[Entry] = []
        self._held: dict[Ticket, None] = {}
        self._chosen = -1
        self._is_forwarded = False
        self._arrivals = Arrivals(self._look)

    # --- an order ---

    def add(self, ticket: Ticket, state: State, parents: Parents) -> None:
        """A state waits; it may put others into F, or they it."""
        known = self._arrivals.waits(state, parents)
        self._waiting[ticket] = known
        self._meetings.add(ticket, known.arrival)
        for mark in known.trail:
            passed = self._passed.setdefault(mark, [])
            overtaken = _furthest(passed) if passed and passed[-1][0] < known.position.key else []
            insort(passed, (known.position.key, ticket))
            self._settle(overtaken)
        self._driving.add(ticket, state, parents)
        self._settle([ticket])

    def hold(self, ticket: Ticket) -> None:
        """An added state may be joined, but not chosen."""
        self._held[ticket] = None
        self._settle([ticket])
        self._driving.hold(ticket)

    def release(self, ticket: Ticket, parents: Parents) -> None:
        """It may be chosen again, as if it came from ``parents``."""
        del self._held[ticket]
        self._driving.release(ticket, parents)
        self._settle([ticket])

    def remove(self, ticket: Ticket) -> None:
        """A state leaves; if it was chosen, its successors inherit its history."""
        known = self._waiting.pop(ticket)
        self._meetings.remove(ticket, known.arrival)
        entry = (known.position.key, ticket)
        _discard(self._forward, entry)
        for mark in known.trail:
            passed = self._passed[mark]
            _discard(passed, entry)
            if not passed:
                del self._passed[mark]
            elif passed[-1][0] < known.position.key:
                self._settle(_furthest(passed))
        self._held.pop(ticket, None)
        self._driving.remove(ticket)
        if ticket == self._chosen:
            self._arrivals.sets_out(ticket, self._inherited(known))
            self._chosen = -1

    def choose(self) -> Ticket:
        """The topologically first state of F; the driving order's choice if F is empty."""
        self._is_forwarded = bool(self._forward)
        self._chosen = self._forward[0][1] if self._forward else self._driving.choose()
        return self._chosen

    # --- a joiner ---

    def join(self, state: State, parents: Parents, frontier: Frontier) -> StateUnion | None:
        """Join an arriving state with one that waits at its place."""
        known = self._arrivals.of(state, parents)
        union = self._meetings.meet(known.arrival, frontier)
        if union is None:
            return None
        if known.forwarding is not None and not known.forwarding.merged:
            known.forwarding.merged = True
            self._meetings.counts.forwarded_merged += 1
        arrival = self._meetings.joined(union.state, known.arrival)
        trail = self._extended(known.trail, arrival)
        self._arrivals.becomes(union.state, replace(known, arrival=arrival, trail=trail, forwarding=None))
        return union

    # --- inside ---

    def _look(self, state: State, last: _Waiting | None) -> _Waiting:
        """The record of an arriving state."""
        if last is None:
            arrival = self._meetings.arrival(state, None)
            return _Waiting(arrival, self._extended(_START, arrival), self._positions.moved(None, state), None)
        arrival, position = self._meetings.arrival(state, last.arrival), self._positions.moved(last.position, state)
        return _Waiting(arrival, self._extended(last.trail, arrival), position, last.forwarding)

    def _extended(self, trail: tuple[Mark, ...], arrival: Arrival) -> tuple[Mark, ...]:
        """The history after arriving at a program point; repeated turns of a loop count once."""
        if arrival.point is None:
            return trail
        here = (arrival.point, arrival.signature)
        return (*[mark for mark in trail if mark != here], here)[-self._delta - 1 :]

    def _inherited(self, known: _Waiting) -> _Waiting:
        """What the successors of a chosen state inherit."""
        forwarding = known.forwarding if self._is_forwarded or known.arrival.point is None else None
        if self._is_forwarded and forwarding is None:
            forwarding = _Forwarding()
            self._meetings.counts.forwarded += 1
        return replace(known, forwarding=forwarding)

    def _settle(self, tickets: list[Ticket]) -> None:
        """Put waiting states into F if a further one has been at one of their marks; otherwise take them out."""
        for ticket in tickets:
            known = self._waiting[ticket]
            key = known.position.key
            _discard(self._forward, (key, ticket))
            if ticket not in self._held and any(self._passed[mark][-1][0] > key for mark in known.trail):
                insort(self._forward, (key, ticket))


def _furthest(entries: list[Entry]) -> list[Ticket]:
    """The last entries in topological order."""
    start = bisect_left(entries, (entries[-1][0],))
    return [ticket for _, ticket in entries[start:]]


def _discard(entries: list[Entry], entry: Entry) -> None:
    index = bisect_left(entries, entry)
    if index < len(entries) and entries[index] == entry:
        del entries[index]
