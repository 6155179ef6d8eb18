"""Visible operations: what one thread does that another may notice. A thread rests before each until it is its turn.

What is visible: locks and the like, atomic operations, the start and the end of threads, and every access to an object
that another thread may reach. Functions of the C library and models of functions are sections: what they access is one
event with the call. A program that makes no thread has none of this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from typing import NoReturn, TypeGuard, TypeVar

from unfork.engine.memory.leaks import names_in, reachable_from
from unfork.engine.memory.races import NO_CLOCK, check_races, read_from
from unfork.engine.memory.resolve import candidates
from unfork.engine.memory.waiting import at_rest
from unfork.engine.state.memory import FIRST_STATIC, MASK_64, SLOT_BITS, SLOT_MASK, SLOT_MIDDLE
from unfork.engine.state.threads import (
    ACCESS,
    ASK,
    SECTION,
    SPIN,
    THREAD_LOCAL,
    THREADS,
    Access,
    Clock,
    Lock,
    Operation,
    Thread,
    Threads,
    add_event,
    are_several,
    changed,
    is_enabled,
    later,
)
from unfork.engine.step.operands import Registers, Semantics, reader
from unfork.engine.step.statics import Statics
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.program.facts.sections import is_section
from unfork.program.llvm import layout
from unfork.program.llvm.demangle import MANGLED
from unfork.program.llvm.ir import Alloca, AtomicUpdate, CompareExchange, Instruction, Load, Register, Store
from unfork.program.llvm.module import Function, Program
from unfork.program.llvm.uses import pointers_to

DEADLOCK = "deadlock"
"""A check."""
ATOMIC_FUNCTIONS = "__VERIFIER_atomic_"
"""Functions of a program whose names begin so run without interruption."""
Result = TypeVar("Result")
MemoryAccess = Load | Store | AtomicUpdate | CompareExchange
MAIN = Thread(0, None, (0,), (0,))
WHOLE = (0, MASK_64)
PRIVATE_KINDS = ("heap", "stack", THREAD_LOCAL)
"""Of objects that only one thread knows until their address is stored where others may read it."""


WEAK = "atomic operations that acquire or release are taken as sequentially consistent: weaker behaviours are left out"
RELAXED = (
    "RELAXED atomic operations are taken as sequentially consistent: what hardware and compilers make of them is LEFT"
    " OUT, and so are data races that they fail to prevent"
)
TAKEN_AS = {
    **dict.fromkeys(("acquire", "release", "acq_rel"), WEAK),
    **dict.fromkeys(("unordered", "monotonic"), RELAXED),
}
"""What is assumed of atomic operations, by their ordering."""


class Rest(Exception):
    """The running thread rests. ``again``: before the instruction, which runs again when it is the thread's turn."""

    def __init__(self, *, again: bool) -> None:
        super().__init__()
        self.again = again


def of(step: Step) -> Threads:
    """The threads of the path, which are kept from now on."""
    threads = step.state.remembered[THREADS]
    if threads is None:
        threads = Threads((MAIN,))
        step.state.remembered[THREADS] = threads
    return threads


def begin(step: Step, operation: Operation) -> Threads:
    """It is about to happen. Raises Rest unless it is this thread's turn for it, or there is no other thread."""
    threads = of(step)
    if threads.is_pending:
        if step.has_threads and are_several(threads):
            rest_before(step, _section(step, threads, operation))
        threads = step.state.remembered[THREADS] = changed(threads, is_pending=False)
    must_happen = threads.depth > 0 or not step.has_threads
    if threads.is_granted and not must_happen:
        return threads
    if must_happen or not are_several(threads):
        if is_enabled(threads, changed(threads.current, operation=operation, has_ended=False)):
            return threads
        if must_happen:
            where = "within what is atomic" if threads.depth else "for another thread, which is for ever,"
            step.unsupported(f"a wait ({operation.kind}) {where}")
    rest_before(step, operation)


