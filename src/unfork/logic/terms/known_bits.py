"""Facts about a term from those of its operands: bits that are always 0 or 1, and an unsigned range.

Each rule returns ``(zeros, ones, low, high)``: the masks of the bits known to be 0 and to be 1, and inclusive bounds of
the value read as unsigned. Law: every value that the term can take agrees with all four.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from unfork.logic.terms.term import Term

Facts = tuple[int, int, int, int]
Rule = Callable[[int, "tuple[Term, ...]", int], Facts]


def meet(width: int, zeros: int, ones: int, low: int, high: int) -> Facts:
    """Tighten the range by the known bits, and know the leading bits that both bounds share."""
    mask = (1 << width) - 1
    if ones > low:
        low = ones
    top = mask ^ zeros
    if top < high:
        high = top
    varying = (low ^ high).bit_length()
    if varying < width:
        leading = mask >> varying << varying
        ones |= low & leading
        zeros |= ~low & leading
    return zeros, ones, low, high


def trailing_zeros(term: Term) -> int:
    """How many of the lowest bits are known to be 0."""
    unknown = ~term.zeros
    return (unknown & -unknown).bit_length() - 1


def _not(width: int, args: tuple[Term, ...], parameter: int) -> Facts:
    a = args[0]
    mask = (1 << width) - 1
    return a.ones, a.zeros, mask ^ a.high, mask ^ a.low


def _neg(width: int, args: tuple[Term, ...], parameter: int) -> Facts:
    a = args[0]
    zeros = (1 << trailing_zeros(a)) - 1 & (1 << width) - 1
    if a.low > 0:
        return meet(width, zeros, 0, (1 << width) - a.high, (1 << width) - a.low)
    return meet(width, zeros, 0, 0, (1 << width) - 1)


def _and(width: int, args: tuple[Term, ...], parameter: int) -> Facts:
    a, b = args
    return meet(width, a.zeros | b.zeros, a.ones & b.ones, 0, min(a.high, b.high))


def _or(width: int, args: tuple[Term, ...], parameter: int) -> Facts:
    a, b = args
    return meet(width, a.zeros & b.zeros, a.ones | b.ones, max(a.low, b.low), (1 << width) - 1)


def _xor(width: int, args: tuple[Term, ...], parameter: int) -> Facts:
    a, b = args
    zeros = a.zeros & b.zeros | a.ones & b.ones
    return meet(width, zeros, a.zeros & b.ones | a.ones & b.zeros, 0, (1 << width) - 1)


def _add(width: int, args: tuple[Term, ...], parameter: int) -> Facts:
    a, b = args
    mask = (1 << width) - 1
    low, high = a.low + b.low, a.high + b.high
    if low > mask:
        low, high = low & mask, high & mask
    elif high > mask:
        low, high = 0, mask
    known_a, known_b = a.zeros | a.ones, b.zeros | b.ones
    if not known_a or not known_b:
        return (0, 0, low, high) if low == 0 and high == mask else meet(width, 0, 0, low, high)
    # A bit of the sum is known where both operand bits and the incoming carry are: where the carries of the least and
    # of the greatest possible sum agree.
    least = a.ones + b.ones
    greatest = (mask ^ a.zeros) + (mask ^ b.zeros)
    carries_zero = ~(greatest ^ a.zeros ^ b.zeros)
    carries_one = least ^ a.ones ^ b.ones
    known = known_a & known_b & (carries_zero | carries_one)
    return meet(width, ~greatest & known, least & known, low, high)


def _mul(width: int, args: tuple[Term, ...], parameter: int) -> Facts:
    a, b = args
    mask = (1 << width) - 1
    zeros = (1 << trailing_zeros(a) + trailing_zeros(b)) - 1 & mask
    high = a.high * b.high
    return meet(width, zeros, 0, a.low * b.low, high) if high <= mask else meet(width, zeros, 0, 0, mask)


def _udiv(width: int, args: tuple[Term, ...], parameter: int) -> Facts:
    a, b = args
    low = a.low // b.high if b.high else 0
    return meet(width, 0, 0, low, a.high // b.low if b.low else (1 << width) - 1)


def _urem(width: int, args: tuple[Term, ...], parameter: int) -> Facts:
    a, b = args
    if a.high < b.low:
        return a.zeros, a.ones, a.low, a.high
    return meet(width, 0, 0, 0, min(a.high, b.high - 1) if b.low else a.high)


def _sdiv(width: int, args: tuple[Term, ...], parameter: int) -> Facts:
    a, b = args
    half = 1 << width - 1
    return _udiv(width, args, parameter) if a.high < half and b.high < half and b.low else (0, 0, 0, 2 * half - 1)


def _srem(width: int, args: tuple[Term, ...], parameter: int) -> Facts:
    a, b = args
    half = 1 << width - 1
    return _urem(width, args, parameter) if a.high < half and b.high < half else (0, 0, 0, 2 * half - 1)


def _shl(width: int, args: tuple[Term, ...], parameter: int) -> Facts:
    a, b = args
    mask = (1 << width) - 1
    zeros = (1 << min(width, trailing_zeros(a) + b.low)) - 1 & mask
    if b.high < width and a.high << b.high <= mask:
        return meet(width, zeros, 0, a.low << b.low, a.high << b.high)
    return meet(width, zeros, 0, 0, mask)


def _lshr(width: int, args: tuple[Term, ...], parameter: int) -> Facts:
    a, b = args
    return meet(width, 0, 0, a.low >> min(b.high, width), a.high >> min(b.low, width))


def _ashr(width: int, args: tuple[Term, ...], parameter: int) -> Facts:
    a, _ = args
    return _lshr(width, args, parameter) if a.high < 1 << width - 1 else (0, 0, 0, (1 << width) - 1)


def _ite(width: int, args: tuple[Term, ...], parameter: int) -> Facts:
    _, a, b = args
    return a.zeros & b.zeros, a.ones & b.ones, a.low if a.low < b.low else b.low, a.high if a.high > b.high else b.high


def _concat(width: int, args: tuple[Term, ...], parameter: int) -> Facts:
    a, b = args
    w = b.width
    return a.zeros << w | b.zeros, a.ones << w | b.ones, a.low << w | b.low, a.high << w | b.high


def _extract(width: int, args: tuple[Term, ...], parameter: int) -> Facts:
    a = args[0]
    mask = (1 << width) - 1
    zeros, ones = a.zeros >> parameter & mask, a.ones >> parameter & mask
    if a.low >> parameter + width == a.high >> parameter + width:
        return meet(width, zeros, ones, a.low >> parameter & mask, a.high >> parameter & mask)
    return meet(width, zeros, ones, 0, mask)


def _zext(width: int, args: tuple[Term, ...], parameter: int) -> Facts:
    a = args[0]
    return a.zeros | (1 << width) - (1 << a.width), a.ones, a.low, a.high


def _sext(width: int, args: tuple[Term, ...], parameter: int) -> Facts:
    a = args[0]
    half, above = 1 << a.width - 1, (1 << width) - (1 << a.width)
    if a.high < half:
        return a.zeros | above, a.ones, a.low, a.high
    if a.low >= half:
        return a.zeros, a.ones | above, a.low | above, a.high | above
    return meet(width, a.zeros, a.ones, 0, (1 << width) - 1)


RULES: dict[str, Rule] = {
    "not": _not,
    "neg": _neg,
    "and": _and,
    "or": _or,
    "xor": _xor,
    "add": _add,
    "mul": _mul,
    "udiv": _udiv,
    "urem": _urem,
    "sdiv": _sdiv,
    "srem": _srem,
    "shl": _shl,
    "lshr": _lshr,
    "ashr": _ashr,
    "ite": _ite,
    "concat": _concat,
    "extract": _extract,
    "zext": _zext,
    "sext": _sext,
}
