"""Scans one function: explores it on any arguments and any heap, and judges each of its faults."""

from __future__ import annotations

import os
import signal
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any, TypeAlias

from unfork import host
from unfork.commands.afterwards import native_check
from unfork.commands.assemble import bounding, outputs
from unfork.commands.assemble.raced_strategies import strategies
from unfork.commands.run.explorer import Explorer
from unfork.commands.run.meetings import Until
from unfork.commands.run.strategy_plan import StrategyPlan
from unfork.commands.scan import scanning, tested_programs
from unfork.commands.scan.case_questions import CaseQuestions
from unfork.commands.scan.certainty import NOT_NATIVE, NOT_REPLAYED, OUT_OF_TIME, Judge
from unfork.commands.scan.completeness import in_the_way
from unfork.commands.scan.demands import DemandCheck
from unfork.commands.scan.failing_input import function_pointers, stream_pointers
from unfork.commands.scan.judgement import CERTAIN, UNDECIDED, Grounds, Judgement
from unfork.commands.scan.leak_claims import LEAK, LOST_BY, ClaimedLeak
from unfork.commands.scan.requirements import in_order
from unfork.commands.scan.results import Defect, Explored, ScanFinding
from unfork.commands.scan.siblings import SiblingFamily
from unfork.commands.scan.whole_program import LineJudge, ProgramJudge
from unfork.engine.explore.leading import OFF_THE_WAY, OnlyTowards, SourceLine, WaysTo
from unfork.engine.protocols.events import Ended, Event, Observer
from unfork.engine.protocols.fault import Subject, subject_of
from unfork.engine.protocols.outcome import Failed, Halted
from unfork.engine.state.lazy import LazyHeap
from unfork.engine.state.state import State
from unfork.errors import UnforkError
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import evaluate
from unfork.logic.terms.term import Term
from unfork.options.options import Options
from unfork.patience import Patience, longest
from unfork.program.c.callbacks import STREAMS
from unfork.program.c.object_calls import ObjectDriver
from unfork.program.c.suffixes import CPP_SUFFIXES
from unfork.program.llvm.c_type_reader import CTypes
from unfork.program.llvm.c_types import Pointer, RecordType
from unfork.program.llvm.module import Program
from unfork.report.record.directory import RunDirectory
from unfork.report.record.findings import Finding
from unfork.report.record.found_errors import SecondOpinion
from unfork.report.record.recorder import Recorder
from unfork.report.record.text import plural
from unfork.report.replay.second_opinion import OUT_OF_TIME as NATIVE_OUT_OF_TIME
from unfork.world.inputs.testcase import NOT_ASKED, Error, NativeOpinion, Opinion, Replayed, TestCase, error_of

_TO_JUDGE = 0.25
"""The share of a function's time for judging its faults, guaranteed even if exploration took too long."""
_LEAST = 0.01
"""Seconds before an alarm rings, at least."""
_QUIET, _QUIET_SHARE, _QUIET_TIMES = 2.0, 0.05, 9
"""Exploration ends after these seconds without news, this share of its time, or this multiple of the time until the
last news: the largest counts.
"""
_LOOK = 0.05
"""Seconds between two checks for news."""
SOURCES = (".c", ".cpp")
"""The suffixes of tests that compile alone."""
QUIET = "nothing new came any more"
INTERRUPTED = "stopped by interrupt"
"""Why a function was explored in part, if the user stopped it."""
_ALIKE, _EACH = 3, 12
"""The most paths to a fault that are judged with the same pointers, and with the same object."""
REACHED = "reach-error"
"""The kind of error of a line that is not to be reached: whoever comes there has shown it."""
_AT_THE_END = frozenset(("leak", LOST_BY, "cleanup", "nontermination", "data-race", "deadlock"))
"""Errors that do not happen at the line that they are reported at."""
_CLAIMED = 64
"""The most paths to a leak that a claim may mean: it matters by which line they come."""
_FAIR = ("random-path",)
"""The search that takes turns where calls make objects: towards the aim alone, a loop near it that needs another state
of the object keeps states waiting in the calls before. Chosen on a state machine and a dictionary.
"""
_THROUGH = 32
"""The most paths without a fault that are kept to check preconditions."""
_TRIED = 3
"""The most certain paths to a fault that run natively until one fails."""


