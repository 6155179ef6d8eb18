"""Text of compiled code that leaves where it may look at an address: quick tests that may fire too often."""

from __future__ import annotations

from unfork.facts.address_uses import WORD
from unfork.state.flat_layout import END, FRONT, IMAGE, start_of
from unfork.state.memory import FIRST_HEAP, LARGEST, SLOT_BITS, SLOT_MASK, SLOT_MIDDLE

_IS_BEFORE_NAME = f" & 255) == {SLOT_MIDDLE >> SLOT_BITS - 8}"
"""Of the fifth byte of a pointer, which no offset changes."""
_SIXTH = f"{bytes((IMAGE >> 40,))!r} <= o.data[f & -8 | 5:f & -8 | 6] < b'\\x80'"
"""Whether the sixth byte of the word at offset ``f`` may be that of a number that is an address."""


def address_text(number: str) -> str:
    """Whether a number of 64 bits may be the address of a block or local, as a pointer or as what that becomes."""
    is_near = f"({number} - {SLOT_MIDDLE - LARGEST} & {SLOT_MASK}) < {2 * LARGEST}"
    is_pointer = f"{is_near} and {number} >> {SLOT_BITS + 18}"
    return f"{is_pointer} or {start_of(FIRST_HEAP) - FRONT} <= {number} < {END}"


def name_text(number: str, size: int, is_number: bool) -> str:
    """Whether ``number``, read from ``size`` bytes at offset ``f`` of object ``o``, may have bytes of a name in it."""
    if size == WORD:
        return "f & 7" if is_number else f"{address_text(number)} or f & 7"
    if size == 4:
        return f"f & 3 or ({number}{_IS_BEFORE_NAME} and {number} >> 8 or {_SIXTH}"
    if size in (1, 2):
        return f"f & 7 > {5 - size} and (o.data[f & -8 | 4]{_IS_BEFORE_NAME} or f & 7 > {1 - size} and {_SIXTH}"
    return "True"
