"""Equalities. Each turn compares smaller operands; the cases split off on the way are added to the answer."""

from __future__ import annotations

from unfork.logic.terms import concrete
from unfork.logic.terms.bits import extract, zext
from unfork.logic.terms.boolean import both, either, exclusive, negate
from unfork.logic.terms.choice import ALTERNATIVES, BYTE, alike, by_leaves, ite, node, plain, side_by_side, spread
from unfork.logic.terms.linear import Linear
from unfork.logic.terms.sums import add, constant_offset, mul
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import constant, make

# How many branches with a constant a comparison follows down a chain of ite.
_PEEL = 16


def eq(a: Value, b: Value, width: int) -> Value:
    """Are the operands equal?"""
    return _equal(a, b, _CHOICES)


def ne(a: Value, b: Value, width: int) -> Value:
    """Do the operands differ?"""
    return negate(eq(a, b, width))


_SUMS = 4
"""Sums that may simplify one equality."""
_CHOICES, _NO_CHOICES = True, False
_BOTH, _EITHER, _THEN, _ELSE = range(4)
Frame = tuple[int, Value, int]
"""How the answer to the next question, with a known part, answers this one."""


def _equal(a: Value, b: Value, choices: bool) -> Value:
    """An equality, reduced to smaller operands. ``choices`` says whether to compare two choices side by side."""
    frames: list[Frame] = []
    sums = _SUMS
    while True:
        if type(a) is int:
            if type(b) is int:
                result: Value = 1 if a == b else 0
                break
            a, b = b, a
        assert type(a) is Term
        if type(b) is int:
            if b < a.low or b > a.high or b & a.zeros or a.ones & ~b:
                result = 0
                break
            if a.op == "symbol" and a.width > 1:
                result = make("eq", 1, (a, constant(b, a.width)))
                break
            step: _Step | None = _with_constant(a, b, frames)
        else:
            assert type(b) is Term
            if a is b:
                result = 1
                break
            if a.low > b.high or b.low > a.high or a.ones & b.zeros or a.zeros & b.ones:
                result = 0
                break
            step = _with_term(a, b, choices, frames)
            if step is None and sums and (a.op == "add" or b.op == "add"):
                sums -= 1
                step = _equal_sums(a, b)
            if step is None:
                step = _raw_equal(a, b)
        if type(step) is not tuple:
            result = step  # type: ignore[assignment]  # no tuple
            break
        a, b = step
    return combine(frames, result) if frames else result


def combine(frames: list[Frame], result: Value) -> Value:
    """The answer to the first question, computed from the answer to the last."""
    for kind, guard, decided in reversed(frames):
        if kind == _BOTH:
            result = both(guard, result)
        elif kind == _EITHER:
            result = either(guard, result)
        else:
            result = ite(guard, decided, result, 1) if kind == _THEN else ite(guard, result, decided, 1)
    return result


_INVERTIBLE = frozenset(("add", "xor", "not", "neg", "mul"))
_Step = Value | tuple[Value, Value]
"""An answer, or the operands to compare instead."""


def _with_constant(a: Term, k: int, frames: list[Frame]) -> _Step:
    """One step of ``a == k``, where ``k`` is not excluded."""
    width = a.width
    if width == 1:
        return a if k else negate(a)
    op, args = a.op, a.args
    if op == "concat":
        return _parts_equal(a, k, frames)
    if op == "zext":
        return args[0], k
    if op == "sext":
        inner = k & (1 << args[0].width) - 1
        return (args[0], inner) if concrete.sext(inner, args[0].width, width) == k else 0
    if op in _INVERTIBLE and (args[-1].op == "const" or len(args) == 1):
        mask = (1 << width) - 1
        if op == "add":
            return args[0], k - args[1].value & mask
        if op == "mul":
            factor = args[1].value
            if factor & 1 == 0:
                return make("eq", 1, (a, constant(k, width)))
            return args[0], k * pow(factor, -1, 1 << width) & mask
        return args[0], k ^ (args[1].value if op == "xor" else mask) if op != "neg" else -k & mask
    if op == "ite":
        step = _choice_equal(a, k, frames)
        if step is not None:
            return step
    elif op == "udiv":
        step = _of_other_factor(a, constant(k, width))
        if step is not None:
            return step
    elif k == 0 and (sides := _equal_if_zero(a)) is not None:
        return sides
    return make("eq", 1, (a, constant(k, width)))


