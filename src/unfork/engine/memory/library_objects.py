"""Objects of the modelled library: standard streams, errno, character tables of other C libraries."""

from __future__ import annotations

from unfork.engine.memory.own_copies import own_copy
from unfork.engine.state import narrow_layout
from unfork.engine.state.memory import FIRST_HEAP, MemoryObject, address_of, object_of
from unfork.engine.step.step import Step

FIRST_LIBRARY_OBJECT = FIRST_HEAP - 1024
"""Library objects have fixed numbers at the end of the static ones, alike on every path."""
STREAMS = {"stdin": 0, "stdout": 1, "stderr": 2}
ERRNO = 8
"""Its index among them. The character tables of other C libraries follow."""
ERRNO_NAME = "errno"
"""As which it is a variable of the input."""
ERRNO_FUNCTIONS = frozenset(("__errno_location", "___errno_location"))
"""What its macro calls."""


def stream_address(descriptor: int) -> int:
    """The FILE pointer of a standard stream, which leads to no object."""
    return address_of(FIRST_LIBRARY_OBJECT + descriptor)


def stream_descriptor(pointer: object) -> int | None:
    """The file descriptor of a standard stream's FILE pointer; None for another pointer."""
    for descriptor in STREAMS.values():
        if pointer == stream_address(descriptor):
            return descriptor
    return None


def extern_contents(name: str) -> bytes | None:
    """The bytes of a C library variable at the start; None for an unknown name."""
    if name in STREAMS:
        return stream_address(STREAMS[name]).to_bytes(8, "little")
    if name in ("environ", "__environ", "optarg", "program_invocation_name"):
        return bytes(8)
    if name in ("optind", "opterr"):
        return (1).to_bytes(4, "little")
    if name in ("optopt", "daylight"):
        return bytes(4)
    return None


def address_of_errno() -> int:
    """The address of the first thread's errno."""
    return address_of(FIRST_LIBRARY_OBJECT + ERRNO)


def errno_address(step: Step) -> int:
    """The address of the running thread's errno."""
    address = library_object(step, ERRNO, ERRNO_NAME, bytes(4), read_only=False)
    return own_copy(step, address, lambda: MemoryObject(bytearray(4), 4, "global", ERRNO_NAME))


def set_errno(step: Step, value: int) -> None:
    """Write the running thread's errno."""
    step.state.memory.writable(object_of(errno_address(step))).write(0, 4, value)


def library_object(step: Step, index: int, name: str, data: bytes, *, read_only: bool) -> int:
    """The address of library object ``index``, which is made on first use."""
    number = FIRST_LIBRARY_OBJECT + index
    if number not in step.state.memory.objects:
        if step.state.memory.is_narrow and len(data) > narrow_layout.ROOM:
            step.unsupported(f"{name}, where pointers have 32 bits")
        item = MemoryObject(bytearray(data), len(data), "global", name, read_only=read_only)
        step.state.memory.add(number, item)
    return address_of(number)