FaultJudge: TypeAlias = Judge | ProgramJudge | LineJudge


def _used() -> float:
    """The processor seconds of this process, and of its children that have ended."""
    return sum(os.times()[:4])


@contextmanager
def alarm(seconds: float, ring: Callable[[], None]) -> Iterator[None]:
    """Call ``ring`` after this many more seconds of this process. It never rings outside the main thread."""
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


class Pace:
    """Ends an exploration after ``seconds``, or without news. ``known`` counts known faults and covered edges.

    Before ``has_begun``, it waits for news.
    """

    def __init__(
        self,
        spent: Patience,
        seconds: float,
        known: Callable[[], tuple[int, int]],
        has_begun: Callable[[], bool] = lambda: True,
    ) -> None:
        self._spent = spent
        self._seconds = seconds
        self._quiet = max(_QUIET, _QUIET_SHARE * seconds)
        self._known = known
        self._has_begun = has_begun
        self._before = known()
        self._news = self._next = spent.used()

    def look(self) -> str | None:
        """Why to stop, or None."""
        used = self._spent.used()
        if used >= self._seconds:
            return "max-time"
        if used < self._next:
            return None
        self._next = used + _LOOK
        if (known := self._known()) != self._before or not self._has_begun():
            self._before, self._news = known, used
        return QUIET if used - self._news > max(self._quiet, _QUIET_TIMES * self._news) else None


class _Faults:
    """Collects failing paths by error and object; passes other events on to ``recorder``. With an ``aim``, collects
    those of one defect alone.
    """

    def __init__(self, recorder: Observer, types: CTypes, aim: Defect | None, claimed: ClaimedLeak | None) -> None:
        self._recorder = recorder
        self._types = types
        self._aim = aim
        self._claimed = claimed
        self.has_returned = False
        """Whether a path ended without a fault."""
        self._through: list[State] = []
        self.callback: str | None = None
        """An argument, or a member, that may lead to a function of the caller's."""
        self.stream: str | None = None
        """One that may lead to a stream of the caller's."""
        self._kept: dict[Error, dict[Subject, list[Failed]]] = {}
        self._counts: defaultdict[tuple[Error, Subject, Any], int] = defaultdict(int)

    def tell(self, event: Event) -> None:
        if isinstance(event, Ended) and self.callback is None:
            pointers = function_pointers(event.state.lazy, self._types)
            self.callback = next((path for path, _, is_variable in pointers if not is_variable), None)
        if isinstance(event, Ended) and self.stream is None:
            self.stream = next(stream_pointers(event.state.lazy), None)
        match event:
            case Ended(Failed() as failed):
                self._keep(failed)
            case Ended(Halted(end="exit")):
                self.has_returned = True
                if len(self._through) < _THROUGH:
                    self._through.append(event.state)
                self._recorder.tell(event)
            case _:
                self._recorder.tell(event)

    def came_through(self) -> list[State]:
        """Some paths that ended without a fault."""
        return self._through

    @property
    def count(self) -> int:
        return sum(map(len, self._kept.values()))

    def paths(self) -> Iterator[tuple[Error, list[Failed]]]:
        """The paths to each fault, shortest conditions first, by turns of objects. Null dereferences come last."""
        for error, kept in sorted(self._kept.items(), key=lambda each: _is_late(each[0])):
            turns = zip_longest(*[sorted(each, key=_length) for each in kept.values()])
            yield error, [failed for turn in turns for failed in turn if failed is not None]

    def _keep(self, failed: Failed) -> None:
        error, subject = error_of(failed.fault), subject_of(failed.fault.cause)
        alike, most = (_ALIKE, _EACH) if self._claimed is None else (_CLAIMED, _CLAIMED)
        if not self._is_wanted(error):
            return
        key = error, subject, _shape(failed.state.lazy)
        kept = self._kept.setdefault(error, {}).setdefault(subject, [])
        if self._counts[key] < alike and len(kept) < most:
            self._counts[key] += 1
            kept.append(failed)

    def _is_wanted(self, error: Error) -> bool:
        if self._claimed is not None:
            return self._claimed.may_be(error)
        return self._aim is None or _is_aimed_at(error, self._aim)


