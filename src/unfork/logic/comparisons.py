"""Comparisons: a comparison with a constant is membership in an interval, handed inwards through the operators.

The only comparisons that exist as terms are eq, ult and slt; with a constant it is the second operand, and x > c is
the negation of ult(x, c + 1). An interval is taken modulo 2**width: its first value may exceed its last.
"""

from __future__ import annotations

from unfork.logic import concrete
from unfork.logic.bits import extract
from unfork.logic.boolean import both, either, exclusive, negate
from unfork.logic.choice import ALTERNATIVES, alike, as_it_is, ite, node, pairs_alike, plain, spread
from unfork.logic.linear import Linear
from unfork.logic.sums import add, constant_offset, mul
from unfork.logic.term import Term, Value, constant, make

# How many branches of a chain of ite with a constant on one side a comparison is handed into.
_PEEL = 16


def eq(a: Value, b: Value, width: int) -> Value:
    """Are the operands equal?"""
    return _equal(a, b, _CHOICES)


def ne(a: Value, b: Value, width: int) -> Value:
    """Do the operands differ?"""
    return negate(eq(a, b, width))


_SUMS = 4
"""Sums that one equality is simplified by."""
_CHOICES, _NO_CHOICES = True, False
_BOTH, _EITHER, _THEN, _ELSE = range(4)
_Frame = tuple[int, Value, int]
"""How the answer to a question is combined with what is known already, to answer the question before it."""


def _equal(a: Value, b: Value, choices: bool) -> Value:
    """An equality, asked of smaller and smaller operands; whether two choices are compared side by side."""
    frames: list[_Frame] = []
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
    return _combined(frames, result) if frames else result


def _combined(frames: list[_Frame], result: Value) -> Value:
    """The answer to the first question, from that to the last."""
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


def _with_constant(a: Term, k: int, frames: list[_Frame]) -> _Step:
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
        if 1 < a.alternatives <= ALTERNATIVES:
            return spread(lambda leaf: 1 if leaf == k else 0, a, 1)
        rest = _peeled(a, k, k, 0, frames)
        if rest is not None:
            return rest, k
    elif op == "xor" and k == 0:
        return plain(args[0]), plain(args[1])
    elif op == "add" and k == 0:
        first, second = args
        if first.op == "neg":
            first, second = second, first
        if second.op == "neg":
            return first, second.args[0]
    return make("eq", 1, (a, constant(k, width)))


def _parts_equal(a: Term, k: int, frames: list[_Frame]) -> _Step:
    """``a == k`` for a concat: all its parts but the highest are compared, the lowest first."""
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


def _peeled(tree: Term, first: int, last: int, inverted: int, frames: list[_Frame]) -> Value | None:
    """What is left of a choice of which one branch is constant, when that has been told apart; None where none is.

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


def _with_term(a: Term, b: Term, choices: bool, frames: list[_Frame]) -> _Step | None:
    """One step of the equality of two terms; None where they have no form in common."""
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
        if tree.op == "ite":
            condition, first, second = tree.args
            if first is leaf or second is leaf:
                frames.append((_EITHER, condition if first is leaf else negate(condition), 0))
                return plain(second if first is leaf else first), leaf
    return None


def _raw_equal(a: Term, b: Term) -> Term:
    return make("eq", 1, (a, b) if a.digest < b.digest else (b, a))


def _equal_extensions(a: Term, b: Term, op: str, frames: list[_Frame]) -> _Step:
    if a.width > b.width:
        a, b = b, a
    if a.width == b.width:
        return a, b
    if op == "zext":
        frames.append((_BOTH, eq(extract(b, a.width, b.width - a.width), 0, b.width - a.width), 0))
        return a, extract(b, 0, a.width)
    return _raw_equal(make(op, b.width, (a,)), b)


def _choices_equal(a: Term, b: Term) -> Value | None:
    """The equality of two choices by one condition, where one side of it is decided; None for others."""
    pairs = pairs_alike(a, b, as_it_is)
    if pairs is None:
        return None
    known: dict[tuple[Term, Term], Value] = {}
    for x, y in pairs:
        sides = [(x.args[i], y.args[i]) for i in (1, 2)]
        then, other = (known[x, y] if (x, y) in known else _equal(plain(x), plain(y), _NO_CHOICES) for x, y in sides)
        if type(then) is int or type(other) is int:
            known[x, y] = ite(x.args[0], then, other, 1)
        elif x is a and y is b:
            return None
        else:
            known[x, y] = _raw_equal(x, y)
    return known[a, b]


def _equal_sums(a: Term, b: Term) -> _Step | None:
    """One step of an equality of sums: what both sides have falls away, and a constant stays on one side."""
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
    """``a - b == k``, the constant on the side that comes first in the order of operands."""
    if k == 0:
        return a, b
    width = a.width
    smaller, larger, shift = (a, b, -k & (1 << width) - 1) if a.digest < b.digest else (b, a, k)
    return _raw_equal(node(add(smaller, shift, width), width), larger)


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
            simpler = _shifted(a, b, 0, a.width)
            return simpler if simpler is not None else make("ult", 1, (a, b))
        a, b = inner


def _below(a: Term, b: Term) -> tuple[Value, Value] | None:
    """Operands of a smaller unsigned comparison that says the same, None if there is none."""
    op = a.op
    if op != b.op or op == "symbol":
        return None
    first, second = a.args[0], b.args[0]
    if op == "zext" or (op == "sext" and first.width == second.width):
        inner = max(first.width, second.width)
        return _widened(first, inner), _widened(second, inner)
    if op == "concat" and a.args[1].width == b.args[1].width:
        low_a, low_b = a.args[1], b.args[1]
        if first is second:
            return plain(low_a), plain(low_b)
        if low_a is low_b:
            return plain(first), plain(second)
    if op == "add" and a.args[1] is b.args[1] and max(first.high, second.high) + a.args[1].high >> a.width == 0:
        return first, second
    return (second, first) if op == "not" else None


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
    frames: list[_Frame] = []
    inverted = 0
    while True:
        clipped = _clipped(a, first, last)
        if isinstance(clipped, int):
            found: Value = clipped
            break
        flip, first, last = clipped
        inverted ^= flip
        inwards = _inwards(a, first, last)
        if isinstance(inwards, int):
            found = inwards
            break
        if inwards is not None:
            a, first, last = inwards
            continue
        if 1 < a.alternatives <= ALTERNATIVES:
            found = _spread_member(a, first, last)
            break
        rest = _peeled(a, first, last, inverted, frames) if a.op == "ite" else None
        if rest is None:
            found = _literal(a, first, last)
            break
        if type(rest) is int:
            found = int(first <= rest <= last)
            break
        assert type(rest) is Term
        a = rest
    if inverted:
        found = negate(found)
    return _combined(frames, found) if frames else found


def _spread_member(tree: Term, first: int, last: int) -> Value:
    return spread(lambda leaf: int(first <= leaf <= last), tree, 1)


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
        return make("eq", 1, (a, constant(first, width))) if a.op == "ite" else eq(a, first, width)
    if width == 1:
        return 1
    low, high = a.low, a.high
    if first <= low:
        if last + 1 == high:
            return negate(eq(a, high, width))
        if last == half - 1:
            return negate(_sign(a, width))
        return make("ult", 1, (a, constant(last + 1, width)))
    if last >= high:
        if first == low + 1:
            return negate(eq(a, low, width))
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
