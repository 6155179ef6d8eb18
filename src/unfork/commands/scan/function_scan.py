"""Scans one function: explores it on any arguments and any heap, and judges each of its faults."""

from __future__ import annotations

import os
import signal
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any

from unfork import host
from unfork.commands.afterwards import native_check
from unfork.commands.assemble import bounding, outputs
from unfork.commands.assemble.raced_strategies import strategies
from unfork.commands.run.explorer import Explorer
from unfork.commands.run.meetings import Until
from unfork.commands.run.strategy_plan import StrategyPlan
from unfork.commands.scan import scanning, tested_programs
from unfork.commands.scan.case_questions import CaseQuestions
from unfork.commands.scan.completeness import in_the_way
from unfork.commands.scan.court import REACHED, FaultCourt, FaultJudge, WhereCertain
from unfork.commands.scan.demands import DemandCheck
from unfork.commands.scan.failing_input import called_undefined, function_pointers, may_be_of_caller, stream_pointers
from unfork.commands.scan.leak_claims import LEAK, LOST_BY, ClaimedLeak
from unfork.commands.scan.native_trials import NativeTrials
from unfork.commands.scan.passed_lines import passed_lines
from unfork.commands.scan.path_rules import AT_THE_END
from unfork.commands.scan.results import Defect, Explored, ScanFinding
from unfork.commands.scan.siblings import SiblingFamily
from unfork.commands.scan.whole_program import LineJudge
from unfork.engine.explore.leading import OFF_THE_WAY, OnlyTowards, SourceLine, WaysTo
from unfork.engine.protocols.events import Ended, Event, Observer
from unfork.engine.protocols.fault import Subject, subject_of
from unfork.engine.protocols.outcome import Failed, Halted
from unfork.engine.state.lazy import LazyHeap
from unfork.engine.state.state import State
from unfork.errors import UnforkError
from unfork.logic.solve.chain import GRACE
from unfork.logic.solve.solver import FOREVER
from unfork.options.options import Options
from unfork.patience import Patience, longest
from unfork.program.c.callbacks import PREFIX, STREAMS
from unfork.program.llvm.module import Program
from unfork.report.record.directory import RunDirectory
from unfork.report.record.recorder import Recorder
from unfork.report.record.text import plural
from unfork.world.inputs.testcase import Error, error_of

