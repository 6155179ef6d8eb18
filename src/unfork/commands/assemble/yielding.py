"""Where the states of a run may rest, from all the options that have a say in that, before anything is built."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from unfork.engine.protocols.stepper import FORKS, YieldPoints
from unfork.options.options import EXACT_JOINS, Options
from unfork.program.facts.merge_points import (
    MergePointsOf,
    after_branches,
    at_marks,
    at_returns,
    closing_marks,
    everywhere,
    union,
    with_marks,
    with_recursion,
)
from unfork.program.llvm.module import Program
from unfork.reduce.prune.places import covering_places, marks_of

_MERGE_POINTS = {
    "dynamic": after_branches,
    "static": after_branches,
    "all": everywhere,
    "marked": at_marks,
    "function": at_returns,
}
"""Where each schedule lets states rest and meet."""


@dataclass(frozen=True, slots=True)
class YieldChoices:
    """Where states rest while they are ``alone``, and ``meeting`` others that they may be joined with or covered by.

    They are joined at the joins of ``joined``, and ``covered`` by others at those points.
    """

    alone: YieldPoints
    meeting: YieldPoints
    joined: MergePointsOf
    covered: MergePointsOf


def joins_callers(options: Options, program: Program) -> bool:
    """Whether states are joined in a callee whose callers wait at different calls.

    Only the semantics of a return know of that: no other part that looks further down the stack may be in the run.
    """
    return (
        options.merge in ("static", "dynamic")
        and options.join in EXACT_JOINS
        and options.prune == "none"
        and options.loops != "abstract"
        and options.unwind is None
        and not {"leak", "nontermination"}.intersection(options.check)
        and not closing_marks(program)
    )


def yields(options: Options, program: Program) -> YieldChoices:
    """Who passes an opening mark alone closes it with its parts; turns of loops are counted at every loop's head."""
    joined = everywhere if options.merge == "none" else with_marks(_MERGE_POINTS[options.merge])
    covered = marks_of(options.entry) if options.calls else covering_places(program)
    joined = with_recursion(joined) if joins_callers(options, program) else joined
    joined, covered = cache(joined), cache(covered)  # found once for each function
    points: MergePointsOf = joined
    if options.prune == "subsume":
        points = covered if options.merge == "none" else union(joined, covered)
    if options.unwind is not None:
        points = union(points, everywhere)
    has_marks = options.merge != "none" and bool(closing_marks(program))
    if has_marks:
        points = union(points, at_marks)
    meeting = YieldPoints(points)
    if options.unwind is not None:
        return YieldChoices(meeting, meeting, joined, covered)
    return YieldChoices(YieldPoints(at_marks) if has_marks else FORKS, meeting, joined, covered)
