"""The time by the clock of jobs whose limit is in seconds of processors."""

from __future__ import annotations

_TIMES = 4
"""How many times as long a job may take by the clock: other processes, and solvers, may delay it."""


def longest(processors: float) -> float:
    """The seconds by the clock for a limit of processor seconds."""
    return _TIMES * processors
