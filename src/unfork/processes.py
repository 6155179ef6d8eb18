"""Child processes: starts them, exchanges messages with them, and ends them."""

from __future__ import annotations

import contextlib
import gc
import math
import os
import pickle
import select
import signal
import sys
import time
import weakref
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from unfork import host

_HEADER, _CHUNK = 8, 1 << 20
"""Bytes of the length in front of a message, and bytes that one read takes at most."""
_LONGEST_POLL = (1 << 31) - 1
"""Milliseconds."""
_READER, _WRITER = 3, 4
"""The file descriptors of the channel in a new interpreter."""


# --- messages


class NoMessage(Exception):
    """No whole message came in time."""


class MessageChannel:
    """One end of two pipes between processes. A message is any value that can be pickled."""

    def __init__(self, reader: int, writer: int) -> None:
        self._reader, self.writer = reader, writer
        self._polling = select.poll()
        self._polling.register(reader, select.POLLIN)

    def fileno(self) -> int:
        """The descriptor that becomes readable with a message, or when the other side is gone; -1 if closed."""
        return self._reader

    def send(self, message: Any) -> None:
        """Raises OSError if the other side is gone."""
        data = pickle.dumps(message)
        view = memoryview(len(data).to_bytes(_HEADER, "little") + data)
        while view:
            view = view[os.write(self.writer, view) :]

    def recv(self, until: float = math.inf) -> Any:
        """The next message, awaited until that moment of ``time.monotonic``.

        Raises NoMessage after that, EOFError if the other side is gone, OSError if this one is closed, and whatever
        unpickling raises.
        """
        size = int.from_bytes(self._bytes(_HEADER, until), "little")
        return pickle.loads(self._bytes(size, until))

    def poll(self, seconds: float = 0.0) -> bool:
        """Whether a message begins, or the other side goes, within so many seconds. Raises OSError if closed."""
        if self._reader < 0:
            raise OSError("the channel is closed")
        return bool(self._polling.poll(min(seconds * 1000, _LONGEST_POLL) if seconds < math.inf else None))

    def close(self) -> None:
        """Close it. It can be closed twice."""
        descriptors, self._reader, self.writer = {self._reader, self.writer}, -1, -1
        for descriptor in descriptors - {-1}:
            os.close(descriptor)

    def _bytes(self, count: int, until: float) -> bytes:
        parts = []
        while count:
            if until < math.inf and not self.poll(max(until - time.monotonic(), 0.0)):
                raise NoMessage
            part = os.read(self._reader, min(count, _CHUNK))
            if not part:
                raise EOFError
            parts.append(part)
            count -= len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)


# --- children


class ChildProcess:
    """A child process and this side of the channel to it.

    It ends when ``end`` is called, when this object is forgotten, or with this process, even if that is killed. Copies
    of this object in forks of this process end nothing.
    """

    def __init__(self, pid: int, channel: MessageChannel, inherited: int = 0) -> None:
        self.channel = channel
        self._pid = pid
        self._inherited = inherited
        self._ending = weakref.finalize(self, _kill, pid, channel, os.getpid())

    def used(self) -> float:
        """The processor seconds that it has used. Raises OSError if it is gone."""
        if not self._ending.alive:
            raise OSError("the process has been ended")
        return host.this().seconds_used(self._pid)

    def grown(self) -> int:
        """The bytes of memory that it has taken since it began; 0 if it is gone."""
        try:
            return max(host.this().resident_bytes(self._pid) - self._inherited, 0) if self._ending.alive else 0
        except OSError:
            return 0

    def is_stopped(self) -> bool:
        """Whether a signal has stopped it, so that it may never answer."""
        if not self._ending.alive:
            return False
        with contextlib.suppress(ChildProcessError):  # the caller ignores SIGCHLD
            status = os.waitid(os.P_PID, self._pid, os.WEXITED | os.WSTOPPED | os.WNOHANG | os.WNOWAIT)
            return status is not None and status.si_code == os.CLD_STOPPED
        return False

    def signal(self, number: int) -> None:
        """Send it a signal, unless it has been ended."""
        if self._ending.alive:
            os.kill(self._pid, number)

    def wait(self) -> None:
        """Close the channel, and wait until the process ends by itself."""
        self.channel.close()
        with contextlib.suppress(ChildProcessError):  # the caller ignores SIGCHLD
            os.waitpid(self._pid, 0)
        self._ending.detach()

    def end(self) -> None:
        """Kill it. It can be ended twice."""
        self._ending()


def fork(serve: Callable[[MessageChannel], None]) -> ChildProcess:
    """Fork this process; the child calls ``serve`` with its end of the channel, and ends.

    The parent sees an exception in ``serve`` as the end of the channel. Raises OSError if the system refuses.
    """
    ours, theirs = _channels()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # None if the caller has closed it
            with contextlib.suppress(OSError, ValueError):  # it is full or closed: its next user reports that
                stream.flush()
    parent, inherited = os.getpid(), host.this().resident_bytes()
    try:
        pid = os.fork()
    except OSError:
        ours.close()
        theirs.close()
        raise
    if not pid:
        ours.close()
        _serve_in_fork(serve, theirs, parent)
    theirs.close()
    return ChildProcess(pid, ours, inherited)


def _serve_in_fork(serve: Callable[[MessageChannel], None], channel: MessageChannel, parent: int) -> NoReturn:
    """Serve in the child, and leave it without cleaning up: that would end what belongs to the parent."""
    status = 1
    try:
        host.this().end_with(parent)
        gc.freeze()  # a collection would write to every page, and so copy it
        with contextlib.suppress(EOFError, OSError):  # the parent has closed its end
            serve(channel)
            status = 0
    finally:
        os._exit(status)


def spawn(function: str, arguments: Sequence[object]) -> ChildProcess:
    """Start a new interpreter that calls ``function`` (module:name) with its end of the channel and ``arguments``.

    The ``repr`` of an argument is Python for it. The child's standard streams are /dev/null. Raises OSError if the
    system refuses.
    """
    module, _, name = function.partition(":")
    imports = f"from unfork.processes import MessageChannel; from {module} import {name}"
    call = f"{name}(MessageChannel({_READER}, {_WRITER}), *{tuple(arguments)!r})"
    ours, theirs = _channels()
    actions: list[tuple[Any, ...]] = [
        (os.POSIX_SPAWN_DUP2, theirs.fileno(), _READER),
        (os.POSIX_SPAWN_DUP2, theirs.writer, _WRITER),  # this was not 3: the first pipe begins with our reader
        *[(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_RDWR, 0) for stream in (0, 1, 2)],
    ]
    words = [sys.executable, "-c", f"import sys; sys.path[:] = {sys.path!r}; {imports}; {call}"]
    try:
        return ChildProcess(os.posix_spawn(sys.executable, words, os.environ, file_actions=actions), ours)
    except OSError:
        ours.close()
        raise
    finally:
        theirs.close()


def _channels() -> tuple[MessageChannel, MessageChannel]:
    """Both ends of a new channel. Neither takes the place of a standard stream, even where one is closed."""
    while (extra := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(extra)
    our_reader, their_writer = os.pipe()
    their_reader, our_writer = os.pipe()
    return MessageChannel(our_reader, our_writer), MessageChannel(their_reader, their_writer)


def _kill(process: int, channel: MessageChannel, parent: int) -> None:
    """Kill a child and take it from the table of processes; in forks of its ``parent``, nothing."""
    if os.getpid() == parent:
        channel.close()
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(process, 0)
