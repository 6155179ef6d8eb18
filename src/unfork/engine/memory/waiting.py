"""Loops that wait: a thread that comes back with nothing changed goes on only after others have done something.

Such an iteration reads in vain, fails to compare-exchange, exchanges equal values, or takes a lock and returns it. The
next one would do the same, so the thread waits for a conflicting operation. If others ran in between and are back too,
the execution is cut short: its future is that of the earlier state (docs/theory/threads.md).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from unfork.engine.state.memory import MemoryObject
from unfork.engine.state.objects import changed_numbers
from unfork.engine.state.state import JUMP_TARGETS, Frame, State
from unfork.engine.state.threads import (
    ACCESS,
    GIVE,
    LOCK,
    SECTION,
    SHARE,
    SPIN,
    TAKE,
    THREADS,
    TRY,
    UNLOCK,
    Access,
    Event,
    Lock,
    Operation,
    Thread,
    Threads,
    changed,
    is_enabled,
    waits_in_loop,
)
from unfork.engine.step.step import Step
from unfork.program.llvm.module import Function

IN_TURNS = (ACCESS, SECTION, SPIN, LOCK, SHARE, TRY, UNLOCK, TAKE, GIVE)
"""The operations of iterations that wait."""
MOST_EARLIER = 32
"""The most earlier visits to compare with, where a thread is back and others are elsewhere."""
MOST_PLACES = 256
"""The most places that a thread remembers; beyond, it forgets them."""


@dataclass(frozen=True, eq=False)
class PlaceVisit:
    """The ``count``-th yield of a thread at a place, or an earlier one: the state after the event ``number``.

    ``able`` are the threads that could go on.
    """

    count: int
    state: State
    number: int
    locks: Mapping[int, Lock]
    all: tuple[Thread, ...]
    able: tuple[bool, ...]
    earlier: tuple[PlaceVisit, ...] = ()
    """Earlier visits at which this thread was the same, and others were not."""


def awaiting(step: Step, operation: Operation) -> Operation:
    """The operation before which the running thread yields; it waits if the thread is back with nothing changed."""
    threads = step.state.remembered[THREADS]
    assert threads is not None
    thread = threads.current
    if operation.kind not in IN_TURNS or operation.awaits:
        if thread.visits:
            step.state.remembered[THREADS] = threads.with_current(visits={})
        return operation
    if not any(frame.block in _turning(step, frame.function) for frame in step.state.frames):
        return operation
    place = _place(step, threads, operation)
    visit = thread.visits.get(place)
    repeats = None
    if visit is None:
        after = _visit(step, threads, 1)
    elif not (_is_same_stack(step, visit.state, step.state) and _is_same_world(visit.state, step.state)):
        count = visit.count + 1
        after = replace(visit, count=count) if count & count - 1 else _visit(step, threads, count)
    elif awaits := _awaited(step, threads, visit):
        after = _visit(step, threads, 1)
        kind = SPIN if operation.kind == ACCESS else operation.kind
        accesses = (*operation.accesses, *[access for access, _ in awaits])
        operation = replace(operation, kind=kind, accesses=accesses, awaits=awaits)
    else:
        known = (visit, *visit.earlier[: MOST_EARLIER - 1])
        same = [each for each in known if _is_all_same(step, threads, each)]
        repeats = same[0].number if same else None
        after = replace(_visit(step, threads, 1), earlier=known)
    visits = {} if len(thread.visits) > MOST_PLACES else thread.visits
    threads = threads.with_current(visits={**visits, place: after})
    step.state.remembered[THREADS] = changed(threads, repeats=repeats)
    return operation


def _turning(step: Step, function: Function) -> frozenset[int]:
    return step.facts[function].flow.turning


def _place(step: Step, threads: Threads, operation: Operation) -> Hashable:
    frame = step.state.frames[-1]
    kind = ACCESS if operation.kind == SPIN else operation.kind
    return len(step.state.frames), frame.function.name, frame.block, frame.index, threads.depth, kind


def _visit(step: Step, threads: Threads, count: int) -> PlaceVisit:
    state = step.state.fork()
    state.iterations = {}
    state.remembered[THREADS] = None
    able = tuple([is_enabled(threads, each) for each in threads.all])
    all = tuple([changed(each, visits={}) for each in threads.all])
    return PlaceVisit(count, state, _number(threads.last), threads.locks, all, able)


def _number(event: Event | None) -> int:
    return -1 if event is None else event.number


def _awaited(step: Step, threads: Threads, visit: PlaceVisit) -> tuple[tuple[Access, int], ...]:
    """What a thread waits for, which is as at a visit; nothing if it need not wait."""
    state = step.state
    own: list[tuple[Access, int]] = []
    others: list[Event] = []
    for event in _since(threads, visit.number):
        if event.thread != threads.running:
            others.append(event)
        elif event.operation.kind in IN_TURNS:
            own += [(access, event.number) for access in event.operation.accesses]
        else:
            return ()
    changes = [access for access, _ in own if access.writes and not access.is_silent]
    awaits: dict[Hashable, tuple[Access, int]] = {}
    for access, number in own:  # the newest first
        key = (access.key, access.low, access.high, access.writes and not access.is_silent)
        awaits[key] = (access, visit.number if changes else number)
    waiting = tuple(awaits.values())
    probe = changed(threads.current, operation=Operation(SPIN, awaits=waiting))
    if not waits_in_loop(threads, probe) or not all(_is_undone(visit, threads, state, each) for each in changes):
        return ()
    return waiting if _rest_is_others(visit, threads, state, others) else ()


def _since(threads: Threads, number: int) -> Iterator[Event]:
    event = threads.last
    while event is not None and event.number > number:
        yield event
        event = event.previous


def _is_same_stack(step: Step, before: State, state: State) -> bool:
    """Whether the thread's own knowledge is the same: its live registers, and its locals."""
    if len(before.frames) != len(state.frames):
        return False
    last = len(state.frames) - 1
    for depth, (old, new) in enumerate(zip(before.frames, state.frames, strict=True)):
        if not _is_same_frame(step, old, new, is_top=depth == last):
            return False
    old_objects, new_objects = before.memory.objects, state.memory.objects
    numbers = [number for frame in state.frames for number in frame.locals]
    return not any(_differs(old_objects.get(number), new_objects.get(number)) for number in numbers)


