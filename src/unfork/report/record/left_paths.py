"""The tests of paths that stop before their end; a concrete run of their inputs shows how they would end."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from unfork.engine.explore.endings import TimeIsOver
from unfork.engine.explore.tally import Tally
from unfork.engine.protocols.events import Event, Joined, Left
from unfork.engine.state.state import State
from unfork.report.record.due_branches import DueBranches
from unfork.report.record.ended_paths import EndedPaths
from unfork.report.record.found_errors import FoundErrors
from unfork.report.record.path_tests import PathTests
from unfork.report.record.replays_of_tests import TestReplays, with_end_of
from unfork.report.record.written_tests import Policy, WrittenTests
from unfork.world.inputs.testcase import Error, Replayed

_ONE_TO_THE_END = 1_000_000
"""One path runs on for at most this many instructions, and no more than the whole run so far,"""
_LEAST_TO_THE_END = 10_000
"""unless that is fewer."""
_ALL_TO_THE_END = 10_000_000
"""All of them together run on for at most this many."""


class LeftPaths:
    """Observes paths that stop early, as the run ends or they are joined, and runs those that get a test on."""

    def __init__(
        self,
        policy: Policy,
        ended: EndedPaths,
        written: WrittenTests,
        due: DueBranches,
        tests: PathTests,
        replays: TestReplays,
        errors: FoundErrors,
        tally: Tally,
    ) -> None:
        self._policy = policy
        self._ended = ended
        self._written = written
        self._due = due
        self._tests = tests
        self._replays = replays
        self._errors = errors
        self._tally = tally
        self.instructions = _ALL_TO_THE_END
        """How many more all paths may run on for."""

    def tell(self, event: Event) -> None:
        match event:
            case Left(state):
                self._leave(state)
            case Joined(parents, _):
                for parent in parents:
                    self._leave(parent)

    def _leave(self, state: State) -> None:
        wanted = self._due.of(state) and self._policy.tests != "errors" and not self._written.are_full
        if not wanted or state.over or self.instructions <= 0 or self._policy.deadline.is_short():
            self._ended.cut(state, None)
            return
        longest = min(_ONE_TO_THE_END, max(_LEAST_TO_THE_END, self._tally.instructions))
        test, again = self._tests.make(state, None), Replayed(None, None, None, longest)
        with suppress(TimeIsOver), self._policy.deadline.breakable():
            again = self._replays.run(test, longest=longest)
        self.instructions -= again.instructions
        shown = sorted({*state.pending, *self._replays.settle()})
        test = replace(with_end_of(again, test), branches=self._due.names(shown))
        name = self._tests.put(state, test)
        if isinstance(again.end, Error) and not self._errors.is_reported(again.end):
            self._errors.judge(again.end, test, again, name)
