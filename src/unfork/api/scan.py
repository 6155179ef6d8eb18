"""unfork scan: every function of a project on any arguments and any heap; what is certainly wrong, ranked."""

from __future__ import annotations

import contextlib
import json
import math
import selectors
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from unfork import option_rules
from unfork import options as choices
from unfork.api import export
from unfork.api.building import ONE_AT_A_TIME, build_program
from unfork.api.function_scan import not_explored, scan_function
from unfork.errors import InputError, UnforkError
from unfork.explore.endings import Interrupt
from unfork.llvm.module import Program
from unfork.options import VERSION, Options
from unfork.race.process import PipeEnd, Process
from unfork.report import directory as directories
from unfork.report.directory import RunDirectory
from unfork.report.kept_run import SCAN, KeptRun
from unfork.report.text import plural
from unfork.report.verdict import EXIT_INTERRUPTED, EXIT_SAFE, EXIT_UNKNOWN, EXIT_UNSAFE
from unfork.scan.project import Group, Source, functions_of, groups, sources_of
from unfork.scan.results import Explored, Texts, as_dict, known_findings
from unfork.wiring import cores, scanning

_GRACE = 15.0
"""Seconds after its time in which the process of a function must have told what it found."""
_EXITS = {"unsafe": EXIT_UNSAFE, "clean": EXIT_SAFE, "unknown": EXIT_UNKNOWN}
"""By verdicts."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the user asks of a scan: a pattern of names, seconds for each function, and a scan.json that is known."""

    paths: tuple[str, ...]
    functions: str
    per_function: float
    baseline: Path | None


@dataclass(frozen=True, slots=True)
class Scanned:
    """What a scan came to; ``data`` is what scan.json holds."""

    data: dict[str, Any]
    exit_status: int
    directory: Path


@dataclass(frozen=True, slots=True)
class _Job:
    """A function to scan."""

    program: Program
    files: tuple[str, ...]
    options: Options
    name: str
    folder: Path


@dataclass(slots=True)
class _Pool:
    """Scans functions, each in a process of its own, as many at once as there are cores."""

    most: int
    interrupt: Interrupt
    tell: Callable[[Explored], None]
    deadline: float
    running: dict[Process, tuple[_Job, float]] = field(default_factory=dict)

    def run(self, jobs: Iterator[_Job]) -> None:
        """Scan them all, or as many as time and the user let."""
        with selectors.DefaultSelector() as selector:
            while True:
                while len(self.running) < self.most and not self._is_over():
                    job = next(jobs, None)
                    if job is None:
                        break
                    process = Process(job.name, partial(_work, job))
                    self.running[process] = job, time.monotonic()
                    selector.register(process, selectors.EVENT_READ)
                if not self.running:
                    return
                for key, _ in selector.select(1.0):
                    self._end(selector, key.fileobj)
                for process in [each for each in self.running if self._is_late(each)]:
                    self._end(selector, process)

    def _is_over(self) -> bool:
        return self.interrupt.requested or time.monotonic() > self.deadline

    def _is_late(self, process: Process) -> bool:
        job, began = self.running[process]
        seconds = job.options.max_time or 0.0
        return self._is_over() or time.monotonic() > began + seconds + _GRACE

    def _end(self, selector: selectors.BaseSelector, process: Any) -> None:
        job, began = self.running.pop(process)
        selector.unregister(process)
        explored: Explored | None = None
        with contextlib.suppress(EOFError, OSError):
            if process.channel.poll():
                explored = process.report()
        process.end()
        if explored is None:
            reason = "interrupted" if self._is_over() else "its process ended, or took too long"
            explored = not_explored(job.program, job.name, reason, began)
        self.tell(explored)


def _work(job: _Job, channel: PipeEnd) -> None:
    """What a process does for a function. Whatever fails costs that function, and nobody else."""
    channel.send(scan_function(job.program, job.files, job.options, job.name, job.folder))


