"""Floating-point arithmetic on bit patterns: exact, rounded to nearest with ties to even, in every format of x86.

Formats are named as LLVM names them. fp_format states the NaN rule, which the solvers' encoding shares bit for bit.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import eq, ge, gt, le, lt

from unfork.logic import fp_exact, fp_native
from unfork.logic.fp_format import FORMATS, Format, pack, unpack

WIDTHS = {name: fmt.width for name, fmt in FORMATS.items()}
OPERATIONS = frozenset(fp_exact.OPERATIONS)


def default_nan(name: str) -> int:
    """The NaN that operations of a format yield."""
    return FORMATS[name].nan


# --- arithmetic ---


@cache
def operation(op: str, name: str) -> Callable[..., int]:
    """The operation ``op`` (a member of OPERATIONS) as a function on patterns of a format."""
    native = fp_native.square_root(name) if op == "sqrt" else fp_native.binary(op, name)
    if native is not None:
        return native
    exact, fmt = fp_exact.OPERATIONS[op], FORMATS[name]
    return lambda *bits: exact(fmt, *bits)


def arithmetic(op: str, name: str, *bits: int) -> int:
    """The result of an operation: one of OPERATIONS.

    rem is C's fmod; rint and nearbyint round as roundeven does, the default mode. min and max are C's fmin and fmax (a
    NaN loses), minimum and maximum let a NaN win; -0 is below +0 in all four.
    """
    return operation(op, name)(*bits)


# --- comparison ---


def is_nan(bits: int, name: str) -> bool:
    """Whether the pattern is a NaN, an invalid x86_fp80 pattern included."""
    fmt = FORMATS[name]
    if fmt.explicit:
        return unpack(bits, fmt).kind == "nan"
    return bits & ~fmt.sign > fmt.infinity


_ORDERS: dict[str, Callable[[float, float], bool]] = {
    "eq": eq,
    "lt": lt,
    "le": le,
    "gt": gt,
    "ge": ge,
    "ne": lambda x, y: x < y or x > y,
    "rd": lambda x, y: x == x and y == y,
}


@cache
def predicate(name: str, fmt_name: str) -> Callable[[int, int], bool]:
    """LLVM's fcmp predicate ``name`` as a function on patterns of a format."""
    if name in ("true", "false"):
        constant = name == "true"
        return lambda a, b: constant
    ordered = name[0] == "o"
    if name == "uno":
        test, ordered = "rd", False
    else:
        test = name[1:]
    if fmt_name in ("float", "double"):
        return fp_native.predicate(fmt_name, _native_order(test, ordered))
    return _exact_order(test, ordered, FORMATS[fmt_name])


def _native_order(test: str, ordered: bool) -> Callable[[float, float], bool]:
    holds = _ORDERS[test]
    if ordered:
        return holds
    if test == "rd":
        return lambda x, y: x != x or y != y
    return lambda x, y: x != x or y != y or holds(x, y)


def _exact_order(test: str, ordered: bool, fmt: Format) -> Callable[[int, int], bool]:
    holds = _ORDERS[test]

    def run(a: int, b: int) -> bool:
        x, y = unpack(a, fmt), unpack(b, fmt)
        if x.kind == "nan" or y.kind == "nan":
            return not ordered
        if test == "rd":
            return ordered
        return holds(fp_exact.order_of(fmt, x, y), 0)

    return run


def compare(name: str, fmt_name: str, a: int, b: int) -> bool:
    """LLVM's fcmp: false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true."""
    return predicate(name, fmt_name)(a, b)


def classify(bits: int, name: str) -> str:
    """ "signaling-nan", "quiet-nan", "infinite", "normal", "subnormal" or "zero"."""
    fmt = FORMATS[name]
    number = unpack(bits, fmt)
    if number.kind == "nan":
        quiet = bits >> (fmt.precision - 2) & 1
        return "quiet-nan" if quiet else "signaling-nan"
    if number.kind == "infinite":
        return "infinite"
    if not number.mantissa:
        return "zero"
    return "normal" if bits & ~fmt.sign >= 1 << fmt.fraction_bits else "subnormal"


# --- conversion ---


def convert(bits: int, source: str, target: str) -> int:
    """The number in another format."""
    if (source, target) in (("float", "double"), ("double", "float")):
        return fp_native.from_number(fp_native.to_number(bits, source), target)
    to = FORMATS[target]
    number = unpack(bits, FORMATS[source])
    if number.kind == "finite":
        return pack(number.sign, number.mantissa, number.exponent, to, sticky=False)
    if number.kind == "nan":
        return to.nan
    return (to.sign if number.sign else 0) | to.infinity


def from_int(value: int, width: int, signed: bool, name: str) -> int:
    """The number nearest to an integer of ``width`` bits."""
    if signed and value >> (width - 1):
        value -= 1 << width
    if name == "double" or (name == "float" and -(1 << 53) <= value <= 1 << 53):
        return fp_native.from_number(float(value), name)
    return pack(int(value < 0), abs(value), 0, FORMATS[name], sticky=False)


def to_int(bits: int, name: str, width: int, signed: bool) -> int | None:
    """The number rounded toward zero as a pattern of ``width`` bits; None for a NaN and where it does not fit."""
    value = truncated(bits, name)
    if value is None:
        return None
    low, high = (-(1 << (width - 1)), (1 << (width - 1)) - 1) if signed else (0, (1 << width) - 1)
    return value & ((1 << width) - 1) if low <= value <= high else None


def truncated(bits: int, name: str) -> int | None:
    """The number rounded toward zero, of any size; None for infinities and NaNs."""
    number = unpack(bits, FORMATS[name])
    if number.kind != "finite":
        return None
    exponent = number.exponent
    size = number.mantissa << exponent if exponent >= 0 else number.mantissa >> -exponent
    return -size if number.sign else size


# --- numbers of Python ---


def from_float(value: float, name: str) -> int:
    """The pattern nearest to a Python float."""
    if name in ("float", "double"):
        return fp_native.from_number(value, name)
    return convert(fp_native.from_number(value, "double"), "double", name)


def to_float(bits: int, name: str) -> float:
    """The Python float nearest to a pattern, for printing and for functions that are computed in double."""
    if name in ("float", "double"):
        return fp_native.to_number(bits, name)
    return fp_native.to_number(convert(bits, name, "double"), "double")


def scale(bits: int, power: int, name: str) -> int:
    """C's ldexp: the number times 2**power, rounded once."""
    fmt = FORMATS[name]
    number = unpack(bits, fmt)
    if number.kind == "nan":
        return fmt.nan
    if number.kind == "infinite" or not number.mantissa:
        return bits
    reach = 2 * (fmt.top_exponent + fmt.precision)
    return pack(number.sign, number.mantissa, number.exponent + max(-reach, min(reach, power)), fmt, sticky=False)


def split(bits: int, name: str) -> tuple[int, int]:
    """C's frexp: a fraction in [1/2, 1) and a power of two whose product is the number; other numbers with power 0."""
    fmt = FORMATS[name]
    number = unpack(bits, fmt)
    if number.kind == "nan":
        return fmt.nan, 0
    if number.kind == "infinite" or not number.mantissa:
        return bits, 0
    length = number.mantissa.bit_length()
    return pack(number.sign, number.mantissa, -length, fmt, sticky=False), number.exponent + length
