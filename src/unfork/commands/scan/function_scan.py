"""One function of a scan: explored on any arguments and any heap, and each of its faults judged."""

from __future__ import annotations

import os
import signal
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

from unfork.commands.afterwards import native_check
from unfork.commands.assemble import bounding, outputs
from unfork.commands.assemble.raced_strategies import strategies
from unfork.commands.run.explorer import Explorer
from unfork.commands.run.meetings import Until
from unfork.commands.run.strategy_plan import StrategyPlan
from unfork.commands.scan import scanning
from unfork.commands.scan.certainty import CERTAIN, CONDITIONAL, Judge, Judgement
from unfork.commands.scan.requirements import in_order
from unfork.commands.scan.results import Explored, ScanFinding
from unfork.commands.scan.whole_program import ProgramJudge
from unfork.engine.protocols.events import Ended, Event, Observer
from unfork.engine.protocols.fault import Subject, subject_of
from unfork.engine.protocols.outcome import Failed
from unfork.engine.state.lazy import LazyHeap
from unfork.errors import UnforkError
from unfork.options.options import Options
from unfork.program.c.suffixes import CPP_SUFFIXES
from unfork.program.llvm.module import Program
from unfork.report.record.directory import RunDirectory
from unfork.report.record.findings import Finding
from unfork.report.record.recorder import Recorder, SecondOpinion
from unfork.report.replay.second_opinion import OUT_OF_TIME
from unfork.world.inputs.testcase import NOT_ASKED, Error, NativeOpinion, Opinion, Replayed, TestCase, error_of

_TO_JUDGE = 0.25
"""The share of a function's time that is for judging its faults, also where a query took longer than there was time."""
_WAITING = 4
"""By the clock a function may take so many times as long as by processors: others may keep it waiting."""
_LEAST = 0.01
"""Seconds after which an alarm rings at the earliest."""
_QUIET, _QUIET_SHARE, _QUIET_TIMES = 2.0, 0.05, 9
"""A function is left when nothing new has come for so many seconds, for this share of the time that it is explored at
most, and for so many times as long as the last news took to come."""
_LOOK = 0.05
"""Seconds between two looks whether there are news."""
SOURCES = (".c", ".cpp")
"""The suffixes of tests that stand alone."""
QUIET = "nothing new came any more"
INTERRUPTED = "stopped by interrupt"
"""Why a function was explored only in part that would have gone on."""
_ALIKE, _EACH = 3, 12
"""So many paths to a fault are judged whose pointers lead alike, and so many that fail on the same thing."""
_TRIED = 3
"""So many of them are run again natively in the hope that one fails there."""


class Processors:
    """The seconds of processors that this process and those that it started have used from now on."""

    def __init__(self) -> None:
        self._before = self._all()

    @property
    def used(self) -> float:
        return self._all() - self._before

    @contextmanager
    def alarm(self, seconds: float, ring: Callable[[], None]) -> Iterator[None]:
        """Once this process has used so many more seconds, ``ring``. Nothing rings outside of the main thread."""
        try:
            before = signal.signal(signal.SIGPROF, lambda number, frame: ring())
        except ValueError:
            yield
            return
        signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, before)

    @staticmethod
    def _all() -> float:
        return sum(os.times()[:4])


class Pace:
    """When a function has been explored for long enough: ``seconds`` are over, or nothing new comes any more.

    ``known`` says how much is known: faults, and branch edges.
    """

    def __init__(self, processors: Processors, seconds: float, known: Callable[[], tuple[int, int]]) -> None:
        self._processors = processors
        self._seconds = seconds
        self._quiet = max(_QUIET, _QUIET_SHARE * seconds)
        self._known = known
        self._before = known()
        self._news = self._next = processors.used

    def look(self) -> str | None:
        """Why it is enough, or None."""
        used = self._processors.used
        if used >= self._seconds:
            return "max-time"
        if used < self._next:
            return None
        self._next = used + _LOOK
        if (known := self._known()) != self._before:
            self._before, self._news = known, used
        return QUIET if used - self._news > max(self._quiet, _QUIET_TIMES * self._news) else None


