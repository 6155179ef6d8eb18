"""The threads of a program that has made any: their next operations, their events, and the order of events.

An execution is a sequence of events: one visible operation of a thread with all its invisible steps afterwards. Two
clocks order events. ``clock`` is the happens-before relation of partial order reduction (Abdulla14): it orders all
that does not commute. ``synced`` is that of data races: it orders only synchronization.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import Any, TypeVar

from unfork.engine.state.memory import address_of
from unfork.engine.state.merge_rules import EqualPart
from unfork.engine.state.past import Past, added, all_of, in_order, touching
from unfork.engine.state.remembered import Fact
from unfork.logic.terms.term import Value
from unfork.program.llvm.types import Position

Clock = tuple[int, ...]
"""How many events of each thread happened before."""


def later(one: Clock, other: Clock) -> Clock:
    """The clock of an event after both."""
    if len(one) < len(other):
        one, other = other, one
    return (*map(max, one, other), *one[len(other) :])


def count_of(clock: Clock, thread: int) -> int:
    """How many events of a thread a clock includes."""
    return clock[thread] if thread < len(clock) else 0


@dataclass(frozen=True, slots=True)
class Access:
    """Bytes ``low`` to ``high`` (64 bits) of an object, or a whole lock. ``key`` names either."""

    key: Hashable
    low: Value
    high: Value
    writes: bool
    is_atomic: bool
    position: Position | None = None
    is_update: bool = False
    """Whether a write reads as well."""
    guard: Value = 1
    """When (1 bit) the pointer leads to this object."""
    is_silent: bool = False
    """Whether it wrote the value already there: it commutes like a read, and races like a write."""

    def conflicts(self, other: Access) -> bool:
        """Whether the two may touch the same bytes, and one changes them."""
        is_changed = (self.writes and not self.is_silent) or (other.writes and not other.is_silent)
        return is_changed and self.key == other.key and not self._is_apart(other)

    def races_with(self, other: Access) -> bool:
        """Whether the two may touch the same bytes, and one writes them."""
        return self.key == other.key and (self.writes or other.writes) and not self._is_apart(other)

    def _is_apart(self, other: Access) -> bool:
        numbers = (self.low, self.high, other.low, other.high)
        if not all(isinstance(number, int) for number in numbers):
            return False
        return self.high <= other.low or other.high <= self.low  # type: ignore[operator]  # they are ints


@dataclass(frozen=True, slots=True)
class Lock:
    """The state of a lock, semaphore, condition variable, barrier or once flag, which decides the fields in use.

    ``holder`` has taken it ``depth`` times, at ``taken``; ``readers`` share it. ``count`` is that of a semaphore, of
    the threads a barrier waits for, or of an initialiser's progress. ``waiting`` threads are not woken yet.
    """

    kind: str
    holder: int | None = None
    depth: int = 0
    readers: tuple[int, ...] = ()
    count: int = 0
    waiting: tuple[int, ...] = ()
    taken: Position | None = None


@dataclass(frozen=True, slots=True)
class Operation:
    """A visible operation. ``lock`` is the address of the lock it waits for or changes, ``thread`` the thread it
    waits for. In a loop that changes nothing, it waits until another thread conflicts with one of these accesses
    after event number ``awaits``.
    """

    kind: str
    accesses: tuple[Access, ...] = ()
    lock: int = 0
    thread: int = -1
    position: Position | None = None
    awaits: tuple[tuple[Access, int], ...] = ()

    @property
    def is_with_all(self) -> bool:
        """Whether it is ordered with all others: the end of the program, and operations with unknown accesses."""
        return self.kind in WITH_ALL

    def conflicts(self, other: Operation) -> bool:
        """Whether the two need not commute."""
        if self.is_with_all or other.is_with_all:
            return True
        return any(mine.conflicts(theirs) for mine in self.accesses for theirs in other.accesses)


THREAD_LOCAL = "thread-local"
"""The kind of a thread's own copies of variables."""
BEGIN = "begin"
"""A new thread's first operation: it runs to its first visible operation."""
END = "end of the program"
SECTION = "section"
ENTER = "enter"
"""The rest of a section that waits for a lock of the C library before its first visible effect."""
WITH_ALL = (END, SECTION, ENTER)
STREAM = "stream"
"""The kind of the C library's own locks: their holder may take them again."""
ACCESS, LOCK, SHARE, TRY, UNLOCK, TAKE, GIVE = "access", "lock", "share", "try", "unlock", "take", "give"
WAIT, WAKE, SIGNAL, ARRIVE, LEAVE, ONCE, CREATE, JOIN, EXIT, ASK, SPIN = (
    *("wait", "wake", "signal", "arrive", "leave", "once", "create", "join", "exit", "ask", "spin"),
)


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """The ``index``-th event of a thread. ``before`` is its lock's state before it; ``choice`` is the scheduling
    point that chose the thread. ``races`` are the events it need not follow, newest first.
    """

    thread: int
    index: int
    operation: Operation
    clock: Clock
    synced: Clock
    before: Lock | None
    choice: Any
    previous: Event | None
    number: int
    races: tuple[Event, ...]


