"""When an expression over integers has no undefined behaviour, as another expression of C, which has none itself.

It uses what GNU C has: types of expressions, and arithmetic that tells whether it overflows.
"""

from __future__ import annotations

from collections.abc import Sequence

from unfork.clang.c_expression import Binary, Cast, Conditional, Expression, Integral, Name, Number, Unary

_BUILTINS = {"+": "add", "-": "sub", "*": "mul"}
_ALWAYS = "1"


_Texts = tuple[str, str]
"""The text of an expression, and of the condition under which it is defined."""


def defined(expression: Expression) -> str:
    """The condition under which evaluating the expression is defined; "1" if it always is."""
    order: list[Expression] = []
    waiting = [expression]
    while waiting:
        order.append(waiting.pop())
        waiting += _operands(order[-1])
    texts: dict[int, _Texts] = {}
    for each in reversed(order):
        texts[id(each)] = _texts(each, [texts[id(operand)] for operand in _operands(each)])
    return texts[id(expression)][1]


def _operands(expression: Expression) -> tuple[Expression, ...]:
    match expression:
        case Cast(_, operand) | Unary(_, operand):
            return (operand,)
        case Binary(_, left, right):
            return left, right
        case Conditional(condition, then, otherwise):
            return condition, then, otherwise
    return ()


def _texts(expression: Expression, operands: Sequence[_Texts]) -> _Texts:
    match expression:
        case Number(value, kind):
            return f"(({_name(kind)}) {value}{'' if kind.signed else 'u'}{'ll' if kind.width > 32 else ''})", _ALWAYS
        case Name(name):
            return name, _ALWAYS
        case Cast(kind):
            [(text, guard)] = operands
            return f"(({_name(kind)}) {text})", guard
        case Unary(op):
            [(text, guard)] = operands
            return f"({op}{text})", guard if op != "-" else _and(guard, _fits("-", "0", text))
        case Conditional():
            (question, asked), (first, one), (second, other) = operands
            chosen = _ALWAYS if one == other == _ALWAYS else f"({question} ? {one} : {other})"
            return f"({question} ? {first} : {second})", _and(asked, chosen)
        case Binary(op):
            return _binary(op, *operands)


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


def _name(kind: Integral) -> str:
    if kind.width == 1:
        return "_Bool"
    word = {8: "char", 16: "short", 32: "int", 64: "long long"}[kind.width]
    return f"{'signed' if kind.signed else 'unsigned'} {word}"
