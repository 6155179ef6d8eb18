"""The llvm.* intrinsics on floats: arithmetic, rounding, classes and conversion to integers exactly, then
mathematics.

As in integer_intrinsics, each exact one is a function from the types of the first operand and the result to an
operation on scalars. Mathematical ones have no term: they take concrete operands, and symbolic ones where that is
exact.
"""

from __future__ import annotations

from collections.abc import Callable

from unfork.engine.instructions import floats
from unfork.engine.instructions.arithmetic import element_of, lift, operands
from unfork.engine.state.state import RegisterValue
from unfork.engine.step.handlers import Arguments, Handler
from unfork.engine.step.step import Step
from unfork.logic.terms import build, fp
from unfork.logic.terms.term import Value
from unfork.program.llvm import layout
from unfork.program.llvm.ir import Call
from unfork.program.llvm.types import FloatType, IntType, Type
from unfork.world.library import transcendental

Operation = Callable[..., Value]
Make = Callable[[Type, Type], Operation]


def _plain(op: str) -> Make:
    return lambda kind, result: floats.operation(op, kind)


def _multiply_add(kind: Type, result: Type) -> Operation:
    """llvm.fmuladd may be fused or not; x86-64 without extensions has no fused form, so it rounds twice."""
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
                value = fp.truncate(a, fmt.name)
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


POWERS_OF_A_PATH = 16


def _transcendental(function: str) -> Handler:
    def run(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
        name = floats.format_of(element_of(call.type.result)).name
        return lift(
            lambda *values: transcendental.apply(step, function, name, *values), operands(step, arguments, call)
        )

    return run


def _power(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
    """llvm.powi: squarings and multiplications in the order of the compiler's run-time library."""
    base, exponent = operands(step, arguments, call)
    power = _integer(step, exponent, call)
    kind = element_of(call.type.result)
    return lift(lambda value: integer_power(kind, value, power), [base])


def integer_power(kind: Type, base: Value, power: int) -> Value:
    """``base`` to an integer power; for a negative power, the reciprocal of the positive one."""
    multiply = floats.operation("mul", kind)
    unit = fp.from_int(1, 8, signed=False, name=floats.format_of(kind).name)
    result: Value = unit
    rest = abs(power)
    while True:
        if rest & 1:
            result = multiply(result, base)
        rest >>= 1
        if not rest:
            break
        base = multiply(base, base)
    return floats.operation("div", kind)(unit, result) if power < 0 else result


def _scale(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
    number, exponent = operands(step, arguments, call)
    power = _integer(step, exponent, call)
    kind = element_of(call.type.result)
    return lift(lambda value: scale_by_power(step, kind, value, power), [number])


def scale_by_power(step: Step, kind: Type, value: Value, power: int) -> Value:
    """``value`` times 2**power. For a symbolic value, 2**power must be a normal number, so that there is one
    rounding.
    """
    fmt = floats.format_of(kind)
    if isinstance(value, int):
        return fp.scale(value, power, fmt.name)
    factor = fp.scale(fp.from_int(1, 8, signed=False, name=fmt.name), power, fmt.name)
    if fp.classify(factor, fmt.name) != "normal":
        step.unsupported(f"ldexp of a symbolic {fmt.name} by {power}")
    return floats.operation("mul", kind)(value, factor)


def _integer(step: Step, exponent: Value, call: Call) -> int:
    width = layout.bits_of(element_of(call.arguments[1].type))
    power = step.concretize(exponent, width, POWERS_OF_A_PATH, "an integer exponent")
    return power - (power >> (width - 1) << width)


def _split(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
    """llvm.frexp: (fraction, exponent)."""
    (number,) = operands(step, arguments, call)
    kind = element_of(call.arguments[0].type)
    assert isinstance(kind, FloatType)

    def split(value: Value) -> tuple[int, int]:
        if not isinstance(value, int):
            step.unsupported(f"frexp of a symbolic {kind.name}")
        fraction, exponent = fp.split(value, kind.name)
        return fraction, exponent & 0xFFFFFFFF

    return lift(split, [number])


def _whole_and_fraction(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
    """llvm.modf: (fraction, whole part), both with the number's sign."""
    (number,) = operands(step, arguments, call)
    kind = element_of(call.arguments[0].type)
    return lift(lambda value: fraction_and_whole(kind, value), [number])


def fraction_and_whole(kind: Type, value: Value) -> tuple[Value, Value]:
    """C's modf: an infinity has the fraction zero."""
    fmt = floats.format_of(kind)
    whole = floats.operation("trunc", kind)(value)
    rest = floats.operation("sub", kind)(value, whole)
    infinite = build.eq(build.and_(value, fmt.sign - 1, fmt.width), fmt.infinity, fmt.width)
    size = build.ite(infinite, 0, rest, fmt.width)
    return floats.operation("copysign", kind)(size, value), whole


MATHEMATICS: dict[str, Handler] = {
    **{
        function: _transcendental(function)
        for function in ("sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh")
    },
    **{function: _transcendental(function) for function in ("exp", "exp2", "exp10", "log", "log2", "log10", "pow")},
    "powi": _power,
    "ldexp": _scale,
    "frexp": _split,
    "modf": _whole_and_fraction,
}
