"""The threads of a program that has made any: what each does next, what they have done, and what happened before what.

An execution is a sequence of events, each of which is one visible operation of one thread with all that the thread
does on its own afterwards. Two clocks order events. ``clock`` is the happens-before relation of partial order reduction
(Abdulla14): it orders whatever does not commute. ``synced`` is that of data races: it orders only what synchronizes.
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
    """The clock of what comes after both."""
    if len(one) < len(other):
        one, other = other, one
    return (*map(max, one, other), *one[len(other) :])


def count_of(clock: Clock, thread: int) -> int:
    """How many events of a thread a clock knows."""
    return clock[thread] if thread < len(clock) else 0


@dataclass(frozen=True, slots=True)
class Access:
    """Bytes ``low`` to ``high`` (64 bits) of an object, or a lock as a whole. ``key`` names either."""

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
    """Whether it wrote what was there: it commutes as a read does, and races as a write does."""

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
    """What a lock, semaphore, condition variable, barrier or once flag is like; which fields count depends on that.

    ``holder`` has taken it ``depth`` times, at ``taken``; ``readers`` share it. ``count`` of a semaphore, of those
    that a barrier waits for, of what an initialiser has come to. ``waiting`` threads have not been woken.
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
    """A visible operation. ``lock`` is the address of what it waits for or changes, ``thread`` whom it waits for. In a
    loop that changes nothing, it waits until another thread does what conflicts with one of these accesses, after the
    event of that number (``awaits``).
    """

    kind: str
    accesses: tuple[Access, ...] = ()
    lock: int = 0
    thread: int = -1
    position: Position | None = None
    awaits: tuple[tuple[Access, int], ...] = ()

    @property
    def is_with_all(self) -> bool:
        """Whether it is ordered with all others: the end of the program, and what nobody knows beforehand."""
        return self.kind in WITH_ALL

    def conflicts(self, other: Operation) -> bool:
        """Whether the two need not commute."""
        if self.is_with_all or other.is_with_all:
            return True
        return any(mine.conflicts(theirs) for mine in self.accesses for theirs in other.accesses)


THREAD_LOCAL = "thread-local"
"""The kind of the objects that are a thread's own copies of variables."""
BEGIN = "begin"
"""What a new thread does first: it runs to its first visible operation."""
END = "end of the program"
SECTION = "section"
ENTER = "enter"
"""The rest of a section that waits for a lock of the C library before anything that others may notice."""
WITH_ALL = (END, SECTION, ENTER)
STREAM = "stream"
"""The kind of the C library's own locks: the thread that has one may take it again."""
ACCESS, LOCK, SHARE, TRY, UNLOCK, TAKE, GIVE = "access", "lock", "share", "try", "unlock", "take", "give"
WAIT, WAKE, SIGNAL, ARRIVE, LEAVE, ONCE, CREATE, JOIN, EXIT, ASK, SPIN = (
    *("wait", "wake", "signal", "arrive", "leave", "once", "create", "join", "exit", "ask", "spin"),
)


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """The ``index``-th event of a thread. ``before`` is what its lock was like before it; ``choice`` is the scheduling
    point where the thread was chosen. ``races`` are the events that it need not come after, newest first.
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
    """One thread. ``frames`` are None while it runs, ``operation`` is what it does next, None while it runs or once it
    ``has_ended``. ``phase``: in which wait of two operations it is.
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
    """The objects that are its own thread-local variables, by those that the first thread has."""
    destructors: tuple[tuple[str, Any], ...] = ()
    """Of its own variables in C++, newest last: functions with their arguments. The first thread's are OWN_HANDLERS."""
    ending: tuple[int, int] | None = None
    """The round of destructors, and the key, that come next; None until the thread ends."""
    visits: Mapping[Hashable, Any] = field(default_factory=dict)
    """Where in loops it rested, and how all was then (engine/memory/waiting.py)."""
    idle_wake: int = 0
    """The index of the event in which it last woke for no reason."""
    section: int = 0
    """How deep in sections it rests: before the first thing in there that another thread may notice."""
    wakes_idly: bool | None = None
    """Whether the wait that it is in ends for no reason, or by a signal only. None: it may end either way."""


@dataclass(frozen=True, slots=True)
class ThreadTurn:
    """At a scheduling point, ``thread`` goes on with what it ``does`` in a ``line`` of the source (None: not known).

    It does it to ``what``, and ``holds`` these locks before; for readers, and nothing depends on either.
    """

    thread: int
    does: str
    line: int | None
    what: str = ""
    holds: tuple[str, ...] = ()


NO_PAST: Mapping[int, Past] = {}


