"""Which policies an exploration has: each is made in its own folder, of the choices that concern it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unfork.commands.assemble.choices import RunChoices
from unfork.commands.assemble.machines import Engine
from unfork.engine.explore.make_search import make_searchers
from unfork.engine.explore.yield_choices import YieldChoices
from unfork.engine.protocols.stepper import Stepper
from unfork.engine.step.step import UNINITIALISED
from unfork.logic.solve.chain import Chain
from unfork.logic.solve.make_solver import make_cheap_solver
from unfork.reduce.invariants import make_abstract_loops as making_loops
from unfork.reduce.merge import make_joins
from unfork.reduce.merge.make_merge import MergeSolvers, Scheduled, make_merge, make_unmerged
from unfork.reduce.prune import make_subsumption as subsumption
from unfork.reduce.prune.contract import Demands
from unfork.reduce.prune.interpolation import make_interpolation as interpolation
from unfork.reduce.prune.pruned import Pruned, make_cover_chain, make_unpruned

if TYPE_CHECKING:
    from unfork.reduce.invariants.abstract_loops import AbstractLoops
    from unfork.reduce.invariants.houdini import Sought
    from unfork.reduce.invariants.make_abstract_loops import InvariantRequest, ProofPoints
    from unfork.reduce.merge.refinement import JoinRequest


def scheduled(choices: RunChoices, engine: Engine, yields: YieldChoices, wanted: JoinRequest) -> Scheduled:
    """The searchers of --search under the schedule of --merge. Raises InputError."""
    machine, search = engine.machine, choices.search
    orders = make_searchers(search, machine.program, machine.has_run, engine.coverage, engine.effort)
    chance = search.chance_of_drops()
    if choices.merge.schedule == "none":
        return make_unmerged(orders, chance, yields, in_one=search.names == ("dfs",))
    solvers = MergeSolvers(engine.chain, make_cheap_solver(engine.effort))
    return make_merge(choices.merge, machine, engine.source, solvers, orders, chance, yields, wanted)


def pruned(choices: RunChoices, engine: Engine, schedule: Scheduled, yields: YieldChoices) -> Pruned:
    """The pruner of --prune. None of its queries counts as one of the exploration. Raises InputError."""
    machine, prune = engine.machine, choices.prune
    if prune.matches:
        return _subsumption(choices, engine, schedule, yields)
    if prune.interpolates:
        return interpolation.make_interpolation(
            prune.sources,
            machine,
            engine.coverage,
            engine.effort,
            schedule.frontier,
            yields,
            covers(choices, engine),
            make_cheap_solver(engine.effort),
        )
    return make_unpruned(schedule.yielding, has_threads=machine.statics.makes_threads)


def _subsumption(choices: RunChoices, engine: Engine, schedule: Scheduled, yields: YieldChoices) -> Pruned:
    machine, prune, kinds = engine.machine, choices.prune, choices.prune.abstractions
    demands = Demands(
        choices.bounds.forks is not None,
        choices.inputs.max_objects is not None,
        UNINITIALISED in choices.checks,
        choices.start.requires is not None,
    )
    abstraction = None
    if kinds:
        request = subsumption.AbstractionRequest("list" in kinds, "array" in kinds, kinds.get("tree"))
        abstraction = request, make_joins.make_predicate_facts(prune.predicates, machine).of
    return subsumption.make_subsumption(
        machine,
        () if choices.merge.schedule == "none" else schedule.frontier,
        yields,
        covers(choices, engine),
        demands,
        abstraction,
        keeps_all="leak" in choices.checks,
    )


def covers(choices: RunChoices, engine: Engine) -> Chain:
    """Answers whether one state covers another."""
    chain = engine.chain
    return make_cover_chain(chain.solver, choices.queries.timeout, chain.deadline, engine.effort)


def abstract_loops(
    choices: RunChoices, engine: Engine, stepper: Stepper, chain: Chain, proof: ProofPoints | None = None
) -> AbstractLoops | None:
    """The stepper of --loops abstract; None without that. Raises InputError for invariants that fit no loop."""
    if not choices.loops.is_abstract:
        return None
    return making_loops.make_abstract_loops(
        _invariants(choices, engine),
        engine.machine,
        stepper,
        chain,
        engine.coverage,
        making_loops.ProofPoints() if proof is None else proof,
        notices_unwritten=UNINITIALISED in choices.checks,
        takes_arrays=proof is None and "leak" not in choices.checks,
    )


def sought(choices: RunChoices, engine: Engine) -> Sought | None:
    """What a proof looks for at the loops that it cuts; None without --loops abstract. Raises InputError."""
    if not choices.loops.is_abstract:
        return None
    return making_loops.make_sought(_invariants(choices, engine), engine.machine, engine.chain)


def _invariants(choices: RunChoices, engine: Engine) -> InvariantRequest:
    known = make_joins.make_variables(engine.machine)
    return making_loops.InvariantRequest(
        choices.loops.invariants,
        lambda invariant, state: known.here(state, len(state.frames) - 1).says(invariant.expression),
    )
