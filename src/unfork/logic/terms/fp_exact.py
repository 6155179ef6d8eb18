"""Exact software floating point: every operation on bit patterns of every format, in Python integers.

Rounds once, to nearest, ties to even; NaN results follow the rule of fp_format.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import isqrt

from unfork.logic.terms.fp_format import FloatFormat, FloatNumber, pack, unpack

Operation = Callable[..., int]
"""From patterns of a format, the first argument, to a pattern of it."""


def add(fmt: FloatFormat, a: int, b: int) -> int:
    """The sum; an exact zero is negative only if both operands are."""
    return _sum(fmt, unpack(a, fmt), unpack(b, fmt))


def subtract(fmt: FloatFormat, a: int, b: int) -> int:
    """The difference."""
    x, y = unpack(a, fmt), unpack(b, fmt)
    return _sum(fmt, x, y._replace(sign=1 - y.sign))


def multiply(fmt: FloatFormat, a: int, b: int) -> int:
    """The product; zero times infinity is a NaN."""
    return _round(fmt, _product(unpack(a, fmt), unpack(b, fmt)))


def fused(fmt: FloatFormat, a: int, b: int, c: int) -> int:
    """The value of a * b + c, rounded once."""
    return _sum(fmt, _product(unpack(a, fmt), unpack(b, fmt)), unpack(c, fmt))


def divide(fmt: FloatFormat, a: int, b: int) -> int:
    """The quotient; x/0 is infinite, 0/0 and infinity/infinity are NaN."""
    x, y = unpack(a, fmt), unpack(b, fmt)
    sign = x.sign ^ y.sign
    if x.kind == "nan" or y.kind == "nan":
        return fmt.nan
    if x.kind == y.kind and (x.kind == "infinite" or not x.mantissa | y.mantissa):
        return fmt.nan
    if x.kind == "infinite" or (y.kind == "finite" and not y.mantissa):
        return _special(fmt, FloatNumber("infinite", sign, 0, 0))
    if y.kind == "infinite" or not x.mantissa:
        return fmt.sign * sign
    shift = max(0, fmt.precision + 2 - x.mantissa.bit_length() + y.mantissa.bit_length())
    quotient, rest = divmod(x.mantissa << shift, y.mantissa)
    return pack(sign, quotient, x.exponent - y.exponent - shift, fmt, sticky=rest != 0)


def _remainder(fmt: FloatFormat, a: int, b: int, *, nearest: bool) -> int:
    """The exact value of a - b * n, where n is a / b cut to an integer, or the nearest one with ties to even.

    C's fmod and remainder. A zero result has the sign of a.
    """
    x, y = unpack(a, fmt), unpack(b, fmt)
    if x.kind != "finite" or y.kind == "nan" or (y.kind == "finite" and not y.mantissa):
        return fmt.nan
    if y.kind == "infinite":
        return _round(fmt, x)
    exponent = min(x.exponent, y.exponent)
    # Twice the divisor shows the parity of the quotient, so that the quotient's size does not matter.
    size = y.mantissa << (y.exponent - exponent)
    rest = x.mantissa * pow(2, x.exponent - exponent, 2 * size) % (2 * size)
    odd, rest = divmod(rest, size)
    sign = x.sign
    if nearest and (2 * rest > size or (2 * rest == size and odd)):
        rest, sign = size - rest, 1 - sign
    return pack(sign, rest, exponent, fmt, sticky=False)


def next_toward(fmt: FloatFormat, a: int, b: int) -> int:
    """C's nextafter: the neighbour of a on the side of b, or b where they are equal."""
    x, y = unpack(a, fmt), unpack(b, fmt)
    if x.kind == "nan" or y.kind == "nan":
        return fmt.nan
    order = order_of(fmt, x, y)
    if order == 0:
        return _round(fmt, y)
    if x.kind == "finite" and not x.mantissa:
        return (fmt.sign if y.sign else 0) | 1
    step = 1 if (order < 0) != bool(x.sign) else -1
    bits = _round(fmt, x)
    size = bits & (fmt.sign - 1)
    if not fmt.explicit:
        return (bits & fmt.sign) | size + step
    leading = 1 << (fmt.precision - 1)  # implicit: it follows from the exponent
    field, fraction = divmod(
        ((size >> fmt.fraction_bits) << (fmt.precision - 1) | size & (leading - 1)) + step, leading
    )
    return (bits & fmt.sign) | field << fmt.fraction_bits | (leading if field else 0) | fraction


