"""Software floats against the machine's, bit for bit, and laws that hold in every format."""

from __future__ import annotations

import ctypes
import random
import shutil
import subprocess
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.support.power import every, some
from unfork.logic.terms import fp, fp_exact
from unfork.logic.terms.fp_format import FORMATS, FloatFormat, pack, unpack

NATIVE = ("float", "double", "x86_fp80")
OPERANDS = {
    **dict.fromkeys(("add", "sub", "mul", "div", "rem", "remainder", "nextafter", "min", "max", "copysign"), 2),
    **dict.fromkeys(("sqrt", "floor", "ceil", "trunc", "rint", "nearbyint", "round", "neg", "abs"), 1),
    "fma": 3,
}
PREDICATES = ("oeq", "olt", "ole", "ogt", "oge", "une", "uno")
BITWISE = ("neg", "abs", "copysign")
SAMPLES = 3000


def pattern(choose: random.Random, fmt: FloatFormat) -> int:
    """A valid pattern; edges of the format are as likely as the rest."""
    top, precision = fmt.top_exponent, fmt.precision
    middle = top // 2
    exponent = choose.choice(
        [0, 0, 1, 2, top, top - 1, middle, middle + choose.randrange(-precision, precision + 1), choose.randrange(top)]
    )
    exponent = max(0, min(top, exponent))
    ones = (1 << (precision - 1)) - 1
    fraction = choose.choice(
        [0, 1, ones, ones - 1, 1 << (precision - 2), choose.getrandbits(precision - 1), choose.getrandbits(3)]
    )
    leading = 1 << (precision - 1) if fmt.explicit and exponent else 0
    return choose.getrandbits(1) * fmt.sign | exponent << fmt.fraction_bits | leading | fraction


