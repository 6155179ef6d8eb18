"""States that were not explored, explored after all: what they fail must have been found without them."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection

from unfork.audit.counts import AuditCounts
from unfork.audit.prove import Ending
from unfork.execute.outcome import Failed, Killed
from unfork.explore.events import Ended, Event, Left
from unfork.explore.loop import Exploration, Follow, Machine, NoJoining, NoPruning
from unfork.explore.search import DepthFirst, Frontier
from unfork.explore.tree import ExecutionGraph
from unfork.inputs.testcase import place_of
from unfork.state.place import position_of
from unfork.state.state import State

LEAST = 20
SHARE = 20
"""At least so many states are explored again, and one in so many."""
STEPS = 10_000
"""Steps of the machine for one of them."""

Error = tuple[str, str | None, int | None]
"""Kind, file and line."""


class Sample:
    """The first LEAST states that are offered, and of all later ones as many as make one in SHARE."""

    def __init__(self) -> None:
        self._offered = 0
        self.kept: list[State] = []

    def offer(self, state: State) -> None:
        """A state that is not explored; it is copied if it is to be kept."""
        self._offered += 1
        if len(self.kept) < LEAST or len(self.kept) * SHARE < self._offered:
            self.kept.append(state.fork())


class _Watch:
    """Observes one exploration."""

    def __init__(self) -> None:
        self.errors: dict[Error, None] = {}
        self.is_whole = True

    def tell(self, event: Event) -> None:
        match event:
            case Ended(Failed(_, fault)):
                place = place_of(fault)
                self.errors[fault.kind, place.file if place else None, place.line if place else None] = None
            case Ended(Killed()) | Left():
                self.is_whole = False


class _Stop:
    """Ends an exploration after STEPS, or when the user wants an end."""

    def __init__(self, is_over: Callable[[], bool]) -> None:
        self._is_over = is_over
        self._steps = 0

    def look(self, frontier: Frontier) -> str | None:
        self._steps += 1
        return "audit" if self._steps > STEPS or self._is_over() else None


def explore_again(
    sample: Sample,
    machine: Machine,
    follow: Follow,
    known: Collection[Error],
    counts: AuditCounts,
    is_over: Callable[[], bool],
) -> None:
    """Explore what was kept, depth first, with no joins and no pruning: an error that is not ``known`` is a failure.

    To be asked only after a run that explored all the rest: an error may else have been about to be found.
    """
    for state in sample.kept:
        if is_over():
            counts.count(Ending.UNKNOWN)
            continue
        place = position_of(state)
        watch = _Watch()
        frontier = Frontier([DepthFirst()], random.Random(0))
        parts = (machine, frontier, follow, NoPruning(), NoJoining(), _Stop(is_over), ExecutionGraph(), [watch])
        Exploration(*parts).run([state])
        counts.explored_again += 1
        missed = [error for error in watch.errors if error not in known]
        for kind, file, line in missed:
            counts.fail(f"{kind} at {file}:{line}, which nothing else finds", place)
        counts.count(Ending.FAILED if missed else Ending.PROVED if watch.is_whole else Ending.UNKNOWN)
