"""unfork reach: whether a public function comes to a line, or fails there; and which claims of other tools are true.

From the functions that users may call, those nearest to the line first, paths that may come there are followed, nearest
first. What fails there is judged as in a scan. Functions whose addresses are taken are looked at, too: users may have
got the address; but what fails there alone is not confirmed.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache, partial
from itertools import count
from pathlib import Path
from typing import Any

from unfork.commands.assemble import bounding
from unfork.commands.assemble.building import ONE_AT_A_TIME
from unfork.commands.projects.entries import CallGraph, Entries, include_folders
from unfork.commands.projects.exits import exit_status
from unfork.commands.projects.pool import Pool
from unfork.commands.projects.project import BuildSource, LinkGroup, functions_of, groups, sources_of
from unfork.commands.projects.projects import build_with_callbacks, programs
from unfork.commands.run import cores
from unfork.commands.scan import results, scanning
from unfork.commands.scan.claims import ANY, LineClaim
from unfork.commands.scan.court import REACHED
from unfork.commands.scan.digest import Digests
from unfork.commands.scan.following import ScannedPart, follow
from unfork.commands.scan.function_scan import make_ready
from unfork.commands.scan.judgement import CONDITIONAL
from unfork.commands.scan.leak_claims import LEAK, LOST_BY
from unfork.commands.scan.made_objects import NOT_MADE
from unfork.commands.scan.object_programs import ObjectPrograms
from unfork.commands.scan.object_questions import ObjectQuestions
from unfork.commands.scan.results import Beside, Explored, ScanFinding, Texts
from unfork.commands.scan.scan import Scanned, beginning
from unfork.commands.scan.scan_job import ScanJob
from unfork.engine.explore.endings import Interrupt
from unfork.engine.explore.leading import SourceLine, WaysTo
from unfork.errors import InputError
from unfork.options import option_rules
from unfork.options.options import VERSION, Options, as_dict
from unfork.program.llvm.marking import mark_line
from unfork.program.llvm.module import Program
from unfork.report.record import directory as directories
from unfork.report.record import journal
from unfork.report.record.journal import RunHeader
from unfork.report.record.kept_run import SCAN, KeptRun

CONFIRMED, ON_CONDITION, EXCLUDED, OPEN = "confirmed", "conditional", "not reachable", "undecided"
_FAILS = "if an allocation or a call of the system fails: "
_NONE_FAILS = "no allocation and no call of the system fails"
_MOST_BOUNDS = 12
"""The most assumptions that an answer lists."""


@dataclass(frozen=True, slots=True)
class ReachRequest:
    """Claims about the project in ``paths``, and processor seconds for each function that may come there."""

    paths: tuple[str, ...]
    claims: tuple[LineClaim, ...]
    per_function: float


@dataclass(frozen=True, slots=True)
class ClaimAnswer:
    """What is known of a claim: CONFIRMED, ON_CONDITION, EXCLUDED or OPEN.

    ``by`` is the public function with the finding; ``functions`` are all that were looked at, with how far. ``bounds``
    are what was assumed.
    """

    claim: LineClaim
    answer: str
    reason: str
    by: str = ""
    calls: tuple[str, ...] = ()
    """The functions that its program calls, if these make the objects that ``by`` takes."""
    reproducer: str = ""
    test: str = ""
    message: str = ""
    precondition: str = ""
    functions: tuple[tuple[str, str, str], ...] = ()
    bounds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Built:
    """A program of the project, and its functions that are looked at."""

    program: Program
    group: LinkGroup
    graph: CallGraph
    names: Sequence[str]
    files: tuple[str, ...]
    digests: Callable[[], Digests]
    options: Options
    objects: ObjectPrograms

    def has_code(self, name: str, line: int) -> bool:
        """Whether a line of a file has code."""
        file = self.file(name)
        return file is not None and WaysTo(self.program, SourceLine(file, line)).is_anywhere

    def file(self, name: str) -> str | None:
        """A file as the program's positions name it; None if no function is in it."""
        wanted = Path(name).resolve()
        ends = [each for each in self._files if Path(each).resolve() == wanted]
        ends = ends or [each for each in self._files if each.endswith(f"/{name}") or name.endswith(f"/{each}")]
        return ends[0] if ends else None

    @property
    def _files(self) -> list[str]:
        own = self.program.own
        places = [each.position for name in own for each in self.program.function(name).instructions()]
        return list(dict.fromkeys(each.file for each in places if each is not None))


