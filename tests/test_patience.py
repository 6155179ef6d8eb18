"""Patience: two limits, of processor seconds and of the clock, and the first that is reached counts."""

from __future__ import annotations

import math

from unfork.patience import Patience


class Counter:
    """A clock that a test sets."""

    def __init__(self, now: float) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def test_processor_seconds_count_from_the_beginning() -> None:
    used, clock = Counter(100.0), Counter(7.0)
    patience = Patience(2.0, seconds=8.0, used=used, clock=clock)
    assert (patience.used(), patience.left(), patience.until) == (0.0, 2.0, 15.0)
    used.now = 101.5
    assert (patience.used(), patience.left(), patience.is_over()) == (1.5, 0.5, False)
    used.now = 102.0
    assert (patience.left(), patience.is_over()) == (0.0, True)


def test_the_clock_ends_what_uses_no_processor() -> None:
    used, clock = Counter(100.0), Counter(7.0)
    patience = Patience(2.0, seconds=8.0, used=used, clock=clock)
    clock.now = 14.0
    assert (patience.left(), patience.is_over()) == (1.0, False)
    clock.now = 15.0
    assert (patience.left(), patience.is_over()) == (0.0, True)


def test_a_moment_and_seconds_are_one_limit() -> None:
    clock = Counter(10.0)
    assert Patience(until=12.0, seconds=5.0, clock=clock).left() == 2.0
    assert Patience(until=20.0, seconds=5.0, clock=clock).left() == 5.0


def test_without_limits_it_is_never_over() -> None:
    used, clock = Counter(0.0), Counter(0.0)
    patience = Patience(used=used, clock=clock)
    used.now = clock.now = 1e12
    assert patience.left() == math.inf
    assert not patience.is_over()
    assert patience.used() == 1e12
