"""Tests of paths: made from the model of a state, or by attempts where a state stands for too much."""

from __future__ import annotations

from dataclasses import replace

from unfork.engine.protocols.outcome import Failed, Halted
from unfork.engine.state.state import State
from unfork.report.record.due_branches import DueBranches
from unfork.report.record.found_errors import FoundErrors
from unfork.report.record.replays_of_tests import TestReplays
from unfork.report.record.traces import Traces
from unfork.report.record.written_tests import Policy, WrittenTests
from unfork.world.inputs import testcase
from unfork.world.inputs.command import CommandLine
from unfork.world.inputs.testcase import Error, Replayed, TestCase


class PathTests:
    """Makes and writes the tests of states. ``program`` is the program's files and its command.

    A state that stands for more than the program does (State.over) is not trusted: ``attempt`` its test, which says
    what its replay ends in and covers.
    """

    def __init__(
        self,
        program: tuple[tuple[str, ...], CommandLine],
        policy: Policy,
        written: WrittenTests,
        due: DueBranches,
        errors: FoundErrors,
        replays: TestReplays,
        traces: Traces,
    ) -> None:
        self._program, self._command = program
        self._policy = policy
        self._written = written
        self._due = due
        self._errors = errors
        self._replays = replays
        self._traces = traces
        self.lengths: dict[str, int] = {}
        """The instructions on the path of each test."""

    def make(self, state: State, outcome: Halted | Failed | None) -> TestCase:
        """The test of a state, for its due branches. It expects the end of ``outcome``; None: the path was cut."""
        branches = self._due.names(self._due.of(state))
        return testcase.of_state(state, outcome, self._program, self._command, branches)

    def put(self, state: State, test: TestCase) -> str:
        """Write the test of a state; returns its name."""
        name = self._written.write(test)
        self.lengths[name] = state.instructions
        self._due.settle(state)
        self._traces.wrote(name, state)
        return name

    def write(self, state: State, outcome: Halted | Failed | None) -> tuple[TestCase, str]:
        """Make and write the test of a state; returns its name, too."""
        test = self.make(state, outcome)
        return test, self.put(state, test)

    def attempt(self, state: State, *, always: bool) -> tuple[Replayed, str]:
        """Replay inputs of a state that stands for too much, and write a test if it is of use or ``always``.

        Returns the replay and the name of the test, "" if there is none.
        """
        test = replace(testcase.of_state(state, None, self._program, self._command, ()), stdout=None)
        before = bytes(self._replays.coverage.covered)
        again = self._replays.run(test)
        shown = self._due.settle_attempt(state, self._replays.coverage, before)
        error = again.end if isinstance(again.end, Error) else None
        is_wanted = always and self._policy.every_occurrence
        is_error = error is not None and (is_wanted or not self._errors.is_reported(error))
        if not (always or shown or is_error):
            return again, ""
        name = self.put(state, replace(test, expect=again.end, branches=self._due.names(shown)))
        if is_error and error is not None:
            self._errors.judge(error, test, again, name)
        return again, name
