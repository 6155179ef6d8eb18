"""Which waiting states are stowed, and when: those that have waited for longer than most others do."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection

from unfork.engine.state.state import State
from unfork.engine.state.stowed import PagedObject, Rows

_FEWEST, _MOST = 32, 256
"""Bounds of the number of newest states that stay as they are; the largest bounds their memory."""
_ROUND = 64
"""States stowed between two decisions about that number."""
_OPEN = 16
"""The large objects that were read last stay as bytes for now."""


class Stowing:
    """Stows the states of a frontier, and again those of their large objects that were read since.

    Stowing a state that is soon taken out is work for nothing, twice. How soon that is depends on the schedule, on
    joins and on the program, so the run measures it: the number of newest states that stay as they are doubles while
    more than a third of those that were stowed are taken out again, and is halved where that is less than a ninth.
    """

    def __init__(self) -> None:
        self._recent: deque[State] = deque()
        self._fresh = _FEWEST
        """How many of the newest states stay as they are."""
        self._stowed = self._restored = 0
        """In this round: states stowed, and stowed states taken out."""
        self._rows = Rows()
        self._opened: list[PagedObject] = []

    def add(self, state: State, waiting: Collection[State]) -> None:
        """``state`` waits from now on. Stows the states that came before the newest ones and are still ``waiting``."""
        self._recent.append(state)
        while len(self._recent) > self._fresh:
            earlier = self._recent.popleft()
            if earlier in waiting:
                self.stow(earlier)
                self._decide()

    def take(self, state: State) -> None:
        """``state`` waits no more."""
        if state.kept() is not None:
            self._restored += 1

    def stow(self, state: State) -> None:
        """Keep a state in as little room as possible. Nothing may run it meanwhile."""
        opened = self._opened
        state.stow(self._rows, opened)
        if len(opened) > _OPEN:
            for item in opened[:-_OPEN]:
                item.stow(opened)
            del opened[:-_OPEN]

    def _decide(self) -> None:
        self._stowed += 1
        if self._stowed < _ROUND:
            return
        if 3 * self._restored > self._stowed:
            self._fresh = min(2 * self._fresh, _MOST)
        elif 9 * self._restored < self._stowed:
            self._fresh = max(self._fresh // 2, _FEWEST)
        self._stowed = self._restored = 0
