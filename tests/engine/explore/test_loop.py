from __future__ import annotations

import math
import os
import random
import signal

import pytest

from tests.engine.explore.fakes import Binary, fake, path_of
from unfork.engine.explore.endings import Interrupt
from unfork.engine.explore.limits import Budget, DepthBound, NoBound, RunLimits, Work
from unfork.engine.explore.loop import Exploration, NoJoining, NoPruning, YieldAt
from unfork.engine.explore.search import BreadthFirst, DepthFirst, WaitingStates
from unfork.engine.explore.tally import Metered, Tally
from unfork.engine.explore.tree import ExecutionGraph
from unfork.engine.protocols.events import Bounded, Covered, Dropped, Ended, Event, Forked, Left
from unfork.engine.protocols.pruner import Evidence, Pruner
from unfork.engine.protocols.stepper import FORKS
from unfork.engine.protocols.stopper import Bound
from unfork.engine.state.state import State


class Log:
    def __init__(self) -> None:
        self.events: list[Event] = []

    def tell(self, event: Event) -> None:
        self.events.append(event)

    def count(self, kind: type) -> int:
        return sum(isinstance(event, kind) for event in self.events)


class Run:
    """A run over the binary tree of paths."""

    def __init__(
        self, depth: int, budget: Budget, bound: Bound, pruner: Pruner, until: float = math.inf, **seams: object
    ) -> None:
        self.tally, self.log, self.graph = Tally(), Log(), ExecutionGraph()
        self.machine = Binary(depth)
        self.interrupt = Interrupt()
        self.frontier = WaitingStates([BreadthFirst()], random.Random(0))
        self.relieved = 0
        limits = RunLimits(
            budget,
            self.tally,
            self.interrupt,
            self.relieve,
            [self.tally, self.log],
            lambda waiting: until,
            **seams,  # type: ignore[arg-type]
        )
        self.exploration = Exploration(
            Metered(self.machine, self.tally),
            YieldAt(FORKS),
            self.frontier,
            bound,
            pruner,
            NoJoining(),
            limits,
            self.graph,
            [self.tally, self.log],
        )

    def relieve(self) -> None:
        self.relieved += 1

    def go(self) -> str | None:
        return self.exploration.run([fake()])


def test_everything_is_explored_and_counted() -> None:
    run = Run(5, Budget(0.0), NoBound(), NoPruning())
    assert run.go() is None
    assert run.tally.completed == 32
    assert run.tally.forks == 31
    assert run.tally.created == 32
    assert run.tally.waiting == 0
    assert run.tally.peak == 32
    assert run.tally.instructions == 31
    assert run.log.count(Forked) == 31
    assert run.log.count(Ended) == 32
    assert len(set(run.machine.stepped)) == 63


def test_every_node_is_learned_from_once_in_post_order() -> None:
    class Learner(NoPruning):
        def __init__(self) -> None:
            self.learned: list[int] = []

        def learn(self, node: int) -> None:
            self.learned.append(node)

    learner = Learner()
    run = Run(4, Budget(0.0), NoBound(), learner)
    run.go()
    assert sorted(learner.learned) == list(range(len(run.graph)))
    assert learner.learned[-1] == 0


def test_a_covered_state_is_not_stepped() -> None:
    class Second(NoPruning):
        def cover(self, state: State) -> Evidence | None:
            return "covered" if path_of(state).startswith("1") else None

    run = Run(4, Budget(0.0), NoBound(), Second())
    assert run.go() is None
    assert run.tally.completed == 8
    assert run.tally.pruned == run.log.count(Covered) == 1
    assert not any(path.startswith("1") for path in run.machine.stepped)


def test_a_depth_bound_cuts_paths_and_the_rest_goes_on() -> None:
    run = Run(6, Budget(0.0), DepthBound(3), NoPruning())
    assert run.go() is None
    assert run.tally.completed == 0
    assert run.tally.bounded == run.log.count(Bounded) == 16
    assert run.tally.bounds_hit == {"max-depth": 16}


@pytest.mark.parametrize(
    ("work", "reason"),
    [
        (Work(forks=5), "max-forks"),
        (Work(instructions=7), "max-instructions"),
        (Work(), "max-time"),
    ],
)
def test_a_limit_stops_the_run_and_leaves_the_waiting_states(work: Work, reason: str) -> None:
    now = iter(range(10_000))
    run = Run(
        12,
        Budget(0.0, work=work),
        NoBound(),
        NoPruning(),
        clock=lambda: float(next(now)),
        resident=lambda: 0,
        until=50.0,
    )
    assert run.go() == reason
    assert run.tally.left == run.log.count(Left) == len(run.frontier) > 0


@pytest.mark.parametrize(("field", "reason"), [("tests", "max-tests"), ("errors", "max-errors")])
def test_limits_on_what_was_written(field: str, reason: str) -> None:
    run = Run(12, Budget(0.0, work=Work(**{field: 2})), NoBound(), NoPruning())
    setattr(run.tally, field, 2)
    assert run.go() == reason


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_is_a_flag_however_often_it_comes(number: signal.Signals) -> None:
    run = Run(12, Budget(0.0), NoBound(), NoPruning())
    with run.interrupt:
        os.kill(os.getpid(), number)
        os.kill(os.getpid(), number)
        assert run.go() == "interrupt"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_short_memory_drops_caches_first_then_states_and_goes_on() -> None:
    megabyte = 1 << 20
    sizes = iter([10, 85, 85, 85, *[86] * 100_000])
    now = iter(range(1_000_000))
    run = Run(
        6,
        Budget(0.0, memory=100 << 20),
        NoBound(),
        NoPruning(),
        clock=lambda: float(next(now)),
        resident=lambda: next(sizes) * megabyte,
    )
    assert run.go() is None
    assert run.relieved >= 1
    assert run.tally.dropped == run.log.count(Dropped) > 0
    assert run.tally.completed + run.tally.dropped <= 64
    assert run.tally.completed > 0


def test_memory_at_its_limit_stops_the_run() -> None:
    now = iter(range(1_000_000))
    run = Run(
        6,
        Budget(0.0, memory=100 << 20),
        NoBound(),
        NoPruning(),
        clock=lambda: float(next(now)),
        resident=lambda: 101 << 20,
    )
    assert run.go() == "max-memory"


def test_depth_first_needs_few_waiting_states() -> None:
    run = Run(10, Budget(0.0), NoBound(), NoPruning())
    run.exploration.frontier = WaitingStates([DepthFirst()], random.Random(0))
    assert run.go() is None
    assert run.tally.peak <= 11
