"""Floats that grow or fall with an integer: a comparison with a constant becomes a comparison of the integer.

Rounding never reverses an order. So a number that an integer becomes, scaled and shifted by constants, reaches a bound
from some integer on, which a search finds; solvers then see no floating-point arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from unfork.logic import fp
from unfork.logic.boolean import both, negate
from unfork.logic.comparisons import slt, ult
from unfork.logic.fp_format import FORMATS
from unfork.logic.term import Term, Value

LONGEST = 16
"""Operations between the integer and the number."""
_ARITHMETIC = ("fp.add", "fp.sub", "fp.mul", "fp.div")


@dataclass(frozen=True, slots=True)
class Monotone:
    """``integer`` after ``steps``, the last one first; never a NaN. ``rises``: it never falls as the integer grows."""

    integer: Term
    signed: bool
    rises: bool
    steps: tuple[Callable[[int], int], ...]

    def at(self, value: int) -> int:
        """The pattern for a value of the integer."""
        bits = value & ((1 << self.integer.width) - 1)
        for step in reversed(self.steps):
            bits = step(bits)
        return bits


def monotone(number: Term, fmt: str) -> Monotone | None:
    """``number`` as a function of an integer, if it is one that never changes its direction."""
    steps: list[Callable[[int], int]] = []
    rises = True
    while len(steps) < LONGEST:
        match number.op:
            case "fp.from_signed" | "fp.from_unsigned":
                (integer,), signed = number.args, number.op == "fp.from_signed"
                steps.append(partial(fp.from_int, width=integer.width, signed=signed, name=fmt))
                return Monotone(integer, signed, rises, tuple(steps))
            case "fp.convert":
                assert isinstance(number.parameter, tuple)
                source, target = number.parameter
                steps.append(partial(fp.convert, source=source, target=target))
                (number,), fmt = number.args, source
            case "xor":
                sign, operand = _with_constant(number)
                if operand is None or sign != FORMATS[fmt].sign:
                    return None
                steps.append(sign.__xor__)
                number, rises = operand, not rises
            case op if op in _ARITHMETIC:
                scaled = _scaled(number, fmt)
                if scaled is None:
                    return None
                number, step, keeps = scaled
                steps.append(step)
                rises = rises == keeps
            case _:
                return None
    return None


def _with_constant(term: Term) -> tuple[int, Term | None]:
    """The constant operand of an operation and the other one, None where there is no constant or nothing else."""
    for constant, other in (term.args, term.args[::-1]):
        if constant.op == "const":
            return constant.low, other
    return 0, None


def _scaled(number: Term, fmt: str) -> tuple[Term, Callable[[int], int], bool] | None:
    """The operand that is no constant, the operation on it, and whether the result rises as the operand does."""
    constant, operand = _with_constant(number)
    kind = fp.classify(constant, fmt)
    if operand is None or kind not in ("normal", "subnormal"):
        return None
    op = number.op.removeprefix("fp.")
    negative = bool(constant & FORMATS[fmt].sign)
    if number.args[1] is operand:
        if op == "div":
            return None
        return (
            operand,
            lambda bits: fp.arithmetic(op, fmt, constant, bits),
            (not negative if op == "mul" else op == "add"),
        )
    return operand, lambda bits: fp.arithmetic(op, fmt, bits, constant), op in ("add", "sub") or not negative


def relation(op: str, fmt: str, a: Value, b: Value) -> Value | None:
    """``a`` op ``b`` for "eq", "lt" or "le" where one is a constant and the other monotone; None where they are not.

    Neither may be a constant NaN.
    """
    if type(a) is int and type(b) is Term:
        constant, number, first = a, b, False
    elif type(b) is int and type(a) is Term:
        constant, number, first = b, a, True
    else:
        return None
    function = monotone(number, fmt)
    if function is None:
        return None
    if op == "eq":
        return both(
            _bounded("le", fmt, function, constant, first=True), _bounded("le", fmt, function, constant, first=False)
        )
    return _bounded(op, fmt, function, constant, first=first)


def _bounded(op: str, fmt: str, function: Monotone, constant: int, *, first: bool) -> Value:
    """The function's number op the constant, or the other way round where ``first`` is false: 1 bit."""
    holds_for = fp.predicate("o" + op, fmt)

    def holds(value: int) -> bool:
        number = function.at(value)
        return holds_for(number, constant) if first else holds_for(constant, number)

    low, high = _range(function)
    below = first == function.rises
    if holds(low) == holds(high):
        return int(holds(low))
    while high - low > 1:
        middle = (low + high) // 2
        if holds(middle) == below:
            low = middle
        else:
            high = middle
    integer = function.integer
    smaller = slt if function.signed else ult
    is_below = smaller(integer, high & ((1 << integer.width) - 1), integer.width)
    return is_below if below else negate(is_below)


def _range(function: Monotone) -> tuple[int, int]:
    """The least and the greatest value that the integer may have."""
    integer = function.integer
    half = 1 << (integer.width - 1)
    if function.signed and integer.high >= half:
        return -half, half - 1
    return integer.low, integer.high