_TO_JUDGE = 0.25
"""The share of a function's time for judging its faults, guaranteed even if exploration took too long."""
_TO_TRY = 0.25
"""The share for native trials, if the function can be tried, beside what exploration leaves of its own."""
_QUERY, _LEAST_QUERY = 0.5, 1.0
"""The share of the time for exploration that one query may take, and the least seconds: another process works on it, so
no alarm rings.
"""
_LEAST = 0.01
"""Seconds before an alarm rings, at least."""
_QUIET, _QUIET_SHARE, _QUIET_TIMES = 2.0, 0.05, 9
"""Exploration ends after these seconds without news, this share of its time, or this multiple of the time until the
last news: the largest counts.
"""
_LOOK = 0.05
"""Seconds between two checks for news."""
QUIET = "nothing new came any more"
TOO_LONG = "its process took too long, so that not all faults were judged"
INTERRUPTED, STOPPED_BY_TIME = "stopped by interrupt", "stopped by max-time"
"""Why a function was explored in part: its process was killed, or the user stopped it."""
_ALIKE, _EACH = 3, 12
"""The most paths to a fault that are judged with the same pointers, and with the same object."""
_CLAIMED = 64
"""The most paths to a leak that a claim may mean: it matters by which line they come."""
_FAIR = ("random-path",)
"""The search that takes turns where calls make objects: towards the aim alone, a loop near it that needs another state
of the object keeps states waiting in the calls before. Chosen on a state machine and a dictionary.
"""
_TURNS = 16
"""The turns of a loop that one step takes: a buffer of any size has many, and most branches show in the first ones."""
_THROUGH, _THROUGH_ALIKE = 64, 4
"""The most paths without a fault that are kept to check preconditions; of those that read the same, with the same
pointers.
"""


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

    Before ``has_begun``, it waits for news. It ends at ``until`` by the clock, also while another process works.
    """

    def __init__(
        self,
        spent: Patience,
        seconds: float,
        known: Callable[[], tuple[int, int]],
        has_begun: Callable[[], bool] = lambda: True,
        until: float = FOREVER,
    ) -> None:
        self._spent, self._until = spent, until
        self._seconds = seconds
        self._quiet = max(_QUIET, _QUIET_SHARE * seconds)
        self._known = known
        self._has_begun = has_begun
        self._before = known()
        self._news = self._next = spent.used()

    def look(self) -> str | None:
        """Why to stop, or None."""
        used = self._spent.used()
        if used >= self._seconds or time.monotonic() > self._until:
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

    def __init__(self, recorder: Observer, program: Program, aim: Defect | None, claimed: ClaimedLeak | None) -> None:
        self._recorder = recorder
        self._program = program
        self._aim = aim
        self._claimed = claimed
        self.has_returned = False
        """Whether a path ended without a fault."""
        self._through: defaultdict[tuple[Any, ...], list[State]] = defaultdict(list)
        self.callback: str | None = None
        """An argument, or a member, that may lead to a function of the caller's."""
        self.stream: str | None = None
        """One that may lead to a stream of the caller's."""
        self.undefined: str | None = None
        """A function that no file here defines."""
        self._kept: defaultdict[Error, defaultdict[Subject, list[Failed]]] = defaultdict(lambda: defaultdict(list))

    def tell(self, event: Event) -> None:
        if isinstance(event, Ended) and self.callback is None:
            pointers = function_pointers(event.state.lazy, self._program.c_types)
            self.callback = next((each.path for each in pointers if may_be_of_caller(each, self._program)), None)
        if isinstance(event, Ended) and self.stream is None:
            self.stream = next(stream_pointers(event.state.lazy), None)
        if isinstance(event, Ended) and self.undefined is None:
            self.undefined = next(called_undefined(event.state), None)
        match event:
            case Ended(Failed() as failed):
                self._keep(failed)
            case Ended(Halted(end="exit")):
                self.has_returned = True
                if not event.state.lazy.is_wild:  # native memory holds something else there
                    self._keep_through(event.state)
                self._recorder.tell(event)
            case _:
                self._recorder.tell(event)

    def came_through(self) -> list[State]:
        """Some paths that ended without a fault."""
        return [each for kept in self._through.values() for each in kept]

    def _keep_through(self, state: State) -> None:
        """Keep a path without a fault, if not too many read the same and had the same pointers."""
        lazy = state.lazy
        alike = self._through[_shape(lazy), tuple(lazy.numbers)]
        if len(alike) < _THROUGH_ALIKE and len(self.came_through()) < _THROUGH:
            alike.append(state)

    @property
    def count(self) -> int:
        return sum(map(len, self._kept.values()))

    @property
    def are_any(self) -> bool:
        """Whether there are faults but null dereferences, which most functions with pointers have."""
        return any(kept and not _is_late(error) for error, kept in self._kept.items())

    def paths(self) -> Iterator[tuple[Error, list[Failed]]]:
        """The paths to each fault, shortest conditions first, by turns of objects. Null dereferences come last."""
        for error, kept in sorted(self._kept.items(), key=lambda each: _is_late(each[0])):
            turns = zip_longest(*[sorted(each, key=_length) for each in kept.values()])
            yield error, [failed for turn in turns for failed in turn if failed is not None]

    def _keep(self, failed: Failed) -> None:
        """Keep a path to a fault, or the shortest of too many: a longer one needs more, which may hide the fault."""
        error = error_of(failed.fault)
        is_after_fault = failed.state.lazy.is_wild  # a number was taken for an address: that was the fault
        if not self._is_wanted(error) or is_after_fault or _is_filling(failed):
            return
        alike, most = (_ALIKE, _EACH) if self._claimed is None else (_CLAIMED, _CLAIMED)
        kept, shape = self._kept[error][subject_of(failed.fault.cause)], _shape(failed.state.lazy)
        kept.append(failed)
        same = [each for each in kept if _shape(each.state.lazy) == shape]
        if len(same) > alike or len(kept) > most:
            kept.remove(max(same if len(same) > alike else kept, key=_length))

    def _is_wanted(self, error: Error) -> bool:
        if self._claimed is not None:
            return self._claimed.may_be(error)
        return self._aim is None or _is_aimed_at(error, self._aim)