@dataclass(frozen=True, eq=False)
class Thread:
    """One thread. ``frames`` are None while it runs; ``operation`` is its next one, None while it runs or once it
    ``has_ended``. ``phase`` counts the waits of an operation with two.
    """

    number: int
    frames: tuple[Any, ...] | None
    clock: Clock
    synced: Clock
    operation: Operation | None = None
    events: int = 0
    has_ended: bool = False
    is_detached: bool = False
    is_joined: bool = False
    result: Value = 0
    phase: str = ""
    own: Mapping[int, Value] = field(default_factory=dict)
    copies: Mapping[int, int] = field(default_factory=dict)
    """The objects of its own thread-local variables, by those of the first thread."""
    destructors: tuple[tuple[str, Any], ...] = ()
    """Destructors of its own C++ variables, newest last: functions with arguments. The first thread's are
    OWN_HANDLERS.
    """
    ending: tuple[int, int] | None = None
    """The next round of destructors, and the next key; None until the thread ends."""
    visits: Mapping[Hashable, Any] = field(default_factory=dict)
    """Its rests in loops, and its state then (engine/memory/waiting.py)."""
    idle_wake: int = 0
    """The index of the event of its last spurious wake."""
    section: int = 0
    """The depth of sections around its rest: before the first visible effect in there."""
    wakes_idly: bool | None = None
    """Whether its wait ends spuriously, or by a signal only. None: either."""


@dataclass(frozen=True, slots=True)
class ThreadTurn:
    """At a scheduling point, ``thread`` continues with what it ``does`` in a ``line`` of the source (None: unknown).

    ``what`` it does it to, and the locks it ``holds`` before, are for readers only.
    """

    thread: int
    does: str
    line: int | None
    what: str = ""
    holds: tuple[str, ...] = ()


NO_PAST: Mapping[int, Past] = {}


@dataclass(frozen=True, eq=False)
class Threads:
    """All threads of a path. ``stands``: whether the running thread rests before a visible operation;
    ``is_granted``: whether it may do the next one. ``open`` are the accesses of a section of ``depth``;
    ``is_pending``: it had none yet; ``is_exclusive``: the program calls it atomic. Other threads may know
    ``published`` objects; ``owners`` are the threads that know the others, where that is followed. The scheduler has
    not seen ``fresh`` events; the next operations of threads ``asleep`` were explored elsewhere. ``turn`` was chosen
    last: a new thread runs to its first visible operation at once.
    """

    all: tuple[Thread, ...]
    running: int = 0
    locks: Mapping[int, Lock] = field(default_factory=dict)
    history: Mapping[Hashable, Mapping[int, Past]] = field(default_factory=dict)
    last: Event | None = None
    stands: bool = False
    is_granted: bool = False
    depth: int = 0
    is_pending: bool = False
    is_exclusive: bool = False
    published: frozenset[int] = frozenset()
    owners: Mapping[int, int] = field(default_factory=dict)
    open: tuple[Access, ...] = ()
    fresh: tuple[Event, ...] = ()
    asleep: frozenset[int] = frozenset()
    schedule: tuple[ThreadTurn, Any] | None = None
    choice: Any = None
    turn: int = 0
    row: int = 0
    """How many turns in a row this thread has had."""
    repeats: int | None = None
    """Nothing has changed since the event of this number (-1: the start): others continue from the events between."""
    sample: int | None = None
    """The remaining turns of a schedule tried early, beside the systematic ones."""
    preemptions: int = 0
    keys: tuple[str, ...] = ()
    """The names of the keys' destructors, empty for none."""

    @property
    def current(self) -> Thread:
        """The running thread."""
        return self.all[self.running]

    def with_thread(self, thread: Thread) -> Threads:
        """With another state of one thread."""
        all = list(self.all)
        all[thread.number] = thread
        return changed(self, all=tuple(all))

    def with_current(self, **changes: Any) -> Threads:
        """With changes of the running thread."""
        return self.with_thread(changed(self.current, **changes))

    def with_lock(self, address: int, lock: Lock | None) -> Threads:
        """With another state of one lock; None: its initial state in memory."""
        locks = dict(self.locks)
        if lock is None:
            locks.pop(address, None)
        else:
            locks[address] = lock
        return changed(self, locks=locks)

    def alive(self) -> list[Thread]:
        """The threads that have not ended."""
        return [thread for thread in self.all if not thread.has_ended]

    def turns(self) -> list[ThreadTurn]:
        """The turns at all scheduling points so far."""
        turns, link = [], self.schedule
        while link is not None:
            turn, link = link
            turns.append(turn)
        return turns[::-1]