def _is_aimed_at(error: Error, aim: Defect) -> bool:
    """Whether an error is the aim; one without a kind is any error at its line."""
    kind, file, line = aim
    return (error.file, error.line) == (file, line) and kind in ("", error.kind)


def _length(failed: Failed) -> int:
    return failed.state.path.length


def _is_late(error: Error) -> bool:
    """Whether to judge it last: most null pointers depend on the caller."""
    return error.kind == "null-dereference"


def _shape(lazy: LazyHeap) -> tuple[Any, ...]:
    given = tuple([each.value if isinstance(each.value, int) else None for each in lazy.arguments])
    return given, tuple(lazy.pointers.items())


class _WhereCertain:
    """Runs only tests of certain faults natively."""

    def __init__(self, check: SecondOpinion) -> None:
        self._check = check
        self.is_active = False

    def of(self, test: TestCase, replayed: Replayed) -> Opinion:
        return self._check.of(test, replayed) if self.is_active else NOT_ASKED


def make_ready(options: Options, files: Sequence[str]) -> None:
    """Build what native checks need, so that it does not count as time of a function."""
    native_check.make_second_ready(options, files)


def scan_function(
    program: Program,
    files: tuple[str, ...],
    options: Options,
    name: str,
    folder: Path,
    tell: Callable[[Explored], None] = lambda explored: None,
    aim: Defect | None = None,
) -> Explored:
    """Explore the function ``name`` of the linked program, and write its tests below ``folder``.

    ``options.max_time`` is in processor seconds. ``tell`` receives intermediate results. With an ``aim``, only paths
    that may come to that defect are explored, the nearest first.
    """
    began = time.monotonic()
    try:
        return _scan(program, files, _of_function(options, program, name, aim), began, folder, tell, aim)
    except UnforkError as problem:
        return not_explored(program, name, str(problem), began)


def most(seconds: float) -> float:
    """The processor seconds that a function may use with a limit of ``seconds``, apart from a last query."""
    return seconds * (1 + _TO_JUDGE)


def not_explored(program: Program, name: str, reason: str, began: float) -> Explored:
    """The result for a function that could not be explored."""
    return Explored(*_place(program, name), "not", reason, (), (), 0, 0, time.monotonic() - began)


def _place(program: Program, name: str) -> tuple[str, str, int]:
    function = program.function(name)
    assert function.position is not None
    return function.source_name, function.position.file, function.position.line


def _of_function(options: Options, program: Program, name: str, aim: Defect | None) -> Options:
    """The options for one function. Variables hold anything unless constructors set them. ``main`` is a program, whose
    leaks count if one looks for them (``aim``): the system takes all back at its end.
    """
    changes: dict[str, Any] = {
        "function": name,
        "all_errors": True,
        "tests": "errors",
        "formats": ("c",),
        "strategy": ("plain",),
    }
    if name == "main":
        options = scanning.of_main(options if aim is not None else scanning.not_looking_for(options, LEAK))
    else:
        is_from_start = program.constructors or name in program.object_drivers
        variables = "initial" if is_from_start else "written"
        options = scanning.with_streams(options, program, name)
        changes |= {
            "globals": variables,
            "sizes": "pair",
            "lengths": "measured",
            "exceptions": "caller",
            "callbacks": "passed",
        }
    if aim is not None and aim[1] is not None:
        changes["search"] = (f"target:{aim[1]}:{aim[2]}", *_FAIR * (name in program.object_drivers))
    [(_, chosen)] = strategies(replace(options, **changes, given=options.given | changes.keys()))
    return chosen


