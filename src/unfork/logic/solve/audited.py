"""A solver whose every Unsat a second solver checks: a proof rests on no other kind of answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from unfork.logic.solve.route import InTurns
from unfork.logic.solve.solver import FOREVER, Answer, Sat, Solver, Unknown, Unsat
from unfork.logic.terms.term import Term

DISAGREE = "the solvers disagree"
PATIENCE = 10.0
"""Seconds for the second solver, which may never find what the first found hard."""


class UnsatAudit(NamedTuple):
    """How many Unsat the second solver confirmed, and how many it left undecided."""

    confirmed: int = 0
    unconfirmed: int = 0


class Audited:
    """Gives the answers of ``solver``; but Unknown where a second solver finds Sat for its Unsat.

    ``others`` maps the name of the solver that decided to the one that checks, which has PATIENCE.
    """

    def __init__(self, solver: InTurns, others: Mapping[str, Solver]) -> None:
        self._solver = solver
        self._others = others
        self.counts = UnsatAudit()
        self.decided_by = ""

    def check(self, constraints: Sequence[Term], timeout: float = FOREVER) -> Answer:
        answer = self._solver.check(constraints, timeout)
        self.decided_by = self._solver.decided_by
        if not isinstance(answer, Unsat):
            return answer
        other = self._others[self.decided_by].check(constraints, min(timeout, PATIENCE))
        confirmed, unconfirmed = self.counts
        self.counts = UnsatAudit(confirmed + isinstance(other, Unsat), unconfirmed + isinstance(other, Unknown))
        return Unknown(DISAGREE) if isinstance(other, Sat) else answer

    def forget(self) -> None:
        for solver in (self._solver, *self._others.values()):
            solver.forget()

    def close(self) -> None:
        for solver in (self._solver, *self._others.values()):
            solver.close()


Prover: TypeAlias = InTurns | Audited
"""Decides the queries of proofs, and names the solver that did."""
