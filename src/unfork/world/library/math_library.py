"""Models of C's <math.h> and complex arithmetic: exact where the function is, else through the host.

errno stays unchanged. A symbolic argument is supported if the function has a term or only moves bits
(docs/limitations.md).
"""

from __future__ import annotations

from collections.abc import Callable

from unfork.engine.instructions import floats
from unfork.engine.memory.loads import store
from unfork.engine.state.state import RegisterValue
from unfork.engine.step.step import Step
from unfork.logic.terms import build, fp
from unfork.logic.terms.term import Value
from unfork.program.llvm.types import FloatType, IntType
from unfork.world.library import float_intrinsics, transcendental
from unfork.world.library.float_intrinsics import fraction_and_whole, scale_by_power
from unfork.world.library.model import FunctionModel

FORMATS = {"s": ("f", "float"), "d": ("d", "double"), "x": ("x", "x86_fp80")}
"""From the letter in the function's name to the letter of its prototype and the format."""


Function = Callable[..., RegisterValue]


class _Arithmetic:
    """The operations of one floating-point format."""

    def __init__(self, name: str) -> None:
        kind = FloatType(name)
        self.name = name
        self.format = floats.format_of(kind)
        self.add = floats.operation("add", kind)
        self.subtract = floats.operation("sub", kind)
        self.multiply = floats.operation("mul", kind)
        self.divide = floats.operation("div", kind)
        self.copy_sign = floats.operation("copysign", kind)
        self.unordered = floats.compile_float_compare("uno", kind)
        self.unit = fp.from_int(1, 8, signed=False, name=name)

    def is_nan(self, value: Value) -> Value:
        return self.unordered(value, value)

    def classify(self, value: int) -> str:
        return fp.classify(value, self.name)

    def box(self, value: int) -> int:
        """1 for an infinity and 0 for any other number, with its sign."""
        size = self.unit if self.classify(value) == "infinite" else 0
        return fp.arithmetic("copysign", self.name, size, value)

    def zero_for_nan(self, value: int) -> int:
        """A NaN as a zero of its sign."""
        return value & self.format.sign if fp.is_nan(value, self.name) else value


def _product(of: _Arithmetic) -> Function:
    def run(step: Step, a: Value, b: Value, c: Value, d: Value) -> RegisterValue:
        products = [of.multiply(x, y) for x, y in ((a, c), (b, d), (a, d), (b, c))]
        real, imaginary = of.subtract(products[0], products[1]), of.add(products[2], products[3])
        if not step.decide(build.both(of.is_nan(real), of.is_nan(imaginary))):
            return real, imaginary
        numbers = [value for value in (a, b, c, d, *products) if isinstance(value, int)]
        if len(numbers) < 8:
            step.unsupported("a product of symbolic complex numbers that is not a number")
        recovered = _recovered_factors(of, numbers)
        if recovered is None:
            return real, imaginary
        a, b, c, d = recovered
        infinity = of.format.infinity
        return (
            of.multiply(infinity, of.subtract(of.multiply(a, c), of.multiply(b, d))),
            of.multiply(infinity, of.add(of.multiply(a, d), of.multiply(b, c))),
        )

    return run


def _recovered_factors(of: _Arithmetic, numbers: list[int]) -> tuple[int, int, int, int] | None:
    """The factors with 1 for infinities and 0 for NaNs; None without an infinity."""
    a, b, c, d = numbers[:4]
    infinite = [of.classify(value) == "infinite" for value in numbers]
    is_recovered = False
    if infinite[0] or infinite[1]:
        a, b, c, d = of.box(a), of.box(b), of.zero_for_nan(c), of.zero_for_nan(d)
        is_recovered = True
    if infinite[2] or infinite[3]:
        a, b, c, d = of.zero_for_nan(a), of.zero_for_nan(b), of.box(c), of.box(d)
        is_recovered = True
    if not is_recovered and any(infinite[4:]):
        a, b, c, d = (of.zero_for_nan(value) for value in (a, b, c, d))
        is_recovered = True
    return (a, b, c, d) if is_recovered else None


def _quotient(of: _Arithmetic) -> Function:
    def run(step: Step, *arguments: Value) -> RegisterValue:
        numbers = [value for value in arguments if isinstance(value, int)]
        if len(numbers) < 4:
            step.unsupported("a quotient of symbolic complex numbers")
        return _divide(of, *numbers)

    return run


def _divide(of: _Arithmetic, a: int, b: int, c: int, d: int) -> tuple[Value, Value]:
    """(a + bi) / (c + di); scales the divisor to near 1, so that its square neither overflows nor vanishes."""
    name = of.name
    larger = fp.arithmetic("max", name, fp.arithmetic("abs", name, c), fp.arithmetic("abs", name, d))
    shift = 0
    if of.classify(larger) in ("normal", "subnormal"):
        shift = 1 - fp.split(larger, name)[1]
    x, y = fp.scale(c, shift, name), fp.scale(d, shift, name)
    size = of.add(of.multiply(x, x), of.multiply(y, y))

    def over_size(numerator: Value) -> int:
        quotient = of.divide(numerator, size)
        assert isinstance(quotient, int)
        return fp.scale(quotient, shift, name)

    real = over_size(of.add(of.multiply(a, x), of.multiply(b, y)))
    imaginary = over_size(of.subtract(of.multiply(b, x), of.multiply(a, y)))
    if not (fp.is_nan(real, name) and fp.is_nan(imaginary, name)):
        return real, imaginary
    return _recovered_quotient(of, (a, b, x, y), larger, size) or (real, imaginary)


