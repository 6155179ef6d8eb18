"""Numbers of C as terms: promotions, conversions and operators.

Arithmetic wraps. Where C is undefined (division by 0, a shift by the width or more), the value is the solvers': an
expression always has one value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.program.c.expressions import INT, Integral
from unfork.program.llvm.c_types import CType, Scalar


@dataclass(frozen=True, slots=True)
class CValue:
    """A value of an integer type."""

    value: Value
    type: Integral


class ValueArithmetic(Protocol):
    """Arithmetic: that of C (engine/meaning/c_values.py), or that of unbounded integers
    (engine/meaning/unbounded_integers.py).
    """

    def number(self, operand: CValue) -> CValue:
        """A number of C in this arithmetic."""

    def unary(self, op: str, operand: CValue) -> CValue: ...

    def binary(self, op: str, left: CValue, right: CValue) -> CValue: ...

    def compared(self, op: str, left: CValue, right: CValue) -> Value:
        """Whether a comparison holds: 1 bit."""

    def in_common(self, left: CValue, right: CValue) -> tuple[Value, Value, Integral]:
        """Both in a common type."""


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


class NoMeaning(Exception):
    """An expression that is not supported, or has unknown names. The message is one line."""


def as_integral(kind: CType) -> Integral | None:
    """A C type as an integer type; None if it is not one."""
    if not isinstance(kind, Scalar) or not kind.encoding.startswith(("signed", "unsigned", "boolean", "UTF")):
        return None
    return Integral(1 if kind.encoding == "boolean" else 8 * kind.size, kind.encoding.startswith("signed"))


def convert(operand: CValue, kind: Integral) -> Value:
    """The value converted to another type."""
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
    return CValue(convert(operand, INT), INT) if operand.type.width < INT.width else operand


def in_common(left: CValue, right: CValue) -> tuple[Value, Value, Integral]:
    """Both in the type in which C computes."""
    left, right = _promoted(left), _promoted(right)
    width = max(left.type.width, right.type.width)
    signed = all(operand.type.signed for operand in (left, right) if operand.type.width == width)
    kind = Integral(width, signed)
    return convert(left, kind), convert(right, kind), kind


def number(operand: CValue) -> CValue:
    """The number itself: C computes with it as it is."""
    return operand


def compared(op: str, left: CValue, right: CValue) -> Value:
    """Whether a comparison holds: 1 bit."""
    return truth(binary(op, left, right))


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
    """A binary operator without side effects."""
    if op in ("&&", "||"):
        return flag((build.both if op == "&&" else build.either)(truth(left), truth(right)))
    if op in ("<<", ">>"):
        left = _promoted(left)
        kind = left.type
        a, b = left.value, convert(_promoted(right), kind)
    else:
        a, b, kind = in_common(left, right)
    if op in _EQUALITY:
        return flag(_EQUALITY[op](a, b, kind.width))
    order = _ORDER_SIGNED if kind.signed else _ORDER_UNSIGNED
    if op in order:
        return flag(order[op](a, b, kind.width))
    operate = _ALIKE.get(op) or (_SIGNED if kind.signed else _UNSIGNED)[op]
    return CValue(operate(a, b, kind.width), kind)


def as_index(number: CValue) -> Value:
    """A number as a 64-bit index."""
    if number.type.width < 64:
        return convert(number, Integral(64, number.type.signed))
    return build.trunc(number.value, number.type.width, 64) if number.type.width > 64 else number.value
