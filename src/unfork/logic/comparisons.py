"""Comparisons: a comparison with a constant is membership in an interval, handed inwards through the operators.

The only comparisons that exist as terms are eq, ult and slt; with a constant it is the second operand, and x > c is
the negation of ult(x, c + 1). An interval is taken modulo 2**width: its first value may exceed its last.
"""

from __future__ import annotations

from unfork.logic import concrete
from unfork.logic.bits import extract
from unfork.logic.boolean import both, either, exclusive, negate
from unfork.logic.choice import ALTERNATIVES, ite, plain, spread
from unfork.logic.sums import add, constant_offset, sub
from unfork.logic.term import Term, Value, constant, make

# How many branches of a chain of ite with a constant on one side a comparison is handed into.
_PEEL = 16


def eq(a: Value, b: Value, width: int) -> Value:
    """Are the operands equal?"""
    if type(b) is int:
        if type(a) is int:
            return 1 if a == b else 0
        assert type(a) is Term
        return _equals(a, b, width)
    assert type(b) is Term
    if type(a) is int:
        return _equals(b, a, width)
    assert type(a) is Term
    if a is b:
        return 1
    if a.low > b.high or b.low > a.high or a.ones & b.zeros or a.zeros & b.ones:
        return 0
    if width == 1:
        return negate(exclusive(a, b))
    simpler = _equal_terms(a, b, width)
    if simpler is not None:
        return simpler
    if a.digest > b.digest:
        a, b = b, a
    return make("eq", 1, (a, b))


def ne(a: Value, b: Value, width: int) -> Value:
    """Do the operands differ?"""
    return negate(eq(a, b, width))


def _equals(a: Term, k: int, width: int) -> Value:
    """``a == k`` for a constant."""
    result: Value = 1
    while True:
        if k < a.low or k > a.high or k & a.zeros or a.ones & ~k:
            return 0
        if width == 1:
            return both(result, a if k else negate(a))
        op = a.op
        if op == "symbol":
            break
        args = a.args
        if op == "concat":
            high, low = args
            result = both(result, eq(plain(low), k & (1 << low.width) - 1, low.width))
            if type(result) is int and not result:
                return 0
            a, k, width = high, k >> low.width, high.width
            if a.op == "const":
                return result
        elif op == "zext":
            a = args[0]
            width = a.width
        elif op == "sext":
            a = args[0]
            if concrete.sext(k & (1 << a.width) - 1, a.width, width) != k:
                return 0
            width = a.width
            k &= (1 << width) - 1
        elif op in _INVERTIBLE and (args[-1].op == "const" or len(args) == 1):
            if op == "mul":
                factor = args[1].value
                if factor & 1 == 0:
                    break
                k = k * pow(factor, -1, 1 << width) & (1 << width) - 1
            elif op == "add":
                k = k - args[1].value & (1 << width) - 1
            else:
                k = k ^ (args[1].value if op == "xor" else (1 << width) - 1) if op != "neg" else -k & (1 << width) - 1
            a = args[0]
        else:
            break
    core = make("eq", 1, (a, constant(k, width))) if op == "symbol" else _equals_core(a, k, width)
    return core if type(result) is int else both(result, core)


_INVERTIBLE = frozenset(("add", "xor", "not", "neg", "mul"))


def _equals_core(a: Term, k: int, width: int) -> Value:
    if 1 < a.alternatives <= ALTERNATIVES:
        return spread(lambda leaf: 1 if leaf == k else 0, a, 1)
    if a.op == "ite" and "const" in (a.args[1].op, a.args[2].op):
        return _peeled(a, k, k)
    if a.op == "xor" and k == 0:
        return eq(a.args[0], a.args[1], width)
    if a.op == "add" and k == 0:
        first, second = a.args
        if first.op == "neg":
            first, second = second, first
        if second.op == "neg":
            return eq(first, second.args[0], width)
    return make("eq", 1, (a, constant(k, width)))


def _peeled(tree: Term, first: int, last: int) -> Value:
    """``tree in [first, last]`` for an ite, asked of its branches as long as one of them is a constant."""
    width = tree.width
    mask = (1 << width) - 1
    size = last - first & mask
    guards: list[tuple[Term, int, bool]] = []
    rest = tree
    while rest.op == "ite" and len(guards) < _PEEL and "const" in (rest.args[1].op, rest.args[2].op):
        condition, then, other = rest.args
        is_then = then.op == "const"
        leaf, rest = (then, other) if is_then else (other, then)
        guards.append((condition, int(leaf.value - first & mask <= size), is_then))
    if rest.op == "const":
        result: Value = int(rest.value - first & mask <= size)
    elif rest.op == "ite":
        result = _literal(rest, first, last)
    else:
        result = member(rest, first, last)
    for condition, decided, is_then in reversed(guards):
        result = ite(condition, decided, result, 1) if is_then else ite(condition, result, decided, 1)
    return result


