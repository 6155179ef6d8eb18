"""Quotients and remainders, on as few bits as the operands need; powers of two by shifts."""

from __future__ import annotations

from unfork.logic.terms import concrete
from unfork.logic.terms.bits import and_, extract, sext, zext
from unfork.logic.terms.choice import chosen_by, ite, node, plain, settled
from unfork.logic.terms.equality import eq
from unfork.logic.terms.known_bits import trailing_zeros
from unfork.logic.terms.sums import add, ashr, lshr, mul, neg, shl, sub
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import make


def udiv(a: Value, b: Value, width: int) -> Value:
    """The unsigned quotient; all ones for a divisor of 0."""
    if type(b) is int:
        if type(a) is int:
            return concrete.udiv(a, b, width)
        if b == 0:
            return (1 << width) - 1
        if b & b - 1 == 0:
            return lshr(a, b.bit_length() - 1, width)
        assert type(a) is Term
        zeros = min((b & -b).bit_length() - 1, trailing_zeros(a))
        if zeros:
            rest = width - zeros
            return zext(udiv(extract(a, zeros, rest), b >> zeros, rest), rest, width)
    if type(a) is Term and a.op == "mul":
        whole = _factor_beside(a, b)
        if whole is not None:
            return whole
    return _divide("udiv", a, b, width)


def _factor_beside(product: Term, divisor: Value) -> Value | None:
    """The quotient of a product that does not wrap by one of its factors; None for others."""
    first, second = product.args
    if first.high * second.high >> product.width:
        return None
    divides = node(divisor, product.width)
    if divides is second:
        first, second = second, first
    if divides is not first:
        return None
    return ite(eq(divisor, 0, product.width), (1 << product.width) - 1, plain(second), product.width)


def urem(a: Value, b: Value, width: int) -> Value:
    """The unsigned remainder; the dividend for a divisor of 0."""
    if type(b) is int:
        if type(a) is int:
            return concrete.urem(a, b, width)
        if b == 0:
            return a
        if b & b - 1 == 0:
            return and_(a, b - 1, width)
    if a is b:
        return 0
    if _high(a) < _low(b):
        return a
    return _divide("urem", a, b, width)


def digit(term: Term) -> Value | None:
    """A remainder by a constant of a quotient by a constant, as the difference of two quotients of one number.

    Solvers find the digits of a number sooner this way: one division fewer for each digit.
    """
    dividend, divisor = term.args
    narrowed = dividend.op == "extract" and not dividend.offset and dividend.args[0].high < 1 << dividend.width
    whole = dividend.args[0] if narrowed else dividend
    if whole.op != "udiv" or whole.args[1].op != "const" or divisor.op != "const" or not divisor.value:
        return None
    number, first = whole.args
    power = first.value * divisor.value
    quotient = udiv(plain(number), power, whole.width) if power < 1 << whole.width else 0
    lower = extract(quotient, 0, term.width) if term.width < whole.width else quotient
    return sub(dividend, mul(lower, divisor.value, term.width), term.width)


def sdiv(a: Value, b: Value, width: int) -> Value:
    """The signed quotient, rounded towards 0; see concrete.sdiv for a divisor of 0."""
    if type(b) is int:
        if type(a) is int:
            return concrete.sdiv(a, b, width)
        if width > 1:
            if b == (1 << width) - 1:
                return neg(a, width)
            if b and b < 1 << width - 1 and b & b - 1 == 0:
                bits = b.bit_length() - 1
                if _high(a) < 1 << width - 1:
                    return lshr(a, bits, width)
                return ashr(_add_rounding(a, bits, width), bits, width)
    if width > 1 and _both_positive(a, b, width) and _low(b):
        return udiv(a, b, width)
    return _divide("sdiv", a, b, width)


def srem(a: Value, b: Value, width: int) -> Value:
    """The remainder of sdiv, with the sign of the dividend; the dividend for a divisor of 0."""
    if type(b) is int:
        if type(a) is int:
            return concrete.srem(a, b, width)
        if width > 1:
            if b == 0:
                return a
            if b >> width - 1 and b != 1 << width - 1:  # the sign of the divisor does not matter
                b = concrete.neg(b, width)
            if b & b - 1 == 0 and b < 1 << width - 1:
                bits = b.bit_length() - 1
                if _high(a) < 1 << width - 1:
                    return and_(a, b - 1, width)
                return sub(a, shl(ashr(_add_rounding(a, bits, width), bits, width), bits, width), width)
    if a is b:
        return 0
    if width > 1 and _both_positive(a, b, width):
        return urem(a, b, width)
    return _divide("srem", a, b, width)


def _high(a: Value) -> int:
    return a if type(a) is int else a.high  # type: ignore[union-attr]  # int or Term


def _low(a: Value) -> int:
    return a if type(a) is int else a.low  # type: ignore[union-attr]  # int or Term


def _both_positive(a: Value, b: Value, width: int) -> bool:
    half = 1 << width - 1
    return _high(a) < half and _high(b) < half


def _add_rounding(a: Value, bits: int, width: int) -> Value:
    """``a`` plus 2**bits - 1 where it is negative, so that a shift by ``bits`` rounds towards 0."""
    if bits == 0:
        return a
    return add(a, zext(sext(extract(a, width - 1, 1), 1, bits), bits, width), width)


def _divide(op: str, a: Value, b: Value, width: int) -> Value:
    if width == 1:
        return _one_bit(op, a, b)
    if (type(a) is int or a.alternatives) and (type(b) is int or b.alternatives):  # type: ignore[union-attr]
        chosen = chosen_by(op, a, b, width)
        if chosen is not None:
            return chosen
    narrow = _narrow(op, a, b, width)
    if narrow is not None:
        return narrow
    return settled(make(op, width, (node(a, width), node(b, width))))


def _one_bit(op: str, a: Value, b: Value) -> Value:
    function = concrete.BINARY[op]
    rows = [ite(b, function(x, 1, 1), function(x, 0, 1), 1) for x in (0, 1)]
    return ite(a, rows[1], rows[0], 1)


def _unsigned_width(a: Value) -> int:
    """The width below which the operand's form shows it to be non-zero."""
    if type(a) is int:
        return max(1, a.bit_length())
    assert type(a) is Term
    return a.args[0].width if a.op == "zext" else a.width


def _signed_width(a: Value, width: int) -> int:
    if type(a) is int:
        value = concrete.signed(a, width)
        return (value if value >= 0 else ~value).bit_length() + 1
    assert type(a) is Term
    return a.args[0].width if a.op == "sext" else a.args[0].width + 1 if a.op == "zext" else a.width


def _narrow(op: str, a: Value, b: Value, width: int) -> Value | None:
    """The operation on as few bits as its operands need, then extended; None if they need all.

    Signed operands get one bit more, so that the quotient of the least value by -1 fits.
    """
    is_signed = op == "sdiv" or op == "srem"
    inner = max(_signed_width(x, width) + 1 if is_signed else _unsigned_width(x) for x in (a, b))
    if inner >= width or (op == "udiv" and not _low(b)):
        return None
    first, second = extract(a, 0, inner), extract(b, 0, inner)
    if is_signed:
        return sext((sdiv if op == "sdiv" else srem)(first, second, inner), inner, width)
    return zext((udiv if op == "udiv" else urem)(first, second, inner), inner, width)
