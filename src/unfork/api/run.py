"""Explore a program from a script or a notebook; the command line uses this too."""

from __future__ import annotations

import contextlib
import hashlib
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from unfork import options as choices
from unfork.api import native_check
from unfork.api.crash import CRASH, reported
from unfork.api.given import COPY, FileName, Given, given, words
from unfork.api.libc_progress import shown_progress, silent_progress
from unfork.api.native_check import Origin
from unfork.api.one_at_a_time import ONE_AT_A_TIME
from unfork.contracts.events import Left
from unfork.contracts.observer import Observer
from unfork.errors import OutOfTime
from unfork.execute.coverage import BranchCoverage
from unfork.explore.endings import Breakable, Deadline, Interrupt, TimeIsOver, broken_off
from unfork.explore.failures import (
    INTERNAL_ERROR,
    Failure,
    Failures,
    Survival,
    SurvivingJoiner,
    SurvivingObserver,
    SurvivingPruner,
    SurvivingStepper,
)
from unfork.explore.limits import Limits, resident_bytes
from unfork.explore.loop import Exploration
from unfork.explore.tally import Metered
from unfork.inputs.call_sequences import FILE, driver
from unfork.logic.solver import FOREVER, Solver
from unfork.options import VERSION, Options
from unfork.program import clang
from unfork.program.layout_dependence import assumed_layout
from unfork.program.module import Program
from unfork.prune.contract import PruneCounts
from unfork.replay.binary import Enclosure
from unfork.replay.second_opinion import NativeCheck, NoCheck
from unfork.report import directory as places
from unfork.report import testcomp
from unfork.report.coverage_measure import Coverage, measure, rows
from unfork.report.database import Database
from unfork.report.directory import RunDirectory, WriteFailed
from unfork.report.findings import Finding
from unfork.report.progress import Progress
from unfork.report.recorder import Recorder
from unfork.report.so_far import SoFar
from unfork.report.summary import Account, as_json, compiler_warnings, summary, verdict, warnings
from unfork.report.text import KILLED, plural
from unfork.state.state import State
from unfork.wiring import bounding, compiling, machines, outputs, solving
from unfork.wiring.parts import assembled
from unfork.wiring.proofs import Proofs, proofs

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, repr=False)
class Result:
    """What a run found. ``waiting`` holds the states that were left; the ``path`` of each is its path condition."""

    verdict: str
    exit_status: int
    errors: tuple[Finding, ...]
    alarms: tuple[Finding, ...]
    tests: tuple[Path, ...]
    summary: dict[str, Any]
    directory: Path
    waiting: tuple[State, ...]
    program: Program
    trouble: str | None
    """One line on why the run directory is incomplete; None if it is complete."""
    failure: Failure | None
    """The first failure of the engine itself; crash.txt in ``directory`` says more."""

    def __repr__(self) -> str:
        counts = f"{plural(len(self.errors), 'error')}, {plural(len(self.alarms), 'alarm')}"
        return f"<Result {self.verdict}: {counts}, {plural(len(self.tests), 'test')} in {str(self.directory)!r}>"


def run(
    files: FileName | Iterable[FileName],
    options: Options | None = None,
    arguments: Iterable[str] = (),
    observers: Sequence[Observer] = (),
) -> Result:
    """Explore the program in ``files`` (one or several), and write a run directory.

    ``observers`` are told of every event (unfork.contracts.events), with the states. Ctrl-C ends the run and keeps its
    results. Threads take turns: only one runs at a time. Raises InputError, before anything is written, for input or
    options that cannot be used, and TypeError for values of the wrong type.
    """
    chosen, after = _checked(options, observers), words(arguments)
    with contextlib.ExitStack() as closing:
        closing.enter_context(ONE_AT_A_TIME)
        asked = given(files)
        closing.callback(asked.close)
        closing.enter_context(reported(asked.names, chosen))
        return _built(asked, chosen, after, observers)


def _built(asked: Given, options: Options, arguments: tuple[str, ...], observers: Sequence[Observer]) -> Result:
    progress = shown_progress if _is_watched(options) else silent_progress
    if options.max_time is not None:
        compiling.make_ready(options, progress)
    began = time.monotonic()
    libraries, compiled = compiling.libraries(options, progress), compiling.compile_options(options)
    if asked.folder is not None:
        compiled = replace(compiled, flags=(*compiled.flags, "-iquote", "."))
    sources = [Path(name) for name in asked.names]

    def build(*more: Path) -> Program:
        return clang.build([*asked.paths, *more], compiled, sources, libraries)

    program = outputs.with_calls(options, build(), build)
    return _explored(asked, program, options, arguments, observers, began)


