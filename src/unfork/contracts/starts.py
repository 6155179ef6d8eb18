"""What an exploration begins with besides its first states, once it has gone on for a while."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from unfork.state.state import State


class Starts(Protocol):
    """Asked before each pick.

    Law: each state is given once, and comes from no other: it begins a tree of its own in the execution graph.
    """

    def due(self) -> Sequence[State]:
        """The states to begin with now; mostly none."""
