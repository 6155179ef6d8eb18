"""Interpolation over the execution graph: learns from a stretch between yield points when all below it is done."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sized
from dataclasses import dataclass, field
from typing import Protocol

from unfork.engine.protocols.events import Bounded, Covered, Dropped, Ended, Event, Forked, Joined, Left, Moved
from unfork.engine.protocols.outcome import Failed, Fault, Halted, Outcome
from unfork.engine.protocols.stepper import Stepper, YieldPoints
from unfork.engine.state.state import State
from unfork.logic.solve.solver import Statistics
from unfork.logic.terms.term import Term
from unfork.reduce.prune.contract import PruneCounts
from unfork.reduce.prune.interpolation.interpolant import Interpolant
from unfork.reduce.prune.interpolation.learn import Interpolants, LearntCover, StretchEnd
from unfork.reduce.prune.interpolation.payoff import QUERY, REST, Payoff, Purse

Finish = Halted | Failed
"""How a path ended."""
UNSAID = frozenset(("stack-overflow",))
"""Faults that no condition predicts: a recursion with unchanged values never ends."""


@dataclass(slots=True)
class SubtreeVisit:
    """A state that rested and was explored from there. ``after`` is what was learnt, once all is finished."""

    node: int
    state: State | None
    owed: tuple[Payoff, ...] = ()
    ends: list[tuple[State, Come]] = field(default_factory=list)
    is_lost: bool = False
    """Something below was not explored, or not understood."""
    after: Interpolant | None = None
    work: int = 0
    """Instructions run, or saved, from here on."""


@dataclass(slots=True)
class Junction:
    """A joined state that has not been picked yet; ``to`` is its continuation."""

    to: Come | None = None

    @property
    def learnt(self) -> Interpolant | None:
        """What was learnt at its next rest."""
        to = _after_joins(self)
        after = to.after if isinstance(to, SubtreeVisit) else to
        return after if isinstance(after, Interpolant) else None


Come = SubtreeVisit | Junction | Interpolant | Finish
"""The next event of a state: a yield point from which it went on, a join, a cover, or its end."""


def _after_joins(goal: Come | None) -> SubtreeVisit | Interpolant | Finish | None:
    """The next event of a state, past the joins on the way."""
    while isinstance(goal, Junction):
        goal = goal.to
    return goal


class Speculates(Protocol):
    """Explores states again with less known of their inputs."""

    def foresees(self, state: State) -> bool: ...

    def again(
        self, node: int, start: State, inputs: Collection[Term], learnt: Interpolant | None = None
    ) -> Interpolant | None: ...


class Learning:
    """A pruner and an observer. ``yields`` says whether states rest where one is; ``waiting`` has the waiting ones.

    If it ``stands_for`` a node, it learns from a speculation about the state there: lost paths are left out, and
    covered states may be the first to take an edge.
    """

    def __init__(
        self,
        interpolants: Interpolants,
        yields: Callable[[State], bool],
        waiting: Sized,
        speculation: Speculates,
        stands_for: int | None = None,
    ) -> None:
        self._interpolants = interpolants
        self._rests = yields
        self._waiting = waiting
        self._speculation = speculation
        self._stands_for = stands_for
        self._is_real = stands_for is None
        self.is_reported: Callable[[Fault], bool] = lambda fault: False
        self._current: dict[int, tuple[SubtreeVisit | Junction, ...]] = {}
        self._visits: dict[int, list[SubtreeVisit]] = {}
        self._closed: set[int] = set()

    def expect(self, node: int) -> Junction:
        """The junction for the state that begins at ``node``."""
        junction = Junction()
        self._current[node] = (junction,)
        return junction

    def trust(self, is_reported: Callable[[Fault], bool]) -> None:
        """``is_reported`` says whether a fault of this kind and place was replayed and reported.

        Only then may a subtree with that fault cover states that would report it again.
        """
        self.is_reported = is_reported

    def forget(self) -> None:
        """Drop what was learnt, when memory is short."""
        self._interpolants.forget()

    def finish(self) -> PruneCounts:
        """The counts at the end of the run."""
        return self._interpolants.counts

    @property
    def has_learnt(self) -> bool:
        """Whether anything could cover a state."""
        return self._interpolants.counts.stored > 0 or self._interpolants.heard > 0

    # --- a pruner

    def cover(self, state: State) -> LearntCover | None:
        """The evidence against exploring ``state``, if it rests and something learnt covers it."""
        if not state.frames or not self._rests(state):
            return None
        cover = self._interpolants.cover(state, is_real=self._is_real)
        if cover is None and self._foreseen(state):
            cover = self._interpolants.cover(state, is_real=False)
        before = self._current.get(state.node, ())
        if cover is not None:
            self._arrive(before, state, cover.interpolant)
            return cover
        is_same = len(before) == 1 and isinstance(before[0], SubtreeVisit) and before[0].node == state.node
        owed = self._interpolants.middle(state) if is_same and self._is_real else ()
        if is_same and not owed:
            return None  # no fork since: one stretch
        visit = SubtreeVisit(state.node, state.fork(), owed)
        self._arrive(before, state, visit)
        self._current[state.node] = (visit,)
        self._visits.setdefault(state.node, []).append(visit)
        return None

    def _foreseen(self, state: State) -> bool:
        """Whether a speculation just learnt something at a state, before it is explored as it is."""
        if self._stands_for is None or not self._speculation.foresees(state):
            return False
        return self._speculation.again(self._stands_for, state, state.path.slices.keys()) is not None

    def learn(self, node: int) -> None:
        """All below ``node`` is finished."""
        current = self._current.pop(node, ())
        if node not in self._closed:
            for visit in current:
                if isinstance(visit, SubtreeVisit):
                    visit.is_lost = True
        self._closed.discard(node)
        for visit in reversed(self._visits.pop(node, [])):
            self._finish(visit)

    def _finish(self, visit: SubtreeVisit) -> None:
        start, visit.state = visit.state, None
        ends: list[StretchEnd] = []
        longest = 0
        for state, goal in visit.ends:
            to = _after_joins(goal)
            after = to.after if isinstance(to, SubtreeVisit) else to
            if start is not None:
                longest = max(longest, state.instructions - start.instructions)
            visit.work += to.work if isinstance(to, SubtreeVisit | Interpolant) else QUERY
            if after is None:
                self._lose((visit,))
                continue
            ends.append(StretchEnd(state, after))
        visit.ends = []
        visit.work += longest
        if not len(self._waiting):
            visit.is_lost = True  # no state is left that could be covered
        if not visit.is_lost and start is not None:
            node = visit.node if self._stands_for is None else self._stands_for
            again = self._speculation.again
            visit.after = self._interpolants.learn(
                node, start, ends, visit.owed, visit.work, again, is_real=self._is_real
            )

    def _arrive(self, before: tuple[SubtreeVisit | Junction, ...], state: State, to: Come) -> None:
        """``state``, to which those of ``before`` led, has its next event ``to``."""
        frozen = state.fork() if before else state
        for origin in before:
            if isinstance(origin, Junction):
                origin.to = to
            else:
                origin.ends.append((frozen, to))

    # --- an observer

    def tell(self, event: Event) -> None:
        match event:
            case Covered(state, _):
                self._closed.add(state.node)
            case Forked(parent, outcomes):
                self._closed.add(parent)
                for outcome in outcomes:
                    self._current[outcome.state.node] = self._current.get(parent, ())
            case Joined(parents, state):
                junction = Junction()
                for joining in parents:
                    self._closed.add(joining.node)
                    self._arrive(self._current.get(joining.node, ()), joining, junction)
                self._current[state.node] = (junction,)
            case Ended(outcome):
                node = outcome.state.node
                self._closed.add(node)
                current = self._current.get(node, ())
                if isinstance(outcome, Halted) or (isinstance(outcome, Failed) and self._is_known(outcome.fault)):
                    self._arrive(current, outcome.state, outcome)
                else:
                    self._lose(current)
            case Bounded(state) | Left(state) | Dropped(state) | Moved(state):
                self._closed.add(state.node)
                self._lose(self._current.get(state.node, ()))
            case _:
                pass

    def _is_known(self, fault: Fault) -> bool:
        """Whether like failures have a known place."""
        return fault.kind not in UNSAID and self.is_reported(fault)

    def _lose(self, current: tuple[SubtreeVisit | Junction, ...]) -> None:
        lost = SubtreeVisit(0, None, is_lost=True)
        for origin in current:
            if isinstance(origin, Junction):
                origin.to = lost
            else:
                origin.is_lost |= self._is_real


class YieldToLearn:
    """States rest where something may be learnt while others wait in ``waiting``, or once something has been learnt.

    While the ``purse`` is empty, states rest as for ``alone``, not to be learnt from.
    """

    __slots__ = ("_alone", "_learning", "_meeting", "_purse", "_waiting")

    def __init__(
        self, waiting: Sized, learning: Learning, purse: Purse, meeting: YieldPoints, alone: YieldPoints
    ) -> None:
        self._waiting = waiting
        self._learning = learning
        self._purse = purse
        self._meeting = meeting
        self._alone = alone

    def yield_points(self, state: State) -> YieldPoints:
        """Charges the purse."""
        yields = self._purse.affords and (len(self._waiting) > 0 or self._learning.has_learnt)
        self._purse.spent += REST * yields
        return self._meeting if yields else self._alone


class Earning:
    """A stepper whose work, and the queries meanwhile (``asked``), are earned for the ``purse``."""

    __slots__ = ("_asked", "_purse", "_stepper")

    def __init__(self, stepper: Stepper, asked: Statistics, purse: Purse) -> None:
        self._stepper = stepper
        self._asked = asked
        self._purse = purse

    def step(self, state: State, yield_points: YieldPoints) -> list[Outcome]:
        outcomes, work = measure(self._stepper, state, yield_points, self._asked, self._purse)
        self._purse.earned += work
        return outcomes


def measure(
    stepper: Stepper, state: State, yield_points: YieldPoints, asked: Statistics, purse: Purse
) -> tuple[list[Outcome], int]:
    """The outcomes of a step, and its work; work of solvers before it was for learning."""
    before, queries = state.instructions, asked.queries
    purse.spent += purse.solved()
    outcomes = stepper.step(state, yield_points)
    instructions = outcomes[0].state.instructions - before if outcomes else 0
    return outcomes, instructions + QUERY * (asked.queries - queries) + purse.solved()
