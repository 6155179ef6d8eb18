"""Confines failures: they cost a path, a join or a cover, and never the results."""

from __future__ import annotations

import contextlib
from contextlib import AbstractContextManager

from unfork.engine.explore.endings import Breakable, TimeIsOver
from unfork.engine.protocols.events import Event, Observer
from unfork.engine.protocols.frontier import Frontier, Parents
from unfork.engine.protocols.join import Joiner, StateUnion
from unfork.engine.protocols.outcome import Killed, Outcome
from unfork.engine.protocols.pruner import Evidence, Pruner
from unfork.engine.protocols.stepper import Stepper, YieldPoints
from unfork.engine.state.state import State, position_of
from unfork.errors import InputError
from unfork.failures import INTERNAL_ERROR, Failures, Survival


class SurvivingStepper:
    """A stepper whose failures cost the path. Lack of memory concerns more than one path: it is raised."""

    def __init__(self, stepper: Stepper, failures: Failures, breakable: Breakable) -> None:
        self._stepper = stepper
        self._failures = failures
        self._survival = Survival(failures, "a path", MemoryError, InputError)
        self._breakable = breakable

    def step(self, state: State, yield_points: YieldPoints) -> list[Outcome]:
        try:
            with self._survival, self._breakable:
                return self._stepper.step(state, yield_points)
        except InputError as problem:  # a function that cannot be read, found out at its first call
            return [Killed(state, "unsupported", str(problem))]
        return [Killed(state, INTERNAL_ERROR, f"{self._failures.latest} at {_where(state)}")]


class SurvivingPruner:
    """A pruner whose failures, and the end of the time, cost a cover or a lesson."""

    def __init__(self, pruner: Pruner, failures: Failures, breakable: Breakable) -> None:
        self._pruner = pruner
        self._survival = Survival(failures, "pruning", MemoryError)
        self._breakable = breakable

    def cover(self, state: State) -> Evidence | None:
        with contextlib.suppress(TimeIsOver), self._survival, self._breakable:
            return self._pruner.cover(state)
        return None

    def learn(self, node: int) -> None:
        with contextlib.suppress(TimeIsOver), self._survival, self._breakable:
            self._pruner.learn(node)


class SurvivingJoiner:
    """A joiner whose failures, and the end of the time, cost a join: by its law, the parents are unchanged."""

    def __init__(self, joiner: Joiner, failures: Failures, breakable: Breakable) -> None:
        self._joiner = joiner
        self._survival = Survival(failures, "a join", MemoryError)
        self._breakable = breakable

    def join(self, state: State, parents: Parents, frontier: Frontier) -> StateUnion | None:
        with contextlib.suppress(TimeIsOver), self._survival, self._breakable:
            return self._joiner.join(state, parents, frontier)
        return None


class SurvivingObserver:
    """An observer whose failures cost its notes and no path, unless they are ``fatal``.

    ``within`` is the context of each call: a Breakable if it may be interrupted.
    """

    def __init__(
        self, observer: Observer, failures: Failures, within: AbstractContextManager[None], *fatal: type[Exception]
    ) -> None:
        self._observer = observer
        self._survival = Survival(failures, "what was to be noted", MemoryError, *fatal)
        self._within = within

    def tell(self, event: Event) -> None:
        with contextlib.suppress(TimeIsOver), self._survival, self._within:
            self._observer.tell(event)


def _where(state: State) -> str:
    position = None
    with contextlib.suppress(Exception):  # any fault of the state is reported already
        position = position_of(state)
    return "unknown place" if position is None else f"{position.file}:{position.line}"
