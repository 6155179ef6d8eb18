"""Floating-point arithmetic on bit patterns: exact, rounded to nearest with ties to even, in every format of x86.

Formats have LLVM's names. fp_format states the NaN rule, which the solvers' encoding shares bit for bit. Float and
double use the machine's own operations where these equal fp_exact's.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from functools import cache
from math import copysign, fmod, nan, sqrt
from operator import add, eq, ge, gt, le, lt, mul, sub
from struct import Struct
from typing import Any

from unfork.logic.terms import fp_exact
from unfork.logic.terms.fp_format import FORMATS, pack, unpack

WIDTHS = {name: fmt.width for name, fmt in FORMATS.items()}
OPERATIONS = frozenset(fp_exact.OPERATIONS)


def default_nan(name: str) -> int:
    """The NaN that operations of a format yield."""
    return FORMATS[name].nan


# --- Python's numbers ---


_LETTERS = {"float": ("I", "f"), "double": ("Q", "d")}
"""Codes of the struct module for patterns and numbers of these formats."""
_PACK_NUMBER = {"float": Struct("@f").pack, "double": Struct("=d").pack}
"""In standard mode, struct refuses to round a double up to an infinite float; in native mode it casts as C does."""


def _codec(name: str, count: int) -> tuple[Callable[..., bytes], Callable[[bytes], tuple[Any, ...]]]:
    """Functions between ``count`` patterns of "float" or "double", bytes, and Python numbers."""
    bits, number = _LETTERS[name]
    return Struct("=" + count * bits).pack, Struct("=" + count * number).unpack


def _to_number(pattern: int, name: str) -> float:
    bits, number = _LETTERS[name]
    return struct.unpack("=" + number, struct.pack("=" + bits, pattern))[0]  # type: ignore[no-any-return]  # untyped


def _from_number(value: float, name: str) -> int:
    """The pattern of "float" or "double" nearest to ``value``; any NaN is the default one."""
    if value != value:
        return FORMATS[name].nan
    return struct.unpack("=" + _LETTERS[name][0], _PACK_NUMBER[name](value))[0]  # type: ignore[no-any-return]  # untyped


def _divide(x: float, y: float) -> float:
    if y:
        return x / y
    if not x or x != x or y != y:
        return nan
    return copysign(float("inf"), x) * copysign(1.0, y)


def _remainder(x: float, y: float) -> float:
    if x - x != 0.0 or not y or y != y:
        return nan
    return fmod(x, y)


def _square_root(x: float) -> float:
    return nan if x < 0.0 else sqrt(x)


# A float operation runs in double and is rounded again: for +, -, *, / and the square root of 24-bit numbers, 53 bits
# make the second rounding harmless. Not for fma.
_NATIVE: dict[str, Callable[..., float]] = {
    "add": add,
    "sub": sub,
    "mul": mul,
    "div": _divide,
    "rem": _remainder,
    "sqrt": _square_root,
}


# --- arithmetic ---


@cache
def operation(op: str, name: str) -> Callable[..., int]:
    """The operation ``op`` (a member of OPERATIONS) as a function on patterns of a format."""
    operate = _NATIVE.get(op)
    if operate is not None and name in _LETTERS:
        return _native(operate, name, 1 if op == "sqrt" else 2)
    exact, fmt = fp_exact.OPERATIONS[op], FORMATS[name]
    return lambda *bits: exact(fmt, *bits)


def _native(operate: Callable[..., float], name: str, operands: int) -> Callable[..., int]:
    """An operation on Python numbers as one on patterns."""
    pack_bits, unpack_numbers = _codec(name, operands)
    pack_number, unpack_bits = _PACK_NUMBER[name], Struct("=" + _LETTERS[name][0]).unpack
    default = FORMATS[name].nan

    def run(*bits: int) -> int:
        number = operate(*unpack_numbers(pack_bits(*bits)))
        return default if number != number else unpack_bits(pack_number(number))[0]

    return run


def arithmetic(op: str, name: str, *bits: int) -> int:
    """The result of one of OPERATIONS.

    rem is C's fmod; rint and nearbyint round as roundeven does, the default mode. min and max are C's fmin and fmax (a
    NaN loses); with minimum and maximum a NaN wins; -0 is below +0 in all four.
    """
    return operation(op, name)(*bits)


# --- comparison ---


def is_nan(bits: int, name: str) -> bool:
    """Whether the pattern is a NaN; invalid x86_fp80 patterns are."""
    fmt = FORMATS[name]
    if fmt.explicit:
        return unpack(bits, fmt).kind == "nan"
    return bits & ~fmt.sign > fmt.infinity


_ORDERS: dict[str, Callable[[float, float], bool]] = {
    "eq": eq,
    "lt": lt,
    "le": le,
    "gt": gt,
    "ge": ge,
    "ne": lambda x, y: x < y or x > y,
    "rd": lambda x, y: x == x and y == y,
}


@cache
def predicate(name: str, fmt_name: str) -> Callable[[int, int], bool]:
    """LLVM's fcmp predicate ``name`` as a function on patterns of a format."""
    if name in ("true", "false"):
        constant = name == "true"
        return lambda a, b: constant
    holds = _order(name)
    if fmt_name in _LETTERS:
        pack_bits, unpack_numbers = _codec(fmt_name, 2)
        return lambda a, b: holds(*unpack_numbers(pack_bits(a, b)))
    fmt = FORMATS[fmt_name]

    def run(a: int, b: int) -> bool:
        x, y = unpack(a, fmt), unpack(b, fmt)
        is_unordered = x.kind == "nan" or y.kind == "nan"
        return holds(nan if is_unordered else fp_exact.order_of(fmt, x, y), 0)

    return run


