"""Sums and products: a sum keeps its constant part last and on its own, equal addends are counted, not repeated."""

from __future__ import annotations

from unfork.logic import concrete
from unfork.logic.bits import and_, disjoint, extract, not_, sext, shifted, zext
from unfork.logic.boolean import exclusive
from unfork.logic.choice import ALTERNATIVES, chosen_by, ite, node, plain, settled, spread, spread2
from unfork.logic.facts import trailing_zeros
from unfork.logic.term import Term, Value, constant, make

# How many addends are compared when two sums meet: beyond it a sum is one opaque addend.
_ADDENDS = 4
_DEEPEST = 64
"""Conditions within each other over which a sum is spread."""


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


_LINEAR = frozenset(("add", "neg", "mul", "not"))


def _sum(a: Term, b: Term, width: int) -> Value:
    if a is b:
        return mul(a, 2, width)
    if a.op == "not" or b.op == "not":
        first = add(neg(a.args[0], width), (1 << width) - 1, width) if a.op == "not" else a
        second = add(neg(b.args[0], width), (1 << width) - 1, width) if b.op == "not" else b
        return add(first, second, width)
    if a.op in _LINEAR or b.op in _LINEAR:
        combined = _combined(a, b, width)
        if combined is not None:
            return combined
    elif a.alternatives and b.alternatives:
        chosen = chosen_by("add", a, b, width)
        if chosen is not None:
            return chosen
    assembled = disjoint(a, b, width)
    if assembled is not None:
        return assembled
    if _chosen_alike(a, b) and not _are_deep(a, b):
        return _CHOSEN.of(a, b, width)
    if a.op == "add" or b.op == "add":
        (far, near), (other, its_near) = _far_and_near(a), _far_and_near(b)
        if near is not None and its_near is not None and (far is not None or other is not None):
            base = far or other if far is None or other is None else add(far, other, width)
            return add(base, add(near, its_near, width), width)  # type: ignore[arg-type]  # one of them is there
    if a.digest > b.digest:
        a, b = b, a
    return settled(make("add", width, (a, b)))


def _chosen_alike(a: Term, b: Term) -> bool:
    """Whether one condition chooses both."""
    return a.op == "ite" and b.op == "ite" and a.args[0] is b.args[0]


def _are_deep(a: Term, b: Term) -> bool:
    """Whether more than _DEEPEST conditions, one within the other, choose both: then their sum is not spread."""
    return _are_deep_in(1, a, b) or _are_deep_in(2, a, b)


def _are_deep_in(side: int, a: Term, b: Term) -> bool:
    for _ in range(_DEEPEST):
        a, b = _without_constant(a.args[side]), _without_constant(b.args[side])
        if not _chosen_alike(a, b):
            return False
    return True


def _without_constant(a: Term) -> Term:
    return a.args[0] if a.op == "add" and a.args[1].op == "const" else a


class _Remembered:
    """Sums of choices within the one that is being made: different sides may come to the same smaller sums."""

    def __init__(self) -> None:
        self._known: dict[tuple[Term, Term], Value] = {}
        self._depth = 0

    def of(self, a: Term, b: Term, width: int) -> Value:
        """The sum of two values that one condition chooses."""
        found = self._known.get((a, b))
        if found is not None:
            return found
        self._depth += 1
        try:
            then = add(plain(a.args[1]), plain(b.args[1]), width)
            found = ite(a.args[0], then, add(plain(a.args[2]), plain(b.args[2]), width), width)
            self._known[a, b] = found
        finally:
            self._depth -= 1
            if not self._depth:
                self._known.clear()
        return found


_CHOSEN = _Remembered()


def _far_and_near(a: Term) -> tuple[Term | None, Term | None]:
    """A sum as a part that may be anything and one of a small range, either None where it is missing.

    What is small is added up first: the range of a long sum of small numbers is known, as that of steps from a place.
    """
    limit = 1 << a.width // 2
    if a.high - a.low < limit:
        return None, a
    if a.op == "add":
        first, second = a.args
        if second.high - second.low < limit:
            return first, second
        if first.high - first.low < limit:
            return second, first
    return a, None


def _addends(a: Term) -> list[tuple[Term, int]]:
    """The term as a sum of multiples."""
    result: list[tuple[Term, int]] = []
    stack = [(a, 1)]
    while stack:
        term, factor = stack.pop()
        op = term.op
        if op == "add" and len(result) + len(stack) < _ADDENDS:
            stack.append((term.args[1], factor))
            stack.append((term.args[0], factor))
        elif op == "neg":
            stack.append((term.args[0], -factor))
        elif op == "mul" and term.args[1].op == "const":
            stack.append((term.args[0], factor * term.args[1].value))
        else:
            result.append((term, factor))
    return result


def _combined(a: Term, b: Term, width: int) -> Value | None:
    """The sum of two sums that share an addend; None if they share none."""
    left, right = _addends(a), _addends(b)
    factors: dict[Term, int] = {}
    for term, factor in left:
        factors[term] = factors.get(term, 0) + factor
    if len(factors) == len(left) and not any(term in factors for term, _ in right):
        return None
    for term, factor in right:
        factors[term] = factors.get(term, 0) + factor
    total: Value = 0
    for term, factor in factors.items():
        if term.op == "const":
            total = add(total, term.value * factor & (1 << width) - 1, width)
            continue
        multiple = mul(term, factor & (1 << width) - 1, width)
        if type(total) is Term and type(multiple) is Term:
            first, second = (total, multiple) if total.digest < multiple.digest else (multiple, total)
            total = settled(make("add", width, (first, second)))
        else:
            total = add(total, multiple, width)
    return total


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
    if op == "add" and a.args[1].op == "const":
        return add(neg(a.args[0], width), concrete.neg(a.args[1].value, width), width)
    if op == "mul" and a.args[1].op == "const":
        return mul(a.args[0], concrete.neg(a.args[1].value, width), width)
    if op == "concat" and trailing_zeros(a):
        zeros = trailing_zeros(a)
        return shifted(neg(extract(a, zeros, width - zeros), width - zeros), zeros, width) if zeros < width else 0
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


def constant_offset(pointer: Term) -> tuple[int, Term]:
    """A sum as its constant part and the rest, which add up to it."""
    if pointer.op == "add":
        last = pointer.args[1]
        if last.op == "const":
            return last.value, pointer.args[0]
    return 0, pointer


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
        return shifted(mul(extract(a, 0, rest), b >> zeros & (1 << rest) - 1, rest), zeros, width)
    if op == "concat" and trailing_zeros(a):
        zeros = trailing_zeros(a)
        rest = width - zeros
        return shifted(mul(extract(a, zeros, rest), b & (1 << rest) - 1, rest), zeros, width)
    return settled(make("mul", width, (a, constant(b, width))))


def shl(a: Value, b: Value, width: int) -> Value:
    """``a`` moved up, zeros below; zero if the amount is not below the width."""
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
    """``a`` moved down, zeros above; zero if the amount is not below the width."""
    if type(b) is int:
        if b >= width:
            return 0
        return zext(extract(a, b, width - b), width - b, width) if b else a
    assert type(b) is Term
    if b.low >= width or (type(a) is int and a == 0):
        return 0
    return _variable_shift("lshr", a, b, width)


def ashr(a: Value, b: Value, width: int) -> Value:
    """``a`` moved down, copies of its top bit above."""
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
