"""The printf language: what a format string asks for, and how concrete arguments are written."""

from __future__ import annotations

import struct
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from functools import cache

INTEGERS = "diouxX"
FLOATS = "fFeEgGaA"
FLAGS = "-+ #0'"
BYTES = {"hh": 1, "h": 2, "": 4, "l": 8, "ll": 8, "q": 8, "j": 8, "z": 8, "t": 8, "L": 8}
EXACT_DIGITS = 20_000
"""Enough decimal digits for any 80-bit number."""
LONG_DOUBLE_BIAS = 16383


@dataclass(frozen=True, slots=True)
class Conversion:
    """One % of a format: ``width`` and ``precision`` are numbers, "*" (an argument) or None."""

    flags: str
    width: int | str | None
    precision: int | str | None
    length: str
    letter: str

    def with_numbers(self, width: int | None, precision: int | None) -> Conversion:
        """The conversion with its * arguments filled in; a negative width means left, a negative precision none."""
        flags = self.flags
        if width is not None and width < 0:
            flags, width = flags + "-", -width
        return replace(
            self, flags=flags, width=width, precision=None if precision is not None and precision < 0 else precision
        )

    @property
    def least(self) -> int:
        """The field width, once it is a number."""
        return self.width if isinstance(self.width, int) else 0


@cache
def parse_format(text: bytes) -> tuple[bytes | Conversion, ...] | None:
    """The pieces of a format; None for one that C does not define."""
    pieces: list[bytes | Conversion] = []
    position = 0
    source = text.decode("latin-1")
    while position < len(source):
        percent = source.find("%", position)
        if percent < 0:
            pieces.append(text[position:])
            break
        if percent > position:
            pieces.append(text[position:percent])
        conversion, position = _conversion(source, percent + 1)
        if conversion is None:
            return None
        pieces.append(b"%" if conversion.letter == "%" else conversion)
    return tuple(pieces)


def _conversion(source: str, position: int) -> tuple[Conversion | None, int]:
    start = position
    while source[position : position + 1] in tuple(FLAGS):
        position += 1
    flags = source[start:position]
    width, position = _number(source, position)
    precision: int | str | None = None
    if source[position : position + 1] == ".":
        precision, position = _number(source, position + 1)
        precision = 0 if precision is None else precision
    length = next(
        (one for one in ("hh", "ll", "h", "l", "q", "j", "z", "t", "L") if source.startswith(one, position)), ""
    )
    position += len(length)
    letter = source[position : position + 1]
    if not letter or letter not in INTEGERS + FLOATS + "cspnm%":
        return None, position
    return Conversion(flags, width, precision, length, letter), position + 1


def _number(source: str, position: int) -> tuple[int | str | None, int]:
    if source[position : position + 1] == "*":
        return "*", position + 1
    start = position
    while source[position : position + 1].isdigit():
        position += 1
    return (int(source[start:position]) if position > start else None), position


# --- concrete arguments ----------------------------------------------------------------------------------------------


def format_integer(conversion: Conversion, value: int) -> bytes:
    """An integer (already signed where the conversion is) in its field."""
    letter, precision = conversion.letter, conversion.precision
    magnitude = abs(value)
    digits = {"o": f"{magnitude:o}", "x": f"{magnitude:x}", "X": f"{magnitude:X}"}.get(letter, str(magnitude))
    if isinstance(precision, int):
        digits = "" if precision == 0 and value == 0 else digits.rjust(precision, "0")
    prefix = sign_of(conversion, value < 0) if letter in "di" else ""
    if "#" in conversion.flags:
        if letter == "o" and not digits.startswith("0"):
            digits = "0" + digits
        elif letter in "xX" and value:
            prefix = "0" + letter
    return _field(conversion, prefix, digits, zeros=precision is None)


def sign_of(conversion: Conversion, negative: object) -> str:
    """The sign that a signed conversion prints."""
    if negative:
        return "-"
    return "+" if "+" in conversion.flags else " " if " " in conversion.flags else ""


def _field(conversion: Conversion, prefix: str, digits: str, *, zeros: bool) -> bytes:
    missing = conversion.least - len(prefix) - len(digits)
    if missing > 0:
        if "-" in conversion.flags:
            digits += " " * missing
        elif zeros and "0" in conversion.flags:
            digits = "0" * missing + digits
        else:
            prefix = " " * missing + prefix
    return (prefix + digits).encode("latin-1")


