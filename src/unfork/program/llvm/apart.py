"""Does work that may crash, hang or fill the memory in a process of its own, which returns the results as bytes."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from unfork import processes
from unfork.errors import InputError
from unfork.processes import MessageChannel, NoMessage

Parts = tuple[bytes, ...]


class Crashed(Exception):
    """The process ended without an answer."""


class TooLong(Exception):
    """The process was ended because its time was up."""


@dataclass(frozen=True, slots=True)
class Keeper:
    """What becomes of results: ``keep`` is called in a process that nothing waits for, if ``is_worth_it``."""

    is_worth_it: Callable[[Parts], bool]
    keep: Callable[[Parts], None]


def run(work: Callable[[], Parts], keeper: Keeper, seconds: float) -> Parts:
    """What ``work`` returns; the process hands it to ``keeper`` afterwards.

    Raises the InputError that ``work`` raises, Crashed, or TooLong after ``seconds``.
    """
    child = processes.fork(lambda channel: _answer(work, keeper, channel))
    try:
        answer: Parts | InputError = child.channel.recv(time.monotonic() + seconds)
        child.wait()
    except NoMessage:
        raise TooLong from None
    except EOFError:
        raise Crashed from None
    finally:
        child.end()  # after Ctrl-C, too
    if isinstance(answer, InputError):
        raise answer
    return answer


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


def _answer(work: Callable[[], Parts], keeper: Keeper, channel: MessageChannel) -> None:
    """Send what ``work`` returns or refuses. One more process keeps results that are worth it."""
    try:
        try:
            parts = work()
        except InputError as problem:
            channel.send(InputError(str(problem)))
            return
        channel.send(parts)
        channel.close()
        if keeper.is_worth_it(parts) and os.fork() == 0:
            os.setsid()  # out of reach of Ctrl-C
            keeper.keep(parts)
    except BrokenPipeError:
        pass  # the caller has given up
    except Exception as problem:  # noqa: BLE001  # the caller sees a crash, and this says why
        sys.excepthook(type(problem), problem, problem.__traceback__)
