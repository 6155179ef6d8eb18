"""Visible operations, which another thread may notice: a thread yields before each until it is its turn.

They are locks and the like, atomic operations, the start and end of threads, and accesses to objects that another
thread may reach. A C library function or model is a section: one event with all its accesses. A program with one thread
has none of this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from typing import NoReturn, TypeGuard, TypeVar

from unfork.engine.memory.leaks import names_in, reachable_from
from unfork.engine.memory.races import NO_CLOCK, check_races, read_from
from unfork.engine.memory.resolve import candidates
from unfork.engine.memory.waiting import awaiting
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
ATOMIC_FUNCTIONS = "__VERIFIER_atomic_"
"""Program functions with this prefix run without interruption."""
Result = TypeVar("Result")
MemoryAccess = Load | Store | AtomicUpdate | CompareExchange
MAIN = Thread(0, None, (0,), (0,))
WHOLE = (0, MASK_64)
PRIVATE_KINDS = ("heap", "stack", THREAD_LOCAL)
"""Kinds of objects that one thread alone knows until their address is stored where others may read it."""


WEAK = "atomic operations that acquire or release are taken as sequentially consistent: weaker behaviours are left out"
RELAXED = (
    "RELAXED atomic operations are taken as sequentially consistent: what hardware and compilers make of them is LEFT"
    " OUT, and so are data races that they fail to prevent"
)
ASSUMED_OF_ORDERINGS = {
    **dict.fromkeys(("acquire", "release", "acq_rel"), WEAK),
    **dict.fromkeys(("unordered", "monotonic"), RELAXED),
}
"""The assumption about an atomic operation, by its ordering."""


class ThreadYield(Exception):
    """The running thread yields. ``again``: before the instruction, which runs again at the thread's turn."""

    def __init__(self, *, again: bool) -> None:
        super().__init__()
        self.again = again


def of(step: Step) -> Threads:
    """The threads of the path, which it remembers from now on."""
    threads = step.state.remembered[THREADS]
    if threads is None:
        threads = Threads((MAIN,))
        step.state.remembered[THREADS] = threads
    return threads


def begin(step: Step, operation: Operation) -> Threads:
    """An operation is about to happen. Raises ThreadYield, unless this thread has its turn or is alone."""
    threads = of(step)
    if threads.is_pending:
        if step.has_threads and are_several(threads):
            yield_before(step, _section(step, threads, operation))
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
    yield_before(step, operation)


def _section(step: Step, threads: Threads, first: Operation) -> Operation:
    """A section before its first access: any operation, except that a C++ library's question has that access alone."""
    phase = threads.current.phase
    if phase not in (ASK, SPIN):
        return Operation(SECTION, position=first.position)
    step.state.remembered[THREADS] = threads.with_current(phase="")
    accesses = tuple([replace(each, writes=True) for each in first.accesses])
    event = threads.last
    while event is not None and event.thread != threads.running:
        event = event.previous
    number = -1 if event is None else event.number
    awaits = [(each, number) for each in first.accesses if phase == SPIN]
    return replace(first, kind=phase, accesses=accesses, awaits=tuple(awaits))


def yield_before(step: Step, operation: Operation) -> NoReturn:
    """Let the thread yield before an operation."""
    operation = awaiting(step, operation)
    threads = step.state.remembered[THREADS]
    assert threads is not None
    if threads.stands:  # it has yielded here before, and no schedule has chosen a thread
        step.unsupported("a program with threads, in which nobody schedules,")
    rested = threads.with_current(operation=operation, section=threads.depth)
    step.state.remembered[THREADS] = changed(rested, stands=True, is_granted=False, depth=0, is_pending=False)
    raise ThreadYield(again=True)