@dataclass(slots=True)
class _Question:
    """A claim, with the results so far of the functions that may come there."""

    claim: LineClaim
    built: list[_Built] = field(default_factory=list)
    """The programs that have code at the line."""
    parts: list[ScannedPart] = field(default_factory=list)
    """Results as the makers of objects allow them."""
    failing: list[ScannedPart] = field(default_factory=list)
    """Those of a world in which an allocation or a call of the system may fail."""

    @property
    def is_confirmed(self) -> bool:
        return any(_confirms(part) for part in (*self.parts, *self.failing))

    def mark(self, programs: Iterable[Program]) -> None:
        """Mark the line of a claim about reaching in programs that have code there."""
        files = [file for each in self.built if (file := each.file(self.claim.file)) is not None]
        for program in programs if self.claim.kind == REACHED else ():
            mark_line(program, files[0], self.claim.line)


def reach(request: ReachRequest, options: Options, say: Callable[[str], None] = lambda line: None) -> Scanned:
    """Answer the claims of ``request``. Raises InputError."""
    options = scanning.looking_for(scanning.preset(options), {claim.kind for claim in request.claims})
    option_rules.check(options)
    directories.check_root(options.out)
    sources, left_out = sources_of(request.paths, "reach")
    with contextlib.ExitStack() as closing:
        closing.enter_context(ONE_AT_A_TIME)
        make_ready(options, [str(source.path) for source in sources])
        budget = bounding.budget(options, time.monotonic())
        entries = Entries(sources, include_folders(options))
        questions = [_Question(claim) for claim in request.claims]
        _look_up([*_built(options, sources, entries, left_out)], questions)
        if not all(each.built for each in questions):
            _look_up([*_built(_as_written(options), sources, entries, [])], questions)
        _mark(questions, request)
        directory = directories.create(options.out)
        header = RunHeader(request.paths, as_dict(options), tuple(sorted(options.given)), ())
        journal.begin(directory.root, VERSION, header)
        closing.enter_context(directories.claim(directory))
        interrupt = closing.enter_context(Interrupt())
        asking = _Asking(directory.root / "functions", cores.processes(options), interrupt, budget.deadline)
        for number, question in enumerate(questions, 1):
            say(f"{number} of {len(questions)}: {question.claim.file}:{question.claim.line}")
            jobs = [job for each in question.built for job in _jobs(each, question, request.per_function)]
            question.parts = asking.parts(question, jobs)
            if not question.is_confirmed and not scanning.lets_calls_fail(options):
                question.failing = asking.parts(question, _with_failures(jobs))
        answers = [_answer(each, directory.root) for each in questions]
        about = beginning(options, sources, left_out)
        data = _data(questions, answers, about, directory.root, time.monotonic() - budget.began)
        directory.write(SCAN, (json.dumps(data, indent=1) + "\n").encode())
        if not interrupt.requested:
            journal.end(directory.root)
    return Scanned(data, exit_status(data["verdict"], interrupted=interrupt.requested), directory.root)


def _as_written(options: Options) -> Options:
    """The options with which each statement keeps its code: simplified, one that only sets variables has none."""
    return replace(options, optimize=0, given=options.given | {"optimize"})


def _built(options: Options, sources: Sequence[BuildSource], entries: Entries, left_out: list[str]) -> Iterator[_Built]:
    """The programs of the project."""
    objects = ObjectPrograms(entries, partial(build_with_callbacks, options), left_out)
    for program, group in programs(partial(build_with_callbacks, options), groups(sources), left_out):
        graph = entries.graph(program)
        names = [name for name in functions_of(program, group, ("*",)) if name in graph.entries | graph.taken]
        files = tuple([str(source.path) for source in group.sources])
        objects.add(graph, group)
        digests = cache(partial(Digests, program, lines=True))
        yield _Built(program, group, graph, names, files, digests, options, objects)


def _look_up(built: Sequence[_Built], questions: Sequence[_Question]) -> None:
    """Give each question without one the programs that have code at its line."""
    for question in questions:
        if not question.built:
            claim = question.claim
            question.built += [each for each in built if each.has_code(claim.file, claim.line)]


