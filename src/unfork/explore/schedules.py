"""Which thread goes on: source sets and sleep sets over states that are kept (Abdulla14, algorithm 1).

A step of this stepper is one of another's, which ends before a visible operation. There one thread is chosen, and the
state is kept as a ``Choice``. When an event turns out to race with an earlier one, the choice before that is made anew:
a fork of the state that was kept goes on with another thread. So the search sees ordinary forks: nothing runs twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from unfork.contracts.outcome import Failed, Killed, Outcome, Running
from unfork.contracts.stepper import Stepper, YieldPoints
from unfork.llvm.types import Position
from unfork.state.state import State
from unfork.state.threads import (
    BEGIN,
    END,
    THREADS,
    Event,
    Operation,
    Thread,
    Threads,
    Turn,
    initials,
    is_enabled,
    races_of,
)

Fail = Callable[[State, str, str, Position | None], Failed]
"""The failure of a state with a kind, a message and a position."""


class Choice:
    """A scheduling point: the state there, the threads that could go on, which of them were ``taken``, each with those
    that slept then. ``ended`` are threads after whose step some path ended: what they do is ordered with all others.
    """

    __slots__ = ("asleep", "enabled", "ended", "state", "taken")

    def __init__(self, state: State | None, enabled: frozenset[int], asleep: frozenset[int]) -> None:
        self.state = state
        self.enabled = enabled
        self.asleep = asleep
        self.taken: dict[int, frozenset[int]] = {}
        self.ended: set[int] = set()


@dataclass(slots=True)
class ScheduleCounts:
    """What was scheduled. ``blocked`` executions were given up, as others do the same."""

    threads: int = 1
    executions: int = 0
    blocked: int = 0
    cut: int = 0


class Schedules:
    """A stepper for programs with threads. No path has more than ``bound`` preemptions, if that is not None."""

    def __init__(self, stepper: Stepper, fail: Fail, bound: int | None, *, finds_deadlocks: bool) -> None:
        self._stepper = stepper
        self._fail = fail
        self._bound = bound
        self._finds_deadlocks = finds_deadlocks
        self.counts = ScheduleCounts()

    def step(self, state: State, yield_points: YieldPoints) -> list[Outcome]:
        """One of the other stepper's, and where a thread rests after it, the choice who goes on."""
        node = state.node
        outcomes: list[Outcome] = []
        settled: dict[int, Threads] = {}
        """What parts of a path that forks share, so that they can join again."""
        for outcome in self._stepper.step(state, yield_points):
            threads = outcome.state.remembered[THREADS]
            if threads is None:
                outcomes.append(outcome)
                continue
            more = self._heed(threads.fresh)
            if threads.fresh:
                if id(threads) not in settled:
                    settled[id(threads)] = replace(threads, fresh=(), asleep=_still_asleep(threads))
                threads = settled[id(threads)]
                outcome.state.remembered[THREADS] = threads
            if not isinstance(outcome, Running):
                more += self._end(threads)
                outcomes.append(outcome)
            elif threads.stands:
                chosen, others = self._choose(outcome.state, threads)
                outcomes += chosen
                more += others
            else:
                outcomes.append(outcome)
            for other in more:
                other.state.node = node
            outcomes += more
        return outcomes

    def _choose(self, state: State, threads: Threads) -> tuple[list[Outcome], list[Outcome]]:
        """The state with the thread that goes on; none if all that could go on are asleep."""
        if begin(state, threads):
            return [Running(state)], []
        enabled = able(threads)
        outcomes: list[Outcome] = []
        more: list[Outcome] = []
        if not able(threads, wakes=False):
            self.counts.executions += 1
            more = self._ends_of_others(threads)
            if self._finds_deadlocks:
                outcomes.append(deadlock(state.fork() if enabled else state, threads, self._fail))
        if not enabled:
            return outcomes, more
        awake = sorted(enabled - threads.asleep)
        if not awake:
            self.counts.blocked += 1
            return outcomes, more
        number = threads.turn if threads.turn in awake else awake[0]
        choice = Choice(state.fork() if len(enabled) > 1 else None, enabled, threads.asleep)
        choice.taken[number] = threads.asleep
        self.counts.threads = max(self.counts.threads, len(threads.all))
        grant(state, number, choice, threads.asleep, preempts=number != threads.turn and threads.turn in enabled)
        return [*outcomes, Running(state)], more

    def _heed(self, events: tuple[Event, ...]) -> list[Outcome]:
        """The choices that races of new events make anew."""
        return [
            outcome
            for event in events
            for earlier in event.races
            for outcome in self._reverse(earlier, initials(earlier, event), event.thread)
        ]

    def _reverse(self, earlier: Event, beginners: list[int], thread: int) -> list[Outcome]:
        """Another thread goes on at the choice before an event, so that what raced with it may come first."""
        choice = earlier.choice
        if not isinstance(choice, Choice) or choice.state is None:
            return []
        if any(number in choice.taken or number in choice.asleep for number in beginners):
            return []
        possible = [number for number in beginners if number in choice.enabled]
        if possible:
            return self._take(choice, thread if thread in possible else possible[0])
        return [outcome for number in sorted(choice.enabled) for outcome in self._take(choice, number)]

    def _take(self, choice: Choice, number: int, anew: bool = False) -> list[Outcome]:
        """Let a thread go on at a choice, unless it did so before."""
        if choice.state is None or number in choice.asleep or (number in choice.taken and not anew):
            return []
        asleep = (choice.asleep | choice.taken.keys()) - choice.ended - {number}
        choice.taken[number] = asleep
        state = choice.state.fork()
        threads = state.remembered[THREADS]
        assert threads is not None
        preempts = number != threads.turn and threads.turn in choice.enabled
        if preempts and self._bound is not None and threads.preemptions >= self._bound:
            self.counts.cut += 1
            return [Killed(state, "bound", f"--context-bound {self._bound}")]
        grant(state, number, choice, asleep, preempts=preempts)
        return [Running(state)]

    def _end(self, threads: Threads) -> list[Outcome]:
        """What an end of a path makes anew: it is ordered with all that others might still do."""
        self.counts.executions += 1
        outcomes: list[Outcome] = []
        choice = threads.choice
        if isinstance(choice, Choice) and choice.state is not None:
            choice.ended.add(threads.turn)
            for number in sorted(choice.enabled - {threads.turn}):
                slept = choice.taken.get(number)
                outcomes += self._take(choice, number, anew=slept is not None and threads.turn in slept)
        return outcomes + self._ends_of_others(threads)

    def _ends_of_others(self, threads: Threads) -> list[Outcome]:
        """What the operations make anew that others stand before for ever."""
        outcomes: list[Outcome] = []
        for thread in _waiting(threads):
            operation = thread.operation
            assert operation is not None
            for earlier in races_of(threads, thread, operation):
                outcomes += self._reverse(earlier, [thread.number], thread.number)
        return outcomes


