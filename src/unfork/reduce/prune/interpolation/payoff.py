"""Whether to go on with what costs time and gains something in some programs only.

Work is counted in instructions, so that a run is the same whenever it is repeated.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from unfork.logic.solve.solver import Effort


@dataclass(slots=True)
class Payoff:
    """Counts how often something was ``tried``, and how often it ``gained`` anything; at first it is given a chance."""

    first: int
    """So often it is tried in any case."""
    often: int
    """It must gain once in so many times."""
    tried: int = 0
    gained: int = 0

    @property
    def pays(self) -> bool:
        """Whether to try again."""
        return self.tried < self.first or self.gained * self.often >= self.tried


QUERY = 100
"""A query of the solver counts as so many instructions."""
TICK = 15
"""So does a unit of what solvers do (logic/solve/solver.py), as queries are not alike."""
AGAIN = 10
"""So does an instruction that is run again on a general state, and a symbol of such a state."""
REST = 20
"""So does a rest of a state that would else have run on."""
FIRST = 300_000
"""What learning may cost in any case (docs/benchmarks.md says how it was chosen);"""
SHARE = 2
"""beyond that it may cost what one in so many instructions of the run does."""


@dataclass(slots=True)
class Purse:
    """What learning may cost: a share of what the run ``earned`` by its own work, and all the work that was ``saved``.

    Where nothing is covered, a run that learns is thus slower by a share only; where covers save work, there is ever
    more to spend.
    """

    effort: Effort = field(default_factory=Effort)
    """What solvers do for the run and for what it learns."""
    earned: int = 0
    saved: int = 0
    spent: int = 0
    _seen: int = 0

    def solved(self) -> int:
        """What solvers have done since this was last asked."""
        before, self._seen = self._seen, self.effort.ticks
        return TICK * (self._seen - before)

    @property
    def affords(self) -> bool:
        """Whether to learn, and to look for what was learnt."""
        return self.spent < FIRST + self.earned // SHARE + self.saved
