"""The tests of paths that end in a fault: a replay makes it an error, or else it is an alarm."""

from __future__ import annotations

from unfork.engine.protocols.events import Ended, Event
from unfork.engine.protocols.outcome import Failed
from unfork.engine.state.state import State
from unfork.report.record.ended_paths import EndedPaths
from unfork.report.record.findings import OUT_OF_TIME, finding
from unfork.report.record.found_errors import FoundErrors
from unfork.report.record.path_tests import PathTests
from unfork.report.record.replays_of_tests import TestReplays
from unfork.report.record.traces import Traces
from unfork.report.record.written_tests import Policy
from unfork.world.inputs import testcase
from unfork.world.inputs.testcase import NOT_ASKED, Error, Opinion


class FailedPaths:
    """Observes faults; a fault that needs no report ends its path like any other end."""

    def __init__(
        self,
        policy: Policy,
        ended: EndedPaths,
        tests: PathTests,
        replays: TestReplays,
        errors: FoundErrors,
        traces: Traces,
    ) -> None:
        self._policy = policy
        self._ended = ended
        self._tests = tests
        self._replays = replays
        self._errors = errors
        self._traces = traces

    def tell(self, event: Event) -> None:
        match event:
            case Ended(Failed() as failed):
                self._report(failed)

    def _report(self, failed: Failed) -> None:
        error = testcase.expectation(failed, failed.state)
        assert isinstance(error, Error)
        if not self._errors.wants_replay(error, over=failed.state.over):
            self._ended.finish(failed)
            return
        paths = self._traces.paths(failed.state) if self._policy.tests == "paths" else iter((failed.state,))
        self._report_first(failed, next(paths), error)
        if self._policy.tests == "paths":
            self._ended.expand(failed, paths)

    def _report_first(self, failed: Failed, state: State, error: Error) -> None:
        """An error if its test on the path of ``state`` replays, else an alarm."""
        if state.over:
            again, name = self._tests.attempt(state, always=True)
        else:
            test, name = self._tests.write(state, failed)
            again = self._replays.run(test, name)
            if again.end == error:
                self._errors.judge(error, test, again, name)
        if again.end != error:
            is_cut = again.end is None and self._policy.deadline.is_over()
            native = Opinion(NOT_ASKED.word, OUT_OF_TIME) if is_cut else NOT_ASKED
            self._errors.add_alarm(error, finding(failed.fault, name, replayed=False, native=native))
