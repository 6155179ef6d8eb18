"""Floating operations as terms over bit patterns; sign operations are bit operations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from unfork.errors import Unsupported
from unfork.logic.terms import fp
from unfork.logic.terms.bits import and_, or_, xor
from unfork.logic.terms.boolean import both, either, negate
from unfork.logic.terms.choice import ALTERNATIVES, ite, node, spread, spread2
from unfork.logic.terms.comparisons import slt, ult
from unfork.logic.terms.fp_format import FORMATS
from unfork.logic.terms.term import OPERATORS, Term, Value
from unfork.logic.terms.term_table import make

_ROUNDED_ALIKE = {"nearbyint": "rint", "roundeven": "rint"}
_OPPOSITE = {"ord": "uno", "ueq": "one", "ugt": "ole", "uge": "olt", "ult": "oge", "ule": "ogt", "une": "oeq"}
_COMMUTATIVE = frozenset(("fp.add", "fp.mul", "fp.eq"))


def fp_op(op: str, fmt: str, *args: Value) -> Value:
    """One of fp.OPERATIONS; raises Unsupported for those that no term expresses."""
    if all(type(a) is int for a in args):
        return fp.arithmetic(op, fmt, *args)  # type: ignore[arg-type]  # all are ints
    width = fp.WIDTHS[fmt]
    sign = 1 << width - 1
    if op == "neg":
        return xor(args[0], sign, width)
    if op == "abs":
        return and_(args[0], sign - 1, width)
    if op == "copysign":
        return or_(and_(args[0], sign - 1, width), and_(args[1], sign, width), width)
    operator = "fp." + _ROUNDED_ALIKE.get(op, op)
    if operator not in OPERATORS:
        raise Unsupported(f"the floating-point operation {op} on symbolic values")
    chosen = _spread_args(lambda *bits: fp.arithmetic(op, fmt, *bits), args, width)
    if chosen is not None:
        return chosen
    nodes = [node(a, width) for a in args]
    return make(operator, width, tuple(_in_order(operator, nodes)), fmt)


def _in_order(operator: str, nodes: list[Term]) -> list[Term]:
    if operator in _COMMUTATIVE:
        nodes.sort(key=lambda a: a.digest)
    return nodes


def _spread_args(function: Callable[..., int], args: tuple[Value, ...], width: int) -> Value | None:
    if len(args) == 1 and type(args[0]) is Term and 1 < args[0].alternatives <= ALTERNATIVES:
        return spread(function, args[0], width)
    if len(args) == 2:
        return spread2(function, args[0], args[1], width)
    return None


def _relation(op: str, fmt: str, a: Value, b: Value) -> Value:
    """One of fp.eq, fp.lt and fp.le: 1 bit, false if an operand is a NaN."""
    predicate = "o" + op
    if type(a) is int and type(b) is int:
        return int(fp.compare(predicate, fmt, a, b))
    if (type(a) is int and fp.is_nan(a, fmt)) or (type(b) is int and fp.is_nan(b, fmt)):
        return 0
    if a is b:
        return 0 if op == "lt" else negate(fp_is_nan(a, fmt))
    chosen = spread2(lambda x, y: int(fp.compare(predicate, fmt, x, y)), a, b, 1)
    if chosen is not None:
        return chosen
    by_integer = relation(op, fmt, a, b)
    if by_integer is not None:
        return by_integer
    width = fp.WIDTHS[fmt]
    return make("fp." + op, 1, tuple(_in_order("fp." + op, [node(a, width), node(b, width)])), fmt)


def fp_is_nan(a: Value, fmt: str) -> Value:
    """Is the pattern a NaN?"""
    if type(a) is int:
        return int(fp.is_nan(a, fmt))
    assert type(a) is Term
    if monotone(a, fmt) is not None:
        return 0
    if 1 < a.alternatives <= ALTERNATIVES:
        return spread(lambda leaf: int(fp.is_nan(leaf, fmt)), a, 1)
    return make("fp.isnan", 1, (a,), fmt)


def fp_compare(predicate: str, fmt: str, a: Value, b: Value) -> Value:
    """LLVM's fcmp: false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true."""
    match predicate:
        case "false" | "true":
            return int(predicate == "true")
        case "uno":
            return either(fp_is_nan(a, fmt), fp_is_nan(b, fmt))
        case "ord" | "ueq" | "ugt" | "uge" | "ult" | "ule" | "une":
            return negate(fp_compare(_OPPOSITE[predicate], fmt, a, b))
        case "one":
            return either(_relation("lt", fmt, a, b), _relation("lt", fmt, b, a))
        case "ogt" | "oge":
            return _relation("lt" if predicate == "ogt" else "le", fmt, b, a)
    return _relation(predicate[1:], fmt, a, b)