def _mark(questions: Sequence[_Question], request: ReachRequest) -> None:
    """Mark the line of a lone claim about reaching. Raises InputError if a lone claim's line has no code."""
    if len(questions) > 1:
        return
    [question] = questions
    claim = question.claim
    if not question.built:
        raise InputError(f"reach: no code at {claim.file}:{claim.line} in {' '.join(request.paths)}")
    question.mark(each.program for each in question.built)


def _jobs(built: _Built, question: _Question, seconds: float) -> Iterator[ScanJob]:
    """A job for each public function that may come to a claim's line, those that are fewer calls away first."""
    claim, program = question.claim, built.program
    file = built.file(claim.file)
    if file is None:
        return
    ways = WaysTo(program, SourceLine(file, claim.line))
    flags = {source.path.resolve(): source.flags for source in built.group.sources}
    calls = _calls_away(built.graph, ways.functions)
    for name in sorted(filter(ways.leads_from, built.names), key=lambda name: calls.get(name, math.inf)):
        position = program.function(name).position
        more = flags.get(Path(position.file).resolve(), ()) if position is not None else ()
        chosen = scanning.with_flags(replace(built.options, max_time=seconds), more)
        aim = (LOST_BY if claim.kind == LEAK else claim.kind, file, claim.line)
        yield ScanJob(program, built.graph, built.digests, built.files, chosen, name, Path(), aim)


def _calls_away(graph: CallGraph, functions: Iterable[str]) -> Mapping[str, int]:
    """How many calls each function is away from one of ``functions``."""
    away = dict.fromkeys(functions, 0)
    waiting = list(away)
    for name in waiting:  # it grows
        for caller in graph.callers.get(name, ()):
            if caller not in away:
                away[caller] = away[name] + 1
                waiting.append(caller)
    return away


def _with_failures(jobs: Iterable[ScanJob]) -> list[ScanJob]:
    """The jobs for entries that allocate memory, in a world in which that may fail."""
    return [job.with_failures() for job in jobs if job.name in job.graph.entries & job.graph.allocating]


@dataclass(slots=True)
class _Asking:
    """Explores functions for claims, each in a folder of its own below ``folder``."""

    folder: Path
    cores: int
    interrupt: Interrupt
    deadline: float
    _numbers: Iterator[int] = field(default_factory=count)

    def parts(self, question: _Question, jobs: Sequence[ScanJob]) -> list[ScannedPart]:
        """The results of jobs, until one confirms a claim; as the makers of objects allow them."""
        if not jobs:
            return []
        of_place = {job.place: job for job in jobs}
        objects = ObjectQuestions(
            question.built[0].objects, lambda each: replace(of_place[each.key[:2]], aim=each.found.defect)
        )
        parts: list[ScannedPart] = []

        def end(job: ScanJob, explored: Explored) -> bool:
            part = ScannedPart(job.graph, job.name, explored, job.aim)
            parts.append(part)
            objects.look([part])
            return any(map(_confirms, objects.settled([part])))

        def end_of_objects(job: ScanJob, explored: Explored) -> bool:
            objects.end(job, explored)
            return any(map(_confirms, objects.settled(parts)))

        is_confirmed = self._run(jobs, end)
        while not is_confirmed and (on_objects := objects.jobs()):
            question.mark({id(job.program): job.program for job in on_objects}.values())
            is_confirmed = self._run(on_objects, end_of_objects)
        return objects.settled(parts)

    def _run(self, jobs: Iterable[ScanJob], end: Callable[[ScanJob, Explored], bool]) -> bool:
        """Do jobs until ``end`` says that one confirms the claim; whether one does."""
        confirming: list[ScanJob] = []

        def note(job: ScanJob, explored: Explored) -> None:
            if end(job, explored):
                confirming.append(job)
                pool.deadline = -math.inf

        pool = Pool[ScanJob, Explored](self.cores, self.interrupt, note, self.deadline)
        pool.run(replace(job, folder=self.folder / f"{next(self._numbers):04d}") for job in jobs)
        return bool(confirming)


def _confirms(part: ScannedPart) -> bool:
    return part.is_entry and any(each.is_shown for each in part.explored.found)