def _equal_if_zero(a: Term) -> tuple[Value, Value] | None:
    """The terms whose difference is 0 where ``a`` is."""
    if a.op == "xor":
        return plain(a.args[0]), plain(a.args[1])
    if a.op == "add":
        first, second = a.args
        if first.op == "neg":
            first, second = second, first
        if second.op == "neg":
            return first, second.args[0]
    return None


def _choice_equal(a: Term, k: int, frames: list[Frame]) -> _Step | None:
    """One step of ``a == k`` for a choice; None if the choice stays whole."""
    if 1 < a.alternatives <= ALTERNATIVES:
        return spread(lambda leaf: 1 if leaf == k else 0, a, 1)
    if a.width == BYTE and (whole := by_leaves(lambda leaf: eq(leaf, k, BYTE), a)) is not None:
        return whole
    rest = peel(a, k, k, 0, frames)
    return None if rest is None else (rest, k)


def _parts_equal(a: Term, k: int, frames: list[Frame]) -> _Step:
    """``a == k`` for a concat: compares all its parts but the highest, the lowest first."""
    parts: list[tuple[Term, int]] = []
    while a.op == "concat" or a.op == "zext" or a.op == "sext":
        if k < a.low or k > a.high or k & a.zeros or a.ones & ~k:
            return 0
        low = a.args[-1]
        if a.op == "concat":
            parts.append((a.args[0], k >> low.width))
        elif a.op == "sext" and concrete.sext(k & (1 << low.width) - 1, low.width, a.width) != k:
            return 0
        k &= (1 << low.width) - 1
        a = low
    parts.append((a, k))
    highest = parts.pop(0)
    for part, bits in reversed(parts):
        equal = eq(plain(part), bits, part.width)
        if type(equal) is int:
            if not equal:
                return 0
        else:
            frames.append((_BOTH, equal, 0))
    return plain(highest[0]), highest[1]


def peel(tree: Term, first: int, last: int, inverted: int, frames: list[Frame]) -> Value | None:
    """The other branch of a choice with a constant branch, whose answer goes into ``frames``; None if neither is
    constant.

    ``inverted`` is 1 where the answer is that ``tree`` lies outside of [first, last].
    """
    condition, then, other = tree.args
    if len(frames) >= _PEEL or (then.op != "const" and other.op != "const"):
        return None
    mask = (1 << tree.width) - 1
    leaf, rest = (then, other) if then.op == "const" else (other, then)
    decided = int(leaf.value - first & mask <= (last - first & mask)) ^ inverted
    frames.append((_THEN if leaf is then else _ELSE, condition, decided))
    return plain(rest)


def _with_term(a: Term, b: Term, choices: bool, frames: list[Frame]) -> _Step | None:
    """One step of the equality of two terms; None if they share no form."""
    op, width = a.op, a.width
    if width == 1:
        return negate(exclusive(a, b))
    if op == b.op:
        if op == "concat" and a.args[1].width == b.args[1].width:
            high, low = a.args
            frames.append((_BOTH, eq(plain(high), plain(b.args[0]), high.width), 0))
            return plain(low), plain(b.args[1])
        if op in ("zext", "sext"):
            return _equal_extensions(a.args[0], b.args[0], op, frames)
        if op in ("not", "neg"):
            return a.args[0], b.args[0]
        if choices and alike(a, b):
            decided = _choices_equal(a, b)
            if decided is not None:
                return decided
    for tree, leaf in ((a, b), (b, a)):
        if tree.op == "udiv" and (whole := _of_other_factor(tree, leaf)) is not None:
            return whole
        if tree.op == "ite":
            condition, first, second = tree.args
            if first is leaf or second is leaf:
                frames.append((_EITHER, condition if first is leaf else negate(condition), 0))
                return plain(second if first is leaf else first), leaf
    return None


