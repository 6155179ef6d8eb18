"""States that were not explored, or not alone, explored after all: what they come to must have been found already.

So must what the freest states come to that meet the interpolants by which states were covered.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import Enum

from unfork.audit.counts import AuditCounts
from unfork.audit.freest import Freeing
from unfork.audit.prove import Ending
from unfork.contracts.events import Ended, Event, Left
from unfork.contracts.follow import Follow
from unfork.contracts.frontier import Frontier
from unfork.contracts.outcome import Failed, Halted, Killed
from unfork.contracts.rest import FORKS
from unfork.contracts.stepper import Stepper
from unfork.explore.loop import Exploration, NoJoining, NoPruning
from unfork.explore.resting import RestAt
from unfork.explore.search import DepthFirst, WaitingStates
from unfork.explore.tree import ExecutionGraph
from unfork.inputs.testcase import Error, error_of
from unfork.prune.interpolation.learn import LearntCover
from unfork.state.place import position_of
from unfork.state.state import State

LEAST = 20
SHARE = 20
"""At least so many states are explored again, and one in so many."""
STEPS = 10_000
"""Steps of the machine for one of them,"""
STEPS_OF_FREEST = 1_000
"""and for the freest state that meets an interpolant."""


class Loss(Enum):
    """What a state that is not explored must not come to alone: errors, or branch edges as well."""

    ERRORS = "errors"
    EDGES = "edges"


class Sample:
    """The first LEAST states that are offered, and of all later ones as many as make one in SHARE."""

    def __init__(self) -> None:
        self._offered = 0
        self.explored = 0
        """How many were explored after all."""
        self.kept: list[tuple[State, Loss, LearntCover | None]] = []

    def offer(self, state: State, loss: Loss, cover: LearntCover | None = None) -> None:
        """A state that is not explored, which claims to lose nothing; it is copied if it is to be kept.

        ``cover``: it stands for all states that meet the interpolant.
        """
        self._offered += 1
        if len(self.kept) < LEAST or len(self.kept) * SHARE < self._offered:
            kept = state.fork()
            kept.pending = ()
            self.kept.append((kept, loss, cover))


@dataclass(frozen=True, slots=True)
class Found:
    """What a run found: its errors, and all branch edges that are not open. ``forget`` opens edges again."""

    errors: Collection[Error]
    name_of: Callable[[int], str]
    forget: Callable[[tuple[int, ...]], None]


class _Watch:
    """Observes one exploration. ``edges`` were open, and are taken on paths that the program has."""

    def __init__(self, forget: Callable[[tuple[int, ...]], None]) -> None:
        self._forget = forget
        self.errors: dict[Error, None] = {}
        self.edges: dict[int, None] = {}
        self.is_whole = True

    def tell(self, event: Event) -> None:
        match event:
            case Ended(Failed(state, fault)):
                self.errors[error_of(fault)] = None
                self.edges.update(dict.fromkeys(state.pending))
            case Ended(Halted(state, "silent", _)):
                self._forget(state.pending)
            case Ended(Halted(state, _, _)):
                self.edges.update(dict.fromkeys(state.pending))
            case Ended(Killed()) | Left():
                self.is_whole = False


class _Stop:
    """Ends an exploration after ``steps``, or when the user wants an end."""

    def __init__(self, is_over: Callable[[], bool], steps: int) -> None:
        self._is_over = is_over
        self._steps = steps

    def look(self, frontier: Frontier) -> str | None:
        self._steps -= 1
        return "audit" if self._steps < 0 or self._is_over() else None


def explore_again(
    samples: Sequence[Sample],
    stepper: Stepper,
    follow: Follow,
    freeing: Freeing,
    found: Found,
    counts: AuditCounts,
    is_over: Callable[[], bool],
) -> None:
    """Explore what was kept, depth first, with no joins and no pruning: what was not ``found`` is a failure.

    To be asked only after a run that explored all the rest: an error may else have been about to be found.
    """
    for drawn, (state, loss, cover) in ((sample, kept) for sample in samples for kept in sample.kept):
        place = position_of(state)
        begin = None if is_over() else state if cover is None else freeing.freest(state, cover)
        if begin is None:
            counts.count(Ending.UNKNOWN)
            continue
        watch = _Watch(found.forget)
        frontier = WaitingStates([DepthFirst()], random.Random(0))
        stop = _Stop(is_over, STEPS if cover is None else STEPS_OF_FREEST)
        parts = (stepper, RestAt(FORKS), frontier, follow, NoPruning(), NoJoining(), stop, ExecutionGraph(), [watch])
        Exploration(*parts).run([begin])
        drawn.explored += 1
        missed = [error.words() for error in watch.errors if error not in found.errors]
        if loss is Loss.EDGES:
            missed += [f"branch edge {found.name_of(edge)}" for edge in watch.edges]
        where = "" if cover is None else f" of what was learnt at node {cover.coverer}"
        for what in missed:
            counts.fail(f"{what}, which nothing else finds{where}", place)
        counts.count(Ending.FAILED if missed else Ending.PROVED if watch.is_whole else Ending.UNKNOWN)
