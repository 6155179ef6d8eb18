"""Concolic replay: the program runs on symbols and follows a test, which gives the test's path condition."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from unfork.engine.machine.machine import Machine
from unfork.engine.protocols.outcome import Failed, Halted, Outcome, Running
from unfork.engine.protocols.stepper import YieldPoints
from unfork.engine.state.inputs import InputObject
from unfork.engine.state.lazy import LazyHeap
from unfork.engine.state.memory import object_of, offset_in
from unfork.engine.state.state import State
from unfork.engine.step.follow import follow, without_unmodelled
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol
from unfork.program.facts.nearest import end_position, position_at
from unfork.program.facts.own_source import own_position
from unfork.program.llvm.c_types import Pointer, RecordType
from unfork.program.llvm.types import Position, Type
from unfork.report.replay.walk import of_own_blocks
from unfork.world.inputs.command import CommandLine
from unfork.world.inputs.heap_data import FunctionAddress, Heap, HeapAddress, Reference
from unfork.world.inputs.input_values import SeededInputs
from unfork.world.inputs.testcase import Exit, Expectation, TestCase, expectation

OTHERWISE = "the path is not followed to its end with symbolic inputs"
_POINTER_BITS = 64
Key = tuple[str, int | None]
"""A pointer: its object's C expression and its offset there in bytes, or an argument's name."""
Target = tuple[str, int] | str | None
"""A pointer's target: an object's C expression and an offset in bytes, a function's name, or null."""


class Concolic:
    """Guides a path by the values of one test, and notes the conditions of its decisions.

    It is the source of inputs too, so it knows the value of each symbol.
    """

    def __init__(self) -> None:
        self.where: Callable[[], Position | None] = lambda: None
        self.take({})

    def take(self, contents: dict[str, bytes]) -> None:
        """From now on, inputs have the values in ``contents``, by name."""
        self._model = Model({})
        self._source = SeededInputs(contents, self._model)
        self.conditions: dict[Term, Position | None] = {}
        """In order, each once, with its first instruction."""

    def make(self, state: State, name: str, element: Type | None, size: int, kind: str) -> InputObject:
        return self._source.make(state, name, element, size, kind)

    # --- as a guide

    def decide(self, condition: Value) -> bool:
        holds = self.worth(condition) != 0
        self._note(condition if holds else build.negate(condition))
        return holds

    def choose(self, value: Value) -> int:
        worth = self.worth(value)
        if isinstance(value, Term):
            self._note(build.eq(value, worth, value.width))
        return worth

    def knows(self, condition: Value) -> bool:
        """Known conditions are those it has noted."""
        return condition in self.conditions if isinstance(condition, Term) else condition != 0

    def worth(self, value: Value) -> int:
        return evaluate(value, self._model)

    def _note(self, condition: Value) -> None:
        if isinstance(condition, Term):
            self.conditions.setdefault(condition, self.where())


@dataclass(frozen=True, slots=True)
class PathConditions:
    """A path's conditions on its inputs in order, with source locations; ``trouble`` says why they are unknown."""

    rows: tuple[tuple[Position | None, Term], ...] = ()
    trouble: str | None = None