def _recovered_quotient(
    of: _Arithmetic, parts: tuple[int, int, int, int], larger: int, size: Value
) -> tuple[Value, Value] | None:
    """The quotient by zero, of an infinity or by an infinity; None for any other."""
    a, b, c, d = parts
    infinity, name = of.format.infinity, of.name
    finite = [of.classify(value) not in ("infinite", "quiet-nan", "signaling-nan") for value in parts]
    if size == 0 and not (fp.is_nan(a, name) and fp.is_nan(b, name)):
        signed = of.copy_sign(infinity, c)
        return of.multiply(signed, a), of.multiply(signed, b)
    if "infinite" in (of.classify(a), of.classify(b)) and finite[2] and finite[3]:
        a, b = of.box(a), of.box(b)
        scale = infinity
    elif of.classify(larger) == "infinite" and finite[0] and finite[1]:
        c, d = of.box(c), of.box(d)
        scale = 0
    else:
        return None
    return (
        of.multiply(scale, of.add(of.multiply(a, c), of.multiply(b, d))),
        of.multiply(scale, of.subtract(of.multiply(b, c), of.multiply(a, d))),
    )


COMPLEX = {
    f"__{op}{letter}c3": FunctionModel.of(prototype * 4, "v", make(_Arithmetic(name)))
    for letter, (prototype, name) in FORMATS.items()
    for op, make in (("mul", _product), ("div", _quotient))
}


Make = Callable[[FloatType], Function]

SUFFIXES = {"": ("d", "double"), "f": ("f", "float"), "l": ("x", "x86_fp80")}
"""From the end of a function's name to the letter of its prototype and the format."""
EXPONENTS_OF_A_PATH = 16
CONCRETE_ONLY = frozenset(["remainder", "nextafter"])
LONG = IntType(64)

NAN, INFINITE, ZERO, SUBNORMAL, NORMAL = range(5)
"""The values of fpclassify, in musl and glibc alike."""
CLASS_MASKS = ((NAN, 0b11), (INFINITE, 0b1000000100), (ZERO, 0b0001100000), (SUBNORMAL, 0b0010010000))


def _known(step: Step, number: Value, function: str, kind: FloatType) -> int:
    if not isinstance(number, int):
        step.unsupported(f"{function} of a symbolic {kind.name}")
    return number


def _operation(op: str) -> Make:
    def make(kind: FloatType) -> Function:
        operate = floats.operation(op, kind)

        def run(step: Step, *arguments: Value) -> Value:
            if op in CONCRETE_ONLY:
                for argument in arguments:
                    _known(step, argument, op, kind)
            return operate(*arguments)

        return run

    return make


def _transcendental(function: str) -> Make:
    return lambda kind: lambda step, *arguments: transcendental.apply(step, function, kind.name, *arguments)


def _to_long(op: str) -> Make:

    def make(kind: FloatType) -> Function:
        operate = float_intrinsics.OPERATIONS[op](kind, LONG)
        return lambda step, number: operate(number)

    return make


def _positive_difference(kind: FloatType) -> Function:
    """fdim: a - b where a is above b, else +0; a NaN stays."""
    subtract, below = floats.operation("sub", kind), floats.compile_float_compare("ole", kind)
    width = fp.WIDTHS[kind.name]

    def run(step: Step, a: Value, b: Value) -> Value:
        return build.ite(below(a, b), 0, subtract(a, b), width)

    return run


def _scale(width: int) -> Make:
    """ldexp and scalbn, with an exponent of ``width`` bits."""

    def make(kind: FloatType) -> Function:
        def run(step: Step, number: Value, exponent: Value) -> Value:
            power = step.concretize(exponent, width, EXPONENTS_OF_A_PATH, "an integer exponent")
            return scale_by_power(step, kind, number, power - (power >> (width - 1) << width))

        return run

    return make


def _split(kind: FloatType) -> Function:
    """frexp stores the exponent as an int."""

    def run(step: Step, number: Value, target: Value) -> Value:
        fraction, exponent = fp.split(_known(step, number, "frexp", kind), kind.name)
        store(step, target, exponent & 0xFFFFFFFF, 4)
        return fraction

    return run


def _fraction_and_whole(kind: FloatType) -> Function:
    size = (fp.WIDTHS[kind.name] + 7) // 8

    def run(step: Step, number: Value, target: Value) -> Value:
        fraction, whole = fraction_and_whole(kind, number)
        store(step, target, whole, size)
        return fraction

    return run


