"""Floating-point formats as bit patterns: the number of a pattern, and rounding an exact number to a pattern.

The NaN rule of unfork: every arithmetic operation, rounding or conversion that gives a NaN gives the one default NaN of
its format, which is x86's (sign set, quiet bit set, payload zero). An operand's payload and whether it signals make no
difference. Negation, absolute value and copysign change the sign bit of any pattern.

An x86_fp80 pattern stores the leading bit of its significand. With exponent 0 and that bit set (pseudo-denormal) it has
the value of the same pattern with exponent 1; with any other exponent and that bit clear (unnormal, pseudo-infinity) it
is invalid and counts as a NaN. No operation makes either.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class FloatFormat:
    """A binary interchange format, or x86's extended one, whose leading significand bit is ``explicit``.

    ``precision`` counts the bits of the significand with the leading one, ``exponent_bits`` those of the exponent
    field. ``least`` is the exponent of a subnormal number's lowest bit; a finite number is m * 2**e with m <
    2**precision and e >= least.
    """

    name: str
    width: int
    exponent_bits: int
    precision: int
    explicit: bool
    least: int
    top_exponent: int
    """The exponent field of infinities and NaNs."""
    fraction_bits: int
    """The bits below the exponent field."""
    nan: int
    """The default NaN."""
    infinity: int
    sign: int
    """The mask of the sign bit."""

    def is_within(self, other: FloatFormat) -> bool:
        """Whether ``other`` has all numbers of this format."""
        return self.precision <= other.precision and self.exponent_bits <= other.exponent_bits


def _format(name: str, exponent_bits: int, precision: int, explicit_bits: int) -> FloatFormat:
    fraction_bits = precision - 1 + explicit_bits
    width = 1 + exponent_bits + fraction_bits
    top = (1 << exponent_bits) - 1
    bias = top >> 1
    infinity = top << fraction_bits | (explicit_bits << (precision - 1))
    sign = 1 << (width - 1)
    return FloatFormat(
        name=name,
        width=width,
        exponent_bits=exponent_bits,
        precision=precision,
        explicit=bool(explicit_bits),
        least=2 - bias - precision,
        top_exponent=top,
        fraction_bits=fraction_bits,
        nan=sign | infinity | 1 << (precision - 2),
        infinity=infinity,
        sign=sign,
    )


FORMATS = {
    "half": _format("half", 5, 11, 0),
    "bfloat": _format("bfloat", 8, 8, 0),
    "float": _format("float", 8, 24, 0),
    "double": _format("double", 11, 53, 0),
    "x86_fp80": _format("x86_fp80", 15, 64, 1),
    "fp128": _format("fp128", 15, 113, 0),
}


class FloatNumber(NamedTuple):
    """The number of a pattern: (-1)**sign * mantissa * 2**exponent, an infinity, or a NaN."""

    kind: str
    """"finite", "infinite" or "nan"."""
    sign: int
    mantissa: int
    exponent: int


def unpack(bits: int, fmt: FloatFormat) -> FloatNumber:
    """The number of a pattern; its mantissa is below 2**precision, and 0 for zeros."""
    fraction = bits & ((1 << fmt.fraction_bits) - 1)
    field = bits >> fmt.fraction_bits & fmt.top_exponent
    sign = bits >> (fmt.width - 1)
    leading = 1 << (fmt.precision - 1)
    if fmt.explicit:
        if field and not fraction & leading:
            return FloatNumber("nan", sign, 0, 0)
        fraction &= leading - 1 if field == fmt.top_exponent else ~0
    elif 0 < field < fmt.top_exponent:
        fraction |= leading
    if field == fmt.top_exponent:
        return FloatNumber("nan" if fraction else "infinite", sign, 0, 0)
    return FloatNumber("finite", sign, fraction, fmt.least + (field or 1) - 1)


def pack(sign: int, mantissa: int, exponent: int, fmt: FloatFormat, sticky: bool) -> int:
    """The pattern nearest to (-1)**sign * mantissa * 2**exponent, ties to even; too large gives infinity.

    ``sticky`` adds something positive below one unit of ``mantissa``, which then has at least precision + 2 bits.
    """
    precision = fmt.precision
    target = max(exponent + mantissa.bit_length() - precision, fmt.least)
    shift = target - exponent
    if shift > 0:
        kept = mantissa >> shift
        rest = mantissa - (kept << shift)
        half = 1 << (shift - 1)
        if rest > half or (rest == half and (sticky or kept & 1)):
            kept += 1
            if kept >> precision:
                kept >>= 1
                target += 1
    else:
        kept = mantissa << -shift
    field = target - fmt.least + 1
    negative = fmt.sign if sign else 0
    if not kept >> (precision - 1):
        return negative | kept
    if field >= fmt.top_exponent:
        return negative | fmt.infinity
    if not fmt.explicit:
        kept -= 1 << (precision - 1)
    return negative | field << fmt.fraction_bits | kept
