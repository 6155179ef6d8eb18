"""Two solvers for one query: the first for a short while, then the second, then the first again."""

from __future__ import annotations

from collections.abc import Sequence

from unfork.logic.solver import FOREVER, Answer, Solver, Unknown
from unfork.logic.term import Term

SHORT = 1.0
"""Seconds in which the first solver answers most of what it answers at all (docs/benchmarks.md)."""


class Staggered:
    """A solver that asks two, in turns whose order is fixed.

    They do not race: which of them answers, and so which model a Sat carries, does not depend on which is quicker. Both
    must keep to their time limit (logic/worker.py). Unknown only if both say so.
    """

    def __init__(self, first: Solver, second: Solver) -> None:
        self._first = first
        self._second = second

    def check(self, constraints: Sequence[Term], timeout: float = FOREVER) -> Answer:
        """The answer of the first solver that has one."""
        short = min(SHORT, timeout / 3)
        left = timeout - short
        turns = ((self._first, short), (self._second, left / 2), (self._first, left / 2))
        reasons: dict[str, None] = {}
        for solver, seconds in turns:
            answer = solver.check(constraints, seconds)
            if not isinstance(answer, Unknown):
                return answer
            reasons[answer.reason] = None
        return Unknown(f"neither solver has an answer within {timeout:g} s ({'; '.join(reasons)})")

    def forget(self) -> None:
        """Drop whatever is only kept to be faster."""
        self._first.forget()
        self._second.forget()

    def close(self) -> None:
        """Let go of processes."""
        self._first.close()
        self._second.close()
