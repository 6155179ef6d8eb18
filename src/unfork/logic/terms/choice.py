"""Guarded choice: ite trees, and operations that go into their leaves (value summaries)."""

from __future__ import annotations

from collections.abc import Callable

from unfork.logic.terms.boolean import both, either, negate
from unfork.logic.terms.concrete import BINARY
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import constant, make

# Operations go into trees of constants with at most this many leaves (docs/decisions/logic.md).
ALTERNATIVES = 32
BYTE = 8
_LEAVES = 4096
"""Nested choices of which a condition is decided leaf by leaf."""
_PAIRS = 2048
"""Pairs of choices by one condition into which an operator goes."""


def node(value: Value, width: int) -> Term:
    """The value as an operand."""
    return constant(value, width) if type(value) is int else value  # type: ignore[return-value]  # int or Term


def plain(term: Term) -> Value:
    """The term as callers see it: an int if it is a constant."""
    return term.value if term.op == "const" else term


def settled(term: Term) -> Value:
    """The term, or its value if its range leaves only one."""
    return term.low if term.low == term.high else term


def ite(condition: Value, a: Value, b: Value, width: int) -> Value:
    """``a`` where the condition holds, else ``b``; operands of ``width`` bits."""
    while True:
        if type(condition) is int:
            return a if condition else b
        if a is b or (type(a) is int and a == b):
            return a
        assert type(condition) is Term
        if condition.op == "not":
            condition, a, b = condition.args[0], b, a
        if width == 1:
            return _ite_of_conditions(condition, a, b)
        nested = _merge_nested(condition, a, b)  # one choice fewer
        if nested is None:
            break
        condition, a, b = nested
    if condition.op == "extract" and type(a) is int and type(b) is int:
        if a == 1 and b == 0:
            return make("zext", width, (condition,))
        if b == 0 and a == (1 << width) - 1:
            return make("sext", width, (condition,))
    return make("ite", width, (condition, node(a, width), node(b, width)))


def _merge_nested(condition: Term, a: Value, b: Value) -> tuple[Value, Value, Value] | None:
    """The same choice where a branch chooses by the same condition or shares a branch; None for others."""
    if type(a) is Term and a.op == "ite":
        if a.args[0] is condition:
            return condition, plain(a.args[1]), b
        then, other = plain(a.args[1]), plain(a.args[2])
        if other is b or (type(b) is int and other == b):
            return both(condition, a.args[0]), then, b
        if then is b or (type(b) is int and then == b):
            return both(condition, negate(a.args[0])), other, b
    if type(b) is Term and b.op == "ite":
        if b.args[0] is condition:
            return condition, a, plain(b.args[2])
        then, other = plain(b.args[1]), plain(b.args[2])
        if then is a or (type(a) is int and then == a):
            return either(condition, b.args[0]), a, other
        if other is a or (type(a) is int and other == a):
            return either(condition, negate(b.args[0])), a, then
    return None


def _ite_of_conditions(condition: Term, a: Value, b: Value) -> Value:
    if type(a) is int:
        return either(condition, b) if a else both(negate(condition), b)
    if type(b) is int:
        return either(negate(condition), a) if b else both(condition, a)
    assert type(a) is Term and type(b) is Term
    if a is condition or negate(a) is condition:
        return either(condition, b) if a is condition else both(negate(condition), b)
    if b is condition or negate(b) is condition:
        return both(condition, a) if b is condition else either(negate(condition), a)
    if a.op == "not" and b.op == "not":
        return negate(make("ite", 1, (condition, a.args[0], b.args[0])))
    return make("ite", 1, (condition, a, b))


def alike(a: Term, b: Term) -> bool:
    """Whether one condition chooses both."""
    return a.op == "ite" and b.op == "ite" and a.args[0] is b.args[0]


def pairs_alike(a: Term, b: Term, core: Callable[[Term], Term]) -> list[tuple[Term, Term]] | None:
    """The pairs of choices by one condition in two such choices, inner ones first; None if there are many.

    ``core`` strips a branch for comparison.
    """
    pairs: dict[tuple[Term, Term], None] = {}
    open_pairs: set[tuple[Term, Term]] = set()
    stack = [(a, b)]
    while stack:
        pair = stack[-1]
        if pair in pairs:
            stack.pop()
        elif pair in open_pairs:
            stack.pop()
            pairs[pair] = None
        elif len(open_pairs) == _PAIRS:
            return None
        else:
            open_pairs.add(pair)
            sides = [(core(pair[0].args[i]), core(pair[1].args[i])) for i in (1, 2)]
            stack += [side for side in sides if side not in open_pairs and alike(*side)]
    return list(pairs)


