"""Which thread goes on: source sets and sleep sets over kept states (Abdulla14, algorithm 1).

A step of this stepper is one of the inner stepper's, which ends before a visible operation. Then it chooses a thread
and keeps the state as a ``SchedulingPoint``. When an event turns out to race with an earlier one, the choice before
that is made again: a fork of the kept state goes on with another thread. So the search sees ordinary forks, and
nothing runs twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from unfork.engine.protocols.outcome import Failed, Halted, Killed, Outcome, Running
from unfork.engine.protocols.stepper import Stepper, YieldPoints
from unfork.engine.state.memory import SLOT_BITS, SLOT_MASK, SLOT_MIDDLE
from unfork.engine.state.state import State
from unfork.engine.state.threads import (
    ACCESS,
    BEGIN,
    END,
    SECTION,
    SPIN,
    THREADS,
    WAKE,
    Event,
    Operation,
    Thread,
    Threads,
    ThreadTurn,
    address_of_key,
    allows,
    changed,
    initials,
    is_enabled,
    races_of,
)
from unfork.program.facts.own_source import own_line
from unfork.program.llvm.demangle import readable
from unfork.program.llvm.types import Position

Fail = Callable[[State, str, str, Position | None], Failed]
"""Makes the failure of a state with a kind, a message and a position."""


INSTRUCTIONS_AT_ONCE = 500
"""After this many instructions, or attempts at one, a step ends, whether others wait or not: after the former at the
next scheduling point.
"""
FIRST_SAMPLE = 64
"""Other threads are sampled after this many turns of one thread in a row, and each time these have doubled."""
SAMPLE_PART, LEAST_SAMPLE = 8, 4
"""The part of those turns that samples get, and the least for each."""


class SchedulingPoint:
    """A scheduling point: the state there, the threads that could go on, and those ``taken``, each with the threads
    asleep then. ``ended`` are threads after whose step a path ended: what they do is ordered with everything.
    """

    __slots__ = ("asleep", "enabled", "ended", "state", "taken")

    def __init__(self, state: State | None, enabled: frozenset[int], asleep: frozenset[int]) -> None:
        self.state = state
        self.enabled = enabled
        self.asleep = asleep
        self.taken: dict[int, frozenset[int]] = {}
        self.ended: set[int] = set()


@dataclass(frozen=True, slots=True)
class Slept:
    """All threads that could go on are asleep: their operations were explored from earlier scheduling points."""

    coverer: int = -1

    def __str__(self) -> str:
        return "other executions do the same"


class SleepSets:
    """The pruner of programs with threads."""

    def cover(self, state: State) -> Slept | None:
        """Covers a state that rests where a thread should have been chosen: all were asleep."""
        threads = state.remembered[THREADS]
        return Slept() if threads is not None and threads.stands else None

    def learn(self, node: int) -> None:
        """Nothing to learn."""


class Schedules:
    """A stepper for programs with threads. No path has more than ``bound`` preemptions, if that is not None."""

    def __init__(self, stepper: Stepper, fail: Fail, bound: int | None, *, finds_deadlocks: bool) -> None:
        self._stepper = stepper
        self._fail = fail
        self._bound = bound
        self._finds_deadlocks = finds_deadlocks

    def step(self, state: State, yield_points: YieldPoints) -> list[Outcome]:
        """One step of the inner stepper, then the choice of a thread; repeated while there is a single outcome.

        A step that waits for a solver without time is repeated, too, and goes nowhere.
        """
        end = state.instructions + INSTRUCTIONS_AT_ONCE
        outcomes: list[Outcome] = []
        for _ in range(INSTRUCTIONS_AT_ONCE):
            outcomes = self._one_step(state, yield_points)
            if len(outcomes) != 1 or not isinstance(outcomes[0], Running):
                break
            state = outcomes[0].state
            threads = state.remembered[THREADS]
            if threads is None or not threads.is_granted or state.instructions >= end:
                break
        return outcomes

    def _one_step(self, state: State, yield_points: YieldPoints) -> list[Outcome]:
        node = state.node
        outcomes: list[Outcome] = []
        settled: dict[int, Threads] = {}
        """Parts of a path that forks share, so that they can join again."""
        for outcome in self._stepper.step(state, yield_points):
            threads = outcome.state.remembered[THREADS]
            if threads is None:
                outcomes.append(outcome)
                continue
            more = self._heed(threads.fresh) if threads.sample is None else []
            if threads.fresh:
                if id(threads) not in settled:
                    settled[id(threads)] = changed(threads, fresh=(), asleep=_still_asleep(threads))
                threads = settled[id(threads)]
                outcome.state.remembered[THREADS] = threads
            if not isinstance(outcome, Running):
                more += self._end(threads) if threads.sample is None else []
                outcomes.append(outcome)
            elif threads.stands and threads.repeats is not None:
                more += self._all_since(threads, threads.repeats) if threads.sample is None else []
                outcomes.append(outcome)
            elif threads.stands:
                for rested in _ways_to_wait(outcome.state, threads):
                    chosen, others = self._choose(*rested)
                    outcomes += chosen
                    more += others
            else:
                outcomes.append(outcome)
            for other in more:
                other.state.node = node
            outcomes += more
        return outcomes

    def _choose(self, state: State, threads: Threads) -> tuple[list[Outcome], list[Outcome]]:
        """The state with its next thread, or at rest if all that could go on are asleep."""
        if begin(state, threads):
            return [Running(state)], []
        enabled = able(threads)
        if not enabled:
            more = self._ends_of_others(threads) if threads.sample is None else []
            if any(thread.wakes_idly for thread in _waiting(threads)):
                return [Running(state)], more
            ended = deadlock(state, threads, self._fail) if self._finds_deadlocks else Halted(state, "silent", 0)
            return [ended], more
        if threads.sample is not None:
            return [Running(state if threads.sample == 0 else _sampled(state, threads, enabled))], []
        awake = sorted(enabled - threads.asleep)
        if not awake:
            return [Running(state)], []
        number = threads.turn if threads.turn in awake else awake[0]
        choice = SchedulingPoint(state.fork() if len(enabled) > 1 else None, enabled, threads.asleep)
        choice.taken[number] = threads.asleep
        grant(state, number, choice, threads.asleep, preempts=number != threads.turn and threads.turn in enabled)
        samples = self._samples(choice, number) if number == threads.turn and _is_due(threads.row) else []
        return [Running(state)], samples

    def _samples(self, choice: SchedulingPoint, number: int) -> list[Outcome]:
        """Short schedules in which others do not wait until a thread has done all that it can do alone.

        They find errors early: the systematic schedules let a thread go on as long as it can before they turn to
        conflicts. Samples come on top; nothing is left out for them.
        """
        others = sorted(choice.enabled - {number})
        outcomes: list[Outcome] = []
        for other in others:
            if choice.state is None:
                break
            state = choice.state.fork()
            threads = state.remembered[THREADS]
            assert threads is not None
            if self._bound is not None and threads.preemptions >= self._bound:
                break
            turns = max(threads.row // SAMPLE_PART // len(others), LEAST_SAMPLE)
            state.remembered[THREADS] = changed(threads, sample=turns)
            grant(state, other, None, frozenset(), preempts=True)
            outcomes.append(Running(state))
        return outcomes

    def _heed(self, events: tuple[Event, ...]) -> list[Outcome]:
        """The choices to make again because of races of new events."""
        return [
            outcome
            for event in events
            for earlier in event.races
            for outcome in self._reverse(earlier, initials(earlier, event), event.thread)
        ]

    def _reverse(self, earlier: Event, beginners: list[int], thread: int) -> list[Outcome]:
        """Another thread goes on at the choice before an event, so that what raced with it may come first."""
        choice = earlier.choice
        if not isinstance(choice, SchedulingPoint) or choice.state is None:
            return []
        if any(number in choice.taken or number in choice.asleep for number in beginners):
            return []
        possible = [number for number in beginners if number in choice.enabled]
        if possible:
            return self._take(choice, thread if thread in possible else possible[0])
        return [outcome for number in sorted(choice.enabled) for outcome in self._take(choice, number)]

    def _take(self, choice: SchedulingPoint, number: int, anew: bool = False) -> list[Outcome]:
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
            return [Killed(state, "bound", "context-bound")]
        grant(state, number, choice, asleep, preempts=preempts)
        return [Running(state)]

    def _end(self, threads: Threads) -> list[Outcome]:
        """The choices to make again because a path ended, which is ordered with all that others might still do."""
        outcomes: list[Outcome] = []
        choice = threads.choice
        if isinstance(choice, SchedulingPoint) and choice.state is not None:
            choice.ended.add(threads.turn)
            for number in sorted(choice.enabled - {threads.turn}):
                slept = choice.taken.get(number)
                outcomes += self._take(choice, number, anew=slept is not None and threads.turn in slept)
        return outcomes + self._ends_of_others(threads)

    def _all_since(self, threads: Threads, number: int) -> list[Outcome]:
        """All threads that could go on do so from the state that recurs: what can happen later can happen from
        there.
        """
        outcomes: list[Outcome] = []
        event = threads.last
        while event is not None and event.number > number:
            choice = event.choice
            if isinstance(choice, SchedulingPoint):
                outcomes += [each for thread in sorted(choice.enabled) for each in self._take(choice, thread)]
            event = event.previous
        return outcomes + self._ends_of_others(threads)

    def _ends_of_others(self, threads: Threads) -> list[Outcome]:
        """The choices to make again because of operations before which others wait for ever."""
        outcomes: list[Outcome] = []
        for thread in _waiting(threads):
            operation = thread.operation
            assert operation is not None
            for earlier in races_of(threads, thread, operation)[1]:
                outcomes += self._reverse(earlier, [thread.number], thread.number)
        return outcomes


def _is_due(row: int) -> bool:
    """Whether other schedules are due after so many turns of a thread."""
    return row >= FIRST_SAMPLE and row & row - 1 == 0


def _sampled(state: State, threads: Threads, enabled: frozenset[int]) -> State:
    """The next turn of a sampled schedule: another thread's, more and more often."""
    left, turn = threads.sample, threads.turn
    assert left is not None
    later = sorted(number for number in enabled if number != turn)
    if turn in enabled and (left & left - 1 or not later):
        number = turn
    else:
        number = next((each for each in later if each > turn), later[0])
    state.remembered[THREADS] = changed(threads, sample=left - 1)
    grant(state, number, None, frozenset(), preempts=number != turn and turn in enabled)
    return state


