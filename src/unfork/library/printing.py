"""The part of printf that is modelled where no C library is linked: integers, characters and strings, to a stream."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from unfork.execute.step import WRITTEN, Step
from unfork.execute.strings import Characters, read_c_string
from unfork.logic import build
from unfork.logic.term import Term, Value
from unfork.program import layout
from unfork.program.ir import Call
from unfork.program.types import FloatType
from unfork.state.state import Written

WIDEST_FIELD = 1 << 16
_CONVERSION = re.compile(rb"%([-+ 0]*)(\d*)(?:\.(\d*))?(?:(hh|ll|[hlqjzt])?([diouxX])|([cs]))")
_BYTES = {"hh": 1, "h": 2, "": 4}
"""Of an integer, by its length modifier; with any other it has 8."""
_RADIX = {"o": 8, "x": 16, "X": 16}


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

    def number(self, value: int) -> bytes:
        """An integer in its field."""
        sign = "-" if value < 0 else self.sign
        digits = (
            format(abs(value), self.letter if self.letter in _RADIX else "d") if value or self.precision != 0 else ""
        )
        if self.precision is not None:
            digits = digits.zfill(self.precision)
        elif "0" in self.flags and "-" not in self.flags:
            digits = digits.zfill(self.width - len(sign))
        before, behind = self.padding(len(sign + digits))
        return before + (sign + digits).encode() + behind


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


def print_formatted(step: Step, template: Value, arguments: Sequence[Value], call: Call) -> tuple[list[Written], Value]:
    """What printf prints, piece by piece, and its length (32 bits); pointers are checked, nothing forks.

    ``arguments`` are those that follow the format, the last ones of the call.
    """
    text: list[Written] = []
    length: Value = 0
    kinds = [operand.type for operand in call.arguments[len(call.arguments) - len(arguments) :]]
    given = iter(zip(arguments, kinds, strict=True))
    for piece in _pieces(step, template):
        if isinstance(piece, bytes):
            text.append(piece)
            length = build.add(length, len(piece), 32)
        else:
            value, kind = next(given, (None, None))
            if value is None or kind is None:
                step.fail("invalid-call", "the format asks for more arguments than are given")
            if isinstance(kind, FloatType):
                step.fail("invalid-call", "the format asks for an integer and is given a floating-point number")
            written, count = _converted(step, piece, value, layout.bits_of(kind))
            text.append(written)
            length = build.add(length, count, 32)
    return text, length


def _pieces(step: Step, template: Value) -> tuple[bytes | Conversion, ...]:
    characters = read_c_string(step, template)
    concrete = bytes([character for character in characters if isinstance(character, int)])
    if len(concrete) < len(characters):
        step.unsupported("a symbolic format string without a C library")
    pieces = parse_format(concrete)
    if pieces is None:
        step.unsupported(f"the format string {concrete!r} without a C library")
    if any(isinstance(piece, Conversion) and max(piece.width, piece.precision or 0) > WIDEST_FIELD for piece in pieces):
        step.unsupported(f"a printed field of more than {WIDEST_FIELD} characters")
    return pieces


def _converted(step: Step, conversion: Conversion, value: Value, bits: int) -> tuple[Written, Value]:
    """The text of an argument, None where it is not known, and its length (32 bits)."""
    if conversion.letter == "s":
        return _string(step, conversion, build.zext(value, bits, 64) if bits < 64 else value)
    size = 1 if conversion.letter == "c" else conversion.size
    value = build.trunc(value, bits, 8 * size) if 8 * size < bits else build.zext(value, bits, 8 * size)
    if conversion.letter == "c":
        before, behind = conversion.padding(1)
        return (*before, value, *behind), max(1, conversion.width)
    if isinstance(value, Term):
        step.use(value, WRITTEN)
        return None, _length(conversion, value)
    text = conversion.number(value - (value >> 8 * size - 1 << 8 * size) if conversion.is_signed else value)
    return text, len(text)


def _length(conversion: Conversion, value: Value) -> Value:
    """How many characters a symbolic number takes: a sum over the powers that it reaches."""
    width = 8 * conversion.size
    sign: Value = 0
    if conversion.is_signed:
        negative = build.slt(value, 0, width)
        sign = build.ite(negative, 1, len(conversion.sign), 32)
        value = build.ite(negative, build.neg(value, width), value, width)
    radix = _RADIX.get(conversion.letter, 10)
    count: Value = 0 if conversion.precision == 0 else 1
    power = 1 if conversion.precision == 0 else radix
    while power < 1 << width:
        count = build.add(count, build.zext(build.uge(value, power, width), 1, 32), 32)
        power *= radix
    return _at_least(build.add(_at_least(count, conversion.precision or 0), sign, 32), conversion.width)


def _at_least(value: Value, least: int) -> Value:
    return build.ite(build.ult(value, least, 32), least, value, 32) if least else value


def _string(step: Step, conversion: Conversion, pointer: Value) -> tuple[Written, Value]:
    if conversion.precision == 0:
        return b" " * conversion.width, conversion.width
    text, length = string(step, pointer, conversion.precision)
    if isinstance(text, bytes):
        before, behind = conversion.padding(len(text))
        return before + text + behind, max(len(text), conversion.width)
    return None, _at_least(length, conversion.width)


def string(step: Step, pointer: Value, limit: int | None) -> tuple[bytes | None, Value]:
    """The characters of a string, None where its end is not known, and how many of at most ``limit`` there are.

    Reading too far is a fault; nothing forks.
    """
    characters = Characters(step, pointer)
    known = characters.concrete_end()
    if known is not None and (limit is None or known <= limit):
        return characters.concrete(known), known
    length: Value = 0
    going: Value = 1
    index = 0
    while going != 0 and (limit is None or index < limit):
        byte = characters.under(index, going)
        step.use(byte, WRITTEN)
        going = build.both(going, build.ne(byte, 0, 8))
        length = build.add(length, build.zext(going, 1, 32), 32)
        index += 1
    return None, length
