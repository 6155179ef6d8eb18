"""unfork scan: explores every function of a project on any arguments and any heap, and ranks certain faults."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count, takewhile
from pathlib import Path
from typing import Any

from unfork.checked_json import parse, text
from unfork.commands.afterwards import export
from unfork.commands.assemble import bounding
from unfork.commands.assemble.building import ONE_AT_A_TIME
from unfork.commands.projects.exits import exit_status
from unfork.commands.projects.pool import BROKEN_OFF, JobProgress, Pool, not_kept
from unfork.commands.projects.project import BuildSource, sources_of
from unfork.commands.run import cores
from unfork.commands.scan import results, scanning
from unfork.commands.scan.duties import CallerDuties
from unfork.commands.scan.following import Followed, ScannedPart, follow
from unfork.commands.scan.function_scan import make_ready
from unfork.commands.scan.made_objects import QuestionKey
from unfork.commands.scan.made_sequences import CallSequences
from unfork.commands.scan.object_questions import ObjectQuestions
from unfork.commands.scan.results import Beside, Explored, Texts
from unfork.commands.scan.scan_job import ScanJob
from unfork.commands.scan.scan_jobs import Jobs, ScanRequest
from unfork.commands.scan.time_shares import TimeShares
from unfork.engine.explore.endings import Interrupt
from unfork.engine.explore.limits import Budget
from unfork.errors import InputError
from unfork.options import option_rules
from unfork.options.options import VERSION, Options, as_dict
from unfork.report.record import directory as directories
from unfork.report.record import journal
from unfork.report.record.directory import RunDirectory
from unfork.report.record.journal import RunHeader
from unfork.report.record.kept_run import SCAN, KeptRun
from unfork.report.record.text import plural


@dataclass(frozen=True, slots=True)
class Scanned:
    """The result of a scan; ``data`` is the contents of scan.json."""

    data: dict[str, Any]
    exit_status: int
    directory: Path


class _ScanReport:
    """The results of a scan so far, written to scan.json every second."""

    def __init__(
        self,
        about: Mapping[str, Any],
        known: Container[str],
        jobs: Jobs,
        directory: RunDirectory,
        budget: Budget,
        say: Callable[[str], None],
    ) -> None:
        self._about = about
        self._known = known
        """The findings of a baseline."""
        self._jobs = jobs
        self._directory = directory
        self._texts = Texts(KeptRun(directory.root, dict(about)))
        self._parts: list[ScannedPart] = []
        self._places: dict[tuple[int, str], int] = {}
        """Where functions are among the parts, other than for single faults."""
        self._done: list[ScanJob] = []
        self._failing: list[Explored] = []
        """Results of a world in which a call fails."""
        self._asked: set[QuestionKey] = set()
        self._objects = ObjectQuestions(jobs.objects, lambda each: self._aimed(each.key).with_share(each.share))
        self._sequences = CallSequences(jobs.objects)
        self._certain = 0
        self._kept = 0
        self._began = budget.began
        self._progress = JobProgress(budget, self.write, say)

    def write(self) -> dict[str, Any]:
        """Write scan.json; returns its data."""
        seconds = time.monotonic() - self._began
        followed = self._followed()
        left = self._jobs.names.keys() - {job.place for job in self._done}
        names = [name for place, name in self._jobs.names.items() if place in left]
        cut = (each for each in self._parts if each.aim is None and each.explored.reason == BROKEN_OFF)
        is_cut = self._jobs.is_cut or any(cut)
        beside = Beside(followed.aimed, followed.excluded, tuple(self._failing), tuple(names), is_cut)
        data = results.as_dict(followed.functions, self._jobs.count, seconds, self._texts, self._known, beside)
        data = {**self._about, **data, "kept": self._kept}
        self._certain = data["new"]
        self._directory.write(SCAN, (json.dumps(data, indent=1) + "\n").encode())
        return data

    def take(self, job: ScanJob, explored: Explored) -> None:
        """Record a result that an earlier scan kept."""
        self._kept += job.aim is None and not job.is_of_failures and not job.entry
        self.end(job, explored)

    def end(self, job: ScanJob, explored: Explored) -> None:
        if job.is_of_failures:
            self._failing.append(explored)
            return
        if job.entry:
            (self._objects if job.aim is not None else self._sequences).end(job, explored)
            return
        part = ScannedPart(job.graph, job.name, explored, job.aim)
        if job.aim is not None:
            self._parts.append(part)
        elif job.place not in self._places:
            self._places[job.place] = len(self._parts)
            self._parts.append(part)
            self._done.append(job.with_seconds(self._jobs.per_function))
            self._progress.tell(explored.function, len(self._done), self._jobs.count, self._words)
        elif explored.explored != "not" and explored.reason != BROKEN_OFF:  # it was looked at again
            self._parts[self._places[job.place]] = part

    def looked_at(self) -> list[tuple[ScanJob, Explored]]:
        """The functions that were explored so far, and how far."""
        return [(job, self._parts[self._places[job.place]].explored) for job in self._done]

    def questions(self) -> list[ScanJob]:
        """Jobs that look at single faults from callers, which would settle how certain those are; each comes once."""
        fresh: list[ScanJob] = []
        for each in self._followed().questions:
            key = (id(each.graph), each.caller, each.defect)
            if key not in self._asked:
                self._asked.add(key)
                fresh.append(self._aimed(key))
        return fresh

    def _aimed(self, key: QuestionKey) -> ScanJob:
        """A job that looks at a single fault from a function."""
        graph, name, defect = key
        job = next((each for each in self._done if each.place == (graph, name)), None)
        job = job or next(replace(each, name=name) for each in self._done if id(each.graph) == graph)
        return replace(job, aim=defect)

    def _followed(self) -> Followed:
        """The results as makers of objects, the duties of callers, and the callers allow them."""
        duties = CallerDuties(self._jobs.graphs)
        parts = [duties.settled(part) for part in self._sequences.added(self._objects.settled(self._parts))]
        return follow(parts, duties.without_entry)

    def on_made_objects(self) -> list[ScanJob]:
        """Jobs that look at single faults on objects of the project's own makers; each comes once."""
        self._objects.look(self._parts)
        return self._objects.jobs()

    def of_sequences(self) -> list[ScanJob]:
        """Jobs that look at entries after other calls, with no fault in mind."""
        return self._sequences.jobs(self._done)

    def failing(self) -> list[ScanJob]:
        """Jobs for the entries that allocate memory, in a world in which that fails.

        A ``main`` beside public functions is a test or an example of theirs: nobody mends it for want of memory.
        """
        entries = {id(job.graph): job.graph.entries & job.graph.allocating for job in self._done}
        jobs = [job for job in self._done if job.name in entries[id(job.graph)]]
        return [job.with_failures() for job in jobs if job.name != "main" or entries[id(job.graph)] == {"main"}]

    def _words(self) -> str:
        more = "" if self._jobs.are_all else " or more"
        done = f"{len(self._done)} of {self._jobs.count}{more} functions"
        return f"{done}, {plural(self._certain, 'certain finding')}"