def side_by_side(
    a: Term,
    b: Term,
    operate: Callable[[Term, Term], Value],
    combine: Callable[[Term, Term, Value, Value], Value | None],
) -> Value | None:
    """An operation on two choices by one condition, done branch by branch; None if there are too many.

    ``operate`` handles branches that are not such choices. ``combine`` gets two choices and the results of their
    branches, and makes one value of them or returns None.
    """
    pairs = pairs_alike(a, b, lambda branch: branch)
    if pairs is None:
        return None
    known: dict[tuple[Term, Term], Value] = {}
    for pair in pairs:
        x, y = pair
        sides = ((x.args[1], y.args[1]), (x.args[2], y.args[2]))
        then, other = [known[side] if side in known else operate(*side) for side in sides]
        whole = combine(x, y, then, other)
        if whole is None:
            return None
        known[pair] = whole
    return known[a, b]


def leaves(tree: Term, most: int) -> list[int] | None:
    """The distinct leaves of an ite tree of constants, ascending; None if it has more than ``most``."""
    if not tree.alternatives:
        return None
    values: set[int] = set()
    seen = {tree}
    stack = [tree]
    while stack:
        term = stack.pop()
        if term.op == "const":
            values.add(term.value)
            continue
        for side in term.args[1:]:
            if side not in seen:
                seen.add(side)
                stack.append(side)
        if len(seen) > most:
            return None
    return sorted(values)


def by_leaves(function: Callable[[Value], Value], tree: Term) -> Value | None:
    """A condition on the chosen leaf, where each leaf is about one symbol; None for other choices."""
    done: dict[Term, Value] = {}
    stack = [tree]
    while stack:
        term = stack[-1]
        if term.op == "ite":
            missing = [side for side in term.args[1:] if side not in done]
            if missing:
                if len(stack) + len(done) > _LEAVES:
                    return None
                stack += missing
                continue
            condition, a, b = term.args
            done[term] = ite(condition, done[a], done[b], 1)
        elif term.is_wide or len(term.symbols) > 1:
            return None
        else:
            done[term] = function(plain(term))
        stack.pop()
    return done[tree]


def spread(function: Callable[[int], Value], tree: Term, width: int) -> Value:
    """The tree with ``function`` applied to each constant leaf, giving ``width`` bits."""
    done: dict[Term, Value] = {}
    stack = [tree]
    while stack:
        term = stack[-1]
        if term.op == "const":
            done[term] = function(term.value)
        else:
            condition, a, b = term.args
            if a not in done:
                stack.append(a)
                continue
            if b not in done:
                stack.append(b)
                continue
            done[term] = ite(condition, done[a], done[b], width)
        stack.pop()
    return done[tree]


def spread2(function: Callable[[int, int], int], a: Value, b: Value, width: int) -> Value | None:
    """As spread(), for two operands: one constant, or both choices by the same condition; None for others."""
    if type(b) is int:
        constant_b = b
        assert type(a) is Term
        if 1 < a.alternatives <= ALTERNATIVES:
            return spread(lambda leaf: function(leaf, constant_b), a, width)
        return None
    if type(a) is int:
        constant_a = a
        assert type(b) is Term
        if 1 < b.alternatives <= ALTERNATIVES:
            return spread(lambda leaf: function(constant_a, leaf), b, width)
        return None
    assert type(a) is Term and type(b) is Term
    if 1 < a.alternatives <= ALTERNATIVES and 1 < b.alternatives <= ALTERNATIVES and a.args[0] is b.args[0]:
        _, then_a, else_a = a.args
        _, then_b, else_b = b.args
        then = _spread_leaves(function, plain(then_a), plain(then_b), width)
        other = _spread_leaves(function, plain(else_a), plain(else_b), width)
        if then is not None and other is not None:
            return ite(a.args[0], then, other, width)
    return None


def chosen_by(op: str, a: Value, b: Value, width: int) -> Value | None:
    """An operator of concrete.BINARY spread over choices; None if they do not fit."""
    function = BINARY[op]
    return spread2(lambda x, y: function(x, y, width), a, b, width)


def _spread_leaves(function: Callable[[int, int], int], a: Value, b: Value, width: int) -> Value | None:
    if type(a) is int and type(b) is int:
        return function(a, b)
    return spread2(function, a, b, width)
