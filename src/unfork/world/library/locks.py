"""Models of locks: mutexes of POSIX and C11, read-write locks, condition variables, semaphores, barriers.

A lock has an address, but its state is outside memory (engine/state/threads.py); its bytes only give the kind of a
mutex. Every model is one visible operation, except a wait for a condition, which is two: it releases the mutex, then
wakes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from unfork.engine.memory.library_objects import set_errno
from unfork.engine.memory.loads import load, store
from unfork.engine.memory.ranges import writable
from unfork.engine.memory.visible_operations import begin, happened, of, yield_before
from unfork.engine.state.past import all_of
from unfork.engine.state.threads import (
    ARRIVE,
    GIVE,
    LEAVE,
    LOCK,
    ONCE,
    SHARE,
    SIGNAL,
    TAKE,
    THREADS,
    TRY,
    UNLOCK,
    WAIT,
    WAKE,
    Access,
    Clock,
    Lock,
    Operation,
    Threads,
    key_of_lock,
)
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.program.facts.own_source import own_line
from unfork.world.library.model import FunctionModel

MISUSE = "lock-misuse"
EAGAIN, EBUSY, EINVAL, ETIMEDOUT = 11, 16, 22, 110
KINDS = ("normal", "recursive", "error-checking")
"""Kinds of mutexes, by the numbers of PTHREAD_MUTEX_NORMAL and the others."""
LOCKS = 64
SERIAL_THREAD = 0xFFFF_FFFF
"""The result of pthread_barrier_wait in one of the threads."""
DONE = 2
"""The count of a once flag whose initialiser has returned; 1 while it runs."""


def address(step: Step, pointer: Value, what: str) -> int:
    """The address of a lock, whose bytes must be accessible."""
    at = step.concretize(pointer, 64, LOCKS, f"the address of a {what}")
    writable(step, at, 4)
    return at


def operation(step: Step, kind: str, at: int, *, writes: bool = True) -> Operation:
    """An operation on a lock."""
    return Operation(kind, (Access(key_of_lock(at), 0, 1, writes, True, step.site()),), at, position=step.site())


def start(step: Step, kind: str, at: int, of_kind: str, *, writes: bool = True) -> tuple[Operation, Lock]:
    """An operation on a lock that happens now, and the lock before it. Raises ThreadYield."""
    done = operation(step, kind, at, writes=writes)
    return done, lock_of(begin(step, done), at, of_kind)


def lock_of(current: Threads, at: int, kind: str) -> Lock:
    """The state of a lock; an unused one is free."""
    return current.locks.get(at) or Lock(kind)


def synced_with(current: Threads, at: int) -> Clock:
    """The clock that later operations on a lock synchronise with: that of the last event that changed it."""
    key = key_of_lock(at)
    for event in all_of(current.history.get(key)):
        if not all(each.is_silent for each in event.operation.accesses if each.key == key):
            synced: Clock = event.synced
            return synced
    return ()


def change(step: Step, done: Operation, before: Lock, after: Lock | None, *, syncs: bool = True) -> None:
    """Record an operation that took a lock from ``before`` to ``after``."""
    if after == before:
        done = replace(done, accesses=tuple([replace(each, is_silent=True) for each in done.accesses]))
    current = of(step)
    synced = synced_with(current, done.lock) if syncs else ()
    happened(step, done, before, synced)
    step.state.remembered[THREADS] = of(step).with_lock(done.lock, after)


def mutex_kind(step: Step, at: int) -> str:
    """The kind of mutex, from the bytes at an address."""
    number = step.concretize(build.and_(load(step, at, 4), 15, 32), 32, 4, "the kind of a mutex")
    return KINDS[number & 3] if number & 3 < len(KINDS) else KINDS[0]


# --- mutexes ---------------------------------------------------------------------------------------------------------


def _mutex_init(step: Step, mutex: Value, attributes: Value) -> Value:
    at = address(step, mutex, "mutex")
    kind: Value = 0
    if step.decide(build.ne(attributes, 0, 64)):
        kind = load(step, attributes, 4)
    return _make_mutex(step, at, kind)


def _make_mutex(step: Step, at: int, kind: Value) -> Value:
    store(step, at, build.and_(kind, 3, 32), 4)
    current = step.state.remembered[THREADS]
    if current is not None and at in current.locks:
        step.state.remembered[THREADS] = current.with_lock(at, None)
    return 0


def _mutex_destroy(step: Step, mutex: Value) -> Value:
    at = address(step, mutex, "mutex")
    if step.state.remembered[THREADS] is None:
        return 0
    done, lock = start(step, UNLOCK, at, "normal")
    if lock.holder is not None:
        step.fail(MISUSE, f"a mutex is destroyed that {_holder(lock)}")
    change(step, done, lock, None)
    return 0


def _holder(lock: Lock) -> str:
    return f"thread {lock.holder} holds{_since(lock)}"


def _since(lock: Lock) -> str:
    line = own_line(lock.taken)
    return "" if line is None else f" since line {line}"


def _mutex_lock(step: Step, mutex: Value, *_: Value) -> Value:
    return take_mutex(step, address(step, mutex, "mutex"), LOCK)


def _mutex_trylock(step: Step, mutex: Value) -> Value:
    return take_mutex(step, address(step, mutex, "mutex"), TRY)


def _mutex_timedlock(step: Step, mutex: Value, *_: Value) -> Value:
    """It waits, or gives up at once if it would have to wait: no program can tell the difference."""
    return take_mutex(step, address(step, mutex, "mutex"), TRY, busy=ETIMEDOUT)


def take_mutex(step: Step, at: int, how: str, busy: int = EBUSY) -> Value:
    """Take a mutex, wait for it, or return ``busy``."""
    kind = mutex_kind(step, at)
    current = of(step)
    if at not in current.locks:
        step.state.remembered[THREADS] = current.with_lock(at, Lock(kind))
    done = operation(step, how, at)
    current = begin(step, done)
    lock, number = lock_of(current, at, kind), current.running
    if lock.holder == number:
        if kind == "recursive":
            change(step, done, lock, replace(lock, depth=lock.depth + 1))
            return 0
        if how == LOCK and kind == "error-checking":
            step.fail(MISUSE, f"a mutex is locked again by the thread that{_since(lock)} has it")
        change(step, done, lock, lock)
        return busy
    if lock.holder is not None:
        change(step, done, lock, lock)
        return busy
    change(step, done, lock, replace(lock, holder=number, depth=1, taken=step.site()))
    return 0


def _mutex_unlock(step: Step, mutex: Value) -> Value:
    at = address(step, mutex, "mutex")
    done, lock = start(step, UNLOCK, at, "normal")
    if lock.holder != of(step).running:
        held = "that nobody holds" if lock.holder is None else f"that {_holder(lock)}"
        step.fail(MISUSE, f"thread {of(step).running} unlocks a mutex {held}")
    depth = lock.depth - 1
    change(step, done, lock, replace(lock, depth=depth, holder=lock.holder if depth else None))
    return 0


# --- read-write locks -----------------------------------------------------------------------------------------------


def _share(step: Step, pointer: Value, how: str = SHARE, busy: int = EBUSY) -> Value:
    at = address(step, pointer, "rwlock")
    done, lock = start(step, how, at, "rwlock", writes=False)
    if lock.holder is not None:
        change(step, done, lock, lock)
        return busy
    change(step, done, lock, replace(lock, readers=(*lock.readers, of(step).running)))
    return 0


def _write_lock(step: Step, pointer: Value, how: str = LOCK, busy: int = EBUSY) -> Value:
    at = address(step, pointer, "rwlock")
    done, lock = start(step, how, at, "rwlock")
    if lock.holder is not None or lock.readers:
        change(step, done, lock, lock)
        return busy
    change(step, done, lock, replace(lock, holder=of(step).running, depth=1, taken=step.site()))
    return 0


def _rwlock_unlock(step: Step, pointer: Value) -> Value:
    at = address(step, pointer, "rwlock")
    current = of(step)
    lock = lock_of(current, at, "rwlock")
    reads = current.running in lock.readers
    done, lock = start(step, UNLOCK, at, "rwlock", writes=not reads)
    if reads:
        readers = list(lock.readers)
        readers.remove(current.running)
        change(step, done, lock, replace(lock, readers=tuple(readers)))
    elif lock.holder == current.running:
        change(step, done, lock, replace(lock, holder=None, depth=0))
    else:
        step.fail(MISUSE, f"thread {current.running} unlocks a rwlock that it does not hold")
    return 0


# --- condition variables --------------------------------------------------------------------------------------------


def _cond_wait(step: Step, condition: Value, mutex: Value, *rest: Value) -> Value:
    """Release the mutex and wait; then wake with the mutex, signalled or not."""
    at, lock_at = address(step, condition, "condition variable"), address(step, mutex, "mutex")
    current = of(step)
    if current.depth or not step.has_threads:
        step.unsupported("a wait for a condition within what is atomic, or without another thread,")
    if current.current.phase != WAIT:
        wait = replace(operation(step, WAIT, lock_at), accesses=_both(step, at, lock_at))
        current = begin(step, wait)
        lock, held = lock_of(current, at, "condition"), lock_of(current, lock_at, "normal")
        if held.holder != current.running:
            step.fail(MISUSE, f"thread {current.running} waits with a mutex that it does not hold")
        happened(step, wait, held, synced_with(current, lock_at))
        current = of(step).with_lock(at, replace(lock, waiting=(*lock.waiting, current.running)))
        current = current.with_lock(lock_at, replace(held, holder=None, depth=0))
        current = current.with_current(phase=WAIT)
        step.state.remembered[THREADS] = current
    wake = Operation(WAKE, _both(step, at, lock_at), lock_at, position=step.site())
    if not current.is_granted:
        yield_before(step, wake)
    return _wake(step, at, lock_at, wake, is_timed=bool(rest))


def _both(step: Step, *at: int) -> tuple[Access, ...]:
    return tuple([Access(key_of_lock(each), 0, 1, True, True, step.site()) for each in at])


def _wake(step: Step, at: int, lock_at: int, wake: Operation, *, is_timed: bool) -> Value:
    current = of(step)
    lock, held, number = lock_of(current, at, "condition"), lock_of(current, lock_at, "normal"), current.running
    was_signalled = number not in lock.waiting
    happened(step, wake, held, synced_with(current, lock_at))
    current = of(step)
    assert current.last is not None
    idle = current.current.idle_wake if was_signalled else current.last.index
    current = current.with_current(phase="", idle_wake=idle, wakes_idly=None)
    current = current.with_lock(
        at, replace(lock, waiting=tuple([waiter for waiter in lock.waiting if waiter != number]))
    )
    held = replace(held, holder=number, depth=1, taken=step.site())
    step.state.remembered[THREADS] = current.with_lock(lock_at, held)
    return ETIMEDOUT if is_timed and not was_signalled else 0


def _signal(step: Step, condition: Value) -> Value:
    return _wake_some(step, condition, 1)


def _broadcast(step: Step, condition: Value) -> Value:
    return _wake_some(step, condition, None)


def _wake_some(step: Step, condition: Value, most: int | None) -> Value:
    at = address(step, condition, "condition variable")
    done, lock = start(step, SIGNAL, at, "condition")
    waiting = lock.waiting
    if most is not None and len(waiting) > most:
        index = step.concretize(_woken(step, len(waiting)), 8, len(waiting), "which thread is woken")
        waiting = (*waiting[:index], *waiting[index + 1 :])
    else:
        waiting = ()
    change(step, done, lock, replace(lock, waiting=waiting), syncs=False)
    return 0


def _woken(step: Step, count: int) -> Value:
    """The number of the waiting thread to wake: one choice per event, although paths fork over it and try again."""
    thread = of(step).current
    key = -1 - thread.events
    if key not in thread.own:
        choice = step.fresh("woken", 8, "nondet")
        step.assume(build.ult(choice, count, 8))
        step.state.remembered[THREADS] = of(step).with_current(own={**thread.own, key: choice})
    return of(step).current.own[key]


# --- semaphores, barriers, once --------------------------------------------------------------------------------------


def _sem_init(step: Step, semaphore: Value, shared: Value, value: Value) -> Value:
    at = address(step, semaphore, "semaphore")
    count = step.concretize(value, 32, LOCKS, "the count of a semaphore")
    current = of(step)
    step.state.remembered[THREADS] = current.with_lock(at, Lock("semaphore", count=count))
    return 0


def _sem_take(step: Step, semaphore: Value, how: str) -> Value | None:
    at = address(step, semaphore, "semaphore")
    done, lock = start(step, how, at, "semaphore")
    if not lock.count:
        change(step, done, lock, lock)
        return None
    change(step, done, lock, replace(lock, count=lock.count - 1))
    return 0


def _sem_post(step: Step, semaphore: Value) -> Value:
    at = address(step, semaphore, "semaphore")
    done, lock = start(step, GIVE, at, "semaphore")
    change(step, done, lock, replace(lock, count=lock.count + 1))
    return 0


def _sem_getvalue(step: Step, semaphore: Value, target: Value) -> Value:
    at = address(step, semaphore, "semaphore")
    done, lock = start(step, TRY, at, "semaphore", writes=False)
    store(step, target, lock.count, 4)
    change(step, done, lock, lock)
    return 0


def _barrier_init(step: Step, barrier: Value, attributes: Value, count: Value) -> Value:
    at = address(step, barrier, "barrier")
    number = step.concretize(count, 32, LOCKS, "the count of a barrier")
    if not number:
        return EINVAL
    step.state.remembered[THREADS] = of(step).with_lock(at, Lock("barrier", count=number))
    return 0


def _barrier_wait(step: Step, barrier: Value) -> Value:
    at = address(step, barrier, "barrier")
    current = of(step)
    if current.current.phase != ARRIVE:
        arrive = operation(step, ARRIVE, at)
        current = begin(step, arrive)
        lock, number = lock_of(current, at, "barrier"), current.running
        waiting = (*lock.waiting, number)
        is_last = len(waiting) >= lock.count
        change(step, arrive, lock, replace(lock, waiting=() if is_last else waiting))
        if is_last:
            return SERIAL_THREAD
        step.state.remembered[THREADS] = of(step).with_current(phase=ARRIVE)
        current = of(step)
    leave, lock = start(step, LEAVE, at, "barrier")
    change(step, leave, lock, lock)
    step.state.remembered[THREADS] = of(step).with_current(phase="")
    return 0


def _once_begin(step: Step, flag: Value) -> Value:
    """Whether the thread is the first, which runs the function; others wait until that has returned."""
    at = address(step, flag, "once flag")
    if not step.has_threads:
        is_first = step.decide(build.eq(load(step, at, 4), 0, 32))
        store(step, at, 1, 4)
        return int(is_first)
    done, lock = start(step, ONCE, at, "once")
    is_first = lock.count == 0
    change(step, done, lock, replace(lock, count=1, holder=of(step).running) if is_first else lock)
    return int(is_first)


def _once_end(step: Step, flag: Value) -> Value:
    if not step.has_threads:
        return 0
    at = address(step, flag, "once flag")
    done, lock = start(step, UNLOCK, at, "once")
    change(step, done, lock, replace(lock, count=DONE, holder=None))
    return 0


# --- C11 --------------------------------------------------------------------------------------------------------------


def _mtx_init(step: Step, mutex: Value, kind: Value) -> Value:
    return _make_mutex(step, address(step, mutex, "mutex"), build.and_(kind, 1, 32))


def as_c11(run: Callable[..., Value | None]) -> Callable[..., Value]:
    """The same with C11's statuses: 0 thrd_success, 1 thrd_busy, 2 thrd_error, 4 thrd_timedout."""

    def converted(step: Step, *arguments: Value) -> Value:
        status = run(step, *arguments)
        assert isinstance(status, int)
        return {0: 0, EBUSY: 1, ETIMEDOUT: 4}.get(status, 2)

    return converted


