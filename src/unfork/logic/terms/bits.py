"""Takes bit-vectors apart and puts them together: extract, concat, extensions, shifts by constants.

The normal form keeps structure outside: ``zext(x)`` rather than ``concat(0, x)``; ``concat`` leans to the right; a
shift by a constant is a concat, or an extension of an extract. So a term holds only the bits that matter.
"""

from __future__ import annotations

from collections.abc import Callable

from unfork.logic.terms import concrete
from unfork.logic.terms.boolean import both, either, exclusive
from unfork.logic.terms.choice import (
    ALTERNATIVES,
    alike,
    chosen_by,
    ite,
    node,
    plain,
    settled,
    side_by_side,
    spread,
    spread2,
)
from unfork.logic.terms.known_bits import trailing_zeros
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import constant, make

# The depth, in operators, to which an extract looks for bits that fall away.
_FUEL = 4
# Values that interleave more often are not joined: enough for all bits of 64, and each step is a call.
_MOST_EDGES = 130
_STRUCTURE = frozenset(("const", "concat", "zext", "sext"))
# An extract moves into operands of these kinds: they get smaller, and nothing deep is built.
_THIN = _STRUCTURE | {"symbol", "extract"}


def extract(a: Value, low: int, width: int) -> Value:
    """Bits ``low`` to ``low + width - 1``."""
    if type(a) is int:
        return a >> low & (1 << width) - 1
    assert type(a) is Term
    return _extract(a, low, width, _FUEL)


def _extract(a: Term, low: int, width: int, fuel: int) -> Value:
    around: list[_Around] = []
    while width != a.width:
        op = a.op
        if op == "extract":
            low += a.offset
            a = a.args[0]
            continue
        if op == "concat":
            high_part, low_part = a.args
            if low >= low_part.width:
                low -= low_part.width
                a = high_part
            else:
                cut = low_part.width - low
                if cut < width:  # the high part is not itself a concat
                    around.append(("concat", _extract(high_part, 0, width - cut, fuel), width - cut, cut))
                    width = cut
                a = low_part
            continue
        mask = (1 << width) - 1
        if op == "zext" or op == "sext":
            inside = a.args[0].width - low
            if inside < width:
                if (a.zeros | a.ones) >> low & mask == mask:
                    return _surround(a.ones >> low & mask, around)
                if inside <= 0:  # of a sign extension: the bits of zeros are known
                    low, inside = low + inside - 1, 1
                around.append((op, 0, inside, width))
                width = inside
            a = a.args[0]
            continue
        if (a.zeros | a.ones) >> low & mask == mask:
            return _surround(a.ones >> low & mask, around)
        inner = _extract_inwards(a, low, width, fuel - 1) if fuel and op in _INWARDS else None
        return _surround(settled(make("extract", width, (a,), low)) if inner is None else inner, around)
    return _surround(plain(a), around)


_Around = tuple[str, Value, int, int]
"""An operator around bits, with both widths: an extension, or a concat with the bits above."""


def _surround(bits: Value, around: list[_Around]) -> Value:
    for op, above, first, second in reversed(around):
        if op == "concat":
            bits = concat(above, bits, first, second)
        else:
            bits = (zext if op == "zext" else sext)(bits, first, second)
    return bits


_INWARDS = frozenset(("not", "and", "or", "xor", "ite", "add", "mul", "neg"))


def _extract_inwards(a: Term, low: int, width: int, fuel: int) -> Value | None:
    """The extract applied to the operands, where that makes them smaller."""
    op, args = a.op, a.args
    if op == "ite":
        condition, first, second = args
        if first.op in _THIN and second.op in _THIN:
            return ite(condition, _extract(first, low, width, fuel), _extract(second, low, width, fuel), width)
        return None
    if op in ("add", "mul", "neg"):
        if low or not all(x.op in _THIN for x in args):
            return None
        return _narrow_arithmetic(op, [_extract(x, 0, width, fuel) for x in args], width)
    window = (1 << width) - 1 << low
    if not all(x.op in _THIN for x in args) and not any((x.zeros | x.ones) & window == window for x in args):
        return None
    parts = [_extract(x, low, width, fuel) for x in args]
    if op == "not":
        return not_(parts[0], width)
    return (and_ if op == "and" else or_ if op == "or" else xor)(parts[0], parts[1], width)


