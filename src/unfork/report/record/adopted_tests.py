"""Tests from other explorations of the program, in other processes or an earlier run."""

from __future__ import annotations

from dataclasses import dataclass, replace

from unfork.report.record.due_branches import DueBranches
from unfork.report.record.findings import Finding
from unfork.report.record.found_errors import FoundErrors
from unfork.report.record.replays_of_tests import TestReplays, with_end_of
from unfork.report.record.written_tests import Policy, TimeForTests, WrittenTests
from unfork.world.inputs.testcase import Error, Expectation, NativeOpinion, TestCase

LONGEST_SEED = 20_000_000
"""Instructions of a seed; one that runs on covers what it covered by then."""
_DETOUR = 1_000
"""A replay may be this many instructions longer than twice the path that its test comes from."""


@dataclass(frozen=True, slots=True)
class SownTest:
    """The numbers of new edges and new errors of a seed, and how its replay ended."""

    edges: int
    errors: int
    end: Expectation


class AdoptedTests:
    """Replays tests of other explorations, and writes those that show anything new here."""

    def __init__(
        self,
        policy: Policy,
        written: WrittenTests,
        time: TimeForTests,
        due: DueBranches,
        replays: TestReplays,
        errors: FoundErrors,
    ) -> None:
        self._policy = policy
        self._written = written
        self._time = time
        self._due = due
        self._replays = replays
        self._errors = errors

    def adopt(self, test: TestCase, length: int, alarm: Finding | None) -> tuple[int, int]:
        """Adopt a test of a path with ``length`` instructions, which shows ``alarm`` if it does not replay.

        Returns the number of new edges and of new errors.
        """
        errors = self._errors
        if alarm is not None and alarm.key in errors.seen:
            alarm = None  # one test of it is enough
        if alarm is None and not isinstance(test.expect, Error) and self._is_needless(test):
            return 0, 0
        taken = self._take(test, 2 * length + _DETOUR, alarm)
        return taken.edges, taken.errors

    def sow(self, test: TestCase) -> SownTest:
        """Adopt a seed: a test whose end is not known."""
        return self._take(test, LONGEST_SEED, None)

    def _take(self, test: TestCase, longest: int, alarm: Finding | None) -> SownTest:
        errors = self._errors
        again = self._replays.run(test, longest=longest)
        fresh = self._replays.settle()
        error = again.end if isinstance(again.end, Error) else None
        before = len(errors.errors)
        is_error = error is not None and not errors.is_reported(error)
        opinion = errors.opinion(test, again) if is_error else None
        if opinion is not None and opinion.word is NativeOpinion.DENIED and error in errors.alarms:
            is_error = False
        if (fresh and self._policy.tests != "errors") or is_error or alarm is not None:
            test = replace(with_end_of(again, test), branches=self._due.names(fresh))
            name = self._written.write(test)
            if is_error and error is not None and opinion is not None:
                errors.record(error, again, opinion, name)
            elif alarm is not None and not errors.is_reported(alarm.key):
                errors.add_alarm(alarm.key, replace(alarm, test=name))
        return SownTest(len(fresh), len(errors.errors) - before, again.end)

    def _is_needless(self, test: TestCase) -> bool:
        """Whether a test without an error can show nothing new, or comes too late."""
        return self._written.are_full or self._due.are_shown(test.branches) or self._time.refuses_one()
