"""Merging at marks, as in KLEE: states that passed one opening are joined at its close.

A state at the close is held until all that passed the same opening have arrived, ended, or cannot arrive any more.
The driving order chooses among the others: the user's searchers, or a schedule that also joins elsewhere. Openings
nest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import cycle
from typing import Protocol

from unfork.engine.protocols.frontier import Frontier, Order, Parents, Ticket
from unfork.engine.protocols.join import Join, Joiner, Refusal, Similarity, StateUnion
from unfork.engine.state.state import State
from unfork.program.facts.merge_points import Mark, blocks_before, merge_begins, merge_ends
from unfork.program.llvm.module import Function
from unfork.reduce.merge.merge_table import Arrival, Arrivals, MergeTable

LEAST_PATIENCE, PATIENCE = 100_000, 64
"""Instructions that the states inside may run between two arrivals: at least this many, and this many times the
longest way of a waiting state. So an endless loop does not hold others up for ever.
"""
IMPATIENT = "not waited for"
"""The reason counted when waiting states go on before all have arrived."""


@dataclass(slots=True, eq=False)
class _Opening:
    """One passing of an opening. ``pending`` are the tickets inside, ``held`` those at the close."""

    site: tuple[int, Function, int, int]
    """Number of frames, function, block, index."""
    instructions: int
    """Instructions of the state that passed it, at that time."""
    pending: dict[int, None] = field(default_factory=dict)
    held: dict[int, None] = field(default_factory=dict)
    executed: int = 0
    """Instructions of the states inside since the last arrival at the close."""
    longest: int = 0


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A waiting state: the openings that it is inside of, and the one that it just closed."""

    arrival: Arrival
    inside: tuple[_Opening, ...]
    closed: _Opening | None


class _Marks:
    """The marks of one function."""

    def __init__(self, function: Function) -> None:
        self.begins = merge_begins(function)
        self.ends = merge_ends(function)
        self.before_ends = blocks_before(function, self.ends)


class Driving(Order, Joiner, Protocol):
    """An order over the frontier, and a joiner, that leaves held states waiting.

    Law: as of Order; ``choose`` names no held ticket, though that waits and may be joined with.
    """

    def hold(self, ticket: Ticket) -> None:
        """An added state may not be chosen from now on."""

    def release(self, ticket: Ticket, parents: Parents) -> None:
        """A held state may be chosen again, as if it came from ``parents``."""


class AlternatingOrder:
    """Orders that take turns, and join nothing."""

    def __init__(self, orders: Sequence[Order]) -> None:
        self._orders = tuple(orders)
        self._turns = cycle(self._orders)
        self._states: dict[Ticket, State] = {}
        self._held: dict[Ticket, None] = {}

    def add(self, ticket: Ticket, state: State, parents: Parents) -> None:
        self._states[ticket] = state
        for order in self._orders:
            order.add(ticket, state, parents)

    def remove(self, ticket: Ticket) -> None:
        del self._states[ticket]
        if ticket in self._held:
            del self._held[ticket]
            return
        for order in self._orders:
            order.remove(ticket)

    def choose(self) -> Ticket:
        return next(self._turns).choose()

    def hold(self, ticket: Ticket) -> None:
        self._held[ticket] = None
        for order in self._orders:
            order.remove(ticket)

    def release(self, ticket: Ticket, parents: Parents) -> None:
        del self._held[ticket]
        for order in self._orders:
            order.add(ticket, self._states[ticket], parents)

    def join(self, state: State, parents: Parents, frontier: Frontier) -> StateUnion | None:
        return None


