"""A solver that counts what it is asked, in units that depend on the questions alone."""

from __future__ import annotations

from collections.abc import Sequence

from unfork.logic.solver import FOREVER, Answer, Solver
from unfork.logic.term import Term


class WeighedSolver:
    """Passes everything on to ``solver``. ``queries`` is how many checks came to it."""

    def __init__(self, solver: Solver) -> None:
        self._solver = solver
        self.queries = 0

    def check(self, constraints: Sequence[Term], timeout: float = FOREVER) -> Answer:
        """As the solver's."""
        self.queries += 1
        return self._solver.check(constraints, timeout)

    def forget(self) -> None:
        """As the solver's."""
        self._solver.forget()

    def close(self) -> None:
        """As the solver's."""
        self._solver.close()