class _Faults:
    """Keeps paths that fail, by kind, location and what it is that they fail on, and passes on all other events."""

    def __init__(self, recorder: Observer) -> None:
        self._recorder = recorder
        self._kept: dict[Error, dict[Subject, list[Failed]]] = {}
        self._counts: defaultdict[tuple[Error, Subject, Any], int] = defaultdict(int)

    def tell(self, event: Event) -> None:
        match event:
            case Ended(Failed() as failed):
                self._keep(failed)
            case _:
                self._recorder.tell(event)

    @property
    def count(self) -> int:
        """How many faults there are, one for each thing that they fail on."""
        return sum(map(len, self._kept.values()))

    def paths(self) -> Iterator[tuple[Error, list[Failed]]]:
        """The paths to each fault, which take turns in what they fail on, first those that ask least of their input.

        What is judged last comes last.
        """
        for error, kept in sorted(self._kept.items(), key=lambda each: _is_late(each[0])):
            turns = zip_longest(*[sorted(each, key=_length) for each in kept.values()])
            yield error, [failed for turn in turns for failed in turn if failed is not None]

    def _keep(self, failed: Failed) -> None:
        error, subject = error_of(failed.fault), subject_of(failed.fault.cause)
        key = error, subject, _shape(failed.state.lazy)
        kept = self._kept.setdefault(error, {}).setdefault(subject, [])
        if self._counts[key] < _ALIKE and len(kept) < _EACH:
            self._counts[key] += 1
            kept.append(failed)


def _length(failed: Failed) -> int:
    return failed.state.path.length


def _is_late(error: Error) -> bool:
    """What is judged last: most null pointers are the caller's business."""
    return error.kind == "null-dereference"


def _shape(lazy: LazyHeap) -> tuple[Any, ...]:
    """Where the pointers lead that a path has looked at."""
    given = tuple([each.value if isinstance(each.value, int) else None for each in lazy.arguments])
    return given, tuple(lazy.pointers.items())


class _WhereCertain:
    """The opinion of native runs on what is certain; nobody else is asked."""

    def __init__(self, check: SecondOpinion) -> None:
        self._check = check
        self.is_asked = False

    def of(self, test: TestCase, replayed: Replayed) -> Opinion:
        return self._check.of(test, replayed) if self.is_asked else NOT_ASKED


def make_ready(options: Options, files: Sequence[str]) -> None:
    """Build what native checks take and what is built once: the few seconds of a function are for itself."""
    native_check.make_second_ready(options, files)


def scan_function(
    program: Program,
    files: tuple[str, ...],
    options: Options,
    name: str,
    folder: Path,
    tell: Callable[[Explored], None] = lambda explored: None,
) -> Explored:
    """Explore the function ``name`` of the linked program; tests go below ``folder``.

    ``options.max_time`` are seconds of processors. ``tell`` is told what there is so far.
    """
    began = time.monotonic()
    try:
        return _scan(program, files, _of_function(options, program, name), began, folder, tell)
    except UnforkError as problem:
        return not_explored(program, name, str(problem), began)


def most(seconds: float) -> float:
    """How many seconds of processors a function may use that was given so many, but for the end of a query."""
    return seconds * (1 + _TO_JUDGE)


def longest(seconds: float) -> float:
    """How long a function may take by the clock that may use so many seconds of processors."""
    return _WAITING * seconds


def not_explored(program: Program, name: str, reason: str, began: float) -> Explored:
    """What is told of a function that could not be explored."""
    return Explored(*_place(program, name), "not", reason, (), (), 0, 0, time.monotonic() - began)


def _place(program: Program, name: str) -> tuple[str, str, int]:
    """A function's name in the source, its file and line."""
    function = program.function(name)
    assert function.position is not None
    return function.source_name, function.position.file, function.position.line


