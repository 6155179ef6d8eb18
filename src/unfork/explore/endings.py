"""What ends a run from outside: Ctrl-C, and the time, with what is still to be written by then."""

from __future__ import annotations

import math
import signal
import time
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any

from unfork.explore.events import Event, Observer

_AFTERMATH = 2.0
"""Seconds after Ctrl-C for writing what has been found."""
_AGAIN = 0.05
"""Seconds until a call to stop is repeated that came at a moment which must not be disturbed."""
_ENDINGS = ("SIGINT", "SIGTERM", "SIGHUP")
_LATE, _LATE_SHARE = 0.5, 0.02
"""Seconds, and the share of the whole time, by which a single thing may be late."""


class TimeIsOver(BaseException):
    """What runs goes on long after the time at which it should have ended: a step, a join, a query."""


class Interrupt:
    """Ctrl-C as a flag: while entered, SIGINT, SIGTERM and SIGHUP set ``requested``. A signal that is ignored stays so.

    While ``impatient``, a second one raises KeyboardInterrupt, which ends a long query too, and the alarm that ``wake``
    sets raises TimeIsOver. Otherwise a second one makes what is still being written ``hurried``.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.requested = False
        self.hurried = False
        self.impatient = False
        self.since = 0.0
        """When the first came."""
        self._clock = clock
        self._before: list[tuple[signal.Signals, Any]] = []

    def __enter__(self) -> Interrupt:
        try:
            for name in _ENDINGS:
                number = signal.Signals[name]
                if signal.getsignal(number) is not signal.SIG_IGN:
                    self._before.append((number, signal.signal(number, self._request)))
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

    def wake(self, moment: float) -> None:
        """From ``moment`` on, nothing that may be disturbed goes on."""
        if self._before:
            signal.setitimer(signal.ITIMER_REAL, max(moment - self._clock(), _AGAIN), _AGAIN)

    def _request(self, number: int, frame: FrameType | None) -> None:
        if not self.requested:
            self.requested = True
            self.since = self._clock()
            self.wake(self.since + _AFTERMATH)
        elif self.impatient:
            self.impatient = False
            raise KeyboardInterrupt
        else:
            self.hurried = True

    def _alarm(self, number: int, frame: FrameType | None) -> None:
        if self.impatient:
            self.impatient = False
            signal.setitimer(signal.ITIMER_REAL, 0)
            raise TimeIsOver


class Deadline:
    """When a run is to be over, with all that is written: so many seconds after it began, or soon after Ctrl-C.

    A part of that time is kept for what is still to be written when exploration stops: half of it at most.
    """

    def __init__(
        self, began: float, seconds: float | None, interrupt: Interrupt, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._seconds = math.inf if seconds is None else seconds
        self._interrupt = interrupt
        self._clock = clock
        self.end = began + self._seconds

    def is_over(self) -> bool:
        """Whether what is not written yet stays so."""
        return self._is_beyond(0.0)

    def is_long_over(self) -> bool:
        """Whether not even what is being replayed may go on."""
        return self._is_beyond(self.slack)

    def until(self, reserve: float) -> float:
        """When exploration is to stop if to write takes ``reserve`` seconds."""
        return self.end - min(reserve, self._seconds / 2)

    @property
    def slack(self) -> float:
        """Seconds by which what goes on may be late before it is broken off."""
        return _LATE + (_LATE_SHARE * self._seconds if self._seconds < math.inf else 0.0)

    def _is_beyond(self, slack: float) -> bool:
        interrupt, now = self._interrupt, self._clock()
        if interrupt.hurried or now >= self.end + slack:
            return True
        return interrupt.requested and now >= interrupt.since + _AFTERMATH + slack


class Undisturbed:
    """An observer that neither Ctrl-C nor the alarm breaks off: it writes files, which must be whole."""

    __slots__ = ("_interrupt", "_observer")

    def __init__(self, interrupt: Interrupt, observer: Observer) -> None:
        self._interrupt = interrupt
        self._observer = observer

    def tell(self, event: Event) -> None:
        interrupt = self._interrupt
        was_impatient, interrupt.impatient = interrupt.impatient, False
        try:
            self._observer.tell(event)
        finally:
            interrupt.impatient = was_impatient
