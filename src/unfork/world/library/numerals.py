"""A symbolic integer as musl's printf writes it, without forks: a choice of lengths and of each character."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from unfork.engine.memory.ranges import pin_offset, writable
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.world.library.model import FunctionModel

RADIX = {"o": 8, "x": 16, "X": 16}
_FLAGS = "# 0-+"


@dataclass(frozen=True, slots=True)
class Conversion:
    """The parts of a format directive. ``size`` is the argument's, in bytes."""

    flags: str
    width: int
    precision: int | None
    size: int
    letter: str

    @property
    def is_signed(self) -> bool:
        return self.letter in "di"

    def around(self, count: int, *, negative: bool) -> tuple[bytes, bytes]:
        """The text before and after the ``count`` digits of a number; zero has none."""
        sign = "-" if negative else self._sign
        if "#" in self.flags and self.letter in "xX" and count:
            sign = "0" + self.letter
        least = 1 if self.precision is None else self.precision
        if "#" in self.flags and self.letter == "o":
            least = max(least, count + 1)
        if self.precision is None and "0" in self.flags and "-" not in self.flags:
            least = max(least, self.width - len(sign))
        start = (sign + "0" * (least - count)).encode()
        blanks = b" " * (self.width - len(start) - count)
        return (start, blanks) if "-" in self.flags else (blanks + start, b"")

    @property
    def _sign(self) -> str:
        if not self.is_signed:
            return ""
        return "+" if "+" in self.flags else " " if " " in self.flags else ""


FIELD = 256


class Numeral:
    """The text of ``value``, whose width is the conversion's."""

    def __init__(self, conversion: Conversion, value: Term) -> None:
        width = 8 * conversion.size
        self._negative = build.slt(value, 0, width) if conversion.is_signed else 0
        magnitude = build.ite(self._negative, build.neg(value, width), value, width)
        self._digits = list(_digits(conversion, magnitude, width))
        radix = RADIX.get(conversion.letter, 10)
        self._shorter = [build.ult(magnitude, radix**count, width) for count in range(len(self._digits))]
        """For each number of digits but the greatest, whether the number has at most that many."""
        counts = range(len(self._digits) + 1)
        self._around = [[conversion.around(count, negative=negative) for count in counts] for negative in (False, True)]
        """The text around each number of digits: of non-negative numbers, then of negative ones."""
        self._lengths = [
            [len(before) + count + len(after) for count, (before, after) in enumerate(around)]
            for around in self._around
        ]
        self.longest = max(map(max, self._lengths)) if self._negative != 0 else max(self._lengths[0])

    def length(self) -> Value:
        """In characters (64 bits)."""
        return self._choose(self._lengths, 64)

    def characters(self) -> list[Value]:
        """Characters for the greatest length, of which the text is a prefix."""
        texts = [
            [(*before, *reversed(self._digits[:count]), *after) for count, (before, after) in enumerate(around)]
            for around in self._around
        ]
        return [
            self._choose([[_character_at(text, position) for text in of_sign] for of_sign in texts], 8)
            for position in range(self.longest)
        ]

    def _choose(self, values: Sequence[Sequence[Value]], width: int) -> Value:
        plain, negative = [self._by_count(of_sign, width) for of_sign in values]
        return build.ite(self._negative, negative, plain, width)

    def _by_count(self, values: Sequence[Value], width: int) -> Value:
        chosen = values[-1]
        for condition, value in zip(reversed(self._shorter), reversed(values[:-1]), strict=True):
            chosen = build.ite(condition, value, chosen, width)
        return chosen


def _digits(conversion: Conversion, magnitude: Value, width: int) -> Iterator[Value]:
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


def _character_at(text: tuple[Value, ...], position: int) -> Value:
    return text[position] if position < len(text) else 0


def _print_integer(step: Step, target: Value, room: Value, value: Value, *how: Value) -> Value:
    """unfork_print_integer(to, room, value, bits, letter, flags, width, precision).

    Returns the field's length, or 0 where nothing is written: the number is known, the field is too wide, or a path
    per length is wanted. ``flags`` are musl's; a negative precision is none.
    """
    known = [argument for argument in (room, *how) if isinstance(argument, int)]
    if not isinstance(value, Term) or len(known) <= len(how) or not step.limits.prints_at_once:
        return 0
    space, bits, letter, flags, width, precision = known
    signed = precision - (precision >> 31 << 32)
    given = "".join(flag for flag in _FLAGS if flags >> ord(flag) - ord(" ") & 1)
    conversion = Conversion(given, width, None if signed < 0 else signed, bits // 8, chr(letter))
    number = build.trunc(value, 64, bits) if bits < 64 else value
    if not isinstance(number, Term):
        return 0
    numeral = Numeral(conversion, number)
    if numeral.longest > min(space, FIELD):
        return 0
    location = writable(step, target, numeral.longest)
    assert location is not None
    start = pin_offset(step, location)
    step.state.memory.writable(location.number).write_values(start, numeral.characters())
    return numeral.length()


MODELS = {"unfork_print_integer": FunctionModel.of("pllliiii", "l", _print_integer)}