def _narrow_arithmetic(op: str, parts: list[Value], width: int) -> Value | None:
    """A sum or product of operands cut to ``width`` bits; None where its normal form is not at hand."""
    a = parts[0]
    if op == "neg":
        if type(a) is int:
            return concrete.neg(a, width)
        assert type(a) is Term
        return settled(make("neg", width, (a,))) if a.op not in ("neg", "add", "mul", "not") and width > 1 else None
    b = parts[1]
    if type(a) is int and type(b) is int:
        return (concrete.add if op == "add" else concrete.mul)(a, b, width)
    if width == 1:
        return xor(a, b, 1) if op == "add" else and_(a, b, 1)
    if type(a) is int:
        a, b = b, a
    assert type(a) is Term
    if op == "mul":
        if type(b) is int and (b & b - 1 == 0 or b == (1 << width) - 1 or a.op in ("mul", "add", "neg")):
            return None
    else:
        if type(b) is int and b == 0:
            return a
        if type(b) is int and a.op == "add" and a.args[1].op == "const":
            b = b + a.args[1].value & (1 << width) - 1
            return settled(make("add", width, (a.args[0], constant(b, width)))) if b else plain(a.args[0])
        if a.op == "add" or a.op == "neg" or (type(b) is Term and (b.op == "add" or b is a)):
            return None
    if a.op == "ite" and a.alternatives:
        return None
    second = node(b, width)
    if second.op != "const" and a.digest > second.digest:
        a, second = second, a
    return settled(make(op, width, (a, second)))


def trunc(a: Value, from_width: int, to_width: int) -> Value:
    """The lowest ``to_width`` bits."""
    return extract(a, 0, to_width)


def zext(a: Value, from_width: int, to_width: int) -> Value:
    """Zeros above."""
    if type(a) is int or from_width == to_width:
        return a
    assert type(a) is Term
    if a.op == "zext":
        a = a.args[0]
    if a.width == 1 and a.op != "extract":
        return ite(a, 1, 0, to_width)
    if 1 < a.alternatives <= ALTERNATIVES:
        return spread(int, a, to_width)
    return make("zext", to_width, (a,))


def sext(a: Value, from_width: int, to_width: int) -> Value:
    """Copies of the top bit above."""
    if type(a) is int:
        return concrete.sext(a, from_width, to_width)
    if from_width == to_width:
        return a
    assert type(a) is Term
    if a.op == "sext":
        a = a.args[0]
    if a.zeros >> a.width - 1:
        return zext(a, a.width, to_width)
    if a.width == 1 and a.op != "extract":
        return ite(a, (1 << to_width) - 1, 0, to_width)
    if 1 < a.alternatives <= ALTERNATIVES:
        return spread(lambda leaf: concrete.sext(leaf, from_width, to_width), a, to_width)
    return make("sext", to_width, (a,))


def concat(high: Value, low: Value, high_width: int, low_width: int) -> Value:
    """``high`` above ``low``."""
    if type(high) is int:
        if type(low) is int:
            return high << low_width | low
        if high == 0:
            return zext(low, low_width, high_width + low_width)
    waiting: list[tuple[str, Value, int]] = []
    while True:
        op = high.op if type(high) is Term else "const"
        if op == "concat":
            first, second = high.args  # type: ignore[union-attr]  # a Term
            waiting.append((op, plain(first), first.width))
            high, high_width = plain(second), second.width
            continue
        if (op == "zext" or op == "sext") and _adjacent(high, low, high_width, low_width) is None:
            high = high.args[0]  # type: ignore[union-attr]  # a Term
            waiting.append((op, 0, high_width + low_width))
            high_width = high.width
            continue
        whole = _join(high, low, high_width, low_width)
        if type(whole) is tuple:
            high, low, high_width, low_width = whole
            continue
        low, low_width = whole, high_width + low_width  # type: ignore[assignment]  # a Value
        while waiting and waiting[-1][0] != "concat":
            op, _, width = waiting.pop()
            low, low_width = (zext if op == "zext" else sext)(low, low_width, width), width
        if not waiting:
            return low
        _, high, high_width = waiting.pop()


def _join(high: Value, low: Value, high_width: int, low_width: int) -> Value | tuple[Value, Value, int, int]:
    """Two joined values, the first not a concat; or a longer low part and the part still to be added."""
    width = high_width + low_width
    if type(high) is int and (high == 0 or type(low) is int):
        return zext(low, low_width, width) if high == 0 else high << low_width | low  # type: ignore[operator]  # ints
    if type(high) is Term:
        joined = _adjacent(high, low, high_width, low_width)
        if joined is not None:
            return joined
    if type(low) is Term and low.op == "concat":
        joined = _adjacent(high, plain(low.args[0]), high_width, low.args[0].width)
        if joined is not None:
            rest = low.args[1].width
            return joined, plain(low.args[1]), width - rest, rest
    if 1 < _alternatives(high) * _alternatives(low) <= ALTERNATIVES:
        chosen = spread2(lambda a, b: a << low_width | b, high, low, width)
        if chosen is not None:
            return chosen
    return make("concat", width, (node(high, high_width), node(low, low_width)))


