"""Makes the pruner of --prune interpolate."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from unfork.engine.explore.yield_choices import YieldChoices
from unfork.engine.machine.machine import Machine
from unfork.engine.protocols.frontier import Frontier
from unfork.engine.step.branch_coverage import BranchCoverage, Onlooker
from unfork.logic.solve.chain import Chain
from unfork.logic.solve.solver import Effort, Solver
from unfork.reduce.prune.interpolation import interpolating as learning
from unfork.reduce.prune.interpolation import learn, payoff, speculation, strengthen
from unfork.reduce.prune.interpolation.sharing import Sharing
from unfork.reduce.prune.pruned import Pruned


def make_interpolation(
    sources: Collection[str],
    machine: Machine,
    coverage: BranchCoverage,
    effort: Effort,
    frontier: Frontier,
    yields: YieldChoices,
    covers: Chain,
    cheap: Solver,
) -> Pruned:
    """States that do nothing new, as finished subtrees have shown, are not explored.

    ``sources`` names where conditions come from, as --interpolants has it. ``covers`` answers whether a state meets an
    interpolant; ``cheap`` finds unsat cores, or gives up soon.
    """
    is_at_rest = yields.meeting.is_at
    onlooker, purse = Onlooker(coverage), payoff.Purse(effort)
    kinds = strengthen.Sources("cores" in sources, "slacken" in sources, "wp" in sources)
    interpolants = learn.Interpolants(machine, onlooker, covers, is_at_rest, kinds, cheap, purse)
    speculator = speculation.Speculation(machine.companion(covers, onlooker), onlooker, interpolants, is_at_rest)
    pruner = learning.Learning(interpolants, is_at_rest, frontier, speculator)
    speculator.serve(pruner)
    return Pruned(
        yielding=learning.YieldToLearn(frontier, pruner, purse, yields.meeting, yields.alone),
        pruner=pruner,
        forget=pruner.forget,
        finish=pruner.finish,
        counts=interpolants.counts,
        earning=partial(learning.Earning, asked=machine.statistics, purse=purse),
        spent=lambda: purse.spent,
        observers=(pruner,),
        trust=pruner.trust,
        heed=speculator.heed,
        sharing=Sharing(interpolants, onlooker, machine.program),
    )
