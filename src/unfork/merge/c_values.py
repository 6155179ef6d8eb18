"""What an expression of C means: its value as a term, with C's promotions and conversions.

Arithmetic wraps; what C leaves undefined (division by 0, a shift by the width or more) has the value that solvers give
it: an expression always has one value.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from unfork.clang.expressions import INT, Binary, Cast, Conditional, Expression, Integral, Name, Number, Unary
from unfork.logic import build
from unfork.logic.term import Value


@dataclass(frozen=True, slots=True)
class CValue:
    """A value of an integer type."""

    value: Value
    type: Integral


Scope = Callable[[str], CValue | None]
"""The value of a variable; None where the name has none."""

_SIGNED = {"/": build.sdiv, "%": build.srem, ">>": build.ashr}
_UNSIGNED = {"/": build.udiv, "%": build.urem, ">>": build.lshr}
_ALIKE = {
    "+": build.add,
    "-": build.sub,
    "*": build.mul,
    "&": build.and_,
    "|": build.or_,
    "^": build.xor,
    "<<": build.shl,
}
_ORDER_SIGNED = {"<": build.slt, "<=": build.sle, ">": build.sgt, ">=": build.sge}
_ORDER_UNSIGNED = {"<": build.ult, "<=": build.ule, ">": build.ugt, ">=": build.uge}
_EQUALITY = {"==": build.eq, "!=": build.ne}


class NoValue(Exception):
    """A name has no value where the expression is looked at."""


def condition(expression: Expression, scope: Scope) -> Value | None:
    """Whether the expression is true (1 bit); None where a name has no value."""
    try:
        return truth(_value(expression, scope))
    except NoValue:
        return None


def converted(operand: CValue, kind: Integral) -> Value:
    """The value in another type."""
    if kind.width == 1:  # _Bool
        return truth(operand)
    if kind.width <= operand.type.width:
        return build.trunc(operand.value, operand.type.width, kind.width)
    extend = build.sext if operand.type.signed else build.zext
    return extend(operand.value, operand.type.width, kind.width)


def truth(operand: CValue) -> Value:
    """Whether a number is not 0 (1 bit)."""
    return build.ne(operand.value, 0, operand.type.width)


def flag(bit: Value) -> CValue:
    """A condition as a number of type int."""
    return CValue(build.zext(bit, 1, INT.width), INT)


def _promoted(operand: CValue) -> CValue:
    return CValue(converted(operand, INT), INT) if operand.type.width < INT.width else operand


def in_common(left: CValue, right: CValue) -> tuple[Value, Value, Integral]:
    """Both in the type that C computes in."""
    left, right = _promoted(left), _promoted(right)
    width = max(left.type.width, right.type.width)
    signed = all(operand.type.signed for operand in (left, right) if operand.type.width == width)
    kind = Integral(width, signed)
    return converted(left, kind), converted(right, kind), kind


def _value(expression: Expression, scope: Scope) -> CValue:
    match expression:
        case Number(value, kind):
            return CValue(value, kind)
        case Name(name):
            variable = scope(name)
            if variable is None:
                raise NoValue(name)
            return variable
        case Cast(kind, operand):
            return CValue(converted(_value(operand, scope), kind), kind)
        case Unary(op, operand):
            return unary(op, _value(operand, scope))
        case Conditional(question, then, otherwise):
            chosen, other, kind = in_common(_value(then, scope), _value(otherwise, scope))
            return CValue(build.ite(truth(_value(question, scope)), chosen, other, kind.width), kind)
        case Binary(op, left, right):
            return binary(op, _value(left, scope), _value(right, scope))
    raise NoValue("not of numbers")


def unary(op: str, operand: CValue) -> CValue:
    """``-``, ``+``, ``~`` or ``!`` of a number."""
    if op == "!":
        return flag(build.negate(truth(operand)))
    operand = _promoted(operand)
    width = operand.type.width
    if op == "-":
        return CValue(build.neg(operand.value, width), operand.type)
    return CValue(build.not_(operand.value, width), operand.type) if op == "~" else operand


def binary(op: str, left: CValue, right: CValue) -> CValue:
    """What an operator without side effects makes of two numbers."""
    if op in ("&&", "||"):
        return flag((build.both if op == "&&" else build.either)(truth(left), truth(right)))
    if op in ("<<", ">>"):
        left = _promoted(left)
        kind = left.type
        a, b = left.value, converted(_promoted(right), kind)
    else:
        a, b, kind = in_common(left, right)
    if op in _EQUALITY:
        return flag(_EQUALITY[op](a, b, kind.width))
    order = _ORDER_SIGNED if kind.signed else _ORDER_UNSIGNED
    if op in order:
        return flag(order[op](a, b, kind.width))
    operate = _ALIKE.get(op) or (_SIGNED if kind.signed else _UNSIGNED)[op]
    return CValue(operate(a, b, kind.width), kind)
