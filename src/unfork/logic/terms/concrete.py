"""The meaning of every bit-vector operator on Python ints, as SMT-LIB defines it."""

from __future__ import annotations

from collections.abc import Callable


def signed(a: int, width: int) -> int:
    """The two's complement reading of ``a``."""
    return a - (1 << width) if a >> width - 1 else a


def add(a: int, b: int, width: int) -> int:
    """The sum modulo 2**width."""
    return a + b & (1 << width) - 1


def sub(a: int, b: int, width: int) -> int:
    """The difference modulo 2**width."""
    return a - b & (1 << width) - 1


def mul(a: int, b: int, width: int) -> int:
    """The product modulo 2**width."""
    return a * b & (1 << width) - 1


def udiv(a: int, b: int, width: int) -> int:
    """All ones for a divisor of 0."""
    return a // b if b else (1 << width) - 1


def urem(a: int, b: int, width: int) -> int:
    """The dividend for a divisor of 0."""
    return a % b if b else a


def sdiv(a: int, b: int, width: int) -> int:
    """Rounds towards zero; division by zero gives -1 for a dividend >= 0 and 1 for one below."""
    x, y = signed(a, width), signed(b, width)
    if y == 0:
        return 1 if x < 0 else (1 << width) - 1
    quotient = abs(x) // abs(y)
    return (quotient if (x < 0) == (y < 0) else -quotient) & (1 << width) - 1


def srem(a: int, b: int, width: int) -> int:
    """The sign follows the dividend; the remainder by zero is the dividend."""
    x, y = signed(a, width), signed(b, width)
    if y == 0:
        return a
    remainder = abs(x) % abs(y)
    return (-remainder if x < 0 else remainder) & (1 << width) - 1


def not_(a: int, width: int) -> int:
    """Every bit inverted."""
    return a ^ (1 << width) - 1


def neg(a: int, width: int) -> int:
    """Zero minus ``a``."""
    return -a & (1 << width) - 1


def sext(a: int, from_width: int, to_width: int) -> int:
    """Copies of the top bit above."""
    return a | (1 << to_width) - (1 << from_width) if a >> from_width - 1 else a


# Operators on two operands of one width; the third argument is that width.
BINARY: dict[str, Callable[[int, int, int], int]] = {
    "add": add,
    "mul": mul,
    "udiv": udiv,
    "urem": urem,
    "sdiv": sdiv,
    "srem": srem,
    "and": lambda a, b, width: a & b,
    "or": lambda a, b, width: a | b,
    "xor": lambda a, b, width: a ^ b,
    # An amount of at least the width gives zeros, or copies of the top bit.
    "shl": lambda a, b, width: a << b & (1 << width) - 1 if b < width else 0,
    "lshr": lambda a, b, width: a >> b if b < width else 0,
    "ashr": lambda a, b, width: signed(a, width) >> min(b, width) & (1 << width) - 1,
    "eq": lambda a, b, width: 1 if a == b else 0,
    "ult": lambda a, b, width: 1 if a < b else 0,
    "slt": lambda a, b, width: 1 if a ^ 1 << width - 1 < b ^ 1 << width - 1 else 0,
}
