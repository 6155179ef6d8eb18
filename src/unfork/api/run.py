"""Explore a program from a script or a notebook; the command line uses this too."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unfork import option_rules
from unfork.api import libc_progress, native_check
from unfork.api.crash import reported
from unfork.api.driver import Asked, Driven, Driver
from unfork.api.explorer import Explorer
from unfork.api.given import FileName, Given, given, words
from unfork.api.libc_progress import shown_progress, silent_progress
from unfork.api.native_check import Origin
from unfork.api.one_at_a_time import ONE_AT_A_TIME
from unfork.api.saving import Earlier
from unfork.api.worker import Strategy
from unfork.clang.suffixes import IR_SUFFIXES
from unfork.contracts.observer import Observer
from unfork.errors import InputError, OutOfTime
from unfork.explore.endings import TimeIsOver, broken_off
from unfork.failures import Failure
from unfork.later import Later
from unfork.llvm import compiler
from unfork.llvm.module import Program
from unfork.options import Options
from unfork.report import directory as directories
from unfork.report.findings import Finding
from unfork.report.summary import happened, summary, verdict
from unfork.report.text import plural
from unfork.report.verdict import judge
from unfork.state.state import State
from unfork.wiring import bounding, clusters, compiling, outputs, solving
from unfork.wiring.cores import helpers, some
from unfork.wiring.strategies import strategies

if TYPE_CHECKING:
    from unfork.llvm import parcel
    from unfork.page import live
    from unfork.replay import binary
    from unfork.report import notebook
else:
    binary = Later("unfork.replay.binary")
    live = Later("unfork.page.live")
    notebook = Later("unfork.report.notebook")
    parcel = Later("unfork.llvm.parcel")


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
    budget, chosen = bounding.budget(options, began), strategies(options)
    is_alone = bool(observers) or options.cluster is not None
    counts = [0] * len(chosen) if is_alone else helpers(options, len(chosen))
    share = budget.shared(len(chosen) + sum(counts))
    raced = [
        Strategy(name, count, asked.names, each, arguments, program, share)
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
        checks = bounding.checks(options, budget)
        closing.callback(checks.close)
        kept = None if asked.folder is None else Path(asked.folder.name)
        kept = kept if earlier is None else earlier.root
        origin = Origin(program, options, asked.names, kept, None, binary.Enclosure.REQUIRED)
        check = native_check.check(origin, budget.deadline)
        closing.callback(check.close)
        page = None if options.serve is None else live.Live(options.serve)
        if page is not None:
            closing.callback(page.end)
        try:
            with broken_off(budget.deadline):
                explorer = Explorer(asked.names, chosen[0][1], arguments, program, backend, checks, budget)
        except TimeIsOver:
            raise OutOfTime(f"--max-time: {budget.seconds:g} s were over before exploration began") from None
        driver = Driver(Asked(asked, options, arguments, earlier), raced, explorer, check, cluster, page)
        return _result(program, driver.run(observers))


def _result(program: Program, driven: Driven) -> Result:
    account, recorder, root = driven.written.account, driven.recorder, driven.directory.root
    judged = verdict(account)
    return Result(
        judged.word,
        judged.exit_status,
        tuple(recorder.errors),
        tuple(recorder.alarms),
        tuple(root / name for name in recorder.tests),
        summary(account),
        root,
        driven.waiting,
        program,
        driven.written.trouble,
        account.failure,
        judge(replace(happened(account), errors=0)).word,
    )
