"""Addresses as numbers of 32 bits, for programs whose pointers have as many.

Memory of such a program holds these numbers, as that of others holds pointers. An object's name gives its number, so
all paths and processes agree on it: a name is a page of ``GRAIN`` bytes, and an object takes as many names as it
needs pages, with ``FRONT`` bytes before it and at least as many after it. A pointer further from its object has no
number here (engine/step/numbers.py gives such a path up).
"""

from __future__ import annotations

from unfork.engine.state.memory import END_OF_NAMES, FIRST_LAZY, FIRST_STATIC

GRAIN_BITS = 9
GRAIN = 1 << GRAIN_BITS
"""Objects begin at multiples of this."""
FRONT = 1 << 7
"""Bytes before an object that are nearer to it than to the previous one."""
ROOM = GRAIN - 2 * FRONT
"""The largest object that takes one page."""
LAZY_NAMES = 1 << 7
"""The pages of a lazily made object, which may grow."""
LARGEST_LAZY = (LAZY_NAMES << GRAIN_BITS) - 2 * FRONT
"""The most bytes of one."""
BITS = 32
MASK = (1 << BITS) - 1
END = END_OF_NAMES << GRAIN_BITS
NEGATIVE = END - (1 << 12)
"""From here on, numbers are small negative ones, like error codes, and no addresses."""
LAST_NAME = NEGATIVE >> GRAIN_BITS
"""The end of the names that have numbers."""
assert END == 1 << BITS


def start_of(number: int) -> int:
    """The number at which an object begins."""
    return number << GRAIN_BITS


def name_at(number: int) -> int | None:
    """The name whose page contains a number."""
    name = number + FRONT >> GRAIN_BITS
    return name if FIRST_STATIC <= name < LAST_NAME else None


def owner_of_lazy(name: int) -> int:
    """The lazily made object that owns a page among those of such objects."""
    return name - (name - FIRST_LAZY) % LAZY_NAMES


def number_of_plain(word: int) -> int:
    """A word that names no object, as a number."""
    return word & MASK


def plain_word(number: int) -> int:
    """A number that names no object, as a word of 64 bits: small negative ones keep their sign."""
    return number if number < NEGATIVE else number | (1 << 64) - (1 << BITS)