def _exponent(kind: FloatType) -> Function:
    """ilogb: the exponent as an int; INT_MIN for zero and for a NaN, INT_MAX for an infinity."""

    def run(step: Step, argument: Value) -> Value:
        number = _known(step, argument, "ilogb", kind)
        match fp.classify(number, kind.name):
            case "infinite":
                return 0x7FFFFFFF
            case "normal" | "subnormal":
                return (fp.split(number, kind.name)[1] - 1) & 0xFFFFFFFF
        return 0x80000000

    return run


def _exponent_as_float(kind: FloatType) -> Function:
    """logb: the exponent as a float, -infinity for zero."""
    fmt = floats.format_of(kind)

    def run(step: Step, argument: Value) -> Value:
        number = _known(step, argument, "logb", kind)
        match fp.classify(number, kind.name):
            case "zero":
                return fmt.sign | fmt.infinity
            case "infinite":
                return fmt.infinity
            case "normal" | "subnormal":
                return fp.from_int((fp.split(number, kind.name)[1] - 1) & 0xFFFFFFFF, 32, signed=True, name=kind.name)
        return fmt.nan

    return run


def _not_a_number(kind: FloatType) -> Function:
    """nan(""): a quiet NaN, without the tag's payload."""
    quiet = fp.default_nan(kind.name) & (floats.format_of(kind).sign - 1)
    return lambda step, tag: quiet


def _is_class(mask: int) -> Make:
    def make(kind: FloatType) -> Function:
        test = floats.is_class(kind, mask)
        return lambda step, number: build.zext(test(number), 1, 32)

    return make


def _infinity_sign(kind: FloatType) -> Function:
    """isinf as a function: 1, -1, or 0 for all other numbers."""
    fmt = floats.format_of(kind)

    def run(step: Step, a: Value) -> Value:
        negative = build.ite(build.eq(a, fmt.sign | fmt.infinity, fmt.width), 0xFFFFFFFF, 0, 32)
        return build.ite(build.eq(a, fmt.infinity, fmt.width), 1, negative, 32)

    return run


def _classify(kind: FloatType) -> Function:
    tests = [(number, floats.is_class(kind, mask)) for number, mask in CLASS_MASKS]

    def run(step: Step, value: Value) -> Value:
        category: Value = NORMAL
        for number, test in tests:
            category = build.ite(test(value), number, category, 32)
        return category

    return run


def _sign_bit(kind: FloatType) -> Function:
    width = fp.WIDTHS[kind.name]
    return lambda step, number: build.zext(build.extract(number, width - 1, 1), 1, 32)


QUESTIONS: dict[str, Make] = {
    "isnan": _is_class(0b11),
    "isinf": _infinity_sign,
    "finite": _is_class(0b0111111000),
    "isnormal": _is_class(0b0100001000),
    "signbit": _sign_bit,
}
# Name: (parameters, result, meaning), with "." for the letter of the floating type.
FAMILIES: dict[str, tuple[str, str, Make]] = {
    **{name: (".", ".", _operation(name)) for name in ("sqrt", "floor", "ceil", "trunc", "round", "roundeven")},
    **{name: (".", ".", _operation(name)) for name in ("rint", "nearbyint")},
    **{name: ("..", ".", _operation(name)) for name in ("copysign", "remainder", "nextafter")},
    **{name: (".", ".", _transcendental(name)) for name in transcendental.UNARY},
    **{name: ("..", ".", _transcendental(name)) for name in transcendental.BINARY},
    "fabs": (".", ".", _operation("abs")),
    "fmod": ("..", ".", _operation("rem")),
    "drem": ("..", ".", _operation("remainder")),
    "fmin": ("..", ".", _operation("min")),
    "fmax": ("..", ".", _operation("max")),
    "fma": ("...", ".", _operation("fma")),
    "fdim": ("..", ".", _positive_difference),
    **{name: (".", "l", _to_long(name)) for name in ("lround", "llround", "lrint", "llrint")},
    "ldexp": (".i", ".", _scale(32)),
    "scalbn": (".i", ".", _scale(32)),
    "scalbln": (".l", ".", _scale(64)),
    "frexp": (".p", ".", _split),
    "modf": (".p", ".", _fraction_and_whole),
    "ilogb": (".", "i", _exponent),
    "logb": (".", ".", _exponent_as_float),
    "nan": ("p", ".", _not_a_number),
    **{prefix + name: (".", "i", make) for name, make in QUESTIONS.items() for prefix in ("", "__")},
    "__fpclassify": (".", "i", _classify),
}


def _models() -> dict[str, FunctionModel]:
    models: dict[str, FunctionModel] = {}
    for suffix, (letter, name) in SUFFIXES.items():
        for function, (parameters, result, make) in FAMILIES.items():
            run = make(FloatType(name))
            models[function + suffix] = FunctionModel.of(
                parameters.replace(".", letter), result.replace(".", letter), run
            )
    return models


MODELS = {**_models(), **COMPLEX}
