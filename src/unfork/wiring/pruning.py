"""The pruner that --prune names, and where states rest for it to look at them."""

from __future__ import annotations

from collections.abc import Callable, Sized
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

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
from unfork.later import Later
from unfork.logic.chain import Chain
from unfork.logic.solver import Effort, Statistics
from unfork.options import Options, abstractions
from unfork.prune.contract import PruneCounts
from unfork.prune.interpolation.sharing import NoSharing, Sharing
from unfork.prune.places import MARK
from unfork.state.live_registers import LiveRegisters, as_it_is, without_scopes
from unfork.wiring.merging import Scheduled
from unfork.wiring.resting import Rests
from unfork.wiring.solving import Backend, cheap_solver

if TYPE_CHECKING:
    from unfork.merge import frames as merge_frames
    from unfork.merge import rules, scope
    from unfork.prune import abstraction as prune_abstraction
    from unfork.prune import arrays as prune_arrays
    from unfork.prune import fold, implication, subsume
    from unfork.prune import roots as prune_roots
    from unfork.prune.abstraction import Abstraction
    from unfork.prune.interpolation import learn, strengthen
    from unfork.prune.interpolation import pruner as interpolation_pruner
    from unfork.prune.interpolation import speculation as interpolation_speculation
    from unfork.prune.interpolation.strengthen import Sources
    from unfork.prune.roots import Roots
    from unfork.prune.subsume import Demands
    from unfork.wiring import joins
else:
    merge_frames = Later("unfork.merge.frames")
    rules = Later("unfork.merge.rules")
    scope = Later("unfork.merge.scope")
    prune_abstraction = Later("unfork.prune.abstraction")
    prune_arrays = Later("unfork.prune.arrays")
    fold = Later("unfork.prune.fold")
    implication = Later("unfork.prune.implication")
    learn = Later("unfork.prune.interpolation.learn")
    interpolation_pruner = Later("unfork.prune.interpolation.pruner")
    interpolation_speculation = Later("unfork.prune.interpolation.speculation")
    strengthen = Later("unfork.prune.interpolation.strengthen")
    prune_roots = Later("unfork.prune.roots")
    subsume = Later("unfork.prune.subsume")
    joins = Later("unfork.wiring.joins")

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
    demands = subsume.Demands(
        options.max_depth is not None,
        options.max_objects is not None,
        UNINITIALISED in checks,
        options.requires is not None,
    )
    registers = LiveRegisters(machine.facts, without_scopes)
    abstraction = _abstraction(options, machine, registers, asked)
    return subsuming(
        machine, rests, meeting, asked, prune_roots.Roots(registers, keeps_all="leak" in checks), demands, abstraction
    )


def _abstraction(options: Options, machine: Machine, registers: LiveRegisters, asked: Chain) -> Abstraction | None:
    """How states are compared that may cover each other, as --abstract says; None: exactly."""
    named = abstractions(options)
    if not named:
        return None
    predicates = tuple([joins.predicate(text) for text in options.predicate])
    try:
        rules.check_predicates(predicates, machine.program.names())
    except ValueError as problem:
        raise InputError(f"--predicate {problem}") from None
    frames = merge_frames.Frames(LiveRegisters(machine.facts, as_it_is), keeps_all=False)
    facts = rules.Facts(predicates, scope.Variables(machine.program, machine.statics, frames))
    arrays = prune_arrays.Arrays(registers, asked) if "array" in named else None
    return prune_abstraction.Abstraction(registers, fold.Shapes("list" in named, named.get("tree")), arrays, facts.of)


def _sources(options: Options) -> Sources:
    """What interpolants are made of."""
    chosen = options.interpolants
    return strengthen.Sources("cores" in chosen, "slacken" in chosen, "wp" in chosen)


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
    pruner = subsume.Subsumption(
        rests.covered,
        implication.Implication(asked),
        roots,
        machine.sightings,
        machine.program.c_types,
        demands,
        abstraction,
    )
    always = MARK in machine.program.declarations
    resting = subsume.RestWhenDue(() if meeting is None else meeting, rests.meeting, rests.alone, always=always)
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
    is_at_rest = rests.meeting.is_at
    interpolants = learn.Interpolants(machine, coverage, asked, is_at_rest, sources, cheap_solver(effort))
    speculation = interpolation_speculation.Speculation(
        machine.companion(asked, coverage), coverage, interpolants, is_at_rest
    )
    pruner = interpolation_pruner.Learning(interpolants, is_at_rest, waiting, speculation)
    speculation.serve(pruner)
    purse = interpolants.purse
    purse.effort = effort
    resting = interpolation_pruner.RestToLearn(waiting, pruner, purse, rests.meeting, rests.alone)
    stepper = interpolation_pruner.Earning(machine, machine.statistics, purse)
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