def _scan(
    program: Program,
    files: tuple[str, ...],
    options: Options,
    began: float,
    folder: Path,
    tell: Callable[[Explored], None],
    aim: Defect | None,
) -> Explored:
    seconds, spent = scanning.seconds(options), Patience(used=_used)
    whole = bounding.budget(replace(options, max_time=longest(seconds)), began)
    whole = whole.beside(host.this().resident_bytes())  # what the scan's own process has read is no function's
    with ExitStack() as closing:
        strategy = StrategyPlan("plain", 0, files, options, (), whole)
        explorer = closing.enter_context(strategy.explorer(program, whole))
        check = native_check.check(native_check.origin(program, options, files, None), whole.deadline)
        closing.callback(check.close)
        second = _WhereCertain(check)
        for part in ("tests", "errors"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        if (driver := program.object_drivers.get(options.function)) is not None:
            tested_programs.keep_driver(folder, program, driver)
        recorder = explorer.recorder(RunDirectory(folder), outputs.formats(options, lambda: program), second)
        claimed = _claimed(program, aim)
        faults, ways = _Faults(recorder, program.c_types, aim, claimed), _ways(program, aim)
        if ways is not None:
            explorer.follow_only(partial(OnlyTowards, ways))
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
            _explore(explorer, recorder, faults, spent, seconds * (1 - _TO_JUDGE), is_aimed=aim is not None)
            about = options, program, explorer.parts.command, explorer.parts.engine, whole, seconds
            judge: FaultJudge = scanning.judge(*about)
            left = max(seconds - spent.used(), _TO_JUDGE * seconds)
            judging = Patience(left, until=whole.deadline, used=_used)
            is_cpp = _place(program, options.function)[1].endswith(tuple(CPP_SUFFIXES))
            if aim is not None and aim[0] == REACHED:
                judge = LineJudge(program)
            demands = DemandCheck(CaseQuestions(explorer.parts.engine.chain), faults.came_through)
            court = _Court(judge, demands, recorder, second, folder, judging.is_over, options.fail > 0, is_cpp, driver)
            for error, paths in _meant(faults.paths(), claimed, lambda: scanning.siblings(*about)[1]):
                finding = court.found(error, paths)
                if finding is not None:
                    found.append(finding)
                    tell(result("its process took too long, so that not all faults were judged"))
        return result(INTERRUPTED if explorer.interrupt.requested else _incomplete(explorer, faults, ways))


def _claimed(program: Program, aim: Defect | None) -> ClaimedLeak | None:
    """The leak that is looked for, if a tool says by which line it comes about."""
    if aim is None or aim[0] != LOST_BY or aim[1] is None or aim[2] is None:
        return None
    return ClaimedLeak(program, SourceLine(aim[1], aim[2]))


def _meant(
    paths: Iterable[tuple[Error, list[Failed]]], claimed: ClaimedLeak | None, make: Callable[[], SiblingFamily]
) -> Iterator[tuple[Error, list[Failed]]]:
    """Of the paths to a claimed leak, those that come by the line at which a tool has seen it."""
    if claimed is None:
        yield from paths
        return
    family = make()
    for error, several in paths:
        by_line = [each for each in several if claimed.is_at(error) or claimed.comes_by(family.of(each).places)]
        if by_line:
            yield error, by_line


def _ways(program: Program, aim: Defect | None) -> WaysTo | None:
    """The ways to an aim, if all others may be left out."""
    if aim is None or aim[1] is None or aim[2] is None or aim[0] in _AT_THE_END:
        return None
    return WaysTo(program, SourceLine(aim[1], aim[2]))


def _explore(
    explorer: Explorer, recorder: Recorder, faults: _Faults, spent: Patience, seconds: float, *, is_aimed: bool
) -> None:
    parts = explorer.parts
    data = explorer.whole((parts.tally, parts.placing, parts.traces, parts.assumptions, faults))
    chain = parts.engine.chain
    last = chain.deadline

    def end_step() -> None:
        chain.deadline = time.monotonic()

    has_begun = (lambda: faults.count > 0) if is_aimed else (lambda: True)
    pace = Pace(spent, seconds, lambda: (faults.count, sum(parts.engine.coverage.covered)), has_begun)
    with alarm(max(seconds - spent.used(), _LEAST), end_step):
        explorer.loop(recorder, data, Until(explorer.limits(recorder, data), pace.look))
    chain.deadline = last


@dataclass(frozen=True, slots=True)
class _Court:
    """Judges paths to faults, and replays those that are judged certain."""

    judge: FaultJudge
    demands: DemandCheck
    recorder: Recorder
    second: _WhereCertain
    folder: Path
    is_over: Callable[[], bool]
    has_failures: bool
    is_cpp: bool
    driver: ObjectDriver | None

    def found(self, error: Error, paths: Sequence[Failed]) -> ScanFinding | None:
        """The finding for a fault: of a path that is certain and fails natively, else of the first path."""
        first: tuple[Failed, Judgement] | None = None
        seen: list[ScanFinding] = []
        judgements: list[Judgement] = []
        for failed in paths:
            if self.is_over() or len(seen) == _TRIED:
                break
            judgement = self.judge.judge(failed)
            if judgement.certainty == CERTAIN:
                for each in self._with_texts(failed):
                    found = self._again(error, each, judgement)
                    seen += [found] if found is not None else []
                    if found is not None and found.certainty == CERTAIN:
                        return found
            first = first or (failed, judgement)
            judgements.append(judgement)
        if seen:
            return seen[0]
        failed, judgement = first or (
            paths[0],
            Judgement(OUT_OF_TIME, UNDECIDED, Grounds("no time was left to judge it")),
        )
        return self._again(error, failed, self._together(judgement, judgements, paths))

    def _with_texts(self, failed: Failed) -> Iterator[Failed]:
        """The path, and the path with texts that are not empty: a native block of no bytes has room for a NUL."""
        yield failed
        texts = [each for each in failed.state.lazy.objects if each.is_text and isinstance(each.length, Term)]
        conditions = [build.ult(1, each.length, 64) for each in texts]
        path = self.demands.ask.if_known(failed.state.path, build.conjunction(conditions)) if texts else None
        if path is not None:
            state = failed.state.fork()
            state.path = path
            yield replace(failed, state=state)

    def _together(self, judgement: Judgement, others: Sequence[Judgement], paths: Sequence[Failed]) -> Judgement:
        """A conditional judgement with the preconditions of all judgements of its fault, where a check shows that they
        are such; undecided if one of them is.
        """
        undecided = next((each for each in (judgement, *others) if each.certainty == UNDECIDED), None)
        if undecided is not None:
            return replace(undecided, grounds=Grounds(undecided.grounds.reason))
        known = list(dict.fromkeys(each.grounds for each in (judgement, *others)))
        demands = list(dict.fromkeys(each.demand for each in known if each.requires and each.demand is not None))
        checked = self.demands.weakest(demands, [each.state for each in paths])
        if demands:
            is_checked = bool(checked)
            known = [each for each in known if not is_checked or each.demand is None or each.demand in checked]
            known = [each if is_checked or each.demand is None else _plainly(each) for each in known]
        preconditions = dict.fromkeys(each.precondition for each in known if each.precondition)
        conditions = in_order(each.requires for each in known if each.requires)
        sides = [f"({each})" if " || " in each and len(conditions) > 1 else each for each in conditions]
        about = judgement.grounds.about
        grounds = Grounds(judgement.grounds.reason, "; ".join(preconditions), " && ".join(sides), about=about)
        return replace(judgement, grounds=grounds)

    def _again(self, error: Error, failed: Failed, judgement: Judgement) -> ScanFinding | None:
        self.second.is_active = judgement.certainty == CERTAIN and error.kind != REACHED
        self.recorder.tell(Ended(failed))
        findings = [each for each in (*self.recorder.alarms, *self.recorder.errors) if each.key == error]
        if not findings:
            return None
        found = _found(findings[-1], judgement, self.folder, self._engine_alone(findings[-1]))
        nulls = [
            each.name for each in failed.state.lazy.arguments if isinstance(each.type, Pointer) and each.value == 0
        ]
        structs = _structs(failed, judgement.grounds)
        return replace(found, structs=structs, nulls=tuple(nulls), calls=self._calls(failed))

    def _calls(self, failed: Failed) -> tuple[str, ...]:
        """The calls of a path that makes its objects by calls."""
        if self.driver is None:
            return ()
        model = failed.state.path.model()
        values = {each.name: evaluate(each.value, model) for each in failed.state.lazy.arguments}
        return tuple([each.function for each in self.driver.calls(values)])

    def _engine_alone(self, finding: Finding) -> str:
        """Why no native run can show a finding: no sanitizer looks for it, only --fail makes calls fail, or no C++
        program builds its input; "" otherwise.
        """
        if finding.kind == REACHED:
            return "no sanitizer looks for it"
        if finding.native.word is not NativeOpinion.DENIED and (finding.kind == "uninitialised" or self.has_failures):
            return "no sanitizer shows it"
        is_built = (
            finding.native.word is not NativeOpinion.UNCHECKED or finding.native.reason == NATIVE_OUT_OF_TIME.reason
        )
        if is_built or not self.is_cpp:
            return ""
        return "no native run can be built" if finding.native.reason else "no native run was asked for"


def _structs(failed: Failed, grounds: Grounds) -> tuple[str, ...]:
    """The structs whose members a path read in its input; none if its judgement is about its arguments alone."""
    lazy = failed.state.lazy
    if grounds.about and {each.name for each in lazy.arguments}.issuperset(grounds.about):
        return ()
    items = (lazy.find(number) for number, _ in (*lazy.pointers, *lazy.numbers))
    kinds = (each.type for each in items if each is not None)
    return tuple(dict.fromkeys(each.name for each in kinds if isinstance(each, RecordType)))


def _plainly(grounds: Grounds) -> Grounds:
    """The grounds without a condition in C."""
    return Grounds(grounds.reason, grounds.plain)


def _found(finding: Finding, judgement: Judgement, folder: Path, engine_alone: str) -> ScanFinding:
    """The finding as scan.json lists it. It is not certain unless its test fails again natively."""
    rule, certainty, reason = judgement.rule, judgement.certainty, judgement.grounds.reason
    if certainty == CERTAIN and not finding.replayed:
        rule, certainty, reason = NOT_REPLAYED, UNDECIDED, f"its test does not fail again: {finding.reason}"
    elif certainty == CERTAIN and engine_alone:
        reason = f"{reason} (seen again on the engine; {engine_alone})"
    elif certainty == CERTAIN and finding.native.word is not NativeOpinion.CONFIRMED:
        why = finding.native.reason or finding.native.word.value
        rule, certainty, reason = NOT_NATIVE, UNDECIDED, f"a native run does not show it ({why})"
    test, data = folder / finding.test, finding.as_dict()
    return ScanFinding(
        finding.kind,
        finding.file,
        finding.line,
        finding.function or "",
        finding.message,
        certainty,
        reason,
        judgement.grounds.precondition,
        judgement.grounds.requires,
        str(test),
        str(next((each for each in map(test.with_suffix, SOURCES) if each.is_file()), test.with_suffix(SOURCES[0]))),
        data["stack"],
        judgement.path,
        rule,
        data["access"],
    )


def _incomplete(explorer: Explorer, faults: _Faults, ways: WaysTo | None) -> str:
    """Why a function was explored in part; "" if completely."""
    tally = explorer.parts.tally
    if tally.dropped:
        limit = f"--max-memory {explorer.options.max_memory:g}"
        return f"memory was short ({limit}): {plural(tally.dropped, 'path')} given up"
    if explorer.stopped_by == QUIET:
        return QUIET
    if explorer.stopped_by is not None:
        return f"stopped by {explorer.stopped_by}"
    if tally.kills:
        return "; ".join(dict.fromkeys(f"{detail} ({reason})" for reason, detail in tally.kills))
    bounds = ", ".join(bound for bound in tally.bounds_hit if bound != OFF_THE_WAY)
    if bounds:
        return bounds
    if faults.callback is not None:
        return f"callback {faults.callback} may be a function of the caller's"
    if faults.stream is not None:
        return f"{faults.stream} may be another stream than {' or '.join(STREAMS)}; see --sym-stdin"
    about = explorer.program, explorer.options.function, explorer.parts.engine.coverage
    if ways is not None:
        return in_the_way(*about, has_returned=True, matters=ways.leads)
    return in_the_way(*about, has_returned=faults.has_returned)
