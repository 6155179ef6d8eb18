"""The path condition of a test: the program runs on symbols, and goes wherever the test's values lead."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from unfork.contracts.outcome import Failed, Halted, Running
from unfork.contracts.rest import Rest
from unfork.execute.machine import Machine
from unfork.facts.nearest import end_position, position_at
from unfork.facts.own_source import own_position
from unfork.inputs.command import Command
from unfork.inputs.source import SymbolicInputs
from unfork.inputs.testcase import Exit, Expectation, TestCase, expectation
from unfork.llvm.types import Position, Type
from unfork.logic import build
from unfork.logic.evaluate import Model, evaluate
from unfork.logic.path import PathCondition
from unfork.logic.questions import Feasibility
from unfork.logic.solver import FOREVER, Statistics, Unsat
from unfork.logic.term import Term, Value
from unfork.replay.engine import is_left_out
from unfork.replay.given_shape import GivenShape
from unfork.replay.walk import of_own_blocks
from unfork.state.inputs import Input
from unfork.state.state import State

_FALSE = Unsat(frozenset())
OTHERWISE = "the path is not followed to its end with symbolic inputs"


class Along:
    """Answers every question as the values of one test do, and writes the answers down as conditions.

    It is the source of inputs too, so that it knows what each symbol is worth.
    """

    def __init__(self) -> None:
        self.where: Callable[[], Position | None] = lambda: None
        """The instruction that asks, where that is known."""
        self.deadline = FOREVER
        self.statistics = Statistics()
        self._source = SymbolicInputs()
        self.follow({})

    def follow(self, contents: dict[str, bytes]) -> None:
        """From now on, inputs are worth what ``contents`` has for their names."""
        self._contents = contents
        self._model = Model({})
        self.conditions: dict[Term, Position | None] = {}
        """In order, each once, with the instruction that asked first."""

    def make(self, state: State, name: str, element: Type | None, size: int, kind: str) -> Input:
        """A new input of symbols."""
        record = self._source.make(state, name, element, size, kind)
        data = self._contents.get(record.name, b"").ljust(size, b"\0")
        offset = 0
        for leaf, width in record.leaves:
            if isinstance(leaf, Term):
                self._model.values[leaf] = int.from_bytes(data[offset : offset + width], "little")
            offset += width
        self._model.memo.clear()
        return record

    def assume(self, path: PathCondition, condition: Value) -> Feasibility:
        return path if self._holds(condition) else _FALSE

    def branch(self, path: PathCondition, condition: Value) -> tuple[Feasibility, Feasibility]:
        return (path, _FALSE) if self._holds(condition) else (_FALSE, path)

    def must(self, path: PathCondition, condition: Value) -> bool:
        """Only what was written down is known to hold."""
        return condition in self.conditions if isinstance(condition, Term) else condition != 0

    def evaluate(self, path: PathCondition, value: Value) -> int:
        return evaluate(value, self._model)

    def values(self, path: PathCondition, value: Value, width: int, limit: int) -> tuple[list[int], bool]:
        return [self._pinned(value, width)], True

    def bounds(self, path: PathCondition, value: Value, width: int) -> tuple[int, int]:
        worth = self._pinned(value, width)
        return worth, worth

    def _holds(self, condition: Value) -> bool:
        if not isinstance(condition, Term):
            return condition != 0
        if evaluate(condition, self._model):
            self.conditions.setdefault(condition, self.where())
            return True
        negation = build.negate(condition)
        if isinstance(negation, Term):
            self.conditions.setdefault(negation, self.where())
        return False

    def _pinned(self, value: Value, width: int) -> int:
        """What a value is worth, which the path depends on from here."""
        worth = evaluate(value, self._model)
        if isinstance(same := build.eq(value, worth, width), Term):
            self.conditions.setdefault(same, self.where())
        return worth


@dataclass(frozen=True, slots=True)
class Conditions:
    """What a path asks of its inputs, in order, each with the place where it was asked; or why that is not known."""

    rows: tuple[tuple[Position | None, Term], ...] = ()
    trouble: str | None = None


class Follower:
    """Runs tests on a machine that ``questions`` leads."""

    def __init__(self, machine: Machine, questions: Along, start: Callable[[Machine, Command], list[State]]) -> None:
        self._machine = machine
        self._questions = questions
        self._start = start
        questions.where = lambda: machine.step_of_instructions().position
        self._rest = Rest(partial(of_own_blocks, machine.program))

    def conditions(self, test: TestCase, longest: int) -> Conditions:
        """The path condition of ``test``, if it ends as expected after at most about ``longest`` instructions."""
        questions = self._questions
        heap = test.command.heap
        shape = None if heap is None else GivenShape(heap)
        questions.follow({entry.name: entry.data for entry in test.inputs})
        rows: list[tuple[Position | None, Term]] = []
        states = self._agreeing(self._start(self._machine, replace(test.command, heap=None)), shape)
        while len(states) == 1 and states[0].instructions <= longest:
            place = self._place(states[0])
            outcomes = [each for each in self._machine.step(states[0], self._rest) if not is_left_out(each)]
            states = self._agreeing([each.state for each in outcomes], shape)
            outcomes = [each for each in outcomes if each.state in states]
            rows += [
                (own_position(at) or place, term) for term, at in islice(questions.conditions.items(), len(rows), None)
            ]
            if len(outcomes) != 1:
                break
            match outcomes[0]:
                case Running(state):
                    states = [state]
                case Halted() | Failed() as ended if self._end(ended) == test.expect:
                    return Conditions(tuple(rows))
                case _:
                    break
        return Conditions(tuple(rows), OTHERWISE)

    def _agreeing(self, states: list[State], shape: GivenShape | None) -> list[State]:
        """The states whose heap is that of the test so far; what that says of pointers is written down."""
        if shape is None:
            return states
        agreeing = [state for state in states if shape.agrees(state.lazy)]
        for condition in shape.conditions(agreeing[0].lazy) if len(agreeing) == 1 else ():
            self._questions.conditions.setdefault(condition, None)
        return agreeing

    def _place(self, state: State) -> Position | None:
        """Where what comes next is decided: the end of the block, or the program's call of a library."""
        library = self._machine.program.library
        for frame in reversed(state.frames):
            if frame.function.name not in library:
                if frame is state.frames[-1]:
                    return end_position(frame.function, frame.block)
                return position_at(frame.function, frame.block, max(frame.index - 1, 0))
        return None

    def _end(self, outcome: Halted | Failed) -> Expectation:
        match outcome:
            case Halted(state, "exit", status):
                return Exit(self._questions.evaluate(state.path, status) & 0xFF)
            case _:
                return expectation(outcome, outcome.state)
