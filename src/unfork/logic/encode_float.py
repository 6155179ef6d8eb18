"""Floating operations as SMT-LIB's, under the NaN rule of fp_format: solvers and logic/fp.py agree bit for bit."""

from __future__ import annotations

from collections.abc import Sequence

from unfork.logic import fp
from unfork.logic.dialect import Dialect, Node
from unfork.logic.fp_format import FORMATS, Format
from unfork.logic.term import Term

PREDICATES = {"fp.eq": "fp.eq", "fp.lt": "fp.lt", "fp.le": "fp.leq", "fp.isnan": "fp.isNaN"}
TO_INTEGER = {"fp.to_signed": "fp.to_sbv", "fp.to_unsigned": "fp.to_ubv"}
_ROUNDED = frozenset(("fp.add", "fp.sub", "fp.mul", "fp.div", "fp.fma", "fp.sqrt"))
_INTEGRAL = {
    "fp.floor": "RTN",
    "fp.ceil": "RTP",
    "fp.trunc": "RTZ",
    "fp.rint": "RNE",
    "fp.roundeven": "RNE",
    "fp.round": "RNA",
}
_CONVERSIONS = {"fp.convert": "to_fp", "fp.from_signed": "to_fp_signed", "fp.from_unsigned": "to_fp_unsigned"}
ARITHMETIC = frozenset((*_ROUNDED, *_INTEGRAL, *_CONVERSIONS, "fp.rem", "fp.min", "fp.max"))
"""The operators whose result is a float."""
RESULTS = ARITHMETIC | frozenset(TO_INTEGER)


def result_format(term: Term) -> str:
    """The format of the result of one of ARITHMETIC."""
    parameter = term.parameter
    return parameter[1] if isinstance(parameter, tuple) else str(parameter)


def operand_format(term: Term) -> str | None:
    """The format of the operands, None where they are integers."""
    if term.op in ("fp.from_signed", "fp.from_unsigned"):
        return None
    return term.parameter[0] if isinstance(term.parameter, tuple) else str(term.parameter)


def under_sign(term: Term, name: str) -> Term | None:
    """The floating result of which ``term``, an xor or an and, is the negation or the absolute value."""
    sign = FORMATS[name].sign
    for mask, operand in (term.args, term.args[::-1]):
        if mask.op == "const" and operand.op in ARITHMETIC and result_format(operand) == name:
            return operand if mask.value == (sign if term.op == "xor" else sign - 1) else None
    return None


def shape(name: str) -> tuple[int, int]:
    """SMT-LIB's two numbers of a format: exponent bits, and significand bits with the leading one."""
    fmt = FORMATS[name]
    return fmt.exponent_bits, fmt.precision


def from_bits(dialect: Dialect[Node], name: str, bits: Node) -> Node:
    """The float that a pattern stands for."""
    fmt = FORMATS[name]
    if not fmt.explicit:
        return dialect.apply("to_fp_bits", [bits], shape(name))
    take, top = fmt.fraction_bits, fmt.width - 1
    exponent = dialect.apply("extract", [bits], (top - 1, take))
    leading = dialect.apply("=", [dialect.apply("extract", [bits], (take - 1, take - 1)), dialect.bits(1, 1)])
    none = dialect.apply("=", [exponent, dialect.bits(0, fmt.exponent_bits)])
    least = dialect.bits(1, fmt.exponent_bits)
    pseudo_denormal = dialect.apply("and", [none, leading])
    parts = [
        dialect.apply("extract", [bits], (top, top)),
        dialect.apply("ite", [pseudo_denormal, least, exponent]),
        dialect.apply("extract", [bits], (take - 2, 0)),
    ]
    number = dialect.apply("to_fp_bits", [_joined(dialect, parts)], shape(name))
    valid = dialect.apply("or", [none, leading])
    nan = dialect.apply("to_fp_bits", [dialect.bits(_plain_nan(fmt), fmt.width - 1)], shape(name))
    return dialect.apply("ite", [valid, number, nan])


