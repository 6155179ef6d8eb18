"""Runs plain code on all its paths at once.

Nothing forks. Each block runs under its *guard*, the condition (1 bit) under which control comes there. A phi is a
choice among the edges into its block. A fault is noted with the condition under which it happens, and its block goes on
under the negated one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from unfork.engine.instructions.control import Way
from unfork.engine.machine.loop_refusal import NotAtOnce
from unfork.engine.machine.plain_code import PlainBlock, PlainCall
from unfork.engine.protocols.outcome import Failed, Fault
from unfork.engine.state.inputs import unwritten_symbols
from unfork.engine.state.state import RegisterValue, State
from unfork.engine.step.conduct import NOWHERE, Conduct, InputSource
from unfork.engine.step.operands import Registers, Semantics
from unfork.engine.step.step import PathEnded, Split, Step
from unfork.errors import Unsupported
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.solver import FOREVER, Feasibility, PathQuestions, Statistics
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value


class UndividedPath:
    """Answers questions that do not divide the path; refuses the others with NotAtOnce."""

    deadline = FOREVER

    def __init__(self, chain: PathQuestions) -> None:
        self._chain = chain
        self.statistics = Statistics()

    def assume(self, path: PathCondition, condition: Value) -> Feasibility:
        raise NotAtOnce("an iteration assumes something, or splits")

    def branch(self, path: PathCondition, condition: Value) -> tuple[Feasibility, Feasibility]:
        raise NotAtOnce("an iteration decides something besides its branches")

    def must(self, path: PathCondition, condition: Value) -> bool:
        return self._chain.must(path, condition)

    def evaluate(self, path: PathCondition, value: Value) -> int:
        raise NotAtOnce("an iteration needs a known number")

    def values(self, path: PathCondition, value: Value, width: int, limit: int) -> tuple[list[int], bool]:
        raise NotAtOnce("an iteration needs a known number")

    def bounds(self, path: PathCondition, value: Value, width: int) -> tuple[int, int]:
        return self._chain.bounds(path, value, width)


class GuardedConduct(Conduct):
    """Lets a step go on under a guard: a check narrows it instead of forking."""

    def __init__(self, chain: PathQuestions, source: InputSource) -> None:
        super().__init__(UndividedPath(chain), source)
        self.guard: Value = 1
        """When control comes to this instruction (1 bit)."""
        self.failing: list[Value] = []
        """When each of the step's latest faults happens (1 bit)."""

    def check(self, path: PathCondition, condition: Value, kind: str) -> tuple[Feasibility, Feasibility]:
        self.failing.append(build.both(self.guard, build.negate(condition)))
        self.guard = build.both(self.guard, condition)
        return path, path

    def written(self, state: State, value: Term) -> tuple[Feasibility, Feasibility]:
        if unwritten_symbols(value, state.inputs):
            raise NotAtOnce("an iteration looks at uninitialised bytes")
        return state.path, NOWHERE


class GuardedMemory(Protocol):
    """Runs the instructions that may access memory."""

    def run(self, block: PlainBlock, number: int, semantics: Semantics, registers: Registers) -> None:
        """Run an instruction of a block, by its number in the body. Raises NotAtOnce."""


@dataclass(frozen=True, slots=True)
class Departure:
    """A way out of the blocks of a walk, taken on ``condition`` (1 bit); ``way`` is None where ``block`` returns."""

    block: PlainBlock
    way: Way | None
    condition: Value


