"""Does work that may crash, hang or fill the memory in a process of its own, which returns the results as bytes."""

from __future__ import annotations

import contextlib
import os
import pickle
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator

from unfork.errors import InputError

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
        answer = _receive(reader, time.monotonic() + seconds)
    except BaseException:  # Ctrl-C, too
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        raise
    finally:
        os.close(reader)
    os.waitpid(child, 0)
    if isinstance(answer, InputError):
        raise answer
    return answer


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
            _send(writer, InputError(str(problem)))
        else:
            _send(writer, parts)
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


def _send(writer: int, answer: Parts | InputError) -> None:
    data = pickle.dumps(answer)
    for part in (len(data).to_bytes(8, "little"), data):
        view = memoryview(part)
        while view:
            view = view[os.write(writer, view) :]


def _receive(reader: int, deadline: float) -> Parts | InputError:
    """The answer. Raises Crashed if it is cut short, and TooLong."""
    size = int.from_bytes(_exactly(reader, 8, deadline), "little")
    answer: Parts | InputError = pickle.loads(_exactly(reader, size, deadline))
    return answer


def _exactly(reader: int, count: int, deadline: float) -> bytearray:
    """The next ``count`` bytes. Raises Crashed if the stream ends before, and TooLong."""
    data = bytearray(count)
    view = memoryview(data)
    while view:
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([reader], [], [], left)[0]:
            raise TooLong
        read = os.readv(reader, [view[:_CHUNK]])
        if read == 0:
            raise Crashed
        view = view[read:]
    view.release()
    return data
