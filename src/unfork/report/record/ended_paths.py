"""The tests of paths that end without a fault, by the policy: for new branches, for every path, or none."""

from __future__ import annotations

from collections.abc import Iterator

from unfork.engine.protocols.events import Bounded, Covered, Dropped, Ended, Event
from unfork.engine.protocols.outcome import Failed, Halted, Killed
from unfork.engine.state.state import State
from unfork.report.record.due_branches import DueBranches
from unfork.report.record.path_tests import PathTests
from unfork.report.record.traces import Traces
from unfork.report.record.written_tests import Policy, TimeForTests, WrittenTests
from unfork.world.inputs.testcase import TestCase

World = tuple[object, ...]


def _world(test: TestCase) -> World:
    """All inputs: a path depends on nothing else."""
    return test.inputs, test.args, test.stdin, test.files, test.environment


class EndedPaths:
    """Observes the ends of paths, except faults, and writes their tests."""

    def __init__(
        self,
        policy: Policy,
        written: WrittenTests,
        time: TimeForTests,
        due: DueBranches,
        tests: PathTests,
        traces: Traces,
    ) -> None:
        self._policy = policy
        self._written = written
        self._time = time
        self._due = due
        self._tests = tests
        self._traces = traces
        self._worlds: set[World] = set()
        """The inputs of tests of complete paths."""

    def tell(self, event: Event) -> None:
        match event:
            case Ended(Halted(state, "silent", _)):
                self._due.reopen(state)
            case Ended(Halted() as halted):
                self.finish(halted)
            case Ended(Killed(state, _, _)) | Bounded(state, _) | Covered(state, _) | Dropped(state):
                self.cut(state, None)

    def finish(self, outcome: Halted | Failed) -> None:
        """The path has come to its end."""
        state = outcome.state
        if self._policy.tests != "paths":
            self.cut(state, outcome)
        elif self._written.are_full:
            self._due.give_up(state)
            self._traces.unexpanded += state.multiplicity > 1
        elif self._is_late(state):
            self._traces.unexpanded += state.multiplicity > 1
        else:
            self.expand(outcome, self._traces.paths(state))

    def expand(self, outcome: Halted | Failed, paths: Iterator[State]) -> None:
        """Write a test for each of the paths. A join may lead to a path in two ways, which have the same inputs."""
        for state in paths:
            if self._written.are_full or self._is_late(state):
                self._traces.unexpanded += 1
                return
            if state.over:
                self._tests.attempt(state, always=True)
                continue
            test = self._tests.make(state, outcome)
            world = _world(test)
            if world not in self._worlds:
                self._worlds.add(world)
                self._tests.put(state, test)

    def cut(self, state: State, outcome: Halted | Failed | None) -> None:
        """The path goes no further; its test expects the end of ``outcome``, or any."""
        if self._written.are_full or self._policy.tests == "errors" or not self._due.of(state):
            self._due.give_up(state)
        elif self._is_late(state):
            return
        elif state.over:
            self._tests.attempt(state, always=False)
        else:
            self._tests.write(state, outcome)

    def _is_late(self, state: State) -> bool:
        """Whether time is up for a test of ``state``, which then gets none."""
        if not self._time.refuses_one():
            return False
        self._due.give_up(state)
        return True