@pytest.fixture(scope="module")
def hardware(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    compiler = shutil.which("gcc")
    if compiler is None:
        pytest.skip("no gcc: software floats are not compared with the machine's")
    library = tmp_path_factory.mktemp("fp") / "hardware.so"
    source = Path(__file__).with_name("hardware.c")
    flags = ["-O1", "-fno-builtin", "-ffp-contract=off", "-frounding-math", "-shared", "-fPIC"]
    subprocess.run([compiler, *flags, str(source), "-o", str(library), "-lm"], check=True)
    return ctypes.CDLL(str(library))


def buffer(bits: int) -> Any:
    return ctypes.create_string_buffer(bits.to_bytes(16, "little"), 16)


def read(result: Any, width: int) -> int:
    return int.from_bytes(result.raw, "little") & ((1 << width) - 1)


def samples(name: str, count: int, seed: str) -> Iterator[list[int]]:
    choose = random.Random(seed + name)
    for _ in range(SAMPLES):
        row = [pattern(choose, FORMATS[name]) for _ in range(count)]
        if count > 1 and choose.random() < 0.1:
            row[1] = row[0] ^ choose.getrandbits(1) * FORMATS[name].sign
        yield row


@pytest.mark.parametrize("name", every([*NATIVE], 3))
@pytest.mark.parametrize("op", sorted(OPERANDS))
def test_operations_agree_with_the_machine(hardware: ctypes.CDLL, name: str, op: str) -> None:
    native, width, count = getattr(hardware, f"{name}_{op}"), fp.WIDTHS[name], OPERANDS[op]
    result = buffer(0)
    for row in samples(name, count, op):
        native(*[buffer(bits) for bits in [*row, 0, 0][:3]], result)
        expected = read(result, width)
        if op in BITWISE:
            pass
        elif fp.is_nan(expected, name):
            expected = fp.default_nan(name)
        elif op in ("min", "max") and fp_is_zero(expected, name):  # libm may return either zero
            expected = fp.arithmetic(op, name, *row) & FORMATS[name].sign
        if op in ("min", "max") and any(map(is_signaling(name), row)):  # where glibc departs from IEEE 754-2019
            continue
        found = fp.arithmetic(op, name, *row)
        assert found == expected, f"{op} {[hex(bits) for bits in row]}: {found:#x}, the machine says {expected:#x}"


def fp_is_zero(bits: int, name: str) -> bool:
    return fp.classify(bits, name) == "zero"


def is_signaling(name: str) -> Callable[[int], bool]:
    return lambda bits: fp.classify(bits, name) == "signaling-nan"


@pytest.mark.parametrize("name", NATIVE)
def test_comparisons_agree_with_the_machine(hardware: ctypes.CDLL, name: str) -> None:
    native = getattr(hardware, f"{name}_compare")
    for a, b in samples(name, 2, "compare"):
        answer = native(buffer(a), buffer(b))
        for place, predicate in enumerate(PREDICATES):
            assert fp.compare(predicate, name, a, b) == bool(answer >> place & 1), f"{predicate} {a:#x} {b:#x}"


@pytest.mark.parametrize("source", NATIVE)
@pytest.mark.parametrize("target", NATIVE)
def test_conversions_between_formats_agree_with_the_machine(hardware: ctypes.CDLL, source: str, target: str) -> None:
    if source == target:
        return
    native, result = getattr(hardware, f"{source}_to_{target}"), buffer(0)
    choose = random.Random(source + target)
    for (bits,) in samples(source, 1, target):
        if choose.random() < 0.5:  # near to the numbers of the narrower format, where rounding is hard
            bits = fp.convert(pattern(choose, FORMATS[target]), target, source) ^ choose.getrandbits(2)
            if fp.is_nan(bits, source):
                continue
        native(buffer(bits), result)
        expected = read(result, fp.WIDTHS[target])
        if fp.is_nan(expected, target):
            expected = fp.default_nan(target)
        assert fp.convert(bits, source, target) == expected, hex(bits)


@pytest.mark.parametrize("name", NATIVE)
@pytest.mark.parametrize(("width", "ending"), [(64, ""), (128, "_128")])
def test_conversions_from_integers_agree_with_the_machine(
    hardware: ctypes.CDLL, name: str, width: int, ending: str
) -> None:
    choose, result = random.Random(name), buffer(0)
    for sign in ("signed", "unsigned"):
        native = getattr(hardware, f"{name}_from_{sign}{ending}")
        for _ in range(SAMPLES):
            shift = choose.randrange(width)
            value = (choose.getrandbits(width) >> shift) ^ choose.choice([0, 0, (1 << width) - 1])
            value = (value << choose.randrange(4)) & ((1 << width) - 1)
            native(buffer(value), result)
            assert fp.from_int(value, width, sign == "signed", name) == read(result, fp.WIDTHS[name]), hex(value)


@pytest.mark.parametrize("name", NATIVE)
@pytest.mark.parametrize(("width", "ending"), [(64, ""), (128, "_128")])
def test_conversions_to_integers_agree_with_the_machine(
    hardware: ctypes.CDLL, name: str, width: int, ending: str
) -> None:
    native, result = getattr(hardware, f"{name}_to_signed{ending}"), buffer(0)
    for (bits,) in samples(name, 1, "to"):
        found = fp.to_int(bits, name, width, signed=True)
        if found is not None:
            native(buffer(bits), result)
            assert found == read(result, width), hex(bits)


@pytest.mark.parametrize("name", NATIVE)
def test_scaling_agrees_with_the_machine(hardware: ctypes.CDLL, name: str) -> None:
    scale, split, result = getattr(hardware, f"{name}_scale"), getattr(hardware, f"{name}_split"), buffer(0)
    choose, power = random.Random(name), ctypes.c_int()
    for (bits,) in samples(name, 1, "scale"):
        if fp.is_nan(bits, name):
            continue
        by = choose.choice([choose.randrange(-40, 40), choose.randrange(-70000, 70000), -(1 << 31), (1 << 31) - 1])
        scale(buffer(bits), by, result)
        assert fp.scale(bits, by, name) == read(result, fp.WIDTHS[name]), f"{bits:#x} {by}"
        if fp.classify(bits, name) != "infinite":
            split(buffer(bits), ctypes.byref(power), result)
            assert fp.split(bits, name) == (read(result, fp.WIDTHS[name]), power.value), hex(bits)


@pytest.mark.parametrize("name", ["float", "double"])
@pytest.mark.parametrize("op", ["add", "sub", "mul", "div", "rem", "sqrt"])
def test_the_fast_path_is_the_exact_operation(name: str, op: str) -> None:
    fast, exact = fp.operation(op, name), fp_exact.OPERATIONS[op]
    for row in samples(name, OPERANDS[op], "fast" + op):
        assert fast(*row) == exact(FORMATS[name], *row), [hex(bits) for bits in row]


@pytest.mark.parametrize("name", some([*sorted(FORMATS)], "rounding", 3))
def test_rounding_picks_the_nearest_number(name: str) -> None:
    fmt, choose = FORMATS[name], random.Random(name)
    for _ in range(SAMPLES):
        low = pattern(choose, fmt) & ~fmt.sign
        high = fp.arithmetic("nextafter", name, low, fmt.infinity)
        if fp.is_nan(low, name) or fmt.infinity in (low, high):
            continue
        a, b = value_of(low, fmt), value_of(high, fmt)
        between = a + (b - a) * Fraction(choose.randrange(17), 16)
        middle = (a + b) / 2
        even = low if unpack(low, fmt).mantissa % 2 == 0 else high
        nearest = even if between == middle else low if between < middle else high
        scale = fmt.least - 8
        mantissa = between / Fraction(2) ** scale
        assert mantissa.denominator == 1
        assert pack(0, mantissa.numerator, scale, fmt, sticky=False) == nearest


def value_of(bits: int, fmt: FloatFormat) -> Fraction:
    number = unpack(bits, fmt)
    return number.mantissa * Fraction(2) ** number.exponent * (-1) ** number.sign


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_every_nan_result_is_the_default_nan(name: str) -> None:
    fmt, choose = FORMATS[name], random.Random(name)
    nan = fp.default_nan(name)
    payload = nan ^ fmt.sign ^ 5
    for op, count in OPERANDS.items():
        if op not in (*BITWISE, "min", "max"):
            for place in range(count):
                row = [pattern(choose, fmt) for _ in range(count)]
                row[place] = payload
                assert fp.arithmetic(op, name, *row) == nan, op
    assert fp.arithmetic("min", name, payload, payload) == nan
    assert fp.arithmetic("max", name, payload, fmt.sign) == fmt.sign
    assert fp.arithmetic("maximum", name, payload, fmt.sign) == nan
    assert fp.arithmetic("sub", name, fmt.infinity, fmt.infinity) == nan
    assert fp.arithmetic("neg", name, payload) == payload ^ fmt.sign


def test_invalid_extended_patterns_are_nan() -> None:
    one = fp.from_int(1, 8, signed=False, name="x86_fp80")
    unnormal = one & ~(1 << 63)
    assert fp.classify(unnormal, "x86_fp80").endswith("nan")
    assert fp.arithmetic("add", "x86_fp80", unnormal, one) == fp.default_nan("x86_fp80")
    pseudo_denormal, least_normal = 1 << 63, 1 << 64 | 1 << 63
    assert fp.compare("oeq", "x86_fp80", pseudo_denormal, least_normal)


def test_zeros_are_ordered_by_min_and_max() -> None:
    for name, fmt in FORMATS.items():
        for a, b in ((0, fmt.sign), (fmt.sign, 0)):
            assert fp.arithmetic("min", name, a, b) == fmt.sign
            assert fp.arithmetic("max", name, a, b) == 0
