"""What is learnt in one process of a run, for the others: an interpolant is a condition on states, wherever they are.

A state that meets it does nothing that was not explored to its end somewhere. Errors on the way have been reported by
then, and branch edges that were open when it was learnt are checked again where it is used.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace

from unfork.execute.coverage import BranchCoverage, Edge
from unfork.logic.evaluate import Model
from unfork.logic.term import Term
from unfork.program.module import Program
from unfork.prune.interpolation.interpolant import Interpolant
from unfork.prune.interpolation.learn import ELSEWHERE, Interpolants
from unfork.prune.interpolation.table import Entry

MOST = 256
"""Interpolants that are told at one meeting: the latest."""


@dataclass(frozen=True, slots=True)
class Learnt:
    """An interpolant of a place, and the names of the branch edges that it speaks of."""

    place: Hashable
    interpolant: Interpolant
    witness: Mapping[Term, int]
    edges: Mapping[int, Edge]


class Sharing:
    """Tells others what was learnt here, and takes in what they have learnt. ``coverage`` numbers edges for both."""

    def __init__(self, interpolants: Interpolants, coverage: BranchCoverage, program: Program) -> None:
        self._interpolants = interpolants
        self._coverage = coverage
        self._program = program

    def news(self) -> list[Learnt]:
        """What was learnt since this was asked last.

        Where addresses were used as numbers it depends on the names of objects that are made later, and each process
        gives out its own: that is not told.
        """
        edges = self._coverage.edges
        return [
            Learnt(
                place, entry.interpolant, entry.witness.values, {edge: edges[edge] for edge in entry.interpolant.taken}
            )
            for place, entry in self._interpolants.news()[-MOST:]
            if entry.interpolant.heap_count is None
        ]

    def hear(self, learnt: Learnt) -> None:
        """Use what another process has learnt."""
        numbers = [self._coverage.number_of_edge(edge, self._program) for edge in learnt.edges.values()]
        interpolant = replace(learnt.interpolant, taken=frozenset(numbers))
        self._interpolants.hear(learnt.place, Entry(ELSEWHERE, interpolant, Model(dict(learnt.witness))))


class NoSharing:
    """Of a strategy that learns nothing."""

    def news(self) -> list[Learnt]:
        return []

    def hear(self, learnt: Learnt) -> None:
        return None
