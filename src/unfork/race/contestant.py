"""Who takes part in a race, as the referee sees it: another process of this machine, or an actor somewhere else."""

from __future__ import annotations

import selectors
from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias, TypeVar

from unfork.explore.endings import Interrupt
from unfork.race.messages import Report, Turn


class Channel(Protocol):
    """What an exploration meets the others through."""

    def send(self, report: Report, /) -> None:
        """Say what was done. Raises OSError if nobody listens any more."""

    def recv(self) -> Turn:
        """What may be done next. Raises EOFError or OSError if nobody listens any more."""


class Post(Channel, Protocol):
    """A channel for an exploration that no signal reaches."""

    def heed(self, interrupt: Interrupt) -> None:
        """Set the interrupt when the exploration is to stop."""


Explore: TypeAlias = Callable[[Post, object], None]
"""An exploration as data: it is given its channel, and what it shares with all others."""


class Contestant(Protocol):
    """An exploration that works off one turn after the other, and reports each time."""

    name: str

    def start(self, turn: Turn) -> None:
        """Let it work on. Raises OSError if it is gone."""

    def fileno(self) -> int:
        """A file descriptor that can be read from when something has happened to it."""

    def has_news(self) -> bool:
        """Whether what has happened is a report, or its end. Asked once for each thing that happens."""

    def report(self) -> Report:
        """What it did. Raises whatever a broken message may raise, and if it is gone."""

    def is_stopped(self) -> bool:
        """Whether somebody has stopped it, so that it may never report."""

    def grown(self) -> int:
        """The bytes of memory that it has taken since it began."""

    def interrupt(self) -> None:
        """Ask it to report at once, for the last time."""

    def end(self) -> None:
        """End it. It can be ended twice."""


class Elsewhere(Protocol):
    """Other machines that explore."""

    notes: Sequence[str]
    """What happened there that the user should know, one line each."""

    def begin(self, name: str, explore: Explore) -> Contestant:
        """Let some machine explore."""

    def close(self) -> None:
        """End all explorations there."""


_Any = TypeVar("_Any", bound=Contestant)


def with_news(contestants: Sequence[_Any], seconds: float) -> list[_Any]:
    """Those that have something to say; none if nobody has within so many ``seconds``."""
    with selectors.PollSelector() as selector:
        for contestant in contestants:
            selector.register(contestant, selectors.EVENT_READ)
        ready = {key.fd for key, _ in selector.select(seconds)}
    return [each for each in contestants if each.fileno() in ready and each.has_news()]
