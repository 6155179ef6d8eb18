"""Addresses as numbers: the numbers of one layout that a real process could have.

A pointer names its object in its high bits (engine/state/memory.py), as no real address does. A pointer converted to
an integer therefore becomes a number of this layout: objects lie side by side below 2^47, the program's own within
2^31 of each other, then the heap, then the stack. So distances, halves, tags, remainders and order of these numbers
can occur natively. A number converted to a pointer names the object that lies there. The two conversions are
inverse, since an object owns as many names as it takes windows of ``GRAIN`` bytes.

This is the layout for pointers of 64 bits. Memory that ``is_narrow`` has that of engine/state/narrow_layout.py.
"""

from __future__ import annotations

from bisect import bisect_left

from unfork.engine.state import narrow_layout
from unfork.engine.state.memory import (
    END_OF_NAMES,
    FIRST_ARGUMENT,
    FIRST_HEAP,
    FIRST_LAZY,
    FIRST_STACK,
    FIRST_STATIC,
    LARGEST,
    SLOT_BITS,
    Memory,
    MemoryObject,
    address_of,
    object_of,
    offset_in,
)
from unfork.logic.terms.term import Term, Value, postorder

LOWEST_ADDRESS = FIRST_STATIC << SLOT_BITS
"""The least pointer to an object; all numbers of the layout are smaller."""
GRAIN_BITS = 14
GRAIN = 1 << GRAIN_BITS
"""Objects begin at multiples of this; a number and its pointer agree in the bits below."""
FRONT = 1 << 11
"""Bytes before an object that are nearer to it than to the previous one."""
ROOM = GRAIN - 2 * FRONT
"""The largest object that fits in one window, with as much room after it as before."""
LAZY_BITS = 29
"""Lazily made objects may grow, so each window holds the largest object."""

IMAGE = 0x5555_4000_0000
LAZY = 0x5600_0000_0000
STACK = 0x7FE0_0000_0000
LAZY_END = LAZY + (FIRST_STACK - FIRST_LAZY << LAZY_BITS)
IMAGE_END = IMAGE + (FIRST_LAZY << GRAIN_BITS)
END = STACK + (END_OF_NAMES - FIRST_STACK << GRAIN_BITS)
assert IMAGE_END <= LAZY and LAZY_END <= STACK and END <= LOWEST_ADDRESS
NEAR = LARGEST * 2
"""An address at a larger distance from all objects is not a pointer."""


def windows(size: int, *, is_narrow: bool = False) -> int:
    """How many names an object of ``size`` bytes takes."""
    room, bits = (narrow_layout.ROOM, narrow_layout.GRAIN_BITS) if is_narrow else (ROOM, GRAIN_BITS)
    return 1 if size <= room else 1 + (size - room + (1 << bits) - 1 >> bits)


def aligned(number: int, alignment: int, *, is_narrow: bool = False) -> int:
    """The first name from ``number`` on whose object begins at a multiple of ``alignment``, a power of two."""
    step = alignment >> (narrow_layout.GRAIN_BITS if is_narrow else GRAIN_BITS)
    return number if step <= 1 else number + -number % step


def start_of(number: int) -> int:
    """The number at which an object begins."""
    if number < FIRST_LAZY:
        return IMAGE + (number << GRAIN_BITS)
    if number < FIRST_STACK:
        return LAZY + (number - FIRST_LAZY << LAZY_BITS)
    return STACK + (number - FIRST_STACK << GRAIN_BITS)


def start_in(number: int, memory: Memory) -> int:
    """The number at which an object of a memory begins."""
    return narrow_layout.start_of(number) if memory.is_narrow else start_of(number)


def number_of(pointer: int, memory: Memory) -> int:
    """The number of a pointer. A pointer that leads to no object, live or gone, stays as it is."""
    name = object_of(pointer)
    if not FIRST_STATIC <= name < END_OF_NAMES:
        return narrow_layout.number_of_plain(pointer) if memory.is_narrow else pointer
    if memory.is_narrow:
        return narrow_layout.start_of(name) + offset_in(pointer) & narrow_layout.MASK
    offset = offset_in(pointer)
    is_known = name in memory.objects or name in memory.freed
    is_near = -NEAR <= offset <= NEAR if is_known else 0 <= offset <= GRAIN
    return start_of(name) + offset if is_near else pointer


def number_of_static(pointer: int) -> int:
    """The number of the address of a variable, function or label, or of null."""
    name = object_of(pointer)
    return start_of(name) + offset_in(pointer) if FIRST_STATIC <= name < FIRST_HEAP else pointer


def name_at(number: int) -> int | None:
    """The name whose window contains a number."""
    if number >= STACK - FRONT:
        return FIRST_STACK + (number - STACK + FRONT >> GRAIN_BITS) if number < END - FRONT else None
    if number >= LAZY - FRONT:
        return FIRST_LAZY + (number - LAZY + FRONT >> LAZY_BITS) if number < LAZY_END - FRONT else None
    if number < IMAGE + (FIRST_STATIC << GRAIN_BITS) - FRONT or number >= IMAGE_END - FRONT:
        return None
    return number - IMAGE + FRONT >> GRAIN_BITS