def _section(step: Step, threads: Threads, first: Operation) -> Operation:
    """What a section is before its first access: anything, but a question of the C++ library is about that alone."""
    phase = threads.current.phase
    if phase not in (ASK, SPIN):
        return Operation(SECTION, position=first.position)
    step.state.remembered[THREADS] = threads.with_current(phase="")
    accesses = tuple([replace(each, writes=True) for each in first.accesses])
    event = threads.last
    while event is not None and event.thread != threads.running:
        event = event.previous
    asked = -1 if event is None else event.number
    awaits = [(each, asked) for each in first.accesses if phase == SPIN]
    return replace(first, kind=phase, accesses=accesses, awaits=tuple(awaits))


def rest_before(step: Step, operation: Operation) -> NoReturn:
    """Let the thread rest before an operation."""
    operation = at_rest(step, operation)
    threads = step.state.remembered[THREADS]
    assert threads is not None
    if threads.stands:  # it has rested here before, and nobody has chosen who goes on
        step.unsupported("a program with threads, in which nobody schedules,")
    rested = threads.with_current(operation=operation, section=threads.depth)
    step.state.remembered[THREADS] = changed(rested, stands=True, is_granted=False, depth=0, is_pending=False)
    raise Rest(again=True)


def happened(step: Step, operation: Operation, before: Lock | None = None, synced: Clock = NO_CLOCK) -> None:
    """It has happened, and synchronized with what ``synced`` knows; in a section, as part of that."""
    threads = of(step)
    if not step.has_threads:
        return
    if threads.depth:
        after = changed(threads, open=(*threads.open, *operation.accesses))
        if synced:
            after = after.with_current(synced=later(after.current.synced, synced))
    else:
        after = add_event(threads, operation, before, synced)
    step.state.remembered[THREADS] = after


# --- sections --------------------------------------------------------------------------------------------------------


def enter_section(step: Step, *, at_once: bool = False) -> None:
    """What the thread does from here on is one event, until the section is left. In C++, whose library is called all
    the time, it begins with the first thing that another thread may notice, unless that is to be ``at_once``.
    """
    threads = step.state.remembered[THREADS]
    if threads is None:
        return
    if at_once or not has_private_objects(step):
        threads = begin(step, Operation(SECTION, position=step.site()))
    elif not threads.depth:
        threads = changed(threads, is_pending=True)
    step.state.remembered[THREADS] = changed(threads, depth=threads.depth + 1)


def enter_call(step: Step, callee: Function) -> None:
    """Enter the section that a call is."""
    if callee.name.startswith(ATOMIC_FUNCTIONS):
        enter_exclusive(step)
    else:
        enter_section(step)


def enter_exclusive(step: Step) -> None:
    """A section of which the program says that it is atomic: what it accesses races with no other such one."""
    enter_section(step, at_once=True)
    threads = step.state.remembered[THREADS]
    if threads is not None and threads.depth == 1:
        step.state.remembered[THREADS] = changed(threads, is_exclusive=True)


def leave_section(step: Step) -> None:
    """The end of a section."""
    threads = step.state.remembered[THREADS]
    if threads is None or not threads.depth:
        return
    was_pending = threads.is_pending
    threads = changed(threads, depth=threads.depth - 1, is_pending=was_pending and threads.depth > 1)
    step.state.remembered[THREADS] = threads
    if not threads.depth and not was_pending:
        step.state.remembered[THREADS] = changed(threads, is_exclusive=False)
        if threads.open or threads.is_granted:  # else its last part was an event
            part_section(step)


def part_section(step: Step) -> None:
    """What the section has done since its last part is an event."""
    threads = of(step)
    operation = Operation(ACCESS, threads.open, position=step.site())
    step.state.remembered[THREADS] = add_event(changed(threads, open=()), operation, None, NO_CLOCK)


def happened_apart(step: Step, operation: Operation, before: Lock | None, synced: Clock) -> None:
    """It has happened, as an event of its own though in a section: what comes before and after it there are others."""
    if of(step).open:
        part_section(step)
    step.state.remembered[THREADS] = add_event(of(step), operation, before, synced)


# --- memory ----------------------------------------------------------------------------------------------------------


