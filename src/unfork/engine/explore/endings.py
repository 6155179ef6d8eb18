"""What ends a run from outside: Ctrl-C and the time limit, with room for what must still be written."""

from __future__ import annotations

import contextlib
import math
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from types import FrameType, TracebackType
from typing import Any

from unfork.patience import Patience

_AFTERMATH = 2.0
"""Seconds of processors after Ctrl-C for writing results, and of the clock for steps under way."""
_AGAIN = 0.05
"""Seconds until a request to stop is repeated, if nothing could be interrupted when it came."""
_ENDINGS = ("SIGINT", "SIGTERM", "SIGHUP")
_LATE, _LATE_SHARE = 0.5, 0.02
"""Seconds, and the share of the whole time, by which a single step may be late."""
_LEAST_SHARE = 0.05
"""The share of the whole time reserved for tests before the cost of one is known."""


class TimeIsOver(BaseException):
    """A step, a join or a query goes on long after its end. The argument, if any, says why."""


class Interrupt:
    """Ctrl-C as a flag: while entered, SIGINT, SIGTERM and SIGHUP set ``requested``. An ignored signal stays
    ignored.

    While ``impatient``, a second one raises KeyboardInterrupt, which also ends a long query, and the alarm set by
    ``wake`` raises TimeIsOver. Otherwise a second one makes writing ``hurried``. SIGUSR1 is a request that may come
    any number of times.
    """

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, used: Callable[[], float] = time.process_time
    ) -> None:
        self.requested = False
        self.hurried = False
        self.impatient = False
        self.since = 0.0
        """The time of the first signal."""
        self.may_break: Callable[[], bool] = _always
        """Whether the alarm may interrupt the current step."""
        self._clock = clock
        self._used = used
        self._aftermath = Patience(used=used, clock=clock)
        """Counts processor seconds since the first signal."""
        self._woken = math.inf
        """The time of the alarm."""
        self._before: list[tuple[signal.Signals, Any]] = []

    def __enter__(self) -> Interrupt:
        try:
            for name in _ENDINGS:
                number = signal.Signals[name]
                if signal.getsignal(number) is not signal.SIG_IGN:
                    self._before.append((number, signal.signal(number, self._request)))
            self._before.append((signal.SIGUSR1, signal.signal(signal.SIGUSR1, lambda number, frame: self.request())))
            self._before.append((signal.SIGALRM, signal.signal(signal.SIGALRM, self._alarm)))
        except ValueError:  # only the main thread may set handlers
            self._before.clear()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._before:
            signal.setitimer(signal.ITIMER_REAL, 0)
        for number, handler in self._before:
            signal.signal(number, handler)
        self._before.clear()

    def wake(self, moment: float) -> float:
        """Interrupt breakable code from ``moment`` on. Returns the previous moment."""
        if self.requested:
            moment = min(moment, self.since + _AFTERMATH)
        before, self._woken = self._woken, moment
        if self._before:
            seconds = max(moment - self._clock(), _AGAIN) if moment < math.inf else 0.0
            signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
        return before

    def request(self) -> None:
        """Request a stop, like a first Ctrl-C."""
        if not self.requested:
            self.requested = True
            self.since = self._clock()
            self.begin_aftermath()
            self.wake(self.since + _AFTERMATH)

    def begin_aftermath(self) -> None:
        """The time for writing after Ctrl-C begins."""
        self._aftermath = Patience(used=self._used, clock=self._clock)

    def is_beyond(self, share: float, slack: float) -> bool:
        """Whether that share of the time for writing, plus ``slack`` seconds, is used."""
        return self.hurried or (self.requested and self._aftermath.used() >= _AFTERMATH * share + slack)

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
    """While entered, the code may be interrupted at any moment: its caller can do without the result.

    All other code runs to its end: the loop, the frontier, and what observers write.
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
    """Interrupts the code at ``moment`` or later, once ``may_break`` allows it."""
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
    """Raises TimeIsOver in code that still runs at ``moment``. Does nothing outside of the main thread."""
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
    """The end of a run with everything written: ``seconds`` after its beginning, or soon after Ctrl-C.

    Part of that time, at most half, is reserved for writing after exploration stops. That much of this process's
    processors may be used then, even if the clock is late, as on a busy machine.
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
        """The latest plan for the end of exploration."""
        self._aftermath: Patience | None = None
        """Counts processor seconds since the first question after that."""

    def begin_aftermath(self) -> None:
        """The time for writing at the end begins."""
        self._aftermath = None
        self._interrupt.begin_aftermath()

    def breakable(self) -> AbstractContextManager[None]:
        """A context in which dispensable code may be interrupted once time is short."""
        return breakable_from(self._interrupt, self.planned, self.is_short)

    def is_short(self) -> bool:
        """Whether writing needs the rest of the time."""
        return self._is_beyond(0.5, 0.0)

    def is_over(self) -> bool:
        """Whether it is too late to start writing anything."""
        return self._is_beyond(1.0, 0.0)

    def is_long_over(self) -> bool:
        """Whether even a replay under way must stop."""
        return self._is_beyond(1.0, self.slack)

    def until(self, due: int, seconds: float) -> float:
        """When exploration must stop if ``due`` tests are still to be written, at so many seconds each."""
        if due and self._seconds < math.inf:
            self.planned = self.end - min(max(due * seconds, _LEAST_SHARE * self._seconds), self._seconds / 2)
        else:
            self.planned = self.end
        return self.planned

    @property
    def slack(self) -> float:
        """Seconds beyond the end before a step is interrupted."""
        return _LATE + (_LATE_SHARE * self._seconds if self._seconds < math.inf else 0.0)

    def _is_beyond(self, share: float, slack: float) -> bool:
        if self._interrupt.is_beyond(share, slack):
            return True
        now, kept = self._clock(), self.end - self.planned
        if now < self.planned:
            return False
        if self._aftermath is None:
            self._aftermath = Patience(used=self._used, clock=self._clock)
        is_late = now >= self.planned + kept * share + slack
        return is_late and self._aftermath.used() >= max(kept, self.slack) * share + slack
