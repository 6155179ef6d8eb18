"""A pruner that is put together, with what an exploration needs of it; and those that store nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from unfork.engine.explore.loop import NoPruning
from unfork.engine.explore.schedules import SleepSets
from unfork.engine.protocols.events import Observer
from unfork.engine.protocols.outcome import Fault
from unfork.engine.protocols.pruner import Pruner
from unfork.engine.protocols.stepper import Stepper, YieldPolicy
from unfork.logic.solve.chain import Chain
from unfork.logic.solve.solver import Effort, Solver, Statistics
from unfork.reduce.prune.contract import PruneCounts
from unfork.reduce.prune.interpolation.sharing import NoSharing, Sharing

_SECONDS = 2.0
"""The longest query about a cover."""


def _unchanged(stepper: Stepper) -> Stepper:
    return stepper


@dataclass(frozen=True, slots=True)
class Pruned:
    """Which states are not explored. ``yielding`` says where they rest for the pruner to look at them.

    ``forget`` frees memory; ``finish`` gives the counts when the run is over. ``observers`` get events after all
    others. Before the run, ``trust`` gets a function that says whether a fault has been reported, and ``heed`` one
    that says whether the run is to end.
    """

    yielding: YieldPolicy
    pruner: Pruner
    forget: Callable[[], None]
    finish: Callable[[], PruneCounts]
    counts: PruneCounts = field(default_factory=PruneCounts)
    """So far; those that are worked out at the end are missing."""
    earning: Callable[[Stepper], Stepper] = _unchanged
    """Puts a stepper around the machine that measures what steps cost, which pays for learning."""
    spent: Callable[[], int] = lambda: 0
    """What learning has cost so far, in instructions (reduce/prune/interpolation/payoff.py)."""
    observers: tuple[Observer, ...] = ()
    trust: Callable[[Callable[[Fault], bool]], None] = lambda is_reported: None
    heed: Callable[[Callable[[], bool]], None] = lambda is_over: None
    sharing: Sharing | NoSharing = field(default_factory=NoSharing)
    """Passes interpolants to other processes, and takes theirs."""


def make_unpruned(yielding: YieldPolicy, *, has_threads: bool) -> Pruned:
    """Every state is explored (--prune none), but for schedules of threads that only repeat others."""
    return Pruned(yielding, SleepSets() if has_threads else NoPruning(), lambda: None, PruneCounts)


def make_cover_chain(solver: Solver, timeout: float, deadline: float, effort: Effort) -> Chain:
    """Answers whether one state covers another. An Unknown costs a cover and nothing else."""
    return Chain(solver, min(timeout, _SECONDS), Statistics(), deadline, effort=effort)
