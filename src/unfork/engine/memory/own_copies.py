"""Each thread's own copies of thread-local variables, from its first use of one to its end, and their destructors.

The first thread has the variables themselves.
"""

from __future__ import annotations

from collections.abc import Callable

from unfork.engine.memory.visible_operations import is_shared, of
from unfork.engine.state.memory import MemoryObject, address_of, object_of, offset_in
from unfork.engine.state.state import OWN_HANDLERS, RegisterValue
from unfork.engine.state.threads import THREAD_LOCAL, THREADS, Access
from unfork.engine.step.step import Step

_ALIGNMENT = 16
"""Of a copy, at least."""


def thread_local_address(step: Step, address: int) -> int:
    """Where this thread's own variable is: the first thread has the variable, others a copy of what it was at first."""
    beginnings = step.state.memory.objects.beginnings
    assert beginnings is not None
    name = beginnings.numbers[object_of(address)]
    alignment = step.program.globals[name].alignment
    return own_copy(step, address, lambda: beginnings[object_of(address)], max(alignment, _ALIGNMENT))


def own_copy(step: Step, address: int, first: Callable[[], MemoryObject], alignment: int = _ALIGNMENT) -> int:
    """The address of the running thread's own copy of an object that was ``first`` so."""
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
    """What the end of the running thread does to its own copies, where others may know them: nobody has them after it.

    That is no data race: who comes later has a fault of its own.
    """
    site, objects = step.site(), step.state.memory.objects
    shared = [number for number in of(step).current.copies.values() if is_shared(step, number)]
    return tuple([Access(number, 0, objects[number].size, True, True, site) for number in shared])


def free_copies(step: Step) -> None:
    """The running thread ends, and with it the life of its own copies."""
    threads = of(step)
    for number in threads.current.copies.values():
        step.state.memory.free(number, f"thread {threads.running}'s own before it ended")
    step.state.remembered[THREADS] = threads.with_current(copies={})


def add_destructor(step: Step, name: str, argument: RegisterValue) -> None:
    """The function ``name`` is to destroy a variable of the running thread when that ends."""
    remembered = step.state.remembered
    threads = remembered[THREADS]
    if threads is None or threads.running == 0 or threads.current.has_ended:
        remembered[OWN_HANDLERS] = (*remembered[OWN_HANDLERS], (name, argument))
    else:
        remembered[THREADS] = threads.with_current(destructors=(*threads.current.destructors, (name, argument)))


def take_destructor(step: Step) -> tuple[str, RegisterValue] | None:
    """The newest of the running thread's destructors, which leaves their list; None if there is none."""
    threads, remembered = of(step), step.state.remembered
    waiting = remembered[OWN_HANDLERS] if threads.running == 0 else threads.current.destructors
    if not waiting:
        return None
    if threads.running == 0:
        remembered[OWN_HANDLERS] = waiting[:-1]
    else:
        remembered[THREADS] = threads.with_current(destructors=waiting[:-1])
    return waiting[-1]
