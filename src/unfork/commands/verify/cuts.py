"""Where a proof cuts paths: at loops with contracts (loop_cuts.py), at calls, and at the end.

A call proves what the callee requires, havocs what it assigns and assumes what it ensures. The end proves what the
function ensures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from unfork.commands.verify.conditions import ContractConditions
from unfork.commands.verify.due import leave_loops
from unfork.commands.verify.first_states import FirstStates
from unfork.commands.verify.frame import ClauseFrame
from unfork.commands.verify.lemmas import Establishing
from unfork.commands.verify.loop_cuts import LoopCuts
from unfork.commands.verify.obligations import Obligations, ProofGoal, Subject
from unfork.engine.instructions.activations import leave
from unfork.engine.machine.machine import Machine
from unfork.engine.meaning import formula
from unfork.engine.meaning.c_values import NoMeaning
from unfork.engine.meaning.expression_meaning import Typed
from unfork.engine.protocols.outcome import Failed, Halted, Killed, Outcome, Running
from unfork.engine.protocols.stepper import FORKS, Stepper, YieldPoints
from unfork.engine.state.state import RegisterValue, State
from unfork.engine.state.unbounded import CellsOfSymbols
from unfork.errors import Unsupported
from unfork.logic.terms.term_table import symbol
from unfork.program.c.contracts import FunctionContract
from unfork.program.llvm import layout
from unfork.program.llvm.ir import Return
from unfork.program.llvm.module import Function
from unfork.program.llvm.types import VoidType
from unfork.reduce.invariants.cells import NotAbstract
from unfork.reduce.invariants.houdini import Sought

NUMBER = "result#"


class Cuts:
    """A stepper that cuts the paths of a proof. The one below it rests at program points of contracts."""

    def __init__(
        self,
        machine: Machine,
        stepper: Stepper,
        conditions: ContractConditions,
        cells: CellsOfSymbols,
        obligations: Obligations,
        fresh: Callable[[], int],
        sought: Sought,
        lemmas: Establishing,
    ) -> None:
        self._machine = machine
        self._stepper = stepper
        self._conditions = conditions
        self._contract = conditions.contract
        self._cells = cells
        self._lemmas = lemmas
        self._obligations = obligations
        self._fresh = fresh
        self._loops = LoopCuts(conditions, machine.facts, cells, obligations, fresh, sought, self._inner_step)
        self.called: dict[str, None] = {}
        """The functions whose contracts were used, by their names in the program."""

    def first_states(self, inputs: FirstStates, function: Function) -> Iterator[State]:
        """Each first state that can meet the contract's requirements, which it assumes."""
        conditions, obligations = self._conditions, self._obligations
        for number, (state, values) in enumerate(inputs.states(function)):
            if not number:
                self._lemmas.establish(state.fork(), obligations)
            demanded = conditions.required(self._contract, conditions.beginning(state, function, values))
            may_be = obligations.assume_all(state, demanded)
            if may_be and not obligations.is_impossible(state):
                first = self._loops.first = conditions.beginning(state, function, values)
                for goal in conditions.cases(first):
                    obligations.prove(goal, state)
                yield state

    def step(self, state: State, yield_points: YieldPoints) -> list[Outcome]:
        """A step of the machine, or the states after a cut."""
        try:
            outcomes = self._cut(state)
            if outcomes is None:
                outcomes = self._stepper.step(state, yield_points)
        except NoMeaning as problem:
            return [Killed(state, "unsupported", str(problem))]
        except NotAbstract as problem:
            return [Killed(state, "unsupported", f"a loop cannot be cut: {problem.reason}")]
        except Unsupported as unsupported:
            return [Killed(state, "unsupported", unsupported.construct)]
        return [_account(outcome) for outcome in outcomes if not self._is_spurious(outcome)]

    def _is_spurious(self, outcome: Outcome) -> bool:
        """Whether claims show that a failing path cannot be."""
        if not isinstance(outcome, Failed):
            return False
        fault, position = outcome.fault, outcome.fault.position
        subject = Subject(
            fault.kind, position.file if position else "", position.line if position else 0, fault.message
        )
        return self._obligations.prove(ProofGoal(subject, formula.FALSE), outcome.state)

    # --- program points

    def _cut(self, state: State) -> list[Outcome] | None:
        """The states after a cut; None if there is none, or it is passed."""
        if not state.frames or state.proof.handled == state.instructions:
            return None
        leave_loops(state)
        contract = self._conditions.callee(state)
        if contract is not None:
            return self._at_call(state, contract)
        state.proof = replace(state.proof, handled=state.instructions)
        for assertion in self._conditions.assertions(state):
            self._obligations.prove_all([self._conditions.asserted(assertion, state, self._loops.first)], state)
        loop = self._conditions.loop(state)
        if loop is not None:
            return self._loops.at_head(state, loop)
        end = self._conditions.end(state)
        return None if end is None else self._at_return(state, end)

    def _inner_step(self, state: State) -> list[Outcome]:
        outcomes = self._cut(state)
        if outcomes is not None:
            return outcomes
        return self._stepper.step(state, FORKS)

    # --- calls

    def _at_call(self, state: State, contract: FunctionContract) -> list[Outcome]:
        conditions, obligations, function = self._conditions, self._obligations, state.frames[-1].function
        self.called[function.name] = None
        where = conditions.at_call(state, contract)
        obligations.prove_all(conditions.required(contract, where), state)
        if self._loops.first is not None:
            for goal in conditions.descent(self._loops.first, function, contract, where):
                obligations.prove(goal, state)
        before = state.fork()
        state.over = True
        old = replace(where, state=before)
        if contract.assigns is None:
            raise NoMeaning(f"{contract.function} is called, whose contract does not say what it assigns")
        ClauseFrame(conditions.meaning, contract.assigns).havoc(state, old, self._cells, self._fresh)
        kind = function.type.result
        value: RegisterValue = None
        result: Typed | None = None
        if not isinstance(kind, VoidType):
            value = symbol(f"{NUMBER}{self._fresh()}", layout.bits_of(kind))
            result = conditions.result(function, value)
        after = replace(where, state=state.fork(), earlier={"Old": old}, result=result)
        promised = conditions.ensured(contract, old, after)
        may_be = obligations.assume_all(state, promised)
        if not may_be or obligations.contradicts(state, before):
            subject = Subject("contradiction", contract.file, contract.line, f"ensures of {contract.function}")
            obligations.fail(subject, "what the contract ensures cannot be true where the function is called")
            return [Halted(state, "silent", 0)]
        step = self._machine.step_of_instructions()
        step.begin(state, None)
        step.outcomes = []
        leave(step, value)
        return [Running(state)]

    # --- the end

    def _at_return(self, state: State, end: Return) -> list[Outcome]:
        first = self._loops.first
        assert first is not None
        self._obligations.prove_all(self._conditions.promised(state, first, end), state)
        for frame in self._conditions.frames(first):
            for goal in frame.written(state, first.state, (first,)):
                self._obligations.prove(goal, state)
        return [Halted(state, "silent", 0)]


def _account(outcome: Outcome) -> Outcome:
    """The outcome; a program that ends without returning is given up, since contracts say nothing of it."""
    if isinstance(outcome, Halted) and outcome.end != "silent":
        return Killed(outcome.state, "unsupported", "the function ends the program (exit or abort)")
    return outcome
