"""Dynamic state merging (Kuznetsov12, Algorithm 2): any order drives; a state behind a similar one catches up."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Hashable
from dataclasses import dataclass, replace
from heapq import heappop, heappush

from unfork.engine.explore.guided import FEW
from unfork.engine.protocols.frontier import Frontier, Parents, Ticket
from unfork.engine.protocols.join import StateUnion
from unfork.engine.state.state import State
from unfork.reduce.merge.join_worth import join_place
from unfork.reduce.merge.marked_order import Driving
from unfork.reduce.merge.merge_table import Arrival, Arrivals, MergeTable
from unfork.reduce.merge.resting_places import RestingPlaces
from unfork.reduce.merge.static_order import OrderPosition, Positions

FRUITLESS_SHARE = 0.5
"""The most steps of forwarded states that meet no other, for each step of a state that the driving order chose; 1 while
few wait. Chosen on cat, nl, join and uniq of coreutils; without such a bound, `cat` covers a third less, and with 1,
`nl` a tenth.
"""
Mark = tuple[Hashable, ...]
"""A program point with a signature: an entry of a state's history."""
_START: tuple[Mark, ...] = (("start",),)
"""The mark that all new states share: states that are alone rest nowhere, and so get no other."""
Entry = tuple[tuple[int, ...], Ticket]
"""A waiting state by its position in topological order."""