Kept = TypeVar("Kept", Thread, Threads)


def changed(item: Kept, **changes: Any) -> Kept:
    """A copy with other values of some fields. Takes a tenth of the time of dataclasses.replace, which calls the
    constructor, for a dozen copies per event; so neither class has slots.
    """
    copy = object.__new__(type(item))
    copy.__dict__.update(item.__dict__, **changes)
    return copy


THREADS: Fact[Threads | None] = Fact("threads", EqualPart(), None)
"""None until the path makes a thread or takes a lock. Only paths that share all of it join, and none covers another."""


def are_several(threads: Threads | None) -> bool:
    """Whether there was ever more than one thread: what the first did alone precedes everything else."""
    return threads is not None and len(threads.all) > 1


def allows(lock: Lock | None, operation: Operation, thread: int) -> bool:
    """Whether a lock in this state lets ``operation`` proceed."""
    if lock is None:
        return operation.kind not in (TAKE, LEAVE)
    match operation.kind:
        case "lock" | "enter":
            return not lock.readers and (lock.holder is None or (lock.holder == thread and lock.kind != "normal"))
        case "share":
            return lock.holder is None
        case "take":
            return lock.count > 0
        case "leave":
            return thread not in lock.waiting
        case "once":
            return lock.count != 1
    return True


def is_enabled(threads: Threads, thread: Thread, *, wakes: bool = True, heeds_loops: bool = True) -> bool:
    """Whether a waiting thread can do its operation. ``wakes``: a wait may end spuriously. ``heeds_loops``: a loop
    that changes nothing waits.
    """
    operation = thread.operation
    if thread.has_ended or operation is None or (heeds_loops and waits_in_loop(threads, thread)):
        return False
    match operation.kind:
        case "join":
            return threads.all[operation.thread].has_ended
        case "wake":
            mutex = threads.locks.get(operation.lock)
            if mutex is not None and mutex.holder is not None:
                return False
            if is_signalled(threads, thread, operation):
                return not thread.wakes_idly
            return wakes and thread.wakes_idly is not False and _may_wake_idly(threads, thread, operation)
    return allows(threads.locks.get(operation.lock), operation, thread.number)


def is_signalled(threads: Threads, thread: Thread, operation: Operation) -> bool:
    """Whether a thread that waits for a condition was woken."""
    condition = threads.locks.get(operation.accesses[0].key[1])  # type: ignore[index]  # the key of a lock
    return condition is None or thread.number not in condition.waiting


def _may_wake_idly(threads: Threads, thread: Thread, operation: Operation) -> bool:
    """Whether a wait may end spuriously: not again before another thread did anything except wait with its condition
    or mutex. Only what the wake is ordered with counts, so that all orders of independent events agree.
    """
    return not thread.idle_wake or any(
        event.thread != thread.number and event.operation.kind not in (WAIT, WAKE)
        for access in operation.accesses
        for event in takewhile(
            lambda event: event.thread != thread.number or event.index > thread.idle_wake,
            all_of(threads.history.get(access.key)),
        )
    )


def waits_in_loop(threads: Threads, thread: Thread) -> bool:
    """Whether a thread is in a loop whose next turn would repeat the last: no other thread intervened."""
    operation = thread.operation
    if operation is None or not (operation.awaits or operation.kind == SPIN):
        return False
    return not any(_has_news(threads, thread, *awaited) for awaited in operation.awaits)


def _has_news(threads: Threads, thread: Thread, access: Access, number: int) -> bool:
    """Whether another thread conflicted with an access after the event of that number."""
    return any(
        other != thread.number and any(each.conflicts(access) for each in event.operation.accesses)
        for other, past in threads.history.get(access.key, NO_PAST).items()
        for event in takewhile(lambda event: event.number > number, touching(past, access))
    )


