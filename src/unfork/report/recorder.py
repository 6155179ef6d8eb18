"""Writes tests and errors as paths end: for newly covered branches, per path, per error."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from unfork.execute.coverage import BranchCoverage
from unfork.execute.outcome import Failed, Halted, Killed
from unfork.explore.events import Bounded, Dropped, Ended, Event, Joined, Left
from unfork.explore.tally import Tally
from unfork.inputs import testcase
from unfork.inputs.command import Command
from unfork.inputs.testcase import Error, Expectation, Replayed, TestCase
from unfork.report.coverage import edge_name
from unfork.report.directory import RunDirectory
from unfork.report.findings import Finding, error_text, finding
from unfork.state.state import State

_TRIES = 8
"""How many occurrences of an alarm are replayed in the hope for a real error of that kind and line."""
_FORGIVEN = 16
"""How often an edge that only paths without a test reach is opened again: each time costs compiled code."""


class Replayer(Protocol):
    """Runs a test again from its own data alone."""

    def replay(self, test: TestCase) -> Replayed: ...


@dataclass(frozen=True, slots=True)
class Format:
    """A way to write a test: a file name's suffix and the bytes."""

    suffix: str
    write: Callable[[TestCase], bytes]


@dataclass(frozen=True, slots=True)
class Policy:
    """Which paths get a test: those that cover something new, or all ("paths"), or only errors ("errors")."""

    tests: str
    most: int | None
    """No more tests than this, but those of errors."""
    every_occurrence: bool
    """Report each occurrence of an error, not one per kind and line."""


class Recorder:
    """Observes a run and writes its tests and errors. ``tests_of`` names the test of each ended node that has one.

    ``program`` are the program's files, and what it is started with.
    """

    def __init__(
        self,
        directory: RunDirectory,
        program: tuple[tuple[str, ...], Command],
        policy: Policy,
        formats: Sequence[Format],
        replayer: Replayer,
        coverage: BranchCoverage,
        tally: Tally,
        forget: Callable[[tuple[int, ...]], None],
    ) -> None:
        self._directory = directory
        self._program, self._command = program
        self._policy = policy
        self._formats = tuple(formats)
        self._replayer = replayer
        self._coverage = coverage
        self._tally = tally
        self._forget = forget
        self._forgiven: dict[int, int] = {}
        self._found: dict[Error, Finding] = {}
        self._alarms: dict[Error, Finding] = {}
        self._tries: dict[Error, int] = {}
        self.errors: list[Finding] = []
        self.tests: list[str] = []
        self.tests_of: dict[int, str] = {}

    @property
    def alarms(self) -> list[Finding]:
        """Faults whose tests did not replay, and that no later occurrence confirmed."""
        return list(self._alarms.values())

    def tell(self, event: Event) -> None:
        match event:
            case Ended(Failed() as failed):
                self._failed(failed)
            case Ended(Halted(state, "silent", _)):
                self._lose(state)
            case Ended(Halted() as halted):
                self._ended(halted)
            case Ended(Killed(state, _, _)) | Bounded(state, _) | Dropped(state) | Left(state):
                self._cut(state)
            case Joined(parents, _):
                for parent in parents:
                    self._cut(parent)

    def _ended(self, outcome: Halted | Failed) -> None:
        mode = self._policy.tests
        if self._is_full():
            return
        if mode == "paths" or (mode == "coverage" and outcome.state.pending):
            self._write(outcome.state, testcase.expectation(outcome, outcome.state))

    def _cut(self, state: State) -> None:
        if self._policy.tests != "errors" and state.pending and not self._is_full():
            self._write(state, None)

    def _is_full(self) -> bool:
        return self._policy.most is not None and len(self.tests) >= self._policy.most

    def _lose(self, state: State) -> None:
        """The path is not the program's to take: what it alone covered is open again."""
        again = []
        for edge in state.pending:
            count = self._forgiven[edge] = self._forgiven.get(edge, 0) + 1
            if count <= _FORGIVEN:
                again.append(edge)
        self._forget(tuple(again))

    def _failed(self, failed: Failed) -> None:
        expect = testcase.expectation(failed, failed.state)
        assert isinstance(expect, Error)
        if expect in self._found and not self._policy.every_occurrence:
            self._ended(failed)
            return
        tries = self._tries[expect] = self._tries.get(expect, 0) + 1
        if tries > _TRIES and not self._policy.every_occurrence:
            self._ended(failed)
            return
        test, name = self._write(failed.state, expect)
        again = self._replayer.replay(testcase.from_json(testcase.to_json(test), name))
        if again.end == expect:
            self._confirmed(expect, finding(again.fault or failed.fault, name, replayed=True))
        else:
            self._alarms.setdefault(expect, finding(failed.fault, name, replayed=False))

    def _confirmed(self, expect: Error, found: Finding) -> None:
        self._alarms.pop(expect, None)
        self._found[expect] = found
        self.errors.append(found)
        self._tally.errors += 1
        name = found.test.removeprefix("tests/").removesuffix(".json")
        self._directory.write(f"errors/{name}.txt", error_text(found).encode("utf-8", "backslashreplace"))

    def _write(self, state: State, expect: Expectation) -> tuple[TestCase, str]:
        branches = tuple([edge_name(self._coverage, edge) for edge in state.pending])
        test = testcase.of_state(state, expect, self._program, self._command, branches)
        number = f"tests/{len(self.tests) + 1:06d}"
        name = number + ".json"
        self._directory.write(name, testcase.to_json(test).encode())
        for form in self._formats:
            self._directory.write(number + form.suffix, form.write(test))
        state.pending = ()
        self.tests.append(name)
        self.tests_of[state.node] = name
        self._tally.tests += 1
        return test, name
