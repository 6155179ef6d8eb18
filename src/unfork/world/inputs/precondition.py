"""--requires: runs a C predicate over a function's parameters while the function's heap is initialised.

After each step of initialisation the predicate runs on the known part of the input heap. If it reads an untouched
pointer, there is no answer yet; if it is false, the heap is invalid and the path ends. Numbers are named by their
path in the heap, so the order of reads does not matter. At its end, a path gets one whole heap that satisfies the
predicate, so that its test is a valid input.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from time import monotonic

from unfork.engine.machine.machine import Machine
from unfork.engine.memory.lazy_targets import add_untouched, layout_of
from unfork.engine.protocols.outcome import Failed, Halted, Killed, Outcome, Running
from unfork.engine.protocols.stepper import FORKS, Stepper, YieldPoints
from unfork.engine.state.flat_layout import as_stored
from unfork.engine.state.state import RegisterValue, State
from unfork.engine.step.step import Step
from unfork.errors import InputError
from unfork.logic.solve.chain import Chain
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.solver import Unsat
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.program.llvm.c_registers import check
from unfork.program.llvm.module import Function, Program
from unfork.program.llvm.types import IntType
from unfork.world.inputs.under_constrained import in_registers

STATUS_BITS = 32
LONGEST = 200_000
"""Instructions of one consultation, or of one search for a whole heap."""
MOST_STEPS = 2_000
"""Steps of one consultation or search."""


@dataclass(slots=True)
class _Answer:
    """The paths on which the predicate is false, and whether there are others."""

    false: list[PathCondition]
    others: bool = False
    failed: Failed | None = None


class _Budget:
    """The budget of one consultation: zero once the run's time is up, since no step makes progress then."""

    def __init__(self, chain: Chain) -> None:
        self._chain = chain
        self._instructions = LONGEST
        self._steps = MOST_STEPS

    def is_spent(self, before: int, outcomes: Sequence[Outcome]) -> bool:
        self._instructions -= max((outcome.state.instructions for outcome in outcomes), default=before) - before
        self._steps -= 1
        return self._instructions < 0 or self._steps < 0 or monotonic() >= self._chain.deadline


def check_predicate(program: Program, predicate: str, function: str) -> None:
    """Raise InputError if the predicate's parameters differ from the function's, or it returns no number."""
    if predicate not in program.defined:
        raise InputError(f"--requires {predicate}: the program defines no such function (is it static and unused?)")
    checker = check(program, program.function(predicate))
    prototype = check(program, program.function(function))
    if [parameter.type for parameter in checker.parameters] != [parameter.type for parameter in prototype.parameters]:
        raise InputError(f"--requires {predicate}: its parameters are not those of {function}")
    result = program.function(predicate).type.result
    if not isinstance(result, IntType) or result.width > STATUS_BITS:
        raise InputError(f"--requires {predicate}: it returns neither int nor bool")


