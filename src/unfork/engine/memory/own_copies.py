"""Each thread's copies of thread-local variables, from first use to its end, and their destructors.

The first thread uses the variables themselves.
"""

from __future__ import annotations

from collections.abc import Callable

from unfork.engine.memory.visible_operations import is_shared, of
from unfork.engine.state.memory import MemoryObject, address_of, object_of, offset_in
from unfork.engine.state.state import OWN_HANDLERS, RegisterValue
from unfork.engine.state.threads import THREAD_LOCAL, THREADS, Access
from unfork.engine.step.step import Step

_ALIGNMENT = 16
"""The least alignment of a copy."""


def thread_local_address(step: Step, address: int) -> int:
    """The address of the running thread's variable: its copy, which begins as the variable did."""
    beginnings = step.state.memory.objects.beginnings
    assert beginnings is not None
    name = beginnings.numbers[object_of(address)]
    alignment = step.program.globals[name].alignment
    return own_copy(step, address, lambda: beginnings[object_of(address)], max(alignment, _ALIGNMENT))


def own_copy(step: Step, address: int, first: Callable[[], MemoryObject], alignment: int = _ALIGNMENT) -> int:
    """The address of the running thread's copy of an object that was ``first`` at the start."""
    threads = step.state.remembered[THREADS]
    if threads is None or threads.running == 0:
        return address
    own = threads.current.copies.get(object_of(address))
    if own is None:
        item = first()
        own = step.names.captured_local(0, f"thread-local {item.name}", 0, threads.running, len(item.data), alignment)
        twin = item.copy(None)
        twin.kind = THREAD_LOCAL
        step.state.memory.add(own, twin)
        copies = {**threads.current.copies, object_of(address): own}
        step.state.remembered[THREADS] = threads.with_current(copies=copies)
    return address_of(own, offset_in(address))


def ends_of_copies(step: Step) -> tuple[Access, ...]:
    """The end of the running thread as writes to those of its copies that others may know.

    The writes are atomic: a later use by another thread is no race, but a fault of its own.
    """
    site, objects = step.site(), step.state.memory.objects
    shared = [number for number in of(step).current.copies.values() if is_shared(step, number)]
    return tuple([Access(number, 0, objects[number].size, True, True, site) for number in shared])


def free_copies(step: Step) -> None:
    """End the life of the running thread's copies."""
    threads = of(step)
    for number in threads.current.copies.values():
        step.state.memory.free(number, f"thread {threads.running}'s own before it ended")
    step.state.remembered[THREADS] = threads.with_current(copies={})


def add_destructor(step: Step, name: str, argument: RegisterValue) -> None:
    """Call the function ``name`` when the running thread ends, to destroy one of its variables."""
    remembered = step.state.remembered
    threads = remembered[THREADS]
    if threads is None or threads.running == 0 or threads.current.has_ended:
        remembered[OWN_HANDLERS] = (*remembered[OWN_HANDLERS], (name, argument))
    else:
        remembered[THREADS] = threads.with_current(destructors=(*threads.current.destructors, (name, argument)))


def take_destructor(step: Step) -> tuple[str, RegisterValue] | None:
    """Remove the newest of the running thread's destructors and give it; None if there is none."""
    threads, remembered = of(step), step.state.remembered
    waiting = remembered[OWN_HANDLERS] if threads.running == 0 else threads.current.destructors
    if not waiting:
        return None
    if threads.running == 0:
        remembered[OWN_HANDLERS] = waiting[:-1]
    else:
        remembered[THREADS] = threads.with_current(destructors=waiting[:-1])
    return waiting[-1]
