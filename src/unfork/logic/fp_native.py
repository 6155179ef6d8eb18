"""Operations on float and double through the machine's own arithmetic, where that is exactly what fp_exact computes.

A float operation is done in double and rounded again: 53 bits are enough for +, -, *, / and the square root of 24-bit
numbers to make the second rounding harmless. fma is not among them.
"""

from __future__ import annotations

from collections.abc import Callable
from math import copysign, fmod, sqrt
from operator import add, mul, sub
from struct import Struct
from typing import Any

from unfork.logic.fp_format import FORMATS

Binary = Callable[[int, int], int]
Unary = Callable[[int], int]
Predicate = Callable[[int, int], bool]
_Codecs = tuple[
    Callable[[int, int], bytes],
    Callable[[bytes], tuple[Any, ...]],
    Callable[[float], bytes],
    Callable[[bytes], tuple[Any, ...]],
]

_SHAPES = {"float": ("=I", "=f", "=II", "=ff"), "double": ("=Q", "=d", "=QQ", "=dd")}
_NATIVE_FLOAT = Struct("@f")


def binary(op: str, name: str) -> Binary | None:
    """add, sub, mul, div or rem of "float" or "double"; None where fp_exact must do it."""
    operate = {"add": add, "sub": sub, "mul": mul, "div": _divide, "rem": _remainder}.get(op)
    if operate is None or name not in _SHAPES:
        return None
    pack_bits, unpack_bits, pack_number, unpack_pair = _codecs(name)
    nan = FORMATS[name].nan

    def run(a: int, b: int) -> int:
        x, y = unpack_pair(pack_bits(a, b))
        z = operate(x, y)
        if z != z:
            return nan
        return unpack_bits(pack_number(z))[0]  # type: ignore[no-any-return]  # struct is untyped

    return run


def square_root(name: str) -> Unary | None:
    """The square root of "float" or "double"."""
    if name not in _SHAPES:
        return None
    _, unpack_bits, pack_number, _ = _codecs(name)
    one_bits, one_number = Struct(_SHAPES[name][0]).pack, Struct(_SHAPES[name][1]).unpack
    nan = FORMATS[name].nan

    def run(a: int) -> int:
        x = one_number(one_bits(a))[0]
        if x != x or x < 0.0:
            return nan
        return unpack_bits(pack_number(sqrt(x)))[0]  # type: ignore[no-any-return]  # struct is untyped

    return run


def predicate(name: str, holds: Callable[[float, float], bool]) -> Predicate:
    """A comparison of "float" or "double" that ``holds`` tells of their values."""
    pack_bits, _, _, unpack_pair = _codecs(name)

    def run(a: int, b: int) -> bool:
        x, y = unpack_pair(pack_bits(a, b))
        return holds(x, y)

    return run


def to_number(bits: int, name: str) -> float:
    """The value of a pattern of "float" or "double"."""
    bits_shape, number_shape, _, _ = _SHAPES[name]
    return Struct(number_shape).unpack(Struct(bits_shape).pack(bits))[0]  # type: ignore[no-any-return]  # untyped


def from_number(value: float, name: str) -> int:
    """The pattern of "float" or "double" nearest to ``value``; any NaN is the default one."""
    if value != value:
        return FORMATS[name].nan
    _, unpack_bits, pack_number, _ = _codecs(name)
    return unpack_bits(pack_number(value))[0]  # type: ignore[no-any-return]  # struct is untyped


def _codecs(name: str) -> _Codecs:
    """Functions: two patterns to bytes, bytes to a pattern, a number to bytes, bytes to two numbers."""
    bits_shape, number_shape, bits_pair, number_pair = _SHAPES[name]
    # In its standard mode struct refuses to round a double up to an infinite float; in native mode it is a C cast.
    pack_number = _NATIVE_FLOAT.pack if name == "float" else Struct(number_shape).pack
    return Struct(bits_pair).pack, Struct(bits_shape).unpack, pack_number, Struct(number_pair).unpack


def _divide(x: float, y: float) -> float:
    if y:
        return x / y
    if not x or x != x or y != y:
        return float("nan")
    return copysign(float("inf"), x) * copysign(1.0, y)


def _remainder(x: float, y: float) -> float:
    if x - x != 0.0 or not y or y != y:
        return float("nan")
    return fmod(x, y)
