"""A worker in a process of its own: a fork, so that program and terms are there already."""

from __future__ import annotations

import math
import signal
from collections.abc import Callable
from typing import Any

from unfork import processes
from unfork.commands.run.messages import Give, WorkerTask
from unfork.processes import MessageChannel


class Process:
    """Runs ``explore`` with its end of a channel. If anything goes wrong there, it ends, and its channel with it."""

    def __init__(self, name: str, explore: Callable[[MessageChannel], None]) -> None:
        self.name = name
        self._child = processes.fork(explore)
        self.channel = self._child.channel

    def start(self, message: WorkerTask | Give) -> None:
        self.channel.send(message)

    def fileno(self) -> int:
        return self.channel.fileno()

    def has_news(self) -> bool:
        return True  # a channel becomes readable with a report, or at its end

    def report(self) -> Any:
        return self.channel.recv()

    def is_stopped(self) -> bool:
        return self._child.is_stopped()

    def grown(self) -> int:
        return self._child.grown()

    def used(self) -> float:
        """The processor seconds that it has used; infinite if it is gone."""
        try:
            return self._child.used()
        except OSError:
            return math.inf

    def interrupt(self) -> None:
        """Ask for its last report. A second Ctrl-C would hurry it, so this is another signal."""
        self._child.signal(signal.SIGUSR1)

    def end(self) -> None:
        self._child.end()