def square_root(fmt: FloatFormat, a: int) -> int:
    """The square root; -0 stays, other negative numbers give a NaN."""
    x = unpack(a, fmt)
    if x.kind == "nan" or (x.sign and (x.mantissa or x.kind == "infinite")):
        return fmt.nan
    if x.kind == "infinite" or not x.mantissa:
        return _special(fmt, x)
    shift = max(0, 2 * fmt.precision + 4 - x.mantissa.bit_length())
    shift += (x.exponent - shift) & 1
    scaled = x.mantissa << shift
    root = isqrt(scaled)
    return pack(0, root, (x.exponent - shift) // 2, fmt, sticky=root * root != scaled)


def _integral(fmt: FloatFormat, a: int, up: Callable[[int, int, int, int], int | bool]) -> int:
    """An integral neighbour of a, away from zero if ``up`` says so; a zero result has the sign of a.

    ``up`` gets the sign, the whole part, the rest, and the value of one half.
    """
    x = unpack(a, fmt)
    if x.kind != "finite" or x.exponent >= 0:
        return _round(fmt, x)
    shift = -x.exponent
    whole = x.mantissa >> shift
    rest = x.mantissa - (whole << shift)
    if up(x.sign, whole, rest, 1 << (shift - 1)):
        whole += 1
    return pack(x.sign, whole, 0, fmt, sticky=False)


def _select(fmt: FloatFormat, a: int, b: int, *, smaller: bool, nan_wins: bool) -> int:
    """The smaller or the greater, where -0 is below +0; of a NaN and a number, the NaN if ``nan_wins``."""
    x, y = unpack(a, fmt), unpack(b, fmt)
    if x.kind == "nan" or y.kind == "nan":
        if nan_wins or x.kind == y.kind:
            return fmt.nan
        chosen = x if y.kind == "nan" else y
    else:
        order = order_of(fmt, x, y)
        first = bool(x.sign) == smaller if order == 0 else (order < 0) == smaller
        chosen = x if first else y
    return _round(fmt, chosen)


# --- signs: any pattern, NaN or not ---


def negate(fmt: FloatFormat, a: int) -> int:
    """The pattern with its sign bit flipped."""
    return a ^ fmt.sign


def absolute(fmt: FloatFormat, a: int) -> int:
    """The pattern with its sign bit cleared."""
    return a & ~fmt.sign


def copy_sign(fmt: FloatFormat, a: int, b: int) -> int:
    """The pattern a with the sign bit of b."""
    return (a & ~fmt.sign) | (b & fmt.sign)


# --- order ---


def order_of(fmt: FloatFormat, x: FloatNumber, y: FloatNumber) -> int:
    """Negative, zero or positive as x is below, equal to or above y; neither is a NaN."""
    return _signed_size(fmt, x) - _signed_size(fmt, y)


def _signed_size(fmt: FloatFormat, x: FloatNumber) -> int:
    """An integer that orders numbers as their values do: the exponent above the normalised mantissa."""
    if x.kind == "infinite":
        size = 1 << (fmt.width + fmt.precision)
    elif not x.mantissa:
        size = 0
    else:
        length = x.mantissa.bit_length()
        order = x.exponent + length - fmt.least
        size = (order << fmt.precision) + (x.mantissa << (fmt.precision - length))
    return -size if x.sign else size


# --- parts ---


def _sum(fmt: FloatFormat, x: FloatNumber, y: FloatNumber) -> int:
    """The sum rounded; the mantissas may be longer than the format's."""
    if x.kind != "finite" or y.kind != "finite":
        if x.kind == "nan" or y.kind == "nan" or (x.kind == y.kind and x.sign != y.sign):
            return fmt.nan
        return _special(fmt, x if x.kind == "infinite" else y)
    exponent = min(x.exponent, y.exponent)
    left = x.mantissa << (x.exponent - exponent)
    right = y.mantissa << (y.exponent - exponent)
    total = (-left if x.sign else left) + (-right if y.sign else right)
    if not total:
        return fmt.sign if x.sign and y.sign else 0
    return pack(int(total < 0), abs(total), exponent, fmt, sticky=False)


def _product(x: FloatNumber, y: FloatNumber) -> FloatNumber:
    sign = x.sign ^ y.sign
    if x.kind == "finite" and y.kind == "finite":
        return FloatNumber("finite", sign, x.mantissa * y.mantissa, x.exponent + y.exponent)
    if x.kind == "nan" or y.kind == "nan":
        return FloatNumber("nan", sign, 0, 0)
    if (x.kind == "finite" and not x.mantissa) or (y.kind == "finite" and not y.mantissa):
        return FloatNumber("nan", sign, 0, 0)
    return FloatNumber("infinite", sign, 0, 0)


def _round(fmt: FloatFormat, x: FloatNumber) -> int:
    return pack(x.sign, x.mantissa, x.exponent, fmt, sticky=False) if x.kind == "finite" else _special(fmt, x)


def _special(fmt: FloatFormat, x: FloatNumber) -> int:
    """A NaN, an infinity or a zero."""
    if x.kind == "nan":
        return fmt.nan
    return (fmt.sign if x.sign else 0) | (fmt.infinity if x.kind == "infinite" else 0)


def _is_nearer_even(sign: int, whole: int, rest: int, half: int) -> int | bool:
    """Whether a value between two integral ones is rounded up: to nearest, ties to even."""
    return rest > half or (rest == half and whole & 1)


_TO_EVEN = partial(_integral, up=_is_nearer_even)
OPERATIONS: dict[str, Operation] = {
    "add": add,
    "sub": subtract,
    "mul": multiply,
    "div": divide,
    "rem": partial(_remainder, nearest=False),
    "remainder": partial(_remainder, nearest=True),
    "nextafter": next_toward,
    "fma": fused,
    "sqrt": square_root,
    "floor": partial(_integral, up=lambda sign, whole, rest, half: sign and rest > 0),
    "ceil": partial(_integral, up=lambda sign, whole, rest, half: not sign and rest > 0),
    "trunc": partial(_integral, up=lambda sign, whole, rest, half: False),
    "rint": _TO_EVEN,
    "nearbyint": _TO_EVEN,
    "roundeven": _TO_EVEN,
    "round": partial(_integral, up=lambda sign, whole, rest, half: rest >= half),
    "min": partial(_select, smaller=True, nan_wins=False),
    "max": partial(_select, smaller=False, nan_wins=False),
    "minimum": partial(_select, smaller=True, nan_wins=True),
    "maximum": partial(_select, smaller=False, nan_wins=True),
    "neg": negate,
    "abs": absolute,
    "copysign": copy_sign,
}