class GivenSchedule:
    """A stepper that follows one schedule; where that ends, no thread that could go on does."""

    def __init__(self, stepper: Stepper, fail: Fail, turns: Sequence[Turn]) -> None:
        self._stepper = stepper
        self._fail = fail
        self._turns = iter(turns)

    def step(self, state: State, yield_points: YieldPoints) -> list[Outcome]:
        """One of the other stepper's; nothing if the schedule cannot be followed."""
        outcomes = self._stepper.step(state, yield_points)
        if len(outcomes) != 1 or not isinstance(outcomes[0], Running):
            return outcomes
        state = outcomes[0].state
        threads = state.remembered[THREADS]
        if threads is None or not threads.stands or begin(state, threads):
            return outcomes
        turn = next(self._turns, None)
        if turn is None:
            return [] if able(threads, wakes=False) else [deadlock(state, threads, self._fail)]
        if turn.thread not in able(threads):
            return []
        grant(state, turn.thread, None, frozenset(), preempts=False)
        return outcomes


def able(threads: Threads, *, wakes: bool = True) -> frozenset[int]:
    """The threads that can go on."""
    return frozenset([thread.number for thread in threads.all if is_enabled(threads, thread, wakes=wakes)])


def begin(state: State, threads: Threads) -> bool:
    """Let a thread that is new run to its first visible operation, if there is one: no other notices."""
    for thread in threads.all:
        if thread.operation is not None and thread.operation.kind == BEGIN:
            switch(state, thread.number)
            return True
    return False


