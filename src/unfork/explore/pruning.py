"""The pruner of a run, with the machine that rests states where it looks at them."""

from __future__ import annotations

from collections.abc import Callable, Sized
from dataclasses import dataclass
from functools import partial

from unfork.execute.coverage import Onlooker
from unfork.execute.faults import Fault
from unfork.execute.machine import Machine
from unfork.explore.events import Observer
from unfork.explore.learning import Learning, RestingToLearn
from unfork.explore.loop import NoPruning, Pruner
from unfork.explore.speculation import Speculation
from unfork.explore.tally import Stepper
from unfork.logic.chain import Chain
from unfork.logic.solver import Solver
from unfork.program.meeting import PlacesOf, everywhere
from unfork.prune.abstraction import Abstraction, Facts
from unfork.prune.arrays import Arrays
from unfork.prune.contract import PruneCounts
from unfork.prune.fold import Shapes
from unfork.prune.implication import Implication
from unfork.prune.interpolation.learn import Interpolants
from unfork.prune.interpolation.strengthen import Sources
from unfork.prune.live import LiveRegisters
from unfork.prune.places import MARK, together
from unfork.prune.resting import RestingWhenDue
from unfork.prune.roots import Roots
from unfork.prune.subsume import Demands, Subsumption


@dataclass(frozen=True, slots=True)
class Pruned:
    """Which states are not explored. ``stepper`` rests them where they are asked whether others cover them.

    ``forget`` makes room; ``finish`` gives the counts when the run is over. ``observers`` are to be told of events,
    after all others; ``trust`` is to be called before the run with what says whether a fault has been reported already,
    and ``heed`` with what says that the run is to end.
    """

    stepper: Stepper
    pruner: Pruner
    forget: Callable[[], None]
    finish: Callable[[], PruneCounts]
    observers: tuple[Observer, ...] = ()
    trust: Callable[[Callable[[Fault], bool]], None] = lambda is_reported: None
    heed: Callable[[Callable[[], bool]], None] = lambda is_over: None


@dataclass(frozen=True, slots=True)
class Compared:
    """An abstraction: which ``shapes`` are folded, whether ``arrays`` are lists, which ``facts`` count of numbers."""

    shapes: Shapes
    arrays: bool
    facts: Facts


def unpruned(stepper: Stepper) -> Pruned:
    """Every state is explored."""
    return Pruned(stepper, NoPruning(), _nothing, PruneCounts)


def subsuming(
    machine: Machine,
    places: PlacesOf,
    meeting: Sized | None,
    asked: Chain,
    checks: frozenset[str],
    demands: Demands,
    compared: Compared | None,
) -> Pruned:
    """States that earlier ones cover are not explored.

    ``places`` are where states are looked at, ``meeting`` the waiting states where states are joined too.
    ``asked`` answers whether one state covers another: an Unknown costs a cover and nothing else. ``checks`` are the
    faults that are looked for. ``compared``: under which abstraction states are compared, if under one.
    """
    machine.places = places if meeting is None else together(machine.places, places)
    registers = LiveRegisters()
    pruner = Subsumption(
        places,
        Implication(asked),
        Roots(registers, keeps_all="leak" in checks),
        machine.sightings,
        machine.program.c_types,
        demands,
        None if compared is None else _abstraction(compared, registers, asked),
    )
    stepper = RestingWhenDue(machine, () if meeting is None else meeting, always=MARK in machine.program.declarations)
    return Pruned(stepper, pruner, pruner.forget, pruner.finish)


def _abstraction(compared: Compared, registers: LiveRegisters, asked: Chain) -> Abstraction:
    arrays = Arrays(registers, asked) if compared.arrays else None
    return Abstraction(registers, compared.shapes, arrays, compared.facts)


def interpolating(
    machine: Machine,
    waiting: Sized,
    asked: Chain,
    sources: Sources,
    quick: Solver,
    *,
    joins: bool,
) -> Pruned:
    """States that do nothing new, as finished subtrees have shown, are not explored.

    ``waiting`` are the waiting states, which are joined too if it ``joins``; ``sources`` say what interpolants are made
    of, and ``quick`` answers what is worth a little time only.
    """
    if not joins:
        machine.places = everywhere
    coverage = Onlooker(machine.coverage)
    follower = partial(machine.companion, coverage=coverage)
    interpolants = Interpolants(follower, coverage, asked, machine.rests, sources, quick)
    aside = follower(asked)
    aside.places = machine.places
    speculation = Speculation(aside, coverage, interpolants, machine.rests)
    pruner = Learning(interpolants, machine.rests, waiting, speculation)
    speculation.serve(pruner)
    stepper = RestingToLearn(machine, waiting, pruner, interpolants.purse)
    return Pruned(stepper, pruner, pruner.forget, pruner.finish, (pruner,), pruner.trust, speculation.heed)


def _nothing() -> None:
    return None