def _equal_terms(a: Term, b: Term, width: int) -> Value | None:
    """An equality of two terms made smaller, None if it stays."""
    op = a.op
    if op == b.op:
        if op == "concat" and a.args[1].width == b.args[1].width:
            high, low = a.args
            upper = eq(plain(high), plain(b.args[0]), high.width)
            return both(upper, eq(plain(low), plain(b.args[1]), low.width))
        if op in ("zext", "sext"):
            return _equal_extensions(a.args[0], b.args[0], op)
        if op in ("not", "neg"):
            return eq(a.args[0], b.args[0], width)
        if op == "ite" and a.args[0] is b.args[0]:
            then = eq(plain(a.args[1]), plain(b.args[1]), width)
            other = eq(plain(a.args[2]), plain(b.args[2]), width)
            if type(then) is int or type(other) is int:
                return ite(a.args[0], then, other, 1)
    for tree, leaf in ((a, b), (b, a)):
        if tree.op == "ite":
            condition, first, second = tree.args
            if first is leaf:
                return either(condition, eq(plain(second), leaf, width))
            if second is leaf:
                return either(negate(condition), eq(plain(first), leaf, width))
    if op == "add" or b.op == "add":
        return _equal_sums(a, b, width)
    return None


def _equal_extensions(a: Term, b: Term, op: str) -> Value:
    if a.width > b.width:
        a, b = b, a
    if a.width == b.width:
        return eq(a, b, a.width)
    longer = make(op, b.width, (a,))
    if op == "zext":
        above = eq(extract(b, a.width, b.width - a.width), 0, b.width - a.width)
        return both(above, eq(a, extract(b, 0, a.width), a.width))
    first, second = (longer, b) if longer.digest < b.digest else (b, longer)
    return make("eq", 1, (first, second))


def _equal_sums(a: Term, b: Term, width: int) -> Value | None:
    """Equal addends fall away; a constant stays on one side, that of the sum."""
    difference = sub(a, b, width)
    if type(difference) is int:
        return 1 if difference == 0 else 0
    assert type(difference) is Term
    offset = 0
    if difference.op == "add" and difference.args[1].op == "const":
        offset = difference.args[1].value
        difference = difference.args[0]
    if difference.op == "add":
        first, second = difference.args
        if first.op == "neg":
            first, second = second, first
        if second.op == "neg" and first.op != "add":
            second = second.args[0]
            if second.op == "add" or (first is a and second is b):
                return None
            if offset:
                smaller, larger = (first, second) if first.digest < second.digest else (second, first)
                shift = offset if first is smaller else -offset & (1 << width) - 1
                return _raw_equal(add(smaller, shift, width), larger)
            return eq(first, second, width)
        return None
    return _equals(difference, -offset & (1 << width) - 1, width)


def _raw_equal(a: Value, b: Term) -> Value:
    assert type(a) is Term
    return make("eq", 1, (a, b) if a.digest < b.digest else (b, a))


def ult(a: Value, b: Value, width: int) -> Value:
    """Is ``a`` below ``b``, both unsigned?"""
    if type(b) is int:
        if type(a) is int:
            return 1 if a < b else 0
        assert type(a) is Term
        if a.op == "symbol" and b > 1 and b not in (1 << width - 1, (1 << width) - 1):
            return make("ult", 1, (a, constant(b, width)))
        return member(a, 0, b - 1) if b else 0
    assert type(b) is Term
    mask = (1 << width) - 1
    if type(a) is int:
        return member(b, a + 1, mask) if a != mask else 0
    assert type(a) is Term
    if a is b or a.low >= b.high:
        return 0
    if a.high < b.low:
        return 1
    if width == 1:
        return both(negate(a), b)
    simpler = _below(a, b, width)
    return simpler if simpler is not None else make("ult", 1, (a, b))


