"""When a run must stop."""

from __future__ import annotations

from typing import Protocol

from unfork.contracts.frontier import Frontier


class Stopper(Protocol):
    """Looked at before each pick.

    Law: a run that it stops says so in its result. It may drop waiting states, each of which its observers are told of.
    """

    def look(self, frontier: Frontier) -> str | None:
        """Why the run must stop now (the name of a limit), or None."""
