"""Does work that may crash, hang or fill the memory in a process of its own, which returns the results as bytes."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator

from unfork.errors import InputError

_DONE, _REFUSED = b"+", b"-"
_CHUNK = 1 << 20

Parts = tuple[bytes, ...]


class Crashed(Exception):
    """The process ended without an answer."""


class TooLong(Exception):
    """The process was ended because its time was up."""


def run(work: Callable[[], Parts], afterwards: Callable[[Parts], None], seconds: float) -> Parts:
    """What ``work`` returns. The process then goes on to ``afterwards``, and nobody waits for it.

    Raises the InputError that ``work`` raises, Crashed, or TooLong after ``seconds``.
    """
    _open_standard_streams()
    reader, writer = os.pipe()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # None if the caller has closed it
            with contextlib.suppress(OSError):  # it is full: the next to write to it will report that
                stream.flush()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _work(work, afterwards, writer)
    os.close(writer)
    try:
        answer = _received(reader, time.monotonic() + seconds)
    except BaseException:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        raise
    finally:
        os.close(reader)
    if answer is None:
        os.waitpid(child, 0)
        raise Crashed
    os.waitpid(child, 0)
    kind, parts = answer
    if kind == _REFUSED:
        raise InputError(parts[0].decode("utf-8", "surrogateescape"))
    return parts


def _open_standard_streams() -> None:
    """Open the first three descriptors if they are closed: a pipe must not take their place."""
    while (extra := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(extra)


@contextlib.contextmanager
def silently() -> Iterator[None]:
    """Hide what libraries write to standard error on the way into a crash."""
    try:
        kept = os.dup(2)
    except OSError:  # closed already
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _work(work: Callable[[], Parts], afterwards: Callable[[Parts], None], writer: int) -> None:
    """What the new process does: it never returns."""
    try:
        try:
            parts = work()
        except InputError as problem:
            _send(writer, _REFUSED, (str(problem).encode("utf-8", "surrogateescape"),))
        else:
            _send(writer, _DONE, parts)
            os.close(writer)
            if os.fork() == 0:
                os.setsid()  # out of reach of Ctrl-C
                afterwards(parts)
    except KeyboardInterrupt:
        os._exit(130)
    except BrokenPipeError:
        os._exit(1)
    except BaseException as problem:  # noqa: BLE001  # nothing may get out of this process
        sys.excepthook(type(problem), problem, problem.__traceback__)
        os._exit(1)
    os._exit(0)


def _send(writer: int, kind: bytes, parts: Parts) -> None:
    head = kind + len(parts).to_bytes(8, "little") + b"".join(len(part).to_bytes(8, "little") for part in parts)
    for part in (head, *parts):
        view = memoryview(part)
        while view:
            view = view[os.write(writer, view) :]


def _received(reader: int, deadline: float) -> tuple[bytes, Parts] | None:
    """The kind and the parts of the answer, or None if it is cut short. Raises TooLong."""
    head = _exactly(reader, 9, deadline)
    if head is None:
        return None
    sizes = _exactly(reader, 8 * int.from_bytes(head[1:], "little"), deadline)
    if sizes is None:
        return None
    parts = []
    for at in range(0, len(sizes), 8):
        part = _exactly(reader, int.from_bytes(sizes[at : at + 8], "little"), deadline)
        if part is None:
            return None
        parts.append(bytes(part))
    return bytes(head[:1]), tuple(parts)


def _exactly(reader: int, count: int, deadline: float) -> bytearray | None:
    """The next ``count`` bytes, or None if the stream ends before. Raises TooLong."""
    data = bytearray(count)
    view = memoryview(data)
    while view:
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([reader], [], [], left)[0]:
            raise TooLong
        read = os.readv(reader, [view[:_CHUNK]])
        if read == 0:
            return None
        view = view[read:]
    view.release()
    return data
