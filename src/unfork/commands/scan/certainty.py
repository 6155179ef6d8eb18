"""Whether a function fails, or its callers may exclude it: the first rule of a table that applies decides.

A fault is *certain* (manifest, Pulse-X: Le et al., OOPSLA 2022) if the function fails from every caller's state in
which it decides as on this path. It is *conditional* if it needs something of the arguments or the heap that the code
never tests: a precondition. The rules compare the path with its siblings (siblings.py).

Each rule is a class whose docstring says when it applies; findings carry its name. tests/commands/scan/rule_programs.py
names a program on either side of each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from unfork.commands.scan.case_questions import CaseQuestions, SolverGaveUp
from unfork.commands.scan.decisions import decisions
from unfork.commands.scan.fault_case import FaultCase, ScannedFunction
from unfork.commands.scan.judgement import SHOWN, UNDECIDED, Grounds, Judgement
from unfork.commands.scan.number_rules import (
    ComparesWithEndOfText,
    FailsBetweenSteps,
    FailsInFront,
    LetsNumberBy,
    NeedsAnswerOfLibrary,
    NeedsBrokenFormat,
    NeedsHugeObject,
    NeedsLargestSize,
    NeedsMadeMember,
    NeedsShortText,
    NeedsTextWithoutSize,
    NeedsUntestedNumber,
    TestsWrongly,
    WritesBehindText,
)
from unfork.commands.scan.path_rules import (
    Asserted,
    CallsNoFunction,
    ComparesAddresses,
    EveryInputFails,
    FailsOnContents,
    FreesTooEarly,
    HasUnknownSiblings,
    LeavesToCallback,
    MayHoldAnything,
    ReadsLibraryClass,
    ReadsUndefinedVariable,
    RunsBeforeSetup,
    RunsChosenFunction,
    RunsOutsideHandler,
    RunsOwnCallback,
    UsesOwnBlock,
    UsesUndefinedFunction,
)
from unfork.commands.scan.pointer_rules import (
    FailsWithPlainPointers,
    NeedsClass,
    NeedsEmptyRange,
    NeedsEqualPointers,
    NeedsNull,
    NeedsNullBesideSize,
    NeedsNullFunction,
    NeedsNullResult,
    NeedsPointerToNothing,
    NeedsSharedObject,
    NeedsUntestedHeap,
    TestsNullTooLate,
)
from unfork.commands.scan.siblings import SiblingFamily
from unfork.engine.machine.machine import Machine
from unfork.engine.protocols.outcome import Failed
from unfork.logic.solve.chain import Chain
from unfork.program.c.object_calls import FILE as OBJECT_CALLS


class JudgementRule(Protocol):
    """Decides how certain some faults are."""

    @property
    def name(self) -> str:
        """What findings call it."""

    @property
    def certainty(self) -> str:
        """CERTAIN, LIKELY, CONDITIONAL or UNDECIDED, where it applies."""

    def grounds(self, case: FaultCase) -> Grounds | None:
        """Why it applies to a case; None if it does not. Raises SolverGaveUp."""


RULES_OF_PATHS: tuple[JudgementRule, ...] = (
    Asserted(),
    CallsNoFunction(),
    RunsOutsideHandler(),
    RunsOwnCallback(),
    LeavesToCallback(),
    ReadsUndefinedVariable(),
    ReadsLibraryClass(),
)
"""Rules that need no siblings, in order."""

RULES_OF_SIBLINGS: tuple[JudgementRule, ...] = (
    RunsBeforeSetup(),
    RunsChosenFunction(),
    FreesTooEarly(),
    UsesOwnBlock(),
    FailsOnContents(),
    HasUnknownSiblings(),
    ComparesAddresses(),
    TestsNullTooLate(),
    NeedsNull(),
    NeedsSharedObject(),
    NeedsClass(),
    NeedsNullFunction(),
    FailsWithPlainPointers(),
    NeedsEqualPointers(),
    NeedsPointerToNothing(),
    NeedsNullBesideSize(),
    NeedsHugeObject(),
    NeedsTextWithoutSize(),
    FailsBetweenSteps(),
    FailsInFront(),
    WritesBehindText(),
    ComparesWithEndOfText(),
    NeedsBrokenFormat(),
    NeedsShortText(),
    UsesUndefinedFunction(),
    NeedsUntestedNumber(),
    NeedsMadeMember(),
    NeedsAnswerOfLibrary(),
    NeedsUntestedHeap(),
    NeedsNullResult(),
    NeedsEmptyRange(),
    NeedsLargestSize(),
    EveryInputFails(),
    TestsWrongly(),
    LetsNumberBy(),
    MayHoldAnything(),
)
"""Rules that compare a path with its siblings, in order. The last always applies."""

SOLVER_GAVE_UP, WHOLE_PROGRAM, OUT_OF_TIME = "solver-gave-up", "whole-program", "out-of-time"
NOT_REPLAYED, NOT_NATIVE = "not-replayed", "not-native"
WITHOUT_RULE: Mapping[str, str] = {
    SOLVER_GAVE_UP: "The solver does not know which numbers the fault needs.",
    WHOLE_PROGRAM: "It is a fault of main: users of the program choose its arguments and its input.",
    OUT_OF_TIME: "The time of the function was over before the fault was judged.",
    NOT_REPLAYED: "A rule calls it certain, but its test does not fail again.",
    NOT_NATIVE: "A rule calls it certain, but a native run does not show it.",
}
"""What findings carry if no rule decides."""


class Judge:
    """Judges the faults of one function."""

    def __init__(self, family: SiblingFamily, chain: Chain, machine: Machine, function: str) -> None:
        program = machine.program
        is_called = any(caller != function for caller in program.callers(function))
        ask = CaseQuestions(chain)
        self._scanned = ScannedFunction(program.function(function), program, machine.facts, family, ask, is_called)

    def judge(self, failed: Failed, paths: Sequence[Failed] = ()) -> Judgement:
        """How certain a fault is, to which ``paths`` lead."""
        case = FaultCase(self._scanned, failed, paths)
        judgement = _first(RULES_OF_PATHS, case)
        if judgement is not None:
            return judgement
        try:
            judgement = _first(RULES_OF_SIBLINGS, case)
        except SolverGaveUp:
            grounds = Grounds("the solver gave up on what numbers it needs")
            judgement = Judgement(SOLVER_GAVE_UP, UNDECIDED, grounds)
        assert judgement is not None  # the last rule always applies
        return self._with_path(judgement, case)

    def _with_path(self, judgement: Judgement, case: FaultCase) -> Judgement:
        """The judgement with the path's decisions and, if a fault in a callee is certain or likely, with its caller."""
        places, function, grounds = case.siblings.places, self._scanned.function, judgement.grounds
        is_driver = function.name in self._scanned.program.object_drivers
        if judgement.certainty in SHOWN and places and places[-1].function is not function and not is_driver:
            grounds = replace(grounds, reason=f"{grounds.reason}, in a call by {function.source_name}")
        path = tuple([step for step in decisions(places) if step.file != OBJECT_CALLS])
        arguments = case.arguments if judgement.certainty in SHOWN and case.failing_alike else ()
        return replace(judgement, grounds=grounds, path=path, arguments=arguments)


def _first(rules: Iterable[JudgementRule], case: FaultCase) -> Judgement | None:
    for rule in rules:
        grounds = rule.grounds(case)
        if grounds is not None:
            return Judgement(rule.name, rule.certainty, grounds)
    return None