@dataclass(slots=True)
class _Forwarding:
    """One choice of a state for fast-forwarding; states that it forks into share it.

    ``origin`` is the mark at which it was chosen. ``steps``: those since then, or since one of its states met another.
    """

    origin: Mark
    merged: bool = False
    steps: int = 0


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A waiting state. ``trail`` has its last distinct marks, newest last, including the current one.

    ``steps``: how often it has rested since it is forwarded.
    """

    arrival: Arrival
    trail: tuple[Mark, ...]
    position: OrderPosition
    forwarding: _Forwarding | None
    steps: int
    present: tuple[Mark, ...]
    """The marks by which it may be in F: where it is, or, if it rests at a fork, where it was last; and where it was
    chosen for fast-forwarding, since it may pass other marks on its arm of a branch.
    """


class FastForward:
    """An order over the frontier, and a joiner.

    The forwarding set F holds each waiting state whose present mark is at most ``delta`` marks back in the history of
    a state further in topological order. The topologically first state of F comes next. If F is empty, the driving
    order chooses.

    A state that rests at a fork, where none are joined, is in F by the mark that it had before, whichever arm it took:
    the arms meet where the branch ends. A forwarded state stays in F by the mark that it had when it was chosen, until
    it has rested ``delta`` times and met no other; then it leaves F until the driving order chooses it.

    The driving order decides where it would without joins: at forks. Until then its choice goes on as soon as F is
    empty. If it goes on at once, the driving order does not hear that it rested.
    """

    def __init__(
        self, meetings: MergeTable, positions: Positions, driving: Driving, delta: int, places: RestingPlaces
    ) -> None:
        self._meetings = meetings
        self._places = places
        self._positions = positions
        self._driving = driving
        self._delta = delta
        self._waiting: dict[Ticket, _Waiting] = {}
        self._passed: dict[Mark, list[Entry]] = {}
        """By mark, the waiting states that have it in their history."""
        self._present: dict[Mark, list[Entry]] = {}
        """By mark, the waiting states that are there now."""
        self._behind: list[Entry] = []
        """A heap of candidates for F. All of F are in it; others are dropped when they come to the top."""
        self._held: dict[Ticket, None] = {}
        self._taken: _Waiting | None = None
        """The record of the state that left last."""
        self._chosen = -1
        self._is_forwarded = False
        self._resumed = -1
        """The driving order's choice, where it rests at a merge point."""
        self._aside: tuple[Ticket, State, Parents] | None = None
        """The state that rests alone where the latest choice went, of which the driving order has not heard."""
        self._unheard: tuple[Ticket, Parents] | None = None
        """The latest choice, if it was such a state, and its nearest ancestors of which the driving order has heard."""
        self._rests = 0
        """How often the driving order's choice has rested."""
        self._fruitless = self._driving_steps = 0
        """Steps of forwarded states that have met no other since, and steps of others."""
        self._arrivals = Arrivals(self._look)

    # --- an order ---

    def add(self, ticket: Ticket, state: State, parents: Parents) -> None:
        """A state waits; it may put others into F, or they it."""
        known = self._arrivals.waits(state, parents)
        self._waiting[ticket] = known
        self._meetings.add(ticket, known.arrival)
        entry = (known.position.key, ticket)
        for mark in known.trail:
            passed = self._passed.setdefault(mark, [])
            self._overtake(mark, passed, entry)
            insort(passed, entry)
        for mark in known.present:
            insort(self._present.setdefault(mark, []), entry)
        if self._is_behind(known):
            heappush(self._behind, entry)
        if self._unheard is not None and self._unheard[0] in parents:
            parents = (*self._unheard[1], *[each for each in parents if each != self._unheard[0]])
        self._tell_driving()
        self._aside = ticket, state, parents
        is_on_its_way = known.arrival.point is not None and not self._is_forwarded and len(parents) == 1
        if is_on_its_way or self._resumed in parents:
            self._resumed = ticket
        if not is_on_its_way:
            self._tell_driving()

    def _tell_driving(self) -> None:
        """The driving order hears of the state that is aside."""
        if self._aside is not None:
            self._driving.add(*self._aside)
            self._aside = None

    def _overtake(self, mark: Mark, passed: list[Entry], entry: Entry) -> None:
        """A state came that has been at ``mark``: those that are there now, and were behind none so far, are in F."""
        present = self._present.get(mark)
        if present is None or (passed and passed[-1][0] >= entry[0]):
            return
        first = bisect_left(present, (passed[-1][0],)) if passed else 0
        for other in present[first : bisect_left(present, (entry[0],))]:
            heappush(self._behind, other)

    def hold(self, ticket: Ticket) -> None:
        """An added state may be joined, but not chosen."""
        self._tell_driving()
        self._held[ticket] = None
        self._driving.hold(ticket)

    def release(self, ticket: Ticket, parents: Parents) -> None:
        """It may be chosen again, as if it came from ``parents``."""
        del self._held[ticket]
        self._driving.release(ticket, parents)
        heappush(self._behind, (self._waiting[ticket].position.key, ticket))

    def remove(self, ticket: Ticket) -> None:
        """A state leaves; if it was chosen, its successors inherit its history."""
        known = self._taken = self._waiting.pop(ticket)
        self._meetings.remove(ticket, known.arrival)
        entry = (known.position.key, ticket)
        for mark in known.trail:
            _discard(self._passed, mark, entry)
        for mark in known.present:
            _discard(self._present, mark, entry)
        self._held.pop(ticket, None)
        if self._aside is not None and ticket == self._aside[0]:
            self._unheard = ticket, self._aside[2]
            self._aside = None
        else:
            self._driving.remove(ticket)
        if ticket == self._chosen:
            self._arrivals.sets_out(ticket, self._inherited(known))
            self._chosen = -1

    def choose(self) -> Ticket:
        """The topologically first state of F; if F is empty, the driving order's choice, the latest or a new one."""
        while self._behind and not self._is_in_f(self._behind[0][1]):
            heappop(self._behind)
        share = 1.0 if len(self._waiting) <= FEW else FRUITLESS_SHARE
        self._is_forwarded = bool(self._behind) and self._fruitless <= share * self._driving_steps
        if self._is_forwarded:
            self._meetings.counts.chosen_forward += 1
            self._chosen = self._behind[0][1]
            if self._aside is not None and self._chosen != self._aside[0]:
                self._tell_driving()
        else:
            self._chosen = self._driven()
            self._driving_steps += 1
            self._resumed = -1
        self._unheard = None
        return self._chosen

    def _driven(self) -> Ticket:
        """The driving order's latest choice as long as it rests on its way, then a new one."""
        if self._resumed in self._waiting and self._resumed not in self._held:
            self._rests += 1
            return self._resumed
        self._meetings.counts.chosen_driving += 1
        self._rests = 0
        return self._driving.choose()

    def _is_in_f(self, ticket: Ticket) -> bool:
        known = self._waiting.get(ticket)
        return known is not None and ticket not in self._held and self._is_behind(known)

    def _is_behind(self, known: _Waiting) -> bool:
        """Whether a state further in topological order has been where this one is."""
        key = known.position.key
        for mark in known.present:
            passed = self._passed.get(mark)
            if passed is not None and passed[-1][0] > key:
                return True
        return False

    def rests(self) -> bool:
        """Whether the state that was chosen rests at merge points, and not at its next fork alone."""
        return self._is_forwarded or self._rests < self._delta

    # --- a joiner ---

    def join(self, state: State, parents: Parents, frontier: Frontier) -> StateUnion | None:
        """Join an arriving state with one that waits at its place."""
        known = self._arrivals.of(state, parents)
        union = self._meetings.meet(known.arrival, frontier)
        self._places.note(join_place(state), is_joined=union is not None)
        if union is None:
            return None
        forwarding, met = known.forwarding, self._taken
        assert met is not None
        if forwarding is not None and met.forwarding is not forwarding:
            self._meetings.counts.forwarded_merged += not forwarding.merged
            self._fruitless -= forwarding.steps
            forwarding.merged, forwarding.steps = True, 0
        arrival = self._meetings.joined(union.state, known.arrival)
        steps = max(known.steps, met.steps)
        if forwarding is None or met.forwarding is not forwarding:
            forwarding, steps = None, 0
        self._arrivals.becomes(union.state, self._record(arrival, known.trail, known.position, forwarding, steps))
        return union

    # --- inside ---

    def _look(self, state: State, last: _Waiting | None) -> _Waiting:
        """The record of an arriving state."""
        if last is None:
            return self._record(
                self._meetings.arrival(state, None), _START, self._positions.moved(None, state), None, 0
            )
        arrival, position = self._meetings.arrival(state, last.arrival), self._positions.moved(last.position, state)
        steps = last.steps + (last.forwarding is not None)
        return self._record(arrival, last.trail, position, last.forwarding, steps)

    def _record(
        self,
        arrival: Arrival,
        trail: tuple[Mark, ...],
        position: OrderPosition,
        forwarding: _Forwarding | None,
        steps: int,
    ) -> _Waiting:
        """The record of a state at ``arrival``, with its history so far."""
        trail = self._extended(trail, arrival)
        present: tuple[Mark, ...] = ()
        if steps <= self._delta:
            present = trail[-1:]
            if forwarding is not None and forwarding.origin != trail[-1]:
                present = (*present, forwarding.origin)
        return _Waiting(arrival, trail, position, forwarding, steps, present)

    def _extended(self, trail: tuple[Mark, ...], arrival: Arrival) -> tuple[Mark, ...]:
        """The history after arriving at a program point; repeated turns of a loop count once."""
        if arrival.point is None:
            return trail
        here = (arrival.point, arrival.signature)
        return (*[mark for mark in trail if mark != here], here)[-self._delta - 1 :]

    def _inherited(self, known: _Waiting) -> _Waiting:
        """What the successors of a chosen state inherit."""
        forwarding = known.forwarding if self._is_forwarded or known.arrival.point is None else None
        if self._is_forwarded:
            if forwarding is None:
                forwarding = _Forwarding(known.trail[-1])
                self._meetings.counts.forwarded += 1
            forwarding.steps += 1
            self._fruitless += 1
        return replace(known, forwarding=forwarding, steps=known.steps if forwarding is known.forwarding else 0)


def _discard(entries: dict[Mark, list[Entry]], mark: Mark, entry: Entry) -> None:
    here = entries[mark]
    del here[bisect_left(here, entry)]
    if not here:
        del entries[mark]
