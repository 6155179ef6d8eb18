"""Decides which of several paths makes the finding for a fault, and replays those that are judged certain or likely."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from unfork.commands.scan.certainty import NOT_NATIVE, NOT_REPLAYED, OUT_OF_TIME, Judge
from unfork.commands.scan.demands import Contract, DemandCheck, DemandOfPath
from unfork.commands.scan.fault_needs import Needs, common_needs, renamed
from unfork.commands.scan.judgement import CERTAIN, CLASSES, SHOWN, UNDECIDED, Grounds, Judgement
from unfork.commands.scan.results import ScanFinding
from unfork.commands.scan.whole_program import LineJudge, ProgramJudge
from unfork.engine.protocols.events import Ended
from unfork.engine.protocols.fault import Reach
from unfork.engine.protocols.outcome import Failed
from unfork.logic.terms import build
from unfork.logic.terms.evaluate import evaluate
from unfork.logic.terms.term import Term, Value
from unfork.options.options import Options
from unfork.program.c.object_calls import GivenArgument, ObjectDriver
from unfork.program.c.suffixes import CPP_SUFFIXES
from unfork.program.llvm.c_types import Opaque, RecordType
from unfork.program.llvm.module import Program
from unfork.report.record.findings import Finding
from unfork.report.record.found_errors import SecondOpinion
from unfork.report.record.recorder import Recorder
from unfork.report.replay.second_opinion import OUT_OF_TIME as NATIVE_OUT_OF_TIME
from unfork.world.inputs.testcase import NOT_ASKED, Error, NativeOpinion, Opinion, Replayed, TestCase

SOURCES = (".c", ".cpp")
"""The suffixes of tests that compile alone."""
REACHED = "reach-error"
"""The kind of error of a line that is not to be reached: whoever comes there has shown it."""
_BEYOND_NULL = frozenset((Reach.NO_OBJECT, Reach.ADDRESS, Reach.ANYWHERE, Reach.CODE))
"""Where an access leads far away from a null pointer."""
_TRIED = 3
"""The most certain paths to a fault that run natively until one fails."""


FaultJudge: TypeAlias = Judge | ProgramJudge | LineJudge


class WhereCertain:
    """Runs only tests of faults natively that are certain or likely."""

    def __init__(self, check: SecondOpinion) -> None:
        self._check = check
        self.is_active = False

    def of(self, test: TestCase, replayed: Replayed) -> Opinion:
        return self._check.of(test, replayed) if self.is_active else NOT_ASKED


_NOT_JUDGED = Judgement(OUT_OF_TIME, UNDECIDED, Grounds("no time was left to judge it"))


@dataclass(slots=True)
class _Hearing:
    """A fault with its paths, of which the first have ``judgements``.

    ``tried``: how many of them are certain or likely, and ran again. ``shown``: the test of the first path, of which
    ``finding`` is if none was tried; ``different`` judgements made it.
    """

    error: Error
    paths: Sequence[Failed]
    judgements: list[Judgement] = field(default_factory=list)
    tried: int = 0
    shown: Finding | None = None
    different: int = 0
    finding: ScanFinding | None = None

    @property
    def is_certain(self) -> bool:
        return self.finding is not None and self.finding.certainty == CERTAIN

    @property
    def is_over(self) -> bool:
        """Whether no further path would change the finding."""
        return self.is_certain or self.tried >= _TRIED or len(self.judgements) == len(self.paths)


@dataclass(frozen=True, slots=True)
class FaultCourt:
    """Judges paths to faults, and replays those that are judged certain or likely."""

    judge: FaultJudge
    demands: DemandCheck
    recorder: Recorder
    second: WhereCertain
    folder: Path
    is_over: Callable[[], bool]
    options: Options
    program: Program

    @property
    def _driver(self) -> ObjectDriver | None:
        """What calls the function on objects that it makes."""
        return self.program.object_drivers.get(self.options.function)

    def findings(self, faults: Iterable[tuple[Error, Sequence[Failed]]]) -> Iterator[Sequence[ScanFinding]]:
        """The findings for faults, each with its paths: what is known after each fault's first path, and when more is
        known. Faults take turns, so that one with many paths leaves time for the others.
        """
        hearings = [_Hearing(error, paths) for error, paths in faults]
        waiting, turns = deque(hearings), 0
        while waiting and not self.is_over():
            hearing = waiting.popleft()
            self._hear(hearing)
            turns += 1
            if not hearing.is_over:
                waiting.append(hearing)
            if turns <= len(hearings):
                yield self._concluded(hearings[:turns], hearings)
            elif hearing.is_certain:
                yield [each.finding for each in hearings if each.finding is not None]
        yield self._concluded(hearings, hearings)

    def _hear(self, hearing: _Hearing) -> None:
        """Judge the next path to a fault: a finding is certain, or likely, if one is that fails again natively."""
        failed = hearing.paths[len(hearing.judgements)]
        judgement = self.judge.judge(failed, hearing.paths)
        hearing.judgements.append(judgement)
        known = hearing.finding if hearing.tried else None
        if judgement.certainty not in SHOWN or (known is not None and known.certainty == judgement.certainty):
            return
        for each in self._examples(failed, judgement.grounds.example):
            found = self._again(hearing.error, each, judgement)
            if found is None:
                continue
            hearing.tried += 1
            if known is None or _is_better(found, known):
                known = hearing.finding = found
            if found.certainty in SHOWN:
                alike = tuple(self._alike(hearing.paths, hearing.judgements, found.certainty))
                hearing.finding = replace(known, needs=self._needs(alike, judgement))
                return

    def _concluded(self, hearings: Iterable[_Hearing], all_: Sequence[_Hearing]) -> Sequence[ScanFinding]:
        """The findings of some hearings among all, each by what all judgements of its fault say together."""
        hearings = list(hearings)
        others = [(one, other.error) for other in all_ for one in other.paths]
        for each in hearings:
            if not each.tried:
                self._conclude(each, [one for one, error in others if _is_moved(one, error, each.error)])
        return [each.finding for each in hearings if each.finding is not None]

    def _conclude(self, hearing: _Hearing, elsewhere: Sequence[Failed]) -> None:
        """Make the finding for a fault of which no path is certain: it is that of its first path. The paths
        ``elsewhere`` fail as it does, further away from null.
        """
        known = {(each.certainty, each.grounds): each for each in hearing.judgements}
        if hearing.finding is not None and len(known) == hearing.different:
            return
        hearing.different = len(known)
        first = hearing.judgements[0] if hearing.judgements else _NOT_JUDGED
        judgement = self._together(first, hearing.judgements, hearing.paths, elsewhere)
        if hearing.shown is None:
            hearing.shown = self._shown(hearing.error, hearing.paths[0], judgement)
        if hearing.shown is not None:
            hearing.finding = self._found(hearing.shown, hearing.paths[0], judgement)

    def _alike(self, paths: Sequence[Failed], judgements: Sequence[Judgement], certainty: str) -> Iterator[Failed]:
        """The paths that are judged so, of which the first have judgements; and those with no time to judge."""
        for at, failed in enumerate(paths):
            if at < len(judgements):
                is_alike = judgements[at].certainty == certainty
            else:
                is_alike = self.is_over() or self.judge.judge(failed, paths).certainty == certainty
            if is_alike:
                yield failed

    def _needs(self, paths: Sequence[Failed], judgement: Judgement) -> Needs:
        """What these paths to a fault need of the arguments that it depends on."""
        needs = common_needs(self.demands.ask, paths, judgement.arguments)
        return needs if self._driver is None else renamed(needs, self._names(self._driver).get)

    def _names(self, driver: ObjectDriver) -> Mapping[str, str]:
        """The parameters of the entry, by the names of the driver's that are passed to it."""
        prototype = self.program.c_types.prototype(driver.entry.function)
        parameters = () if prototype is None else prototype.parameters
        return {
            each.name: parameter.name
            for each, parameter in zip(driver.entry.arguments, parameters, strict=False)
            if isinstance(each, GivenArgument)
        }

    def _examples(self, failed: Failed, example: Value | None) -> Iterator[Failed]:
        """The path, with ``example`` if it allows that; and with texts, and with blocks, that are not empty: a native
        block of no bytes has one.
        """
        failed = (None if example is None else self._under(failed, example)) or failed
        yield failed
        texts = [each for each in failed.state.lazy.objects if each.is_text and isinstance(each.length, Term)]
        blocks = [each.size for each in failed.state.memory.objects.held.values() if each.kind == "heap"]
        for least in (
            [build.ult(1, each.length, 64) for each in texts],
            [build.ult(0, size, 64) for size in blocks if isinstance(size, Term)],
        ):
            other = self._under(failed, build.conjunction(least)) if least else None
            if other is not None:
                yield other

    def _under(self, failed: Failed, condition: Value) -> Failed | None:
        """The path with a condition (1 bit); None if that is not known to hold anywhere there."""
        path = self.demands.ask.if_known(failed.state.path, condition)
        if path is None:
            return None
        state = failed.state.fork()
        state.path = path
        return replace(failed, state=state)

    def _together(
        self,
        judgement: Judgement,
        others: Sequence[Judgement],
        paths: Sequence[Failed],
        elsewhere: Sequence[Failed],
    ) -> Judgement:
        """A conditional judgement with the preconditions of all judgements of its fault, where a check shows that they
        are such; undecided if one of them is.
        """
        undecided = next((each for each in (judgement, *others) if each.certainty == UNDECIDED), None)
        if undecided is not None:
            return replace(undecided, grounds=Grounds(undecided.grounds.reason))
        known = list(dict.fromkeys(each.grounds for each in (judgement, *others)))
        claims = [
            DemandOfPath(each.grounds.demand, each.grounds.requires, failed.state)
            for each, failed in zip(others, paths, strict=False)
            if each.grounds.requires and each.grounds.demand is not None
        ]
        contract = self.demands.contract(claims, [each.state for each in paths], [each.state for each in elsewhere])
        if contract is None:
            further = self.demands.further_along(claims)
            known = [each for each in known if each.demand is None or each.demand not in further]
        known = [said for each in known if (said := _checked(each, contract)) is not None]
        preconditions = dict.fromkeys(each.precondition for each in known if each.precondition)
        requires = "" if contract is None else contract.condition
        grounds = Grounds(judgement.grounds.reason, "; ".join(preconditions), requires, about=judgement.grounds.about)
        return replace(judgement, grounds=grounds)

    def _again(self, error: Error, failed: Failed, judgement: Judgement) -> ScanFinding | None:
        """The finding for a path, whose test is written and runs again."""
        shown = self._shown(error, failed, judgement)
        return None if shown is None else self._found(shown, failed, judgement)

    def _shown(self, error: Error, failed: Failed, judgement: Judgement) -> Finding | None:
        """Write the test of a path and run it again; natively, too, if it is certain or likely."""
        self.second.is_active = judgement.certainty in SHOWN and error.kind != REACHED
        self.recorder.tell(Ended(failed))
        findings = [each for each in (*self.recorder.alarms, *self.recorder.errors) if each.key == error]
        return findings[-1] if findings else None

    def _found(self, shown: Finding, failed: Failed, judgement: Judgement) -> ScanFinding:
        found = _found(shown, judgement, self.folder, self._engine_alone(shown))
        return replace(found, structs=_structs(failed, judgement.grounds), calls=self._calls(failed))

    def _calls(self, failed: Failed) -> tuple[str, ...]:
        """The calls of a path that makes its objects by calls."""
        if self._driver is None:
            return ()
        model = failed.state.path.model()
        values = {each.name: evaluate(each.value, model) for each in failed.state.lazy.arguments}
        return tuple([each.function for each in self._driver.calls(values)])

    def _engine_alone(self, finding: Finding) -> str:
        """Why no native run can show a finding: no sanitizer looks for it, only --fail makes calls fail, or no C++
        program builds its input; "" otherwise.
        """
        if finding.kind == REACHED:
            return "no sanitizer looks for it"
        if finding.native.word is not NativeOpinion.DENIED and (
            finding.kind == "uninitialised" or self.options.fail > 0
        ):
            return "no sanitizer shows it"
        is_built = (
            finding.native.word is not NativeOpinion.UNCHECKED or finding.native.reason == NATIVE_OUT_OF_TIME.reason
        )
        place = self.program.function(self.options.function).position
        if is_built or place is None or not place.file.endswith(tuple(CPP_SUFFIXES)):
            return ""
        return "no native run can be built" if finding.native.reason else "no native run was asked for"