def _is_same_frame(step: Step, old: Frame, new: Frame, *, is_top: bool) -> bool:
    if old is new:
        return True
    if (old.function, old.block, old.index) != (new.function, new.block, new.index):
        return False
    if step.state.remembered[JUMP_TARGETS]:
        live: Sequence[int] = range(len(old.registers))
    else:
        index = old.index - 1 if is_top else old.index  # the instruction runs again
        live = step.facts[old.function].liveness.registers(old.block, index, is_calling=not is_top)
    return (
        old.locals == new.locals
        and all(old.registers[i] == new.registers[i] for i in live)
        and old.variadic == new.variadic
        and (old.ended or {}).keys() == (new.ended or {}).keys()
    )


def _is_same_world(before: State, state: State) -> bool:
    """Whether the path has since had no input and printed, allocated and assumed nothing."""
    remembered = state.remembered.copy()
    remembered[THREADS] = None
    return (
        before.path is state.path
        and before.volatile_reads == state.volatile_reads
        and before.inputs == state.inputs
        and before.lazy is state.lazy
        and before.output is state.output
        and before.heap_count == state.heap_count
        and before.remembered == remembered
    )


def _is_undone(visit: PlaceVisit, threads: Threads, state: State, access: Access) -> bool:
    """Whether a place that the thread wrote has its former contents."""
    key, low, high = access.key, access.low, access.high
    match key:
        case ("lock", int(address)):
            return visit.locks.get(address) == threads.locks.get(address)
        case int() if isinstance(low, int) and isinstance(high, int):
            old, new = visit.state.memory.objects.get(key), state.memory.objects.get(key)
            return old is new or (
                old is not None and new is not None and old.is_alike(new) and old.same_bytes(new, low, high - low)
            )
    return False


def _rest_is_others(visit: PlaceVisit, threads: Threads, state: State, others: list[Event]) -> bool:
    """Whether other threads made all other differences in memory: in objects of theirs, or by their events."""
    theirs: set[Hashable] = {number for number, owner in threads.owners.items() if owner != threads.running}
    theirs |= {access.key for event in others for access in event.operation.accesses if access.writes}
    for thread in (*visit.all, *threads.all):
        if thread.number != threads.running:
            theirs |= {number for frame in thread.frames or () for number in frame.locals}
            theirs |= set(thread.copies.values())
    return theirs.issuperset(_differing(visit.state, state))


def _differing(before: State, state: State) -> Iterator[int]:
    old, new = before.memory.objects, state.memory.objects
    return (number for number in changed_numbers(old, new) if _differs(old.get(number), new.get(number)))


def _differs(item: MemoryObject | None, other: MemoryObject | None) -> bool:
    if item is None or other is None:
        return item is not other
    return not item.is_same(other)


def _is_all_same(step: Step, threads: Threads, visit: PlaceVisit) -> bool:
    if len(visit.all) != len(threads.all) or visit.locks != threads.locks:
        return False
    able = tuple([is_enabled(threads, each) for each in threads.all])
    running = threads.running
    for old, new, could, can in zip(visit.all, threads.all, visit.able, able, strict=True):
        if not _is_same_thread(step, old, new) or (old.number != running and could != can):
            return False
    return next(_differing(visit.state, step.state), None) is None


def _is_same_thread(step: Step, old: Thread, new: Thread) -> bool:
    if (old.frames is None) != (new.frames is None) or len(old.frames or ()) != len(new.frames or ()):
        return False
    last = len(new.frames or ()) - 1
    return (
        _words(old) == _words(new)
        and not (old.idle_wake or new.idle_wake)
        and all(
            _is_same_frame(step, before, after, is_top=depth == last)
            for depth, (before, after) in enumerate(zip(old.frames or (), new.frames or (), strict=True))
        )
    )


def _words(thread: Thread) -> tuple[object, ...]:
    """The rest of a thread that yields; the running one is compared before it yields."""
    operation = thread.operation
    next_is: object = None
    if operation is not None and thread.frames is not None:
        kind = ACCESS if operation.kind == SPIN else operation.kind
        awaited = {(access.key, access.low, access.high, access.writes) for access, _ in operation.awaits}
        next_is = (kind, operation.lock, operation.thread, operation.position, awaited)
    return (
        *(next_is, thread.has_ended, thread.is_detached, thread.is_joined, thread.result, thread.phase),
        *(thread.own, thread.ending, thread.section, thread.wakes_idly),
    )
