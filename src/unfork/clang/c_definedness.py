"""When an expression over integers has no undefined behaviour, as another expression of C, which has none itself.

It uses what GNU C has: types of expressions, and arithmetic that tells whether it overflows.
"""

from __future__ import annotations

from collections.abc import Sequence

from unfork.clang.expression_text import shown_number, shown_type
from unfork.clang.expressions import (
    Binary,
    Cast,
    Conditional,
    Deref,
    Expression,
    Index,
    Member,
    Name,
    Number,
    Unary,
    parts,
)

_BUILTINS = {"+": "add", "-": "sub", "*": "mul"}
_ALWAYS = "1"


_Texts = tuple[str, str]
"""The text of an expression, and of the condition under which it is defined."""


def defined(expression: Expression) -> str:
    """The condition under which evaluating the expression is defined, but for what pointers lead to; "1": it always is.

    Raises ValueError for what cannot be evaluated twice, or is not C's.
    """
    order: list[Expression] = []
    waiting = [expression]
    while waiting:
        order.append(waiting.pop())
        waiting += parts(order[-1])
    texts: dict[int, _Texts] = {}
    for each in reversed(order):
        texts[id(each)] = _texts(each, [texts[id(operand)] for operand in parts(each)])
    return texts[id(expression)][1]


def _texts(expression: Expression, operands: Sequence[_Texts]) -> _Texts:
    match expression:
        case Number():
            return shown_number(expression), _ALWAYS
        case Name(name):
            return name, _ALWAYS
        case Cast(kind):
            [(text, guard)] = operands
            return f"(({shown_type(kind)}) {text})", guard
        case Unary(op):
            [(text, guard)] = operands
            return f"({op}{text})", guard if op != "-" else _and(guard, _fits("-", "0", text))
        case Deref():
            [(text, guard)] = operands
            return f"(*{text})", guard
        case Member(_, field, arrow):
            [(text, guard)] = operands
            return f"{text}{'->' if arrow else '.'}{field}", guard
        case Index():
            (base, first), (index, second) = operands
            return f"{base}[{index}]", _and(first, second)
        case Conditional():
            (question, asked), (first, one), (second, other) = operands
            chosen = _ALWAYS if one == other == _ALWAYS else f"({question} ? {one} : {other})"
            return f"({question} ? {first} : {second})", _and(asked, chosen)
        case Binary(op):
            return _binary(op, *operands)
    raise ValueError("not of values in C")


def _binary(op: str, left: _Texts, right: _Texts) -> _Texts:
    (a, first), (b, second) = left, right
    text = f"({a} {op} {b})"
    if op in ("&&", "||"):
        reached = a if op == "&&" else f"!{a}"
        return text, first if second == _ALWAYS else _and(first, f"(!{reached} || {second})")
    guard = _and(first, second)
    if op in _BUILTINS:
        guard = _and(guard, _fits(op, a, b))
    elif op in ("/", "%"):
        guard = _and(guard, f"{b} != 0 && ({b} != -1 || {_fits('-', '0', a)})")
    elif op in ("<<", ">>"):
        guard = _and(guard, f"{b} >= 0 && {b} < 8 * sizeof(+{a})")
        if op == "<<":
            guard = _and(guard, f"({_is_unsigned(f'+{a}')} || ({a} >= 0 && (({a} << {b}) >> {b}) == {a}))")
    return text, guard


def _fits(op: str, a: str, b: str) -> str:
    """Whether the result of an operator is a value of its type, or that wraps."""
    kind = f"__typeof__({a} {op} {b})"
    fits = f"({{ {kind} unfork_t; !__builtin_{_BUILTINS[op]}_overflow({a}, {b}, &unfork_t); }})"
    return f"({_is_unsigned(f'{a} {op} {b}')} || {fits})"


def _is_unsigned(text: str) -> str:
    return f"(__typeof__({text})) -1 > 0"


def _and(first: str, second: str) -> str:
    if _ALWAYS in (first, second):
        return second if first == _ALWAYS else first
    return f"({first} && {second})"
