"""How far paths are followed."""

from __future__ import annotations

from typing import Protocol

from unfork.state.state import State


class Follow(Protocol):
    """Algorithm 1's follow.

    Law: it looks at the state alone, and names an option that the user gave: what it cuts is never lost in silence.
    """

    def cut(self, state: State) -> str | None:
        """The bound (an option's name) that forbids going on with ``state``, or None."""
