"""Evaluates formulas for concrete inputs, and runs functions on them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

from unfork.commands.verify.conditions import ContractConditions
from unfork.commands.verify.due import Duties
from unfork.commands.verify.obligations import ProofGoal
from unfork.commands.verify.refute import Refuter
from unfork.engine.machine.machine import Machine
from unfork.engine.meaning.c_values import NoMeaning
from unfork.engine.meaning.expression_meaning import Where
from unfork.engine.meaning.formula import All, Formula, Ground, QuantifiedFormula, Some, negated
from unfork.engine.protocols.outcome import Failed, Running
from unfork.engine.protocols.stepper import YieldPoints
from unfork.engine.state.memory import SYMBOLIC
from unfork.engine.state.state import RegisterValue, State
from unfork.engine.step.follow import every_outcome, follow
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.solver import Sat, Unsat
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Value
from unfork.logic.terms.term_table import symbol
from unfork.program.llvm.module import Function

SECONDS = 2.0
"""Seconds for a query about concrete inputs."""
Known: TypeAlias = Callable[[Value], Value]
"""The value of a term for concrete inputs."""


class Instances:
    """Evaluates formulas. ``fresh`` numbers the variables of quantifiers."""

    def __init__(self, refuter: Refuter, fresh: Callable[[], int]) -> None:
        self._refuter = refuter
        self._fresh = fresh

    def holds(self, condition: Formula) -> bool:
        """Whether a formula is certainly true."""
        return self.fails(negated(condition))

    def fails(self, condition: Formula) -> bool:
        """Whether it is certainly false. A formula without meaning is neither true nor false."""
        try:
            return self.broken(condition, lambda value: value) is not None or self._is_unsat(condition)
        except NoMeaning:
            return False

    def broken(self, condition: Formula, known: Known) -> Value | None:
        """A condition (1 bit) that follows from a formula and that the inputs violate; None if none is found.

        Raises NoMeaning.
        """
        match condition:
            case Ground(value):
                return value if self._is_false(known(value)) else None
            case All(formulas):
                return next((each for part in formulas if (each := self.broken(part, known)) is not None), None)
            case Some(formulas):
                parts: list[Value] = []
                for part in formulas:
                    each = self.broken(part, known)
                    if each is None:
                        return None
                    parts.append(each)
                return build.disjunction(parts)
            case QuantifiedFormula(exists=False, widths=widths, body=body):
                variables = tuple([symbol(f"instance#{self._fresh()}", width) for width in widths])
                wrong = substitute(negated(body(variables)), known)
                answer = self._refuter.check(PathCondition.EMPTY, (), wrong, SECONDS)
                if not isinstance(answer, Sat):
                    return None
                values = answer.model.values
                return self.broken(body(tuple([values.get(variable, 0) for variable in variables])), known)
            case _:
                return None

    def _is_false(self, value: Value) -> bool:
        return not value if isinstance(value, int) else self._is_unsat(Ground(value))

    def _is_unsat(self, condition: Formula) -> bool:
        return isinstance(self._refuter.check(PathCondition.EMPTY, (), condition, SECONDS), Unsat)


def substitute(condition: Formula, known: Known) -> Formula:
    """A formula for concrete inputs."""
    match condition:
        case Ground(value):
            return Ground(known(value))
        case All(formulas):
            return All(tuple([substitute(each, known) for each in formulas]))
        case Some(formulas):
            return Some(tuple([substitute(each, known) for each in formulas]))
        case QuantifiedFormula(exists, widths, body):
            return QuantifiedFormula(exists, widths, lambda values: substitute(body(values), known))


def with_witnesses(condition: Formula, fresh: Callable[[int], Value]) -> Formula:
    r"""A formula with a ``fresh`` value (of some bits) for each ``\exists`` outside of ``\forall``."""
    match condition:
        case All(formulas):
            return All(tuple([with_witnesses(each, fresh) for each in formulas]))
        case Some(formulas):
            return Some(tuple([with_witnesses(each, fresh) for each in formulas]))
        case QuantifiedFormula(exists=True, widths=widths, body=body):
            return with_witnesses(body(tuple([fresh(width) for width in widths])), fresh)
        case _:
            return condition


MOST_STEPS = 2_000
"""The most steps between program points of a contract."""
IN_WORDS = {"assigns": "assigns", "variant": "loop variant", "decreases": "decreases"}
"""The first words of clauses that are no conditions by themselves."""


@dataclass(frozen=True, slots=True)
class Counterexample:
    """Inputs that break a contract: the concrete first state, and what goes wrong where."""

    begun: Where
    kind: str
    what: str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class ConcreteStart:
    """A first state of a function, with its arguments, that does not assume the requirements."""

    function: Function
    state: State
    values: tuple[RegisterValue, ...]


class ConcreteRuns:
    """Runs a function from first states. ``yield_points`` are the program points of contracts."""

    def __init__(
        self,
        machine: Machine,
        conditions: ContractConditions,
        duties: Duties,
        instances: Instances,
        yield_points: YieldPoints,
    ) -> None:
        self._machine = machine
        self._conditions = conditions
        self._duties = duties
        self._instances = instances
        self._rest = yield_points

    def counterexample(self, origin: ConcreteStart, model: Model) -> Counterexample | None:
        """What goes wrong first, if the inputs meet the requirements."""
        state = concrete(origin.state, model)
        known = tuple([evaluate(value, model) for value in origin.values])
        first = self._conditions.beginning(state, origin.function, known)
        required = self._conditions.required(self._conditions.contract, first)
        if not all(self._instances.holds(goal.formula) for goal in required):
            return None
        broken = self._first_broken(self._duties.at_first(first))
        for outcome in islice(follow(self._machine, state, self._rest, every_outcome), MOST_STEPS):
            match outcome:
                case Running(state):
                    broken = broken or self._first_broken(self._duties.at(state, first))
                    if broken is not None:
                        subject = broken.subject
                        return Counterexample(first, "contract", _in_words(broken), subject.file, subject.line)
                    if self._conditions.end(state) is not None:
                        break
                case Failed(_, fault):
                    position = fault.position
                    where_failed = (position.file, position.line) if position else ("", 0)
                    return Counterexample(first, fault.kind, fault.message, *where_failed)
        return None

    def _first_broken(self, due: Iterable[ProofGoal]) -> ProofGoal | None:
        return next((each for each in due if self._instances.fails(each.formula)), None)


def _in_words(broken: ProofGoal) -> str:
    subject = broken.subject
    if subject.kind.startswith("requires"):
        return f"{subject.kind}: {subject.text}"
    return f"{IN_WORDS[subject.kind]} {subject.text}" if subject.kind in IN_WORDS else subject.text


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
