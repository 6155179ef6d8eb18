"""Replay on the engine: a concrete run from the test alone, with every check on.

It uses no solver, except under --check uninitialised, for values that depend on unwritten bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from unfork.engine.explore.schedules import GivenSchedule
from unfork.engine.machine.machine import Machine
from unfork.engine.protocols.outcome import Failed, Fault, Halted, Running
from unfork.engine.protocols.stepper import FORKS, YieldPoints
from unfork.engine.state.inputs import InputObject
from unfork.engine.state.state import State
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.engine.step.conduct import InputSource
from unfork.engine.step.follow import follow
from unfork.engine.step.variable_texts import VariableTexts
from unfork.logic.solve.solver import NoSolver
from unfork.program.llvm.types import Type
from unfork.report.replay.observers import InputObserver
from unfork.report.replay.sight import Consequences, sight
from unfork.world.inputs.command import CommandLine
from unfork.world.inputs.heap_data import as_left
from unfork.world.inputs.input_values import ReplayInputs
from unfork.world.inputs.testcase import NativeVisibility, Replayed, TestCase, expectation, predicted_output

LONGEST = 50_000_000
"""Instructions after which a replay ends that no run bounds: tests of cut paths may run for ever."""


def is_too_long(state: State) -> bool:
    """Whether a replay has run more than LONGEST instructions."""
    return state.instructions > LONGEST


class TestSource:
    """The inputs of a machine that replays one test after another.

    ``unwritten`` makes inputs of kind uninit as symbols, to notice their use; without it they come from the test.
    """

    __test__ = False

    def __init__(self, unwritten: InputSource | None = None) -> None:
        self._current: InputSource = ReplayInputs({})
        self._unwritten = unwritten

    def use(self, test: TestCase) -> None:
        """From now on, inputs come from ``test``."""
        self._current = ReplayInputs({entry.name: entry.data for entry in test.inputs})

    def make(self, state: State, name: str, element: Type | None, size: int, kind: str) -> InputObject:
        source = self._unwritten if kind == "uninit" and self._unwritten is not None else self._current
        return source.make(state, name, element, size, kind)


def _nothing(state: State) -> None:
    return None


class EngineReplayer:
    """Runs tests on a machine with inputs from ``source``; each run starts from a fresh state.

    Between steps, ``is_cut`` may cut a run that takes too long; that run then has no end.
    """

    def __init__(
        self,
        machine: Machine,
        source: TestSource,
        surroundings: InputObserver,
        start: Callable[[Machine, CommandLine], list[State]],
        is_cut: Callable[[State], bool],
    ) -> None:
        self._machine = machine
        self._source = source
        self._surroundings = surroundings
        self._start = start
        self._is_cut = is_cut
        self._consequences = Consequences(machine, NoSolver())

    @property
    def coverage(self) -> BranchCoverage:
        """The coverage of all replays so far."""
        return self._machine.coverage

    @property
    def variables(self) -> VariableTexts:
        return self._machine.step_of_instructions().variables

    def has_run(self, name: str) -> bool:
        return self._machine.has_run(name)

    def replay(
        self,
        test: TestCase,
        longest: int | None = None,
        yield_points: YieldPoints = FORKS,
        see: Callable[[State], None] = _nothing,
    ) -> Replayed:
        """The end of the test; none if it runs longer than about ``longest`` instructions.

        ``see`` looks at the state at each yield point, and changes nothing.
        """
        self._source.use(test)
        self._surroundings.asked.clear()
        started = self._start(self._machine, test.command)
        if len(started) != 1:
            return Replayed(None, None, None, 0)
        state = started[0]
        stepper = GivenSchedule(self._machine, self._machine.failed, test.schedule)
        for outcome in follow(stepper, state, yield_points):
            match outcome:
                case Running(state):
                    if self._is_cut(state) or (longest is not None and state.instructions > longest):
                        break
                    see(state)
                case Failed(_, fault) as failed:
                    heap = test.command.heap
                    left = None if heap is None else as_left(heap, failed.state)
                    asked = tuple(self._surroundings.asked)
                    seen = NativeVisibility.NONE
                    if not test.schedule:
                        seen = sight(failed.state, fault, self._machine.program, self._consequences)
                    return replace(_replayed(failed, fault), heap=left, sight=seen, asked=asked)
                case Halted() as halted:
                    return _replayed(halted, None)
        return Replayed(None, None, None, state.instructions)


def _replayed(end: Failed | Halted, fault: Fault | None) -> Replayed:
    state = end.state
    return Replayed(expectation(end, state), fault, predicted_output(state, state.path.model()), state.instructions)