def explore(
    files: FileName | Iterable[FileName],
    program: Program,
    options: Options | None = None,
    arguments: Iterable[str] = (),
    observers: Sequence[Observer] = (),
) -> Result:
    """Like ``run``, on a program already built from ``files`` (Result.program): for runs that differ in the search."""
    chosen, after = _checked(options, observers), words(arguments)
    asked = given(files)
    with ONE_AT_A_TIME, reported(asked.names, chosen):
        return _explored(asked, program, chosen, after, observers, time.monotonic())


def _checked(options: Options | None, observers: Any) -> Options:
    """The options of a run. Raises InputError if they make no sense, and TypeError."""
    if not isinstance(options, Options | None):
        raise TypeError(f"options: must be Options, not {type(options).__name__}")
    if not isinstance(observers, Sequence) or not all(
        callable(getattr(observer, "tell", None)) for observer in observers
    ):
        raise TypeError("observers: must be a list of objects with a method tell(event)")
    chosen = Options() if options is None else options
    choices.check(chosen)
    places.check_place(chosen.out)
    return chosen


def _explored(
    asked: Given,
    program: Program,
    options: Options,
    arguments: tuple[str, ...],
    observers: Sequence[Observer],
    began: float,
) -> Result:
    deadline = FOREVER if options.max_time is None else began + options.max_time
    with contextlib.ExitStack() as closing:
        backend = solving.solver(options)
        closing.callback(backend.close)
        proving = proofs(options, deadline)
        closing.callback(proving.close)
        kept = None if asked.folder is None else Path(asked.folder.name)
        check = native_check.check(Origin(program, options, asked.names, kept, None, Enclosure.REQUIRED), deadline)
        closing.callback(check.close)
        try:
            with broken_off(deadline):
                prepared = _Run(asked, options, arguments, program, backend, proving, check, began)
        except TimeIsOver:
            raise OutOfTime(f"--max-time: {options.max_time:g} s were over before exploration began") from None
        return prepared.explore(observers)


def _is_watched(options: Options) -> bool:
    """Whether the user can see the progress."""
    return not (options.quiet or options.no_progress or sys.stderr is None or not sys.stderr.isatty())


