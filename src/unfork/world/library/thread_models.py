"""Models of threads of POSIX and C11: their begin and end, and thread-specific data."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from unfork.engine.instructions.thread_ends import FREE, end_thread
from unfork.engine.memory.loads import load, pointer_size, store, store_pointer
from unfork.engine.memory.visible_operations import (
    accesses_of,
    begin,
    enter_exclusive,
    enter_section,
    happened,
    is_of_cpp_library,
    leave_section,
    of,
    publish_to_thread,
    yield_before,
)
from unfork.engine.state.memory import object_of
from unfork.engine.state.state import Frame
from unfork.engine.state.threads import (
    ASK,
    BEGIN,
    CREATE,
    JOIN,
    ONCE,
    SPIN,
    THREADS,
    UNLOCK,
    Operation,
    Thread,
    Threads,
    are_several,
    changed,
    end_of,
)
from unfork.engine.step.handlers import Handler
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.program.llvm.module import Function
from unfork.world.library.locks import DONE, LOCKS, MISUSE, address, as_c11, change, lock_of, operation, start, yes
from unfork.world.library.model import FunctionModel

FIRST_ID = 1000
SEVERAL = "unfork_has_threads"
"""The C library's variable that says it must take its locks."""
ESRCH, EDEADLK = 3, 35
DETACHED = 3
"""The detached flag's position in musl's pthread_attr_t, whose first members are as wide as a pointer."""
CLEANUP = "_pthread_cleanup_push"
REFUSED = (
    *("pthread_cancel", "pthread_kill", "pthread_mutex_consistent", "pthread_mutexattr_setrobust"),
    *("pthread_tryjoin_np", "pthread_timedjoin_np", "__pthread_timedjoin_np_time64"),
    *("pthread_setname_np", "pthread_getname_np", "pthread_getattr_np"),
    *("pthread_getcpuclockid", "pthread_getschedparam", "pthread_setschedparam", "pthread_setschedprio"),
    *("pthread_setaffinity_np", "pthread_getaffinity_np", "sem_open", "sem_close", "sem_unlink"),
)
"""Functions without a model that the C library cannot do without a real thread."""


def _function(step: Step, pointer: Value) -> Function:
    where = step.concretize(pointer, 64, LOCKS, "the address of a function")
    name = step.statics.function_at(where)
    if name is None or name not in step.program.defined:
        step.fail("invalid-call", "what a thread is to run is no function of the program")
    return step.program.function(name)


# --- threads ---------------------------------------------------------------------------------------------------------


def _create(step: Step, target: Value, attributes: Value, function: Value, argument: Value) -> Value:
    started = _function(step, function)
    done = Operation(CREATE, position=step.site())
    current = begin(step, done)
    number = len(current.all)
    if number > step.limits.max_threads:
        step.limit(0, "bound", "max-threads")
    is_detached = step.decide(build.ne(attributes, 0, 64)) and step.decide(
        build.ne(load(step, build.add(attributes, DETACHED * pointer_size(step), 64), 4), 0, 32)
    )
    store(step, target, FIRST_ID + number, pointer_size(step))
    _tell_library(step)
    happened(step, done)
    publish_to_thread(step, argument)
    current = of(step)
    frame = Frame.begin(started, number, 0, None)
    frame.registers[: len(started.type.parameters)] = [argument][: len(started.type.parameters)]
    parent = current.current
    thread = Thread(number, (frame,), parent.clock, parent.synced, Operation(BEGIN), is_detached=is_detached)
    step.state.remembered[THREADS] = changed(current, all=(*current.all, thread))
    return 0


def _tell_library(step: Step) -> None:
    if not step.statics.has(SEVERAL):
        return
    number = object_of(step.statics.address(SEVERAL))
    if not step.state.memory.objects[number].read_only:
        item = step.state.memory.writable(number)
        item.write(0, 4, 1)
        item.read_only, item.owner = True, None


def _thrd_create(step: Step, target: Value, function: Value, argument: Value) -> Value:
    return _create(step, target, 0, function, argument)


def _thread(step: Step, current: Threads, handle: Value) -> int | None:
    number = step.concretize(handle, 64, LOCKS, "a thread") - FIRST_ID
    return number if 0 <= number < len(current.all) else None


