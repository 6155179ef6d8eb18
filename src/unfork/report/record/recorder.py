"""Writes tests and errors as paths end: for newly covered branches, per path, per error."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from time import monotonic
from typing import Any, Protocol

from unfork.engine.explore.endings import Deadline, TimeIsOver
from unfork.engine.explore.tally import Tally
from unfork.engine.protocols.events import Bounded, Covered, Dropped, Ended, Event, Joined, Left
from unfork.engine.protocols.outcome import Failed, Fault, Halted, Killed
from unfork.engine.state.state import State
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.report.record.coverage_measure import edge_name
from unfork.report.record.directory import Folder
from unfork.report.record.findings import OUT_OF_TIME, Finding, error_text, finding
from unfork.report.record.traces import Traces
from unfork.report.record.words_of_tests import picture
from unfork.world.inputs import file_of_test as test_file
from unfork.world.inputs import testcase
from unfork.world.inputs.command import CommandLine
from unfork.world.inputs.testcase import NOT_ASKED, Error, NativeOpinion, Opinion, Replayed, TestCase

_TRIES = 8
"""How many occurrences of an alarm are replayed in the hope of a real error of that kind and line."""
_FORGIVEN = 16
"""How often an edge is opened again for searchers because the paths that reached it got no test."""
_ONE_TO_THE_END = 1_000_000
_ALL_TO_THE_END = 10_000_000
"""How many instructions one state, and all of them, may run on concretely when left, so that tests have an end; one of
them no more than the whole run so far, but for _LEAST_TO_THE_END."""
_LEAST_TO_THE_END = 10_000
_DETOUR = 1_000
"""By so many instructions the replay of another exploration's test may be longer than twice the path it was made of."""


_SAVED = (
    *("_spent", "_forgiven", "_reported", "_alarms", "_tries", "_to_the_end"),
    *("errors", "tests", "lengths", "unwritten"),
)
"""The attributes of a recorder that say what is known so far."""


class Replayer(Protocol):
    """Runs a test again from its own data alone; a run of more than ``longest`` instructions has no end."""

    @property
    def coverage(self) -> BranchCoverage:
        """What all replays so far have covered."""

    def replay(self, test: TestCase, longest: int | None = None) -> Replayed: ...


class SecondOpinion(Protocol):
    """Judges errors by other means than the engine's."""

    def of(self, test: TestCase, replayed: Replayed) -> Opinion:
        """The opinion on the error that the engine's replay of ``test`` ended in."""


@dataclass(frozen=True, slots=True)
class TestFormat:
    """A way to write a test: a file name's suffix and the bytes."""

    suffix: str
    write: Callable[[TestCase], bytes]


@dataclass(frozen=True, slots=True)
class Policy:
    """Which paths get a test: those that cover something new, or all ("paths"), or only errors ("errors")."""

    tests: str
    most: int | None
    """The most tests to write, not counting those of errors; None: any number."""
    every_occurrence: bool
    """Report each occurrence of an error, not one per kind and line."""
    deadline: Deadline
    """When time is up for tests, except those of errors."""
    stop_at: tuple[str, ...] = ()
    """The kinds of errors that the run is to stop at."""


World = tuple[object, ...]


def _world(test: TestCase) -> World:
    """All that a test gives the program: a path depends on nothing else."""
    return test.inputs, test.args, test.stdin, test.files, test.environment


