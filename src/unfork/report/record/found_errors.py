"""The errors and alarms of a run: an error replays, and no native run denies it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from time import monotonic
from typing import Protocol

from unfork.engine.explore.tally import Tally
from unfork.report.record.directory import Folder
from unfork.report.record.findings import Finding, error_text, finding
from unfork.report.record.words_of_tests import picture
from unfork.report.record.written_tests import Policy, TimeForTests
from unfork.world.inputs.testcase import Error, NativeOpinion, Opinion, Replayed, TestCase

_TRIES = 8
"""This many occurrences of an alarm are replayed in search of a real error."""


class SecondOpinion(Protocol):
    """Judges errors by other means than the engine's."""

    def of(self, test: TestCase, replayed: Replayed) -> Opinion:
        """The opinion on the error in the engine's replay of ``test``."""


@dataclass(frozen=True, slots=True)
class SavedErrors:
    """The errors and alarms of a run, for one that goes on with it."""

    errors: list[Finding]
    reported: dict[Error, Finding]
    alarms: dict[Error, Finding]
    tries: dict[tuple[Error, bool], int]


class FoundErrors:
    """Judges errors, by kind and location, and writes the files of those that are real.

    A fault is an alarm while its test does not replay or native runs deny it; a later occurrence may confirm it.
    """

    def __init__(
        self, directory: Folder, second: SecondOpinion, policy: Policy, time: TimeForTests, tally: Tally
    ) -> None:
        self._directory = directory
        self._second = second
        self._policy = policy
        self._time = time
        self._tally = tally
        self.errors: list[Finding] = []
        """All occurrences, in order."""
        self._reported: dict[Error, Finding] = {}
        self._alarms: dict[Error, Finding] = {}
        self._tries: dict[tuple[Error, bool], int] = {}
        """How many occurrences were met, in states that stand for too much and in others."""

    def saved(self) -> SavedErrors:
        return SavedErrors(self.errors, self._reported, self._alarms, self._tries)

    def restore(self, saved: SavedErrors) -> None:
        self.errors, self._reported = saved.errors, saved.reported
        self._alarms, self._tries = saved.alarms, saved.tries

    @property
    def alarms(self) -> dict[Error, Finding]:
        """The alarms that nothing has confirmed."""
        return self._alarms

    @property
    def seen(self) -> set[Error]:
        """The errors and alarms so far."""
        return {*self._reported, *self._alarms}

    def is_reported(self, error: Error) -> bool:
        return error in self._reported

    def wants_replay(self, error: Error, *, over: bool) -> bool:
        """Whether to replay an occurrence, in a state that stands for too much (``over``) or not; counts it."""
        every = self._policy.every_occurrence
        if error in self._reported and not every:
            return False
        tries = self._tries[error, over] = self._tries.get((error, over), 0) + 1
        return tries <= _TRIES or every

    def opinion(self, test: TestCase, again: Replayed) -> Opinion:
        """The second opinion on the error of a replay."""
        began = monotonic()
        opinion = self._second.of(test, again)
        self._time.spent -= monotonic() - began  # tests of paths without an error do not cost that
        return opinion

    def judge(self, error: Error, test: TestCase, again: Replayed, name: str) -> None:
        """Record ``error``, in which the replay of the test ``name`` ended."""
        self.record(error, again, self.opinion(test, again), name)

    def record(self, error: Error, again: Replayed, opinion: Opinion, name: str) -> None:
        """Record an error, or an alarm if native runs deny it."""
        assert again.fault is not None
        if opinion.word is NativeOpinion.DENIED:
            self.add_alarm(error, finding(again.fault, name, replayed=False, native=opinion))
        else:
            self._confirm(error, finding(again.fault, name, replayed=True, left=again.heap, native=opinion))

    def add_alarm(self, error: Error, alarm: Finding) -> None:
        self._alarms.setdefault(error, alarm)

    def withdraw(self, alarms: Iterable[Error]) -> None:
        """Forget alarms: all is explored again, and finds those that remain."""
        for alarm in alarms:
            del self._alarms[alarm]
            self._tries.pop((alarm, True), None)

    def _confirm(self, error: Error, found: Finding) -> None:
        self._alarms.pop(error, None)
        self._reported[error] = found
        self.errors.append(found)
        self._tally.errors += 1
        self._tally.awaited += found.kind in self._policy.stop_at
        name = found.test.removeprefix("tests/").removesuffix(".json")
        self._directory.write(f"errors/{name}.txt", error_text(found).encode("utf-8", "backslashreplace"))
        if found.left is not None:
            self._directory.write(f"errors/{name}.svg", picture(found.left).encode("utf-8", "backslashreplace"))