def _join(step: Step, handle: Value, target: Value) -> Value:
    current = of(step)
    number = _thread(step, current, handle)
    if number is None:
        return ESRCH
    thread = current.all[number]
    if number == current.running:
        return EDEADLK
    if thread.is_detached or thread.is_joined:
        step.fail(
            MISUSE, f"thread {number} is joined, which was {'detached' if thread.is_detached else 'joined'} before"
        )
    done = Operation(JOIN, (end_of(number),), thread=number, position=step.site())
    current = begin(step, done)
    thread = current.all[number]
    if step.decide(build.ne(target, 0, 64)):
        store_pointer(step, target, thread.result)
    happened(step, done, None, thread.synced)
    current = of(step)
    step.state.remembered[THREADS] = current.with_thread(changed(current.all[number], is_joined=True))
    return 0


def _thrd_join(step: Step, handle: Value, target: Value) -> Value:
    current = of(step)
    number = _thread(step, current, handle)
    status = _join(step, handle, 0)
    if status == 0 and number is not None and step.decide(build.ne(target, 0, 64)):
        store(step, target, build.extract(of(step).all[number].result, 0, 32), 4)
    return status


def _detach(step: Step, handle: Value) -> Value:
    current = of(step)
    number = _thread(step, current, handle)
    if number is None:
        return ESRCH
    step.state.remembered[THREADS] = current.with_thread(changed(current.all[number], is_detached=True))
    return 0


def _exit(step: Step, result: Value) -> None:
    if CLEANUP in step.program.defined:
        step.unsupported("pthread_exit in a program with pthread_cleanup_push")
    end_thread(step, result)


def _self(step: Step) -> Value:
    current = step.state.remembered[THREADS]
    return FIRST_ID + (0 if current is None else current.running)


# --- static variables of functions in C++ ---------------------------------------------------------------------------


def _guard_acquire(step: Step, guard: Value) -> Value:
    """Whether the thread must initialise a static variable of a function; others wait until it has."""
    at = address(step, guard, "guard")
    if is_of_cpp_library(step, object_of(at)):
        return build.eq(load(step, at, 1), 0, 8)
    done, lock = start(step, ONCE, at, "once")
    is_first = lock.count == 0
    change(step, done, lock, replace(lock, count=1, holder=of(step).running) if is_first else lock)
    return int(is_first)


def _guard_left(count: int, step: Step, guard: Value) -> None:
    """It is initialised (DONE), or an exception left the initialiser (0). The program reads the first byte itself."""
    at = address(step, guard, "guard")
    if is_of_cpp_library(step, object_of(at)):
        store(step, at, int(count == DONE), 1)
        return
    done, is_done = operation(step, UNLOCK, at), int(count == DONE)
    done = replace(done, accesses=(*done.accesses, *accesses_of(step, at, 1, writes=True, is_atomic=True)))
    lock = lock_of(begin(step, done), at, "once")
    store(step, at, is_done, 1)
    change(step, done, lock, replace(lock, count=count, holder=None))


# --- waits of C++ ----------------------------------------------------------------------------------------------------


def _ask(step: Step) -> None:
    """Begin a check whether a wait is over. It is one event; after a no, the thread waits for a write by another."""
    enter_section(step)
    threads = step.state.remembered[THREADS]
    if threads is not None and threads.current.phase != SPIN:
        step.state.remembered[THREADS] = threads.with_current(phase=ASK)


def _asked(step: Step, is_over: Value) -> None:
    """End the check. If it read nothing shared, its answer cannot change."""
    ends = step.decide(build.ne(is_over, 0, 32))
    leave_section(step)
    threads = of(step)
    if not ends and (threads.depth or not step.has_threads):
        step.unsupported("a wait for another thread within what is atomic, or without another thread,")
    if not ends and (threads.current.phase == SPIN or not are_several(threads)):
        yield_before(step, Operation(SPIN, position=step.site()))
    step.state.remembered[THREADS] = threads.with_current(phase="" if ends else SPIN)


# --- keys -------------------------------------------------------------------------------------------------------------


