"""What all schedules of merging share: the record of an arriving state, where it waits, and its partner."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from itertools import islice
from typing import Generic, TypeVar

from unfork.engine.protocols.frontier import Frontier, Parents, Ticket
from unfork.engine.protocols.join import Join, Refusal, Similarity, StateUnion
from unfork.engine.state.state import Frame, State
from unfork.program.facts.merge_points import MergePointsOf

_TRIES = 8
"""Waiting states of equal signature to compare with an arriving one: more only where the join itself refuses."""
_FRAMES = 8
"""Frames that distinguish program points here; the join checks all."""

Point = tuple[Hashable, ...]
Refused = Callable[[State, str, int], None]
"""Called with the state that was not joined, the reason, and how often."""


@dataclass(slots=True)
class MergeCounts:
    """The results of merging: ``refused`` counts attempts by reason."""

    refused: Counter[str] = field(default_factory=Counter)
    attempts: int = 0
    """Pairs of states on which a join was tried."""
    forwarded: int = 0
    """Choices of a state for fast-forwarding."""
    forwarded_merged: int = 0
    """How many of these ended in a join."""
    chosen_forward: int = 0
    """Times that a state of the forwarding set came next."""
    chosen_driving: int = 0
    """Times that the driving order chose, since the forwarding set was empty."""
    undone: int = 0
    """Joins whose sides a fork told apart again."""
    stopped: Counter[str] = field(default_factory=Counter)
    """States that were not joined because joins at their place are undone, by the place's source location."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """A resting state, with the program point where it may be joined (None: nowhere) and its signature there.

    ``spot`` and ``instructions`` are its place and progress.
    """

    state: State
    point: Point | None
    signature: int
    spot: Point
    instructions: int


class MergeTable:
    """The waiting states by program point and signature; finds a partner for an arriving state.

    States with different signatures are not compared (Kuznetsov12, section 4.3): thousands may wait at one point.
    """

    def __init__(
        self, join: Join, similarity: Similarity, merge_points: MergePointsOf, counts: MergeCounts, refused: Refused
    ) -> None:
        self._join = join
        self._similarity = similarity
        self._merge_points = merge_points
        self.counts = counts
        self._refused = refused
        self._waiting: dict[Point, dict[int, dict[Ticket, Arrival]]] = {}

    def arrival(self, state: State, before: Arrival | None) -> Arrival:
        """The record of a state that came to rest; ``before`` is where it started.

        A state that split has not moved: its parts run one instruction again, each its own way, and would be joined
        there for ever.
        """
        frames = state.frames
        if not frames:
            return Arrival(state, None, 0, (), state.instructions)
        top = frames[-1]
        spot = (len(frames), top.function, top.block, top.index)
        if before is not None and before.spot == spot and state.instructions <= before.instructions + 1:
            return Arrival(state, None, 0, spot, before.instructions)
        if not self._merge_points(top.function).joins(top.block, top.index):
            return Arrival(state, None, 0, spot, state.instructions)
        point = (len(frames), *[self._place(frame) for frame in frames[-_FRAMES:]])
        return Arrival(state, point, self._similarity.signature(state), spot, state.instructions)

    def _place(self, frame: Frame) -> Point:
        """The place of a frame; calls count as one place if a state can wait at all of them."""
        here = frame.block, frame.index
        return (frame.function, *self._merge_points(frame.function).calls.get(here, here))

    def joined(self, state: State, last: Arrival) -> Arrival:
        """The arrival of a newly joined state; ``last`` is that of the second side."""
        return Arrival(state, last.point, self._similarity.signature(state), last.spot, state.instructions)

    def add(self, ticket: Ticket, arrival: Arrival) -> None:
        """A state waits."""
        if arrival.point is not None:
            self._waiting.setdefault(arrival.point, {}).setdefault(arrival.signature, {})[ticket] = arrival

    def remove(self, ticket: Ticket, arrival: Arrival) -> None:
        """A state waits no more."""
        if arrival.point is None:
            return
        here = self._waiting[arrival.point]
        alike = here[arrival.signature]
        del alike[ticket]
        if not alike:
            del here[arrival.signature]
            if not here:
                del self._waiting[arrival.point]

    def meet(self, arrival: Arrival, frontier: Frontier) -> StateUnion | None:
        """Join an arriving state with one of equal signature that waits at its place."""
        here = self._waiting.get(arrival.point) if arrival.point is not None else None
        if not here:
            return None
        alike = here.get(arrival.signature)
        if alike is None:
            self.refuse(arrival.state, self._similarity.unlike.reason, 1)
            return None
        for other in islice(alike.values(), _TRIES):
            refusal = self._similarity.differs(other.state, arrival.state)
            if refusal is None:
                self.counts.attempts += 1
                joined = self._join.join(other.state, arrival.state)
                if not isinstance(joined, Refusal):
                    return StateUnion(joined, (other.state, arrival.state), frontier.remove(other.state))
                refusal = joined
            self.refuse(arrival.state, refusal.reason, 1)
        return None

    def refuse(self, state: State, reason: str, times: int) -> None:
        """Count that ``state`` was refused ``times`` times."""
        self.counts.refused[reason] += times
        self._refused(state, reason, times)


Known = TypeVar("Known")


class Arrivals(Generic[Known]):
    """Records each arriving state once, though there are two calls: when it may be joined, and when it waits.

    ``look`` makes the record of a state from that of its parent (None for a first state).
    """

    def __init__(self, look: Callable[[State, Known | None], Known]) -> None:
        self._look = look
        self._state: State | None = None
        self._known: Known | None = None
        self._sent: dict[Ticket, Known] = {}

    @property
    def latest(self) -> Parents:
        """The ticket of the latest state picked; none before the first."""
        return tuple(self._sent)

    def parent(self, parents: Parents) -> Known | None:
        """The record of the first of ``parents``; None for a first state."""
        return self._sent[parents[0]] if parents else None

    def of(self, state: State, parents: Parents) -> Known:
        """The record of an arriving state."""
        known = self._known if self._state is state else None
        if known is None:
            known = self._look(state, self.parent(parents))
            self.becomes(state, known)
        return known

    def becomes(self, state: State, known: Known) -> None:
        """The arriving state was joined: now it is ``state``."""
        self._state, self._known = state, known

    def waits(self, state: State, parents: Parents) -> Known:
        """The final record of an arriving state, which waits from now on."""
        known = self.of(state, parents)
        self._state = self._known = None
        return known

    def sets_out(self, ticket: Ticket, known: Known) -> None:
        """A waiting state was picked; its successors inherit ``known``."""
        self._sent = {ticket: known}
