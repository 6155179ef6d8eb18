"""--prune interpolate: states that do nothing new, as finished subtrees have shown, are not explored."""

from __future__ import annotations

from unfork.execute.coverage import Onlooker
from unfork.options import Options
from unfork.prune.interpolation.learn import Interpolants
from unfork.prune.interpolation.payoff import Purse
from unfork.prune.interpolation.pruner import Earning, Learning, YieldToLearn
from unfork.prune.interpolation.sharing import Sharing
from unfork.prune.interpolation.speculation import Speculation
from unfork.prune.interpolation.strengthen import Sources
from unfork.wiring.machines import Engine
from unfork.wiring.merging import Scheduled
from unfork.wiring.pruning import Pruned, covers
from unfork.wiring.solving import cheap_solver
from unfork.wiring.yielding import YieldChoices


def pruned(options: Options, engine: Engine, schedule: Scheduled, yields: YieldChoices) -> Pruned:
    """What is learnt at the places of ``yields`` covers states there."""
    machine, waiting, is_at_rest = engine.machine, schedule.frontier, yields.meeting.is_at
    asked = covers(options, engine)
    coverage, purse = Onlooker(engine.coverage), Purse(engine.effort)
    interpolants = Interpolants(
        machine,
        coverage,
        asked,
        is_at_rest,
        _sources(options),
        cheap_solver(engine.effort),
        purse,
    )
    speculation = Speculation(machine.companion(asked, coverage), coverage, interpolants, is_at_rest)
    pruner = Learning(interpolants, is_at_rest, waiting, speculation)
    speculation.serve(pruner)
    return Pruned(
        Earning(machine, machine.statistics, purse),
        YieldToLearn(waiting, pruner, purse, yields.meeting, yields.alone),
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


def _sources(options: Options) -> Sources:
    """What interpolants are made of."""
    chosen = options.interpolants
    return Sources("cores" in chosen, "slacken" in chosen, "wp" in chosen)
