"""Measures what exploration costs, in a unit that is the same whenever a run is repeated."""

from __future__ import annotations

from unfork.commands.assemble.parts import ExplorationParts
from unfork.logic.solve.solver import Effort
from unfork.logic.terms.term_table import count_requests

_INSTRUCTION, _OUTCOME, _TEST, _TERM, _QUERY, _TICK = 1.1, 120, 14_000, 4, 470, 11
_ATTEMPT, _RANGE, _CHECK, _COMPARISON, _LEARNING = 440, 1.7, 160, 91, 0.95
"""Microseconds of an instruction, an outcome of a fork, a test, a requested term, a query, a tick of a solver, an
attempt to join, a range of a decision diagram, a state that a pruner checks, a pair of states that it compares, and a
unit of learning.

Their proportions are fitted by the least squares of the relative error over each second of 44 runs: plain, join, learn
and match on eight small programs and on cat, and plain on cut, head and tr. Their size keeps the mean of earlier
weights over these runs, so that limits given in work stay what they were.
"""

_GOOD_PART = 10
"""Hard queries are worth a strategy of their own once they make up one part in 10 of the work."""


class WorkMeter:
    """Adds up the work of one exploration: about as many microseconds.

    ``terms`` is what ``count_requests`` said before the ``parts`` were made.
    """

    def __init__(self, parts: ExplorationParts, effort: Effort, terms: int) -> None:
        self._parts = parts
        self._effort = effort
        self._terms = terms
        self._before = 0

    def work(self) -> int:
        parts = self._parts
        return self._before + int(
            _INSTRUCTION * parts.tally.instructions
            + _OUTCOME * parts.tally.outcomes
            + _TERM * (count_requests() - self._terms)
            + _QUERY * parts.engine.chain.statistics.queries
            + _TICK * self._effort.ticks
            + _RANGE * self._effort.ranges
            + _TEST * parts.tally.tests
            + _ATTEMPT * parts.scheduled.counts.attempts
            + _CHECK * parts.pruned.counts.checks
            + _COMPARISON * parts.pruned.counts.compared
            + _LEARNING * parts.pruned.spent()
        )

    def go_on(self, work: int) -> None:
        self._before += work - self.work()

    def has_hard_queries(self) -> bool:
        """Whether queries that take a solver long make a good part of the work."""
        return self._parts.engine.chain.hard_ticks * _TICK > self.work() / _GOOD_PART
