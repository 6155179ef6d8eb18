"""Objects that belong to the modelled library: standard streams, errno, the character tables of other C libraries."""

from __future__ import annotations

from unfork.engine.memory.own_copies import own_copy
from unfork.engine.state.memory import FIRST_HEAP, MemoryObject, address_of, object_of
from unfork.engine.step.step import Step

FIRST_LIBRARY_OBJECT = FIRST_HEAP - 1024
"""The library's objects have fixed numbers at the top of the static ones, so that every path agrees on them."""
STREAMS = {"stdin": 0, "stdout": 1, "stderr": 2}
ERRNO = 8
"""Its number among them; those that follow are the character tables of other C libraries."""


def stream_address(descriptor: int) -> int:
    """The FILE pointer of a standard stream; nothing may be read through it."""
    return address_of(FIRST_LIBRARY_OBJECT + descriptor)


def stream_descriptor(pointer: object) -> int | None:
    """The file descriptor of a FILE pointer, or None for one that is no standard stream."""
    for descriptor in STREAMS.values():
        if pointer == stream_address(descriptor):
            return descriptor
    return None


def extern_contents(name: str) -> bytes | None:
    """What a variable of the C library holds when the program starts, or None for an unknown name."""
    if name in STREAMS:
        return stream_address(STREAMS[name]).to_bytes(8, "little")
    if name in ("environ", "__environ", "optarg", "program_invocation_name"):
        return bytes(8)
    if name in ("optind", "opterr"):
        return (1).to_bytes(4, "little")
    if name in ("optopt", "daylight"):
        return bytes(4)
    return None


def errno_address(step: Step) -> int:
    """Where errno is."""
    address = library_object(step, ERRNO, "errno", bytes(4), read_only=False)
    return own_copy(step, address, lambda: MemoryObject(bytearray(4), 4, "global", "errno"))


def set_errno(step: Step, value: int) -> None:
    """errno = value."""
    step.state.memory.writable(object_of(errno_address(step))).write(0, 4, value)


def library_object(step: Step, index: int, name: str, data: bytes, *, read_only: bool) -> int:
    """The address of object ``index`` of the library, which is made when it is first asked for."""
    number = FIRST_LIBRARY_OBJECT + index
    if number not in step.state.memory.objects:
        item = MemoryObject(bytearray(data), len(data), "global", name, read_only=read_only)
        step.state.memory.add(number, item)
    return address_of(number)
