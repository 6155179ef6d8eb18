"""Terms as C-like words, and values as guarded alternatives: exactly one guard holds, and its value is the value."""

from __future__ import annotations

from random import Random

import pytest

from tests.support.generated_terms import Builder
from unfork.logic.terms import build, fp
from unfork.logic.terms.c_terms import alternatives, float_words, words
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.float_terms import fp_compare, fp_convert, fp_from_int, fp_is_nan, fp_op, fp_to_int
from unfork.logic.terms.term import Term, Value
from unfork.logic.terms.term_table import symbol

X, Y, C = symbol("x", 32), symbol("y", 32), symbol("c", 8)


@pytest.mark.parametrize("seed", range(40))
def test_alternatives_are_disjoint_and_exact(seed: int) -> None:
    builder = Builder(Random(seed), 16)
    for _ in range(60):
        builder.grow()
    choices = [node for node in builder.nodes if isinstance(node[0], Term) and node[1] > 1][-12:]
    for value, _, worth in choices:
        parts = alternatives(value)
        for model, expected in zip(builder.models, worth, strict=True):
            holding = [part for guard, part in parts if evaluate(guard, Model(model))]
            assert [evaluate(part, Model(model)) for part in holding] == [expected]


def test_equal_alternatives_are_one() -> None:
    value = build.add(build.ite(build.eq(C, 1, 8), 2, 3, 32), build.ite(build.eq(C, 2, 8), 1, X, 32), 32)
    shown = {words(part, 32, signed=True): words(guard, 1, signed=False) for guard, part in alternatives(value)}
    assert shown == {"x + 2": "c == 1", "4": "c == 2", "x + 3": "(c != 2) && (c != 1)"}


@pytest.mark.parametrize(
    ("value", "width", "text"),
    [
        (5, 32, "5"),
        ((1 << 32) - 5, 32, "-5"),
        (build.slt(X, 3, 32), 1, "x < 3"),
        (build.negate(build.slt(X, (1 << 32) - 3, 32)), 1, "x >= -3"),
        (build.ult(X, Y, 32), 1, "x <u y"),
        (build.ne(X, Y, 32), 1, "x != y"),
        (build.sub(X, 7, 32), 32, "x - 7"),
        (build.mul(build.add(X, Y, 32), 3, 32), 32, "(x + y) * 3"),
        (build.sext(C, 8, 32), 32, "sext32(c)"),
        (build.zext(C, 8, 32), 32, "zext32(c)"),
        (build.extract(X, 8, 8), 8, "x[15:8]"),
        (build.slt(X, 0, 32), 1, "x < 0"),
        (build.negate(build.slt(build.add(X, Y, 32), 0, 32)), 1, "(x + y) >= 0"),
        (build.extract(build.add(X, Y, 32), 31, 1), 1, "(x + y) < 0"),
        (build.mul(X, 2, 32), 32, "x << 1"),
        (build.ite(build.eq(C, 9, 8), X, Y, 32), 32, "(c == 9) ? x : y"),
        (build.both(build.eq(C, 9, 8), build.slt(X, Y, 32)), 1, "(c == 9) && (x < y)"),
        (build.eq(C, ord("$"), 8), 1, "c == '$'"),
        (build.ne(C, ord("a"), 8), 1, "c != 'a'"),
        (build.eq(C, ord("'"), 8), 1, "c == 39"),
        (build.eq(C, ord("\\"), 8), 1, "c == 92"),
        (build.eq(C, 0x7F, 8), 1, "c == 127"),
        (build.eq(X, ord("a"), 32), 1, "x == 97"),
        (build.negate(build.ult(build.add(X, 1, 32), Y, 32)), 1, "(x + 1) >=u y"),
    ],
)
def test_terms_look_like_c(value: Value, width: int, text: str) -> None:
    assert words(value, width, signed=True) == text


def test_deep_terms_are_cut() -> None:
    value: Value = X
    for number in range(2000):
        value = build.xor(build.mul(value, Y, 32), number, 32)
    assert "..." in words(value, 32, signed=False)


ONE = fp.from_float(1.0, "float")
TENTH = fp.from_float(0.1, "double")


def test_floats_are_calculated_with_as_in_c() -> None:
    wide = fp_convert(X, "float", "double")
    for value, width, text in (
        (fp_compare("olt", "float", X, fp_op("add", "float", X, ONE)), 1, "x < (x + 1.0f)"),
        (fp_op("mul", "double", wide, TENTH), 64, "((double) x) * 0.1"),
        (fp_from_int(Y, 32, "signed", "float"), 32, "(float) y"),
        (fp_to_int(X, "float", 32, "unsigned"), 32, "(unsigned int) x"),
        (fp_op("div", "float", build.ite(fp_is_nan(X, "float"), ONE, X, 32), X), 32, "(isnan(x) ? 1.0f : x) / x"),
        (fp_op("rem", "float", X, ONE), 32, "fmod(x, 1.0f)"),
    ):
        assert words(value, width, signed=False) == text


@pytest.mark.parametrize("format", ["float", "double"])
def test_constants_are_the_shortest_that_are_read_as_the_same(format: str) -> None:
    random = Random(7)
    size = 32 if format == "float" else 64
    for bits in (0, 1, 1 << (size - 1), *[random.getrandbits(size) for _ in range(200)]):
        text = float_words(bits, format).removesuffix("f")
        if "NAN" not in text and "INFINITY" not in text:
            assert fp.from_float(float(text), format) == bits
    assert float_words(fp.from_float(0.1, format), format).startswith("0.1")