def _is_filling(failed: Failed) -> bool:
    """Whether what stands for a function of others writes where nobody may: that one would not."""
    return failed.fault.kind == "read-only" and any(
        frame.function.name.startswith(PREFIX) for frame in failed.state.frames
    )


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
    *,
    is_entry: bool = False,
) -> Explored:
    """Explore the function ``name`` of the linked program, and write its tests below ``folder``.

    ``options.max_time`` is in processor seconds. ``tell`` receives intermediate results. With an ``aim``, only paths
    that may come to that defect are explored, the nearest first.
    """
    began = time.monotonic()
    is_tried = is_entry and aim is None
    try:
        return _scan(program, files, _of_function(options, program, name, aim), began, folder, tell, aim, is_tried)
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
        options = options if aim is not None else scanning.not_looking_for(options, LEAK)
        options = scanning.of_main(options, program)
    else:
        is_from_start = program.constructors or name in program.object_drivers
        variables = "initial" if is_from_start else "written"
        options = scanning.with_world(options, program, name)
        changes |= {
            "globals": variables,
            "sizes": "pair",
            "lengths": "measured",
            "exceptions": "caller",
            "callbacks": "passed",
            "loop_turns": options.loop_turns if options.is_given("loop_turns") else _TURNS,
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
    is_tried: bool,
) -> Explored:
    seconds, spent = scanning.seconds(options), Patience(used=_used)
    origin = native_check.origin(program, options, files, None)
    whole = bounding.budget(replace(options, max_time=longest(seconds)), began)
    whole = whole.beside(host.this().resident_bytes())  # what the scan's own process has read is no function's
    with ExitStack() as closing:
        strategy = StrategyPlan("plain", 0, files, options, (), whole)
        explorer = closing.enter_context(strategy.explorer(program, whole))
        check = native_check.check(origin, whole.deadline)
        closing.callback(check.close)
        second = WhereCertain(check)
        for part in ("tests", "errors"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        if (driver := program.object_drivers.get(options.function)) is not None:
            tested_programs.keep_driver(folder, program, driver)
        recorder = explorer.recorder(RunDirectory(folder), outputs.formats(options, lambda: program), second)
        claimed = _claimed(program, aim)
        faults, ways = _Faults(recorder, program, aim, claimed), _ways(program, aim)
        if ways is not None:
            explorer.follow_only(partial(OnlyTowards, ways))

        def result(reason: str, found: Sequence[ScanFinding]) -> Explored:
            edges, checks = explorer.parts.engine.coverage.covered_edges(), program.outlines.checks(options.function)
            return Explored(
                *_place(program, options.function),
                "all" if not reason else "part",
                reason,
                tuple(found),
                explorer.assumptions(),
                sum(1 for name, block, _ in edges if name == options.function and block not in checks),
                program.outlines.edges(options.function) - 2 * len(checks),
                time.monotonic() - began,
                passed,
            )

        with explorer.interrupt:
            _explore_and_try(explorer, origin if is_tried else None, recorder, faults, spent, whole.deadline, aim)
            passed = passed_lines(program, options.function, explorer.parts.engine.coverage.covered_edges())
            tell(result(TOO_LONG, ()))
            about = options, program, explorer.parts.command, explorer.parts.engine, whole, seconds
            judge: FaultJudge = scanning.judge(*about)
            judging = Patience(max(seconds - spent.used(), _TO_JUDGE * seconds), until=whole.deadline, used=_used)
            if aim is not None and aim[0] == REACHED:
                judge = LineJudge(program)
            demands = DemandCheck(CaseQuestions(explorer.parts.engine.chain), faults.came_through, program)
            court = FaultCourt(judge, demands, recorder, second, folder, judging.is_over, options, program)
            meant = _meant(faults.paths(), claimed, lambda: scanning.siblings(*about)[1])
            findings: Sequence[ScanFinding] = ()
            for findings in court.findings(meant):
                tell(result(TOO_LONG, findings))
        return result(INTERRUPTED if explorer.interrupt.requested else _incomplete(explorer, faults, ways), findings)


def _explore_and_try(
    explorer: Explorer,
    tried: native_check.BuildOrigin | None,
    recorder: Recorder,
    faults: _Faults,
    spent: Patience,
    deadline: float,
    aim: Defect | None,
) -> None:
    """Explore the function for its share of the time; then, if that left something, run it natively if ``tried`` says
    how it is built.
    """
    seconds = scanning.seconds(explorer.options)
    _explore(explorer, recorder, faults, spent, seconds * (1 - _TO_JUDGE), is_aimed=aim is not None)
    is_left = explorer.stopped_by is not None and not faults.are_any  # those are judged first
    if tried is not None and is_left:
        left = seconds * (1 - _TO_JUDGE + _TO_TRY) - spent.used()
        trials = NativeTrials(explorer, tried)
        trials.run(faults.came_through(), faults.tell, Patience(left, until=deadline, used=_used), left)


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
    if aim is None or aim[1] is None or aim[2] is None or aim[0] in AT_THE_END:
        return None
    return WaysTo(program, SourceLine(aim[1], aim[2]))


def _explore(
    explorer: Explorer, recorder: Recorder, faults: _Faults, spent: Patience, seconds: float, *, is_aimed: bool
) -> None:
    parts = explorer.parts
    data = explorer.whole((parts.tally, parts.placing, parts.traces, parts.assumptions, faults))
    chain = parts.engine.chain
    before, left = (chain.deadline, chain.last, chain.timeout), max(seconds - spent.used(), _LEAST)
    until = time.monotonic() + longest(left)
    chain.last, chain.timeout = until + GRACE, min(chain.timeout, max(_QUERY * left, _LEAST_QUERY))

    def end_step() -> None:
        chain.deadline = time.monotonic()
        chain.last = chain.deadline + GRACE

    has_begun = (lambda: faults.count > 0) if is_aimed else (lambda: True)
    pace = Pace(spent, seconds, lambda: (faults.count, sum(parts.engine.coverage.covered)), has_begun, until)
    with alarm(left, end_step):
        explorer.loop(recorder, data, Until(explorer.limits(recorder, data), pace.look))
    chain.deadline, chain.last, chain.timeout = before


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
    if faults.undefined is not None:
        return f"{faults.undefined}, which no file here defines, may do more than return something and fill buffers"
    about = explorer.program, explorer.options.function, explorer.parts.engine.coverage
    if ways is not None:
        return in_the_way(*about, has_returned=True, matters=ways.leads)
    return in_the_way(*about, has_returned=faults.has_returned)