def happened(step: Step, operation: Operation, before: Lock | None = None, synced: Clock = NO_CLOCK) -> None:
    """An operation has happened, within the section if there is one; it synchronized with ``synced``."""
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
    """Begin a section: all the thread does until ``leave_section`` is one event.

    C++ calls its library all the time: there, a section begins with its first visible operation, unless ``at_once``.
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
    """Begin the section that a call is."""
    if callee.name.startswith(ATOMIC_FUNCTIONS):
        enter_exclusive(step)
    else:
        enter_section(step)


def enter_exclusive(step: Step) -> None:
    """Begin a section that the program declares atomic: its accesses do not race with those of other such sections."""
    enter_section(step, at_once=True)
    threads = step.state.remembered[THREADS]
    if threads is not None and threads.depth == 1:
        step.state.remembered[THREADS] = changed(threads, is_exclusive=True)


def leave_section(step: Step) -> None:
    """End a section."""
    threads = step.state.remembered[THREADS]
    if threads is None or not threads.depth:
        return
    was_pending = threads.is_pending
    threads = changed(threads, depth=threads.depth - 1, is_pending=was_pending and threads.depth > 1)
    step.state.remembered[THREADS] = threads
    if not threads.depth and not was_pending:
        step.state.remembered[THREADS] = changed(threads, is_exclusive=False)
        if threads.open or threads.is_granted:  # otherwise its last part was an event
            part_section(step)


def part_section(step: Step) -> None:
    """Make an event of what the section has done since its last one."""
    threads = of(step)
    operation = Operation(ACCESS, threads.open, position=step.site())
    step.state.remembered[THREADS] = add_event(changed(threads, open=()), operation, None, NO_CLOCK)


def happened_apart(step: Step, operation: Operation, before: Lock | None, synced: Clock) -> None:
    """An operation has happened, as an event of its own within a section."""
    if of(step).open:
        part_section(step)
    step.state.remembered[THREADS] = add_event(of(step), operation, before, synced)


# --- memory ----------------------------------------------------------------------------------------------------------


def visible_memory(instruction: MemoryAccess, run: Semantics, statics: Statics, function: Function) -> Semantics:
    """The semantics of a memory access that other threads may notice. In libraries, volatile accesses are meant as
    atomic.
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
        accesses = accesses_of(step, pointer_of(step, registers), size, writes=writes, is_atomic=is_atomic)
        if is_update:
            accesses = [replace(each, is_update=True) for each in accesses]
        threads = of(step)
        if not accesses:
            run(step, registers)
            return
        operation = Operation(ACCESS, tuple(accesses), position=step.site())
        if not writes and not threads.depth and not threads.is_granted:
            yield_before(step, operation)
        threads = begin(step, operation)
        before = _contents_of(step, accesses)
        run(step, registers)  # before the check for races: use after free comes first
        accesses = _with_silent(step, accesses, before)
        ordering = instruction.ordering
        if isinstance(instruction, CompareExchange) and has_failed(instruction, registers):
            accesses = [replace(each, writes=False, is_update=False, is_silent=False) for each in accesses]
            ordering = instruction.failure
        if (assumption := ASSUMED_OF_ORDERINGS.get(ordering)) is not None and not threads.depth:
            step.state.lazy = step.state.lazy.assuming(assumption)
        _end_event(step, threads, operation, accesses)

    return access


def has_failed(instruction: CompareExchange, registers: Registers) -> bool:
    """Whether a compare-exchange that has just run only loaded, because it found another value."""
    outcome = registers[instruction.result]
    return isinstance(outcome, tuple) and outcome[1] == 0


def as_one_event(step: Step, accesses: list[Access], run: Callable[[], Result]) -> Result:
    """Run code with these accesses as one event, when it is the thread's turn."""
    if not accesses:
        return run()
    operation = Operation(ACCESS, tuple(accesses), position=step.site())
    threads = begin(step, operation)
    result = run()
    _end_event(step, threads, operation, accesses)
    return result


def _end_event(step: Step, threads: Threads, operation: Operation, accesses: list[Access]) -> None:
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
    targets = candidates(step, pointer)
    if targets is None:
        step.unsupported("a pointer of which nothing is known, in a program with threads")
    return [
        Access(each.number, each.offset, build.add(each.offset, size, 64), writes, is_atomic, site, guard=each.guard)
        for each in targets
        if is_shared(step, each.number)
    ]


def has_private_objects(step: Step) -> bool:
    """Whether the path follows which objects several threads may know: in C++, where most locals escape as ``this``."""
    return bool(step.program.of_headers)


def publish(step: Step, numbers: Iterable[int]) -> None:
    """Let other threads know these objects, and all that they lead to from now on."""
    threads = of(step)
    unknown = reachable_from(step.state, numbers) - threads.published
    if unknown:
        step.state.remembered[THREADS] = changed(threads, published=threads.published | unknown)


def publish_to_thread(step: Step, argument: Value) -> None:
    """Let a new thread know all that globals and its argument lead to."""
    if has_private_objects(step):
        known = [number for number, item in step.state.memory.objects.items() if item.kind not in PRIVATE_KINDS]
        publish(step, [*known, *names_in(argument)])


def is_shared(step: Step, number: object) -> bool:
    """Whether another thread may reach an object: all but constants and the private objects of others.

    A thread's own constants count, since their end matters.
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
    """Whether an object belongs to the C++ library, which makes it in sections, in any order."""
    return _name_in_library(step, number).startswith(MANGLED)


def _name_in_library(step: Step, number: object) -> str:
    item = step.state.memory.objects.get(number) if isinstance(number, int) else None
    if item is None or item.kind not in ("global", THREAD_LOCAL):
        return ""
    return item.name if item.name in step.program.library else ""


def _contents_of(step: Step, accesses: Iterable[Access]) -> list[bytes | None]:
    return [_contents(step, each) if each.is_update else None for each in accesses]


def _with_silent(step: Step, accesses: Iterable[Access], before: Iterable[bytes | None]) -> list[Access]:
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


# --- which parts of a program are visible ----------------------------------------------------------------------------


def crosses(program: Program, caller: Function, callee: Function) -> bool:
    """Whether a call is a section: from the program into a library, or to an atomic function."""
    if callee.name.startswith(ATOMIC_FUNCTIONS):
        return True
    return is_section(program, callee.name) and not is_section(program, caller.name)


def is_visible(instruction: Instruction, function: Function) -> TypeGuard[MemoryAccess]:
    """Whether other threads may notice an access: all but those to locals whose address stays in their function."""
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
    allocas = [each for each in function.instructions() if isinstance(each, Alloca)]
    return pointers_to(function, [alloca for alloca in allocas if not alloca.captured])