class Follower:
    """Runs tests on a machine that ``guide`` leads."""

    def __init__(self, machine: Machine, guide: Concolic, start: Callable[[Machine, CommandLine], list[State]]) -> None:
        self._machine = machine
        self._guide = guide
        self._start = start
        guide.where = lambda: machine.step_of_instructions().position
        self._rest = YieldPoints(partial(of_own_blocks, machine.program))

    def conditions(self, test: TestCase, longest: int) -> PathConditions:
        """The path condition of ``test``, if it ends as expected after at most about ``longest`` instructions."""
        guide, heap = self._guide, test.command.heap
        shape = None if heap is None else _GivenShape(heap)
        guide.take({entry.name: entry.data for entry in test.inputs})
        rows: list[tuple[Position | None, Term]] = []

        def agreeing(outcomes: list[Outcome]) -> list[Outcome]:
            """The outcomes that agree with the test's heap; notes its conditions on pointers."""
            outcomes = without_unmodelled(outcomes)
            if shape is not None:
                outcomes = [each for each in outcomes if shape.agrees(each.state.lazy)]
                for condition in shape.conditions(outcomes[0].state.lazy) if len(outcomes) == 1 else ():
                    guide.conditions.setdefault(condition, None)
            return outcomes

        started = agreeing([Running(each) for each in self._start(self._machine, replace(test.command, heap=None))])
        if len(started) != 1:
            return PathConditions((), OTHERWISE)
        here = self._next_position(started[0].state)
        for outcome in follow(self._machine, started[0].state, self._rest, agreeing):
            met = islice(guide.conditions.items(), len(rows), None)
            rows += [(own_position(at) or here, term) for term, at in met]
            match outcome:
                case Running(state) if state.instructions <= longest:
                    here = self._next_position(state)
                case Halted() | Failed() if self._end(outcome) == test.expect:
                    return PathConditions(tuple(rows))
                case _:
                    break
        return PathConditions(tuple(rows), OTHERWISE)

    def _next_position(self, state: State) -> Position | None:
        """The position of the next decision: the end of the block, or the program's call of a library."""
        library = self._machine.program.library
        for frame in reversed(state.frames):
            if frame.function.name not in library:
                if frame is state.frames[-1]:
                    return end_position(frame.function, frame.block)
                return position_at(frame.function, frame.block, max(frame.index - 1, 0))
        return None

    def _end(self, outcome: Halted | Failed) -> Expectation:
        match outcome:
            case Halted(_, "exit", status):
                return Exit(self._guide.worth(status) & 0xFF)
            case _:
                return expectation(outcome, outcome.state)


class _GivenShape:
    """The targets of a test's pointers, for comparison with lazy initialisation."""

    def __init__(self, heap: Heap) -> None:
        self._names = [heap_object.name for heap_object in heap.objects]
        self._pointers: dict[Key, tuple[str, Target]] = {
            (each.name, None): (each.name, self._target(each.target)) for each in heap.arguments if each.is_pointer
        }
        """The C expression and the target of each."""
        for heap_object in heap.objects:
            for cell in heap_object.cells:
                if cell.is_pointer:
                    self._pointers[heap_object.name, cell.offset] = cell.path, self._target(cell.target)

    def agrees(self, lazy: LazyHeap) -> bool:
        """Whether all pointers that a path has read have the test's targets."""
        return all(key in self._pointers and self._pointers[key][1] == target for key, target in _pointers_seen(lazy))

    def conditions(self, lazy: LazyHeap) -> Iterator[Term]:
        """The conditions on pointers that a path has read; ``lazy`` agrees."""
        for key, target in _pointers_seen(lazy):
            if isinstance(condition := _condition(self._pointers[key][0], target), Term):
                yield condition

    def _target(self, target: Reference) -> Target:
        match target:
            case HeapAddress(index, offset):
                return self._names[index], offset
            case FunctionAddress(name):
                return name
            case _:
                return None


def _pointers_seen(lazy: LazyHeap) -> Iterator[tuple[Key, Target]]:
    for argument in lazy.arguments:
        if isinstance(argument.type, Pointer | RecordType) and isinstance(argument.value, int):
            yield (argument.name, None), _target_in(lazy, argument.value)
    for (number, offset), address in lazy.pointers.items():
        item = lazy.find(number)
        if item is not None:
            yield (item.path, offset), _target_in(lazy, address)


def _target_in(lazy: LazyHeap, address: int) -> Target:
    if address == 0:
        return None
    if address in lazy.functions:
        return lazy.functions[address]
    item = lazy.find(object_of(address))
    return None if item is None else (item.path, offset_in(address))


def _condition(path: str, target: Target) -> Value:
    """The pointer ``path`` is null, points to its own object, or equals the first pointer to that object."""
    pointer = symbol(path, _POINTER_BITS)
    match target:
        case None:
            return build.eq(pointer, 0, _POINTER_BITS)
        case str(name):
            return build.eq(pointer, symbol(name, _POINTER_BITS), _POINTER_BITS)
        case (name, 0) if name == path:
            return build.ne(pointer, 0, _POINTER_BITS)
        case (name, offset):
            return build.eq(pointer, build.add(symbol(name, _POINTER_BITS), offset, _POINTER_BITS), _POINTER_BITS)