def add_event(threads: Threads, operation: Operation, before: Lock | None, synced: Clock) -> Threads:
    """``operation`` of the running thread happened; ``synced`` is what it synchronized with.

    Its races are those events of others that do not commute with it, with nothing between that follows the one and
    precedes the other; except those it could not have preceded.
    """
    thread = threads.current
    index = thread.events + 1
    clock, races = races_of(threads, thread, operation)
    stamp = (*[0] * thread.number, index)
    clock, synced = later(clock, stamp), later(later(thread.synced, synced), stamp)
    number = 0 if threads.last is None else threads.last.number + 1
    event = Event(
        *(thread.number, index, operation, clock, synced, before, threads.choice, threads.last, number, races),
    )
    history = dict(threads.history)
    for key in dict.fromkeys([access.key for access in operation.accesses]):
        pasts = history.get(key, NO_PAST)
        past = added(pasts.get(thread.number), event, [each for each in operation.accesses if each.key == key])
        history[key] = {**pasts, thread.number: past}
    after = changed(thread, clock=clock, synced=synced, events=index, operation=None)
    return changed(
        threads.with_thread(after), history=history, last=event, fresh=(*threads.fresh, event), is_granted=False
    )


def races_of(threads: Threads, thread: Thread, operation: Operation) -> tuple[Clock, tuple[Event, ...]]:
    """The clock that an operation of a thread would have, and its races."""
    clock, known = thread.clock, [thread.clock]
    races: list[Event] = []
    for event in _candidates(threads, thread, operation, known):
        if event.thread == thread.number or event.index <= count_of(known[0], event.thread):
            continue
        if not event.operation.conflicts(operation):
            continue
        clock = later(clock, event.clock)
        if _is_cause(event, thread, operation):
            known[0] = later(known[0], event.clock)
        elif could_be_before(operation, thread.number, event):
            races.append(event)
            known[0] = later(known[0], event.clock)
    return clock, tuple(races)


def _is_cause(event: Event, thread: Thread, operation: Operation) -> bool:
    """Whether a signal ended a wait, so that nothing that the signal follows can follow the wake."""
    if operation.kind != WAKE or event.operation.kind != SIGNAL or thread.wakes_idly:
        return False
    return event.before is not None and thread.number in event.before.waiting


def could_be_before(operation: Operation, thread: int, event: Event) -> bool:
    """Whether an operation might have been done just before an event that does not commute with it."""
    if operation.kind == JOIN:
        return False
    if not operation.lock or operation.lock != event.operation.lock:
        return True
    if operation.kind == WAKE:
        operation = replace(operation, kind=LOCK)
    return allows(event.before, operation, thread)


def _candidates(threads: Threads, thread: Thread, operation: Operation, known: list[Clock]) -> Iterable[Event]:
    """Events of others that may not commute with an operation, newest first, down to those ``known`` by then."""
    if operation.is_with_all:
        return _everything(threads.last)
    return in_order(
        [
            takewhile(lambda event: event.index > count_of(known[0], event.thread), touching(past, access))
            for access in operation.accesses
            for other, past in threads.history.get(access.key, NO_PAST).items()
            if other != thread.number
        ]
    )


def _everything(last: Event | None) -> Iterator[Event]:
    while last is not None:
        yield last
        last = last.previous


def initials(event: Event, later_event: Event) -> list[int]:
    """The threads that may begin what happens without ``event``: all that does not follow it, and ``later_event``.

    Source: notdep(e, E).e' of Abdulla14, and its initials.
    """
    first: dict[int, Event] = {}
    between = later_event.previous
    while between is not None and between is not event:
        if count_of(between.clock, event.thread) < event.index:
            first[between.thread] = between
        between = between.previous
    first.setdefault(later_event.thread, later_event)
    return [
        number
        for number, one in first.items()
        if not any(count_of(one.clock, other) >= two.index for other, two in first.items() if other != number)
    ]


def key_of_lock(address: int) -> Hashable:
    """The key of a lock among the keys of objects, which are numbers."""
    return ("lock", address)


def end_of(thread: int) -> Access:
    """The end of a thread as an access, for which joins wait."""
    return Access(("thread", thread), 0, 1, writes=True, is_atomic=True)


def address_of_key(key: Hashable) -> int | None:
    """The address of a lock, or of the beginning of an object; None for a thread."""
    match key:
        case int():
            return address_of(key)
        case ("lock", int(address)):
            return address
    return None
