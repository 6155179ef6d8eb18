"""Shares interpolants among the processes of a run: an interpolant is a condition on states, wherever they are.

All that a state that meets it can do was explored to its end somewhere. Errors on the way are reported by then, and
branch edges that were open when it was learnt are checked again where it is used.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from unfork.engine.step.branch_coverage import BranchCoverage, Edge
from unfork.logic.terms.evaluate import Model
from unfork.logic.terms.term import Term
from unfork.program.llvm.module import Program
from unfork.reduce.prune.interpolation import learn, table

if TYPE_CHECKING:
    from unfork.reduce.prune.interpolation.interpolant import Interpolant
    from unfork.reduce.prune.interpolation.learn import Interpolants

MOST = 256
"""Interpolants per meeting: the latest."""


@dataclass(frozen=True, slots=True)
class SharedInterpolant:
    """An interpolant of a program point, and the names of its branch edges."""

    point: Hashable
    interpolant: Interpolant
    witness: Mapping[Term, int]
    edges: Mapping[int, Edge]


@dataclass(frozen=True, slots=True)
class LearntNews:
    """The new interpolants, and how much work was ``saved`` by those of all processes."""

    learnt: Sequence[SharedInterpolant]
    saved: int


class Sharing:
    """Sends what this process learns, and receives what others learn. ``coverage`` numbers edges for both."""

    def __init__(self, interpolants: Interpolants, coverage: BranchCoverage, program: Program) -> None:
        self._interpolants = interpolants
        self._coverage = coverage
        self._program = program
        self._told = 0
        """How much of the saved work came from others, or was reported to them."""

    def news(self) -> LearntNews | None:
        """The interpolants and savings since the last call, if any.

        Where addresses were used as numbers, an interpolant depends on the names of later objects, which each
        process gives out itself: it is not shared.
        """
        edges = self._coverage.edges
        learnt = [
            SharedInterpolant(
                point, entry.interpolant, entry.witness.values, {edge: edges[edge] for edge in entry.interpolant.taken}
            )
            for point, entry in self._interpolants.news()[-MOST:]
            if entry.interpolant.heap_count is None
        ]
        saved = self._interpolants.purse.saved
        fresh, self._told = saved - self._told, saved
        return LearntNews(learnt, fresh) if learnt or fresh else None

    def hear(self, news: LearntNews) -> None:
        """Use another process's interpolants; work saved anywhere may be spent everywhere."""
        self._interpolants.purse.saved += news.saved
        self._told += news.saved
        for learnt in news.learnt:
            self._hear(learnt)

    def _hear(self, learnt: SharedInterpolant) -> None:
        numbers = [self._coverage.number_of_edge(edge, self._program) for edge in learnt.edges.values()]
        interpolant = replace(learnt.interpolant, taken=frozenset(numbers))
        self._interpolants.hear(
            learnt.point, table.LearntEntry(learn.ELSEWHERE, interpolant, Model(dict(learnt.witness)))
        )


class NoSharing:
    """Null object."""

    def news(self) -> LearntNews | None:
        return None

    def hear(self, news: LearntNews) -> None:
        return None
