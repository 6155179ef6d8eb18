"""Sums and products.

The normal form is ``add(add(P, neg(N)), const)`` where P and N are chains of distinct addends in a fixed order, those
of small range first. Making a sum reads both operands (logic/terms/linear.py) and writes the total from addends that
are not sums: nothing is read twice. Every other rewriting narrows a term or removes an operator.
"""

from __future__ import annotations

from operator import itemgetter

from unfork.logic.terms import concrete
from unfork.logic.terms.bits import and_, extract, join_disjoint, not_, sext, shift_up, zext
from unfork.logic.terms.boolean import exclusive
from unfork.logic.terms.choice import (
    ALTERNATIVES,
    alike,
    chosen_by,
    ite,
    node,
    pairs_alike,
    plain,
    settled,
    spread,
    spread2,
)
from unfork.logic.terms.known_bits import trailing_zeros
from unfork.logic.terms.linear import ADDENDS, Linear, is_sum
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import constant, make


def add(a: Value, b: Value, width: int) -> Value:
    """The sum modulo 2**width."""
    if type(b) is int:
        if type(a) is int:
            return a + b & (1 << width) - 1
        assert type(a) is Term
        return _add_constant(a, b, width)
    assert type(b) is Term
    if type(a) is int:
        return _add_constant(b, a, width)
    assert type(a) is Term
    if width == 1:
        return exclusive(a, b)
    offset = 0
    if a.op == "add" and a.args[1].op == "const":
        offset = a.args[1].value
        a = a.args[0]
    if b.op == "add" and b.args[1].op == "const":
        offset += b.args[1].value
        b = b.args[0]
    total = _sum(a, b, width)
    return total if offset == 0 else add(total, offset & (1 << width) - 1, width)


def _add_constant(a: Term, b: int, width: int) -> Value:
    if b == 0:
        return a
    if a.op == "add":
        last = a.args[1]
        if last.op == "const":
            b = b + last.value & (1 << width) - 1
            a = a.args[0]
            if b == 0:
                return a
    elif 1 < a.alternatives <= ALTERNATIVES:
        return spread(lambda leaf: concrete.add(leaf, b, width), a, width)
    elif a.op == "not":
        return add(neg(a.args[0], width), b - 1 & (1 << width) - 1, width)
    elif width == 1:
        return exclusive(a, b)
    return settled(make("add", width, (a, constant(b, width))))


def _sum(a: Term, b: Term, width: int) -> Value:
    if a is b:
        return mul(a, 2, width)
    if a.alternatives and b.alternatives:
        chosen = chosen_by("add", a, b, width)
        if chosen is not None:
            return chosen
    assembled = join_disjoint(a, b, width)
    if assembled is not None:
        return assembled
    if alike(a, b):
        pairs = pairs_alike(a, b, _without_constant)
        if pairs:
            return _sum_of_choices(pairs, width)
    if is_sum(a) or is_sum(b):
        return _flat(a, b, width)
    return _pair(a, b, width)


def _sum_of_choices(pairs: list[tuple[Term, Term]], width: int) -> Value:
    """The sum of the last pair; choices by one condition are added side by side."""
    sums: dict[tuple[Term, Term], Value] = {}

    def side(x: Term, y: Term) -> Value:
        first, second = _without_constant(x), _without_constant(y)
        total = sums.get((first, second))
        if total is None:
            return add(plain(x), plain(y), width)
        offset = (0 if first is x else x.args[1].value) + (0 if second is y else y.args[1].value)
        return add(total, offset & (1 << width) - 1, width)

    for a, b in pairs:
        sums[a, b] = ite(a.args[0], side(a.args[1], b.args[1]), side(a.args[2], b.args[2]), width)
    return sums[pairs[-1]]


def _without_constant(a: Term) -> Term:
    return a.args[0] if a.op == "add" and a.args[1].op == "const" else a


def _pair(a: Term, b: Term, width: int) -> Value:
    """Two addends, an unrestricted one last, so that the range of the other is known."""
    limit = 1 << width // 2
    if (a.high - a.low >= limit, a.digest) > (b.high - b.low >= limit, b.digest):
        a, b = b, a
    return settled(make("add", width, (a, b)))


def _flat(a: Term, b: Term, width: int) -> Value:
    """The sum of two terms, one of which is a sum."""
    total = Linear()
    total.read(a, 1)
    total.read(b, 1)
    count = len(total.factors)
    if count == total.met and not total.constant:  # no common addend
        if count > ADDENDS:
            return _long(a, b, width)
        if count == 2:
            half = 1 << width - 1
            first, second = [factor & 2 * half - 1 > half for factor in total.factors.values()]
            if not first and not second:
                return _pair(a, b, width)
            if first != second:
                return settled(make("add", width, (b, a) if first else (a, b)))
    return _write(total, width)


