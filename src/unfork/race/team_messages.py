"""What the processes of one strategy tell each other where they meet, as data that goes through a pipe."""

from __future__ import annotations

from dataclasses import dataclass

from unfork.execute.coverage import Edge
from unfork.race.messages import Report

IDLE = "idle"
"""The status of a member for whom nothing waits."""


@dataclass(frozen=True, slots=True)
class Known:
    """What a member has found out since it was asked last, and all others may rely on.

    ``settled`` edges have tests, functions ``ran``, ``looked`` is the first look at an address; ``learnt`` are
    interpolants, packed.
    """

    settled: tuple[Edge, ...] = ()
    ran: tuple[str, ...] = ()
    looked: str | None = None
    learnt: bytes = b""


@dataclass(frozen=True, slots=True)
class Word:
    """What a member says at a meeting: its report, whose status may be IDLE, and how many states wait for it."""

    report: Report
    waiting: int
    known: Known


@dataclass(frozen=True, slots=True)
class Give:
    """Give so many states away: the answer is a family."""

    count: int


@dataclass(frozen=True, slots=True)
class Task:
    """What a member does until the next meeting: its quota, the families that come to it, and what others know.

    ``is_last``: all is explored, and one last report is due.
    """

    quota: int
    families: tuple[bytes, ...]
    known: tuple[Known, ...]
    is_last: bool = False
