"""The compiler's run-time functions for complex numbers: products and quotients as C's Annex G has them."""

from __future__ import annotations

from unfork.execute import floats
from unfork.execute.handlers import Handler
from unfork.execute.step import Step
from unfork.library.model import Arguments, Model
from unfork.llvm.ir import Call
from unfork.llvm.types import FloatType
from unfork.logic import build, fp
from unfork.logic.term import Value
from unfork.state.state import RegisterValue

FORMATS = {"s": ("f", "float"), "d": ("d", "double"), "x": ("x", "x86_fp80")}
"""From the letter in the function's name to the letter of its prototype and the format."""


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
        """Whether ``value`` is a NaN: 1 bit."""
        return self.unordered(value, value)

    def classify(self, value: int) -> str:
        return fp.classify(value, self.name)

    def boxed(self, value: int) -> int:
        """1 for an infinity and 0 for any other number, with its sign."""
        size = self.unit if self.classify(value) == "infinite" else 0
        return fp.arithmetic("copysign", self.name, size, value)

    def zero_for_nan(self, value: int) -> int:
        """A NaN as a zero of its sign."""
        return value & self.format.sign if fp.is_nan(value, self.name) else value


def _product(of: _Arithmetic) -> Handler:
    def run(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
        a, b, c, d = arguments
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
    """The factors with 1 for infinities and 0 for NaNs; None if no infinity was involved."""
    a, b, c, d = numbers[:4]
    infinite = [of.classify(value) == "infinite" for value in numbers]
    is_recovered = False
    if infinite[0] or infinite[1]:
        a, b, c, d = of.boxed(a), of.boxed(b), of.zero_for_nan(c), of.zero_for_nan(d)
        is_recovered = True
    if infinite[2] or infinite[3]:
        a, b, c, d = of.zero_for_nan(a), of.zero_for_nan(b), of.boxed(c), of.boxed(d)
        is_recovered = True
    if not is_recovered and any(infinite[4:]):
        a, b, c, d = (of.zero_for_nan(value) for value in (a, b, c, d))
        is_recovered = True
    return (a, b, c, d) if is_recovered else None


def _quotient(of: _Arithmetic) -> Handler:
    def run(step: Step, arguments: Arguments, call: Call) -> RegisterValue:
        numbers = [value for value in arguments if isinstance(value, int)]
        if len(numbers) < 4:
            step.unsupported("a quotient of symbolic complex numbers")
        return _divided(of, *numbers)

    return run


def _divided(of: _Arithmetic, a: int, b: int, c: int, d: int) -> tuple[Value, Value]:
    """(a + bi) / (c + di); the divisor is scaled to near 1, so that its square neither overflows nor vanishes."""
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
    """The quotient if it is by zero, of an infinity or by an infinity; None for any other."""
    a, b, c, d = parts
    infinity, name = of.format.infinity, of.name
    finite = [of.classify(value) not in ("infinite", "quiet-nan", "signaling-nan") for value in parts]
    if size == 0 and not (fp.is_nan(a, name) and fp.is_nan(b, name)):
        signed = of.copy_sign(infinity, c)
        return of.multiply(signed, a), of.multiply(signed, b)
    if "infinite" in (of.classify(a), of.classify(b)) and finite[2] and finite[3]:
        a, b = of.boxed(a), of.boxed(b)
        scale = infinity
    elif of.classify(larger) == "infinite" and finite[0] and finite[1]:
        c, d = of.boxed(c), of.boxed(d)
        scale = 0
    else:
        return None
    return (
        of.multiply(scale, of.add(of.multiply(a, c), of.multiply(b, d))),
        of.multiply(scale, of.subtract(of.multiply(b, c), of.multiply(a, d))),
    )


MODELS = {
    f"__{op}{letter}c3": Model(prototype * 4, "v", make(_Arithmetic(name)))
    for letter, (prototype, name) in FORMATS.items()
    for op, make in (("mul", _product), ("div", _quotient))
}
