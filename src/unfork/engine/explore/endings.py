"""What ends a run from outside: Ctrl-C, and the time, with what is still to be written by then."""

from __future__ import annotations

import contextlib
import math
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from types import FrameType, TracebackType
from typing import Any

_AFTERMATH = 2.0
"""Seconds of processors after Ctrl-C for writing what has been found, and of the clock for what still explores."""
_AGAIN = 0.05
"""Seconds until a request to stop is repeated, if nothing could be broken off when it came."""
_ENDINGS = ("SIGINT", "SIGTERM", "SIGHUP")
_LATE, _LATE_SHARE = 0.5, 0.02
"""Seconds, and the share of the whole time, by which a single thing may be late."""
_LEAST_SHARE = 0.05
"""The share of the whole time that is kept for tests before it is known what one costs."""


class TimeIsOver(BaseException):
    """A step, a join or a query goes on long after it should have ended. Its argument, if any, says why."""


class Interrupt:
    """Ctrl-C as a flag: while entered, SIGINT, SIGTERM and SIGHUP set ``requested``. A signal that is ignored stays so.

    While ``impatient``, a second one raises KeyboardInterrupt, which ends a long query too, and the alarm that ``wake``
    sets raises TimeIsOver. Otherwise a second one makes what is still being written ``hurried``. SIGUSR1 is a request
    that may come any number of times.
    """

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, used: Callable[[], float] = time.process_time
    ) -> None:
        self.requested = False
        self.hurried = False
        self.impatient = False
        self.since = 0.0
        """When the first came."""
        self.may_break: Callable[[], bool] = _always
        """Whether the alarm may break off what is under way."""
        self._clock = clock
        self._used = used
        self._used_before = 0.0
        """What this process had used of processors when the first came."""
        self._woken = math.inf
        """When the alarm is set for."""
        self._before: list[tuple[signal.Signals, Any]] = []

    def __enter__(self) -> Interrupt:
        try:
            for name in _ENDINGS:
                number = signal.Signals[name]
                if signal.getsignal(number) is not signal.SIG_IGN:
                    self._before.append((number, signal.signal(number, self._request)))
            self._before.append((signal.SIGUSR1, signal.signal(signal.SIGUSR1, lambda number, frame: self.request())))
            self._before.append((signal.SIGALRM, signal.signal(signal.SIGALRM, self._alarm)))
        except ValueError:  # only the main thread may
            self._before.clear()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._before:
            signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in self._before:
            signal.signal(number, handler)
        self._before.clear()

    def wake(self, moment: float) -> float:
        """From ``moment`` on, break off whatever may be broken off; before, that was from the moment returned on."""
        if self.requested:
            moment = min(moment, self.since + _AFTERMATH)
        before, self._woken = self._woken, moment
        if self._before:
            seconds = max(moment - self._clock(), _AGAIN) if moment < math.inf else 0.0
            signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
        return before

    def request(self) -> None:
        """Stop, as if Ctrl-C had come for the first time."""
        if not self.requested:
            self.requested = True
            self.since = self._clock()
            self.begin_aftermath()
            self.wake(self.since + _AFTERMATH)

    def begin_aftermath(self) -> None:
        """What is written after Ctrl-C may take its time from now on."""
        self._used_before = self._used()

    def is_beyond(self, share: float, slack: float) -> bool:
        """Whether that share of the time for writing what has been found, and so many seconds more, are used."""
        return self.hurried or (self.requested and self._used() - self._used_before >= _AFTERMATH * share + slack)

    def _request(self, number: int, frame: FrameType | None) -> None:
        if not self.requested:
            self.request()
        elif self.impatient:
            self.impatient = False
            raise KeyboardInterrupt
        else:
            self.hurried = True

    def _alarm(self, number: int, frame: FrameType | None) -> None:
        if self.impatient and self.may_break():
            self.impatient = False
            raise TimeIsOver


class Breakable:
    """While entered, what runs may be broken off at any moment: code that enters it can do without the result.

    All else runs as a whole: the loop, the frontier, and what observers write.
    """

    def __init__(self, interrupt: Interrupt) -> None:
        self._interrupt = interrupt

    def __enter__(self) -> None:
        self._interrupt.impatient = True

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._interrupt.impatient = False


def _always() -> bool:
    return True


@contextlib.contextmanager
def breakable_from(interrupt: Interrupt, moment: float, may_break: Callable[[], bool]) -> Iterator[None]:
    """What is under way ``may_break`` off once that says so, but not before ``moment``."""
    before = interrupt.wake(moment)
    interrupt.may_break = may_break
    try:
        with Breakable(interrupt):
            yield
    finally:
        interrupt.may_break = _always
        interrupt.wake(before)


@contextlib.contextmanager
def broken_off(moment: float) -> Iterator[None]:
    """Raises TimeIsOver in what still goes on at ``moment``. Does nothing outside of the main thread."""
    try:
        before = signal.signal(signal.SIGALRM, _raise)
    except ValueError:
        yield
        return
    if moment < math.inf:
        signal.setitimer(signal.ITIMER_REAL, max(moment - time.monotonic(), _AGAIN))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _raise(number: int, frame: FrameType | None) -> None:
    raise TimeIsOver


class Deadline:
    """When a run is to be over, with all that is written: so many seconds after it began, or soon after Ctrl-C.

    A part of that time is kept for what is still to be written when exploration stops: half of it at most. So much may
    be used of this process's processors then, even if the clock says that it is late, as it does on a busy machine.
    """

    def __init__(
        self,
        began: float,
        seconds: float,
        interrupt: Interrupt,
        clock: Callable[[], float] = time.monotonic,
        used: Callable[[], float] = time.process_time,
    ) -> None:
        self._seconds = seconds
        self._interrupt = interrupt
        self._clock = clock
        self._used = used
        self.end = began + self._seconds
        self.planned = self.end
        """When exploration is to stop, as was last said."""
        self._used_before: float | None = None
        """What this process had used of processors when somebody asked after that."""

    def begin_aftermath(self) -> None:
        """What is written at the end may take its time from now on."""
        self._used_before = None
        self._interrupt.begin_aftermath()

    def breakable(self) -> AbstractContextManager[None]:
        """In this, what one could do without may be broken off once the time is short."""
        return breakable_from(self._interrupt, self.planned, self.is_short)

    def is_short(self) -> bool:
        """Whether what is still to be written needs the rest of the time."""
        return self._is_beyond(0.5, 0.0)

    def is_over(self) -> bool:
        """Whether it is too late to begin to write anything."""
        return self._is_beyond(1.0, 0.0)

    def is_long_over(self) -> bool:
        """Whether even a replay that has begun must stop."""
        return self._is_beyond(1.0, self.slack)

    def until(self, due: int, seconds: float) -> float:
        """When exploration is to stop if ``due`` tests are to be written, which take so many seconds each."""
        if due and self._seconds < math.inf:
            self.planned = self.end - min(max(due * seconds, _LEAST_SHARE * self._seconds), self._seconds / 2)
        else:
            self.planned = self.end
        return self.planned

    @property
    def slack(self) -> float:
        """Seconds that anything may take beyond the end before it is broken off."""
        return _LATE + (_LATE_SHARE * self._seconds if self._seconds < math.inf else 0.0)

    def _is_beyond(self, share: float, slack: float) -> bool:
        if self._interrupt.is_beyond(share, slack):
            return True
        now, kept = self._clock(), self.end - self.planned
        if now < self.planned:
            return False
        if self._used_before is None:
            self._used_before = self._used()
        is_late = now >= self.planned + kept * share + slack
        return is_late and self._used() - self._used_before >= max(kept, self.slack) * share + slack
