"""The files of tests, and which tests are written: their kind, number, formats and time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from unfork.engine.explore.endings import Deadline
from unfork.engine.explore.tally import Tally
from unfork.report.record.directory import Folder
from unfork.world.inputs import file_of_test as test_file
from unfork.world.inputs.testcase import TestCase


@dataclass(frozen=True, slots=True)
class TestFormat:
    """A way to write a test: a file name's suffix and the bytes."""

    __test__ = False

    suffix: str
    write: Callable[[TestCase], bytes]


@dataclass(frozen=True, slots=True)
class Policy:
    """Which paths get a test: those with new branches ("coverage"), all ("paths"), or only errors ("errors")."""

    tests: str
    most: int | None
    """The most tests to write, not counting those of errors; None: any number."""
    every_occurrence: bool
    """Report each occurrence of an error, not one per kind and line."""
    deadline: Deadline
    """When time is up for tests, except those of errors."""
    stop_at: tuple[str, ...] = ()
    """The kinds of errors that the run is to stop at."""


class WrittenTests:
    """Numbers tests and writes their files, in all ``formats``; ``names`` are those of the JSON files."""

    def __init__(self, directory: Folder, formats: Sequence[TestFormat], most: int | None, tally: Tally) -> None:
        self._directory = directory
        self._formats = tuple(formats)
        self._most = most
        self._tally = tally
        self.names: list[str] = []

    @property
    def are_full(self) -> bool:
        """Whether there are as many tests as the user wants."""
        return self._most is not None and len(self.names) >= self._most

    def write(self, test: TestCase) -> str:
        """Write the files of a test; returns its name ("tests/000001.json"). Raises WriteFailed."""
        number = f"tests/{len(self.names) + 1:06d}"
        name = number + ".json"
        self._directory.write(name, test_file.to_json(test).encode())
        for form in self._formats:
            self._directory.write(number + form.suffix, form.write(test))
        self.names.append(name)
        self._tally.tests += 1
        return name


class TimeForTests:
    """The time that tests take, and the tests that came too late."""

    def __init__(self, deadline: Deadline) -> None:
        self._deadline = deadline
        self.spent = 0.0
        """Seconds for tests and their replays, without native runs of errors."""
        self.unwritten = 0
        """Tests that were due when time was up."""

    def refuses_one(self) -> bool:
        """Whether a due test comes too late; it then counts as unwritten."""
        if not self._deadline.is_over():
            return False
        self.unwritten += 1
        return True