_NAMED = 2
"""The most reasons that a message gives."""


def _begun(jobs: Jobs, request: ScanRequest, left_out: Sequence[str]) -> Iterator[ScanJob]:
    """The jobs, once the first program is built. Raises InputError if there is no function to scan."""
    first = next(jobs, None)
    if not jobs.are_any:
        name = "" if "*" in request.functions else f" of a name like {' or '.join(map(repr, request.functions))}"
        because = f": {'; '.join(left_out[:_NAMED])}" if left_out else ""
        raise InputError(f"scan: no function to scan{name}{because}")
    return chain([] if first is None else [first], jobs)


def scan(request: ScanRequest, options: Options, say: Callable[[str], None] = lambda line: None) -> Scanned:
    """Scan the functions of the project in ``request.paths``. Raises InputError."""
    options = scanning.preset(options)
    option_rules.check(options)
    directories.check_root(options.out)
    export.check_of_scans(options)

    def begin() -> RunDirectory:
        directory = directories.create(options.out)
        begun = RunHeader(request.paths, as_dict(options), tuple(sorted(options.given)), (text(request),))
        journal.begin(directory.root, VERSION, begun)
        return directory

    return _scan(request, options, begin, say)


def beginning(options: Options, sources: Sequence[BuildSource], left_out: list[str]) -> dict[str, Any]:
    """What scan.json says first: of what it is, and how that was compiled."""
    return {
        "tool": "unfork",
        "version": VERSION,
        "program": [str(each.path) for each in sources],
        "folder": directories.way_back(options.out),
        "options": as_dict(options),
        "left_out": left_out,
        "flags": {str(each.path): each.flags for each in sources if each.flags},
    }