def visible_memory(instruction: MemoryAccess, run: Semantics, statics: Statics, function: Function) -> Semantics:
    """The semantics of an access to memory, which other threads may notice. What is volatile in a library is meant to
    be atomic.
    """
    pointer_of = reader(instruction.pointer, statics)
    kind = instruction.expected.type if isinstance(instruction, CompareExchange) else instruction.type
    size, writes = layout.store_size(kind), not isinstance(instruction, Load)
    is_update = isinstance(instruction, AtomicUpdate | CompareExchange)
    is_volatile = isinstance(instruction, Load | Store) and instruction.volatile
    is_atomic = bool(instruction.ordering) or (is_volatile and function.name in statics.program.library)

    def access(step: Step, registers: Registers) -> None:
        threads = step.state.remembered[THREADS]
        if threads is None:
            run(step, registers)
            return
        found = accesses_of(step, pointer_of(step, registers), size, writes=writes, is_atomic=is_atomic)
        accesses = [replace(each, is_update=True) for each in found] if is_update else found
        threads = of(step)
        if not accesses:
            run(step, registers)
            return
        operation = Operation(ACCESS, tuple(accesses), position=step.site())
        if not writes and not threads.depth and not threads.is_granted:
            rest_before(step, operation)
        threads = begin(step, operation)
        before = _contents_of(step, accesses)
        run(step, registers)  # before looking for races: an access to what was freed is that
        accesses = _with_silent(step, accesses, before)
        ordering = instruction.ordering
        if isinstance(instruction, CompareExchange) and has_failed(instruction, registers):
            accesses = [replace(each, writes=False, is_update=False, is_silent=False) for each in accesses]
            ordering = instruction.failure
        if (taken := TAKEN_AS.get(ordering)) is not None and not threads.depth:
            step.state.lazy = step.state.lazy.assuming(taken)
        _end_event(step, threads, operation, accesses)

    return access


def has_failed(instruction: CompareExchange, registers: Registers) -> bool:
    """Whether a compare-exchange that has just run found another value, so that it only loaded."""
    outcome = registers[instruction.result]
    return isinstance(outcome, tuple) and outcome[1] == 0


def as_one_event(step: Step, accesses: list[Access], run: Callable[[], Result]) -> Result:
    """Do what accesses memory so, when it is the thread's turn."""
    if not accesses:
        return run()
    operation = Operation(ACCESS, tuple(accesses), position=step.site())
    threads = begin(step, operation)
    result = run()
    _end_event(step, threads, operation, accesses)
    return result


def _end_event(step: Step, threads: Threads, operation: Operation, accesses: list[Access]) -> None:
    """An operation that began with these threads has made these accesses, each of which may be in a race."""
    if threads.is_exclusive:
        accesses = [replace(each, is_atomic=True) for each in accesses]
    check_races(step, accesses)
    if has_private_objects(step):
        publish(step, [each.key for each in accesses if each.writes and isinstance(each.key, int)])
    is_read = any(each.is_atomic and not each.writes for each in accesses) or any(each.is_update for each in accesses)
    happened(
        step,
        replace(operation, accesses=tuple(accesses)),
        None,
        read_from(of(step), accesses) if is_read else NO_CLOCK,
    )


def accesses_of(step: Step, pointer: Value, size: Value, *, writes: bool, is_atomic: bool) -> list[Access]:
    """The bytes of shared objects that an access to ``size`` bytes at ``pointer`` may touch."""
    site = step.site()
    if isinstance(pointer, int) and pointer >> SLOT_BITS >= FIRST_STATIC:
        low = (pointer & SLOT_MASK) - SLOT_MIDDLE
        high = build.add(low, size, 64) if isinstance(size, Term) else low + size
        number = pointer >> SLOT_BITS
        return [Access(number, low, high, writes, is_atomic, site)] if is_shared(step, number) else []
    found = candidates(step, pointer)
    if found is None:
        step.unsupported("a pointer of which nothing is known, in a program with threads")
    return [
        Access(each.number, each.offset, build.add(each.offset, size, 64), writes, is_atomic, site, guard=each.guard)
        for each in found
        if is_shared(step, each.number)
    ]


def has_private_objects(step: Step) -> bool:
    """Whether the path follows which objects several threads may know. That pays in C++, where most locals have an
    address that leaves their function, as ``this``.
    """
    return bool(step.program.of_headers)


