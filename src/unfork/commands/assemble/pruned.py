"""A pruner that is put together, and who answers its questions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from unfork.commands.assemble.machines import Engine
from unfork.engine.protocols.events import Observer
from unfork.engine.protocols.outcome import Fault
from unfork.engine.protocols.pruner import Pruner
from unfork.engine.protocols.stepper import Stepper, YieldPolicy
from unfork.logic.solve.chain import Chain
from unfork.logic.solve.solver import Statistics
from unfork.options.options import Options
from unfork.reduce.prune.contract import PruneCounts
from unfork.reduce.prune.interpolation.sharing import NoSharing, Sharing

_SECONDS = 2.0
"""The longest query about a cover."""


@dataclass(frozen=True, slots=True)
class Pruned:
    """Which states are not explored. ``yielding`` says where they are asked whether others cover them.

    ``forget`` makes room; ``finish`` gives the counts when the run is over. ``observers`` are to be told of events,
    after all others; ``trust`` is to be called before the run with what says whether a fault has been reported already,
    and ``heed`` with what says that the run is to end.
    """

    stepper: Stepper
    yielding: YieldPolicy
    pruner: Pruner
    forget: Callable[[], None]
    finish: Callable[[], PruneCounts]
    counts: PruneCounts = field(default_factory=PruneCounts)
    """So far; what has to be worked out at the end is missing."""
    spent: Callable[[], int] = lambda: 0
    """What learning has cost so far, in instructions (reduce/prune/interpolation/payoff.py)."""
    observers: tuple[Observer, ...] = ()
    trust: Callable[[Callable[[Fault], bool]], None] = lambda is_reported: None
    heed: Callable[[Callable[[], bool]], None] = lambda is_over: None
    sharing: Sharing | NoSharing = field(default_factory=NoSharing)
    """What was learnt, for other processes, and from them."""


def covers(options: Options, engine: Engine) -> Chain:
    """What answers whether one state covers another: an Unknown costs a cover and nothing else."""
    timeout = min(options.solver_timeout, _SECONDS)
    return Chain(engine.chain.solver, timeout, Statistics(), engine.chain.deadline, effort=engine.effort)