def address_at(number: int, memory: Memory) -> int:
    """The pointer for a number. A number outside of all objects stays as it is."""
    if memory.is_narrow:
        if number > narrow_layout.MASK:  # a pointer stays one
            return number
        name = narrow_layout.name_at(number)
        if name is None:
            return narrow_layout.plain_word(number)
        owner = _owner(name, memory)
        return address_of(owner, number - narrow_layout.start_of(owner))
    name = name_at(number)
    if name is None:
        return number
    owner = _owner(name, memory)
    return address_of(owner, number - start_of(owner))


def _owner(name: int, memory: Memory) -> int:
    """The object that owns the window of a name: the object so named, or a larger one before it."""
    if FIRST_LAZY <= name < FIRST_STACK:
        return narrow_layout.owner_of_lazy(name) if memory.is_narrow else name
    if name in memory.objects or name in memory.freed:
        return name
    before = _before(name, memory)
    return name if before is None or not _covers(before, name, memory) else before


def _before(name: int, memory: Memory) -> int | None:
    """The nearest object before a name, in the same part of the layout."""
    beginnings = memory.objects.beginnings
    if name < FIRST_ARGUMENT:
        starts = beginnings.starts if beginnings is not None else sorted(memory.objects.held)
        position = bisect_left(starts, name)
        return starts[position - 1] if position else None
    lowest = next(first for first in (FIRST_STACK, FIRST_HEAP, FIRST_ARGUMENT) if name >= first)
    if memory.is_narrow:  # there are too many pages to go through
        return max((each for each in (*memory.objects.touched(), *memory.freed) if lowest <= each < name), default=None)
    names = range(name - 1, max(lowest, name - (LARGEST >> GRAIN_BITS)) - 1, -1)
    return next((number for number in names if number in memory.objects or number in memory.freed), None)


def _covers(before: int, name: int, memory: Memory) -> bool:
    return before + windows(_size_of(before, memory), is_narrow=memory.is_narrow) > name


def _size_of(name: int, memory: Memory) -> int:
    """The bytes of an object that is live or gone; 0 if there is none or its size is symbolic.

    Blocks of any length have pages for all their bytes in ``memory`` that is narrow alone.
    """
    item = memory.objects.get(name) or memory.freed.get(name)
    if item is None:
        return 0
    if isinstance(item, MemoryObject) and (item.data or not memory.is_narrow):
        return len(item.data)
    return item.size if isinstance(item.size, int) else 0


def room(name: int, memory: Memory) -> int:
    """How many numbers mean an object, from ``FRONT`` bytes before it on."""
    is_lazy = FIRST_LAZY <= name < FIRST_STACK
    if memory.is_narrow:
        pages = narrow_layout.LAZY_NAMES if is_lazy else windows(_size_of(name, memory), is_narrow=True)
        return pages << narrow_layout.GRAIN_BITS
    if is_lazy:
        return 1 << LAZY_BITS
    return windows(_size_of(name, memory)) << GRAIN_BITS


def as_stored(pointer: int, memory: Memory) -> int:
    """A pointer to a live object, a function or null as memory holds it."""
    return number_of(pointer, memory) if memory.is_narrow else pointer


def as_read(word: int, memory: Memory) -> int:
    """The pointer that a word of memory holds."""
    return address_at(word, memory) if memory.is_narrow else word


def front(memory: Memory) -> int:
    """Bytes before an object of a memory that are nearer to it than to the previous one."""
    return narrow_layout.FRONT if memory.is_narrow else FRONT


def object_named(word: int) -> int:
    """The object that a word names, as a pointer or as a number; small if it names none."""
    return name_at(word) or object_of(word)


def may_be_pointer(value: Value) -> bool:
    """Whether a value of 64 bits is made from an object's address, so that domains of numbers are useless for it."""
    numbers = [part.value for part in postorder((value,)) if part.op == "const"] if isinstance(value, Term) else [value]
    return any(FIRST_STATIC <= object_named(number) < END_OF_NAMES for number in numbers)


def leads_to_object(number: int, memory: Memory) -> bool:
    """Whether a number of 32 bits is that of a byte of a live object, or of its end."""
    pointer = address_at(number, memory) if number <= narrow_layout.MASK else 0
    name = object_of(pointer)
    return name in memory.objects and 0 <= offset_in(pointer) <= _size_of(name, memory)


def is_address(value: int, memory: Memory) -> bool:
    """Whether a word is a pointer into or near an object, or to a function or label. Objects may be gone.

    Of a local that is gone only its name is known.
    """
    name = object_of(value)
    if not FIRST_STATIC <= name < END_OF_NAMES:
        return False
    if name not in memory.objects and name not in memory.freed:
        return not FIRST_HEAP <= name < FIRST_STACK and 0 <= offset_in(value) <= FRONT
    return -FRONT <= offset_in(value) <= _size_of(name, memory) + FRONT


def number_in(value: int, memory: Memory) -> int:
    """A word of memory, perhaps written as a pointer, read as a number."""
    return number_of(value, memory) if is_address(value, memory) else value
