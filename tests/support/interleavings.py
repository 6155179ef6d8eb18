"""All that threads can come to, by brute force: at each scheduling point every thread goes on that can."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from tests.support.generated_threads import PRELUDE, SHARED, Program, program_file
from tests.support.runs import build, options_of, written
from unfork.commands.assemble import parts, solving, starting
from unfork.commands.assemble.bounding import budget
from unfork.engine.explore import schedules
from unfork.engine.explore.schedules import Schedules, SleepSets
from unfork.engine.machine.machine import Machine
from unfork.engine.protocols.outcome import Failed, Halted, Killed, Outcome, Running
from unfork.engine.protocols.stepper import FORKS, Stepper, YieldPoints
from unfork.engine.state.memory import SLOT_BITS
from unfork.engine.state.state import State
from unfork.engine.state.threads import THREADS, Threads
from unfork.options.options import Options

End = tuple[object, ...]
"""What a path came to: an error with its line, or status, shared variables, the threads' results and the output."""
WORDS = ("--strategy", "plain")


class EveryOrder:
    """A stepper that forks at each scheduling point into one state per thread that can go on."""

    def __init__(self, stepper: Stepper, fail: schedules.Fail) -> None:
        self._stepper = stepper
        self._fail = fail

    def step(self, state: State, yield_points: YieldPoints) -> list[Outcome]:
        outcomes: list[Outcome] = []
        for outcome in self._stepper.step(state, yield_points):
            threads = outcome.state.remembered[THREADS]
            rests = isinstance(outcome, Running) and threads is not None and threads.stands
            if rests and not schedules.begin(outcome.state, threads):
                outcomes += self._everyone(outcome.state)
            else:
                outcomes.append(outcome)
        return outcomes

    def _everyone(self, state: State) -> Iterator[Outcome]:
        threads = state.remembered[THREADS]
        assert threads is not None
        if not schedules.able(threads, wakes=False):
            yield schedules.deadlock(state.fork(), threads, self._fail)
        for number in sorted(schedules.able(threads)):
            other = state.fork()
            schedules.grant(other, number, None, frozenset(), preempts=False)
            yield Running(other)


class EveryState:
    """A stepper that goes on once from each state in which all threads rest. No loop is taken for one that waits.

    ``leads`` says from which states which others are reached; ``lasts`` are those from which a path ends.
    """

    def __init__(self, stepper: Stepper, fail: schedules.Fail) -> None:
        self._stepper = stepper
        self._fail = fail
        self._from: dict[int, object] = {}
        self._leads: dict[object, set[object]] = {}
        self._lasts: set[object] = set()

    def step(self, state: State, yield_points: YieldPoints) -> list[Outcome]:
        outcomes: list[Outcome] = []
        before = self._from.pop(id(state), None)
        for outcome in self._stepper.step(state, yield_points):
            threads = outcome.state.remembered[THREADS]
            if not isinstance(outcome, Running):
                self._lasts.add(before)
                outcomes.append(outcome)
            elif threads is None or not threads.stands or schedules.begin(outcome.state, threads):
                self._from[id(outcome.state)] = before
                outcomes.append(outcome)
            else:
                outcomes += self._once(outcome.state, threads, before)
        return outcomes

    def _once(self, state: State, threads: Threads, before: object) -> Iterator[Outcome]:
        here = _all_of(state, threads)
        self._leads.setdefault(before, set()).add(here)
        if here in self._leads:
            return
        self._leads[here] = set()
        able = schedules.able(threads, heeds_loops=False)
        if not able:
            yield schedules.deadlock(state, threads, self._fail)
        for number in sorted(able):
            other = state.fork()
            schedules.grant(other, number, None, frozenset(), preempts=False)
            self._from[id(other)] = here
            yield Running(other)

    def is_stuck(self) -> bool:
        """Whether there is a state from which no path ends."""
        ends, grows = set(self._lasts), True
        while grows:
            more = {one for one, others in self._leads.items() if one not in ends and not ends.isdisjoint(others)}
            grows, ends = bool(more), ends | more
        return bool(self._leads.keys() - ends)