@dataclass(frozen=True, eq=False)
class Threads:
    """All threads of a path. ``stands``: whether the running thread rests before a visible operation; ``is_granted``:
    whether it may do the next one. ``open`` are the accesses of a section that is ``depth`` deep; ``is_pending``: there
    was none yet; ``is_exclusive``: the program says that it is atomic. ``published`` are objects that other threads may
    know, ``owners`` are the threads that know the others, where that is followed. ``fresh`` events were not looked at
    by who schedules; ``asleep`` are threads whose next operation was explored elsewhere. ``turn`` was chosen last: a
    new thread runs to its first visible operation at once.
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
    """How often this turn's thread has gone on in a row."""
    repeats: int | None = None
    """All is as it was after the event of this number (-1: before all): others go on from what came in between."""
    sample: int | None = None
    """How many turns are left of a schedule that is tried early, beside the systematic ones."""
    preemptions: int = 0
    keys: tuple[str, ...] = ()
    """The names of the destructors of keys, empty where there is none."""

    @property
    def current(self) -> Thread:
        """The thread that runs."""
        return self.all[self.running]

    def with_thread(self, thread: Thread) -> Threads:
        """The same with another state of one thread."""
        all = list(self.all)
        all[thread.number] = thread
        return changed(self, all=tuple(all))

    def with_current(self, **changes: Any) -> Threads:
        """The same with changes of the thread that runs."""
        return self.with_thread(changed(self.current, **changes))

    def with_lock(self, address: int, lock: Lock | None) -> Threads:
        """The same with another state of one lock; None: as it is in memory at first."""
        locks = dict(self.locks)
        if lock is None:
            locks.pop(address, None)
        else:
            locks[address] = lock
        return changed(self, locks=locks)

    def alive(self) -> list[Thread]:
        """Those that have not ended."""
        return [thread for thread in self.all if not thread.has_ended]

    def turns(self) -> list[ThreadTurn]:
        """Who went on at each scheduling point so far."""
        turns, link = [], self.schedule
        while link is not None:
            turn, link = link
            turns.append(turn)
        return turns[::-1]


Kept = TypeVar("Kept", Thread, Threads)


def changed(item: Kept, **changes: Any) -> Kept:
    """The same with other values of some fields. Each event makes a dozen: it takes a tenth of dataclasses.replace,
    which calls the constructor, and so neither class has slots.
    """
    copy = object.__new__(type(item))
    copy.__dict__.update(item.__dict__, **changes)
    return copy


THREADS: Fact[Threads | None] = Fact("threads", EqualPart(), None)
"""None until the path makes a thread or takes a lock. Only paths that share all of it join, and none covers another."""


def are_several(threads: Threads | None) -> bool:
    """Whether there is, or was, more than one thread: what the first one did alone comes before all else."""
    return threads is not None and len(threads.all) > 1


def allows(lock: Lock | None, operation: Operation, thread: int) -> bool:
    """Whether what ``operation`` waits for can be had from a lock in this state."""
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
    """Whether a thread that stands can do its operation. ``wakes``: a wait may end for no reason. ``heeds_loops``: a
    loop that changes nothing waits.
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
    """Whether a thread that waits for a condition has been woken."""
    condition = threads.locks.get(operation.accesses[0].key[1])  # type: ignore[index]  # the key of a lock
    return condition is None or thread.number not in condition.waiting


def _may_wake_idly(threads: Threads, thread: Thread, operation: Operation) -> bool:
    """A wait may end for no reason, but not again before another thread has done anything but wait with its condition
    or mutex. Only what the wake is ordered with counts, so that all orders of what is independent agree.
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
    """Whether a thread is in a loop whose next turn would do what the last has done: nobody else has come between."""
    operation = thread.operation
    if operation is None or not (operation.awaits or operation.kind == SPIN):
        return False
    return not any(_has_news(threads, thread, *awaited) for awaited in operation.awaits)


def _has_news(threads: Threads, thread: Thread, access: Access, number: int) -> bool:
    """Whether another thread has done what conflicts with an access, after the event of that number."""
    return any(
        other != thread.number and any(each.conflicts(access) for each in event.operation.accesses)
        for other, past in threads.history.get(access.key, NO_PAST).items()
        for event in takewhile(lambda event: event.number > number, touching(past, access))
    )


def add_event(threads: Threads, operation: Operation, before: Lock | None, synced: Clock) -> Threads:
    """``operation`` of the running thread has happened; ``synced`` is what it synchronized with.

    Its races are those events of others that do not commute with it and between which and it nothing happened that
    comes after the one and before the other: unless it could not have been done before them.
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
    """What an operation of a thread would come after, and the races that it would have."""
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
    """Whether a wait ends because of a signal, so that nothing that the signal comes after can come after the wake."""
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
    """Events of others that may not commute with an operation, newest first, down to those that are ``known`` then."""
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
    """The threads that may begin what happens without ``event``: all that does not come after it, and ``later_event``.

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
    """What the end of a thread does, and who joins it waits for."""
    return Access(("thread", thread), 0, 1, writes=True, is_atomic=True)


def address_of_key(key: Hashable) -> int | None:
    """The address of a lock, or of the beginning of an object; None of a thread."""
    match key:
        case int():
            return address_of(key)
        case ("lock", int(address)):
            return address
    return None
