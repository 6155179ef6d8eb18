"""The pruner of a run, with the machine that rests states where it looks at them."""

from __future__ import annotations

from collections.abc import Callable, Sized
from dataclasses import dataclass

from unfork.execute.machine import Machine
from unfork.explore.loop import NoPruning, Pruner
from unfork.explore.tally import Stepper
from unfork.logic.chain import Chain
from unfork.prune.contract import PruneCounts
from unfork.prune.implication import Implication
from unfork.prune.live import LiveRegisters
from unfork.prune.places import MARK, covering_places, together
from unfork.prune.resting import RestingWhenDue
from unfork.prune.roots import Roots
from unfork.prune.subsume import Bounded, Subsumption


@dataclass(frozen=True, slots=True)
class Pruned:
    """Which states are not explored. ``stepper`` rests them where they are asked whether others cover them.

    ``forget`` makes room; ``finish`` gives the counts when the run is over.
    """

    stepper: Stepper
    pruner: Pruner
    forget: Callable[[], None]
    finish: Callable[[], PruneCounts]


def unpruned(stepper: Stepper) -> Pruned:
    """Every state is explored."""
    return Pruned(stepper, NoPruning(), _nothing, PruneCounts)


def subsuming(
    machine: Machine,
    meeting: Sized | None,
    asked: Chain,
    checks: frozenset[str],
    bounds: Bounded,
    *,
    has_precondition: bool,
) -> Pruned:
    """States that earlier ones cover are not explored. ``meeting`` are the waiting states where states are joined too.

    ``asked`` answers whether one state covers another: an Unknown costs a cover and nothing else. ``checks`` are the
    faults that are looked for. For the others see Subsumption.
    """
    places = covering_places(machine.program)
    machine.places = places if meeting is None else together(machine.places, places)
    pruner = Subsumption(
        places,
        Implication(asked),
        Roots(LiveRegisters(), keeps_all="leak" in checks),
        machine.running,
        machine.program.c_types,
        bounds,
        tells_unwritten="uninitialised" in checks,
        has_precondition=has_precondition,
    )
    stepper = RestingWhenDue(machine, () if meeting is None else meeting, always=MARK in machine.program.declarations)
    return Pruned(stepper, pruner, pruner.forget, pruner.finish)


def _nothing() -> None:
    return None
