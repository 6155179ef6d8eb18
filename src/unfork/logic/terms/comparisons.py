"""Comparisons. Comparing with a constant is membership in an interval, which moves inwards through the operators.

The only terms that compare are eq, ult and slt. A constant is the second operand; x > c is the negation of ult(x, c +
1). Intervals are modulo 2**width: the first value may exceed the last.
"""

from __future__ import annotations

from collections.abc import Callable

from unfork.logic.terms.bits import extract
from unfork.logic.terms.boolean import both, negate, single_comparison
from unfork.logic.terms.choice import ALTERNATIVES, BYTE, alike, by_leaves, ite, plain, side_by_side, spread
from unfork.logic.terms.equality import Frame, combine, eq, peel
from unfork.logic.terms.sums import add, constant_offset
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import constant, make

Comparison = Callable[[Value, Value, int], Value]


def ult(a: Value, b: Value, width: int) -> Value:
    """Is ``a`` below ``b``, both unsigned?"""
    while True:
        if type(b) is int:
            if type(a) is int:
                return 1 if a < b else 0
            assert type(a) is Term
            width = a.width
            if a.op == "symbol" and b > 1 and b not in (1 << width - 1, (1 << width) - 1):
                return make("ult", 1, (a, constant(b, width)))
            return member(a, 0, b - 1) if b else 0
        assert type(b) is Term
        if type(a) is int:
            mask = (1 << b.width) - 1
            return member(b, a + 1, mask) if a != mask else 0
        assert type(a) is Term
        if a is b or a.low >= b.high:
            return 0
        if a.high < b.low:
            return 1
        if a.width == 1:
            return both(negate(a), b)
        inner = _below(a, b)
        if inner is None:
            simpler = _compare_shifted(a, b, 0, a.width)
            if simpler is None and alike(a, b):
                simpler = _of_choices(a, b, _ult_of_sides)
            return simpler if simpler is not None else make("ult", 1, (a, b))
        a, b = inner


def _ult_of_sides(a: Value, b: Value, width: int) -> Value:
    """A comparison that is decided, or one with a constant; otherwise the term."""
    if type(a) is Term and type(b) is Term:
        if a is b or a.low >= b.high:
            return 0
        if a.high < b.low:
            return 1
        small = _small(ult, a, b, width)
        return make("ult", 1, (a, b)) if small is None else small
    return ult(a, b, width)


def _small(compare: Comparison, a: Term, b: Term, width: int) -> Value | None:
    """The comparison of two choices of few constants, by the leaves of the first; None for others."""
    if 1 < a.alternatives * b.alternatives <= ALTERNATIVES:
        return spread(lambda leaf: compare(leaf, b, width), a, 1)
    return None


def _of_choices(a: Term, b: Term, compare: Comparison) -> Value | None:
    """The comparison of two choices by one condition, one side of each decided; None for others."""

    def choose(x: Term, y: Term, then: Value, other: Value) -> Value | None:
        return ite(x.args[0], then, other, 1) if type(then) is int or type(other) is int else None

    return side_by_side(a, b, lambda x, y: compare(plain(x), plain(y), a.width), choose)


def _below(a: Term, b: Term) -> tuple[Value, Value] | None:
    """The operands of a smaller equivalent unsigned comparison, None if there is none."""
    op = a.op
    if op != b.op or op == "symbol":
        return None
    first, second = a.args[0], b.args[0]
    if op == "zext" or (op == "sext" and first.width == second.width):
        inner = max(first.width, second.width)
        return _widen(first, inner), _widen(second, inner)
    if op == "concat" and a.args[1].width == b.args[1].width:
        low_a, low_b = a.args[1], b.args[1]
        if first is second:
            return plain(low_a), plain(low_b)
        if low_a is low_b:
            return plain(first), plain(second)
    if op == "add" and a.args[1] is b.args[1] and max(first.high, second.high) + a.args[1].high >> a.width == 0:
        return first, second
    return (second, first) if op == "not" else None


def _compare_shifted(a: Term, b: Term, lowest: int, width: int) -> Value | None:
    """``a < b`` for sums that differ only in their constants, in the order that counts upwards from ``lowest``."""
    (shift, base), (further, other) = constant_offset(a), constant_offset(b)
    if base is not other:
        return None
    mask = (1 << width) - 1  # y < y + d unless the sum wraps
    first = lowest - shift
    return member(base, first & mask, first + mask - (further - shift & mask) & mask)