class GuardedRun:
    """Walks blocks under guards, and notes what happens until the next ``begin``.

    ``step`` has the ``conduct``. ``simplify`` turns a branch's condition into a constant where the path decides it.
    """

    def __init__(
        self, step: Step, conduct: GuardedConduct, memory: GuardedMemory, simplify: Callable[[Value], Value]
    ) -> None:
        self._step = step
        self._conduct = conduct
        self._memory = memory
        self._simplify = simplify
        self.begin()

    def begin(self) -> None:
        self.faults: list[tuple[Value, Fault]] = []
        self.edges: list[tuple[int, Value]] = []
        """Branch edges between the blocks, by coverage's number, each with when it is taken (1 bit)."""
        self.instructions = 0

    def walk(self, blocks: Sequence[PlainBlock], guard: Value, registers: Registers) -> list[Departure]:
        """Run blocks in topological order; control enters the first one under ``guard``. Raises NotAtOnce."""
        first = blocks[0].number
        inside = frozenset([block.number for block in blocks])
        arrivals: dict[int, list[tuple[int, Value]]] = {first: [(-1, guard)]}
        passed: dict[int, Value] = {}
        departures: list[Departure] = []
        faults_before = len(self.faults)
        for block in blocks:
            edges = arrivals.get(block.number)
            if edges is None:
                continue
            if block.dominator is not None and len(self.faults) == faults_before:
                guard = passed[block.dominator]
            else:
                guard = build.disjunction([condition for _, condition in edges])
            if block.number != first:
                self._choose_phis(block, edges, registers)
            guard = passed[block.number] = self._run_body(block, guard, registers)
            if guard == 0:
                continue
            if not block.ways.ways:
                departures.append(Departure(block, None, guard))
            for way, when in self._ways_out(block, guard, registers):
                if way.target not in inside:
                    departures.append(Departure(block, way, when))
                    continue
                if way.number is not None:
                    self.edges.append((way.number, when))
                if way.target == first:
                    departures.append(Departure(block, way, when))
                else:
                    arrivals.setdefault(way.target, []).append((block.number, when))
        return departures

    def _choose_phis(self, block: PlainBlock, edges: Sequence[tuple[int, Value]], registers: Registers) -> None:
        choices = []
        for result, width, operands in block.phis:
            values = [(when, as_number(operands[before](self._step, registers))) for before, when in edges]
            choices.append((result, pick_value(values, width)))
        for result, value in choices:
            registers[result] = value

    def _run_body(self, block: PlainBlock, guard: Value, registers: Registers) -> Value:
        """Run a block up to its terminator. Yields when control comes there (1 bit)."""
        step, conduct = self._step, self._conduct
        conduct.guard = guard
        self.instructions += len(block.body)
        for number, (semantics, position, _) in enumerate(block.body[:-1]):
            step.position = position
            call = block.calls.get(number)
            try:
                if call is None:
                    self._memory.run(block, number, semantics, registers)
                else:
                    self._call(call, registers)
            except PathEnded:
                conduct.failing.append(conduct.guard)
                conduct.guard = 0
            except (Split, Unsupported) as reason:
                raise NotAtOnce("an iteration splits") from reason
            if step.outcomes:
                self._note_faults()
            if conduct.guard == 0:
                break
        return conduct.guard

    def _ways_out(self, block: PlainBlock, guard: Value, registers: Registers) -> list[tuple[Way, Value]]:
        self._step.position = block.body[-1][1]
        conditions = [self._simplify(condition) for condition in block.ways.conditions(self._step, registers)]
        ways = [(way, build.both(guard, when)) for way, when in zip(block.ways.ways, conditions, strict=True)]
        return [(way, when) for way, when in ways if when != 0]

    def _call(self, call: PlainCall, registers: Registers) -> None:
        if not call.fits:
            raise NotAtOnce("a call passes other types than the function takes")
        code, step, conduct = call.code, self._step, self._conduct
        inner: Registers = [None] * code.function.register_count
        for number, read in enumerate(call.arguments):
            inner[number] = read(step, registers)
        faults_before = len(self.faults)
        guard = conduct.guard
        results = [
            (departure.condition, as_number(code.returned[departure.block.number](step, inner)))
            for departure in self.walk(code.whole, guard, inner)
        ]
        if len(self.faults) > faults_before:
            guard = build.disjunction([when for when, _ in results])
        conduct.guard = guard
        if results and call.result >= 0:
            registers[call.result] = pick_value(results, call.width)

    def _note_faults(self) -> None:
        conduct, outcomes = self._conduct, self._step.outcomes
        if len(outcomes) != len(conduct.failing):
            raise NotAtOnce("an iteration gives part of the path up")
        for outcome, condition in zip(outcomes, conduct.failing, strict=True):
            if not isinstance(outcome, Failed):
                raise NotAtOnce("an iteration ends the path")
            self.faults.append((condition, outcome.fault))
        outcomes.clear()
        conduct.failing.clear()


def as_number(value: RegisterValue) -> Value:
    """The number in a register. Raises NotAtOnce if it holds none."""
    if not isinstance(value, int | Term):
        raise NotAtOnce("a register holds no number")
    return value


def pick_value(values: Sequence[tuple[Value, Value]], width: int) -> Value:
    """The value whose condition (1 bit) holds; one of them does."""
    result = values[-1][1]
    for when, value in reversed(values[:-1]):
        result = build.ite(when, value, result, width)
    return result
