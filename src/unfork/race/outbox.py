"""Where an exploration in a process of its own puts its tests, until they are sent to the process that writes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from unfork.race.messages import Shown
from unfork.report.findings import Finding

_TESTS, _JSON = "tests/", ".json"


class Outbox:
    """A folder in memory that keeps tests until they are sent, and nothing else."""

    def __init__(self) -> None:
        self._tests: dict[str, str] = {}
        self._alarming: dict[str, str] = {}
        """Those that were sent and show an alarm: nobody else could find them again."""

    def write(self, name: str, data: bytes) -> None:
        """Keep a test. The files that describe an error are made anew where its test is written."""
        if name.startswith(_TESTS) and name.endswith(_JSON):
            self._tests[name] = data.decode()

    def saved(self) -> dict[str, str]:
        """What is to be sent by whoever goes on, for ``restore``."""
        return {**self._alarming, **self._tests}

    def restore(self, saved: Mapping[str, str]) -> None:
        """Keep what an earlier process had not sent."""
        self._tests = dict(saved)

    def sent(self, alarms: Sequence[Finding], lengths: Mapping[str, int]) -> tuple[Shown, ...]:
        """The tests that came since this was asked last; ``alarms`` say which of them show one.

        ``lengths`` are those of their paths.
        """
        by_test = {alarm.test: alarm for alarm in alarms}
        shown = tuple([Shown(test, lengths[name], by_test.get(name)) for name, test in self._tests.items()])
        self._alarming |= {name: test for name, test in self._tests.items() if name in by_test}
        self._tests = {}
        return shown