def _widen(a: Term, width: int) -> Value:
    return a if a.width == width else make("zext", width, (a,))


def ule(a: Value, b: Value, width: int) -> Value:
    """Is ``a`` at most ``b``, both unsigned?"""
    return negate(ult(b, a, width))


def ugt(a: Value, b: Value, width: int) -> Value:
    """Is ``a`` above ``b``, both unsigned?"""
    return ult(b, a, width)


def uge(a: Value, b: Value, width: int) -> Value:
    """Is ``a`` at least ``b``, both unsigned?"""
    return negate(ult(a, b, width))


def slt(a: Value, b: Value, width: int) -> Value:
    """Is ``a`` below ``b``, both signed?"""
    half = 1 << width - 1
    if type(b) is int:
        if type(a) is int:
            return 1 if a ^ half < b ^ half else 0
        assert type(a) is Term
        return member(a, half, b - 1 & 2 * half - 1) if b != half else 0
    assert type(b) is Term
    if type(a) is int:
        return member(b, a + 1 & 2 * half - 1, half - 1) if a != half - 1 else 0
    assert type(a) is Term
    if a is b:
        return 0
    if (a.zeros | a.ones) & (b.zeros | b.ones) & half:  # both signs are known
        return ult(a, b, width) if (a.ones ^ b.ones) & half == 0 else a.ones >> width - 1
    if width == 1:
        return both(a, negate(b))
    if a.op == "sext" and b.op == "sext":
        inner = max(a.args[0].width, b.args[0].width)
        first, second = (x.args[0] if x.args[0].width == inner else make("sext", inner, x.args) for x in (a, b))
        return slt(first, second, inner)
    if {a.op, b.op} == {"zext", "sext"}:
        inner = max(x.args[0].width + (x.op == "zext") for x in (a, b))
        if inner < width:
            return slt(extract(a, 0, inner), extract(b, 0, inner), inner)
    simpler = _compare_shifted(a, b, half, width)
    if simpler is None and alike(a, b):
        simpler = _of_choices(a, b, _slt_of_sides)
    return simpler if simpler is not None else make("slt", 1, (a, b))


def _slt_of_sides(a: Value, b: Value, width: int) -> Value:
    if type(a) is Term and type(b) is Term:
        small = _small(slt, a, b, width)
        return make("slt", 1, (a, b)) if small is None else small
    return slt(a, b, width)


def sle(a: Value, b: Value, width: int) -> Value:
    """Is ``a`` at most ``b``, both signed?"""
    return negate(slt(b, a, width))


def sgt(a: Value, b: Value, width: int) -> Value:
    """Is ``a`` above ``b``, both signed?"""
    return slt(b, a, width)


def sge(a: Value, b: Value, width: int) -> Value:
    """Is ``a`` at least ``b``, both signed?"""
    return negate(slt(a, b, width))


def member(a: Term, first: int, last: int) -> Value:
    """Is ``a`` one of ``first`` to ``last``, counted upwards modulo 2**width?"""
    frames: list[Frame] = []
    inverted = 0
    while True:
        clipped = _clip(a, first, last)
        if isinstance(clipped, int):
            answer: Value = clipped
            break
        flip, first, last = clipped
        inverted ^= flip
        inwards = _inwards(a, first, last)
        if isinstance(inwards, int):
            answer = inwards
            break
        if inwards is not None:
            a, first, last = inwards
            continue
        if 1 < a.alternatives <= ALTERNATIVES:
            answer = _spread_member(a, first, last)
            break
        if a.op == "ite" and a.width == BYTE and (whole := _member_by_leaves(a, first, last)) is not None:
            answer = whole
            break
        rest = peel(a, first, last, inverted, frames) if a.op == "ite" else None
        if rest is None:
            answer = _literal(a, first, last)
            break
        if type(rest) is int:
            answer = int(first <= rest <= last)
            break
        assert type(rest) is Term
        a = rest
    if inverted:
        answer = negate(answer)
    return combine(frames, answer) if frames else answer


def _spread_member(tree: Term, first: int, last: int) -> Value:
    return spread(lambda leaf: int(first <= leaf <= last), tree, 1)


