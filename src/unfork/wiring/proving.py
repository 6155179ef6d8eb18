"""The parts of one function's proof, put together from the options and the program's contracts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from unfork.clang.contracts import FunctionContract
from unfork.contracts.events import Observer
from unfork.contracts.stopper import Stopper
from unfork.explore.limits import Budget, NoBound
from unfork.explore.loop import Exploration, NoPruning
from unfork.explore.tally import Metered, Tally
from unfork.explore.tree import ExecutionGraph
from unfork.llvm.module import Function, Program
from unfork.logic.route import InTurns
from unfork.logic.solver import Effort, Solver
from unfork.meaning.expressions import Meaning, Where
from unfork.meaning.scopes import Scopes
from unfork.merge.refinement import Refinement, Wanted
from unfork.options import Options
from unfork.spec.annotated import Annotated
from unfork.spec.conditions import Conditions
from unfork.spec.cuts import AtPlaces, Cuts
from unfork.spec.falsify import Falsifier
from unfork.spec.first_states import FirstStates
from unfork.spec.obligations import Obligations
from unfork.spec.refute import Refuter
from unfork.state.state import State
from unfork.state.unbounded import Cells
from unfork.wiring import loops, machines, merging, yielding
from unfork.wiring.machines import Engine, Manner
from unfork.wiring.merging import Scheduled
from unfork.wiring.solving import Backend


@dataclass(frozen=True, slots=True)
class Proof:
    """A function's proof, not yet begun."""

    function: Function
    contract: FunctionContract
    engine: Engine
    tally: Tally
    obligations: Obligations
    scheduled: Scheduled
    cuts: Cuts
    inputs: FirstStates
    exploration: Exploration
    conditions: Conditions
    falsifier: Falsifier

    def first_states(self) -> Iterator[State]:
        """Each first state in which what the contract requires may hold; that is assumed."""
        for state, values in self.inputs.states(self.function):
            first = self.conditions.beginning(state, self.function, values)
            where = Where(first.state, first.names, self.contract.mathematical)
            demanded = self.conditions.required(self.contract, where)
            may_be = self.cuts.assume_all(state, demanded)
            if may_be and not self.obligations.is_impossible(state):
                self.cuts.begin(self.conditions.beginning(state, self.function, values), state)
                yield state


@dataclass(frozen=True, slots=True)
class Deciding:
    """Who decides the queries of proofs, by when; and the solver of an audit, if there is one."""

    solver: InTurns
    effort: Effort
    other: Solver | None
    budget: Budget


def proof(
    options: Options,
    program: Program,
    annotated: Annotated,
    function: str,
    deciding: Deciding,
    observers: Sequence[Observer],
    stopper: Stopper,
    refinement: Refinement,
) -> Proof:
    """The parts of the proof of one function that has a contract."""
    solver, other = deciding.solver, deciding.other
    tally, graph = Tally(), ExecutionGraph()
    manner = Manner(scans_own=False, volatile_is_any=True)
    engine = machines.engine(options, program, Backend(solver, deciding.effort), deciding.budget, manner)
    machine, chain = engine.machine, engine.chain
    step = machine.step_of_instructions()
    cells = Cells()
    fresh = step.names.symbol
    meaning = Meaning(program.c_types, fresh)
    scopes = Scopes(program, machine.statics, machine.facts.__getitem__)
    refuter = Refuter(cells, solver, fresh)
    auditor = None if other is None else Refuter(cells, other, fresh)
    obligations = Obligations(refuter, solver, options.solver_timeout, auditor)
    contract = annotated.functions[function]
    yields = yielding.yields(options, program)
    wanted = Wanted(refinement, _uncounted, keeps_all=True)
    scheduled = merging.scheduled(options, engine, yields, wanted)
    conditions = Conditions(machine, annotated, contract, meaning, scopes)
    resting_there = AtPlaces(machine, annotated)
    stepper = loops.abstract_loops(options, machine, resting_there, chain, engine.coverage, annotated) or resting_there
    cuts = Cuts(machine, stepper, chain, conditions, cells, obligations, fresh, loops.sought(options, machine, chain))
    inputs = FirstStates(machine, meaning, scopes, cells, contract)
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
    return Proof(
        program.function(function),
        contract,
        engine,
        tally,
        obligations,
        scheduled,
        cuts,
        inputs,
        exploration,
        conditions,
        Falsifier(machine, chain, annotated, conditions, inputs, refuter),
    )


def _uncounted(state: State, reason: str, times: int) -> None:
    """A proof shows no refusals."""