class GivenSchedule:
    """A stepper that follows one schedule; where that ends, no thread goes on."""

    def __init__(self, stepper: Stepper, fail: Fail, turns: Sequence[ThreadTurn]) -> None:
        self._stepper = stepper
        self._fail = fail
        self._turns = iter(turns)

    def step(self, state: State, yield_points: YieldPoints) -> list[Outcome]:
        outcomes = self._stepper.step(state, yield_points)
        if len(outcomes) != 1 or not isinstance(outcomes[0], Running):
            return outcomes
        state = outcomes[0].state
        threads = state.remembered[THREADS]
        if threads is None or not threads.stands or begin(state, threads):
            return outcomes
        turn = next((each for each in self._turns if _is_next(threads, each)), None)
        if turn is None:
            return [] if able(threads, wakes=False) else [deadlock(state, threads, self._fail)]
        if turn.thread not in able(threads, heeds_loops=False):
            return []
        grant(state, turn.thread, None, frozenset(), preempts=False)
        return outcomes


def _is_next(threads: Threads, turn: ThreadTurn) -> bool:
    """Whether a thread stands before its turn. Symbolic inputs allow more accesses than given ones."""
    operation = threads.all[turn.thread].operation if turn.thread < len(threads.all) else None
    if operation is None or turn.does not in (ACCESS, SECTION):
        return True
    return (operation.kind, own_line(operation.position)) == (turn.does, turn.line)