def _member_by_leaves(tree: Term, first: int, last: int) -> Value | None:
    return by_leaves(lambda leaf: member(leaf, first, last) if type(leaf) is Term else int(first <= leaf <= last), tree)  # type: ignore[operator]  # an int


def _clip(a: Term, first: int, last: int) -> int | tuple[int, int, int]:
    """The interval cut to the range of ``a``: decided, or (1 if inverted, first, last) where first <= last."""
    mask = (1 << a.width) - 1
    first, last = first & mask, last & mask
    low, high = a.low, a.high
    if first <= last:
        if first <= low and last >= high:
            return 1
        if last < low or first > high:
            return 0
        return 0, max(first, low), min(last, high)
    # The interval wraps: it leaves out last + 1 to first - 1.
    if first == last + 1 or last >= high or first <= low:
        return 1
    if last < low and first > high:
        return 0
    if last < low:
        return 0, first, high
    if first > high:
        return 0, low, last
    return 1, last + 1, first - 1


def _inwards(a: Term, first: int, last: int) -> int | tuple[Term, int, int] | None:
    """The same question about an operand of ``a``; first <= last, both in the range of ``a``."""
    op = a.op
    mask = (1 << a.width) - 1
    if op == "zext":
        return a.args[0], first, last
    if op == "add":
        if a.args[1].op != "const":
            return None
        shift = a.args[1].value
        return a.args[0], first - shift & mask, last - shift & mask
    if op == "concat":
        high, low = a.args
        width = low.width
        if high.op == "const":
            return low, first & (1 << width) - 1, last & (1 << width) - 1
        if low.op == "const":
            first, last = first - low.value, last - low.value
            first, last = -(-first >> width), last >> width
            return (high, max(first, 0), last) if max(first, 0) <= last else 0
        ends = (1 << width) - 1
        low_first, low_last = first & ends, last & ends
        if (low_first <= low.low or first == a.low) and (low_last >= low.high or last == a.high):
            return high, first >> width, last >> width
        return None
    if op == "sext":
        inner = a.args[0]
        half = 1 << inner.width - 1
        # Shifted up by half, the values of an extension are 0 to 2 * half - 1.
        start, stop = first + half & mask, last + half & mask
        if start > stop:
            if start >= 2 * half:
                start = 0
            else:
                return (inner, start - half & 2 * half - 1, stop - half & 2 * half - 1) if stop < 2 * half else None
        if start >= 2 * half:
            return 0
        stop = min(stop, 2 * half - 1)
        return inner, start - half & 2 * half - 1, stop - half & 2 * half - 1
    if op == "not":
        return a.args[0], last ^ mask, first ^ mask
    if op == "neg":
        return a.args[0], -last & mask, -first & mask
    return None


def _literal(a: Term, first: int, last: int) -> Value:
    """The normal form of ``first <= a <= last``; an end of the range of ``a`` is no bound."""
    width = a.width
    half = 1 << width - 1
    mask = 2 * half - 1
    if first == last:
        return make("eq", 1, (a, constant(first, width))) if a.op == "ite" else eq(a, first, width)
    if width == 1:
        return 1
    low, high = a.low, a.high
    if first <= low:
        if last + 1 == high:
            return negate(eq(a, high, width))
        if last == half - 1:
            return negate(_sign(a, width))
        first = 0
    elif last >= high:
        if first == low + 1:
            return negate(eq(a, low, width))
        if first == half:
            return _sign(a, width)
        last = mask
    simple = single_comparison(a, first, last)
    if simple is not None:
        return simple
    size = last - first + 1
    if size <= half:
        return make("ult", 1, (add(a, -first & mask, width), constant(size, width)))  # type: ignore[arg-type]  # a sum
    return negate(make("ult", 1, (add(a, -last - 1 & mask, width), constant(mask + 1 - size, width))))  # type: ignore[arg-type]


def _sign(a: Term, width: int) -> Value:
    """The top bit. For a difference of two non-negative values: whether it is negative."""
    if a.op == "add":
        first, second = a.args
        if first.op == "neg":
            first, second = second, first
        if second.op == "neg" and first.high >> width - 1 == 0 and second.args[0].high >> width - 1 == 0:
            return ult(plain(first), second.args[0], width)
    return extract(a, width - 1, 1)
