"""Floating instructions, intrinsics and math.h on concrete patterns; poison; classes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, cast

import pytest

from unfork.engine.instructions import floats
from unfork.engine.step.step import Step
from unfork.errors import Unsupported
from unfork.logic.terms import fp
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol
from unfork.program.llvm.ir import Call
from unfork.program.llvm.types import FloatType, IntType
from unfork.world.library.math_library import MODELS

Intrinsic = Callable[..., Any]
Model = Callable[..., Value]

FLOAT, DOUBLE, EXTENDED = FloatType("float"), FloatType("double"), FloatType("x86_fp80")
NUMBERS = (0.0, -0.0, 1.5, -2.5, 3.0, 1e300, -1e-310, math.inf, -math.inf, math.nan, 0.1, 2.0**62)


def bits(value: float, name: str = "double") -> int:
    return fp.from_float(value, name)


def number(pattern: Value, name: str = "double") -> float:
    assert isinstance(pattern, int)
    return fp.to_float(pattern, name)


def same(a: float, b: float) -> bool:
    return (a != a and b != b) or (a == b and math.copysign(1, a) == math.copysign(1, b))


@pytest.fixture
def model(pathless_step: Step, call_of: Callable[..., Call]) -> Callable[..., Value]:
    """The value of a function of <math.h>."""

    def run(name: str, *values: Value) -> Value:
        result = MODELS[name].run(pathless_step, values, call_of(name, DOUBLE, *[DOUBLE] * len(values)))
        assert result is not None
        return result

    return run


def test_binary_instructions() -> None:
    add, divide = floats.compile_float_binary("fadd", DOUBLE), floats.compile_float_binary("fdiv", DOUBLE)
    assert number(add(bits(0.1), bits(0.2))) == 0.1 + 0.2
    assert number(divide(bits(1.0), bits(-0.0))) == -math.inf
    assert divide(0, 0) == 0xFFF8000000000000
    remainder = floats.compile_float_binary("frem", EXTENDED)
    assert number(remainder(bits(5.5, "x86_fp80"), bits(-2.0, "x86_fp80")), "x86_fp80") == 1.5
    single = floats.compile_float_binary("fmul", FLOAT)
    assert number(single(bits(1e30, "float"), bits(1e30, "float")), "float") == math.inf


def test_comparisons_are_plain_ints() -> None:
    below = floats.compile_float_compare("olt", DOUBLE)
    unordered = floats.compile_float_compare("uno", DOUBLE)
    for a in NUMBERS:
        for b in NUMBERS:
            assert below(bits(a), bits(b)) == int(a < b)
            assert unordered(bits(a), bits(b)) == int(a != a or b != b)
    assert type(below(0, 0)) is int


def test_casts_and_poison(pathless_step: Step) -> None:
    to_int = floats.compile_float_cast("fptosi", DOUBLE, IntType(32))
    assert to_int(bits(-2.9)) == (1 << 32) - 2
    assert to_int(bits(2.0**31)) is None
    assert to_int(bits(math.nan)) is None
    assert to_int(bits(-(2.0**31) - 0.5)) == 1 << 31
    assert floats.compile_float_cast("fptoui", FLOAT, IntType(8))(bits(-0.9, "float")) == 0
    wide = floats.compile_float_cast("uitofp", IntType(64), EXTENDED)((1 << 64) - 1)
    assert fp.to_int(cast(int, wide), "x86_fp80", 64, signed=False) == (1 << 64) - 1
    poison = floats.compile_conversion("fptosi", DOUBLE, IntType(32))(pathless_step, bits(1e10))
    assert isinstance(poison, Term)


@pytest.mark.parametrize("name", ["half", "bfloat", "float", "double", "x86_fp80", "fp128"])
@pytest.mark.parametrize("width", [1, 8, 11, 12, 32, 53, 64, 128])
@pytest.mark.parametrize("op", ["fptosi", "fptoui"])
def test_whether_a_number_fits_is_whether_its_conversion_is_defined(op: str, name: str, width: int) -> None:
    kind, target = FloatType(name), IntType(width)
    fits, convert = floats.conversion_fits(op, kind, target), floats.compile_float_cast(op, kind, target)
    nan, infinity = fp.default_nan(name), fp.arithmetic("div", name, fp.from_int(1, 8, False, name), 0)
    edges = [0, nan, infinity, fp.arithmetic("neg", name, infinity)]
    for power in (width - 1, width):
        for sign in (1, -1):
            for distance in (-2, -1, 0, 1):
                value = sign * (1 << power) + distance
                edges.append(fp.from_int(value & ((1 << 200) - 1), 200, True, name))
    half = fp.arithmetic("div", name, fp.from_int(1, 8, False, name), fp.from_int(2, 8, False, name))
    for edge in list(edges):
        edges += [fp.arithmetic("add", name, edge, half), fp.arithmetic("sub", name, edge, half)]
        edges += [fp.arithmetic("nextafter", name, edge, side) for side in (infinity, infinity | edges[3])]
    for edge in edges:
        assert fits(edge) == int(convert(edge) is not None), hex(edge)


def test_exact_intrinsics(intrinsic: Intrinsic) -> None:
    assert number(intrinsic("llvm.fabs.f64", DOUBLE, (DOUBLE,), bits(-2.5))) == 2.5
    assert number(intrinsic("llvm.sqrt.f64", DOUBLE, (DOUBLE,), bits(2.0))) == math.sqrt(2)
    three = (DOUBLE, DOUBLE, DOUBLE)
    epsilon = 2.0**-30
    fused = intrinsic("llvm.fma.f64", DOUBLE, three, bits(1 + epsilon), bits(1 - epsilon), bits(-1.0))
    assert number(fused) == -(2.0**-60)
    assert number(intrinsic("llvm.fmuladd.f64", DOUBLE, three, bits(1 + epsilon), bits(1 - epsilon), bits(-1.0))) == 0.0
    assert number(intrinsic("llvm.rint.f64", DOUBLE, (DOUBLE,), bits(2.5))) == 2.0
    assert number(intrinsic("llvm.round.f64", DOUBLE, (DOUBLE,), bits(2.5))) == 3.0
    assert number(intrinsic("llvm.minnum.f64", DOUBLE, (DOUBLE, DOUBLE), bits(math.nan), bits(1.0))) == 1.0
    assert math.isnan(number(intrinsic("llvm.minimum.f64", DOUBLE, (DOUBLE, DOUBLE), bits(math.nan), bits(1.0))))
    assert intrinsic("llvm.lround.i64.f64", IntType(64), (DOUBLE,), bits(-2.5)) == (1 << 64) - 3
    assert intrinsic("llvm.lround.i64.f64", IntType(64), (DOUBLE,), bits(1e30)) == 1 << 63
    assert number(intrinsic("llvm.powi.f64.i32", DOUBLE, (DOUBLE, IntType(32)), bits(2.0), (1 << 32) - 3)) == 0.125
    assert number(intrinsic("llvm.ldexp.f64.i32", DOUBLE, (DOUBLE, IntType(32)), bits(3.0), 4)) == 48.0


def test_saturating_conversions(intrinsic: Intrinsic) -> None:
    byte = IntType(8)
    for value, expected in ((1e9, 127), (-1e9, 128), (math.nan, 0), (-math.inf, 128), (-3.7, 253), (127.9, 127)):
        assert intrinsic("llvm.fptosi.sat.i8.f64", byte, (DOUBLE,), bits(value)) == expected
    for value, expected in ((1e9, 255), (-1e9, 0), (math.nan, 0), (math.inf, 255), (3.7, 3)):
        assert intrinsic("llvm.fptoui.sat.i8.f64", byte, (DOUBLE,), bits(value)) == expected


@pytest.mark.parametrize("name", ["half", "float", "double", "x86_fp80", "fp128"])
def test_each_pattern_is_of_one_class(intrinsic: Intrinsic, name: str) -> None:
    kind, bit = FloatType(name), IntType(1)
    infinity = fp.arithmetic("div", name, fp.from_int(1, 8, False, name), 0)
    sign = 1 << (fp.WIDTHS[name] - 1)
    nan = fp.default_nan(name)
    quiet = next(1 << i for i in reversed(range(fp.WIDTHS[name] - 1)) if nan >> i & 1 and not infinity >> i & 1)
    one = fp.from_int(1, 8, False, name)
    samples = [nan ^ quiet | 1, nan, sign | infinity, sign | one, sign | 1, sign, 0, 1, one, infinity]
    for place, sample in enumerate(samples):
        classes = [intrinsic("llvm.is.fpclass.x", bit, (kind, IntType(32)), sample, 1 << i) for i in range(10)]
        assert classes == [int(i == place) for i in range(10)], hex(sample)


def test_functions_of_math_h(model: Model) -> None:
    for value in NUMBERS:
        assert same(number(model("fabs", bits(value))), abs(value))
        assert model("__signbit", bits(value)) == int(math.copysign(1, value) < 0 or value != value)
        assert model("isnan", bits(value)) == int(value != value)
        assert same(number(model("copysign", bits(value), bits(-1.0))), math.copysign(value, -1.0))
    assert number(model("fmod", bits(-5.5), bits(2.0))) == -1.5
    assert number(model("remainder", bits(5.5), bits(2.0))) == -0.5
    assert number(model("sin", bits(1.0))) == math.sin(1.0)
    assert number(model("log", bits(0.0))) == -math.inf
    assert math.isnan(number(model("log", bits(-1.0))))
    assert number(model("exp", bits(1e4))) == math.inf
    assert number(model("pow", bits(-0.0), bits(-3.0))) == -math.inf
    assert math.isnan(number(model("pow", bits(-8.0), bits(1 / 3))))
    assert number(model("sinf", bits(1.0, "float")), "float") == number(bits(math.sin(1.0), "float"), "float")
    assert [model("__fpclassify", bits(value)) for value in (math.nan, math.inf, 0.0, 5e-324, -1.0)] == [0, 1, 2, 3, 4]
    assert model("ilogb", bits(0.3)) == (1 << 32) - 2
    assert number(model("fdim", bits(3.0), bits(1.0))) == 2.0


def test_complex_products_and_quotients(pathless_step: Step, call_of: Callable[..., Call]) -> None:
    def complex_numbers(name: str, *values: float) -> list[float]:
        result: Any = MODELS[name].run(pathless_step, tuple(map(bits, values)), call_of(name, DOUBLE))
        return [number(one) for one in result]

    assert complex_numbers("__muldc3", 1.0, 2.0, 3.0, -4.0) == [11.0, 2.0]
    assert complex_numbers("__muldc3", math.inf, math.nan, 1.0, 1.0) == [math.inf, math.inf]
    assert complex_numbers("__divdc3", 11.0, 2.0, 3.0, -4.0) == [1.0, 2.0]
    assert complex_numbers("__divdc3", 1.0, 0.0, 0.0, 0.0)[0] == math.inf
    assert complex_numbers("__divdc3", 1e300, 0.0, 1e300, 0.0) == [1.0, 0.0]


def test_what_is_not_exact_is_refused(model: Model) -> None:
    with pytest.raises(Unsupported, match="sin of a symbolic double"):
        model("sin", symbol("x", 64))
    with pytest.raises(Unsupported, match="exp of a x86_fp80"):
        model("expl", bits(1.0, "x86_fp80"))
