"""How much solvers had to do, in units that depend on the questions alone and not on the clock."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Effort:
    """Counts the ``queries`` that came to a solver, and their ``ticks``: of search, as Bitwuzla counts it."""

    queries: int = 0
    ticks: int = 0

    def add(self, ticks: int) -> None:
        """One more query."""
        self.queries += 1
        self.ticks += ticks
