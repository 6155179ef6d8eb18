"""The pruner that --prune names, and where states rest for it to look at them."""

from __future__ import annotations

from collections.abc import Callable, Sized
from dataclasses import dataclass, field

from unfork.contracts.faults import Fault
from unfork.contracts.observer import Observer
from unfork.contracts.pruner import Pruner
from unfork.contracts.rest import Resting
from unfork.contracts.stepper import Stepper
from unfork.errors import InputError
from unfork.execute.coverage import Onlooker
from unfork.execute.machine import Machine
from unfork.execute.step import UNINITIALISED
from unfork.explore.loop import NoPruning
from unfork.logic.chain import Chain
from unfork.logic.effort import Effort
from unfork.logic.solver import Statistics
from unfork.merge.frames import Frames
from unfork.merge.predicate_facts import Facts as PredicateFacts
from unfork.merge.rules import check_predicates
from unfork.merge.scope import Variables
from unfork.options import Options, abstractions
from unfork.prune.abstraction import Abstraction
from unfork.prune.arrays import Arrays
from unfork.prune.contract import PruneCounts
from unfork.prune.fold import Shapes
from unfork.prune.implication import Implication
from unfork.prune.interpolation.learn import Interpolants
from unfork.prune.interpolation.pruner import Earning, Learning, RestToLearn
from unfork.prune.interpolation.sharing import NoSharing, Sharing
from unfork.prune.interpolation.speculation import Speculation
from unfork.prune.interpolation.strengthen import Sources
from unfork.prune.places import MARK
from unfork.prune.rest_when_due import RestWhenDue
from unfork.prune.roots import Roots
from unfork.prune.subsume import Demands, Subsumption
from unfork.state.live_registers import LiveRegisters, as_it_is, without_scopes
from unfork.wiring.joins import predicate
from unfork.wiring.merging import Scheduled
from unfork.wiring.resting import Rests
from unfork.wiring.solving import Backend, between, cheap_solver

_COVERING_SECONDS = 2.0
"""The longest query about a cover."""


def pruned(
    options: Options, machine: Machine, schedule: Scheduled, rests: Rests, backend: Backend, deadline: float
) -> Pruned:
    """The pruner that --prune names. None of its queries counts as one of the exploration."""
    if options.prune == "none":
        return Pruned(machine, schedule.resting, NoPruning(), lambda: None, PruneCounts)
    asked = Chain(backend.solver, min(options.solver_timeout, _COVERING_SECONDS), Statistics())
    asked.deadline = deadline
    meeting = None if options.merge == "none" else schedule.frontier
    checks = frozenset(options.check)
    if options.prune == "interpolate":
        return interpolating(machine, schedule.frontier, rests, asked, _sources(options), backend.effort)
    demands = Demands(
        options.max_depth is not None,
        options.max_objects is not None,
        UNINITIALISED in checks,
        options.requires is not None,
    )
    registers = LiveRegisters(machine.facts, without_scopes)
    abstraction = _abstraction(options, machine, registers, asked)
    return subsuming(machine, rests, meeting, asked, Roots(registers, keeps_all="leak" in checks), demands, abstraction)


def _abstraction(options: Options, machine: Machine, registers: LiveRegisters, asked: Chain) -> Abstraction | None:
    """How states are compared that may cover each other, as --abstract says; None: exactly."""
    named = abstractions(options)
    if not named:
        return None
    predicates = tuple([predicate(text) for text in options.predicate])
    try:
        check_predicates(predicates, machine.program.names())
    except ValueError as problem:
        raise InputError(f"--predicate {problem}") from None
    frames = Frames(LiveRegisters(machine.facts, as_it_is), keeps_all=False)
    facts = PredicateFacts(predicates, Variables(machine.program, machine.statics, frames))
    arrays = Arrays(registers, asked) if "array" in named else None
    return Abstraction(registers, Shapes("list" in named, named.get("tree")), arrays, facts.of)


def _sources(options: Options) -> Sources:
    """What interpolants are made of."""
    chosen = options.interpolants
    return Sources("cores" in chosen, "slacken" in chosen, "wp" in chosen, between(options))


@dataclass(frozen=True, slots=True)
class Pruned:
    """Which states are not explored. ``resting`` says where they are asked whether others cover them.

    ``forget`` makes room; ``finish`` gives the counts when the run is over. ``observers`` are to be told of events,
    after all others; ``trust`` is to be called before the run with what says whether a fault has been reported already,
    and ``heed`` with what says that the run is to end.
    """

    stepper: Stepper
    resting: Resting
    pruner: Pruner
    forget: Callable[[], None]
    finish: Callable[[], PruneCounts]
    counts: PruneCounts = field(default_factory=PruneCounts)
    """So far; what has to be worked out at the end is missing."""
    spent: Callable[[], int] = lambda: 0
    """What learning has cost so far, in instructions (prune/interpolation/payoff.py)."""
    observers: tuple[Observer, ...] = ()
    trust: Callable[[Callable[[Fault], bool]], None] = lambda is_reported: None
    heed: Callable[[Callable[[], bool]], None] = lambda is_over: None
    sharing: Sharing | NoSharing = field(default_factory=NoSharing)
    """What was learnt, for other processes, and from them."""


def subsuming(
    machine: Machine,
    rests: Rests,
    meeting: Sized | None,
    asked: Chain,
    roots: Roots,
    demands: Demands,
    abstraction: Abstraction | None,
) -> Pruned:
    """States that earlier ones cover are not explored.

    ``meeting`` are the waiting states where states are joined too.
    ``asked`` answers whether one state covers another: an Unknown costs a cover and nothing else. ``roots`` says where
    comparing begins, ``abstraction`` how states are compared if not exactly.
    """
    pruner = Subsumption(
        rests.covered,
        Implication(asked),
        roots,
        machine.sightings,
        machine.program.c_types,
        demands,
        abstraction,
    )
    always = MARK in machine.program.declarations
    resting = RestWhenDue(() if meeting is None else meeting, rests.meeting, rests.alone, always=always)
    return Pruned(machine, resting, pruner, pruner.forget, pruner.finish, pruner.counts)


def interpolating(
    machine: Machine,
    waiting: Sized,
    rests: Rests,
    asked: Chain,
    sources: Sources,
    effort: Effort,
) -> Pruned:
    """States that do nothing new, as finished subtrees have shown, are not explored.

    ``waiting`` are the waiting states; ``sources`` say what interpolants are made of; ``effort`` counts solvers' work.
    """
    coverage = Onlooker(machine.coverage)
    follower = machine.companion(asked, coverage)
    is_at_rest = rests.meeting.is_at
    interpolants = Interpolants(follower, coverage, asked, is_at_rest, sources, cheap_solver(effort))
    speculation = Speculation(machine.companion(asked, coverage), coverage, interpolants, is_at_rest)
    pruner = Learning(interpolants, is_at_rest, waiting, speculation)
    speculation.serve(pruner)
    purse = interpolants.purse
    purse.effort = effort
    resting = RestToLearn(waiting, pruner, purse, rests.meeting, rests.alone)
    stepper = Earning(machine, machine.statistics, purse)
    return Pruned(
        stepper,
        resting,
        pruner,
        pruner.forget,
        pruner.finish,
        interpolants.counts,
        lambda: purse.spent,
        (pruner,),
        pruner.trust,
        speculation.heed,
        Sharing(interpolants, coverage, machine.program),
    )
