"""A process for one exploration: a fork of this one, so that program and terms are there already."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import math
import os
import signal
from collections.abc import Callable
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import Any, NoReturn, TypeAlias

from unfork.commands.run.messages import Give, WorkerTask
from unfork.engine.explore.limits import resident_bytes
from unfork.processes import seconds_used

PipeEnd: TypeAlias = Connection
"""What an exploration in a process of its own has of the pipe."""
_DIE_WITH_PARENT = 1
"""PR_SET_PDEATHSIG."""


class Process:
    """Runs ``explore`` with its end of a pipe. Whatever goes wrong there ends that process, and is seen here as EOF."""

    def __init__(self, name: str, explore: Callable[[PipeEnd], None]) -> None:
        self.name = name
        self.channel, theirs = Pipe()
        self._is_running = True
        self._inherited = resident_bytes()
        parent = os.getpid()
        self._pid = os.fork()
        if not self._pid:
            self.channel.close()
            _explore_in_fork(explore, theirs, parent)
        theirs.close()

    def start(self, message: WorkerTask | Give) -> None:
        """Let it work on. Raises OSError if it is gone."""
        self.channel.send(message)

    def fileno(self) -> int:
        """Its end of the pipe."""
        return self.channel.fileno()

    def has_news(self) -> bool:
        """Whatever happens to a pipe is a report, or its end."""
        return True

    def report(self) -> Any:
        """What it did. Raises EOFError or OSError if it is gone, and whatever else a broken message may raise."""
        return self.channel.recv()

    def is_stopped(self) -> bool:
        """Whether somebody has stopped it, so that it may never report."""
        if not self._is_running:
            return False
        pid, status = os.waitpid(self._pid, os.WNOHANG | os.WUNTRACED)
        if pid and not os.WIFSTOPPED(status):
            self._is_running = False  # it has ended, which its pipe says too
        return bool(pid) and os.WIFSTOPPED(status)

    def grown(self) -> int:
        """The bytes of memory that it has taken since it began."""
        try:
            return max(resident_bytes(self._pid) - self._inherited, 0) if self._is_running else 0
        except OSError:
            return 0

    def used(self) -> float:
        """The seconds of processors that it has used; without end if it is gone."""
        try:
            return seconds_used(self._pid)
        except OSError:
            return math.inf

    def interrupt(self) -> None:
        """Ask it to report at once, for the last time. A second Ctrl-C would hurry it: this is another signal."""
        if self._is_running:
            os.kill(self._pid, signal.SIGUSR1)

    def end(self) -> None:
        """End it. It can be ended twice."""
        self.channel.close()
        if self._is_running:
            self._is_running = False
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)


def _explore_in_fork(explore: Callable[[PipeEnd], None], channel: PipeEnd, parent: int) -> NoReturn:
    """The new process, which dies with its parent, even if that is killed.

    It leaves without what a process does at its end: that would end what the other one owns.
    """
    status = 1
    try:
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(status)
        gc.freeze()  # what is shared stays so: looking for garbage would write to every page
        with contextlib.suppress(EOFError, OSError):  # nobody listens any more
            explore(channel)
            status = 0
    finally:
        os._exit(status)
