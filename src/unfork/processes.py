"""What the system knows of processes: state, parent, time used."""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

USER, SYSTEM, USER_OF_CHILDREN, SYSTEM_OF_CHILDREN = range(11, 15)
"""Indices of times among a process's ``status_words``."""
_TICKS = os.sysconf("SC_CLK_TCK")


def status_words(process: int) -> list[str]:
    """The words of /proc/N/stat after the name: state, parent, group, session, ... Raises OSError if it is gone."""
    return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()


def seconds_in(words: list[str], *kinds: int) -> float:
    """The CPU seconds of these kinds that a process has used, by its ``status_words``."""
    return sum(int(words[kind]) for kind in kinds) / _TICKS


def seconds_used(process: int) -> float:
    """The CPU seconds that a process has used itself. Raises OSError if it is gone."""
    return seconds_in(status_words(process), USER, SYSTEM)


def seconds_with_children() -> float:
    """The CPU seconds of this process and its children, ended ones too. Times of children are multiples of a tick."""
    process = os.getpid()
    used = time.process_time() + seconds_in(status_words(process), USER_OF_CHILDREN, SYSTEM_OF_CHILDREN)
    for child in Path(f"/proc/{process}/task/{process}/children").read_text().split():
        with contextlib.suppress(OSError):  # it has just ended
            used += seconds_used(int(child))
    return used
