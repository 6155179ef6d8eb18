"""A solver whose Unsat another solver is asked for again: a proof rests on nothing else that a solver says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from unfork.logic.solve.route import InTurns
from unfork.logic.solve.solver import FOREVER, Answer, Sat, Solver, Unknown, Unsat
from unfork.logic.terms.term import Term

DISAGREE = "the solvers disagree"
PATIENCE = 10.0
"""Seconds for another solver: what the first finds hard, it may well not find at all."""


class UnsatAudit(NamedTuple):
    """How many Unsat another solver gave too, and of how many it did not say anything in its time."""

    confirmed: int = 0
    unconfirmed: int = 0


class Audited:
    """Answers as ``solver`` does, unless one of the ``others`` says that what it takes for Unsat is Sat: then Unknown.

    ``others`` has who is asked again, by who decided; they have ``PATIENCE``.
    """

    def __init__(self, solver: InTurns, others: Mapping[str, Solver]) -> None:
        self._solver = solver
        self._others = others
        self.counts = UnsatAudit()
        self.decided_by = ""

    def check(self, constraints: Sequence[Term], timeout: float = FOREVER) -> Answer:
        """The answer, if it is not denied."""
        answer = self._solver.check(constraints, timeout)
        self.decided_by = self._solver.decided_by
        if not isinstance(answer, Unsat):
            return answer
        other = self._others[self.decided_by].check(constraints, min(timeout, PATIENCE))
        confirmed, unconfirmed = self.counts
        self.counts = UnsatAudit(confirmed + isinstance(other, Unsat), unconfirmed + isinstance(other, Unknown))
        return Unknown(DISAGREE) if isinstance(other, Sat) else answer

    def forget(self) -> None:
        """Drop whatever is only kept to be faster."""
        for solver in (self._solver, *self._others.values()):
            solver.forget()

    def close(self) -> None:
        """Let go of processes."""
        for solver in (self._solver, *self._others.values()):
            solver.close()


Prover: TypeAlias = InTurns | Audited
"""What decides the queries of proofs, and says who did."""
