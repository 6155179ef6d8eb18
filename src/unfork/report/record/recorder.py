"""The observer that writes tests and errors as paths end: one part for each way to end, over one set of records.

The records: `due_branches` (branches that no test shows yet), `written_tests` (files, formats, time), `found_errors`.
The writers: `path_tests` makes and writes the tests of states; `ended_paths`, `failed_paths` and `left_paths` observe
how paths end; `adopted_tests` takes tests from other explorations.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from time import monotonic

from unfork.engine.explore.tally import Tally
from unfork.engine.protocols.events import Event
from unfork.engine.protocols.outcome import Fault
from unfork.engine.state.state import State
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.report.record.adopted_tests import AdoptedTests, SownTest
from unfork.report.record.directory import Folder
from unfork.report.record.due_branches import DueBranches
from unfork.report.record.ended_paths import EndedPaths
from unfork.report.record.failed_paths import FailedPaths
from unfork.report.record.findings import Finding
from unfork.report.record.found_errors import FoundErrors, SavedErrors, SecondOpinion
from unfork.report.record.left_paths import LeftPaths
from unfork.report.record.path_tests import PathTests
from unfork.report.record.replays_of_tests import Replayer, TestReplays
from unfork.report.record.traces import Traces
from unfork.report.record.written_tests import Policy, TestFormat, TimeForTests, WrittenTests
from unfork.world.inputs.command import CommandLine
from unfork.world.inputs.testcase import Error, TestCase, error_of


@dataclass(frozen=True, slots=True)
class SavedRecords:
    """The tests and errors of a run so far, for one that goes on with it."""

    tests: list[str]
    lengths: dict[str, int]
    seconds: float
    unwritten: int
    reopened: dict[int, int]
    instructions: int
    """How many more instructions paths may run on for."""
    errors: SavedErrors


@dataclass(frozen=True, slots=True)
class Records:
    """The records that the observers of ends of paths share."""

    due: DueBranches
    written: WrittenTests
    time: TimeForTests
    errors: FoundErrors
    traces: Traces


class Recorder:
    """Observes a run and writes its tests and errors; one of its parts answers each way in which a path ends.

    Make it with ``make_recorder``, ``tell`` it every event, then ``finish``; ``tests``, ``errors`` and ``alarms`` have
    the results.
    """

    def __init__(
        self,
        policy: Policy,
        records: Records,
        tests: PathTests,
        ended: EndedPaths,
        failed: FailedPaths,
        left: LeftPaths,
        adopted: AdoptedTests,
    ) -> None:
        self._policy = policy
        self._records = records
        self._tests = tests
        self._ended = ended
        self._failed = failed
        self._left = left
        self._adopted = adopted

    def tell(self, event: Event) -> None:
        """Write the tests and errors of an event. Raises WriteFailed."""
        before, began = len(self.tests), monotonic()
        for observer in (self._ended, self._failed, self._left):
            observer.tell(event)
        if len(self.tests) > before:
            self._records.time.spent += monotonic() - began

    def adopt(self, test: TestCase, length: int, alarm: Finding | None) -> tuple[int, int]:
        """Replay and perhaps write a test of another exploration, see AdoptedTests. Raises WriteFailed."""
        return self._adopted.adopt(test, length, alarm)

    def sow(self, test: TestCase) -> SownTest:
        """Replay and perhaps write the test of a seed, see AdoptedTests. Raises WriteFailed."""
        return self._adopted.sow(test)

    def run_nothing_on(self) -> None:
        """From now on, no path that is left runs on to its end: it could show nothing new."""
        self._left.instructions = 0

    def finish(self) -> None:
        """End the run: edges without a test do not count as covered."""
        self._records.due.forget_unshown()

    # --- the tests that are due

    def is_due(self, state: State) -> bool:
        """Whether a test of a waiting state shows edges that it was the first to cover.

        A state that stands for more than the program does waits until it ends: its inputs may not lead to its place.
        """
        return bool(state.pending) and not state.over

    def is_early(self, state: State) -> bool:
        """Whether a waiting state has a test due before it ends: only where tests are for branches."""
        return self._policy.tests == "coverage" and self.is_due(state)

    # --- the results so far

    @property
    def tests(self) -> list[str]:
        return self._records.written.names

    @property
    def lengths(self) -> dict[str, int]:
        """The instructions on the path of each test."""
        return self._tests.lengths

    @property
    def unwritten(self) -> int:
        """Tests that were due when time was up."""
        return self._records.time.unwritten

    @property
    def unexpanded(self) -> int:
        """Joined states with paths that lack a test, if each path should have one."""
        return self._records.traces.unexpanded

    @property
    def seconds_per_test(self) -> float:
        """The average cost of a test so far, replays included."""
        return self._records.time.spent / len(self.tests) if self.tests else 0.0

    @property
    def errors(self) -> list[Finding]:
        return self._records.errors.errors

    @property
    def alarms(self) -> list[Finding]:
        return list(self._records.errors.alarms.values())

    @property
    def alarming(self) -> list[Error]:
        """The alarms by kind and location."""
        return list(self._records.errors.alarms)

    @property
    def seen(self) -> set[Error]:
        """The errors and alarms so far, by kind and location."""
        return self._records.errors.seen

    def has_reported(self, fault: Fault) -> bool:
        """Whether an error of this kind and location is reported."""
        return self._records.errors.is_reported(error_of(fault))

    def withdraw(self, alarms: Iterable[Error]) -> None:
        """Forget alarms: all is explored again, which finds those that remain."""
        self._records.errors.withdraw(alarms)

    # --- for a run that goes on with this one

    def saved(self) -> SavedRecords:
        records = self._records
        return SavedRecords(
            records.written.names,
            self._tests.lengths,
            records.time.spent,
            records.time.unwritten,
            records.due.reopened,
            self._left.instructions,
            records.errors.saved(),
        )

    def restore(self, saved: SavedRecords) -> None:
        """Begin where another run of the program was, which has written to the same directory."""
        records = self._records
        records.written.names, self._tests.lengths = saved.tests, saved.lengths
        records.time.spent, records.time.unwritten = saved.seconds, saved.unwritten
        records.due.reopened, self._left.instructions = saved.reopened, saved.instructions
        records.errors.restore(saved.errors)


def make_recorder(
    directory: Folder,
    program: tuple[tuple[str, ...], CommandLine],
    policy: Policy,
    formats: Sequence[TestFormat],
    replaying: tuple[Replayer, SecondOpinion],
    coverage: BranchCoverage,
    tally: Tally,
    traces: Traces,
) -> Recorder:
    """A recorder that writes to ``directory``; ``traces`` keeps the origins of its tests.

    ``program`` is the program's files and its command.
    """
    replayer, second = replaying
    due, time = DueBranches(coverage), TimeForTests(policy.deadline)
    written = WrittenTests(directory, formats, policy.most, tally)
    errors = FoundErrors(directory, second, policy, time, tally)
    replays = TestReplays(replayer, due)
    tests = PathTests(program, policy, written, due, errors, replays, traces)
    ended = EndedPaths(policy, written, time, due, tests, traces)
    return Recorder(
        policy,
        Records(due, written, time, errors, traces),
        tests,
        ended,
        FailedPaths(policy, ended, tests, replays, errors, traces),
        LeftPaths(policy, ended, written, due, tests, replays, errors, tally),
        AdoptedTests(policy, written, time, due, replays, errors),
    )