def _long(a: Term, b: Term, width: int) -> Value:
    """A sum too long to sort; an unrestricted addend stays last."""
    if a.op != "add" or (b.op == "add" and a.digest > b.digest):
        a, b = b, a
    limit = 1 << width // 2
    if a.op == "add" and b.high - b.low < limit:
        near, far = a.args
        if far.high - far.low >= limit > near.high - near.low:
            return settled(make("add", width, (make("add", width, (near, b)), far)))
    return settled(make("add", width, (a, b)))


def _write(total: Linear, width: int) -> Value:
    """A sum in its normal form."""
    mask, half = (1 << width) - 1, 1 << width - 1
    constant = total.constant
    added: list[Term] = []
    subtracted: list[Term] = []
    for term, factor in total.factors.items():
        factor &= mask
        if not factor:
            continue
        times = factor if factor <= half else -factor & mask
        multiple: Value = term
        if times != 1:
            known = total.written.get(term)
            multiple = known[1] if known is not None and known[0] == times else mul(term, times, width)
        if type(multiple) is int:
            constant += multiple if factor <= half else -multiple
        elif type(multiple) is Term:
            (added if factor <= half else subtracted).append(multiple)
    positive = _fold(added, width)
    if not subtracted:
        return add(positive, constant & mask, width) if constant else positive
    negative = _fold(subtracted, width)
    if type(negative) is Term and negative.op == "add":
        negative = settled(make("neg", width, (negative,)))
    else:
        negative = neg(negative, width)
    if type(positive) is Term and type(negative) is Term:
        result = settled(make("add", width, (positive, negative)))
    else:
        result = add(positive, negative, width)
    return add(result, constant & mask, width) if constant else result


_rank = itemgetter(0, 1)


def _fold(addends: list[Term], width: int) -> Value:
    """The sum of terms, sorted unless there are too many."""
    if not addends:
        return 0
    if len(addends) <= ADDENDS:
        limit = 1 << width // 2
        order = []
        for term in addends:
            if term.op == "add":
                break
            order.append((term.high - term.low >= limit, term.digest, term))
        else:
            order.sort(key=_rank)
            addends = [term for _, _, term in order]
    result = addends[0]
    for term in addends[1:]:
        result = make("add", width, (result, term))
    return settled(result)


def neg(a: Value, width: int) -> Value:
    """Zero minus ``a``."""
    if type(a) is int:
        return -a & (1 << width) - 1
    assert type(a) is Term
    if width == 1:
        return a
    op = a.op
    if op == "neg":
        return a.args[0]
    if op == "not":
        return add(a.args[0], 1, width)
    if (op == "zext" or op == "sext") and a.args[0].width == 1:
        return sext(a.args[0], 1, width) if op == "zext" else zext(a.args[0], 1, width)
    if 1 < a.alternatives <= ALTERNATIVES:
        return spread(lambda leaf: concrete.neg(leaf, width), a, width)
    if op == "add":
        total = Linear()
        total.read(a, -1)
        return _write(total, width)
    if op == "mul" and a.args[1].op == "const":
        return mul(a.args[0], concrete.neg(a.args[1].value, width), width)
    if op == "concat" and trailing_zeros(a):
        zeros = trailing_zeros(a)
        return shift_up(neg(extract(a, zeros, width - zeros), width - zeros), zeros, width) if zeros < width else 0
    return settled(make("neg", width, (a,)))


def sub(a: Value, b: Value, width: int) -> Value:
    """The difference modulo 2**width."""
    if type(b) is int:
        return a - b & (1 << width) - 1 if type(a) is int else add(a, -b & (1 << width) - 1, width)
    if a is b:
        return 0
    if type(a) is Term and type(b) is Term and a.alternatives and b.alternatives:
        chosen = spread2(lambda x, y: concrete.sub(x, y, width), a, b, width)
        if chosen is not None:
            return chosen
    return add(a, neg(b, width), width)


def distance(a: Value, b: Value, width: int) -> Value:
    """The difference, written so that adding ``b`` gives ``a`` again, even where ``b`` is a choice of constants."""
    if type(a) is not Term or type(b) is not Term or not 1 < b.alternatives <= ALTERNATIVES or a is b:
        return sub(a, b, width)
    offset, rest = constant_offset(a)
    difference = settled(make("add", width, (rest, make("neg", width, (b,)))))
    return add(difference, offset, width)


def constant_offset(pointer: Term) -> tuple[int, Term]:
    """A sum split into its constant and the rest."""
    if pointer.op == "add":
        last = pointer.args[1]
        if last.op == "const":
            return last.value, pointer.args[0]
    return 0, pointer


def parted(value: Value) -> tuple[int, Value]:
    """A value split into its constant and the rest, which is 0 for a number."""
    return (value, 0) if isinstance(value, int) else constant_offset(value)