class _Run:
    """The parts of one run, put together."""

    def __init__(
        self,
        asked: Given,
        options: Options,
        arguments: tuple[str, ...],
        program: Program,
        backend: Solver,
        proving: Proofs,
        check: NativeCheck | NoCheck,
        began: float,
    ) -> None:
        self.proofs = proving
        self.check = check
        self.given = asked
        self.files = asked.names
        self.options = options
        self.program = program
        self.began = began
        self.interrupt = Interrupt()
        self.deadline = Deadline(began, options.max_time, self.interrupt)
        self.failures = Failures()
        self.parts = assembled(options, program, arguments, backend, self.deadline.end)
        self.stopped_by: str | None = None
        self.trouble: str | None = None

    def explore(self, observers: Sequence[Observer]) -> Result:
        """Run to the end or to a limit, and write all results."""
        directory = places.create(self.options.out)
        with self.interrupt:
            recorder = self._recorder(directory)
            try:
                self._prepare(directory)
                so_far = SoFar(directory, partial(self._account, recorder))
                database = Database(directory.root / "run.db", self.parts.traces)
            except WriteFailed as failed:
                self._disk_full(failed)
                return self._finish(directory, recorder, None)
            parts = self.parts
            told = self._whole((parts.tally, parts.traces, parts.assumptions, recorder, database, so_far, *observers))
            breakable = Breakable(self.interrupt)
            interruptible = (*self.proofs.observers, *parts.pruned.observers)
            told += [SurvivingObserver(observer, self.failures, breakable) for observer in interruptible]
            parts.pruned.heed(self._is_over)
            if not self.options.all_errors:
                parts.pruned.trust(recorder.has_reported)
            with self._progress(told):
                self._loop(recorder, told)
                if self.stopped_by is None and not parts.tally.dropped:  # else it might still have found the failures
                    with Survival(self.failures, "the audit"):
                        self.proofs.explore_again(parts, recorder.seen, self._is_over)
            return self._finish(directory, recorder, database)

    def _whole(self, observers: Sequence[Observer]) -> list[Observer]:
        """The observers, so that nothing interrupts them and their failures interrupt nothing."""
        uninterrupted = contextlib.nullcontext()
        return [SurvivingObserver(observer, self.failures, uninterrupted, WriteFailed) for observer in observers]

    def _loop(self, recorder: Recorder, observers: list[Observer]) -> None:
        until = partial(self._until, recorder)
        bounds = bounding.bounds(self.options)
        limits = Limits(bounds, self.parts.tally, self.interrupt, self._forget, observers, until)
        breakable = Breakable(self.interrupt)
        exploration = Exploration(
            SurvivingStepper(Metered(self.parts.stepper, self.parts.tally), self.failures, breakable),
            self.parts.pruned.resting,
            self.parts.scheduled.frontier,
            self.parts.follow,
            SurvivingPruner(self.parts.pruned.pruner, self.failures, breakable),
            SurvivingJoiner(self.parts.scheduled.joiner, self.failures, breakable),
            limits,
            self.parts.graph,
            observers,
        )
        try:
            with Survival(self.failures, "the exploration", WriteFailed):
                self.stopped_by = INTERNAL_ERROR  # unless it ends by itself
                self.stopped_by = exploration.run(self.parts.first, self.parts.scheduled.later)
                return
        except KeyboardInterrupt:
            self.parts.tally.left += 1 + len(self.parts.scheduled.frontier)
            self.stopped_by = "interrupt"
            return
        except TimeIsOver:
            self.stopped_by = "interrupt" if self.interrupt.requested else "max-time"
        except WriteFailed as failed:
            self.parts.tally.left += 1 + len(self.parts.scheduled.frontier)
            self._disk_full(failed)
            return
        self.parts.tally.left += 1
        self._leave(exploration)

    def _leave(self, exploration: Exploration) -> None:
        """After an interrupted exploration, tell of the waiting states as it would have done itself."""
        try:
            with Survival(self.failures, "what was left", WriteFailed):
                self._forget()
                for state in self.parts.scheduled.frontier:
                    exploration.tell(Left(state))
        except WriteFailed as failed:
            self._disk_full(failed)

    def _until(self, recorder: Recorder, waiting: int) -> float:
        """When exploration must stop so that the tests due by then can still be written."""
        due = min(waiting, self.parts.coverage.open())
        until = self.parts.chain.deadline = self.deadline.until(due, recorder.seconds_per_test)
        if until < FOREVER and not self.interrupt.requested:
            self.interrupt.wake(until + self.deadline.slack)
        return until

    def _forget(self) -> None:
        self.parts.chain.forget()
        self.parts.pruned.forget()
        self.proofs.forget()

    def _is_over(self) -> bool:
        return self.interrupt.requested or time.monotonic() > self.parts.chain.deadline

    def _recorder(self, directory: RunDirectory) -> Recorder:
        last = self.deadline.end + self.deadline.slack
        self.replayer = machines.replayer(
            self.options, self.program, BranchCoverage(), self._is_astray, self.parts.chain.solver, last
        )
        return Recorder(
            directory,
            (self.files, self.parts.command),
            outputs.policy(self.options, self.deadline.is_over),
            outputs.formats(self.options, self.program),
            (self.replayer, self.check),
            self.parts.coverage,
            self.parts.tally,
            self.parts.traces,
        )

    def _is_astray(self, state: State) -> bool:
        """Whether a replay must have left its path: it takes far longer than the run did, or time is up."""
        return state.instructions > 2 * self.parts.tally.instructions + 1_000_000 or self.deadline.is_long_over()

    def _prepare(self, directory: RunDirectory) -> None:
        directory.write("program.bc", self.program.bitcode)
        if (copy := self.given.copy()) is not None:
            directory.write(COPY, copy)
        if (calls := outputs.calls(self.options, self.program)) is not None:
            directory.write(FILE, driver(calls, self.options.entry).encode())
        if "xml" in self.options.formats:
            directory.write("tests/metadata.xml", self._metadata().encode())

    def _metadata(self) -> str:
        digest = hashlib.sha256(self.given.paths[0].read_bytes()).hexdigest()
        created = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        return testcomp.metadata(self.files[0], digest, f"unfork {VERSION}", self.options.entry, created)

    def _disk_full(self, failed: WriteFailed) -> None:
        self.trouble = str(failed)
        self.stopped_by = "disk-full"

    @contextlib.contextmanager
    def _progress(self, observers: list[Observer]) -> Iterator[None]:
        if not _is_watched(self.options):
            yield
            return
        limit = "" if self.options.max_time is None else f"  until {self.options.max_time:g} s"
        limit += "" if self.options.max_memory is None else f" of {self.options.max_memory}"
        shown = Progress(self.parts.tally, self.parts.statistics, self.parts.coverage, limit)
        observers += self._whole((shown,))
        try:
            yield
        finally:
            shown.stop()

    def _finish(self, directory: RunDirectory, recorder: Recorder, database: Database | None) -> Result:
        self.parts.tally.resident_peak = max(self.parts.tally.resident_peak, resident_bytes())
        self._surely(recorder.finish, None, "the last tests")
        account = self._finished(recorder)
        try:
            if database is not None and self.trouble is None:
                self._close(database)
                account = replace(account, failure=self.failures.first)
            self._write_down(directory, account)
        except WriteFailed as failed:
            if self.trouble is None:
                self._disk_full(failed)
                account = replace(account, stopped_by=self.stopped_by)
            with contextlib.suppress(WriteFailed):  # there may be room for the summary at least
                directory.write("summary.json", as_json(summary(account)).encode())
        data = summary(account)
        judged = verdict(account)
        return Result(
            judged.word,
            judged.exit_status,
            tuple(recorder.errors),
            tuple(recorder.alarms),
            tuple(directory.root / name for name in recorder.tests),
            data,
            directory.root,
            tuple(self.parts.scheduled.frontier),
            self.program,
            self.trouble,
            account.failure,
        )

    def _close(self, database: Database) -> None:
        with Survival(self.failures, "the end of run.db", WriteFailed):
            database.close(self.parts.statistics.as_dict(), rows(self.program, self.parts.coverage))

    def _write_down(self, directory: RunDirectory, account: Account) -> None:
        directory.write("summary.json", as_json(summary(account)).encode())
        directory.write("warnings.txt", warnings(account).encode("utf-8", "backslashreplace"))
        if account.failure is not None:
            directory.write(CRASH, self.failures.text().encode("utf-8", "backslashreplace"))

    def _finished(self, recorder: Recorder) -> Account:
        """The account of a run that is over, with what is counted only at the end."""
        return replace(
            self._account(recorder),
            stopped_by=self.stopped_by,
            coverage=self._surely(self._measured, None, "coverage"),
            prunes=self._surely(self.parts.pruned.finish, PruneCounts(), "what pruning came to"),
            path_count=self._surely(self.proofs.paths, None, "the count of paths"),
            seconds=time.monotonic() - self.began,
            failure=self.failures.first,
        )

    def _surely(self, find: Callable[[], _T], otherwise: _T, what: str) -> _T:
        """The result of ``find``, or ``otherwise`` if it fails."""
        with Survival(self.failures, what):
            return find()
        return otherwise

    def _measured(self) -> Coverage | None:
        roots = (self.options.entry, *self.program.constructors)
        return measure(self.program, self.parts.coverage, roots, self._has_run)

    def _has_run(self, name: str) -> bool:
        """Whether a function has run, if only in a replay."""
        return self.parts.machine.has_run(name) or self.replayer.has_run(name)

    def _account(self, recorder: Recorder) -> Account:
        """The account of a run that is still going on."""
        options = self.options
        return Account(
            VERSION,
            self.files,
            choices.as_dict(options),
            options.seed,
            KILLED,
            options.is_given("max_size"),
            self.parts.tally,
            self.parts.statistics,
            None,
            recorder.errors,
            recorder.alarms,
            time.monotonic() - self.began,
            self.parts.scheduled.counts,
            recorder.unexpanded,
            PruneCounts(),
            None,
            self.proofs.audited,
            (*self.parts.assumptions.words(), *assumed_layout(self.parts.machine.running(), self.program)),
            (*self.program.notes, *compiler_warnings(self.program.warnings)),
            self.failures.first,
            recorder.unwritten,
        )
