"""How whoever leads processes waits for what they say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

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


def answer_of(process: Contestant) -> Any:
    """What a process says; None if it is gone, or its message is broken."""
    try:
        return process.report()
    except Exception:  # noqa: BLE001  # a message may break anywhere: whoever sent it is out of the race
        return None