def deadlock(state: State, threads: Threads, fail: Fail) -> Failed:
    """The failure of a state in which no thread need go on, seen from one that waits."""
    thread = next(iter(_waiting(threads)))
    switch(state, thread.number)
    assert thread.operation is not None
    return fail(state, "deadlock", deadlock_message(threads), thread.operation.position)


def _waiting(threads: Threads) -> list[Thread]:
    return [thread for thread in threads.all if thread.operation is not None and not thread.has_ended]


def _still_asleep(threads: Threads) -> frozenset[int]:
    """The threads whose next operation commutes with all that has just happened."""
    asleep = threads.asleep
    for event in threads.fresh:
        asleep = frozenset(
            [
                number
                for number in asleep
                if (operation := threads.all[number].operation) is not None
                and not operation.conflicts(event.operation)
                and event.operation.kind != END
            ]
        )
    return asleep


def switch(state: State, number: int) -> Threads:
    """Let another thread be the one that runs; it rests as before."""
    threads = state.remembered[THREADS]
    assert threads is not None
    if number != threads.running:
        threads = threads.with_thread(replace(threads.current, frames=tuple(state.frames)))
        state.frames = list(threads.all[number].frames or ())
        if state.frames:
            state.own_top()
    thread = replace(threads.all[number], frames=None)
    if thread.operation is not None and thread.operation.kind == BEGIN:
        thread = replace(thread, operation=None)
    threads = replace(threads.with_thread(thread), running=number, stands=False)
    state.remembered[THREADS] = threads
    return threads


def grant(state: State, number: int, choice: Choice | None, asleep: frozenset[int], *, preempts: bool) -> None:
    """Let a thread of a state go on with its operation."""
    threads = switch(state, number)
    state.remembered[THREADS] = replace(
        threads,
        turn=number,
        is_granted=True,
        choice=choice,
        asleep=asleep,
        schedule=(_turn(threads.current), threads.schedule),
        preemptions=threads.preemptions + preempts,
    )


def _turn(thread: Thread) -> Turn:
    operation = thread.operation
    assert operation is not None
    return Turn(thread.number, operation.kind, None if operation.position is None else operation.position.line)


def deadlock_message(threads: Threads) -> str:
    """Who waits for whom."""
    return "; ".join([_wait_message(threads, thread) for thread in _waiting(threads)]) or "no thread can go on"


def _wait_message(threads: Threads, thread: Thread) -> str:
    operation = thread.operation
    assert operation is not None
    where = "" if operation.position is None else f" at line {operation.position.line}"
    return f"thread {thread.number} waits{where} for {_awaited(threads, operation)}"


def _awaited(threads: Threads, operation: Operation) -> str:
    lock = threads.locks.get(operation.lock)
    match operation.kind:
        case "join":
            return f"the end of thread {operation.thread}"
        case "wake":
            return "a signal" if lock is None or lock.holder is None else f"a mutex of thread {lock.holder}"
        case "spin":
            return "what it reads in a loop to change"
        case "take":
            return "a semaphore"
        case "leave":
            return "others at a barrier"
        case "once":
            return "an initialiser that another thread runs"
    if lock is None:
        return "a lock"
    holders = [lock.holder] if lock.holder is not None else list(lock.readers)
    since = "" if lock.taken is None else f", taken at line {lock.taken.line}"
    return f"a lock of thread {', '.join(map(str, holders))}{since}"