def is_scan(root: Path) -> bool:
    """Whether a directory holds a scan."""
    return (root / SCAN).is_file()


def resume(root: Path, changes: Mapping[str, Any], say: Callable[[str], None] = lambda line: None) -> Scanned:
    """Go on with the scan in a directory; ``changes`` are options, by their names in Options.

    Like every scan it takes over kept results. A limit of time counts from now. Raises InputError.
    """
    version, begun = journal.read_beginning(root)
    if version != VERSION:
        raise InputError(f"{root} was begun by unfork {version}; this is {VERSION}")
    if not begun.arguments:
        raise InputError(f"{root} was begun by unfork reach: call that again, it takes over nothing")
    options = replace(option_rules.from_dict(begun.options), given=frozenset(begun.given) | changes.keys(), **changes)
    option_rules.check(options)
    request = replace(parse(begun.arguments[0], ScanRequest), is_fresh=False)
    return _scan(request, options, lambda: RunDirectory(root), say)


def _scan(
    request: ScanRequest, options: Options, begin: Callable[[], RunDirectory], say: Callable[[str], None]
) -> Scanned:
    known = results.known_findings(request.baseline)
    sources, left_out = sources_of(request.paths, "scan")
    with contextlib.ExitStack() as closing:
        closing.enter_context(ONE_AT_A_TIME)
        make_ready(options, [str(source.path) for source in sources])
        budget = bounding.budget(options, time.monotonic())
        jobs = Jobs(request, options, sources, left_out, budget.deadline)
        begun = _begun(jobs, request, left_out)
        directory = begin()
        closing.enter_context(directories.claim(directory))
        interrupt = closing.enter_context(Interrupt())
        report = _ScanReport(beginning(options, sources, left_out), known, jobs, directory, budget, say)
        report.write()
        numbers = count()

        def put(jobs: Iterable[ScanJob]) -> Iterator[ScanJob]:
            return (replace(job, folder=directory.root / "functions" / f"{next(numbers):04d}") for job in jobs)

        many = cores.processes(options)
        pool = Pool[ScanJob, Explored](many, interrupt, report.end, budget.deadline)

        def run(jobs: Iterable[ScanJob]) -> None:
            placed = put(jobs)
            in_time = takewhile(lambda job: not pool.is_over(), placed)
            pool.run(placed if request.is_fresh else not_kept(in_time, report.take))

        def settle() -> None:
            while not interrupt.requested and (more := [*report.on_made_objects(), *report.questions()]):
                run(shares.among(more))

        shares = TimeShares(budget, many, lambda: jobs.expected)
        run(shares.shared(begun))
        jobs.end()
        report.write()
        settle()
        run(shares.again(report.looked_at()))
        settle()
        run(shares.among(report.of_sequences()))
        if not scanning.lets_calls_fail(options):
            run(shares.among(report.failing()))
        data = report.write()
        export.write_chosen_of_kept(directory, options)
        if not interrupt.requested and time.monotonic() < budget.deadline:
            journal.end(directory.root)
    status = exit_status(data["verdict"], interrupted=interrupt.requested)
    return Scanned(data, status, directory.root)
