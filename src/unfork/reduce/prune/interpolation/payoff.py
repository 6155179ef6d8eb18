"""Decides whether to go on with work that pays in some programs only.

Work is counted in instructions, so that a repeated run is the same.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from unfork.logic.solve.solver import Effort


@dataclass(slots=True)
class Payoff:
    """Counts how often something was ``tried``, and how often it ``gained`` anything; it gets a chance first."""

    first: int
    """Tries in any case."""
    often: int
    """Then one try in this many must gain."""
    tried: int = 0
    gained: int = 0

    @property
    def pays(self) -> bool:
        """Whether to try again."""
        return self.tried < self.first or self.gained * self.often >= self.tried


QUERY = 100
"""Instructions that a query of the solver counts as."""
TICK = 15
"""Instructions that a tick of solvers (logic/solve/solver.py) counts as, since queries differ."""
AGAIN = 10
"""Instructions that one counts as that runs again on a general state, or a symbol of such a state."""
REST = 20
"""Instructions that a rest counts as, if the state would otherwise have run on."""
FIRST = 300_000
"""What learning may cost in any case (docs/history/benchmarks.md says how it was chosen);"""
SHARE = 2
"""beyond that, it may cost one in this many instructions of the run."""


@dataclass(slots=True)
class Purse:
    """The budget of learning: a share of the work that the run ``earned``, and all the work that was ``saved``.

    So if nothing is covered, a run that learns is slower by a share only; if covers save work, the budget grows.
    """

    effort: Effort = field(default_factory=Effort)
    """The work of solvers, for the run and for learning."""
    earned: int = 0
    saved: int = 0
    spent: int = 0
    _seen: int = 0

    def solved(self) -> int:
        """The work of solvers since the last call."""
        before, self._seen = self._seen, self.effort.ticks
        return TICK * (self._seen - before)

    @property
    def affords(self) -> bool:
        """Whether to learn, and to look for covers."""
        return self.spent < FIRST + self.earned // SHARE + self.saved
