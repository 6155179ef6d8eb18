"""The conversions of a printf format that are modelled: integers, characters and strings."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

_CONVERSION = re.compile(rb"%([-+ #0]*)(\d*)(?:\.(\d*))?(?:(hh|ll|[hlqjzt])?([diouxX])|([cs]))")
_BYTES = {"hh": 1, "h": 2, "": 4}
"""Of an integer, by its length modifier; with any other it has 8."""
RADIX = {"o": 8, "x": 16, "X": 16}


@dataclass(frozen=True, slots=True)
class Conversion:
    """One % of a format. ``size`` is the argument's, in bytes."""

    flags: str
    width: int
    precision: int | None
    size: int
    letter: str

    @property
    def is_signed(self) -> bool:
        """Whether the argument may be negative."""
        return self.letter in "di"

    @property
    def sign(self) -> str:
        """What stands before a number that is not negative."""
        if not self.is_signed:
            return ""
        return "+" if "+" in self.flags else " " if " " in self.flags else ""

    def padding(self, count: int) -> tuple[bytes, bytes]:
        """Blanks before and behind ``count`` characters."""
        blanks = b" " * (self.width - count)
        return (b"", blanks) if "-" in self.flags else (blanks, b"")

    def around(self, count: int, *, negative: bool) -> tuple[bytes, bytes]:
        """What stands before and behind the ``count`` digits of a number; of zero there are none."""
        sign = "-" if negative else self.sign
        if "#" in self.flags and self.letter in "xX" and count:
            sign = "0" + self.letter
        least = 1 if self.precision is None else self.precision
        if "#" in self.flags and self.letter == "o":
            least = max(least, count + 1)
        if self.precision is None and "0" in self.flags and "-" not in self.flags:
            least = max(least, self.width - len(sign))
        start = sign + "0" * (least - count)
        before, behind = self.padding(len(start) + count)
        return before + start.encode(), behind

    def number(self, value: int) -> bytes:
        """An integer in its field."""
        digits = format(abs(value), self.letter if self.letter in RADIX else "d") if value else ""
        before, behind = self.around(len(digits), negative=value < 0)
        return before + digits.encode() + behind


@cache
def parse_format(text: bytes) -> tuple[bytes | Conversion, ...] | None:
    """The pieces of a format; None if it has a conversion that is not modelled."""
    pieces: list[bytes | Conversion] = []
    position = 0
    while (percent := text.find(b"%", position)) >= 0:
        pieces.append(text[position:percent])
        if text.startswith(b"%%", percent):
            pieces.append(b"%")
            position = percent + 2
            continue
        match = _CONVERSION.match(text, percent)
        if match is None:
            return None
        pieces.append(_conversion(match))
        position = match.end()
    return (*pieces, text[position:])


def _conversion(match: re.Match[bytes]) -> Conversion:
    flags, width, precision, length, *letters = (group and group.decode() for group in match.groups())
    (letter,) = filter(None, letters)
    return Conversion(
        flags or "",
        int(width or 0),
        None if precision is None else int(precision or 0),
        _BYTES.get(length or "", 8),
        letter,
    )
