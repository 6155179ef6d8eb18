"""Runs a function on inputs that are all known: what goes wrong there breaks its contract for certain."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from unfork.contracts.outcome import Failed, Running
from unfork.contracts.stepper import YieldPoints
from unfork.execute.follow import all_of_them, follow
from unfork.execute.machine import Machine
from unfork.llvm.module import Function
from unfork.logic.evaluate import Model, evaluate
from unfork.logic.path import PathCondition
from unfork.meaning.expressions import Where
from unfork.spec.conditions import Beginning, Conditions
from unfork.spec.due import Due, Duties
from unfork.spec.instances import Instances
from unfork.state.memory import SYMBOLIC
from unfork.state.state import RegisterValue, State

MOST_STEPS = 2_000
"""Steps of a run from one place of a contract to the next: one without an end would have many."""
IN_WORDS = {"assigns": "assigns", "variant": "loop variant", "decreases": "decreases"}
"""What clauses of these kinds begin with, which are no conditions by themselves."""


@dataclass(frozen=True, slots=True)
class Counterexample:
    """Inputs on which a contract is broken: the first state, all concrete, and what goes wrong where."""

    begun: Beginning
    kind: str
    what: str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Origin:
    """A first state of a function, with its arguments; what is required is not assumed in it."""

    function: Function
    state: State
    values: tuple[RegisterValue, ...]


class ConcreteRuns:
    """Runs a function from first states. ``yield_points`` are the places of contracts."""

    def __init__(
        self, machine: Machine, conditions: Conditions, duties: Duties, instances: Instances, yield_points: YieldPoints
    ) -> None:
        self._machine = machine
        self._conditions = conditions
        self._duties = duties
        self._instances = instances
        self._rest = yield_points

    def counterexample(self, origin: Origin, model: Model) -> Counterexample | None:
        """What goes wrong first, if the contract's requirements hold of the inputs, and something does."""
        state = concrete(origin.state, model)
        known = tuple([evaluate(value, model) for value in origin.values])
        first = self._conditions.beginning(state, origin.function, known)
        contract = self._conditions.contract
        where = Where(first.state, first.names, contract.mathematical)
        if not all(self._instances.holds(each) for _, each in self._conditions.required(contract, where)):
            return None
        broken = self._first_broken(self._duties.at_first(first))
        for outcome in islice(follow(self._machine, state, self._rest, all_of_them), MOST_STEPS):
            match outcome:
                case Running(state):
                    broken = broken or self._first_broken(self._duties.at(state, first))
                    if broken is not None:
                        place = broken.place
                        return Counterexample(first, "contract", _in_words(broken), place.file, place.line)
                    if self._conditions.end(state) is not None:
                        break
                case Failed(_, fault):
                    position = fault.position
                    where_failed = (position.file, position.line) if position else ("", 0)
                    return Counterexample(first, fault.kind, fault.message, *where_failed)
        return None

    def _first_broken(self, due: Iterable[Due]) -> Due | None:
        return next((each for each in due if self._instances.fails(each.formula)), None)


def _in_words(broken: Due) -> str:
    place = broken.place
    if place.kind.startswith("requires"):
        return f"{place.kind}: {place.text}"
    return f"{IN_WORDS[place.kind]} {place.text}" if place.kind in IN_WORDS else place.text


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
