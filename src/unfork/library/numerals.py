"""A symbolic integer as text, without a fork: its length is a choice, and so is each of its characters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from unfork.library.conversions import RADIX, Conversion
from unfork.logic import build
from unfork.logic.term import Term, Value

FIELD = 256
"""The longest text whose characters are made."""


class Numeral:
    """What ``conversion`` makes of ``value``, which has as many bits as the conversion says."""

    def __init__(self, conversion: Conversion, value: Term) -> None:
        width = 8 * conversion.size
        self._negative = build.slt(value, 0, width) if conversion.is_signed else 0
        magnitude = build.ite(self._negative, build.neg(value, width), value, width)
        self._digits = list(_digits(conversion, magnitude, width))
        radix = RADIX.get(conversion.letter, 10)
        self._shorter = [build.ult(magnitude, radix**count, width) for count in range(len(self._digits))]
        """For each number of digits but the greatest, whether the number has so many or fewer."""
        counts = range(len(self._digits) + 1)
        self._around = [[conversion.around(count, negative=negative) for count in counts] for negative in (False, True)]
        """What stands before and behind so many digits; of numbers that are not negative, and of those that are."""
        self._lengths = [
            [len(before) + count + len(behind) for count, (before, behind) in enumerate(around)]
            for around in self._around
        ]
        self.longest = max(map(max, self._lengths)) if self._negative != 0 else max(self._lengths[0])

    def length(self) -> Value:
        """How many characters it has (64 bits)."""
        return self._chosen(self._lengths, 64)

    def characters(self) -> list[Value]:
        """The longest number of characters, of which the first are the text."""
        texts = [
            [(*before, *reversed(self._digits[:count]), *behind) for count, (before, behind) in enumerate(around)]
            for around in self._around
        ]
        return [
            self._chosen([[_at(text, place) for text in of_sign] for of_sign in texts], 8)
            for place in range(self.longest)
        ]

    def _chosen(self, values: Sequence[Sequence[Value]], width: int) -> Value:
        """The value for its sign and its number of digits."""
        plain, negative = [self._by_count(of_sign, width) for of_sign in values]
        return build.ite(self._negative, negative, plain, width)

    def _by_count(self, values: Sequence[Value], width: int) -> Value:
        chosen = values[-1]
        for condition, value in zip(reversed(self._shorter), reversed(values[:-1]), strict=True):
            chosen = build.ite(condition, value, chosen, width)
        return chosen


def _digits(conversion: Conversion, magnitude: Value, width: int) -> Iterator[Value]:
    """The digits as characters, the last one first."""
    radix = RADIX.get(conversion.letter, 10)
    highest = magnitude.high if isinstance(magnitude, Term) else magnitude
    power = 1
    while power <= highest:
        digit = build.trunc(build.urem(build.udiv(magnitude, power, width), radix, width), width, 8)
        number = build.add(digit, ord("0"), 8)
        if radix > 10:
            letter = build.add(digit, ord("a" if conversion.letter == "x" else "A") - 10, 8)
            number = build.ite(build.ult(digit, 10, 8), number, letter, 8)
        yield number
        power *= radix


def _at(text: tuple[Value, ...], place: int) -> Value:
    return text[place] if place < len(text) else 0
