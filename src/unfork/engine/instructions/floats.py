"""Floating-point instructions on scalar bit patterns: computes concrete ones, builds terms of symbolic ones."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from unfork.engine.step.step import Step
from unfork.errors import Unsupported
from unfork.logic.terms import build, fp
from unfork.logic.terms.fp_format import FORMATS, FloatFormat
from unfork.logic.terms.term import Value
from unfork.program.llvm.types import FloatType, IntType, Type

Operation = Callable[..., Value]
BinaryOperation = Callable[[Value, Value], Value]
Conversion = Callable[[Value], Value | None]

# A rounding that is the same in the default rounding mode, under the one name that terms have for it.
SAME_TERM = {"nearbyint": "rint", "roundeven": "rint"}
SIGNS = frozenset(["neg", "abs", "copysign"])
TO_INTEGER = {"fptosi": "signed", "fptoui": "unsigned"}
FROM_INTEGER = {"sitofp": "signed", "uitofp": "unsigned"}


def format_of(kind: Type) -> FloatFormat:
    """The format of a scalar floating-point type."""
    fmt = FORMATS.get(kind.name) if isinstance(kind, FloatType) else None
    if fmt is None:
        raise Unsupported(f"the floating-point type {kind}")
    return fmt


# --- arithmetic ---


@cache
def operation(op: str, kind: Type) -> Operation:
    """One of fp.OPERATIONS on values of ``kind``."""
    fmt = format_of(kind)
    if op in SIGNS:
        return _sign_operation(op, fmt)
    if op in ("minimum", "maximum"):
        return _nan_winning("min" if op == "minimum" else "max", fmt.name)
    concrete, name, term_op = fp.operation(op, fmt.name), fmt.name, SAME_TERM.get(op, op)

    def run(*values: Value) -> Value:
        for value in values:
            if value.__class__ is not int:
                return build.fp_op(term_op, name, *values)
        return concrete(*values)

    return run


def compile_float_binary(op: str, kind: Type) -> BinaryOperation:
    """The instructions fadd fsub fmul fdiv frem on scalars of ``kind``."""
    fmt = format_of(kind)
    plain, name = op.removeprefix("f"), fmt.name
    concrete = fp.operation(plain, name)

    def run(a: Value, b: Value) -> Value:
        if a.__class__ is int and b.__class__ is int:
            return concrete(a, b)
        return build.fp_op(plain, name, a, b)

    return run


def _sign_operation(op: str, fmt: FloatFormat) -> Operation:
    """An operation on the sign bit: no other bit changes, and the solver needs no floats."""
    width, sign = fmt.width, fmt.sign
    rest = sign - 1
    match op:
        case "neg":
            return lambda a: build.xor(a, sign, width)
        case "abs":
            return lambda a: build.and_(a, rest, width)
    return lambda a, b: build.or_(build.and_(a, rest, width), build.and_(b, sign, width), width)


def _nan_winning(op: str, name: str) -> Operation:
    winning = fp.operation("minimum" if op == "min" else "maximum", name)
    nan, width = fp.default_nan(name), fp.WIDTHS[name]

    def run(a: Value, b: Value) -> Value:
        if isinstance(a, int) and isinstance(b, int):
            return winning(a, b)
        number = build.fp_op(op, name, a, b)
        return build.ite(build.fp_compare("uno", name, a, b), nan, number, width)

    return run


# --- comparison ---


@cache
def compile_float_compare(predicate: str, kind: Type) -> BinaryOperation:
    """The instruction fcmp on scalars of ``kind``; 1 bit."""
    name = format_of(kind).name
    concrete = fp.predicate(predicate, name)

    def run(a: Value, b: Value) -> Value:
        if a.__class__ is int and b.__class__ is int:
            return 1 if concrete(a, b) else 0
        return build.fp_compare(predicate, name, a, b)

    return run


# --- conversion ---


def compile_float_cast(op: str, source: Type, target: Type) -> Conversion:
    """The instructions fptrunc fpext fptoui fptosi uitofp sitofp on scalars.

    None is poison: a concrete number that the integer type cannot hold. Symbolic ones give what terms define for them;
    compare ``compile_conversion``.
    """
    if op in TO_INTEGER:
        return _to_integer(TO_INTEGER[op], format_of(source).name, _width(target))
    if op in FROM_INTEGER:
        return _from_integer(FROM_INTEGER[op], _width(source), format_of(target).name)
    return _convert(format_of(source).name, format_of(target).name)


def compile_conversion(op: str, source: Type, target: Type) -> Callable[[Step, Value], Value]:
    """As compile_float_cast, with a fresh value for poison: forks where a symbolic number may be out of range."""
    convert = compile_float_cast(op, source, target)
    fits = conversion_fits(op, source, target) if op in TO_INTEGER else None

    def run(step: Step, value: Value) -> Value:
        if isinstance(value, int):
            converted = convert(value)
        else:
            converted = convert(value) if fits is None or step.decide(fits(value)) else None
        return step.fresh("out-of-range", _width(target), "uninit") if converted is None else converted

    return run


def conversion_fits(op: str, source: Type, target: Type) -> Callable[[Value], Value]:
    """Whether (1 bit) fptosi or fptoui is defined: the number, rounded toward zero, fits the integer type."""
    fmt, width, signed = format_of(source), _width(target), op == "fptosi"
    above_all = compile_float_compare("olt", source)
    top = fp.from_int(1 << (width - 1 if signed else width), 256, signed=False, name=fmt.name)
    if not signed:
        bottom, above_bottom = fp.from_int(1, 8, signed=False, name=fmt.name) | fmt.sign, "ogt"
    elif width > fmt.precision:  # numbers below the lowest integer are more than one apart
        bottom, above_bottom = top | fmt.sign, "ogt" if top == fmt.infinity else "oge"
    else:
        bottom, above_bottom = fp.from_int((1 << (width - 1)) + 1, 256, signed=False, name=fmt.name) | fmt.sign, "ogt"
    below_all = compile_float_compare(above_bottom, source)
    return lambda value: build.both(above_all(value, top), below_all(value, bottom))


def _to_integer(sign: str, name: str, width: int) -> Conversion:
    signed = sign == "signed"

    def run(value: Value) -> Value | None:
        if isinstance(value, int):
            return fp.to_int(value, name, width, signed)
        return build.fp_to_int(value, name, width, sign)

    return run


def _from_integer(sign: str, width: int, name: str) -> Conversion:
    signed = sign == "signed"

    def run(value: Value) -> Value:
        if isinstance(value, int):
            return fp.from_int(value, width, signed, name)
        return build.fp_from_int(value, width, sign, name)

    return run


def _convert(source: str, target: str) -> Conversion:
    def run(value: Value) -> Value:
        return fp.convert(value, source, target) if isinstance(value, int) else build.fp_convert(value, source, target)

    return run


def _width(kind: Type) -> int:
    assert isinstance(kind, IntType)
    return kind.width


# --- kinds of numbers ---


def is_class(kind: Type, mask: int) -> Operation:
    """llvm.is.fpclass: whether (1 bit) the bits of a value put it in one of the classes of ``mask``."""
    fmt = format_of(kind)
    tests = _class_tests(fmt)
    class_tests = [test for i, test in enumerate(tests) if mask >> i & 1]
    return lambda value: build.disjunction([test(value) for test in class_tests])


def _class_tests(fmt: FloatFormat) -> list[Operation]:
    """The classes in LLVM's order: signalling NaN, quiet NaN, -inf -normal -subnormal -0 +0 +subnormal +normal +inf."""
    width, sign, infinity = fmt.width, fmt.sign, fmt.infinity
    normal, quiet = 1 << fmt.fraction_bits, 1 << (fmt.precision - 2)
    leading = 1 << (fmt.precision - 1)

    def size(value: Value) -> Value:
        return build.and_(value, sign - 1, width)

    def nan(value: Value) -> Value:
        if fmt.explicit:
            return build.fp_compare("uno", fmt.name, value, value)
        return build.ugt(size(value), infinity, width)

    def is_quiet(value: Value) -> Value:
        return build.ne(build.and_(value, quiet, width), 0, width)

    def whole(value: Value) -> Value:
        """Normal: at least the least normal number, below infinity, with the leading bit set if there is one."""
        inside = build.both(build.uge(size(value), normal, width), build.ult(size(value), infinity, width))
        if not fmt.explicit:
            return inside
        has_leading = build.ne(build.and_(value, leading, width), 0, width)
        return build.both(inside, has_leading)

    def tiny(value: Value) -> Value:
        return build.both(build.ult(size(value), normal, width), build.ne(size(value), 0, width))

    def signed(negative: int, test: Operation) -> Operation:
        return lambda value: build.both(
            build.eq(build.extract(value, width - 1, 1), negative, 1),
            test(value),
        )

    return [
        lambda value: build.both(nan(value), build.negate(is_quiet(value))),
        lambda value: build.both(nan(value), is_quiet(value)),
        lambda value: build.eq(value, sign | infinity, width),
        signed(1, whole),
        signed(1, tiny),
        lambda value: build.eq(value, sign, width),
        lambda value: build.eq(value, 0, width),
        signed(0, tiny),
        signed(0, whole),
        lambda value: build.eq(value, infinity, width),
    ]
