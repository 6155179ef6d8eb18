"""How many processor cores a run has, and who gets those that no strategy needs to begin with."""

from __future__ import annotations

import os
from pathlib import Path

from unfork.options import Options, alone

_QUOTA = Path("/sys/fs/cgroup/cpu.max")
_BOUNDED = ("max_instructions", "max_forks")
"""Limits that hold for one process."""


def granted() -> int:
    """The cores that this process may use, by its affinity and by what its control group is given of their time."""
    cores = len(os.sched_getaffinity(0))
    try:
        quota, period = _QUOTA.read_text().split()
    except (OSError, ValueError):
        return cores
    return cores if quota == "max" else max(min(cores, int(quota) // int(period)), 1)


def some(count: int) -> set[int]:
    """So many of the cores of this process, if it has them: others for the next process, so that runs stay apart."""
    cores = sorted(os.sched_getaffinity(0))
    first = os.getpid() % len(cores)
    return {cores[(first + place) % len(cores)] for place in range(min(count, len(cores)))}


def helpers(options: Options, strategies: int) -> list[int]:
    """For each of so many strategies, how many processes help its first one: spare cores go round.

    None where something is asked for that only one process has or counts.
    """
    cores = granted() if options.cores is None else options.cores
    is_single = bool(alone(options)) or any(options.is_given(name) for name in _BOUNDED)
    spare = 0 if is_single else max(cores - strategies, 0)
    return [spare // strategies + (place < spare % strategies) for place in range(strategies)]
