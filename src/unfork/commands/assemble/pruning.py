"""The pruner that --prune names, and where states rest for it to look at them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unfork.commands.assemble import subsuming
from unfork.commands.assemble.machines import Engine
from unfork.commands.assemble.merging import Scheduled
from unfork.commands.assemble.pruned import Pruned, covers
from unfork.commands.assemble.solving import cheap_solver
from unfork.commands.assemble.yielding import YieldChoices
from unfork.engine.explore.loop import NoPruning
from unfork.engine.explore.schedules import SleepSets
from unfork.engine.step.branch_coverage import Onlooker
from unfork.options.options import Options
from unfork.reduce.prune.contract import PruneCounts
from unfork.reduce.prune.interpolation import interpolating as learning
from unfork.reduce.prune.interpolation import learn, payoff, speculation, strengthen
from unfork.reduce.prune.interpolation.sharing import Sharing

if TYPE_CHECKING:
    from unfork.reduce.prune.interpolation.strengthen import Sources


def pruned(options: Options, engine: Engine, schedule: Scheduled, yields: YieldChoices) -> Pruned:
    """The pruner that --prune names. None of its queries counts as one of the exploration."""
    match options.prune:
        case "subsume":
            return subsuming.pruned(options, engine, schedule, yields)
        case "interpolate":
            return _interpolating(options, engine, schedule, yields)
    pruner = SleepSets() if engine.machine.statics.makes_threads else NoPruning()
    return Pruned(engine.machine, schedule.yielding, pruner, lambda: None, PruneCounts)


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
