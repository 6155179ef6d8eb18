"""The side of a team's meeting that a process of its own sees: it reports, gives states away and gets others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from unfork.contracts.frontier import Frontier
from unfork.contracts.stopper import Stopper
from unfork.race.messages import GOING, Report
from unfork.race.process import PipeEnd
from unfork.race.team_messages import IDLE, Give, Known, Task, Word


class Side(Protocol):
    """An exploration, as the team that it belongs to sees it."""

    def work(self) -> int:
        """What it has done so far."""

    def give(self, count: int) -> bytes:
        """Take out up to so many waiting states: a family."""

    def take(self, family: bytes) -> None:
        """The states of a family wait here from now on. Raises Unreadable."""

    def known(self) -> Known:
        """What was found out here since this was asked last."""

    def hear(self, known: Known) -> None:
        """Rely on what another one has found out."""


class Member:
    """A stopper that lets its exploration work off one task after the other; ``limits`` are its own.

    ``report`` says what was done since it was asked last.
    """

    def __init__(self, channel: PipeEnd, limits: Stopper, side: Side, report: Callable[[str | None], Report]) -> None:
        self._channel = channel
        self._limits = limits
        self._side = side
        self._report = report
        self._due = 0

    def look(self, frontier: Frontier) -> str | None:
        """Why the exploration ends: a limit, or that nobody listens any more."""
        if (reason := self._limits.look(frontier)) is not None:
            return reason
        if self._side.work() >= self._due:
            self._meet(frontier)
        return None

    def wait(self, frontier: Frontier) -> str | None:
        """Nothing waits here any more: until there is something, or all is explored."""
        while not frontier:
            if (reason := self._limits.look(frontier)) is not None:
                return reason
            if self._meet(frontier).is_last:
                return None
        return None

    def last(self, status: str | None) -> Word:
        """What it says when it has ended."""
        return Word(self._report(status), 0, self._side.known())

    def _meet(self, frontier: Frontier) -> Task:
        if self._due:
            self._channel.send(Word(self._report(GOING if frontier else IDLE), len(frontier), self._side.known()))
        while isinstance(message := self._channel.recv(), Give):
            self._channel.send(self._side.give(message.count))
        task: Task = message
        for known in task.known:
            self._side.hear(known)
        for family in task.families:
            self._side.take(family)
        self._due = self._side.work() + task.quota
        return task
