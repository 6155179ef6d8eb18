"""Text of compiled code that leaves where it may look at an address: quick tests, which may say so too often."""

from __future__ import annotations

from unfork.program.address_uses import WORD
from unfork.state.memory import LARGEST, SLOT_BITS, SLOT_MIDDLE

_SPAN = (2 * LARGEST).bit_length() - 1
"""The low bits of an address that its offset may change."""
_ABOVE = (1 << SLOT_BITS - _SPAN) - 1
_MIDDLE = SLOT_MIDDLE >> _SPAN
_IS_BEFORE_NAME = " + 1 & 254) == 128"
"""Of the fifth byte of an address, which is 127 or 128."""


def address_text(number: str) -> str:
    """Whether a number of 64 bits may be the address of a block or local."""
    return f"({number} + {LARGEST} >> {_SPAN} & {_ABOVE}) == {_MIDDLE} and {number} >> {SLOT_BITS + 18}"


def name_text(number: str, size: int, is_number: bool) -> str:
    """Whether ``number``, read from ``size`` bytes at offset ``f`` of object ``o``, may have bytes of a name in it."""
    if size == WORD:
        return "f & 7" if is_number else f"{address_text(number)} or f & 7"
    if size == 4:
        return f"f & 3 or ({number}{_IS_BEFORE_NAME} and {number} >> 8"
    if size in (1, 2):
        return f"f & 7 > {5 - size} and (o.data[f & -8 | 4]{_IS_BEFORE_NAME}"
    return "True"