def publish(step: Step, numbers: Iterable[int]) -> None:
    """Other threads may know these objects, and from now on all that they lead to."""
    threads = of(step)
    found = reachable_from(step.state, numbers) - threads.published
    if found:
        step.state.remembered[THREADS] = changed(threads, published=threads.published | found)


def publish_to_thread(step: Step, argument: Value) -> None:
    """A new thread may know all that globals and its argument lead to."""
    if has_private_objects(step):
        known = [number for number, item in step.state.memory.objects.items() if item.kind not in PRIVATE_KINDS]
        publish(step, [*known, *names_in(argument)])


def is_shared(step: Step, number: object) -> bool:
    """Whether another thread may reach an object: constants nobody writes, and other objects may be known to all. Of a
    thread's own constants it matters when they end.
    """
    item = step.state.memory.objects.get(number) if isinstance(number, int) else None
    if item is None or (item.read_only and item.kind != THREAD_LOCAL):
        return item is None
    if item.kind not in PRIVATE_KINDS or not has_private_objects(step):
        return not is_of_cpp_library(step, number)
    threads = of(step)
    if number in threads.published:
        return True
    assert isinstance(number, int)
    owner = threads.owners.get(number)
    if owner is None:
        step.state.remembered[THREADS] = changed(threads, owners={**threads.owners, number: threads.running})
    elif owner != threads.running:
        step.unsupported("an object of another thread, to which no pointer leads that was stored as such,")
    return False


def is_of_cpp_library(step: Step, number: object) -> bool:
    """Whether an object is the C++ library's own: that makes it in sections, and in an order that nobody can tell."""
    return _name_in_library(step, number).startswith(MANGLED)


def _name_in_library(step: Step, number: object) -> str:
    """The name of a variable of a library; "" for other objects."""
    item = step.state.memory.objects.get(number) if isinstance(number, int) else None
    if item is None or item.kind not in ("global", THREAD_LOCAL):
        return ""
    return item.name if item.name in step.program.library else ""


def _contents_of(step: Step, accesses: Iterable[Access]) -> list[bytes | None]:
    """The bytes that atomic instructions are about to update; None where they cannot be told."""
    return [_contents(step, each) if each.is_update else None for each in accesses]


def _with_silent(step: Step, accesses: Iterable[Access], before: Iterable[bytes | None]) -> list[Access]:
    """The accesses, of which those are silent that have written what was there ``before``."""
    return [
        replace(each, is_silent=True) if old is not None and old == _contents(step, each) else each
        for each, old in zip(accesses, before, strict=True)
    ]


def _contents(step: Step, access: Access) -> bytes | None:
    item = step.state.memory.objects.get(access.key) if isinstance(access.key, int) else None
    low, high = access.low, access.high
    if item is None or not isinstance(low, int) or not isinstance(high, int) or not item.is_concrete(low, high - low):
        return None
    return bytes(item.data[low:high])


# --- what a program makes of them -------------------------------------------------------------------------------------


def crosses(program: Program, caller: Function, callee: Function) -> bool:
    """Whether a call is a section: one of a library by the program, or one of what verifiers call atomic."""
    if callee.name.startswith(ATOMIC_FUNCTIONS):
        return True
    return is_section(program, callee.name) and not is_section(program, caller.name)


def is_visible(instruction: Instruction, function: Function) -> TypeGuard[MemoryAccess]:
    """Whether other threads may notice an access: it leads to more than a local whose address stays in its function."""
    if not isinstance(instruction, Load | Store | AtomicUpdate | CompareExchange):
        return False
    pointer = instruction.pointer
    return not (isinstance(pointer, Register) and pointer.index in _private_pointers(function))


@cache
def visible_blocks(function: Function) -> frozenset[int]:
    """The blocks with accesses that other threads may notice."""
    bodies = enumerate([block.body for block in function.blocks])
    return frozenset([number for number, body in bodies if any(is_visible(each, function) for each in body)])


@cache
def _private_pointers(function: Function) -> frozenset[int]:
    """The registers that hold pointers into locals whose address does not leave the function."""
    allocas = [each for each in function.instructions() if isinstance(each, Alloca)]
    return pointers_to(function, [alloca for alloca in allocas if not alloca.captured])
