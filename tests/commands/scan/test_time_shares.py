"""How a scan shares out its time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import pytest

from unfork.commands.scan import time_shares
from unfork.commands.scan.function_scan import STOPPED_BY_TIME
from unfork.commands.scan.judgement import CONDITIONAL, UNDECIDED
from unfork.commands.scan.time_shares import FIRST, LEAST, TIMES, TimeShares
from unfork.engine.explore.limits import Budget


@dataclass(frozen=True)
class FakeJob:
    """A function with a number, and the seconds that it may use."""

    place: int
    seconds: float = 60.0

    def with_seconds(self, seconds: float) -> FakeJob:
        return replace(self, seconds=seconds)


def functions(count: int) -> list[Any]:
    return [FakeJob(number) for number in range(count)]


class Clock:
    now = 0.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(time_shares.time, "monotonic", lambda: made.now)
    return made


def explored(reason: str, certainty: str = CONDITIONAL) -> Any:
    found = (SimpleNamespace(certainty=certainty),)
    return SimpleNamespace(explored="part" if reason else "all", reason=reason, found=found)


def shares(count: int, seconds: float | None = 100.0) -> TimeShares:
    return TimeShares(Budget(0.0) if seconds is None else Budget(0.0, seconds), 2, lambda: count)


def test_without_a_limit_each_function_has_what_the_user_allows(clock: Clock) -> None:
    of_scan, jobs = shares(3, None), functions(3)
    assert list(of_scan.shared(jobs)) == jobs
    assert not list(of_scan.again([(job, explored(STOPPED_BY_TIME)) for job in jobs]))


def test_a_long_list_gets_small_shares_that_grow_where_others_need_less(clock: Clock) -> None:
    seconds = []
    for job in shares(40).shared(functions(40)):
        seconds.append(job.seconds)
        clock.now += 0.5
    assert seconds[0] == pytest.approx(TIMES * 2 * FIRST * 100 / 40)
    assert seconds == sorted(seconds)
    assert seconds[-1] == 60


def test_every_function_has_a_second_even_if_time_is_short(clock: Clock) -> None:
    clock.now = 99.0
    [job, *_] = shares(4000).shared(functions(4000))
    assert job.seconds == LEAST


def test_functions_that_needed_more_are_looked_at_again_undecided_ones_first(clock: Clock) -> None:
    of_scan, jobs = shares(40), functions(40)
    list(of_scan.shared(jobs))
    clock.now = 60.0
    ends = {
        2: explored(STOPPED_BY_TIME),
        3: explored(STOPPED_BY_TIME, UNDECIDED),
        4: explored("a callback"),
        5: explored(""),
    }
    looked_at = [(job, ends.get(job.place, explored(""))) for job in jobs]
    assert [job.place for job in of_scan.again(looked_at)] == [3, 2]
    assert not list(of_scan.again(looked_at))


def test_what_would_come_to_the_same_is_not_done_again(clock: Clock) -> None:
    of_scan, jobs = shares(40), functions(40)
    list(of_scan.shared(jobs))
    clock.now = 99.0
    assert not list(of_scan.again([(job, explored(STOPPED_BY_TIME)) for job in jobs]))
