"""The pruner that --prune names, and where states rest for it to look at them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from unfork.commands.assemble.joins import predicate, variables
from unfork.commands.assemble.machines import Engine
from unfork.commands.assemble.merging import Scheduled
from unfork.commands.assemble.solving import cheap_solver
from unfork.commands.assemble.yielding import YieldChoices
from unfork.engine.explore.loop import NoPruning
from unfork.engine.explore.schedules import SleepSets
from unfork.engine.machine.machine import Machine
from unfork.engine.protocols.events import Observer
from unfork.engine.protocols.outcome import Fault
from unfork.engine.protocols.pruner import Pruner
from unfork.engine.protocols.stepper import Stepper, YieldPolicy
from unfork.engine.state.live_registers import LiveRegisters, without_scopes
from unfork.engine.step.coverage import Onlooker
from unfork.engine.step.step import UNINITIALISED
from unfork.errors import InputError
from unfork.logic.solve.chain import Chain
from unfork.logic.solve.solver import Statistics
from unfork.options.options import Options
from unfork.options.rules import abstractions
from unfork.reduce.merge.rules import Facts, check_predicates
from unfork.reduce.prune.abstraction import Abstraction
from unfork.reduce.prune.arrays import Arrays
from unfork.reduce.prune.contract import PruneCounts
from unfork.reduce.prune.fold import Shapes
from unfork.reduce.prune.implication import Implication
from unfork.reduce.prune.interpolation import learn, payoff, speculation, strengthen
from unfork.reduce.prune.interpolation import pruner as learning
from unfork.reduce.prune.interpolation.sharing import NoSharing, Sharing
from unfork.reduce.prune.places import MARK
from unfork.reduce.prune.roots import Roots
from unfork.reduce.prune.subsume import Demands, Subsumption, YieldWhenDue

if TYPE_CHECKING:
    from unfork.reduce.prune.interpolation.strengthen import Sources


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


def pruned(options: Options, engine: Engine, schedule: Scheduled, yields: YieldChoices) -> Pruned:
    """The pruner that --prune names. None of its queries counts as one of the exploration."""
    match options.prune:
        case "subsume":
            return _subsuming(options, engine, schedule, yields)
        case "interpolate":
            return _interpolating(options, engine, schedule, yields)
    pruner = SleepSets() if engine.machine.statics.makes_threads else NoPruning()
    return Pruned(engine.machine, schedule.yielding, pruner, lambda: None, PruneCounts)


def covers(options: Options, engine: Engine) -> Chain:
    """What answers whether one state covers another: an Unknown costs a cover and nothing else."""
    timeout = min(options.solver_timeout, _SECONDS)
    return Chain(engine.chain.solver, timeout, Statistics(), engine.chain.deadline, effort=engine.effort)


def _subsuming(options: Options, engine: Engine, schedule: Scheduled, yields: YieldChoices) -> Pruned:
    """States are compared at the points of ``yields``, exactly or as --abstract says."""
    machine, asked = engine.machine, covers(options, engine)
    checks = frozenset(options.check)
    demands = Demands(
        options.max_depth is not None,
        options.max_objects is not None,
        UNINITIALISED in checks,
        options.requires is not None,
    )
    registers = LiveRegisters(machine.facts, without_scopes)
    pruner = Subsumption(
        yields.covered,
        Implication(asked),
        Roots(registers, keeps_all="leak" in checks),
        machine.sightings,
        machine.program.c_types,
        demands,
        _abstraction(options, machine, registers, asked),
    )
    meeting = () if options.merge == "none" else schedule.frontier
    yielding = YieldWhenDue(meeting, yields.meeting, yields.alone, always=MARK in machine.program.declarations)
    return Pruned(machine, yielding, pruner, pruner.forget, pruner.finish, pruner.counts)


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
    facts = Facts(predicates, variables(machine))
    arrays = Arrays(registers, asked) if "array" in named else None
    return Abstraction(registers, Shapes("list" in named, named.get("tree")), arrays, facts.of)


def _interpolating(options: Options, engine: Engine, schedule: Scheduled, yields: YieldChoices) -> Pruned:
    """States that do nothing new, as finished subtrees have shown, are not explored; ``yields`` says where to learn."""
    machine, waiting, is_at_rest = engine.machine, schedule.frontier, yields.meeting.is_at
    asked = covers(options, engine)
    coverage, purse = Onlooker(engine.coverage), payoff.Purse(engine.effort)
    interpolants = learn.Interpolants(
        machine,
        coverage,
        asked,
        is_at_rest,
        _sources(options),
        cheap_solver(engine.effort),
        purse,
    )
    speculator = speculation.Speculation(machine.companion(asked, coverage), coverage, interpolants, is_at_rest)
    pruner = learning.Learning(interpolants, is_at_rest, waiting, speculator)
    speculator.serve(pruner)
    return Pruned(
        learning.Earning(machine, machine.statistics, purse),
        learning.YieldToLearn(waiting, pruner, purse, yields.meeting, yields.alone),
        pruner,
        pruner.forget,
        pruner.finish,
        interpolants.counts,
        lambda: purse.spent,
        (pruner,),
        pruner.trust,
        speculator.heed,
        Sharing(interpolants, coverage, machine.program),
    )


def _sources(options: Options) -> Sources:
    """What interpolants are made of."""
    chosen = options.interpolants
    return strengthen.Sources("cores" in chosen, "slacken" in chosen, "wp" in chosen)
