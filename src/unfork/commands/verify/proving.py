"""The parts of one function's proof, put together from the options and the program's contracts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from unfork.commands.assemble import assembled_loops, machines, merging, yielding
from unfork.commands.assemble.machines import Engine, MachineSetup
from unfork.commands.assemble.merging import Scheduled
from unfork.commands.assemble.solving import Backend
from unfork.commands.verify.annotated import AnnotatedProgram, AtProgramPoints
from unfork.commands.verify.conditions import ContractConditions
from unfork.commands.verify.cuts import Cuts
from unfork.commands.verify.falsify import Falsifier
from unfork.commands.verify.first_states import FirstStates
from unfork.commands.verify.lemmas import Establishing, LemmaFacts, refuter
from unfork.commands.verify.obligations import Obligations
from unfork.commands.verify.shown import Explained
from unfork.engine.explore.limits import Budget, NoBound
from unfork.engine.explore.loop import Exploration, NoPruning
from unfork.engine.explore.tally import Metered, Tally
from unfork.engine.explore.tree import ExecutionGraph
from unfork.engine.protocols.events import Observer
from unfork.engine.protocols.stopper import Stopper
from unfork.engine.state.unbounded import CellsOfSymbols
from unfork.logic.solve.audited import Prover
from unfork.logic.solve.solver import Effort
from unfork.options.options import INFERRED, Options
from unfork.program.llvm.module import Function, Program
from unfork.reduce.merge.refinement import JoinRequest, Refinement


@dataclass(frozen=True, slots=True)
class PendingProof:
    """A function's proof, not yet begun."""

    function: Function
    engine: Engine
    tally: Tally
    obligations: Obligations
    scheduled: Scheduled
    cuts: Cuts
    inputs: FirstStates
    exploration: Exploration
    falsifier: Falsifier
    infers: bool
    """Whether joins infer predicates."""
    lemmas: Establishing


@dataclass(frozen=True, slots=True)
class ProofDecider:
    """Who decides the queries of proofs, by when."""

    solver: Prover
    effort: Effort
    budget: Budget


def patience(options: Options) -> tuple[float, str]:
    """How many seconds a query has, and which solver is asked first."""
    return options.solver_timeout, options.solver


def proof(
    options: Options,
    program: Program,
    annotated: AnnotatedProgram,
    function: str,
    deciding: ProofDecider,
    observers: Sequence[Observer],
    stopper: Stopper,
    refinement: Refinement,
) -> PendingProof:
    """The parts of the proof of one function that has a contract."""
    solver = deciding.solver
    tally, graph = Tally(), ExecutionGraph()
    manner = MachineSetup(scans_own=False, volatile_is_any=True, keeps_variables=True)
    engine = machines.engine(options, program, Backend(solver, deciding.effort), deciding.budget, manner)
    machine, chain = engine.machine, engine.chain
    step = machine.step_of_instructions()
    cells = CellsOfSymbols()
    fresh = step.names.symbol
    conditions = ContractConditions(machine, annotated, annotated.functions[function])
    meaning, definitions = conditions.meaning, conditions.definitions
    facts = LemmaFacts(meaning, definitions)
    refuting = refuter(cells, solver, fresh, facts)
    lemmas = Establishing(meaning, definitions, annotated.lemmas, facts, cells)
    obligations = Obligations(refuting, solver, chain, fresh, options.solver_timeout, Explained(conditions))
    yields = yielding.yields(options, program)
    wanted = JoinRequest(refinement, lambda state, reason, times: None, keeps_all=True)  # a proof shows no refusals
    scheduled = merging.scheduled(options, engine, yields, wanted)
    points = assembled_loops.ProofPoints(annotated.functions_with_points(), annotated.watched_functions())
    stepper, sought = assembled_loops.of_proof(
        options, machine, AtProgramPoints(machine, annotated), chain, engine.coverage, points
    )
    cuts = Cuts(machine, stepper, conditions, cells, obligations, fresh, sought, lemmas)
    # A counterexample rests on no lemma, and is checked by what definitions come to for its values.
    searching = refuter(cells, solver, fresh, LemmaFacts(meaning, definitions))
    inputs = FirstStates(machine, conditions, cells)
    exploration = Exploration(
        Metered(cuts, tally),
        scheduled.yielding,
        scheduled.frontier,
        NoBound(),
        NoPruning(),
        scheduled.joiner,
        stopper,
        graph,
        (tally, *observers),
    )
    return PendingProof(
        program.function(function),
        engine,
        tally,
        obligations,
        scheduled,
        cuts,
        inputs,
        exploration,
        Falsifier(machine, chain, annotated, conditions, inputs, searching),
        options.join == INFERRED,
        lemmas,
    )
