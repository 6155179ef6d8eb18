"""Conditions: values of one bit, built from conjunction and negation only, so that each has one complement.

A disjunction is the negation of a conjunction of negations. Two literals that compare the same term with constants are
two sets of its values; their conjunction is the intersection.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import constant, make

# Adding a conjunct compares it with this many others.
_LOOK = 8

Interval = tuple[Term, int, int]


def negate(a: Value) -> Value:
    """The complement of a condition."""
    if type(a) is int:
        return a ^ 1
    assert type(a) is Term
    return a.args[0] if a.op == "not" else make("not", 1, (a,))


def both(a: Value, b: Value) -> Value:
    """The conjunction of two conditions. Each turn shortens one, or makes one literal of two."""
    while True:
        if type(a) is int:
            return b if a else 0
        if type(b) is int:
            return a if b else 0
        assert type(a) is Term and type(b) is Term
        shorter = _given(a, b)
        if shorter is not b:
            b = shorter
            continue
        shorter = _given(b, a)
        if shorter is not a:
            a = shorter
            continue
        merged = _merge(a, b) or _merge(b, a)
        if merged is None:
            break
        a, b = merged
    if a.digest > b.digest:
        a, b = b, a
    return make("and", 1, (a, b))


def _given(a: Term, b: Term) -> Value:
    """The condition ``b`` where ``a`` holds: decided, shortened or unchanged."""
    negated = b.op == "not"
    inner = b.args[0] if negated else b
    is_conjunction = inner.op == "and"
    symbols = b.symbols
    for part in conjuncts(a, _LOOK) if a.op == "and" else (a,):
        if part is b:
            return 1
        if part is inner or (part.op == "not" and part.args[0] is b):
            return 0
        if is_conjunction:
            first, second = inner.args
            if part is first or part is second:
                rest = second if part is first else first
                return negate(rest) if negated else rest
            if _complementary(part, first) or _complementary(part, second):
                return int(negated)
        elif part.symbols is symbols:  # otherwise they are about different terms
            known, asked = interval(part), interval(b)
            if known is not None and asked is not None and known[0] is asked[0]:
                decided = decides(known, asked)
                if decided is not None:
                    return decided
    return b


def _complementary(a: Term, b: Term) -> bool:
    return (a.op == "not" and a.args[0] is b) or (b.op == "not" and b.args[0] is a)


def _merge(a: Term, b: Term) -> tuple[Value, Value] | None:
    """``a and b`` where a literal of ``a`` and the literal ``b`` make one literal."""
    symbols = b.symbols
    for part in a.args if a.op == "and" else (a,):
        if part.symbols is not symbols:
            continue
        left, right = interval(part), interval(b)
        if left is not None and right is not None and left[0] is right[0]:
            literal = _intersection(left, right)
            if literal is not None:
                return (1, literal) if part is a else (a.args[1] if part is a.args[0] else a.args[0], literal)
    return None


def interval(condition: Term) -> Interval | None:
    """The condition as ``term in [first, last]`` (modulo the term's width, so first may exceed last), if it is one."""
    op = condition.op
    inverted = op == "not"
    if inverted:
        condition = condition.args[0]
        op = condition.op
    if op == "extract":
        term = condition.args[0]
        if condition.offset != term.width - 1:
            return None
        first, last = 1 << term.width - 1, (1 << term.width) - 1
    elif op == "eq" or op == "ult" or op == "slt":
        term, bound = condition.args
        if bound.op != "const":
            return None
        last = bound.value
        if op == "eq":
            first = last
        else:
            first = 0 if op == "ult" else 1 << term.width - 1
            last -= 1
    else:
        return None
    if inverted:
        first, last = last + 1, first - 1
    mask = (1 << term.width) - 1
    if term.op == "add" and term.args[1].op == "const":
        shift = term.args[1].value
        term, first, last = term.args[0], first - shift, last - shift
    return term, first & mask, last & mask


def decides(known: Interval, asked: Interval) -> int | None:
    """1 if the first set lies inside the second, 0 if they are disjoint."""
    term, first, last = known
    mask = (1 << term.width) - 1
    size = last - first & mask
    start = asked[1] - first & mask  # as offsets from first
    stop = asked[2] - first & mask
    if stop >= size and (start == 0 or start > stop):
        return 1
    return 0 if size < start <= stop else None


def _intersection(left: Interval, right: Interval) -> Value | None:
    """The literal for the intersection of two sets that overlap, neither inside the other; None if no comparison says
    it.
    """
    term, first, last = left
    mask = (1 << term.width) - 1
    size = last - first & mask
    start = right[1] - first & mask
    stop = right[2] - first & mask
    if start <= stop:
        low, high = start, min(size, stop)
    elif start > size:  # the right set wraps around ``first``
        low, high = 0, stop
    else:
        return None
    if low == high:
        return make("eq", 1, (term, constant(first + low & mask, term.width)))
    return single_comparison(term, first + low & mask, first + high & mask)


def single_comparison(term: Term, first: int, last: int) -> Value | None:
    """The literal for ``term in [first, last]`` if one comparison says it."""
    width = term.width
    half = 1 << width - 1
    if first == 0:
        return make("ult", 1, (term, constant(last + 1, width)))
    if last == 2 * half - 1:
        return negate(make("ult", 1, (term, constant(first, width))))
    if first == half:
        return make("slt", 1, (term, constant(last + 1, width)))
    if last == half - 1:
        return negate(make("slt", 1, (term, constant(first, width))))
    return None


def either(a: Value, b: Value) -> Value:
    """The disjunction of two conditions."""
    if type(a) is int:
        return 1 if a else b
    if type(b) is int:
        return 1 if b else a
    return negate(both(negate(a), negate(b)))


def conjuncts(condition: Term, limit: float = inf) -> list[Term]:
    """The parts of a conjunction, or the condition itself. Beyond about ``limit``, deeper parts stay together."""
    parts: list[Term] = []
    stack = [condition]
    while stack:
        term = stack.pop()
        if term.op == "and" and len(parts) + len(stack) < limit:
            stack.append(term.args[1])
            stack.append(term.args[0])
        else:
            parts.append(term)
    return parts


def conjunction(conditions: Iterable[Value]) -> Value:
    """The conjunction of any number of conditions, 1 for none."""
    result: Value = 1
    for condition in conditions:
        result = both(result, condition)
        if type(result) is int and result == 0:
            return 0
    return result


def disjunction(conditions: Iterable[Value]) -> Value:
    """The disjunction of any number of conditions, 0 for none."""
    return negate(conjunction(negate(condition) for condition in conditions))


def exclusive(a: Value, b: Value) -> Value:
    """Exactly one of two conditions; moves an operand's negation to the result."""
    if type(a) is int:
        return negate(b) if a else b
    if type(b) is int:
        return negate(a) if b else a
    assert type(a) is Term and type(b) is Term
    inverted = (a.op == "not") ^ (b.op == "not")
    a = a.args[0] if a.op == "not" else a
    b = b.args[0] if b.op == "not" else b
    if a is b:
        return int(inverted)
    if a.digest > b.digest:
        a, b = b, a
    result = make("xor", 1, (a, b))
    return negate(result) if inverted else result