class MarkedOrder:
    """An order over the frontier, and a joiner, that holds states back from ``driving``."""

    def __init__(self, meetings: MergeTable, driving: Driving) -> None:
        self._meetings = meetings
        self._driving = driving
        self._marks = cache(_Marks)
        self._waiting: dict[Ticket, _Waiting] = {}
        self._holding: dict[_Opening, None] = {}
        self._free = 0
        self._chosen = -1
        self._arrivals = Arrivals(self._look)

    # --- an order ---

    def add(self, ticket: Ticket, state: State, parents: Parents) -> None:
        """A state waits; at a close it is held."""
        known = self._arrivals.waits(state, parents)
        self._waiting[ticket] = known
        self._meetings.add(ticket, known.arrival)
        self._driving.add(ticket, state, parents)
        parent = self._arrivals.parent(parents)
        ran = 0 if parent is None else state.instructions - parent.arrival.instructions
        for opening in known.inside:
            opening.pending[ticket] = None
            opening.executed += max(ran, 0)
        if known.closed is None:
            self._free += 1
        else:
            opening = known.closed
            opening.held[ticket] = None
            self._driving.hold(ticket)
            opening.executed = 0
            opening.longest = max(opening.longest, state.instructions - opening.instructions)
            self._holding[opening] = None

    def remove(self, ticket: Ticket) -> None:
        """A state leaves, and no opening waits for it."""
        known = self._waiting.pop(ticket)
        self._meetings.remove(ticket, known.arrival)
        for opening in known.inside:
            del opening.pending[ticket]
        if known.closed is not None and ticket in known.closed.held:
            del known.closed.held[ticket]
        else:
            self._free -= 1
        self._driving.remove(ticket)
        if ticket == self._chosen:
            self._arrivals.sets_out(ticket, known)
            self._chosen = -1

    def choose(self) -> Ticket:
        """Release states that wait for no other, or for too long; then the driving order chooses."""
        for opening in tuple(self._holding):
            if not opening.pending:
                self._release(opening)
            elif opening.executed > LEAST_PATIENCE + PATIENCE * opening.longest:
                for ticket in opening.held:
                    self._meetings.refuse(self._waiting[ticket].arrival.state, IMPATIENT, 1)
                self._release(opening)
        while not self._free:
            self._release(next(reversed(self._holding)))
        self._chosen = self._driving.choose()
        return self._chosen

    def _release(self, opening: _Opening) -> None:
        del self._holding[opening]
        for ticket in opening.held:
            self._free += 1
            self._driving.release(ticket, self._arrivals.latest)
        opening.held.clear()

    # --- a joiner ---

    def join(self, state: State, parents: Parents, frontier: Frontier) -> StateUnion | None:
        """At a close, join a state with one that passed the same opening and waits there; elsewhere, join as the
        driving order does.
        """
        known = self._arrivals.of(state, parents)
        if known.closed is None:
            return self._driving.join(state, parents, frontier)
        union = self._meetings.meet(known.arrival, frontier)
        if union is not None:
            arrival = self._keyed(self._meetings.arrival(union.state, None), known.closed)
            self._arrivals.becomes(union.state, _Waiting(arrival, known.inside, known.closed))
        return union

    # --- inside ---

    def _look(self, state: State, last: _Waiting | None) -> _Waiting:
        """The record of an arriving state."""
        arrival = self._meetings.arrival(state, None if last is None else last.arrival)
        inside = () if last is None else last.inside
        if not state.frames:
            return _Waiting(arrival, (), None)
        inside = tuple([opening for opening in inside if self._may_close(state, opening)])
        if arrival.point is not None:  # at a close, and at a new one
            closed = inside[-1] if inside else None
            return _Waiting(self._keyed(arrival, closed), inside[:-1], closed)
        top = state.frames[-1]
        site = (len(state.frames), top.function, top.block, top.index)
        has_moved = last is None or last.arrival.spot != site or state.instructions > last.arrival.instructions + 1
        if has_moved and (top.block, top.index) in self._marks(top.function).begins:
            again = next((number for number, opening in enumerate(inside) if opening.site == site), len(inside))
            inside = (*inside[:again], _Opening(site, state.instructions))
        return _Waiting(arrival, inside, None)

    @staticmethod
    def _keyed(arrival: Arrival, closed: _Opening | None) -> Arrival:
        """States that closed one opening meet; a close without an opening is no meeting point."""
        point = None if closed is None or arrival.point is None else (closed, *arrival.point)
        return replace(arrival, point=point)

    def _may_close(self, state: State, opening: _Opening) -> bool:
        """Whether the state may still reach a close. If the opening's function has none, it may be anywhere."""
        depth, function, _, _ = opening.site
        marks = self._marks(function)
        if not marks.ends:
            return True
        frame = state.frames[depth - 1] if depth <= len(state.frames) else None
        return frame is not None and frame.function is function and frame.block in marks.before_ends


def mark_of(state: State) -> Mark:
    """A state's program point, as a mark."""
    frame = state.frames[-1]
    return frame.function.name, frame.block, frame.index


class JoinAtMarks:
    """Joins as a mark says where there is one, else by ``other``."""

    def __init__(self, marks: Mapping[Mark, Join], other: Join) -> None:
        self._marks = marks
        self._other = other

    def join(self, a: State, b: State) -> State | Refusal:
        return self._marks.get(mark_of(a), self._other).join(a, b)


class UnaskedAtMarks:
    """All states are similar at a mark; elsewhere ``other`` decides."""

    def __init__(self, marks: Mapping[Mark, Join], other: Similarity) -> None:
        self._marks = marks
        self._other = other
        self.unlike = other.unlike

    def differs(self, a: State, b: State) -> Refusal | None:
        return None if mark_of(a) in self._marks else self._other.differs(a, b)

    def signature(self, state: State) -> int:
        return 0 if mark_of(state) in self._marks else self._other.signature(state)
