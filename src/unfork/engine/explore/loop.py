"""Algorithm 1 of Kuznetsov12: pick a state, step it, drop what is covered, join what is similar, put the rest back."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Sized
from dataclasses import dataclass

from unfork.engine.explore.tree import ExecutionGraph
from unfork.engine.protocols.events import Began, Bounded, Covered, Ended, Event, Forked, Joined, Left, Moved, Observer
from unfork.engine.protocols.frontier import Frontier, Parents
from unfork.engine.protocols.join import Joiner, StateUnion
from unfork.engine.protocols.outcome import Outcome, Running
from unfork.engine.protocols.pruner import Evidence, Pruner
from unfork.engine.protocols.stepper import Stepper, YieldPoints, YieldPolicy
from unfork.engine.protocols.stopper import Bound, Stopper
from unfork.engine.protocols.whereabouts import NO_WHEREABOUTS, Whereabouts
from unfork.engine.state.state import State


@dataclass(slots=True)
class Exploration:
    """One run of Algorithm 1. Its observers get what it finds."""

    stepper: Stepper
    yielding: YieldPolicy
    frontier: Frontier
    bound: Bound
    pruner: Pruner
    joiner: Joiner
    stopper: Stopper
    graph: ExecutionGraph
    observers: Sequence[Observer]
    whereabouts: Whereabouts = NO_WHEREABOUTS

    def run(self, states: Sequence[State]) -> str | None:
        """Explore from ``states`` until nothing waits (None) or the stopper says why to stop."""
        self.begin(states)
        return self.go_on()

    def go_on(self) -> str | None:
        """Explore the waiting states."""
        frontier = self.frontier
        while frontier:
            if (reason := self.stopper.look(frontier)) is not None:
                for state in frontier:
                    self.tell(Left(state))
                return reason
            ticket, state = frontier.pick()
            if (cover := self.pruner.cover(state)) is not None:
                self.end(Covered(state, cover), state)
                continue
            node = state.node
            outcomes = self.stepper.step(state, self.yielding.yield_points(state))
            if len(outcomes) > 1:
                self.fork(node, outcomes)
            for outcome in outcomes:
                if isinstance(outcome, Running):
                    self.wait(outcome.state, (ticket,))
                else:
                    self.end(Ended(outcome), outcome.state)
            if not outcomes:
                self.finish(node)
        return None

    def begin(self, states: Sequence[State]) -> None:
        """Add first states, or those from another process, to the frontier."""
        for state in states:
            state.node = self.graph.root()
        self.tell(Began(tuple(states)))
        for state in states:
            self.frontier.add(state, ())

    def move(self, states: Sequence[State]) -> None:
        """Take waiting states out for another process: their nodes never finish here."""
        for state in states:
            self.frontier.remove(state)
            self.tell(Moved(state))

    def fork(self, node: int, outcomes: list[Outcome]) -> None:
        """Give every outcome a node of its own below ``node``."""
        children = self.graph.fork(node, len(outcomes))
        for outcome, child in zip(outcomes, children, strict=True):
            outcome.state.node = child
        where = self.whereabouts
        self.tell(Forked(node, tuple(outcomes), where.running(), where.loop()))

    def wait(self, state: State, parents: Parents) -> None:
        """Put a running state back, joined with a similar one if possible, unless a bound cuts it."""
        if (bound := self.bound.cut(state)) is not None:
            self.end(Bounded(state, bound), state)
            return
        while (union := self.joiner.join(state, parents, self.frontier)) is not None:
            state, parents = union.state, (*parents, union.ticket)
            state.node = self.graph.join(tuple([side.node for side in union.sides]))
            self.tell(Joined(union.sides, state))
        self.frontier.add(state, parents)

    def end(self, event: Event, state: State) -> None:
        """``state`` ends; the pruner learns from the nodes that finish with it."""
        self.tell(event)
        self.finish(state.node)

    def finish(self, node: int) -> None:
        for finished in self.graph.finish(node):
            self.pruner.learn(finished)

    def tell(self, event: Event) -> None:
        for observer in self.observers:
            observer.tell(event)


class NoPruning:
    """Covers nothing, learns nothing."""

    def cover(self, state: State) -> Evidence | None:
        return None

    def learn(self, node: int) -> None:
        return None


class NoJoining:
    """The empty similarity relation."""

    def join(self, state: State, parents: Parents, frontier: Frontier) -> StateUnion | None:
        return None


class YieldAt:
    """The same yield points for every state."""

    def __init__(self, yield_points: YieldPoints) -> None:
        self._rest = yield_points

    def yield_points(self, state: State) -> YieldPoints:
        return self._rest


class YieldToMerge:
    """States rest where they may be ``meeting`` while others wait, unless ``rests`` says no; otherwise as for
    ``alone``.
    """

    def __init__(
        self,
        others: Sized,
        meeting: Callable[[], YieldPoints],
        alone: YieldPoints,
        rests: Callable[[], bool] = lambda: True,
    ) -> None:
        self._others = others
        self._meeting = meeting
        self._alone = alone
        self._rests = rests

    def yield_points(self, state: State) -> YieldPoints:
        return self._meeting() if len(self._others) and self._rests() else self._alone
