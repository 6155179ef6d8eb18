"""The side of a meeting that an exploration in a process of its own sees: it reports, and is told how far to go on."""

from __future__ import annotations

from collections.abc import Callable

from unfork.contracts.frontier import Frontier
from unfork.contracts.stopper import Stopper
from unfork.execute.coverage import Edge
from unfork.race.contestant import Channel
from unfork.race.messages import GOING, Report


class Contender:
    """A stopper that lets its exploration work off one quota after the other; ``limits`` are its own.

    ``report`` says what was done since it was asked last, and ``settle`` takes the edges that others have covered.
    """

    def __init__(
        self,
        channel: Channel,
        limits: Stopper,
        work: Callable[[], int],
        report: Callable[[str | None], Report],
        settle: Callable[[tuple[Edge, ...]], None],
    ) -> None:
        self._channel = channel
        self._limits = limits
        self._work = work
        self._report = report
        self._settle = settle
        self._due = 0

    def look(self, frontier: Frontier) -> str | None:
        """Why the exploration ends: a limit, or that nobody listens any more."""
        if (reason := self._limits.look(frontier)) is not None:
            return reason
        if self._work() < self._due:
            return None
        if self._due:
            self._channel.send(self._report(GOING))
        turn = self._channel.recv()
        self._settle(turn.settled)
        self._due = self._work() + turn.quota
        return None
