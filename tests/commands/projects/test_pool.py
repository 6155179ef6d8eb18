"""Processes of a pool that take too much: each costs its own job alone."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass

from unfork.commands.projects.pool import TOO_LARGE, Pool
from unfork.engine.explore.endings import Interrupt


@dataclass(frozen=True)
class Taking:
    """Says "begun", takes ``taken`` bytes, and ends only if that is nothing."""

    name: str
    taken: int
    most: float = math.inf
    longest: float = math.inf
    most_memory: float = 100e6

    def kept(self) -> str | None:
        return None

    def keep(self, result: str) -> None:
        pass

    def work(self, tell: Callable[[str], None]) -> str:
        tell("begun")
        if self.taken:
            held = bytearray(self.taken)
            held[:: 1 << 10] = bytes(len(held[:: 1 << 10]))
            for _ in itertools.count():
                pass
        return "ended"

    def broken_off(self, so_far: str | None, reason: str, began: float) -> str:
        return f"{so_far}: {reason}"


def test_a_process_that_takes_too_much_memory_is_ended_and_says_so() -> None:
    told: dict[str, str] = {}
    jobs = [Taking("large", 300 << 20), Taking("small", 0)]
    with Interrupt() as interrupt:
        pool = Pool[Taking, str](2, interrupt, lambda job, result: told.update({job.name: result}), math.inf)
        pool.run(iter(jobs))
    assert told == {"large": f"begun: {TOO_LARGE}", "small": "ended"}