def format_double(conversion: Conversion, bits: int) -> bytes:
    """A double, given by its bits, in its field."""
    value = struct.unpack("<d", bits.to_bytes(8, "little"))[0]
    negative = bool(bits >> 63)
    if value != value or value in (float("inf"), float("-inf")):
        return _special(conversion, "nan" if value != value else "inf", negative)
    letter = conversion.letter
    sign = sign_of(conversion, negative)
    if letter in "aA":
        digits, prefix = _hexadecimal(conversion, abs(value))
        return _field(conversion, sign + prefix, digits, zeros=True)
    precision = conversion.precision if isinstance(conversion.precision, int) else 6
    alternate = "#" if "#" in conversion.flags else ""
    digits = f"%{alternate}.{precision}{letter}" % abs(value)
    return _field(conversion, sign, digits, zeros=True)


def _special(conversion: Conversion, name: str, negative: object) -> bytes:
    name = name.upper() if conversion.letter.isupper() else name
    return _field(conversion, sign_of(conversion, negative), name, zeros=False)


def _hexadecimal(conversion: Conversion, value: float) -> tuple[str, str]:
    """The digits behind 0x, and that prefix."""
    mantissa, _, exponent = value.hex()[2:].partition("p")
    whole, _, fraction = mantissa.partition(".")
    fraction = fraction.rstrip("0")
    precision = conversion.precision
    if isinstance(precision, int) and precision < len(fraction):
        scaled = int(whole + fraction, 16)
        unit = 16 ** (len(fraction) - precision)
        quotient, remainder = divmod(scaled, unit)
        if remainder * 2 > unit or (remainder * 2 == unit and quotient & 1):
            quotient += 1
        text = f"{quotient:x}".rjust(precision + 1, "0")
        whole, fraction = text[: len(text) - precision], text[len(text) - precision :]
    elif isinstance(precision, int):
        fraction = fraction.ljust(precision, "0")
    point = "." if fraction or "#" in conversion.flags else ""
    digits = f"{whole}{point}{fraction}p{exponent}"
    return (digits.upper(), "0X") if conversion.letter == "A" else (digits, "0x")


def format_long_double(conversion: Conversion, bits: int) -> bytes | None:
    """An x87 number, given by its 80 bits, in its field; None for %La."""
    negative, exponent, mantissa = bits >> 79 & 1, bits >> 64 & 0x7FFF, bits & (1 << 64) - 1
    if exponent == 0x7FFF:
        return _special(conversion, "nan" if mantissa << 1 & (1 << 64) - 1 else "inf", negative)
    letter = conversion.letter
    if letter in "aA":
        return None
    precision = conversion.precision if isinstance(conversion.precision, int) else 6
    with localcontext() as context:
        context.prec = EXACT_DIGITS
        context.rounding = ROUND_HALF_EVEN
        value = Decimal(mantissa) * Decimal(2) ** (max(exponent, 1) - LONG_DOUBLE_BIAS - 63)
        digits = _decimal(value, letter, precision, alternate="#" in conversion.flags)
    return _field(conversion, sign_of(conversion, negative), digits, zeros=True)


def _decimal(value: Decimal, letter: str, precision: int, *, alternate: bool) -> str:
    point = "." if alternate and precision == 0 else ""
    if letter in "fF":
        return f"{value:.{precision}f}" + point
    if letter in "eE":
        return _exponent(value, precision, letter, point)
    precision = precision or 1
    scientific = _exponent(value, precision - 1, letter, "")
    power = int(scientific.lower().partition("e")[2])
    if -4 <= power < precision:
        digits, tail = f"{value:.{precision - 1 - power}f}", ""
    else:
        mark = "e" if letter == "g" else "E"
        digits, _, exponent = scientific.partition(mark)
        tail = mark + exponent
    if not alternate and "." in digits:
        digits = digits.rstrip("0").rstrip(".")
    return digits + tail


def _exponent(value: Decimal, precision: int, letter: str, point: str) -> str:
    mark = "E" if letter.isupper() else "e"
    mantissa, _, exponent = f"{value:.{precision}e}".partition("e")
    power = int(exponent) if value else 0
    return f"{mantissa}{point}{mark}{'-' if power < 0 else '+'}{abs(power):02d}"


def format_pointer(conversion: Conversion, value: int) -> bytes:
    """A pointer as printf("%p") writes it."""
    return _field(conversion, "", f"{value:#x}" if value else "(nil)", zeros=False)


def pad_text(conversion: Conversion, count: int) -> tuple[int, int]:
    """Blanks before and behind a text of ``count`` characters."""
    missing = max(0, conversion.least - count)
    return (0, missing) if "-" in conversion.flags else (missing, 0)