def _structs(failed: Failed, grounds: Grounds) -> tuple[str, ...]:
    """The structs whose members a path read in its input, and those as which pointers to them are declared; none if its
    judgement is about its arguments alone.
    """
    lazy = failed.state.lazy
    if grounds.about and {each.name for each in lazy.arguments}.issuperset(grounds.about):
        return ()
    items = [item for place in (*lazy.pointers, *lazy.numbers) for item, _ in lazy.around(*place)]
    kinds = (kind for item in items for kind in (item.type, item.given))
    return tuple(dict.fromkeys(each.name for each in kinds if isinstance(each, RecordType | Opaque)))


def _is_better(found: ScanFinding, other: ScanFinding) -> bool:
    return CLASSES.index(found.certainty) < CLASSES.index(other.certainty)


def _is_moved(failed: Failed, error: Error, fault: Error) -> bool:
    """Whether a path to an ``error`` accesses nothing in the line of a null dereference, of which it is a part: only
    the distance from null makes it another one.
    """
    access = failed.fault.access
    is_beside = fault.kind == "null-dereference" != error.kind and (error.file, error.line) == (fault.file, fault.line)
    return is_beside and access is not None and access.reach in _BEYOND_NULL


def _checked(grounds: Grounds, contract: Contract | None) -> Grounds | None:
    """What remains to be said of the grounds after a check: None if others say it."""
    if grounds.demand is None:
        return replace(grounds, requires="")
    if contract is None:
        return Grounds(grounds.reason, grounds.plain)
    if not contract.has(grounds.demand):
        return None
    return replace(grounds, precondition=contract.text_of(grounds.demand) or grounds.precondition)


def _found(finding: Finding, judgement: Judgement, folder: Path, engine_alone: str) -> ScanFinding:
    """The finding as scan.json lists it. It is neither certain nor likely unless its test fails again natively."""
    rule, certainty, reason = judgement.rule, judgement.certainty, judgement.grounds.reason
    if certainty in SHOWN and not finding.replayed:
        rule, certainty, reason = NOT_REPLAYED, UNDECIDED, f"its test does not fail again: {finding.reason}"
    elif certainty in SHOWN and engine_alone:
        reason = f"{reason} (seen again on the engine; {engine_alone})"
    elif certainty in SHOWN and finding.native.word is not NativeOpinion.CONFIRMED:
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