def able(threads: Threads, *, wakes: bool = True, heeds_loops: bool = True) -> frozenset[int]:
    """The threads that can go on."""
    return frozenset(
        [each.number for each in threads.all if is_enabled(threads, each, wakes=wakes, heeds_loops=heeds_loops)]
    )


def begin(state: State, threads: Threads) -> bool:
    """Let a new thread, if any, run to its first visible operation: no other notices."""
    for thread in threads.all:
        if thread.operation is not None and thread.operation.kind == BEGIN:
            switch(state, thread.number)
            return True
    return False


def deadlock(state: State, threads: Threads, fail: Fail) -> Failed:
    """The failure of a state in which no thread can go on, seen from a waiting one."""
    thread = next(iter(_waiting(threads)))
    switch(state, thread.number)
    assert thread.operation is not None
    return fail(state, "deadlock", deadlock_message(state, threads), thread.operation.position)


def _ways_to_wait(state: State, threads: Threads) -> list[tuple[State, Threads]]:
    """The resting state; before a wait two, in which it ends by a signal only, or spuriously.

    The thread chooses first: otherwise a spurious wake would depend on independent operations.
    """
    operation = threads.current.operation
    if operation is None or operation.kind != WAKE or threads.current.wakes_idly is not None:
        return [(state, threads)]
    ways = []
    for each, idly in ((state.fork(), False), (state, True)):
        chosen = threads.with_current(wakes_idly=idly)
        each.remembered[THREADS] = chosen
        ways.append((each, chosen))
    return ways


