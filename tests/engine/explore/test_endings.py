from __future__ import annotations

import math
import random
import signal

import pytest

from tests.engine.explore.fakes import fake
from unfork.engine.explore.endings import Breakable, Deadline, Interrupt, TimeIsOver, breakable_from, broken_off
from unfork.engine.explore.search import WaitingStates
from unfork.engine.explore.surviving import SurvivingJoiner, SurvivingPruner, SurvivingStepper
from unfork.engine.protocols.frontier import Frontier, Parents
from unfork.engine.protocols.join import StateUnion
from unfork.engine.protocols.outcome import Killed, Outcome
from unfork.engine.protocols.pruner import Evidence
from unfork.engine.protocols.stepper import FORKS, YieldPoints
from unfork.engine.state.state import State
from unfork.failures import Failures


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_what_is_written_after_an_interrupt_is_bounded_in_seconds_of_the_processor() -> None:
    clock, used = Clock(), Clock()
    interrupt = Interrupt(clock, used)
    deadline = Deadline(0.0, 100.0, interrupt, clock, used)
    clock.now, used.now = 50.0, 20.0
    assert not deadline.is_over()
    interrupt.request()
    clock.now = 80.0
    assert not deadline.is_short()  # a busy machine: nothing could be written
    interrupt.request()  # changes nothing
    used.now = 21.0
    assert deadline.is_short()
    assert not deadline.is_over()
    used.now = 22.0
    assert deadline.is_over()
    assert not deadline.is_long_over()
    used.now += deadline.slack
    assert deadline.is_long_over()
    deadline.begin_aftermath()
    assert not deadline.is_over()
    interrupt.hurried = True
    assert deadline.is_long_over()


def test_what_is_written_at_the_limit_has_its_part_of_the_time_in_seconds_of_the_processor() -> None:
    clock, used = Clock(), Clock()
    deadline = Deadline(0.0, 100.0, Interrupt(clock, used), clock, used)
    assert deadline.until(10, 1.0) == 90.0
    used.now = 30.0
    assert not deadline.is_over()  # what was used before exploration stops does not count
    clock.now = 90.0
    assert not deadline.is_over()
    clock.now, used.now = 200.0, 34.0
    assert not deadline.is_short()
    used.now = 39.0
    assert deadline.is_short()
    assert not deadline.is_over()
    used.now = 40.0
    assert deadline.is_over()
    assert not deadline.is_long_over()
    used.now += deadline.slack
    assert deadline.is_long_over()


def test_what_the_last_step_was_the_first_to_cover_is_written_late() -> None:
    clock, used = Clock(), Clock()
    deadline = Deadline(0.0, 100.0, Interrupt(clock, used), clock, used)
    assert deadline.until(0, 1.0) == 100.0
    clock.now = 102.0
    assert not deadline.is_over()
    used.now = deadline.slack
    assert deadline.is_over()


def test_a_run_without_a_limit_is_over_by_interrupts_alone() -> None:
    clock = Clock()
    deadline = Deadline(0.0, math.inf, Interrupt(clock), clock)
    clock.now = 1e9
    assert not deadline.is_over()
    assert deadline.until(1000, 1.0) == float("inf")


@pytest.mark.parametrize(
    ("due", "seconds", "until"),
    [
        (0, 1.0, 100.0),
        (10, 1.0, 90.0),
        (1, 0.0, 95.0),  # nothing is known of what a test costs
        (9000, 1.0, 50.0),  # half of the time is for exploration
    ],
)
def test_tests_that_are_due_get_their_time(due: int, seconds: float, until: float) -> None:
    assert Deadline(0.0, 100.0, Interrupt()).until(due, seconds) == until


def test_the_alarm_breaks_off_what_may_be_broken_off() -> None:
    with Interrupt() as interrupt:
        signal.raise_signal(signal.SIGALRM)
        with pytest.raises(TimeIsOver), Breakable(interrupt):
            signal.raise_signal(signal.SIGALRM)
        signal.raise_signal(signal.SIGALRM)
    with pytest.raises(TimeIsOver), broken_off(float("inf")):
        signal.raise_signal(signal.SIGALRM)


def alarm() -> int:
    """In how many seconds the alarm comes."""
    return round(signal.getitimer(signal.ITIMER_REAL)[0])


def test_what_is_written_late_has_an_alarm_of_its_own() -> None:
    with Interrupt(Clock()) as interrupt:
        with breakable_from(interrupt, 300.0, lambda: True):
            assert alarm() == 300
        assert alarm() == 0
        interrupt.wake(100.0)
        with pytest.raises(TimeIsOver), breakable_from(interrupt, 300.0, lambda: True):
            signal.raise_signal(signal.SIGALRM)
        with breakable_from(interrupt, 300.0, lambda: False):
            signal.raise_signal(signal.SIGALRM)  # the clock is not asked
        assert alarm() == 100
        with breakable_from(interrupt, 300.0, lambda: True):
            interrupt.request()
            assert alarm() == 2
        assert alarm() == 2


def test_signals_while_results_are_written_hurry_them() -> None:
    with Interrupt() as interrupt:
        signal.raise_signal(signal.SIGTERM)
        assert interrupt.requested
        assert not interrupt.hurried
        signal.raise_signal(signal.SIGINT)
        assert interrupt.hurried


def test_what_the_coordinator_asks_hurries_nobody() -> None:
    with Interrupt() as interrupt:
        signal.raise_signal(signal.SIGINT)  # from the terminal, which asks all processes
        signal.raise_signal(signal.SIGUSR1)
        with Breakable(interrupt):
            signal.raise_signal(signal.SIGUSR1)
        assert interrupt.requested
        assert not interrupt.hurried


def test_a_signal_that_is_ignored_stays_so() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with Interrupt() as interrupt:
            signal.raise_signal(signal.SIGHUP)
            assert not interrupt.requested
    finally:
        signal.signal(signal.SIGHUP, before)


class Broken:
    """Every part of a strategy at once, and all of it fails."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def step(self, state: State, yield_points: YieldPoints) -> list[Outcome]:
        raise self.error

    def cover(self, state: State) -> Evidence | None:
        raise self.error

    def learn(self, node: int) -> None:
        raise self.error

    def join(self, state: State, parents: Parents, frontier: Frontier) -> StateUnion | None:
        raise self.error


def parts(error: BaseException) -> tuple[Failures, SurvivingStepper, SurvivingPruner, SurvivingJoiner]:
    failures, broken, breakable = Failures(), Broken(error), Breakable(Interrupt())
    return (
        failures,
        SurvivingStepper(broken, failures, breakable),
        SurvivingPruner(broken, failures, breakable),
        SurvivingJoiner(broken, failures, breakable),
    )


def test_failures_cost_a_path_a_cover_or_a_join() -> None:
    failures, stepper, pruner, joiner = parts(ValueError("of a term"))
    state = fake()
    (killed,) = stepper.step(state, FORKS)
    assert isinstance(killed, Killed)
    assert killed.reason == "internal-error"
    assert pruner.cover(state) is None
    pruner.learn(0)
    assert joiner.join(state, (), WaitingStates([], random.Random(0))) is None
    assert failures.first is not None
    assert failures.first.kind == "ValueError"
    assert "of a term" in failures.first.line


def test_the_end_of_the_time_is_no_failure() -> None:
    failures, stepper, pruner, joiner = parts(TimeIsOver())
    state = fake()
    with pytest.raises(TimeIsOver):
        stepper.step(state, FORKS)
    assert pruner.cover(state) is None
    pruner.learn(0)
    assert joiner.join(state, (), WaitingStates([], random.Random(0))) is None
    assert failures.first is None