class Required:
    """A machine that follows only inputs which may satisfy the predicate; ``probe`` runs the predicate."""

    def __init__(self, machine: Stepper, probe: Machine, predicate: str, chain: Chain) -> None:
        self._machine = machine
        self._probe = probe
        self._predicate = predicate
        self._chain = chain

    def step(self, state: State, yield_points: YieldPoints) -> list[Outcome]:
        """A step of the machine; a state with an invalid input ends silently."""
        if not state.lazy.is_checked and (ended := self._consult(state)) is not None:
            return [ended]
        return [self._judge(outcome) for outcome in self._machine.step(state, yield_points)]

    def _judge(self, outcome: Outcome) -> Outcome:
        state = outcome.state
        match outcome:
            case Running():
                if state.lazy.is_checked:
                    return outcome
                return self._consult(state) or outcome
            case Halted(_, "silent", _):
                return outcome
            case _:
                return self._complete(state) or outcome

    # --- while the path goes on ---

    def _consult(self, state: State) -> Outcome | None:
        """Assume that the predicate holds of the heap so far; the path's end if that is impossible, else None."""
        reply = self._ask(state)
        if reply.failed is not None:
            fault = reply.failed.fault
            return Killed(state, "unsupported", f"the precondition {self._predicate} fails: {fault.message}")
        if not reply.others:
            return Halted(state, "silent", 0)
        begun = state.path
        for path in reply.false:
            condition = build.negate(build.conjunction(reversed(path.constraints(begun.length))))
            assumed = self._chain.assume(state.path, condition)
            if isinstance(assumed, Unsat):
                return Halted(state, "silent", 0)
            if isinstance(assumed, PathCondition):  # if unknown, the predicate runs again when the path ends
                state.path = assumed
        state.lazy = replace(state.lazy, is_checked=True)
        return None

    def _ask(self, state: State) -> _Answer:
        reply = _Answer([])
        waiting = [self._start(state, is_frozen=True)]
        budget = _Budget(self._chain)
        while waiting:
            current = waiting.pop()
            before = current.instructions
            outcomes = self._probe.step(current, FORKS)
            if budget.is_spent(before, outcomes):
                reply.others = True
                break
            for outcome in outcomes:
                match outcome:
                    case Running(following):
                        waiting.append(following)
                    case Halted(ended, "exit", status):
                        self._split(reply, ended, status)
                    case Failed():
                        reply.failed = outcome
                    case _:
                        reply.others = True
        return reply

    def _split(self, reply: _Answer, ended: State, status: Value) -> None:
        holds, fails = self._chain.branch(ended.path, build.ne(status, 0, 32))
        reply.others = reply.others or not isinstance(holds, Unsat)
        if isinstance(fails, PathCondition):
            reply.false.append(fails)

    # --- where it ends ---

    def _complete(self, state: State) -> Outcome | None:
        """Give the path a whole heap that satisfies the predicate; its end if there is none, else None."""
        waiting = [self._start(state, is_frozen=False)]
        left_out: Killed | None = None
        budget = _Budget(self._chain)
        while waiting:
            current = waiting.pop()
            before = current.instructions
            outcomes = self._probe.step(current, FORKS)
            if budget.is_spent(before, outcomes):
                return Killed(state, "capacity", f"no heap that {self._predicate} accepts was found in time")
            for outcome in reversed(outcomes):
                match outcome:
                    case Running(following):
                        waiting.append(following)
                    case Halted(ended, "exit", status):
                        path = self._chain.assume(ended.path, build.ne(status, 0, 32))
                        if isinstance(path, PathCondition):
                            _take(state, ended, path)
                            return None
                    case Failed(_, fault):
                        reason = f"the precondition {self._predicate} fails: {fault.message}"
                        return Killed(state, "unsupported", reason)
                    case Killed():
                        left_out = outcome
        if left_out is not None:
            return Killed(state, left_out.reason, left_out.detail)
        return Halted(state, "silent", 0)

    # --- the predicate on the heap as it was given ---

    def _start(self, given: State, *, is_frozen: bool) -> State:
        return self._probe.initial(self._predicate, partial(_arguments, given, is_frozen))


def _arguments(given: State, is_frozen: bool, step: Step, function: Function) -> list[RegisterValue]:
    state, lazy = step.state, given.lazy
    state.path, state.inputs, state.input_counts = given.path, given.inputs, given.input_counts.copy()
    state.lazy = replace(lazy, is_frozen=is_frozen)
    for lazy_object in lazy.all:
        add_untouched(state.memory, lazy_object, *layout_of(step.limits, lazy_object))
        state.memory.writable(lazy_object.number).mark_parted(is_parted=bool(lazy.elements_apart(lazy_object.number)))
    pointers = {place: as_stored(address, state.memory) for place, address in lazy.pointers.items()}
    for (number, offset), value in (*pointers.items(), *lazy.numbers.items()):
        item = state.memory.writable(number)
        if offset < len(item.data):  # the unknown rest of a string is written on access
            item.write(offset, lazy.cell_at(number, offset).size, value)
    prototype = check(step.program, function)
    return in_registers(step, function, prototype, [argument.value for argument in lazy.arguments])


def _take(state: State, whole: State, path: PathCondition) -> None:
    state.path, state.inputs, state.input_counts = path, whole.inputs, whole.input_counts
    state.lazy = replace(whole.lazy, is_frozen=False, is_checked=True)