def scan(wanted: Wanted, options: Options, say: Callable[[str], None] = lambda line: None) -> Scanned:
    """Scan the functions of the project in ``wanted.paths``. Raises InputError for what cannot be used."""
    began = time.monotonic()
    options = scanning.preset(options)
    option_rules.check(options)
    directories.check_root(options.out)
    export.check_of_scans(options)
    sources, known = sources_of(wanted.paths), known_findings(wanted.baseline)
    left_out: list[str] = []
    explored: list[Explored] = []
    with contextlib.ExitStack() as closing:
        closing.enter_context(ONE_AT_A_TIME)
        built = list(_programs(options, groups(sources), left_out))
        jobs = [job for program, group in built for job in _jobs(program, group, options, wanted)]
        if not jobs:
            why = f": {left_out[0]}" if left_out else f" of a name like {wanted.functions!r}"
            raise InputError(f"scan: no function to scan{why}")
        directory = directories.create(options.out)
        jobs = [replace(job, folder=directory.root / "functions" / f"{number:04d}") for number, job in enumerate(jobs)]
        interrupt = closing.enter_context(Interrupt())
        about: dict[str, Any] = {"tool": "unfork", "version": VERSION, "program": [str(each.path) for each in sources]}
        about |= {"options": choices.as_dict(options), "left_out": left_out}
        texts = Texts(KeptRun(directory.root, about))

        def data() -> dict[str, Any]:
            return about | as_dict(explored, len(jobs), time.monotonic() - began, texts, known)

        def tell(one: Explored) -> None:
            explored.append(one)
            results = data()
            _write(directory, results)
            done = f"{len(explored)} of {len(jobs)} functions"
            say(f"{done}, {plural(results['new'], 'certain finding')}; {one.function} is done")

        limit = math.inf if options.max_time is None else began + options.max_time
        _Pool(options.cores or cores.available(), interrupt, tell, limit).run(iter(jobs))
        results = data()
        _write(directory, results)
        export.write_chosen_of_kept(directory, options)
    status = EXIT_INTERRUPTED if interrupt.requested else _EXITS[results["verdict"]]
    return Scanned(results, status, directory.root)


def _write(directory: RunDirectory, data: dict[str, Any]) -> None:
    directory.write(SCAN, (json.dumps(data, indent=1) + "\n").encode())


def _programs(options: Options, wanted: Sequence[Group], left_out: list[str]) -> Iterator[tuple[Program, Group]]:
    """The linked programs. Files that do not compile are left out; files that cannot be linked are scanned alone."""
    for group in wanted:
        sources = group.sources
        try:
            yield _built(options, sources), group
            continue
        except UnforkError:
            sources = tuple([each for each in sources if _compiles(options, each, left_out)])
        if not group.scanned.intersection(each.path for each in sources):
            continue
        try:
            yield _built(options, sources), group
        except UnforkError:
            for source in sources:
                if source.path in group.scanned:
                    yield _built(options, (source,)), Group((source,), frozenset((source.path,)))


def _built(options: Options, sources: Sequence[Source]) -> Program:
    paths = [source.path for source in sources]
    more = tuple([(source.path, source.flags) for source in sources if source.flags])
    return build_program(options, paths, [str(path) for path in paths], more=more)


def _compiles(options: Options, source: Source, left_out: list[str]) -> bool:
    """Whether a file compiles; if not, ``left_out`` says why."""
    try:
        _built(options, (source,))
        return True
    except UnforkError as problem:
        line = next((line for line in str(problem).splitlines() if "error" in line), str(problem).partition("\n")[0])
        if line not in left_out:
            left_out.append(line)
        return False


def _jobs(program: Program, group: Group, options: Options, wanted: Wanted) -> Iterator[_Job]:
    flags = {source.path.resolve(): source.flags for source in group.sources}
    files = tuple([str(source.path) for source in group.sources])
    for name in functions_of(program, group, wanted.functions):
        position = program.function(name).position
        more = flags.get(Path(position.file).resolve(), ()) if position is not None else ()
        chosen = scanning.with_flags(replace(options, max_time=wanted.per_function), more)
        yield _Job(program, files, chosen, name, Path())