def _all_of(state: State, threads: Threads) -> object:
    """All that a state is, in words."""
    stacks = []
    for thread in threads.all:
        operation, frames = thread.operation, state.frames if thread.number == threads.running else thread.frames
        words = [(each.function.name, each.block, each.index, repr(each.registers)) for each in frames or ()]
        kind = "" if operation is None else operation.kind.replace("spin", "access")
        stacks.append((tuple(words), kind, thread.result, thread.has_ended))
    memory = tuple([(number, bytes(item.data)) for number, item in sorted(state.memory.objects.held.items())])
    return tuple(stacks), memory, repr(sorted(threads.locks.items())), _printed(state)


@dataclass(frozen=True, slots=True)
class Seen:
    """The ends of all paths, and how many paths there were. ``is_all``: whether the steps sufficed."""

    ends: frozenset[End]
    paths: int
    is_all: bool


class Programs:
    """Several programs of one file, compiled together. Those below another text than PRELUDE call the C library."""

    def __init__(self, programs: list[Program], folder: Path, *words: str, prelude: str = PRELUDE) -> None:
        self.source = written(program_file(programs, prelude), folder)
        libc = ("--libc", "none") if prelude == PRELUDE else ()
        self._options = options_of(folder, *WORDS, *libc, "--function", programs[0].entry, *words)
        self._machine = _machine(self.source, self._options)
        self._sleep = SleepSets()

    def by_schedules(self, entry: str, steps: int) -> Seen:
        """What the search that is to be tested sees."""
        machine = self._machine
        return self._explore(entry, Schedules(machine, machine.failed, None, finds_deadlocks=True), steps)

    def by_brute_force(self, entry: str, steps: int) -> Seen:
        """What all interleavings come to."""
        return self._explore(entry, EveryOrder(self._machine, self._machine.failed), steps)

    def by_states(self, entry: str, steps: int) -> tuple[Seen, bool]:
        """What all states come to, each looked at once, and whether some come to nothing."""
        stepper = EveryState(self._machine, self._machine.failed)
        seen = self._explore(entry, stepper, steps)
        return seen, stepper.is_stuck()

    def _explore(self, entry: str, stepper: Stepper, steps: int) -> Seen:
        options = replace(self._options, function=entry)
        waiting = starting.start(options)(self._machine, starting.command(options, ()))
        ends: list[End] = []
        while waiting and steps:
            steps -= 1
            for outcome in reversed(stepper.step(waiting.pop(), FORKS)):
                if not isinstance(outcome, Running):
                    ends.append(self._end(outcome))
                elif self._sleep.cover(outcome.state) is None:
                    waiting.append(outcome.state)
        return Seen(frozenset(ends), len(ends), not waiting)

    def _end(self, outcome: Failed | Halted | Killed) -> End:
        if isinstance(outcome, Failed):
            position = outcome.fault.position
            return "failed", outcome.fault.kind, None if position is None else position.line
        if isinstance(outcome, Killed):
            return "killed", outcome.reason, outcome.detail
        state = outcome.state
        threads = state.remembered[THREADS]
        results = () if threads is None else tuple([thread.result for thread in threads.all])
        return "ended", outcome.end, outcome.status, *self._shared(state), results, _printed(state)

    def _shared(self, state: State) -> list[int]:
        values = []
        for name in filter(self._machine.statics.has, SHARED):
            item = state.memory.objects[self._machine.statics.address(name) >> SLOT_BITS]
            assert not item.symbolic
            values.append(int.from_bytes(bytes(item.data[:4]), "little"))
        return values


def _printed(state: State) -> bytes:
    """What a path has written to standard output."""
    parts, link = [], state.output
    while link:
        link, descriptor, data = link
        if descriptor == 1:
            assert isinstance(data, bytes)
            parts.append(data)
    return b"".join(reversed(parts))


def _machine(source: Path, options: Options) -> Machine:
    program = build([source], options)
    backend = solving.backend(options)
    return parts.assemble(options, program, (), backend, budget(options, 0.0)).engine.machine


WITH_RACES = ("--check", "memory,race,deadlock")
WITHOUT_RACES = ("--check", "memory,deadlock")


def is_racy(seen: Seen) -> bool:
    """Whether some path ends in a data race."""
    return any(end[:2] == ("failed", "data-race") for end in seen.ends)