def mul(a: Value, b: Value, width: int) -> Value:
    """The product modulo 2**width."""
    if type(a) is int:
        if type(b) is int:
            return a * b & (1 << width) - 1
        a, b = b, a
    assert type(a) is Term
    if width == 1:
        return and_(a, b, 1)
    if type(b) is int:
        return _multiple(a, b, width)
    assert type(b) is Term
    if a.alternatives and b.alternatives:
        chosen = chosen_by("mul", a, b, width)
        if chosen is not None:
            return chosen
    for flag, other in ((a, b), (b, a)):
        if flag.op == "zext" and flag.args[0].width == 1:
            return ite(flag.args[0], other, 0, width)
    if a.op == "neg" or b.op == "neg":
        first = a.args[0] if a.op == "neg" else a
        second = b.args[0] if b.op == "neg" else b
        product = mul(first, second, width)
        return product if a.op == b.op else neg(product, width)
    if a.op == b.op and (a.op == "zext" or a.op == "sext"):
        first, second = a.args[0], b.args[0]
        inner = first.width + second.width
        if inner < width:  # the product fits
            extend = zext if a.op == "zext" else sext
            return extend(
                mul(extend(first, first.width, inner), extend(second, second.width, inner), inner), inner, width
            )
    if a.op == "ite" and a.args[1].op == a.args[2].op == "const":
        a, b = b, a
    if b.op == "ite" and b.args[1].op == b.args[2].op == "const":  # a flag times a value is a choice
        return ite(b.args[0], mul(a, b.args[1].value, width), mul(a, b.args[2].value, width), width)
    if a.digest > b.digest:
        a, b = b, a
    return settled(make("mul", width, (a, b)))


def _multiple(a: Term, b: int, width: int) -> Value:
    if b == 0:
        return 0
    if b == 1:
        return a
    mask = (1 << width) - 1
    if b == mask:
        return neg(a, width)
    if 1 < a.alternatives <= ALTERNATIVES:
        return spread(lambda leaf: leaf * b & mask, a, width)
    op = a.op
    if op == "add" and a.args[1].op == "const":
        return add(mul(a.args[0], b, width), a.args[1].value * b & mask, width)
    if op == "neg":
        return mul(a.args[0], -b & mask, width)
    if op == "mul" and a.args[1].op == "const":
        return mul(a.args[0], a.args[1].value * b & mask, width)
    if op == "not":
        return add(mul(a.args[0], -b & mask, width), -b & mask, width)
    if (op == "zext" or op == "sext") and a.args[0].width == 1:
        return ite(a.args[0], b if op == "zext" else -b & mask, 0, width)
    zeros = (b & -b).bit_length() - 1
    if zeros:
        rest = width - zeros
        return shift_up(mul(extract(a, 0, rest), b >> zeros & (1 << rest) - 1, rest), zeros, width)
    if op == "concat" and trailing_zeros(a):
        zeros = trailing_zeros(a)
        rest = width - zeros
        return shift_up(mul(extract(a, zeros, rest), b & (1 << rest) - 1, rest), zeros, width)
    return settled(make("mul", width, (a, constant(b, width))))


def shl(a: Value, b: Value, width: int) -> Value:
    """``a`` shifted left; zero if the amount is not below the width."""
    if type(b) is int:
        if b >= width:
            return 0
        if type(a) is int:
            return a << b & (1 << width) - 1
        assert type(a) is Term
        return _multiple(a, 1 << b, width) if b else a
    assert type(b) is Term
    if b.low >= width or (type(a) is int and a == 0):
        return 0
    return _variable_shift("shl", a, b, width)


def _variable_shift(op: str, a: Value, b: Term, width: int) -> Value:
    if width == 1:  # an amount of 1 shifts the only bit out, or keeps the sign
        return a if op == "ashr" else and_(a, not_(b, 1), 1)
    first = node(a, width)
    if first.alternatives and b.alternatives:
        chosen = chosen_by(op, a, b, width)
        if chosen is not None:
            return chosen
    return settled(make(op, width, (first, b)))


def lshr(a: Value, b: Value, width: int) -> Value:
    """``a`` shifted right, zeros above; zero if the amount is not below the width."""
    if type(b) is int:
        if b >= width:
            return 0
        return zext(extract(a, b, width - b), width - b, width) if b else a
    assert type(b) is Term
    if b.low >= width or (type(a) is int and a == 0):
        return 0
    return _variable_shift("lshr", a, b, width)


def ashr(a: Value, b: Value, width: int) -> Value:
    """``a`` shifted right, copies of its top bit above."""
    if type(b) is int:
        amount = min(b, width - 1)
        return sext(extract(a, amount, width - amount), width - amount, width) if amount else a
    assert type(b) is Term
    if b.low >= width:
        return sext(extract(a, width - 1, 1), 1, width)
    if type(a) is int and a in (0, (1 << width) - 1):
        return a
    if (type(a) is int and not a >> width - 1) or (type(a) is Term and a.high < 1 << width - 1):
        return lshr(a, b, width)
    return _variable_shift("ashr", a, b, width)
