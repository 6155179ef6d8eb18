"""Looks for inputs on which a function breaks its contract: small ones, explored without cuts, then run concretely.

What is found is certain: the contract's requirements hold of it, and a concrete run fails, or comes to where a
condition of the contract is false.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from time import monotonic

from unfork.contracts.outcome import Failed, Outcome, Running
from unfork.contracts.rest import Rest
from unfork.execute.machine import Machine
from unfork.logic.chain import Chain
from unfork.logic.evaluate import Model, evaluate
from unfork.logic.path import PathCondition
from unfork.logic.solver import Sat, Unsat
from unfork.program.module import Function
from unfork.spec import formula
from unfork.spec.annotated import Annotated
from unfork.spec.conditions import Beginning, Conditions, Goals
from unfork.spec.first_states import FirstStates
from unfork.spec.formula import All, Formula, Ground, Quantified
from unfork.spec.meaning import Where
from unfork.spec.problem import NoMeaning
from unfork.spec.refute import Refuter
from unfork.state.memory import SYMBOLIC
from unfork.state.state import State

LENGTHS = (3, 2, 1, 4, 0, 5)
"""Elements of the objects whose lengths are open, in the order in which they are tried."""
MOST_STEPS = 2_000
"""Steps of the exploration of one first state, and of a concrete run."""
SMALL = (0, 1, 2, 3, 4, -1)
MOST_INSTANCES = 64
"""So many instances of a quantifier are put into a path, for values around the indices of small objects."""


@dataclass(frozen=True, slots=True)
class Counterexample:
    """Inputs on which a contract is broken: the first state, all concrete, and what goes wrong where."""

    begun: Beginning
    kind: str
    what: str
    file: str
    line: int


class Falsifier:
    """Searches for counterexamples of one function's contract."""

    def __init__(
        self,
        machine: Machine,
        chain: Chain,
        annotated: Annotated,
        conditions: Conditions,
        inputs: FirstStates,
        refuter: Refuter,
    ) -> None:
        self._machine = machine
        self._chain = chain
        self._conditions = conditions
        self._inputs = inputs
        self._refuter = refuter
        self._rest = Rest(annotated.places)

    def search(self, function: Function, seconds: float) -> Counterexample | None:
        """Explore small inputs for at most so many seconds. None: nothing was found."""
        until = min(monotonic() + seconds, self._chain.deadline)
        for length in LENGTHS:
            self._inputs.length = length
            try:
                for state, values in self._inputs.states(function):
                    counterexample = self._from(state, function, values, until)
                    if counterexample is not None:
                        return counterexample
            except NoMeaning:
                continue
            finally:
                self._inputs.length = None
        return None

    # --- exploration

    def _from(
        self, state: State, function: Function, values: tuple[object, ...], until: float
    ) -> Counterexample | None:
        first = self._conditions.beginning(state, function, values)
        if not all(self._assume(state, condition) for _, condition in self._required(first)):
            return None
        origin = state.fork()
        waiting, steps = [state], 0
        while waiting and steps < MOST_STEPS and monotonic() < until:
            steps += 1
            current = waiting.pop(0)
            for outcome in self._machine.step(current, self._rest):
                for model in self._models(outcome, first):
                    counterexample = self.confirmed(origin, function, values, model)
                    if counterexample is not None:
                        return counterexample
                if isinstance(outcome, Running):
                    waiting.append(outcome.state)
        return None

    def _models(self, outcome: Outcome, first: Beginning) -> Iterator[Model]:
        """Inputs that lead to what may be wrong."""
        state = outcome.state
        if isinstance(outcome, Failed):
            yield state.path.model()
        elif isinstance(outcome, Running):
            for _, goal in self._goals(state, first):
                for part in goal.formulas if isinstance(goal, All) else (goal,):
                    answer = self._refuter.check(state.path, state.proof.claims, formula.negated(part), 2.0)
                    if isinstance(answer, Sat):
                        yield Model({**state.path.model().values, **answer.model.values})

    def _goals(self, state: State, first: Beginning) -> Goals:
        """The conditions that must hold where a state stands."""
        conditions, goals = self._conditions, []
        for assertion in conditions.assertions(state):
            where = conditions.here(state, first, mathematical=assertion.mathematical)
            goals.append((assertion.clause, conditions.meaning.formula(assertion.clause.expression, where)))
        loop = conditions.loop(state)
        if loop is not None:
            where = conditions.here(state, first, mathematical=loop.mathematical)
            for clause in loop.invariants:
                try:
                    goals.append((clause, conditions.meaning.formula(clause.expression, where)))
                except NoMeaning:  # of the state before the loop, which is not kept here
                    continue
        end = conditions.end(state)
        if end is not None:
            goals += conditions.promised(state, first, end)
        return goals

    def _required(self, first: Beginning) -> Goals:
        contract = self._conditions.contract
        return self._conditions.required(contract, Where(first.state, first.names, contract.mathematical))

    def _assume(self, state: State, condition: Formula) -> bool:
        """Let a path know what small values make of a formula; False if it cannot be true."""
        match condition:
            case Ground(value):
                path = self._chain.assume(state.path, value)
                if isinstance(path, PathCondition):
                    state.path = path
                return not isinstance(path, Unsat)
            case All(formulas):
                return all(self._assume(state, each) for each in formulas)
            case Quantified(exists=False, widths=widths, body=body):
                for values in list(product(SMALL, repeat=len(widths)))[:MOST_INSTANCES]:
                    bits = tuple([value & (1 << width) - 1 for value, width in zip(values, widths, strict=True)])
                    instance = body(bits)
                    if isinstance(instance, Ground) and not self._assume(state, instance):
                        return False
        return True

    # --- certainty

    def confirmed(
        self, origin: State, function: Function, values: tuple[object, ...], model: Model
    ) -> Counterexample | None:
        """The counterexample that inputs are, if a concrete run shows it."""
        state = concrete(origin, model)
        known = tuple([evaluate(value, model) for value in values])  # type: ignore[arg-type]  # numbers and pointers
        first = self._conditions.beginning(state, function, known)
        if not all(self._holds(condition) for _, condition in self._required(first)):
            return None
        for _ in range(MOST_STEPS):
            outcomes = self._machine.step(state, self._rest)
            if len(outcomes) != 1:
                return None
            [outcome] = outcomes
            if isinstance(outcome, Failed):
                position = outcome.fault.position
                place = (position.file, position.line) if position else ("", 0)
                return Counterexample(first, outcome.fault.kind, outcome.fault.message, *place)
            if not isinstance(outcome, Running):
                return None
            state = outcome.state
            for clause, goal in self._goals(state, first):
                if self._fails(goal):
                    return Counterexample(first, "contract", clause.text, clause.file, clause.line)
            if self._conditions.end(state) is not None:
                return None
        return None

    def _holds(self, condition: Formula) -> bool:
        """Whether a formula about concrete values is true for certain."""
        return isinstance(self._refuter.check(PathCondition.EMPTY, (), formula.negated(condition), 2.0), Unsat)

    def _fails(self, condition: Formula) -> bool:
        """Whether it is false for certain."""
        return isinstance(self._refuter.check(PathCondition.EMPTY, (), condition, 2.0), Unsat)


def concrete(origin: State, model: Model) -> State:
    """The state in which all inputs have the values of a model."""
    state = origin.fork()
    state.path = PathCondition.EMPTY
    frame = state.own_top()
    frame.registers[:] = [evaluate(value, model) if value is not None else None for value in frame.registers]
    for number, item in list(state.memory.objects.held.items()):
        if item.mask is None or SYMBOLIC not in item.mask:
            continue
        own = state.memory.writable(number) if not item.read_only else item.copy(None)
        for offset, kind in enumerate(item.mask):
            if kind == SYMBOLIC:
                own.write(offset, 1, evaluate(item.byte(offset), model))
        if item.read_only:
            own.read_only = True
            state.memory.objects[number] = own
    return state
