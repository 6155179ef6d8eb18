"""How whoever leads processes waits for what they say."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any

from unfork.explore.limits import LIMITS_OF_WORK
from unfork.race.contestant import Contestant, with_news

PATIENCE = 0.05
"""Seconds between two looks at the limits, while others are at work."""
LAST_WORDS = 1.0
"""Seconds that those who are interrupted have to report."""


def gathered(processes: Sequence[Contestant], stop: Callable[[], str | None]) -> tuple[dict[str, Any], str | None]:
    """What each process says, by name and in their order, and what ``stop`` said if they are not all.

    None for one that is gone, was stopped, or whose message was broken.
    """
    said: dict[str, Any] = {}
    reason = None
    while reason is None and (waited := [process for process in processes if process.name not in said]):
        said |= {process.name: answer_of(process) for process in with_news(waited, PATIENCE)}
        said |= {process.name: None for process in waited if process.is_stopped()}
        reason = stop()
    return {process.name: said[process.name] for process in processes if process.name in said}, reason


def last_words(processes: Sequence[Contestant], reason: str) -> dict[str, Any]:
    """What each process says in the round that ``reason``, a limit, does not let everybody finish.

    They may end their round if the limit is one of work, so that the run can be repeated. If it is one of time or
    memory, they are interrupted.
    """
    until = math.inf
    if reason not in LIMITS_OF_WORK:
        until = monotonic() + LAST_WORDS
        for process in processes:
            process.interrupt()
    return gathered(processes, lambda: reason if monotonic() > until else None)[0]


def answer_of(process: Contestant) -> Any:
    """What a process says; None if it is gone, or its message is broken."""
    try:
        return process.report()
    except Exception:  # noqa: BLE001  # a message may break anywhere: whoever sent it is out of the race
        return None