def _of_function(options: Options, program: Program, name: str) -> Options:
    """The options of a run of the function alone. Variables hold anything, unless constructors set them.

    ``main`` is run as a whole program.
    """
    asked: dict[str, Any] = {
        "function": name,
        "all_errors": True,
        "tests": "errors",
        "formats": ("c",),
        "strategy": ("plain",),
    }
    if name == "main":
        options = scanning.of_main(options)
    else:
        variables = "initial" if program.constructors else "written"
        asked |= {"globals": variables, "sizes": "pair", "exceptions": "caller"}
    [(_, chosen)] = strategies(replace(options, **asked, given=options.given | asked.keys()))
    return chosen


def _scan(
    program: Program,
    files: tuple[str, ...],
    options: Options,
    began: float,
    folder: Path,
    tell: Callable[[Explored], None],
) -> Explored:
    seconds, processors = scanning.seconds(options), Processors()
    whole = bounding.budget(replace(options, max_time=longest(seconds)), began)
    with ExitStack() as closing:
        strategy = StrategyPlan("plain", 0, files, options, (), whole)
        explorer = closing.enter_context(strategy.explorer(program, whole))
        check = native_check.check(native_check.origin(program, options, files, None), whole.deadline)
        closing.callback(check.close)
        second = _WhereCertain(check)
        for part in ("tests", "errors"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        recorder = explorer.recorder(RunDirectory(folder), outputs.formats(options, lambda: program), second)
        faults = _Faults(recorder)
        found: list[ScanFinding] = []

        def result(reason: str) -> Explored:
            coverage = explorer.parts.engine.coverage
            edges = {edge for edge, hit in zip(coverage.edges, coverage.covered, strict=True) if hit}
            return Explored(
                *_place(program, options.function),
                "all" if not reason else "part",
                reason,
                tuple(found),
                explorer.assumptions(),
                sum(1 for name, _, _ in edges if name == options.function),
                program.outlines.edges(options.function),
                time.monotonic() - began,
            )

        with explorer.interrupt:
            _explore(explorer, recorder, faults, processors, seconds * (1 - _TO_JUDGE))
            judge = scanning.judge(options, program, explorer.parts.command, explorer.parts.engine, whole, seconds)

            until = max(seconds, processors.used + _TO_JUDGE * seconds)

            def is_over() -> bool:
                return processors.used > until or time.monotonic() > whole.deadline

            is_cpp = _place(program, options.function)[1].endswith(tuple(CPP_SUFFIXES))
            court = _Court(judge, recorder, second, folder, is_over, options.fail > 0, is_cpp)
            for error, paths in faults.paths():
                finding = court.found(error, paths)
                if finding is not None:
                    found.append(finding)
                    tell(result("its process took too long, so that not all faults were judged"))
        return result(INTERRUPTED if explorer.interrupt.requested else _incomplete(explorer))


def _explore(explorer: Explorer, recorder: Recorder, faults: _Faults, processors: Processors, seconds: float) -> None:
    parts = explorer.parts
    told = explorer.whole((parts.tally, parts.placing, parts.traces, parts.assumptions, faults))
    chain = parts.engine.chain
    last = chain.deadline

    def end_step() -> None:
        chain.deadline = time.monotonic()

    pace = Pace(processors, seconds, lambda: (faults.count, sum(parts.engine.coverage.covered)))
    with processors.alarm(max(seconds - processors.used, _LEAST), end_step):
        explorer.loop(recorder, told, Until(explorer.limits(recorder, told), pace.look))
    chain.deadline = last


@dataclass(frozen=True, slots=True)
class _Court:
    """Judges paths to faults, and has those that may be certain run again."""

    judge: Judge | ProgramJudge
    recorder: Recorder
    second: _WhereCertain
    folder: Path
    is_over: Callable[[], bool]
    has_failures: bool
    is_cpp: bool

    def found(self, error: Error, paths: Sequence[Failed]) -> ScanFinding | None:
        """What says most of a fault: a path that is certain and fails natively, else the first."""
        first: tuple[Failed, Judgement] | None = None
        seen: list[ScanFinding] = []
        judgements: list[Judgement] = []
        for failed in paths:
            if self.is_over() or len(seen) == _TRIED:
                break
            judgement = self.judge.judge(failed)
            if judgement.certainty == CERTAIN:
                found = self._again(error, failed, judgement)
                seen += [found] if found is not None else []
                if found is not None and found.certainty == CERTAIN:
                    return found
            first = first or (failed, judgement)
            judgements.append(judgement)
        if seen:
            return seen[0]
        failed, judgement = first or (paths[0], Judgement(CONDITIONAL, "no time was left to judge it"))
        return self._again(error, failed, _together(judgement, judgements))

    def _again(self, error: Error, failed: Failed, judgement: Judgement) -> ScanFinding | None:
        """The finding of a path, as its test shows it."""
        self.second.is_asked = judgement.certainty == CERTAIN
        self.recorder.tell(Ended(failed))
        findings = [each for each in (*self.recorder.alarms, *self.recorder.errors) if each.key == error]
        return _found(findings[-1], judgement, self.folder, self._engine_alone(findings[-1])) if findings else None

    def _engine_alone(self, finding: Finding) -> str:
        """Why no native run can show a finding, if none can: no sanitizer looks for it, calls fail because --fail lets
        them, or what C++ is given is made of members that no program may write.
        """
        if finding.native.word is not NativeOpinion.DENIED and (finding.kind == "uninitialised" or self.has_failures):
            return "no sanitizer shows it"
        is_built = finding.native.word is not NativeOpinion.UNCHECKED or finding.native.reason == OUT_OF_TIME.reason
        if is_built or not self.is_cpp:
            return ""
        return "no native run can be built" if finding.native.reason else "no native run was asked for"


def _together(judgement: Judgement, others: Sequence[Judgement]) -> Judgement:
    """A conditional judgement with what all judgements of the same fault ask of callers."""
    known = (judgement, *others)
    preconditions = dict.fromkeys(each.precondition for each in known if each.precondition)
    conditions = in_order(each.requires for each in known if each.requires)
    sides = [f"({each})" if " || " in each and len(conditions) > 1 else each for each in conditions]
    return replace(judgement, precondition="; ".join(preconditions), requires=" && ".join(sides))


def _found(finding: Finding, judgement: Judgement, folder: Path, engine_alone: str) -> ScanFinding:
    """A finding as the scan lists it: what does not fail again natively is not certain."""
    certainty, reason = judgement.certainty, judgement.reason
    if certainty == CERTAIN and not finding.replayed:
        certainty, reason = CONDITIONAL, f"its test does not fail again: {finding.reason}"
    elif certainty == CERTAIN and engine_alone:
        reason = f"{reason} (seen again on the engine; {engine_alone})"
    elif certainty == CERTAIN and finding.native.word is not NativeOpinion.CONFIRMED:
        why = finding.native.reason or finding.native.word.value
        certainty, reason = CONDITIONAL, f"a native run does not show it ({why})"
    test, told = folder / finding.test, finding.as_dict()
    return ScanFinding(
        finding.kind,
        finding.file,
        finding.line,
        finding.function or "",
        finding.message,
        certainty,
        reason,
        judgement.precondition,
        judgement.requires,
        str(test),
        str(next((each for each in map(test.with_suffix, SOURCES) if each.is_file()), test.with_suffix(SOURCES[0]))),
        told["stack"],
        judgement.path,
        told["access"],
    )


def _incomplete(explorer: Explorer) -> str:
    """Why a function was explored only in part; "" if all was."""
    tally = explorer.parts.tally
    if explorer.stopped_by == QUIET:
        return QUIET
    if explorer.stopped_by is not None:
        return f"stopped by {explorer.stopped_by}"
    if tally.kills:
        return "; ".join(dict.fromkeys(f"{detail} ({reason})" for reason, detail in tally.kills))
    return ", ".join(tally.bounds_hit)