def _alternatives(a: Value) -> int:
    return a.alternatives if type(a) is Term else 1


def _adjacent(high: Value, low: Value, high_width: int, low_width: int) -> Value | None:
    """The single term for two neighbouring parts that belong together."""
    if type(high) is int:
        return high << low_width | low if type(low) is int else None
    if type(low) is int:
        return None
    assert type(high) is Term and type(low) is Term
    op = high.op
    width = high_width + low_width
    if (
        op == "extract"
        and low.op == "extract"
        and low.args[0] is high.args[0]
        and low.offset + low_width == high.offset
    ):
        return _extract(low.args[0], low.offset, width, 0)
    sign = high.args[0] if op == "sext" else high
    if sign.op == "extract" and sign.width == 1 and _extract(low, low_width - 1, 1, _FUEL) is sign:
        return sext(low, low_width, width)
    if alike(high, low):
        return _join_choices(high, low)
    return None


def _join_choices(high: Term, low: Term) -> Value | None:
    """Choices by one condition, joined branch by branch; None if there are too many."""
    return side_by_side(
        high,
        low,
        lambda a, b: concat(plain(a), plain(b), a.width, b.width),
        lambda a, b, then, other: ite(a.args[0], then, other, a.width + b.width),
    )


def concat_bytes(values: list[Value]) -> Value:
    """The bytes as one value, the least significant first."""
    result = values[0]
    width = 8
    for value in values[1:]:
        result = concat(value, result, 8, width)
        width += 8
    return result


def shift_up(a: Value, amount: int, width: int) -> Value:
    """``a`` shifted left by a constant amount below its width."""
    return a if amount == 0 else concat(extract(a, 0, width - amount), 0, width - amount, amount)


def not_(a: Value, width: int) -> Value:
    """Every bit inverted."""
    if type(a) is int:
        return a ^ (1 << width) - 1
    assert type(a) is Term
    op = a.op
    if op == "not":
        return a.args[0]
    if 1 < a.alternatives <= ALTERNATIVES:
        return spread(lambda leaf: concrete.not_(leaf, width), a, width)
    if op == "sext" and width > 1:
        inner = a.args[0]
        return sext(not_(inner, inner.width), inner.width, width)
    return make("not", width, (a,))


def and_(a: Value, b: Value, width: int) -> Value:
    """Bitwise and."""
    if type(a) is int:
        if type(b) is int:
            return a & b
        a, b = b, a
    if width == 1:
        return both(a, b)
    assert type(a) is Term
    if type(b) is int:
        return _mask(a, b, width)
    assert type(b) is Term
    mask = (1 << width) - 1
    if a.zeros | b.zeros == mask:
        return 0
    if a is b or a.zeros | b.ones == mask:
        return a
    if b.zeros | a.ones == mask:
        return b
    if (a.op == "not" and a.args[0] is b) or (b.op == "not" and b.args[0] is a):
        return 0
    chosen = chosen_by("and", a, b, width) if a.alternatives and b.alternatives else None
    if chosen is not None:
        return chosen
    for flag, other in ((a, b), (b, a)):
        if flag.op == "sext" and flag.args[0].width == 1:
            return ite(flag.args[0], other, 0, width)
    if a.op == "zext" or b.op == "zext":  # nothing above the shorter operand remains
        inner = min(x.args[0].width for x in (a, b) if x.op == "zext")
        return zext(and_(extract(a, 0, inner), extract(b, 0, inner), inner), inner, width)
    return _in_order("and", a, b, width)


def _mask(a: Term, mask: int, width: int) -> Value:
    possible = (1 << width) - 1 ^ a.zeros
    mask &= possible
    if mask & ~a.ones == 0:
        return mask
    if mask == possible:
        return a
    if 1 < a.alternatives <= ALTERNATIVES:
        return spread(lambda leaf: leaf & mask, a, width)
    if a.op == "sext" and a.args[0].width == 1:
        return ite(a.args[0], mask, 0, width)
    first = (mask & -mask).bit_length() - 1
    last = mask.bit_length()
    run = (1 << last) - (1 << first)
    if run & ~(mask | a.zeros) == 0:  # one run of bits
        middle = concat(extract(a, first, last - first), 0, last - first, first) if first else extract(a, 0, last)
        return zext(middle, last, width)
    if a.op == "and" and a.args[1].op == "const":
        return _mask(a.args[0], mask & a.args[1].value, width)
    if first or last < width:
        middle = and_(extract(a, first, last - first), mask >> first, last - first)
        return zext(concat(middle, 0, last - first, first) if first else middle, last, width)
    return settled(make("and", width, (a, constant(mask, width))))


