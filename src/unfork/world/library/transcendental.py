"""Functions with no exact finite meaning (exp, log, sin, pow ...): concrete arguments through the host's
mathematics.

Python's math module computes in double, and may differ in the last bit from a native libm. Half and float are
rounded. Wider formats and symbolic arguments are unsupported.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from unfork.engine.step.step import Step
from unfork.logic.terms import fp
from unfork.logic.terms.term import Value

FORMATS = frozenset(["half", "bfloat", "float", "double"])


def apply(step: Step, function: str, name: str, *bits: Value) -> int:
    """A function of FUNCTIONS on bit patterns of the format ``name``; returns one, too."""
    concrete = [value for value in bits if isinstance(value, int)]
    if len(concrete) != len(bits):
        step.unsupported(f"{function} of a symbolic {name}")
    if name not in FORMATS:
        step.unsupported(f"{function} of a {name}")
    operate, limit = FUNCTIONS[function]
    numbers = [fp.to_float(value, name) for value in concrete]
    try:
        result = operate(*numbers)
    except (ValueError, OverflowError):
        result = limit(*numbers)
    return fp.from_float(result, name)


Real = Callable[..., float]


def _nan(*numbers: float) -> float:
    """Outside the domain."""
    return math.nan


def _infinite(*numbers: float) -> float:
    """Too large for a double."""
    return math.inf


def _with_sign(*numbers: float) -> float:
    """Too large, with the argument's sign."""
    return math.copysign(math.inf, numbers[0])


def _logarithm_limit(*numbers: float) -> float:
    """The pole at zero; a negative number has no logarithm."""
    return -math.inf if numbers[0] == 0 else math.nan


def _log1p_limit(*numbers: float) -> float:
    return -math.inf if numbers[0] == -1 else math.nan


def _atanh_limit(*numbers: float) -> float:
    return math.copysign(math.inf, numbers[0]) if abs(numbers[0]) == 1 else math.nan


def _gamma_limit(*numbers: float) -> float:
    x = numbers[0]
    if x == 0:
        return math.copysign(math.inf, x)
    return math.inf if x > 0 else math.nan


def _power_limit(*numbers: float) -> float:
    """Cases that math.pow refuses: a pole at zero, a root of a negative number, too large a result."""
    base, exponent = numbers
    odd = exponent % 2 == 1
    if base == 0:
        return math.copysign(math.inf, base) if odd else math.inf
    if base < 0 and exponent != math.floor(exponent):
        return math.nan
    return -math.inf if base < 0 and odd else math.inf


FUNCTIONS: dict[str, tuple[Real, Real]] = {
    "sin": (math.sin, _nan),
    "cos": (math.cos, _nan),
    "tan": (math.tan, _nan),
    "asin": (math.asin, _nan),
    "acos": (math.acos, _nan),
    "atan": (math.atan, _nan),
    "atan2": (math.atan2, _nan),
    "sinh": (math.sinh, _with_sign),
    "cosh": (math.cosh, _infinite),
    "tanh": (math.tanh, _nan),
    "asinh": (math.asinh, _nan),
    "acosh": (math.acosh, _nan),
    "atanh": (math.atanh, _atanh_limit),
    "exp": (math.exp, _infinite),
    "exp2": (math.exp2, _infinite),
    "exp10": (lambda x: math.pow(10.0, x), _infinite),
    "expm1": (math.expm1, _infinite),
    "log": (math.log, _logarithm_limit),
    "log2": (math.log2, _logarithm_limit),
    "log10": (math.log10, _logarithm_limit),
    "log1p": (math.log1p, _log1p_limit),
    "pow": (math.pow, _power_limit),
    "cbrt": (math.cbrt, _nan),
    "hypot": (math.hypot, _infinite),
    "erf": (math.erf, _nan),
    "erfc": (math.erfc, _nan),
    "tgamma": (math.gamma, _gamma_limit),
    "lgamma": (math.lgamma, _infinite),
}
"""From C's name to the function and its substitute where it raises."""
BINARY = frozenset(["atan2", "hypot", "pow"])
UNARY = tuple(name for name in FUNCTIONS if name not in BINARY)