def fp_convert(a: Value, from_fmt: str, to_fmt: str) -> Value:
    """The number in another format, rounded to nearest with ties to even."""
    if type(a) is int:
        return fp.convert(a, from_fmt, to_fmt)
    if from_fmt == to_fmt:
        return a
    assert type(a) is Term
    if a.op == "fp.convert" and a.parameter == (to_fmt, from_fmt) and FORMATS[to_fmt].is_within(FORMATS[from_fmt]):
        (before,) = a.args
        if monotone(before, to_fmt) is not None:  # as a NaN it might come back a different one
            return before
    width = fp.WIDTHS[to_fmt]
    if 1 < a.alternatives <= ALTERNATIVES:
        return spread(lambda leaf: fp.convert(leaf, from_fmt, to_fmt), a, width)
    return make("fp.convert", width, (a,), (from_fmt, to_fmt))


def fp_from_int(a: Value, int_width: int, sign: str, fmt: str) -> Value:
    """The number nearest to an integer; ``sign`` is "signed" or "unsigned"."""
    if type(a) is int:
        return fp.from_int(a, int_width, sign == "signed", fmt)
    assert type(a) is Term
    width = fp.WIDTHS[fmt]
    if 1 < a.alternatives <= ALTERNATIVES:
        return spread(lambda leaf: fp.from_int(leaf, int_width, sign == "signed", fmt), a, width)
    if a.op == "sext" and sign == "signed":
        return fp_from_int(a.args[0], a.args[0].width, sign, fmt)
    if a.op == "zext":
        return fp_from_int(a.args[0], a.args[0].width, "unsigned", fmt)
    if int_width == 1:
        unit = fp.from_int(1, 2, False, fmt)
        return ite(a, unit | (1 << width - 1 if sign == "signed" else 0), 0, width)
    return make(f"fp.from_{sign}", width, (a,), fmt)


def fp_to_int(a: Value, fmt: str, int_width: int, sign: str) -> Value:
    """The number rounded towards zero as an integer; for NaN and out of range only the top bit is set."""
    if type(a) is int:
        return to_integer(a, fmt, int_width, sign)
    assert type(a) is Term
    if 1 < a.alternatives <= ALTERNATIVES:
        return spread(lambda leaf: to_integer(leaf, fmt, int_width, sign), a, int_width)
    return make(f"fp.to_{sign}", int_width, (a,), fmt)


def to_integer(bits: int, fmt: str, width: int, sign: str) -> int:
    """The meaning of the terms fp.to_signed and fp.to_unsigned."""
    value = fp.to_int(bits, fmt, width, sign == "signed")
    return 1 << width - 1 if value is None else value


LONGEST = 16
"""The most operations between the integer and the number."""
_ARITHMETIC = ("fp.add", "fp.sub", "fp.mul", "fp.div")


@dataclass(frozen=True, slots=True)
class Monotone:
    """``integer`` after ``steps``, the last first; never a NaN. ``rises``: it never falls as the integer grows."""

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
    """``number`` as a monotone function of an integer; None if it is not one."""
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
    """The constant operand of an operation, and the other, which is None if there is no constant or no other."""
    for constant, other in (term.args, term.args[::-1]):
        if constant.op == "const":
            return constant.low, other
    return 0, None


def _scaled(number: Term, fmt: str) -> tuple[Term, Callable[[int], int], bool] | None:
    """The operand that is not constant, the operation on it, and whether the result rises with it."""
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
    """``a`` op ``b`` for "eq", "lt" or "le" with a constant and a monotone number; None for others.

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
            _bound("le", fmt, function, constant, first=True), _bound("le", fmt, function, constant, first=False)
        )
    return _bound(op, fmt, function, constant, first=first)


def _bound(op: str, fmt: str, function: Monotone, constant: int, *, first: bool) -> Value:
    """The function's number op the constant, or the reverse where ``first`` is false: 1 bit."""
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
