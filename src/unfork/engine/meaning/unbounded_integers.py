"""Unbounded integers, as ACSL has them: signed numbers with as many bits as their operations need."""

from __future__ import annotations

from unfork.engine.meaning.c_values import CValue, NoMeaning, convert
from unfork.logic.terms import build, concrete
from unfork.logic.terms.term import Value
from unfork.program.c.expressions import Integral

WORD_BITS = 64
WIDEST = 1024
"""Bits of the widest number."""
VARIABLE_BITS = 68
"""Bits of a quantified integer: more than any index, address or number of C has."""
_ORDER = {"<": build.slt, "<=": build.sle, ">": build.sgt, ">=": build.sge, "==": build.eq, "!=": build.ne}
_BITWISE = {"&": build.and_, "|": build.or_, "^": build.xor}


def number(operand: CValue) -> CValue:
    """A C number as an integer."""
    kind, value = operand.type, operand.value
    if isinstance(value, int):
        return constant(value - (1 << kind.width) if kind.signed and value >> kind.width - 1 else value)
    if kind.signed and kind.width > 1:
        return operand
    wider = Integral(kind.width + 1, True)
    return CValue(build.zext(value, kind.width, wider.width), wider)


def constant(number: int) -> CValue:
    """A known integer."""
    width = number.bit_length() + 1
    return CValue(number & (1 << width) - 1, Integral(width, True))


def widened(operand: CValue, width: int) -> Value:
    """The integer in ``width`` bits, in which it fits."""
    return convert(operand, Integral(width, True))


def value_of(number: CValue) -> int:
    """The value of a known integer."""
    assert isinstance(number.value, int)
    return concrete.signed(number.value, number.type.width)


def bits(number: CValue) -> Value:
    """An integer as a 64-bit number, in which it may not fit."""
    if number.type.width > WORD_BITS:
        return build.trunc(number.value, number.type.width, WORD_BITS)
    return widened(number, WORD_BITS)


def unary(op: str, operand: CValue) -> CValue:
    """``-``, ``+`` or ``~`` of an integer."""
    if op == "+":
        return operand
    if op == "~":
        return CValue(build.not_(operand.value, operand.type.width), operand.type)
    kind = _kind(operand.type.width + 1)
    return _settled(CValue(build.neg(widened(operand, kind.width), kind.width), kind))


def compared(op: str, left: CValue, right: CValue) -> Value:
    """Whether a comparison holds: 1 bit."""
    a, b, kind = in_common(left, right)
    return _ORDER[op](a, b, kind.width)


def in_common(left: CValue, right: CValue) -> tuple[Value, Value, Integral]:
    """Both in as many bits as either needs."""
    width = max(left.type.width, right.type.width)
    return widened(left, width), widened(right, width), Integral(width, True)


def binary(op: str, left: CValue, right: CValue) -> CValue:
    """Arithmetic. Division truncates, as C's does. Raises NoMeaning for shifts by an unknown number."""
    a, b = left.type.width, right.type.width
    if op in ("<<", ">>"):
        if not isinstance(right.value, int) or right.value >= WIDEST:
            raise NoMeaning(f"a shift ({op}) by a number that is not constant")
        factor = constant(1 << right.value)
        if op == "<<":
            return binary("*", left, factor)
        return CValue(build.ashr(left.value, min(right.value, a - 1), a), left.type)
    if op in _BITWISE:
        first, second, kind = in_common(left, right)
        return CValue(_BITWISE[op](first, second, kind.width), kind)
    kind = _kind({"*": a + b, "/": max(a, b) + 1, "%": max(a, b)}.get(op, max(a, b) + 1))
    operate = {"+": build.add, "-": build.sub, "*": build.mul, "/": build.sdiv, "%": build.srem}[op]
    return _settled(CValue(operate(widened(left, kind.width), widened(right, kind.width), kind.width), kind))


def _kind(width: int) -> Integral:
    if width > WIDEST:
        raise NoMeaning(f"a number of more than {WIDEST} bits")
    return Integral(width, True)


def _settled(operand: CValue) -> CValue:
    return number(operand) if isinstance(operand.value, int) else operand


def extreme(op: str, a: CValue, b: CValue) -> CValue:
    """The smaller (op is <) or the larger (>) of two integers."""
    width = max(a.type.width, b.type.width)
    kind = Integral(width, True)
    value = build.ite(compared(op, a, b), widened(a, width), widened(b, width), width)
    return number(CValue(value, kind))
