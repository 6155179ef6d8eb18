"""How long something may take."""

from __future__ import annotations

import math
import time
from collections.abc import Callable


class Patience:
    """How long something may take from now on: seconds of processors, and a moment of the clock.

    ``processors`` are the seconds that may be used as ``used`` counts them, for this process or for another one that is
    waited for: they mean the same on a busy machine. ``until`` is a moment of ``time.monotonic`` and ends what hangs;
    ``seconds`` says the same from now on. Limits that are not given are infinite.

        patience = Patience(2.0, seconds=8.0, used=child.used)
        while not patience.is_over():
            ...
    """

    def __init__(
        self,
        processors: float = math.inf,
        *,
        until: float = math.inf,
        seconds: float = math.inf,
        used: Callable[[], float] = time.process_time,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._used, self._clock = used, clock
        self._processors = processors
        self._before = used()
        self.until = min(until, clock() + seconds)
        """The moment of the clock at which it is over."""

    def used(self) -> float:
        """The processor seconds that have been used since it began."""
        return self._used() - self._before

    def left(self) -> float:
        """The seconds for which it lasts at least, if one processor is used; infinite without limits."""
        left = self.until - self._clock()
        if self._processors < math.inf:
            left = min(left, self._processors - self.used())
        return max(left, 0.0)

    def is_over(self) -> bool:
        """Whether a limit is reached."""
        return self.left() <= 0.0


_CLOCK_TIMES = 4
"""How many times as long a limit of processor seconds may take by the clock: other processes may delay it."""


def longest(processors: float) -> float:
    """The seconds by the clock for a limit of processor seconds."""
    return _CLOCK_TIMES * processors
