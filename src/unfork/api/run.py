"""Explore a program from a script or a notebook; the command line uses this too."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from unfork import option_rules
from unfork import options as choices
from unfork.api import libc_progress, native_check
from unfork.api.crash import reported
from unfork.api.explorer import Explorer
from unfork.api.given import COPY, FileName, Given, given, words
from unfork.api.libc_progress import shown_progress, silent_progress
from unfork.api.native_check import Origin
from unfork.api.one_at_a_time import ONE_AT_A_TIME
from unfork.api.reporting import adopted, as_counted, counted, places
from unfork.api.saving import Earlier, Saving, Snapshot, begin, is_kept, journal, rows_of, snapshot
from unfork.api.watching import watched
from unfork.clang.suffixes import IR_SUFFIXES
from unfork.contracts.observer import Observer
from unfork.contracts.stopper import Stopper
from unfork.errors import InputError, OutOfTime
from unfork.explore.endings import TimeIsOver, broken_off
from unfork.explore.limits import resident_bytes
from unfork.failures import CRASH, Failure, Survival
from unfork.later import Later
from unfork.llvm import compiler
from unfork.llvm.module import Program
from unfork.logic.solver import FOREVER
from unfork.options import INFERRED, RUN_FORMATS, VERSION, Options
from unfork.prune.contract import PruneCounts
from unfork.race.messages import Standing
from unfork.race.referee import FIRST, Book, Entrant, Referee
from unfork.replay.second_opinion import NativeCheck, NoCheck
from unfork.report import directory as directories
from unfork.report.coverage_measure import Coverage, measure, rows
from unfork.report.database import Database
from unfork.report.directory import RunDirectory, WriteFailed
from unfork.report.findings import Finding
from unfork.report.journal import end
from unfork.report.recorder import Recorder
from unfork.report.summary import Account, SoFar, as_json, compiler_warnings, happened, summary, verdict, warnings
from unfork.report.text import KILLED, plural
from unfork.report.verdict import judge
from unfork.state.state import State
from unfork.wiring import clusters, compiling, outputs, solving
from unfork.wiring.cores import helpers, some
from unfork.wiring.proofs import proofs
from unfork.wiring.strategies import strategies

if TYPE_CHECKING:
    from unfork.api import contending, export, working
    from unfork.api.working import Crew
    from unfork.formats import testcomp
    from unfork.inputs import call_sequences
    from unfork.llvm import parcel
    from unfork.page import live
    from unfork.page.live import Live
    from unfork.race import process
    from unfork.race import team as race_team
    from unfork.race.contestant import Contestant, Elsewhere
    from unfork.race.team import Team
    from unfork.replay import binary
    from unfork.report import loops, notebook
else:
    contending = Later("unfork.api.contending")
    export = Later("unfork.api.export")
    call_sequences = Later("unfork.inputs.call_sequences")
    live = Later("unfork.page.live")
    process = Later("unfork.race.process")
    race_team = Later("unfork.race.team")
    binary = Later("unfork.replay.binary")
    loops = Later("unfork.report.loops")
    notebook = Later("unfork.report.notebook")
    testcomp = Later("unfork.formats.testcomp")
    parcel = Later("unfork.llvm.parcel")
    working = Later("unfork.api.working")

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
    otherwise: str
    """What the verdict would be if the errors were none."""

    def __repr__(self) -> str:
        counts = f"{plural(len(self.errors), 'error')}, {plural(len(self.alarms), 'alarm')}"
        return f"<Result {self.verdict}: {counts}, {plural(len(self.tests), 'test')} in {str(self.directory)!r}>"

    def _repr_html_(self) -> str:
        """The result as a notebook shows it."""
        return notebook.run_html(self.summary, self.errors, self.alarms, str(self.directory))


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
    progress = silent_progress if options.quiet else shown_progress
    began = time.monotonic()
    libraries, compiled = compiling.libraries(options, progress), compiling.compile_options(options)
    if asked.folder is not None:
        compiled = replace(compiled, flags=(*compiled.flags, "-iquote", "."))
    sources = [Path(name) for name in asked.names]
    if options.data_model == "ILP32" and any(source.suffix in IR_SUFFIXES for source in sources):
        raise InputError("--data-model ILP32 is for C; bitcode has its own")

    def build(*more: Path) -> Program:
        return compiler.build([*asked.paths, *more], compiled, sources, libraries)

    try:
        program = outputs.with_calls(options, build(), build)
    except OutOfTime as problem:
        raise OutOfTime(f"{problem}{libc_progress.what_is_left(options.libc)}") from None
    return explored(asked, program, options, arguments, observers, began)


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
        return explored(asked, program, chosen, after, observers, time.monotonic())


def _checked(options: Options | None, observers: Any) -> Options:
    """The options of a run. Raises InputError if they make no sense, and TypeError."""
    if not isinstance(options, Options | None):
        raise TypeError(f"options: must be Options, not {type(options).__name__}")
    if not isinstance(observers, Sequence) or not all(
        callable(getattr(observer, "tell", None)) for observer in observers
    ):
        raise TypeError("observers: must be a list of objects with a method tell(event)")
    chosen = Options() if options is None else options
    option_rules.check(chosen)
    directories.check_place(chosen.out)
    return chosen


def explored(
    asked: Given,
    program: Program,
    options: Options,
    arguments: tuple[str, ...],
    observers: Sequence[Observer],
    began: float,
    earlier: Earlier | None = None,
) -> Result:
    """Explore a program that is built; ``earlier`` is the run to go on with, if there is one."""
    deadline = FOREVER if options.max_time is None else began + options.max_time
    chosen = strategies(options)
    is_alone = bool(observers) or options.cluster is not None
    counts = [0] * len(chosen) if is_alone else helpers(options, len(chosen))
    share = None if options.max_memory is None else options.max_memory // (len(chosen) + sum(counts))
    crews = [
        working.Crew(name, count, asked.names, replace(each, max_memory=share), arguments, program, began)
        for (name, each), count in zip(chosen, counts, strict=True)
    ]
    with contextlib.ExitStack() as closing:
        if options.cores is not None:
            closing.callback(os.sched_setaffinity, 0, os.sched_getaffinity(0))
            os.sched_setaffinity(0, some(options.cores))
        cluster = clusters.cluster(options, len(chosen), partial(parcel.packed, program))
        if cluster is not None:
            closing.callback(cluster.close)
        backend = solving.backend(options)
        closing.callback(backend.solver.close)
        proving = proofs(options, deadline)
        closing.callback(proving.close)
        kept = None if asked.folder is None else Path(asked.folder.name)
        kept = kept if earlier is None else earlier.root
        origin = Origin(program, options, asked.names, kept, None, binary.Enclosure.REQUIRED)
        check = native_check.check(origin, deadline)
        closing.callback(check.close)
        page = None if options.serve is None else live.Live(options.serve)
        if page is not None:
            closing.callback(page.end)
        try:
            with broken_off(deadline):
                explorer = Explorer(asked.names, chosen[0][1], arguments, program, backend, proving, began)
                prepared = _Run(asked, options, arguments, crews, explorer, check, cluster, earlier)
        except TimeIsOver:
            raise OutOfTime(f"--max-time: {options.max_time:g} s were over before exploration began") from None
        return prepared.explore(observers, page)


class _Run:
    """One run: what explores, and all that is written of it."""

    def __init__(
        self,
        asked: Given,
        options: Options,
        arguments: tuple[str, ...],
        crews: Sequence[Crew],
        explorer: Explorer,
        check: NativeCheck | NoCheck,
        cluster: Elsewhere | None,
        earlier: Earlier | None,
    ) -> None:
        self.crews = crews
        self.name = crews[0].name
        self.cluster = cluster
        self.given = asked
        self.begun = asked.names, options, arguments
        """What the user has asked for; the options of the strategy that begins are its own."""
        self.explorer = explorer
        self.check = check
        self.earlier = earlier
        self.options = explorer.options
        self.program = explorer.program
        self.parts = explorer.parts
        self.failures = explorer.failures
        self.referee: Referee | None = None
        self.team: Team | None = None

    def explore(self, observers: Sequence[Observer], page: Live | None) -> Result:
        """Run to the end or to a limit, and write all results."""
        explorer, earlier = self.explorer, self.earlier
        directory = directories.create(self.options.out) if earlier is None else RunDirectory(earlier.root)
        with directories.claimed(directory), explorer.interrupt:
            formats = outputs.formats(self.options, lambda: self.program)
            recorder = explorer.recorder(directory, formats, self.check)
            before = None if earlier is None else earlier.restore(self.name, explorer, recorder)
            try:
                if earlier is None:
                    self._prepare(directory)
                else:
                    earlier.adopt(recorder, self.parts.tally.instructions)
                so_far = SoFar(directory, partial(self._account, recorder))
                rows_before = None if earlier is None else rows_of(before, explorer)
                database = Database(
                    directory.root / "run.db",
                    self.parts.traces,
                    lambda: places(self.name, explorer, self.team, self.referee),
                    rows_before,
                )
                self.team = team = self._team(recorder)
                saving = self._saving(directory.root, recorder, team)
            except WriteFailed as failed:
                explorer.not_written(failed)
                return self._finish(directory, recorder, None)
            told = explorer.observers(recorder, (database, so_far, *observers))
            with watched(explorer, recorder, directory.root, page, self._doing, told):
                racing = partial(self._racing, directory.root, recorder, team, before)
                explorer.loop(recorder, told, lambda limits: saving(racing(limits)), team.wait)
                self._end_race()
                if explorer.stopped_by is None and not self.parts.tally.dropped:  # else failures may have been missed
                    with Survival(self.failures, "the audit"):
                        explorer.proofs.explore_again(self.parts, recorder.seen, explorer.is_over)
            return self._finish(directory, recorder, database)

    def _saving(self, root: Path, recorder: Recorder, team: Team) -> Callable[[Stopper], Stopper]:
        """What keeps the journal, where there is one. Raises WriteFailed."""
        if not is_kept(self.options):
            return lambda stopper: stopper
        kept = journal(self.explorer, root, self.name)
        return lambda stopper: Saving(
            stopper, kept, lambda: snapshot(self.explorer, recorder, team, {}, (), self._all_standings())
        )

    def _team(self, recorder: Recorder) -> Team:
        """The processes that explore the first strategy, of which this one is the first."""
        begin_all = partial(self.crews[0].begin, self.parts.machine)
        return race_team.Team(working.Side(self.explorer), begin_all, FIRST, partial(adopted, recorder))

    def _racing(self, root: Path, recorder: Recorder, team: Team, before: Snapshot | None, limits: Stopper) -> Stopper:
        """What stops the exploration: the limits, or the end of a race with other strategies."""
        entrants = [Entrant(crew.name, partial(self._begun, root, crew)) for crew in self.crews[1:]]
        if not entrants:
            return team.behind(limits) if self.crews[0].count else limits
        book = Book(partial(adopted, recorder), self.parts.coverage.settled_edges, recorder.run_nothing_on)
        memory = None if self.options.max_memory is None else self.options.max_memory << 20
        self.referee = Referee(self.name, entrants, limits, team.elapsed, self.parts.tally, book, memory)
        if before is not None:
            self.referee.go_on(before.standings)
        return team.behind(self.referee) if self.crews[0].count else self.referee

    def _begun(self, root: Path, crew: Crew) -> Contestant:
        """A strategy that explores the program in a process of its own, with its crew, or on a cluster."""
        if self.cluster is not None:
            return self.cluster.begin(crew.name, contending.assignment(crew))
        kept = None if self.earlier is None else self.earlier.kept.get(crew.name)
        contest = contending.Contest(crew, root, kept)
        return process.Process(crew.name, lambda channel: contending.contend(channel, contest))

    def _end_race(self) -> None:
        """End the other processes. If one of the other strategies has explored everything, so has the run."""
        if self.team is not None:
            self._ended(self.team.end)
            for failure in self.team.failures:
                self.failures.keep(failure)
        if self.referee is not None:
            self._ended(self.referee.end)
            for failure in self.referee.failures.values():
                self.failures.keep(failure)

    def _ended(self, end: Callable[[str | None], str | None]) -> None:
        """End others, who are told why, and say why the run ends; what they have found may find no place."""
        explorer = self.explorer
        try:
            with Survival(self.failures, "the others' last results", WriteFailed):
                explorer.stopped_by = end(explorer.stopped_by)
        except WriteFailed as failed:
            explorer.not_written(failed)

    def _prepare(self, directory: RunDirectory) -> None:
        directory.write("program.bc", self.program.bitcode)
        if is_kept(self.options):
            begin(directory.root, *self.begun)
        if (copy := self.given.copy()) is not None:
            directory.write(COPY, copy)
        if (calls := outputs.calls(self.options, self.program)) is not None:
            directory.write(call_sequences.FILE, call_sequences.driver(calls, self.options.entry).encode())
        if "xml" in self.options.formats:
            told = testcomp.of_program(self.explorer.files[0], self.given.paths[0], self.options.entry)
            directory.write("tests/metadata.xml", told.encode())

    def _finish(self, directory: RunDirectory, recorder: Recorder, database: Database | None) -> Result:
        self.parts.tally.resident_peak = max(self.parts.tally.resident_peak, resident_bytes())
        self._surely(recorder.finish, None, "the last tests")
        account = self._finished(recorder)
        untold: str | None = None
        try:
            if database is not None and self.explorer.full is None:
                self._close(database)
                account = replace(account, failure=self.failures.first)
            self._write_down(directory, account)
            if not set(RUN_FORMATS).isdisjoint(self.options.formats):
                untold = export.write_chosen(directory, self.options, self.program, self.failures)
            if self.failures.first is not account.failure:
                account = replace(account, failure=self.failures.first)
                self._write_down(directory, account)
        except WriteFailed as failed:
            if self.explorer.full is None:
                self.explorer.not_written(failed)
                account = replace(account, stopped_by=self.explorer.stopped_by)
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
            self._waiting(),
            self.program,
            untold if self.explorer.full is None else str(self.explorer.full),
            account.failure,
            judge(replace(happened(account), errors=0)).word,
        )

    def _close(self, database: Database) -> None:
        with Survival(self.failures, "the end of run.db", WriteFailed):
            ran = [name for name in self.program.defined if self.explorer.has_run(name)]
            database.close(self.parts.statistics.as_dict(), rows(self.program, self.parts.coverage), ran)

    def _write_down(self, directory: RunDirectory, account: Account) -> None:
        if account.stopped_by is None and not account.tally.dropped and account.failure is None:
            end(directory.root)
        directory.write("summary.json", as_json(summary(account)).encode())
        if self.parts.abstract_loops is not None:
            told = loops.loops_text(self.parts.abstract_loops, self.parts.machine.facts)
            directory.write(loops.FILE, told.encode("utf-8", "backslashreplace"))
        directory.write("warnings.txt", warnings(account).encode("utf-8", "backslashreplace"))
        if account.failure is not None:
            directory.write(CRASH, self.failures.text().encode("utf-8", "backslashreplace"))

    def _finished(self, recorder: Recorder) -> Account:
        """The account of a run that is over, with what is counted only at the end."""
        account = self._account(recorder)
        prunes = self._surely(self.parts.pruned.finish, PruneCounts(), "what pruning came to")
        if self.team is not None and self.team.members:
            counts = self.team.counts(replace(counted(self.explorer), prunes=prunes))
            account, prunes = as_counted(account, counts), counts.prunes
        if self.referee is not None and self.referee.winner is not None:
            counts = self.referee.winner.counts
            account, prunes = as_counted(account, counts), counts.prunes
        return replace(
            account,
            stopped_by=self.explorer.stopped_by or ("max-time" if self.check.is_cut_short else None),
            coverage=self._surely(self._measured, None, "coverage"),
            prunes=prunes,
            path_count=self._surely(self.explorer.proofs.paths, None, "the count of paths"),
            seconds=self.explorer.seconds(),
            failure=self.failures.first,
            workers=() if self.team is None or not self.team.members else self.team.as_dicts(),
        )

    def _surely(self, find: Callable[[], _T], otherwise: _T, what: str) -> _T:
        """The result of ``find``, or ``otherwise`` if it fails."""
        with Survival(self.failures, what):
            return find()
        return otherwise

    def _measured(self) -> Coverage | None:
        roots = (self.options.entry, *self.program.constructors)
        return measure(self.program, self.parts.coverage, roots, self.explorer.has_run)

    def _waiting(self) -> tuple[State, ...]:
        """The states that were left; none if another strategy has explored everything."""
        return () if self.explorer.stopped_by is None else tuple(self.parts.scheduled.frontier)

    def _account(self, recorder: Recorder) -> Account:
        """The account of a run that is still going on."""
        options = self.options
        return Account(
            VERSION,
            self.explorer.files,
            choices.as_dict(options),
            options.seed,
            KILLED,
            options.is_given("max_size"),
            self.parts.tally,
            self.parts.statistics,
            None,
            recorder.errors,
            recorder.alarms,
            self.explorer.seconds(),
            self.parts.scheduled.counts,
            recorder.unexpanded,
            PruneCounts(),
            None,
            self.explorer.proofs.audited,
            self.explorer.assumptions(),
            (
                *self.program.notes,
                *(() if self.cluster is None else self.cluster.notes),
                *compiler_warnings(self.program.warnings),
            ),
            self.failures.first,
            recorder.unwritten,
            self._standings(),
            self.parts.refinement.as_dict() if options.join == INFERRED else None,
            arguments=self.begun[2],
            given=options.given,
        )

    def _doing(self) -> list[str]:
        """What each strategy does, once they are several."""
        standings = self._all_standings()
        return [standing.doing() for standing in standings if standings[0].rounds]

    def _standings(self) -> list[dict[str, Any]]:
        return [standing.as_dict() for standing in self._all_standings()]

    def _all_standings(self) -> tuple[Standing, ...]:
        return () if self.referee is None else tuple(self.referee.standings())