def to_bits(dialect: Dialect[Node], name: str, number: Node) -> tuple[Node, list[Node]]:
    """Fresh bits for the pattern of a result, and the conditions that define them; any NaN is the default one."""
    fmt = FORMATS[name]
    width = fmt.width - fmt.explicit
    bits = dialect.fresh(width)
    nan = dialect.bits(_plain_nan(fmt), width)
    definition = [
        dialect.apply("=", [dialect.apply("to_fp_bits", [bits], shape(name)), number]),
        dialect.apply("=>", [dialect.apply("fp.isNaN", [number]), dialect.apply("=", [bits, nan])]),
    ]
    if not fmt.explicit:
        return bits, definition
    exponent = dialect.apply("extract", [bits], (width - 2, fmt.precision - 1))
    none = dialect.apply("=", [exponent, dialect.bits(0, fmt.exponent_bits)])
    leading = dialect.apply("ite", [none, dialect.bits(0, 1), dialect.bits(1, 1)])
    parts = [
        dialect.apply("extract", [bits], (width - 1, fmt.precision - 1)),
        leading,
        dialect.apply("extract", [bits], (fmt.precision - 2, 0)),
    ]
    return _joined(dialect, parts), definition


def arithmetic(dialect: Dialect[Node], term: Term, args: Sequence[Node]) -> Node:
    """The result of one of ARITHMETIC, from floats (from integers where operand_format is None)."""
    op = term.op
    if op in _INTEGRAL:
        return dialect.apply("fp.roundToIntegral", [dialect.apply(_INTEGRAL[op], ()), *args])
    nearest = dialect.apply("RNE", ())
    if op in _ROUNDED:
        return dialect.apply(op, [nearest, *args])
    if op in _CONVERSIONS:
        return dialect.apply(_CONVERSIONS[op], [nearest, *args], shape(result_format(term)))
    if op == "fp.rem":
        return _remainder(dialect, result_format(term), *args)
    return _extremum(dialect, op, *args)


def to_integer(dialect: Dialect[Node], op: str, name: str, width: int, number: Node) -> Node:
    """The float rounded toward zero; only the top bit set for a NaN and where it does not fit."""
    signed = op == "fp.to_signed"
    fmt = FORMATS[name]
    size = width - 1 if signed else width

    def number_of(value: int) -> Node:
        pattern = fp.from_int(value & (1 << width + 2) - 1, width + 2, True, name)
        return from_bits(dialect, name, dialect.bits(pattern, fmt.width))

    below = dialect.apply("fp.lt", [number, number_of(1 << size)])
    if not signed:
        above = dialect.apply("fp.gt", [number, number_of(-1)])
    elif width <= fmt.precision:
        above = dialect.apply("fp.gt", [number, number_of(-(1 << size) - 1)])
    else:  # nothing lies between -2**size - 1 and -2**size
        above = dialect.apply("fp.geq", [number, number_of(-(1 << size))])
    finite = dialect.apply("not", [dialect.apply("fp.isInfinite", [number])])
    fits = dialect.apply("and", [dialect.apply("and", [below, above]), finite])
    whole = dialect.apply(TO_INTEGER[op], [dialect.apply("RTZ", ()), number], (width,))
    return dialect.apply("ite", [fits, whole, dialect.bits(1 << width - 1, width)])


def _remainder(dialect: Dialect[Node], name: str, a: Node, b: Node) -> Node:
    """C's fmod from IEEE's remainder, which rounds the quotient to nearest: both are exact, |b| apart at most."""
    apply = dialect.apply
    size = apply("fp.abs", [b])
    rest = apply("fp.rem", [apply("fp.abs", [a]), size])
    wrapped = apply("fp.add", [apply("RNE", ()), rest, size])
    zero = from_bits(dialect, name, dialect.bits(0, FORMATS[name].width))
    positive = apply("fp.abs", [apply("ite", [apply("fp.lt", [rest, zero]), wrapped, rest])])
    return apply("ite", [apply("fp.isNegative", [a]), apply("fp.neg", [positive]), positive])


def _extremum(dialect: Dialect[Node], op: str, a: Node, b: Node) -> Node:
    """C's fmin or fmax: a NaN loses, and -0 is below +0."""
    apply = dialect.apply
    lesser = apply("fp.lt", [a, b] if op == "fp.min" else [b, a])
    signs = apply("fp.isNegative", [a if op == "fp.min" else b])
    first = apply("or", [lesser, apply("and", [apply("fp.eq", [a, b]), signs])])
    return apply("ite", [apply("fp.isNaN", [a]), b, apply("ite", [apply("or", [first, apply("fp.isNaN", [b])]), a, b])])


def _joined(dialect: Dialect[Node], parts: Sequence[Node]) -> Node:
    result = parts[0]
    for part in parts[1:]:
        result = dialect.apply("concat", [result, part])
    return result


def _plain_nan(fmt: Format) -> int:
    """The default NaN without a stored leading bit."""
    width = fmt.width - fmt.explicit
    top = (1 << fmt.exponent_bits) - 1
    return 1 << width - 1 | top << fmt.precision - 1 | 1 << fmt.precision - 2