def _key_create(step: Step, target: Value, destructor: Value) -> Value:
    name = _destructor(step, destructor) if step.decide(build.ne(destructor, 0, 64)) else ""
    current = of(step)
    store(step, target, len(current.keys), 4)
    step.state.remembered[THREADS] = changed(current, keys=(*current.keys, name))
    return 0


def _destructor(step: Step, pointer: Value) -> str:
    where = step.concretize(pointer, 64, LOCKS, "the address of a destructor")
    name = step.statics.function_at(where)
    if name is not None and name != FREE and name not in step.program.defined:
        step.unsupported(f"the library function {name} as a key's destructor")
    return FREE if name == FREE else _function(step, where).name


def _key_delete(step: Step, key: Value) -> Value:
    """The key's values stay with the program: no destructor runs for them any more."""
    number = step.concretize(key, 32, LOCKS, "a key")
    current = of(step)
    step.state.remembered[THREADS] = changed(
        current, keys=tuple(["" if each == number else name for each, name in enumerate(current.keys)])
    )
    return 0


def _get_own(step: Step, key: Value) -> Value:
    number = step.concretize(key, 32, LOCKS, "a key")
    return of(step).current.own.get(number, 0)


def _set_own(step: Step, key: Value, value: Value) -> Value:
    number = step.concretize(key, 32, LOCKS, "a key")
    current = of(step)
    step.state.remembered[THREADS] = current.with_current(own={**current.current.own, number: value})
    return 0


def _no(name: str) -> Handler:
    return lambda step, arguments, call: step.unsupported(name)


MODELS = {
    "__cxa_guard_acquire": FunctionModel.of("p", "i", _guard_acquire),
    "__cxa_guard_release": FunctionModel.of("p", "v", partial(_guard_left, DONE)),
    "__cxa_guard_abort": FunctionModel.of("p", "v", partial(_guard_left, 0)),
    "unfork_ask": FunctionModel.of("", "v", _ask),
    "unfork_asked": FunctionModel.of("i", "v", _asked),
    "pthread_create": FunctionModel.of("pppp", "i", _create),
    "pthread_join": FunctionModel.of("lp", "i", _join),
    "pthread_detach": FunctionModel.of("l", "i", _detach),
    "pthread_exit": FunctionModel.of("p", "v", _exit),
    "pthread_self": FunctionModel.of("", "l", _self),
    "pthread_equal": FunctionModel.of("ll", "i", lambda step, a, b: build.zext(build.eq(a, b, 64), 1, 32)),
    "sched_yield": FunctionModel.of("", "i", yes),
    "pthread_key_create": FunctionModel.of("pp", "i", _key_create),
    "pthread_key_delete": FunctionModel.of("i", "i", _key_delete),
    "pthread_getspecific": FunctionModel.of("i", "p", _get_own),
    "pthread_setspecific": FunctionModel.of("ip", "i", _set_own),
    "thrd_create": FunctionModel.of("ppp", "i", as_c11(_thrd_create)),
    "thrd_join": FunctionModel.of("lp", "i", as_c11(_thrd_join)),
    "thrd_detach": FunctionModel.of("l", "i", as_c11(_detach)),
    "thrd_exit": FunctionModel.of("i", "v", lambda step, result: _exit(step, build.sext(result, 32, 64))),
    "thrd_current": FunctionModel.of("", "l", _self),
    "thrd_equal": FunctionModel.of("ll", "i", lambda step, a, b: build.zext(build.eq(a, b, 64), 1, 32)),
    "thrd_yield": FunctionModel.of("", "v", yes),
    "tss_create": FunctionModel.of("pp", "i", as_c11(_key_create)),
    "tss_delete": FunctionModel.of("i", "v", _key_delete),
    "tss_get": FunctionModel.of("i", "p", _get_own),
    "tss_set": FunctionModel.of("ip", "i", as_c11(_set_own)),
    "__VERIFIER_atomic_begin": FunctionModel.of("", "v", enter_exclusive),
    "__VERIFIER_atomic_end": FunctionModel.of("", "v", leave_section),
    **{name: FunctionModel("*", "i", _no(name)) for name in REFUSED},
}
