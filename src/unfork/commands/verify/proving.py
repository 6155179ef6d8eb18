"""The parts of one function's proof, put together from the options and the program's contracts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from unfork.commands.assemble import machines, policies
from unfork.commands.assemble.choices import RunChoices, choose
from unfork.commands.assemble.machines import Engine, MachineSetup
from unfork.commands.assemble.solving import Backend
from unfork.commands.assemble.step_stack import StepWrappers, stacked
from unfork.commands.assemble.yielding import yields
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
from unfork.engine.protocols.stepper import Stepper
from unfork.engine.protocols.stopper import Stopper
from unfork.engine.state.unbounded import CellsOfSymbols
from unfork.logic.solve.audited import Prover
from unfork.logic.solve.solver import Effort
from unfork.options.options import Options
from unfork.program.llvm.module import Function, Program
from unfork.reduce.invariants.houdini import nothing_sought
from unfork.reduce.invariants.make_abstract_loops import ProofPoints
from unfork.reduce.merge.make_merge import Scheduled
from unfork.reduce.merge.refinement import JoinRequest, Refinement


@dataclass(frozen=True, slots=True)
class PendingProof:
    """A function's proof before it begins."""

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
    """The solver of proofs, with its effort and limits."""

    solver: Prover
    effort: Effort
    budget: Budget


def patience(options: Options) -> tuple[float, str]:
    """How many seconds a query has, and which solver is asked first."""
    queries = choose(options).queries
    return queries.timeout, queries.solvers.first


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
    choices, solver = choose(options), deciding.solver
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
    obligations = Obligations(refuting, solver, chain, fresh, choices.queries.timeout, Explained(conditions))
    rests = yields(choices, program)
    wanted = JoinRequest(refinement, lambda state, reason, times: None, keeps_all=True)  # a proof shows no refusals
    scheduled = policies.scheduled(choices, engine, rests, wanted)
    sought = policies.sought(choices, engine) or nothing_sought()
    cuts = Cuts(machine, _uncut(choices, engine, annotated), conditions, cells, obligations, fresh, sought, lemmas)
    # A counterexample rests on no lemma, and is checked by what definitions come to for its values.
    searching = refuter(cells, solver, fresh, LemmaFacts(meaning, definitions))
    inputs = FirstStates(machine, conditions, cells)
    exploration = Exploration(
        stacked(cuts, StepWrappers(metered=partial(Metered, tally=tally))),
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
        choices.infers,
        lemmas,
    )


def _uncut(choices: RunChoices, engine: Engine, annotated: AnnotatedProgram) -> Stepper:
    """The steppers below the one that cuts paths."""
    points = ProofPoints(annotated.functions_with_points(), annotated.watched_functions())
    resting = stacked(engine.machine, StepWrappers(annotations=partial(AtProgramPoints, annotated=annotated)))
    return policies.abstract_loops(choices, engine, resting, engine.chain, points) or resting