class Recorder:
    """Observes a run and writes its tests and errors; ``traces`` keeps where they come from.

    ``program`` is the program's files and its command. A state that stands for more than the program does (State.over)
    is not trusted: its tests say what their replays ended in and covered.
    """

    def __init__(
        self,
        directory: Folder,
        program: tuple[tuple[str, ...], CommandLine],
        policy: Policy,
        formats: Sequence[TestFormat],
        replaying: tuple[Replayer, SecondOpinion],
        coverage: BranchCoverage,
        tally: Tally,
        traces: Traces,
    ) -> None:
        self._directory = directory
        self._program, self._command = program
        self._policy = policy
        self._formats = tuple(formats)
        self._replayer, self._second = replaying
        self._coverage = coverage
        self._tally = tally
        self._traces = traces
        self._spent = 0.0
        self._forgiven: dict[int, int] = {}
        self._reported: dict[Error, Finding] = {}
        self._alarms: dict[Error, Finding] = {}
        self._tries: dict[tuple[Error, bool], int] = {}
        self._to_the_end = _ALL_TO_THE_END
        self._worlds: set[World] = set()
        """What the tests of paths that ended give the program."""
        self.errors: list[Finding] = []
        self.tests: list[str] = []
        self._numbers: dict[str, int] = {}
        """Of branch edges, by their names."""
        self.lengths: dict[str, int] = {}
        """For each test of a path the instructions on that path."""
        self.unwritten = 0
        """Tests that were due when time was up."""

    def saved(self) -> dict[str, Any]:
        """What is known of tests and errors so far, for ``restore``."""
        return {name: getattr(self, name) for name in _SAVED}

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Begin where another run of the program was, which has written to the same directory."""
        for name in _SAVED:
            setattr(self, name, saved[name])

    @property
    def seconds_per_test(self) -> float:
        """The average cost of a test so far, replays included."""
        return self._spent / len(self.tests) if self.tests else 0.0

    @property
    def alarms(self) -> list[Finding]:
        """Faults whose tests did not replay or were denied, and that no later occurrence confirmed."""
        return list(self._alarms.values())

    @property
    def seen(self) -> set[Error]:
        """The errors and alarms so far, by kind and location."""
        return {*self._reported, *self._alarms}

    def withdraw(self, alarms: Iterable[Error]) -> None:
        """Forget alarms, since all is explored again: whatever is still one will be found."""
        for alarm in alarms:
            del self._alarms[alarm]
            self._tries.pop((alarm, True), None)

    @property
    def alarming(self) -> list[Error]:
        """The alarms, by kind and location."""
        return list(self._alarms)

    @property
    def unexpanded(self) -> int:
        """How many joined states have paths without a test, where each path should have one."""
        return self._traces.unexpanded

    def has_reported(self, fault: Fault) -> bool:
        """Whether an error of this kind and location has been replayed and reported."""
        return testcase.error_of(fault) in self._reported

    def tell(self, event: Event) -> None:
        """Write what an event calls for: tests, errors. Raises WriteFailed."""
        before, began = len(self.tests), monotonic()
        self._write_for(event)
        if len(self.tests) > before:
            self._spent += monotonic() - began

    def _write_for(self, event: Event) -> None:
        match event:
            case Ended(Failed() as failed):
                self._report_fault(failed)
            case Ended(Halted(state, "silent", _)):
                self._lose(state)
            case Ended(Halted() as halted):
                self._finish_path(halted)
            case Ended(Killed(state, _, _)) | Bounded(state, _) | Covered(state, _) | Dropped(state):
                self._cut_path(state, None)
            case Left(state):
                self._leave(state)
            case Joined(parents, _):
                for parent in parents:
                    self._leave(parent)

    def adopt(self, test: TestCase, length: int, alarm: Finding | None) -> tuple[int, int]:
        """Replay a test that another exploration of the program made, and write it if it shows anything new here.

        ``length`` is that of its path in instructions; ``alarm``: what it may show, if that does not replay. Returns
        how many edges and how many errors are new.
        """
        if alarm is not None and alarm.key in self.seen:
            alarm = None  # one test of it is enough
        if alarm is None and not isinstance(test.expect, Error):
            if self._is_full() or self._is_shown(test):
                return 0, 0
            if self._policy.deadline.is_over():
                self.unwritten += 1
                return 0, 0
        again = self._replay(test, "a test", 2 * length + _DETOUR)
        fresh = self._settle_replayed()
        error = again.end if isinstance(again.end, Error) else None
        errors = len(self.errors)
        is_error = error is not None and error not in self._reported
        opinion = self._opinion(test, again) if is_error else None
        if opinion is not None and opinion.word is NativeOpinion.DENIED and error in self._alarms:
            is_error = False
        if (fresh and self._policy.tests != "errors") or is_error or alarm is not None:
            test = replace(self._run_on(test, again), branches=self._names(fresh))
            name = self._file(test)
            if is_error and error is not None and opinion is not None:
                self._judge(error, again, opinion, name)
            elif alarm is not None and alarm.key not in self._reported:
                self._alarms.setdefault(alarm.key, replace(alarm, test=name))
        return len(fresh), len(self.errors) - errors

    def _settle_replayed(self) -> list[int]:
        """Settle what replays have covered. Returns the edges that no test had shown."""
        settled = bytes(self._coverage.settled)
        self._coverage.adopt(self._replayer.coverage)
        after = self._coverage.settled
        return [edge for edge, hit in enumerate(after) if hit and not any(settled[edge : edge + 1])]

    def _run_on(self, test: TestCase, again: Replayed) -> TestCase:
        """``test``; if its path was cut, with the end that its replay came to."""
        if again.end is None or again.end == test.expect:
            return test
        return replace(test, expect=again.end, stdout=again.stdout)

    def _names(self, edges: Iterable[int]) -> tuple[str, ...]:
        return tuple([edge_name(self._coverage, edge) for edge in edges])

    def _is_shown(self, test: TestCase) -> bool:
        """Whether tests of this run show all branches that the test was made for."""
        numbers, settled = self._numbers, self._coverage.settled
        for edge in range(len(numbers), len(settled)):
            numbers[edge_name(self._coverage, edge)] = edge
        return all(name in numbers and settled[numbers[name]] for name in test.branches)

    def is_due(self, state: State) -> bool:
        """Whether a test of a waiting state shows what it was the first to cover.

        One that stands for more than the program does waits until it ends: its inputs may not lead to where it is.
        """
        return bool(state.pending) and not state.over

    def is_early(self, state: State) -> bool:
        """Whether a waiting state has a test due before it ends: not where each path gets one, or only errors do."""
        return self._policy.tests == "coverage" and self.is_due(state)

    def run_nothing_on(self) -> None:
        """From now on, no path that is left is run on to its end: all that it could show is shown."""
        self._to_the_end = 0

    def finish(self) -> None:
        """End the run: edges that no test has settled do not count as covered."""
        self._coverage.forget(tuple(range(len(self._coverage.edges))))

    def _finish_path(self, outcome: Halted | Failed) -> None:
        state = outcome.state
        if self._policy.tests != "paths":
            self._cut_path(state, outcome)
        elif self._is_full():
            self._give_up(state)
            self._traces.unexpanded += state.multiplicity > 1
        elif self._is_late(state):
            self._traces.unexpanded += state.multiplicity > 1
        else:
            self._expand(outcome, self._traces.paths(state))

    def _expand(self, outcome: Halted | Failed, paths: Iterator[State]) -> None:
        """Write a test for each of the paths. A join may lead to a path in two ways, which have the same inputs."""
        for state in paths:
            if self._is_full() or self._is_late(state):
                self._traces.unexpanded += 1
                return
            if state.over:
                self._try(state, always=True)
                continue
            test = self._test(state, outcome)
            world = _world(test)
            if world not in self._worlds:
                self._worlds.add(world)
                self._put(state, test)

    def _cut_path(self, state: State, outcome: Halted | Failed | None) -> None:
        """The path has ended, in an ``outcome`` that its test can expect if it came to its own end."""
        if self._is_full() or self._policy.tests == "errors" or not self._due_edges(state):
            self._give_up(state)
        elif self._is_late(state):
            return
        elif state.over:
            self._try(state, always=False)
        else:
            self._write(state, outcome)

    def _leave(self, state: State) -> None:
        """The path stops here. If it gets a test, a concrete run of its inputs shows how they would end."""
        wanted = self._due_edges(state) and self._policy.tests != "errors" and not self._is_full()
        if not wanted or state.over or self._to_the_end <= 0 or self._policy.deadline.is_short():
            self._cut_path(state, None)
            return
        longest = min(_ONE_TO_THE_END, max(_LEAST_TO_THE_END, self._tally.instructions))
        test, again = self._test(state, None), Replayed(None, None, None, longest)
        with suppress(TimeIsOver), self._policy.deadline.breakable():
            again = self._replay(test, "a test", longest)
        self._to_the_end -= again.instructions
        shown = sorted({*state.pending, *self._settle_replayed()})
        test = replace(self._run_on(test, again), branches=self._names(shown))
        name = self._put(state, test)
        if isinstance(again.end, Error) and again.end not in self._reported:
            self._replays(again.end, again, test, name)

    def _is_full(self) -> bool:
        return self._policy.most is not None and len(self.tests) >= self._policy.most

    def _is_late(self, state: State) -> bool:
        """Whether time is up; if so, a test of ``state`` is due and counts as unwritten."""
        if not self._policy.deadline.is_over():
            return False
        self.unwritten += 1
        self._give_up(state)
        return True

    def _due_edges(self, state: State) -> tuple[int, ...]:
        """The edges that a test of this state would be the first to cover.

        For a state that stands for too much, edges that were tried in vain too often are left out.
        """
        state.pending = self._coverage.unsettled(state.pending)
        if state.over:
            state.pending = tuple([edge for edge in state.pending if self._forgiven.get(edge, 0) <= _FORGIVEN])
        return state.pending

    def _give_up(self, state: State) -> None:
        """Write no test for this state. If it stands for too much, it may not even have a path."""
        if state.over:
            self._lose(state)
        else:
            self._coverage.settle(state.pending)

    def _lose(self, state: State) -> None:
        """The program need not have this path, so the edges that it alone covered are open again."""
        due = self._due_edges(state)
        for edge in due:
            self._forgiven[edge] = self._forgiven.get(edge, 0) + 1
        self._coverage.forget(tuple([edge for edge in due if self._forgiven[edge] <= _FORGIVEN]))

    def _report_fault(self, failed: Failed) -> None:
        expect = testcase.expectation(failed, failed.state)
        assert isinstance(expect, Error)
        if expect in self._reported and not self._policy.every_occurrence:
            self._finish_path(failed)
            return
        over = failed.state.over
        tries = self._tries[expect, over] = self._tries.get((expect, over), 0) + 1
        if tries > _TRIES and not self._policy.every_occurrence:
            self._finish_path(failed)
            return
        paths = self._traces.paths(failed.state) if self._policy.tests == "paths" else iter((failed.state,))
        self._report_first(failed, next(paths), expect)
        if self._policy.tests == "paths":
            self._expand(failed, paths)

    def _report_first(self, failed: Failed, state: State, expect: Error) -> None:
        """Report a fault: as an error if its test on the path of ``state`` replays, else as an alarm."""
        if state.over:
            again, name = self._try(state, always=True)
        else:
            test, name = self._write(state, failed)
            again = self._replay(test, name)
            if again.end == expect:
                self._replays(expect, again, test, name)
        if again.end != expect:
            is_cut = again.end is None and self._policy.deadline.is_over()
            native = Opinion(NOT_ASKED.word, OUT_OF_TIME) if is_cut else NOT_ASKED
            self._alarms.setdefault(expect, finding(failed.fault, name, replayed=False, native=native))

    def _try(self, state: State, *, always: bool) -> tuple[Replayed, str]:
        """Replay inputs of a state that stands for too much, and write a test if it is of use or ``always``.

        Returns the replay and the name of the test, "" if there is none.
        """
        test = replace(testcase.of_state(state, None, self._program, self._command, ()), stdout=None)
        pending = self._due_edges(state)
        before = bytes(self._replayer.coverage.covered)
        again = self._replay(test, "a test")
        replayed = self._replayer.coverage
        now = [hit and not any(before[i : i + 1]) for i, hit in enumerate(replayed.covered)]
        here = {edge for edge, is_new in zip(replayed.edges, now, strict=True) if is_new}
        edges = self._coverage.edges
        state.pending = tuple([edge for edge in pending if not replayed.covers(edges[edge])])
        self._lose(state)
        fresh = self._coverage.adopt(replayed)
        shown = sorted({*fresh, *[edge for edge in pending if edges[edge] in here]})
        state.pending = ()
        error = again.end if isinstance(again.end, Error) else None
        is_error = error is not None and (error not in self._reported or (always and self._policy.every_occurrence))
        if not (always or shown or is_error):
            return again, ""
        name = self._put(state, replace(test, expect=again.end, branches=self._names(shown)))
        if is_error and error is not None:
            self._replays(error, again, test, name)
        return again, name

    def _replay(self, test: TestCase, name: str, longest: int | None = None) -> Replayed:
        return self._replayer.replay(test_file.reread(test, name), longest)

    def _replays(self, expect: Error, again: Replayed, test: TestCase, name: str) -> None:
        """The engine fails again: this is an error or, if a native run denies it, an alarm."""
        self._judge(expect, again, self._opinion(test, again), name)

    def _opinion(self, test: TestCase, again: Replayed) -> Opinion:
        began = monotonic()
        opinion = self._second.of(test, again)
        self._spent -= monotonic() - began  # tests of paths without an error do not cost that
        return opinion

    def _judge(self, expect: Error, again: Replayed, opinion: Opinion, name: str) -> None:
        assert again.fault is not None
        if opinion.word is NativeOpinion.DENIED:
            self._alarms.setdefault(expect, finding(again.fault, name, replayed=False, native=opinion))
        else:
            self._confirm(expect, finding(again.fault, name, replayed=True, left=again.heap, native=opinion))

    def _confirm(self, expect: Error, error: Finding) -> None:
        self._alarms.pop(expect, None)
        self._reported[expect] = error
        self.errors.append(error)
        self._tally.errors += 1
        self._tally.awaited += error.kind in self._policy.stop_at
        name = error.test.removeprefix("tests/").removesuffix(".json")
        self._directory.write(f"errors/{name}.txt", error_text(error).encode("utf-8", "backslashreplace"))
        if error.left is not None:
            self._directory.write(f"errors/{name}.svg", picture(error.left).encode("utf-8", "backslashreplace"))

    def _write(self, state: State, outcome: Halted | Failed | None) -> tuple[TestCase, str]:
        test = self._test(state, outcome)
        return test, self._put(state, test)

    def _test(self, state: State, outcome: Halted | Failed | None) -> TestCase:
        branches = self._names(self._due_edges(state))
        return testcase.of_state(state, outcome, self._program, self._command, branches)

    def _put(self, state: State, test: TestCase) -> str:
        """Write the test of a state."""
        name = self._file(test)
        self.lengths[name] = state.instructions
        self._coverage.settle(state.pending)
        state.pending = ()
        self._traces.wrote(name, state)
        return name

    def _file(self, test: TestCase) -> str:
        """Write the files of a test; returns the name of the first."""
        number = f"tests/{len(self.tests) + 1:06d}"
        name = number + ".json"
        self._directory.write(name, test_file.to_json(test).encode())
        for form in self._formats:
            self._directory.write(number + form.suffix, form.write(test))
        self.tests.append(name)
        self._tally.tests += 1
        return name
