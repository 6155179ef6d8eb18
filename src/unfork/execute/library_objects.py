"""Objects that belong to the modelled library: standard streams, errno, the character tables of other C libraries."""

from __future__ import annotations

from unfork.execute.step import Step
from unfork.state.memory import FIRST_HEAP, MemoryObject, address_of

FIRST_LIBRARY_OBJECT = FIRST_HEAP - 1024
"""The library's objects have fixed numbers at the top of the static ones, so that every path agrees on them."""
STREAMS = {"stdin": 0, "stdout": 1, "stderr": 2}
ERRNO, CLASSES, LOWER, UPPER = 8, 9, 11, 13
TABLE_MARGIN = 128
"""The character tables begin at character -128."""

UPPER_BIT, LOWER_BIT, ALPHA_BIT, DIGIT_BIT, XDIGIT_BIT, SPACE_BIT, PRINT_BIT, GRAPH_BIT = (
    1 << (8 + i) for i in range(8)
)
BLANK_BIT, CONTROL_BIT, PUNCTUATION_BIT, ALNUM_BIT = (1 << i for i in range(4))


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
    return _object(step, ERRNO, "errno", bytes(4), read_only=False)


def set_errno(step: Step, value: int) -> None:
    """errno = value."""
    errno_address(step)
    step.state.memory.writable(FIRST_LIBRARY_OBJECT + ERRNO).write(0, 4, value)


def class_table(step: Step) -> int:
    """A pointer to a pointer to glibc's table of character classes."""
    table = b"".join([_class_bits(i).to_bytes(2, "little") for i in range(-TABLE_MARGIN, 256)])
    return _table(step, CLASSES, "character classes", table, 2)


def lower_table(step: Step) -> int:
    """A pointer to a pointer to glibc's table for tolower."""
    table = [c + 32 if 65 <= c <= 90 else c for c in range(-TABLE_MARGIN, 256)]
    return _table(step, LOWER, "lower case", b"".join([c.to_bytes(4, "little", signed=True) for c in table]), 4)


def upper_table(step: Step) -> int:
    """A pointer to a pointer to glibc's table for toupper."""
    table = [c - 32 if 97 <= c <= 122 else c for c in range(-TABLE_MARGIN, 256)]
    return _table(step, UPPER, "upper case", b"".join([c.to_bytes(4, "little", signed=True) for c in table]), 4)


def _table(step: Step, index: int, name: str, data: bytes, width: int) -> int:
    table = _object(step, index, name, data, read_only=True)
    pointer = table + TABLE_MARGIN * width
    return _object(step, index + 1, f"pointer to {name}", pointer.to_bytes(8, "little"), read_only=True)


def _object(step: Step, index: int, name: str, data: bytes, *, read_only: bool) -> int:
    number = FIRST_LIBRARY_OBJECT + index
    if number not in step.state.memory.objects:
        item = MemoryObject(bytearray(data), len(data), "global", name, read_only=read_only)
        step.state.memory.add(number, item)
    return address_of(number)


def _class_bits(character: int) -> int:
    if not 0 <= character < 128:
        return 0
    c = chr(character)
    graph = 33 <= character <= 126
    facts = (
        (c.isupper(), UPPER_BIT),
        (c.islower(), LOWER_BIT),
        (c.isalpha(), ALPHA_BIT),
        (c.isdigit(), DIGIT_BIT),
        (c in "0123456789abcdefABCDEF", XDIGIT_BIT),
        (c in " \t\n\v\f\r", SPACE_BIT),
        (32 <= character <= 126, PRINT_BIT),
        (graph, GRAPH_BIT),
        (c in " \t", BLANK_BIT),
        (character < 32 or character == 127, CONTROL_BIT),
        (graph and not c.isalnum(), PUNCTUATION_BIT),
        (c.isalnum(), ALNUM_BIT),
    )
    return sum(bit for holds, bit in facts if holds)
