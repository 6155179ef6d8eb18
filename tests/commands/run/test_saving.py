from __future__ import annotations

import random
from typing import Any

from unfork.commands.run.saving import EACH, Saving
from unfork.engine.explore.endings import TimeIsOver
from unfork.engine.explore.search import DepthFirst, WaitingStates
from unfork.engine.protocols.frontier import Frontier

FRONTIER = WaitingStates([DepthFirst()], random.Random(0))


class Slow:
    """A journal whose entries take 30 seconds each, unless they are broken off; a clock; a stopper."""

    def __init__(self) -> None:
        self.now = 0.0
        self.entries: list[float] = []
        self.reason: str | None = None
        self.is_broken_off = False

    def save(self, waiting: Any, snapshot: Any) -> None:
        self.entries.append(self.now)
        if self.is_broken_off:
            raise TimeIsOver
        self.now += 30.0

    def look(self, frontier: Frontier) -> str | None:
        return self.reason


def test_entries_that_take_long_are_rare() -> None:
    slow = Slow()
    saving = Saving(slow, slow, lambda: None, lambda: slow.now)  # type: ignore[arg-type, return-value]  # fakes
    while slow.now < 1_000:
        saving.look(FRONTIER)
        slow.now += 1.0
    assert slow.entries == [EACH + number * (30 + 600) for number in range(2)]


def test_an_entry_that_is_broken_off_leaves_the_limit_as_it_is() -> None:
    slow = Slow()
    slow.reason, slow.is_broken_off = "max-time", True
    saving = Saving(slow, slow, lambda: None, lambda: slow.now)  # type: ignore[arg-type, return-value]  # fakes
    assert saving.look(FRONTIER) == "max-time"
    assert slow.entries == [0.0]