def _waiting(threads: Threads) -> list[Thread]:
    """Threads that stand before an operation, even if the program has ended meanwhile."""
    return [thread for thread in threads.all if thread.operation is not None]


def _still_asleep(threads: Threads) -> frozenset[int]:
    """The threads whose next operation commutes with all that just happened."""
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
    """Make another thread the running one; it rests as before."""
    threads = state.remembered[THREADS]
    assert threads is not None
    if number != threads.running:
        threads = threads.with_thread(changed(threads.current, frames=tuple(state.frames)))
        state.frames = list(threads.all[number].frames or ())
        if state.frames:
            state.own_top()
    thread = changed(threads.all[number], frames=None)
    if thread.operation is not None and thread.operation.kind == BEGIN:
        thread = changed(thread, operation=None)
    threads = changed(threads.with_thread(thread), running=number, stands=False, repeats=None)
    state.remembered[THREADS] = threads
    return threads


def grant(state: State, number: int, choice: SchedulingPoint | None, asleep: frozenset[int], *, preempts: bool) -> None:
    """Let a thread of a state go on with its operation."""
    threads = switch(state, number)
    state.remembered[THREADS] = changed(
        threads.with_current(section=0),
        depth=threads.current.section,
        turn=number,
        is_granted=True,
        choice=choice,
        asleep=asleep,
        schedule=(_turn(state, threads), threads.schedule),
        row=threads.row + 1 if number == threads.turn else 1,
        preemptions=threads.preemptions + preempts,
    )


def _turn(state: State, threads: Threads) -> ThreadTurn:
    operation, number = threads.current.operation, threads.running
    assert operation is not None
    if operation.thread >= 0:
        what = [f"thread {operation.thread}"]
    else:
        what = [_name(state, at) for at in _addresses(operation)]
    locks = threads.locks.items()
    holds = [_name(state, at) for at, lock in locks if lock.holder == number or number in lock.readers]
    line = own_line(operation.position)
    writes = " (write)" if operation.kind == ACCESS and any(each.writes for each in operation.accesses) else ""
    return ThreadTurn(number, operation.kind, line, ", ".join(what) + writes, tuple(holds))


def _addresses(operation: Operation) -> list[int]:
    """The locks and objects of an operation, each once."""
    addresses = [address_of_key(each.key) for each in operation.accesses]
    return list(dict.fromkeys([address for address in addresses if address is not None]))


def _name(state: State, address: int) -> str:
    """The variable at an address, for readers; with an offset if the address is inside it."""
    item, offset = state.memory.objects.get(address >> SLOT_BITS), (address & SLOT_MASK) - SLOT_MIDDLE
    name = "an object" if item is None else readable(item.name)
    return f"{name}+{offset}" if offset else name


def deadlock_message(state: State, threads: Threads) -> str:
    """Which thread waits for which."""
    waits = [_wait_message(state, threads, thread) for thread in _waiting(threads)]
    return "; ".join(waits) or "no thread can go on"


def _wait_message(state: State, threads: Threads, thread: Thread) -> str:
    operation = thread.operation
    assert operation is not None
    line = own_line(operation.position)
    where = "" if line is None else f" at line {line}"
    return f"thread {thread.number} waits{where} for {_awaited(state, threads, thread, operation)}"


def _awaited(state: State, threads: Threads, thread: Thread, operation: Operation) -> str:
    lock = threads.locks.get(operation.lock)
    if operation.awaits and allows(lock, operation, thread.number):
        operation = replace(operation, kind=SPIN)
    names = [f"'{_name(state, at)}'" for at in _addresses(operation)]
    match operation.kind:
        case "join":
            return f"the end of thread {operation.thread}"
        case "wake" if lock is None or lock.holder is None:
            return f"a signal of {names[0]}"
        case "spin":
            return f"what it reads in a loop to change{': ' if names else ''}{', '.join(names)}"
        case "take":
            return f"the semaphore {names[0]}"
        case "leave":
            return f"others at the barrier {names[0]}"
        case "once":
            return "an initialiser that another thread runs"
    if lock is None:
        return names[-1]
    if lock.holder is None:
        return f"{names[-1]}, which is shared by {' and '.join([f'thread {reader}' for reader in lock.readers])}"
    line = own_line(lock.taken)
    since = "" if line is None else f" since line {line}"
    return f"{names[-1]}, which thread {lock.holder} holds{since}"
