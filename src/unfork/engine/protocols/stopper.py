"""When a path must stop, and when a run must."""

from __future__ import annotations

from typing import Protocol

from unfork.engine.protocols.frontier import Frontier
from unfork.engine.state.state import State


class Bound(Protocol):
    """How far paths go: Algorithm 1's follow.

    Law: it reads the state alone, and names an option that the user gave: nothing that it cuts is lost silently.
    """

    def cut(self, state: State) -> str | None:
        """The bound (an option's name) that forbids going on with ``state``, or None."""


class Stopper(Protocol):
    """Checked before each pick.

    Law: a run that it stops says so in its result. It may drop waiting states; observers hear of each.
    """

    def look(self, frontier: Frontier) -> str | None:
        """Why the run must stop now (the name of a limit), or None."""