def _answer(question: _Question, root: Path) -> ClaimAnswer:
    claim, parts = question.claim, question.parts
    if not question.built:
        return ClaimAnswer(claim, OPEN, "no code at that line")
    functions = tuple(map(_looked_at, parts))
    made = [each.precondition for part in parts for each in part.explored.found if each.rule == NOT_MADE]
    said = (*made, *(each for part in parts for each in part.explored.assumptions))
    bounds = tuple(dict.fromkeys(said))[:_MOST_BOUNDS]
    known = ClaimAnswer(claim, OPEN, "", functions=functions, bounds=bounds)
    of_entries, if_failing = _found_by_entries(parts), _found_by_entries(question.failing)
    for found, world in ((of_entries, ""), (if_failing, _FAILS)):
        for each, part in found:
            if each.is_shown:
                return _found(known, CONFIRMED, each, part.explored, root, world)
    for each, part in of_entries:
        if each.certainty == CONDITIONAL:
            return _found(known, ON_CONDITION, each, part.explored, root, "")
    undecided = [(each, part) for part in parts for each in part.explored.found if each.rule != NOT_MADE]
    for each, part in (*undecided, *if_failing):
        by = "" if part.is_entry else f"in {part.explored.function}, whose address is taken: "
        return replace(known, reason=f"{by}{'; '.join(filter(None, (each.reason, each.followed)))}")
    left = next(((name, extent, why) for name, extent, why in functions if extent != "all"), None)
    if left is not None:
        name, extent, why = left
        words = f"{name} was explored {'in part' if extent == 'part' else 'not'}{f' ({why})' if why else ''}"
        return replace(known, reason=words)
    reason = "all that leads there was explored" if parts else "no public function leads there"
    if any(each.explored.explored != "all" for each in question.failing):
        known = replace(known, bounds=(_NONE_FAILS, *known.bounds[: _MOST_BOUNDS - 1]))
    return replace(known, answer=EXCLUDED, reason=reason)


def _found_by_entries(parts: Iterable[ScannedPart]) -> list[tuple[ScanFinding, ScannedPart]]:
    """The findings of entries, without those that need objects which no function makes."""
    return [(each, part) for part in parts if part.is_entry for each in part.explored.found if each.rule != NOT_MADE]


def _looked_at(part: ScannedPart) -> tuple[str, str, str]:
    """A function with how far it was explored, and why no further: completely, if it was so on all objects that
    functions make.
    """
    explored = part.explored
    if part.aim is not None and part.aim[0] != ANY and any(each.rule == NOT_MADE for each in explored.found):
        return explored.function, "all", ""
    return explored.function, explored.explored, explored.reason


def _found(
    known: ClaimAnswer, answer: str, found: ScanFinding, explored: Explored, root: Path, world: str
) -> ClaimAnswer:
    test, program = (os.path.relpath(each, root) for each in (found.test, found.reproducer))
    return replace(
        known,
        answer=answer,
        reason=f"{world}{found.reason}",
        by=explored.function,
        calls=found.calls,
        reproducer=program,
        test=test,
        message=found.message if found.line == known.claim.line else f"{found.message} (line {found.line})",
        precondition=found.precondition,
    )


def _data(
    questions: Sequence[_Question], answers: Sequence[ClaimAnswer], about: Mapping[str, Any], root: Path, seconds: float
) -> dict[str, Any]:
    """The contents of scan.json: the findings as a scan lists them, and the answers."""
    followed = follow([part for each in questions for part in each.parts])
    failing = [part.explored for each in questions for part in each.failing]
    texts = Texts(KeptRun(root, dict(about)))
    data = results.as_dict((), 0, seconds, texts, beside=Beside(aimed=followed.aimed, failing=failing))
    known = {each.answer for each in answers}
    verdict = "unsafe" if CONFIRMED in known else "unknown" if OPEN in known else "clean"
    return {**about, **data, "kept": 0, "verdict": verdict, "answers": [asdict(each) for each in answers]}


def plain(file: str, line: int, kind: str | None) -> LineClaim:
    """A user's own claim; without a kind, that the line is reached."""
    return LineClaim(file, line, REACHED if kind is None else ANY if kind == "any" else kind)