def yes(step: Step, *_: Value) -> Value:
    """Do nothing, and succeed."""
    return 0


def _sem_try(step: Step, semaphore: Value, error: int) -> Value:
    if _sem_take(step, semaphore, TRY) is None:
        set_errno(step, error)
        return 0xFFFF_FFFF
    return 0


MODELS = {
    "pthread_mutex_init": FunctionModel.of("pp", "i", _mutex_init),
    "pthread_mutex_destroy": FunctionModel.of("p", "i", _mutex_destroy),
    "pthread_mutex_lock": FunctionModel.of("p", "i", _mutex_lock),
    "pthread_mutex_trylock": FunctionModel.of("p", "i", _mutex_trylock),
    "pthread_mutex_timedlock": FunctionModel.of("pp", "i", _mutex_timedlock),
    "pthread_mutex_unlock": FunctionModel.of("p", "i", _mutex_unlock),
    "pthread_rwlock_init": FunctionModel.of("pp", "i", yes),
    "pthread_rwlock_destroy": FunctionModel.of("p", "i", yes),
    "pthread_rwlock_rdlock": FunctionModel.of("p", "i", _share),
    "pthread_rwlock_wrlock": FunctionModel.of("p", "i", _write_lock),
    "pthread_rwlock_tryrdlock": FunctionModel.of("p", "i", lambda step, at: _share(step, at, TRY)),
    "pthread_rwlock_trywrlock": FunctionModel.of("p", "i", lambda step, at: _write_lock(step, at, TRY)),
    "pthread_rwlock_timedrdlock": FunctionModel.of("pp", "i", lambda step, at, until: _share(step, at, TRY, ETIMEDOUT)),
    "pthread_rwlock_timedwrlock": FunctionModel.of(
        "pp", "i", lambda step, at, until: _write_lock(step, at, TRY, ETIMEDOUT)
    ),
    "pthread_rwlock_unlock": FunctionModel.of("p", "i", _rwlock_unlock),
    "pthread_cond_init": FunctionModel.of("pp", "i", yes),
    "pthread_cond_destroy": FunctionModel.of("p", "i", yes),
    "pthread_cond_wait": FunctionModel.of("pp", "i", _cond_wait),
    "pthread_cond_timedwait": FunctionModel.of("ppp", "i", _cond_wait),
    "pthread_cond_signal": FunctionModel.of("p", "i", _signal),
    "pthread_cond_broadcast": FunctionModel.of("p", "i", _broadcast),
    "pthread_barrier_init": FunctionModel.of("ppi", "i", _barrier_init),
    "pthread_barrier_destroy": FunctionModel.of("p", "i", yes),
    "pthread_barrier_wait": FunctionModel.of("p", "i", _barrier_wait),
    "pthread_spin_init": FunctionModel.of(
        "pi", "i", lambda step, at, shared: _make_mutex(step, address(step, at, "lock"), 0)
    ),
    "pthread_spin_destroy": FunctionModel.of("p", "i", _mutex_destroy),
    "pthread_spin_lock": FunctionModel.of("p", "i", _mutex_lock),
    "pthread_spin_trylock": FunctionModel.of("p", "i", _mutex_trylock),
    "pthread_spin_unlock": FunctionModel.of("p", "i", _mutex_unlock),
    "sem_init": FunctionModel.of("pii", "i", _sem_init),
    "sem_destroy": FunctionModel.of("p", "i", yes),
    "sem_wait": FunctionModel.of("p", "i", lambda step, at: _sem_take(step, at, TAKE)),
    "sem_trywait": FunctionModel.of("p", "i", lambda step, at: _sem_try(step, at, EAGAIN)),
    "sem_timedwait": FunctionModel.of("pp", "i", lambda step, at, until: _sem_try(step, at, ETIMEDOUT)),
    "sem_post": FunctionModel.of("p", "i", _sem_post),
    "sem_getvalue": FunctionModel.of("pp", "i", _sem_getvalue),
    "mtx_init": FunctionModel.of("pi", "i", _mtx_init),
    "mtx_destroy": FunctionModel.of("p", "v", _mutex_destroy),
    "mtx_lock": FunctionModel.of("p", "i", as_c11(_mutex_lock)),
    "mtx_trylock": FunctionModel.of("p", "i", as_c11(_mutex_trylock)),
    "mtx_timedlock": FunctionModel.of("pp", "i", as_c11(_mutex_timedlock)),
    "mtx_unlock": FunctionModel.of("p", "i", as_c11(_mutex_unlock)),
    "cnd_init": FunctionModel.of("p", "i", yes),
    "cnd_destroy": FunctionModel.of("p", "v", yes),
    "cnd_wait": FunctionModel.of("pp", "i", as_c11(_cond_wait)),
    "cnd_timedwait": FunctionModel.of("ppp", "i", as_c11(_cond_wait)),
    "cnd_signal": FunctionModel.of("p", "i", as_c11(_signal)),
    "cnd_broadcast": FunctionModel.of("p", "i", as_c11(_broadcast)),
    "unfork_once_begin": FunctionModel.of("p", "i", _once_begin),
    "unfork_once_end": FunctionModel.of("p", "v", _once_end),
}
MODELS |= {f"__{name}_time64": model for name, model in MODELS.items() if "timed" in name}
"""musl's headers rename what takes a time, where a long has 32 bits."""
