"""Replays of tests while a run goes on: a test is trusted for what its replay ends in and covers."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.report.record.due_branches import DueBranches
from unfork.world.inputs import file_of_test as test_file
from unfork.world.inputs.testcase import Replayed, TestCase


class Replayer(Protocol):
    """Runs a test again from its own data alone; a run of more than ``longest`` instructions has no end."""

    @property
    def coverage(self) -> BranchCoverage:
        """The coverage of all replays so far."""

    def replay(self, test: TestCase, longest: int | None = None) -> Replayed: ...


class TestReplays:
    """Replays tests as their files have them, and settles the branches that replays cover."""

    __test__ = False

    def __init__(self, replayer: Replayer, due: DueBranches) -> None:
        self._replayer = replayer
        self._due = due

    @property
    def coverage(self) -> BranchCoverage:
        return self._replayer.coverage

    def run(self, test: TestCase, name: str = "a test", longest: int | None = None) -> Replayed:
        return self._replayer.replay(test_file.reread(test, name), longest)

    def settle(self) -> list[int]:
        """Settle the coverage of all replays. Returns the edges that no test had shown."""
        return self._due.settle_replays(self._replayer.coverage)


def with_end_of(again: Replayed, test: TestCase) -> TestCase:
    """``test`` with the end of its replay, if that has another one: the path was cut before its end."""
    if again.end is None or again.end == test.expect:
        return test
    return replace(test, expect=again.end, stdout=again.stdout)
