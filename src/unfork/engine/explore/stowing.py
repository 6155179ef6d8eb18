"""Which waiting states are stowed, and when: all but those that came last."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection

from unfork.engine.state.state import State
from unfork.engine.state.stowed import PagedObject, Rows

_RECENT = 32
"""The newest states stay as they are: most states that are picked soon are among them."""
_OPEN = 16
"""The large objects that were read last stay as bytes for now."""


class Stowing:
    """Stows the states of a frontier, and again those of their large objects that were read since."""

    def __init__(self) -> None:
        self._recent: deque[State] = deque()
        self._rows = Rows()
        self._opened: list[PagedObject] = []

    def add(self, state: State, waiting: Collection[State]) -> None:
        """``state`` waits from now on. Stows the state that came _RECENT states before, if it is still ``waiting``."""
        self._recent.append(state)
        if len(self._recent) > _RECENT:
            earlier = self._recent.popleft()
            if earlier in waiting:
                self.stow(earlier)

    def stow(self, state: State) -> None:
        """Keep a state in as little room as possible. Nothing may run it meanwhile."""
        opened = self._opened
        state.stow(self._rows, opened)
        if len(opened) > _OPEN:
            for item in opened[:-_OPEN]:
                item.stow(opened)
            del opened[:-_OPEN]
