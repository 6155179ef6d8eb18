"""Whether to go on with what costs time and gains something in some programs only."""

from __future__ import annotations

from dataclasses import dataclass


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