def _order(name: str) -> Callable[[float, float], bool]:
    """A predicate on Python numbers: for a NaN, false if its name begins with an o, else true."""
    if name == "uno":
        return lambda x, y: x != x or y != y
    holds = _ORDERS[name[1:]]
    return holds if name[0] == "o" else lambda x, y: x != x or y != y or holds(x, y)


def compare(name: str, fmt_name: str, a: int, b: int) -> bool:
    """LLVM's fcmp: false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true."""
    return predicate(name, fmt_name)(a, b)


def classify(bits: int, name: str) -> str:
    """ "signaling-nan", "quiet-nan", "infinite", "normal", "subnormal" or "zero"."""
    fmt = FORMATS[name]
    number = unpack(bits, fmt)
    if number.kind == "nan":
        quiet = bits >> (fmt.precision - 2) & 1
        return "quiet-nan" if quiet else "signaling-nan"
    if number.kind == "infinite":
        return "infinite"
    if not number.mantissa:
        return "zero"
    return "normal" if bits & ~fmt.sign >= 1 << fmt.fraction_bits else "subnormal"


# --- conversion ---


def convert(bits: int, source: str, target: str) -> int:
    """The number in another format."""
    if (source, target) in (("float", "double"), ("double", "float")):
        return _from_number(_to_number(bits, source), target)
    to = FORMATS[target]
    number = unpack(bits, FORMATS[source])
    if number.kind == "finite":
        return pack(number.sign, number.mantissa, number.exponent, to, sticky=False)
    if number.kind == "nan":
        return to.nan
    return (to.sign if number.sign else 0) | to.infinity


def from_int(value: int, width: int, signed: bool, name: str) -> int:
    """The number nearest to an integer of ``width`` bits."""
    if signed and value >> (width - 1):
        value -= 1 << width
    if name == "double" or (name == "float" and -(1 << 53) <= value <= 1 << 53):
        return _from_number(float(value), name)
    return pack(int(value < 0), abs(value), 0, FORMATS[name], sticky=False)


def to_int(bits: int, name: str, width: int, signed: bool) -> int | None:
    """The number rounded toward zero as a pattern of ``width`` bits; None for a NaN and where it does not fit."""
    value = truncate(bits, name)
    if value is None:
        return None
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if signed else (0, (1 << width) - 1)
    return value & ((1 << width) - 1) if low <= value <= high else None


def truncate(bits: int, name: str) -> int | None:
    """The number rounded toward zero, of any size; None for infinities and NaNs."""
    number = unpack(bits, FORMATS[name])
    if number.kind != "finite":
        return None
    exponent = number.exponent
    size = number.mantissa << exponent if exponent >= 0 else number.mantissa >> -exponent
    return -size if number.sign else size


# --- Python's numbers ---


def from_float(value: float, name: str) -> int:
    """The pattern nearest to a Python float."""
    if name in ("float", "double"):
        return _from_number(value, name)
    return convert(_from_number(value, "double"), "double", name)


def to_float(bits: int, name: str) -> float:
    """The Python float nearest to a pattern, for printing and for functions computed in double."""
    if name in ("float", "double"):
        return _to_number(bits, name)
    return _to_number(convert(bits, name, "double"), "double")


def scale(bits: int, power: int, name: str) -> int:
    """C's ldexp: the number times 2**power, rounded once."""
    fmt = FORMATS[name]
    number = unpack(bits, fmt)
    if number.kind == "nan":
        return fmt.nan
    if number.kind == "infinite" or not number.mantissa:
        return bits
    reach = 2 * (fmt.top_exponent + fmt.precision)
    return pack(number.sign, number.mantissa, number.exponent + max(-reach, min(reach, power)), fmt, sticky=False)


def split(bits: int, name: str) -> tuple[int, int]:
    """C's frexp: a fraction in [1/2, 1) and a power of two whose product is the number; the power is 0 for zero,
    infinities and NaNs.
    """
    fmt = FORMATS[name]
    number = unpack(bits, fmt)
    if number.kind == "nan":
        return fmt.nan, 0
    if number.kind == "infinite" or not number.mantissa:
        return bits, 0
    length = number.mantissa.bit_length()
    return pack(number.sign, number.mantissa, -length, fmt, sticky=False), number.exponent + length