def or_(a: Value, b: Value, width: int) -> Value:
    """Bitwise or."""
    if type(a) is int:
        if type(b) is int:
            return a | b
        a, b = b, a
    if width == 1:
        return either(a, b)
    assert type(a) is Term
    mask = (1 << width) - 1
    if type(b) is int:
        if b == 0:
            return a
        if b | a.ones == mask:
            return mask
        if b & ~a.ones == 0:
            return a
        if 1 < a.alternatives <= ALTERNATIVES:
            return spread(lambda leaf: leaf | b, a, width)
        if a.op == "or" and a.args[1].op == "const":
            return or_(a.args[0], a.args[1].value | b, width)
    elif type(b) is Term:
        if a is b or b.zeros | a.ones == mask:
            return a
        if a.zeros | b.ones == mask:
            return b
        if (a.op == "not" and a.args[0] is b) or (b.op == "not" and b.args[0] is a):
            return mask
        chosen = chosen_by("or", a, b, width) if a.alternatives and b.alternatives else None
        if chosen is not None:
            return chosen
    narrow = _narrow(or_, a, b, width)
    return narrow if narrow is not None else _in_order("or", a, b, width)


def _in_order(op: str, a: Term, b: Value, width: int) -> Value:
    second = node(b, width)
    if second.op != "const" and a.digest > second.digest:
        a, second = second, a
    return settled(make(op, width, (a, second)))


def join_disjoint(a: Term, b: Value, width: int) -> Value | None:
    """Joins two values that share no bit, where one ends and the other begins; None for others."""
    second = node(b, width)
    mask = (1 << width) - 1
    if a.zeros | second.zeros != mask or a.op not in _STRUCTURE or second.op not in _STRUCTURE:
        return None
    cut = max(trailing_zeros(a), trailing_zeros(second))
    if cut == 0 or cut >= width or _edges(a.zeros) + _edges(second.zeros) > _MOST_EDGES:
        return None
    lower = or_(_extract(a, 0, cut, _FUEL), _extract(second, 0, cut, _FUEL), cut)
    upper = or_(_extract(a, cut, width - cut, _FUEL), _extract(second, cut, width - cut, _FUEL), width - cut)
    return concat(upper, lower, width - cut, cut)


def _edges(mask: int) -> int:
    """How often set and clear bits alternate."""
    return (mask ^ mask >> 1).bit_count()


def xor(a: Value, b: Value, width: int) -> Value:
    """Bitwise exclusive or."""
    if type(a) is int:
        if type(b) is int:
            return a ^ b
        a, b = b, a
    if width == 1:
        return exclusive(a, b)
    assert type(a) is Term
    simpler = _flip(a, b, width) if type(b) is int else _differing(a, b, width)  # type: ignore[arg-type]  # a Term
    if simpler is not None:
        return simpler
    narrow = _narrow(xor, a, b, width)
    return narrow if narrow is not None else _in_order("xor", a, b, width)


def _narrow(operator: Callable[[Value, Value, int], Value], a: Term, b: Value, width: int) -> Value | None:
    """The operation on narrower operands: disjoint ones are joined, two like extensions are extended afterwards; None
    for others.
    """
    assembled = join_disjoint(a, b, width)
    if assembled is not None or type(b) is int:
        return assembled
    assert type(b) is Term
    if a.op != b.op or (a.op != "zext" and a.op != "sext"):
        return None
    first, second = a.args[0], b.args[0]
    if a.op == "sext":
        inner = first.width
        return sext(operator(first, second, inner), inner, width) if second.width == inner else None
    inner = max(first.width, second.width)
    return zext(operator(zext(first, first.width, inner), zext(second, second.width, inner), inner), inner, width)


def _flip(a: Term, b: int, width: int) -> Value | None:
    """Exclusive or with a constant."""
    mask = (1 << width) - 1
    if b == 0:
        return a
    if b == mask:
        return not_(a, width)
    if 1 < a.alternatives <= ALTERNATIVES:
        return spread(lambda leaf: leaf ^ b, a, width)
    if a.op == "xor" and a.args[1].op == "const":
        return xor(a.args[0], a.args[1].value ^ b, width)
    return xor(a.args[0], b ^ mask, width) if a.op == "not" else None


def _differing(a: Term, b: Term, width: int) -> Value | None:
    """The exclusive or of two terms with something in common; None for others."""
    if a is b:
        return 0
    if a.op == "not" or b.op == "not":
        first = a.args[0] if a.op == "not" else a
        second = b.args[0] if b.op == "not" else b
        inner = xor(first, second, width)
        return inner if a.op == b.op else not_(inner, width)
    for term, other in ((a, b), (b, a)):
        if term.op == "xor" and (other is term.args[0] or other is term.args[1]):
            return plain(term.args[1] if other is term.args[0] else term.args[0])
    return chosen_by("xor", a, b, width) if a.alternatives and b.alternatives else None