def _of_other_factor(quotient: Term, factor: Term) -> Value | None:
    """Is a product divided by one factor the other one, as in ``a * b / a == b``? It is unless the product wraps: a
    multiplication, of only as many bits as it needs, is far easier than a division. None if this is another quotient.
    """
    product, divisor = quotient.args
    if product.op != "mul" or {id(each) for each in product.args} != {id(divisor), id(factor)}:
        return None
    width = quotient.width
    by_zero = eq(plain(factor), (1 << width) - 1, width)
    return ite(eq(plain(divisor), 0, width), by_zero, negate(_wraps(divisor, factor)), 1)


def _wraps(a: Term, b: Term) -> Value:
    """Does the product of two numbers of one width exceed it?"""
    width = a.width
    if b.op == "const":
        a, b = b, a
    if a.op == "const":
        limit = ((1 << width) - 1) // max(a.value, 1)
        return 0 if b.high <= limit else negate(make("ult", 1, (b, constant(limit + 1, width))))
    sizes = a.high.bit_length(), b.high.bit_length()
    full = sum(sizes)
    if full <= width:
        return 0
    first, second = (zext(extract(each, 0, size), size, full) for each, size in zip((a, b), sizes, strict=True))
    return ne(extract(mul(first, second, full), width, full - width), 0, full - width)


def _raw_equal(a: Term, b: Term) -> Term:
    return make("eq", 1, (a, b) if a.digest < b.digest else (b, a))


def _equal_extensions(a: Term, b: Term, op: str, frames: list[Frame]) -> _Step:
    if a.width > b.width:
        a, b = b, a
    if a.width == b.width:
        return a, b
    if op == "zext":
        frames.append((_BOTH, eq(extract(b, a.width, b.width - a.width), 0, b.width - a.width), 0))
        return a, extract(b, 0, a.width)
    return _raw_equal(make(op, b.width, (a,)), b)


def _choices_equal(a: Term, b: Term) -> Value | None:
    """The equality of two choices by one condition, one side of which is decided; None for others."""

    def choose(x: Term, y: Term, then: Value, other: Value) -> Value | None:
        if type(then) is int or type(other) is int:
            return ite(x.args[0], then, other, 1)
        return None if x is a and y is b else _raw_equal(x, y)

    return side_by_side(a, b, lambda x, y: _equal(plain(x), plain(y), _NO_CHOICES), choose)


def _equal_sums(a: Term, b: Term) -> _Step | None:
    """One step of an equality of sums: common addends cancel, and constants move to one side."""
    width = a.width
    mask = (1 << width) - 1
    difference = Linear()
    difference.read_through(a, 1)
    difference.read_through(b, -1)
    factors = {term: factor & mask for term, factor in difference.factors.items() if factor & mask}
    k = -difference.constant & mask
    if not factors:
        return 1 if k == 0 else 0
    if len(factors) == difference.met:
        return _constant_on_one_side(a, b)
    left: Value = 0
    right: Value = 0
    for term, factor in factors.items():
        if factor >> width - 1:
            right = add(right, mul(term, -factor & mask, width), width)
        else:
            left = add(left, mul(term, factor, width), width)
    if type(left) is int:
        return right, left - k & mask
    if type(right) is int:
        return left, right + k & mask
    assert type(left) is Term and type(right) is Term
    return _with_constant_on_one_side(left, right, k)


def _constant_on_one_side(a: Term, b: Term) -> _Step | None:
    (offset, first), (other, second) = constant_offset(a), constant_offset(b)
    if not offset and not other:
        return None
    return _with_constant_on_one_side(first, second, other - offset & (1 << a.width) - 1)


def _with_constant_on_one_side(a: Term, b: Term, k: int) -> _Step:
    """``a - b == k``, with the constant on the side that comes first in the order of operands."""
    if k == 0:
        return a, b
    width = a.width
    smaller, larger, shift = (a, b, -k & (1 << width) - 1) if a.digest < b.digest else (b, a, k)
    return _raw_equal(node(add(smaller, shift, width), width), larger)
