"""The pruner of a run, with the machine that rests states where it looks at them."""

from __future__ import annotations

from collections.abc import Callable, Sized
from dataclasses import dataclass

from unfork.contracts.events import Observer
from unfork.contracts.faults import Fault
from unfork.errors import InputError
from unfork.execute.coverage import Onlooker
from unfork.execute.machine import Machine
from unfork.execute.step import UNINITIALISED
from unfork.explore.loop import NoPruning, Pruner
from unfork.explore.tally import Stepper
from unfork.logic.chain import Chain
from unfork.logic.solver import Solver, Statistics
from unfork.merge.frames import Frames
from unfork.merge.predicate_facts import Facts as PredicateFacts
from unfork.merge.rules import check_predicates
from unfork.merge.scope import Variables
from unfork.options import Options, abstractions
from unfork.program.meeting import PlacesOf, everywhere, together
from unfork.prune.abstraction import Abstraction, Facts
from unfork.prune.arrays import Arrays
from unfork.prune.contract import PruneCounts
from unfork.prune.fold import Shapes
from unfork.prune.implication import Implication
from unfork.prune.interpolation.learn import Interpolants
from unfork.prune.interpolation.pruner import Learning, RestingToLearn
from unfork.prune.interpolation.speculation import Speculation
from unfork.prune.interpolation.strengthen import Sources
from unfork.prune.live import LiveRegisters
from unfork.prune.places import MARK, covering_places, marks_of
from unfork.prune.rest_when_due import RestingWhenDue
from unfork.prune.roots import Roots
from unfork.prune.subsume import Demands, Subsumption
from unfork.wiring.joins import predicate
from unfork.wiring.merging import Scheduled
from unfork.wiring.solving import between, cheap_solver

_COVERING_SECONDS = 2.0
"""The longest query about a cover."""


def pruned(options: Options, made: Machine, schedule: Scheduled, backend: Solver, deadline: float) -> Pruned:
    """The pruner that --prune names. None of its queries counts as one of the exploration."""
    if options.prune == "none":
        return unpruned(schedule.stepper)
    asked = Chain(backend, min(options.solver_timeout, _COVERING_SECONDS), Statistics())
    asked.deadline = deadline
    meeting = None if options.merge == "none" else schedule.frontier
    checks = frozenset(options.check)
    if options.prune == "interpolate":
        joins, cheap = meeting is not None, cheap_solver()
        return interpolating(made, schedule.frontier, asked, _sources(options), cheap, joins=joins)
    demands = Demands(
        options.max_depth is not None,
        options.max_objects is not None,
        UNINITIALISED in checks,
        options.requires is not None,
    )
    places = marks_of(options.entry) if options.calls else covering_places(made.program)
    return subsuming(made, places, meeting, asked, checks, demands, compared(options, made))


def compared(options: Options, made: Machine) -> Compared | None:
    """How states are compared that may cover each other, as --abstract says; None: exactly."""
    named = abstractions(options)
    if not named:
        return None
    predicates = tuple([predicate(text) for text in options.predicate])
    try:
        check_predicates(predicates, made.program.names())
    except ValueError as problem:
        raise InputError(f"--predicate {problem}") from None
    variables = Variables(made.program, made.statics, Frames(keeps_all=False))
    shapes = Shapes("list" in named, named.get("tree"))
    return Compared(shapes, "array" in named, PredicateFacts(predicates, variables).of)


def _sources(options: Options) -> Sources:
    """What interpolants are made of."""
    chosen = options.interpolants
    return Sources("cores" in chosen, "slacken" in chosen, "wp" in chosen, between(options))


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
    follower = machine.companion(asked, coverage)
    interpolants = Interpolants(follower, coverage, asked, machine.rests, sources, quick)
    aside = machine.companion(asked, coverage)
    aside.places = machine.places
    speculation = Speculation(aside, coverage, interpolants, machine.rests)
    pruner = Learning(interpolants, machine.rests, waiting, speculation)
    speculation.serve(pruner)
    stepper = RestingToLearn(machine, waiting, pruner, interpolants.purse)
    return Pruned(stepper, pruner, pruner.forget, pruner.finish, (pruner,), pruner.trust, speculation.heed)


def _nothing() -> None:
    return None
