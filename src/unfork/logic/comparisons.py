"""Comparisons in one form: a term against a constant where there is one, equality and less-than only."""

from __future__ import annotations

from unfork.logic import concrete
from unfork.logic.bits import extract
from unfork.logic.boolean import both, exclusive, negate
from unfork.logic.choice import node, spread2
from unfork.logic.sums import add
from unfork.logic.term import Term, Value, make


def eq(a: Value, b: Value, width: int) -> Value:
    """Whether two values of ``width`` bits are equal."""
    if type(a) is int:
        if type(b) is int:
            return 1 if a == b else 0
        a, b = b, a
    assert type(a) is Term
    if a is b:
        return 1
    if width == 1:
        if type(b) is int:
            return a if b else negate(a)
        assert type(b) is Term
        return negate(exclusive(a, b))
    if type(b) is int:
        return _eq_constant(a, b, width)
    assert type(b) is Term
    if a.zeros & b.ones or a.ones & b.zeros or a.low > b.high or b.low > a.high:
        return 0
    chosen = spread2(lambda x, y: 1 if x == y else 0, a, b, 1)
    if chosen is not None:
        return chosen
    if a.op == b.op and a.op in ("zext", "sext") and a.args[0].width == b.args[0].width:
        return eq(a.args[0], b.args[0], a.args[0].width)
    if a.op == "add" and b.op == "add" and a.args[1].op == "const" and b.args[1].op == "const":
        return eq(a.args[0], add(b.args[0], b.args[1].value - a.args[1].value & (1 << width) - 1, width), width)
    if a.digest > b.digest:
        a, b = b, a
    return make("eq", 1, (a, b))


def _eq_constant(a: Term, b: int, width: int) -> Value:
    while True:
        if a.zeros & b or a.ones & ~b or not a.low <= b <= a.high:
            return 0
        match a.op:
            case "zext":
                a = a.args[0]
            case "sext":
                inner = a.args[0]
                low = b & (1 << inner.width) - 1
                if concrete.sext(low, inner.width, a.width) != b:
                    return 0
                a, b = inner, low
            case "add" if a.args[1].op == "const":
                b = b - a.args[1].value & (1 << a.width) - 1
                a = a.args[0]
            case "xor" if a.args[1].op == "const":
                b ^= a.args[1].value
                a = a.args[0]
            case "not":
                b ^= (1 << a.width) - 1
                a = a.args[0]
            case "neg":
                b = -b & (1 << a.width) - 1
                a = a.args[0]
            case "concat":
                high, low = a.args
                part = b & (1 << low.width) - 1
                return both(eq(_outer(low), part, low.width), eq(_outer(high), b >> low.width, high.width))
            case _:
                break
        if a.width == 1:
            return a if b else negate(a)
    chosen = spread2(lambda x, y: 1 if x == y else 0, a, b, 1)
    if chosen is not None:
        return chosen
    return make("eq", 1, (a, node(b, a.width)))


def _outer(term: Term) -> Value:
    return term.value if term.op == "const" else term


def ult(a: Value, b: Value, width: int) -> Value:
    """Unsigned less-than."""
    if type(a) is int and type(b) is int:
        return 1 if a < b else 0
    if a is b:
        return 0
    low_a, high_a = (a, a) if type(a) is int else (a.low, a.high)  # type: ignore[union-attr]  # a Term
    low_b, high_b = (b, b) if type(b) is int else (b.low, b.high)  # type: ignore[union-attr]  # a Term
    if high_a < low_b:
        return 1
    if low_a >= high_b:
        return 0
    if type(a) is int:
        return negate(ult(b, a + 1, width))
    assert type(a) is Term
    chosen = spread2(lambda x, y: 1 if x < y else 0, a, b, 1)
    if chosen is not None:
        return chosen
    if type(b) is int:
        if b == a.low + 1:
            return eq(a, a.low, width)
        if b == a.high:
            return negate(eq(a, b, width))
        if a.op == "zext":
            return ult(a.args[0], b, a.args[0].width)
        if b == 1 << width - 1:
            return negate(extract(a, width - 1, 1))
        return make("ult", 1, (a, node(b, width)))
    assert type(b) is Term
    if a.op == "zext" and b.op == "zext" and a.args[0].width == b.args[0].width:
        return ult(a.args[0], b.args[0], a.args[0].width)
    return make("ult", 1, (a, b))


def slt(a: Value, b: Value, width: int) -> Value:
    """Signed less-than."""
    if type(a) is int and type(b) is int:
        return concrete.slt(a, b, width)
    if a is b:
        return 0
    if width == 1:
        return both(a, negate(b))
    half = 1 << width - 1
    sign_a, sign_b = _sign(a, half), _sign(b, half)
    if sign_a is not None and sign_b is not None:
        return ult(a, b, width) if sign_a == sign_b else int(sign_a > sign_b)
    if type(a) is int:
        return negate(slt(b, a + 1 & 2 * half - 1, width)) if a != half - 1 else 0
    assert type(a) is Term
    chosen = spread2(lambda x, y: concrete.slt(x, y, width), a, b, 1)
    if chosen is not None:
        return chosen
    if type(b) is int:
        if b == half:
            return 0
        if b == 0:
            return extract(a, width - 1, 1)
        if a.op == "sext":
            inner = a.args[0]
            bound, edge = concrete.signed(b, width), 1 << inner.width - 1
            if bound >= edge:
                return 1
            return 0 if bound <= -edge else slt(inner, bound & 2 * edge - 1, inner.width)
        if b == half + 1:
            return eq(a, half, width)
        if b == half - 1:
            return negate(eq(a, b, width))
        return make("slt", 1, (a, node(b, width)))
    assert type(b) is Term
    if a.op == "sext" and b.op == "sext" and a.args[0].width == b.args[0].width:
        return slt(a.args[0], b.args[0], a.args[0].width)
    return make("slt", 1, (a, b))


def _sign(a: Value, half: int) -> int | None:
    """The sign bit, where it is known."""
    if type(a) is int:
        return 1 if a & half else 0
    assert type(a) is Term
    if a.high < half:
        return 0
    return 1 if a.low >= half else None


def ne(a: Value, b: Value, width: int) -> Value:
    """Whether two values differ."""
    return negate(eq(a, b, width))


def ule(a: Value, b: Value, width: int) -> Value:
    """Unsigned less-or-equal."""
    return negate(ult(b, a, width))


def ugt(a: Value, b: Value, width: int) -> Value:
    """Unsigned greater-than."""
    return ult(b, a, width)


def uge(a: Value, b: Value, width: int) -> Value:
    """Unsigned greater-or-equal."""
    return negate(ult(a, b, width))


def sle(a: Value, b: Value, width: int) -> Value:
    """Signed less-or-equal."""
    return negate(slt(b, a, width))


def sgt(a: Value, b: Value, width: int) -> Value:
    """Signed greater-than."""
    return slt(b, a, width)


def sge(a: Value, b: Value, width: int) -> Value:
    """Signed greater-or-equal."""
    return negate(slt(a, b, width))
