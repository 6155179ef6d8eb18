"""The llvm.* intrinsics on floats that have an exact meaning: arithmetic, rounding, classes, conversion to integers.

As in integer_intrinsics, each is a function from the types of the first operand and of the result to an operation on
scalars.
"""

from __future__ import annotations

from collections.abc import Callable

from unfork.execute import floats
from unfork.llvm import layout
from unfork.llvm.types import IntType, Type
from unfork.logic import build, fp
from unfork.logic.term import Value

Operation = Callable[..., Value]
Make = Callable[[Type, Type], Operation]


def _plain(op: str) -> Make:
    return lambda kind, result: floats.operation(op, kind)


def _multiply_add(kind: Type, result: Type) -> Operation:
    """llvm.fmuladd may be fused or not; x86-64 without extensions has no fused form, so it is rounded twice."""
    multiply, add = floats.operation("mul", kind), floats.operation("add", kind)
    return lambda a, b, c: add(multiply(a, b), c)


def _rounded_integer(op: str) -> Make:
    """lround and its kin: rounding, then conversion; out of range only the top bit is set, as on x86."""

    def make(kind: Type, result: Type) -> Operation:
        rounding, width = floats.operation(op, kind), layout.bits_of(result)
        convert = floats.compile_float_cast("fptosi", kind, result)

        def run(a: Value) -> Value:
            integer = convert(rounding(a))
            return 1 << (width - 1) if integer is None else integer

        return run

    return make


def _saturating(op: str) -> Make:
    """fptosi.sat and fptoui.sat: the nearest integer of the type, 0 for a NaN."""

    def make(kind: Type, result: Type) -> Operation:
        assert isinstance(result, IntType)
        width, fmt = result.width, floats.format_of(kind)
        low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if op == "fptosi" else (0, (1 << width) - 1)
        mask = (1 << width) - 1
        convert, fits = floats.compile_float_cast(op, kind, result), floats.conversion_fits(op, kind, result)

        def run(a: Value) -> Value:
            if isinstance(a, int):
                if fp.is_nan(a, fmt.name):
                    return 0
                value = fp.truncated(a, fmt.name)
                if value is None:
                    return (low if a & fmt.sign else high) & mask
                return max(low, min(high, value)) & mask
            inside = convert(a)
            assert inside is not None
            negative = build.extract(a, fmt.width - 1, 1)
            bound = build.ite(negative, low & mask, high, width)
            outside = build.ite(build.fp_compare("uno", fmt.name, a, a), 0, bound, width)
            return build.ite(fits(a), inside, outside, width)

        return run

    return make


def _is_class(kind: Type, result: Type) -> Operation:
    def run(a: Value, mask: Value) -> Value:
        assert isinstance(mask, int)
        return floats.is_class(kind, mask)(a)

    return run


OPERATIONS: dict[str, Make] = {
    "fabs": _plain("abs"),
    "copysign": _plain("copysign"),
    "sqrt": _plain("sqrt"),
    "fma": _plain("fma"),
    "fmuladd": _multiply_add,
    "floor": _plain("floor"),
    "ceil": _plain("ceil"),
    "trunc": _plain("trunc"),
    "rint": _plain("rint"),
    "nearbyint": _plain("nearbyint"),
    "round": _plain("round"),
    "roundeven": _plain("roundeven"),
    "minnum": _plain("min"),
    "maxnum": _plain("max"),
    "minimumnum": _plain("min"),
    "maximumnum": _plain("max"),
    "minimum": _plain("minimum"),
    "maximum": _plain("maximum"),
    "lround": _rounded_integer("round"),
    "llround": _rounded_integer("round"),
    "lrint": _rounded_integer("rint"),
    "llrint": _rounded_integer("rint"),
    "fptosi.sat": _saturating("fptosi"),
    "fptoui.sat": _saturating("fptoui"),
    "is.fpclass": _is_class,
}
