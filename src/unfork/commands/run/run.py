"""Explores a program: for scripts and notebooks, and for the command line."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unfork.commands.afterwards import native_check
from unfork.commands.assemble import bounding, checks, corpora, outputs, starting
from unfork.commands.assemble.building import (
    ONE_AT_A_TIME,
    FileName,
    build_for_run,
    function_named,
    given,
    with_objects,
    words,
)
from unfork.commands.assemble.raced_strategies import kind, restriction, strategies
from unfork.commands.run import campaigns, cores, watching
from unfork.commands.run.accounting import reporting_failures
from unfork.commands.run.driver import RunDriver, RunRequest
from unfork.commands.run.outlet import FinishedRun
from unfork.commands.run.strategy_plan import StrategyPlan
from unfork.engine.explore.endings import TimeIsOver, broken_off
from unfork.engine.protocols.events import Observer
from unfork.engine.state.state import State
from unfork.errors import OutOfTime
from unfork.failures import InternalFailure
from unfork.options import option_rules
from unfork.options.options import Options
from unfork.options.strategies import StrategyKind
from unfork.program.llvm.module import Program
from unfork.report.record import directory as directories
from unfork.report.record import notebook
from unfork.report.record.findings import Finding
from unfork.report.record.summary import otherwise, summary, verdict
from unfork.report.record.text import plural

if TYPE_CHECKING:
    from unfork.commands.afterwards.native_check import BuildOrigin
    from unfork.report.replay.native_fuzzer import NativeFuzzer


@dataclass(frozen=True, slots=True, repr=False)
class Result:
    """The findings of a run. ``waiting`` are the states that were left; the ``path`` of each is its path condition."""

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
    failure: InternalFailure | None
    """The first failure of the engine itself; crash.txt in ``directory`` says more."""
    otherwise: str
    """The verdict if the errors were none."""

    def __repr__(self) -> str:
        counts = f"{plural(len(self.errors), 'error')}, {plural(len(self.alarms), 'alarm')}"
        return f"<Result {self.verdict}: {counts}, {plural(len(self.tests), 'test')} in {str(self.directory)!r}>"

    def _repr_html_(self) -> str:
        return notebook.run_html(self.summary, self.errors, self.alarms, str(self.directory))


def run(
    files: FileName | Iterable[FileName],
    options: Options | None = None,
    arguments: Iterable[str] = (),
    observers: Sequence[Observer] = (),
) -> Result:
    """Explore the program in ``files`` (one or several), and write a run directory.

    ``observers`` get every event (unfork.engine.protocols.events) with its states. Ctrl-C ends the run and keeps its
    results. Calls from several threads take turns. Raises InputError, before anything is written, for input or options
    that cannot be used, and TypeError for values of the wrong type.
    """
    chosen, after = _check(options, observers), words(arguments)
    with contextlib.ExitStack() as closing:
        closing.enter_context(ONE_AT_A_TIME)
        asked = given(files)
        closing.callback(asked.close)
        closing.enter_context(reporting_failures(asked.names, chosen))
        chosen, corpus = corpora.read(chosen)
        program = build_for_run(chosen, asked)
        chosen = corpora.with_channel(chosen, program, after)
        if chosen.corpus:
            corpora.check(program, starting.command(chosen, after))
            program.notes = (*program.notes, *corpus.notes)
        chosen = replace(chosen, function=function_named(program, chosen.function))
        chosen, program = with_objects(chosen, asked, program)
        return explore_program(RunRequest(asked, chosen, after, None, corpus), program, observers)


def fuzz(files: Iterable[FileName], options: Options, arguments: Iterable[str] = ()) -> Result:
    """Like ``run``, with native runs of mutated inputs beside the exploration."""
    return run(files, corpora.fuzzing(options), arguments)


def explore(
    files: FileName | Iterable[FileName],
    program: Program,
    options: Options | None = None,
    arguments: Iterable[str] = (),
    observers: Sequence[Observer] = (),
) -> Result:
    """Like ``run``, on a program already built from ``files`` (Result.program): for runs that differ in the search."""
    chosen, after = _check(options, observers), words(arguments)
    asked = given(files)
    with ONE_AT_A_TIME, reporting_failures(asked.names, chosen):
        return explore_program(RunRequest(asked, chosen, after, None), program, observers)


def _check(options: Options | None, observers: Any) -> Options:
    if not isinstance(options, Options | None):
        raise TypeError(f"options: must be Options, not {type(options).__name__}")
    if not isinstance(observers, Sequence) or not all(
        callable(getattr(observer, "tell", None)) for observer in observers
    ):
        raise TypeError("observers: must be a list of objects with a method tell(event)")
    chosen = Options() if options is None else options
    option_rules.check(chosen)
    directories.check_root(chosen.out)
    if (folder := outputs.corpus_folder(chosen)) is not None:
        folder.check()
    return chosen


def explore_program(asked: RunRequest, program: Program, observers: Sequence[Observer]) -> Result:
    """Explore a program that is built. The limit of time starts once libraries and native builds are ready."""
    options, files = asked.options, asked.given
    origin = native_check.origin(program, options, files.names, asked.kept())
    native_check.make_ready(origin)
    with contextlib.ExitStack() as closing:
        native = None
        if (wanted := corpora.fuzzer(options)) is not None:
            native = campaigns.native_fuzzer(wanted, asked.arguments, asked.corpus.inputs, origin, closing)
        return _explore_program(asked, program, observers, origin, native)


def _explore_program(
    asked: RunRequest, program: Program, observers: Sequence[Observer], origin: BuildOrigin, native: NativeFuzzer | None
) -> Result:
    options, files = asked.options, asked.given
    budget, chosen = bounding.budget(options, time.monotonic()), strategies(options, restriction(program))
    is_under_constrained = bool(observers)
    early = len([name for name, each in chosen if kind(each) is StrategyKind.EXACT]) or 1
    counts = [0] * early if is_under_constrained else cores.helpers(options, early)
    share = budget.shared(early + sum(counts))
    raced = [
        StrategyPlan(name, count, files.names, each, asked.arguments, share)
        for (name, each), count in zip(chosen, [*counts, *[0] * (len(chosen) - early)], strict=True)
    ]
    with contextlib.ExitStack() as closing:
        closing.enter_context(cores.limit_cores(options))
        cluster = cores.cluster(options, len(chosen), program)
        if cluster is not None:
            closing.callback(cluster.close)
        is_alone = len(raced) == 1 and not raced[0].helpers
        checking = checks.checks(raced[0].options, budget) if is_alone else checks.UNCHECKED
        closing.callback(checking.close)
        check = native_check.check(origin, budget.deadline)
        closing.callback(check.close)
        page = closing.enter_context(watching.page(options))
        try:
            with broken_off(budget.deadline):
                explorer = closing.enter_context(raced[0].explorer(program, budget, checking))
        except TimeIsOver:
            raise OutOfTime(f"--max-time: {budget.seconds:g} s were over before exploration began") from None
        return _result(program, RunDriver(asked, raced, explorer, check, cluster, page, native, origin).run(observers))


def _result(program: Program, ended: FinishedRun) -> Result:
    account, recorder, root = ended.account, ended.recorder, ended.directory
    judged = verdict(account)
    return Result(
        judged.word,
        judged.exit_status,
        tuple(recorder.errors),
        tuple(recorder.alarms),
        tuple(root / name for name in recorder.tests),
        summary(account),
        root,
        ended.waiting,
        program,
        ended.trouble,
        account.failure,
        otherwise(account),
    )
