"""How threads end: their own objects are destroyed; the program ends with the first thread's function."""

from __future__ import annotations

from functools import partial, reduce
from typing import NoReturn

from unfork.engine.memory.heap import release
from unfork.engine.memory.leaks import names_in
from unfork.engine.memory.own_copies import ends_of_copies, free_copies, take_destructor
from unfork.engine.memory.visible_models import touches_of, visibly
from unfork.engine.memory.visible_operations import (
    DEADLOCK,
    ThreadYield,
    begin,
    happened,
    has_private_objects,
    of,
    publish,
)
from unfork.engine.state.memory import object_of
from unfork.engine.state.state import OWN_HANDLERS, Frame, RegisterValue, State
from unfork.engine.state.threads import BEGIN, END, EXIT, STREAM, THREADS, Operation, changed, end_of, later
from unfork.engine.step.step import ProgramExit, Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.program.llvm.module import Function
from unfork.program.llvm.types import IntType

ROUNDS = 4
"""PTHREAD_DESTRUCTOR_ITERATIONS: the most rounds of destructors, which may set values again."""
VARIABLES = (0, 0)
"""The ending of a thread before its first key."""
FREE = "free"
"""The one destructor that is no program function."""


def end_program(step: Step) -> None:
    """End all threads with the program."""
    threads = step.state.remembered[THREADS]
    if threads is None or len(threads.alive()) < 1:
        return
    if threads.depth:
        threads = changed(threads, depth=0, is_pending=False)
        step.state.remembered[THREADS] = threads
    end = Operation(END, position=step.site())
    begin(step, end)
    _write_out(step)
    happened(step, end)
    ended = [changed(each, has_ended=True) for each in of(step).all]
    if threads.running:
        step.state.remembered[OWN_HANDLERS] = of(step).current.destructors
    step.state.remembered[THREADS] = changed(of(step), all=tuple(ended), is_granted=True, depth=1)


def _write_out(step: Step) -> None:
    """The program writes out its streams at its end: a deadlock if a thread ended with one locked."""
    threads, objects = of(step), step.state.memory.objects
    for at, lock in threads.locks.items():
        if (
            lock.kind != STREAM
            or lock.holder is None
            or object_of(at) not in objects
            or DEADLOCK not in step.limits.checks
        ):
            continue
        if threads.all[lock.holder].has_ended:
            step.fail(
                DEADLOCK, f"the end of the program waits for a stream that thread {lock.holder} held when it ended"
            )


def end_first_function(step: Step, value: RegisterValue) -> None:
    """The first function of a thread returns ``value``: end the thread, or with the first thread the program."""
    threads = step.state.remembered[THREADS]
    if threads is None or all(each.has_ended for each in threads.all):
        return
    if threads.current.ending is not None:
        end_thread(step, threads.current.result)
    if threads.running == 0:
        end_program(step)
        return
    kind = step.state.frames[0].function.type.result
    result = 0 if value is None or not isinstance(value, int | Term) else value
    width = 64 if not isinstance(kind, IntType) else kind.width
    end_thread(step, build.sext(result, width, 64) if width < 64 else result)


def end_thread(step: Step, result: Value) -> NoReturn:
    """End the running thread with ``result``. Raises ThreadYield, or ProgramExit if it is the last one."""
    _destroy_own(step, result)
    end = Operation(EXIT, (end_of(of(step).running), *ends_of_copies(step)), position=step.site())
    begin(step, end)
    if has_private_objects(step):
        publish(step, names_in(result))
    happened(step, end)
    free_copies(step)
    threads = of(step).with_current(has_ended=True, result=result)
    if not threads.alive():  # the last thread runs the exit handlers, after all others
        threads = threads.with_current(synced=reduce(later, [each.synced for each in threads.all]))
        step.state.remembered[THREADS] = changed(threads, is_granted=True, depth=1)
        raise ProgramExit(0)
    _drop_frames(step.state)
    step.state.remembered[THREADS] = changed(threads, stands=True)
    raise ThreadYield(again=False)


def _destroy_own(step: Step, result: Value) -> None:
    """Call the destructors of the thread's variables, newest first, then of its keys, oldest first.

    Raises ThreadYield before a program function, which replaces the thread's first one.
    """
    first_round, first = of(step).current.ending or VARIABLES
    if (first_round, first) == VARIABLES and (newest := take_destructor(step)) is not None:
        step.state.remembered[THREADS] = of(step).with_current(ending=VARIABLES, result=result)
        _enter(step, step.program.function(newest[0]), newest[1])
    for number in range(first_round, ROUNDS):
        for key in range(first, len(of(step).keys)):
            threads = of(step)
            destructor, value = threads.keys[key], threads.current.own.get(key, 0)
            if not destructor or not step.decide(build.ne(value, 0, 64)):
                continue
            if destructor == FREE:
                visibly(step, touches_of(FREE), (value,), partial(release, step, value))
            own = {**of(step).current.own, key: 0}
            threads = of(step).with_current(own=own, ending=(number, key + 1), result=result)
            step.state.remembered[THREADS] = threads
            if destructor != FREE:
                _enter(step, step.program.function(destructor), value)
        first = 0


def _enter(step: Step, function: Function, value: RegisterValue) -> NoReturn:
    """Run a function in place of the thread's first one, unnoticed by other threads. Raises ThreadYield."""
    _drop_frames(step.state)
    threads = of(step)
    frame = Frame.begin(function, threads.running, 0, step.state.token)
    frame.registers[: len(function.type.parameters)] = [value][: len(function.type.parameters)]
    step.state.frames.append(frame)
    step.state.remembered[THREADS] = changed(threads.with_current(operation=Operation(BEGIN)), stands=True)
    raise ThreadYield(again=False)


def _drop_frames(state: State) -> None:
    while state.frames:
        for number in state.frames.pop().locals:
            state.memory.objects.drop(number)
