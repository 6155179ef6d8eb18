"""llvm.* intrinsics: their definition on concrete operands, and the same values from terms."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any, cast

import pytest

from tests.support.power import every
from unfork.errors import Unsupported
from unfork.logic.terms import fp
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol
from unfork.program.llvm.types import FloatType, IntType, StructType, Type, VectorType, VoidType
from unfork.world.library.intrinsics import Intrinsics

Reference = Callable[..., Any]
Intrinsic = Callable[..., Any]


def signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> (width - 1) else value


def clamp(value: int, low: int, high: int) -> int:
    return max(low, min(high, value))


def checked(operate: Reference, *, is_signed: bool) -> Reference:
    def run(width: int, a: int, b: int) -> tuple[int, int]:
        x, y = (signed(a, width), signed(b, width)) if is_signed else (a, b)
        exact = operate(x, y)
        wrapped = exact & ((1 << width) - 1)
        return wrapped, int((signed(wrapped, width) if is_signed else wrapped) != exact)

    return run


def saturating(operate: Reference, *, is_signed: bool) -> Reference:
    def run(width: int, a: int, b: int) -> int:
        if is_signed:
            exact = operate(signed(a, width), signed(b, width))
            return cast(int, clamp(exact, -(1 << (width - 1)), (1 << (width - 1)) - 1) & ((1 << width) - 1))
        return clamp(operate(a, b), 0, (1 << width) - 1)

    return run


def funnel(width: int, a: int, b: int, c: int, *, left: bool) -> int:
    wide = format(a, f"0{width}b") + format(b, f"0{width}b")
    c %= width
    return int(wide[c : c + width] if left else (wide * 2)[width - c : 2 * width - c] if c else wide[width:], 2)


BINARY: dict[str, Reference] = {
    "sadd.with.overflow": checked(lambda a, b: a + b, is_signed=True),
    "uadd.with.overflow": checked(lambda a, b: a + b, is_signed=False),
    "ssub.with.overflow": checked(lambda a, b: a - b, is_signed=True),
    "usub.with.overflow": checked(lambda a, b: a - b, is_signed=False),
    "smul.with.overflow": checked(lambda a, b: a * b, is_signed=True),
    "umul.with.overflow": checked(lambda a, b: a * b, is_signed=False),
    "sadd.sat": saturating(lambda a, b: a + b, is_signed=True),
    "uadd.sat": saturating(lambda a, b: a + b, is_signed=False),
    "ssub.sat": saturating(lambda a, b: a - b, is_signed=True),
    "usub.sat": saturating(lambda a, b: a - b, is_signed=False),
    "smin": lambda w, a, b: min(a, b, key=lambda x: signed(x, w)),
    "smax": lambda w, a, b: max(a, b, key=lambda x: signed(x, w)),
    "umin": lambda w, a, b: min(a, b),
    "umax": lambda w, a, b: max(a, b),
}
UNARY: dict[str, Reference] = {
    "ctpop": lambda w, a: format(a, "b").count("1"),
    "bitreverse": lambda w, a: int(format(a, f"0{w}b")[::-1], 2),
}


def rows(width: int, count: int) -> list[tuple[int, ...]]:
    if width * count <= 8:
        return list(itertools.product(range(1 << width), repeat=count))
    choose = random.Random(width)
    edges = [0, 1, (1 << width) - 1, 1 << (width - 1), (1 << (width - 1)) - 1]
    return [
        tuple([choose.choice([*edges, choose.getrandbits(width), choose.getrandbits(width)]) for _ in range(count)])
        for _ in range(60)
    ]


def agree(
    intrinsic: Intrinsic, name: str, result: Type, kinds: tuple[Type, ...], row: tuple[int, ...], expected: Any
) -> None:
    """The concrete result is as expected, and so is that of the term over symbols."""
    assert intrinsic(name, result, kinds, *row) == expected, (name, row)
    symbols = [symbol(f"x{i}", kind.width) for i, kind in enumerate(kinds) if isinstance(kind, IntType)]
    model = Model(dict(zip(symbols, row, strict=True)))
    found = intrinsic(name, result, kinds, *symbols)
    if isinstance(found, tuple):
        assert tuple([value_of(one, model) for one in found]) == expected, (name, row)
    else:
        assert value_of(found, model) == expected, (name, row)


def value_of(value: Value, model: Model) -> int:
    return evaluate(value, model) if isinstance(value, Term) else value


@pytest.mark.parametrize("width", every([1, 3, 4, 8, 32, 64, 128], 3))
@pytest.mark.parametrize("name", sorted(BINARY))
def test_binary_intrinsics(intrinsic: Intrinsic, name: str, width: int) -> None:
    kind = IntType(width)
    result: Type = StructType((kind, IntType(1))) if name.endswith("overflow") else kind
    for row in rows(width, 2):
        agree(intrinsic, f"llvm.{name}.i{width}", result, (kind, kind), row, BINARY[name](width, *row))


@pytest.mark.parametrize("width", [1, 3, 8, 32, 64, 128])
@pytest.mark.parametrize("name", sorted(UNARY))
def test_unary_intrinsics(intrinsic: Intrinsic, name: str, width: int) -> None:
    for row in rows(width, 1):
        agree(intrinsic, f"llvm.{name}.i{width}", IntType(width), (IntType(width),), row, UNARY[name](width, *row))


@pytest.mark.parametrize("width", [4, 8, 32, 64])
@pytest.mark.parametrize("name", ["fshl", "fshr"])
def test_funnel_shifts(intrinsic: Intrinsic, name: str, width: int) -> None:
    kind = IntType(width)
    for row in rows(width, 3):
        expected = funnel(width, *row, left=name == "fshl")
        agree(intrinsic, f"llvm.{name}.i{width}", kind, (kind, kind, kind), row, expected)
        a, b = symbol("a", width), symbol("b", width)
        rotated = intrinsic(f"llvm.{name}.i{width}", kind, (kind, kind, kind), a, b, row[2])
        assert value_of(rotated, Model({a: row[0], b: row[1]})) == expected


@pytest.mark.parametrize("width", [8, 32, 64])
def test_zeros_are_counted_and_bytes_swapped(intrinsic: Intrinsic, width: int) -> None:
    kind, flag = IntType(width), IntType(1)
    for (a,) in rows(width, 1):
        text = format(a, f"0{width}b")
        model = Model({symbol("x", width): a})
        for name, expected in (
            ("ctlz", len(text) - len(text.lstrip("0"))),
            ("cttz", len(text) - len(text.rstrip("0"))),
        ):
            assert intrinsic(f"llvm.{name}.i{width}", kind, (kind, flag), a, 0) == expected
            assert (
                value_of(intrinsic(f"llvm.{name}.i{width}", kind, (kind, flag), symbol("x", width), 0), model)
                == expected
            )
            if a:
                assert intrinsic(f"llvm.{name}.i{width}", kind, (kind, flag), a, 1) == expected
        swapped = int.from_bytes(a.to_bytes(width // 8, "little"), "big")
        agree(intrinsic, f"llvm.bswap.i{width}", kind, (kind,), (a,), swapped)
        magnitude = abs(signed(a, width)) & ((1 << width) - 1)
        assert intrinsic(f"llvm.abs.i{width}", kind, (kind, flag), a, 1) == magnitude
        assert value_of(intrinsic(f"llvm.abs.i{width}", kind, (kind, flag), symbol("x", width), 0), model) == magnitude


def test_counting_the_zeros_of_zero_is_poison_where_it_says_so(intrinsic: Intrinsic) -> None:
    kind, flag = IntType(32), IntType(1)
    assert isinstance(intrinsic("llvm.cttz.i32", kind, (kind, flag), 0, 1), Term)
    assert intrinsic("llvm.ctlz.i32", kind, (kind, flag), 0, 0) == 32
    assert intrinsic("llvm.ctlz.i32", kind, (kind, flag), 1, 1) == 31


def test_three_way_comparisons_and_saturating_shifts(intrinsic: Intrinsic) -> None:
    kind = IntType(8)
    for row in [(3, 5), (5, 3), (200, 3), (3, 200), (7, 7)]:
        a, b = row
        order = (a > b) - (a < b)
        agree(intrinsic, "llvm.ucmp.i32.i8", IntType(32), (kind, kind), row, order & 0xFFFFFFFF)
        x, y = signed(a, 8), signed(b, 8)
        agree(intrinsic, "llvm.scmp.i2.i8", IntType(2), (kind, kind), row, ((x > y) - (x < y)) & 3)
    for a in range(0, 256, 5):
        for b in range(8):
            agree(intrinsic, "llvm.ushl.sat.i8", kind, (kind, kind), (a, b), min(a << b, 255))
            agree(intrinsic, "llvm.sshl.sat.i8", kind, (kind, kind), (a, b), clamp(signed(a, 8) << b, -128, 127) & 255)


def test_vectors_go_element_by_element(intrinsic: Intrinsic) -> None:
    kind = VectorType(3, IntType(8))
    assert intrinsic("llvm.umax.v3i8", kind, (kind, kind), (1, 200, 7), (3, 4, 7)) == (3, 200, 7)
    pair = StructType((kind, VectorType(3, IntType(1))))
    assert intrinsic("llvm.uadd.with.overflow.v3i8", pair, (kind, kind), (1, 200, 0), (1, 100, 0)) == (
        (2, 44, 0),
        (0, 1, 0),
    )
    assert intrinsic("llvm.vector.reduce.add.v3i8", IntType(8), (kind,), (1, 200, 100)) == 45
    assert intrinsic("llvm.vector.reduce.smin.v3i8", IntType(8), (kind,), (1, 200, 100)) == 200
    floating = VectorType(2, FloatType("float"))
    one, two = fp.from_float(1.0, "float"), fp.from_float(2.0, "float")
    added = intrinsic(
        "llvm.vector.reduce.fadd.v2f32", FloatType("float"), (FloatType("float"), floating), two, (one, two)
    )
    assert fp.to_float(added, "float") == 5.0


def test_hints_and_names(intrinsic: Intrinsic) -> None:
    kind = IntType(64)
    assert intrinsic("llvm.expect.i64", kind, (kind, kind), 5, 0) == 5
    assert intrinsic("llvm.expect.with.probability.i64", kind, (kind, kind, FloatType("double")), 5, 0, 0) == 5
    assert intrinsic("llvm.is.constant.i64", IntType(1), (kind,), 5) == 0
    assert intrinsic("llvm.objectsize.i64.p0", kind, (kind, IntType(1)), 5, 0) == (1 << 64) - 1
    assert intrinsic("llvm.objectsize.i64.p0", kind, (kind, IntType(1)), 5, 1) == 0
    assert intrinsic("llvm.donothing", VoidType(), ()) is None
    assert Intrinsics().find("printf") is None
    with pytest.raises(Unsupported, match=r"llvm\.coro\.begin"):
        intrinsic("llvm.coro.begin", kind, (kind,), 0)
