"""Models of the C library's own locks: of streams, the list of open files, exit handlers and the like.

A library call is one event, so only a lock that the program holds (flockfile) makes another thread wait. The locks
give order: everything that the library does under a lock comes after earlier uses of the lock. So data race
detection covers the library's memory too.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NoReturn

from unfork.engine.memory.visible_operations import begin, happened_apart, of, part_section, yield_before
from unfork.engine.state.memory import object_of
from unfork.engine.state.threads import ENTER, LOCK, STREAM, THREADS, TRY, UNLOCK, Lock, Operation
from unfork.engine.step.step import Step
from unfork.logic.terms.term import Value
from unfork.world.library.locks import MISUSE, address, change, lock_of, operation, synced_with
from unfork.world.library.model import FunctionModel

BUSY = 0xFFFF_FFFF


def _address(step: Step, pointer: Value) -> int | None:
    """The address of a lock; None if it has no meaning: no thread knows the stream that sprintf makes on its stack."""
    if not step.has_threads:
        return None
    at = address(step, pointer, "lock of the C library")
    return None if step.state.memory.objects[object_of(at)].kind == "stack" else at


def _lock(step: Step, pointer: Value) -> None:
    at = _address(step, pointer)
    if at is None:
        return
    done, current = operation(step, LOCK, at), of(step)
    lock = lock_of(current, at, STREAM)
    if current.current.has_ended:  # the program ends: streams are flushed, whatever thread holds them
        change(step, done, lock, lock)
        return
    if lock.holder not in (None, current.running):
        _wait(step, replace(done, kind=ENTER))
    begin(step, done)
    _change(step, done, lock, _taken(step, lock))


def _wait(step: Step, operation: Operation) -> NoReturn:
    current = of(step)
    if current.is_exclusive:
        step.unsupported("a wait for a stream that is locked within what is atomic")
    if current.open:
        part_section(step)
    yield_before(step, operation)


def _change(step: Step, done: Operation, before: Lock, after: Lock | None) -> None:
    """Record an operation on a lock, in a section as a separate event."""
    happened_apart(step, done, before, synced_with(of(step), done.lock))
    step.state.remembered[THREADS] = of(step).with_lock(done.lock, after)


def _taken(step: Step, lock: Lock) -> Lock:
    return replace(lock, holder=of(step).running, depth=lock.depth + 1, taken=step.site())


def _trylock(step: Step, pointer: Value) -> Value:
    """BUSY if another thread holds it; else take it and return 0."""
    at = _address(step, pointer)
    if at is None:
        return 0
    done = operation(step, TRY, at)
    current = begin(step, done)
    lock = lock_of(current, at, STREAM)
    is_busy = lock.holder not in (None, current.running)
    _change(step, done, lock, lock if is_busy else _taken(step, lock))
    return BUSY if is_busy else 0


def _unlock(step: Step, pointer: Value) -> None:
    """The rest of the section is another event, since threads that take the lock do not know it."""
    at = _address(step, pointer)
    if at is None:
        return
    done = operation(step, UNLOCK, at)
    current = begin(step, done)
    if current.current.has_ended:
        return
    lock = lock_of(current, at, STREAM)
    if lock.holder != current.running:
        step.fail(MISUSE, f"thread {current.running} unlocks a stream that it does not hold")
    _change(step, done, lock, replace(lock, depth=lock.depth - 1) if lock.depth > 1 else None)


MODELS = {
    "unfork_library_lock": FunctionModel.of("p", "v", _lock),
    "unfork_library_trylock": FunctionModel.of("p", "i", _trylock),
    "unfork_library_unlock": FunctionModel.of("p", "v", _unlock),
}