def _below(a: Term, b: Term, width: int) -> Value | None:
    """An unsigned comparison of two terms made smaller, None if it stays."""
    op = a.op
    if op == b.op and op != "symbol":
        first, second = a.args[0], b.args[0]
        if op == "zext" or (op == "sext" and first.width == second.width):
            inner = max(first.width, second.width)
            return ult(_widened(first, inner), _widened(second, inner), inner)
        if op == "concat" and a.args[1].width == b.args[1].width:
            low_a, low_b = a.args[1], b.args[1]
            if first is second:
                return ult(plain(low_a), plain(low_b), low_a.width)
            if low_a is low_b:
                return ult(plain(first), plain(second), first.width)
        if op == "add" and a.args[1] is b.args[1] and max(first.high, second.high) + a.args[1].high >> width == 0:
            return ult(first, second, width)
        if op == "not":
            return ult(second, first, width)
    return _shifted(a, b, 0, width)


def _shifted(a: Term, b: Term, lowest: int, width: int) -> Value | None:
    """``a < b`` for sums of the same and two constants, in the order that counts upwards from ``lowest``."""
    (shift, base), (further, other) = constant_offset(a), constant_offset(b)
    if base is not other:
        return None
    mask = (1 << width) - 1  # y < y + d unless the sum wraps
    first = lowest - shift
    return member(base, first & mask, first + mask - (further - shift & mask) & mask)


def _widened(a: Term, width: int) -> Value:
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
    simpler = _shifted(a, b, half, width)
    return simpler if simpler is not None else make("slt", 1, (a, b))


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
    inverted = 0
    while True:
        clipped = _clipped(a, first, last)
        if isinstance(clipped, int):
            return clipped ^ inverted
        flip, first, last = clipped
        inverted ^= flip
        inwards = _inwards(a, first, last)
        if inwards is None:
            break
        if isinstance(inwards, int):
            return inwards ^ inverted
        a, first, last = inwards
    if 1 < a.alternatives <= ALTERNATIVES:
        size = last - first & (1 << a.width) - 1
        found = spread(lambda leaf: 1 if leaf - first & (1 << a.width) - 1 <= size else 0, a, 1)
    elif a.op == "ite" and "const" in (a.args[1].op, a.args[2].op):
        found = _peeled(a, first, last)
    else:
        found = _literal(a, first, last)
    return negate(found) if inverted else found


def _clipped(a: Term, first: int, last: int) -> int | tuple[int, int, int]:
    """The interval within the range of ``a``: decided, or (1 if inverted, first, last) where first <= last."""
    mask = (1 << a.width) - 1
    first, last = first & mask, last & mask
    low, high = a.low, a.high
    if first <= last:
        if first <= low and last >= high:
            return 1
        if last < low or first > high:
            return 0
        return 0, max(first, low), min(last, high)
    # The interval wraps: what it leaves out is last + 1 to first - 1.
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
    """The same question about an operand of ``a``; first <= last, inside the range of ``a``."""
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
        # Moved up by half, the values of an extension are 0 to 2 * half - 1.
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
    """The normal form of ``first <= a <= last``; a lower or upper end of the range of ``a`` is no bound."""
    width = a.width
    half = 1 << width - 1
    mask = 2 * half - 1
    if first == last:
        return make("eq", 1, (a, constant(first, width))) if a.op == "ite" else _equals(a, first, width)
    if width == 1:
        return 1
    low, high = a.low, a.high
    if first <= low:
        if last + 1 == high:
            return negate(_equals(a, high, width))
        if last == half - 1:
            return negate(_sign(a, width))
        return make("ult", 1, (a, constant(last + 1, width)))
    if last >= high:
        if first == low + 1:
            return negate(_equals(a, low, width))
        if first == half:
            return _sign(a, width)
        return negate(make("ult", 1, (a, constant(first, width))))
    if first == half:
        return make("slt", 1, (a, constant(last + 1, width)))
    if last == half - 1:
        return negate(make("slt", 1, (a, constant(first, width))))
    size = last - first + 1
    if size <= half:
        return make("ult", 1, (add(a, -first & mask, width), constant(size, width)))  # type: ignore[arg-type]  # a sum
    return negate(make("ult", 1, (add(a, -last - 1 & mask, width), constant(mask + 1 - size, width))))  # type: ignore[arg-type]


def _sign(a: Term, width: int) -> Value:
    """The top bit; of a difference of two values that are not negative, whether it is below zero."""
    if a.op == "add":
        first, second = a.args
        if first.op == "neg":
            first, second = second, first
        if second.op == "neg" and first.high >> width - 1 == 0 and second.args[0].high >> width - 1 == 0:
            return ult(plain(first), second.args[0], width)
    return extract(a, width - 1, 1)
