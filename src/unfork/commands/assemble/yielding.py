"""Where the states of a run may rest: every policy has a say in that, before any of them is built."""

from __future__ import annotations

from functools import cache

from unfork.commands.assemble.choices import RunChoices
from unfork.engine.explore.yield_choices import YieldChoices
from unfork.engine.protocols.stepper import FORKS, YieldPoints
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


def yields(choices: RunChoices, program: Program) -> YieldChoices:
    """States rest where they may be joined, covered, or have their turns of loops counted: at every loop's head.

    A state that passes an opening mark alone rests at the closing one too, since its parts may meet there.
    """
    merge, start = choices.merge, choices.start
    merges, counts_turns = merge.schedule != "none", choices.bounds.turns is not None
    joined = with_marks(_MERGE_POINTS[merge.schedule]) if merges else everywhere
    covered = marks_of(start.entry) if start.calls else covering_places(program)
    joined = with_recursion(joined) if merge.joins_callers(program) else joined
    joined, covered = cache(joined), cache(covered)  # found once for each function
    points: MergePointsOf = joined
    if choices.prune.matches:
        points = union(joined, covered) if merges else covered
    if counts_turns:
        points = union(points, everywhere)
    has_marks = merges and bool(closing_marks(program))
    if has_marks:
        points = union(points, at_marks)
    meeting = YieldPoints(points)
    if counts_turns:
        return YieldChoices(meeting, meeting, joined, covered)
    return YieldChoices(YieldPoints(at_marks) if has_marks else FORKS, meeting, joined, covered)
