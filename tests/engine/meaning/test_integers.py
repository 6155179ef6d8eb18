"""Integers without bounds are those of Python, but that division truncates."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unfork.engine.meaning import unbounded_integers
from unfork.engine.meaning.c_values import CValue, NoMeaning
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term_table import symbol
from unfork.program.c.expressions import Integral

KINDS = [Integral(width, signed) for width in (8, 32, 64) for signed in (False, True)]
OPERATIONS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1),
    "%": lambda a, b: abs(a) % abs(b) * (-1 if a < 0 else 1),
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
}
ORDER = {"<": int.__lt__, "<=": int.__le__, ">": int.__gt__, ">=": int.__ge__, "==": int.__eq__, "!=": int.__ne__}


def number(value: CValue, model: Model) -> int:
    bits = evaluate(value.value, model)
    return bits - (bits >> value.type.width - 1 << value.type.width) if value.type.signed else bits


@st.composite
def operands(draw: st.DrawFn) -> tuple[CValue, int, Model]:
    """An unknown number of C, or a constant, with its value."""
    kind = draw(st.sampled_from(KINDS))
    bits = draw(st.integers(0, (1 << kind.width) - 1) | st.sampled_from([0, 1, (1 << kind.width) - 1]))
    name = symbol(draw(st.sampled_from("pq")) + repr(kind), kind.width)
    model = Model({name: bits})
    given_value = CValue(draw(st.sampled_from([name, bits])), kind)
    return given_value, number(given_value, model), model


@given(operands(), operands(), st.sampled_from(sorted(OPERATIONS)))
def test_arithmetic_is_that_of_integers(a: tuple[CValue, int, Model], b: tuple[CValue, int, Model], op: str) -> None:
    model = Model({**a[2].values, **b[2].values})
    left, right = number(a[0], model), number(b[0], model)
    if op in "/%" and right == 0:
        return
    result = unbounded_integers.binary(op, unbounded_integers.number(a[0]), unbounded_integers.number(b[0]))
    assert number(result, model) == OPERATIONS[op](left, right)


@given(operands(), operands(), st.sampled_from(sorted(ORDER)))
def test_comparisons_are_those_of_integers(a: tuple[CValue, int, Model], b: tuple[CValue, int, Model], op: str) -> None:
    model = Model({**a[2].values, **b[2].values})
    held = unbounded_integers.compared(op, unbounded_integers.number(a[0]), unbounded_integers.number(b[0]))
    assert evaluate(held, model) == ORDER[op](number(a[0], model), number(b[0], model))


@given(operands(), st.sampled_from("-+~"))
def test_signs(a: tuple[CValue, int, Model], op: str) -> None:
    expected = {"-": -a[1], "+": a[1], "~": ~a[1]}[op]
    assert number(unbounded_integers.unary(op, unbounded_integers.number(a[0])), a[2]) == expected


@given(operands(), st.integers(0, 70))
def test_shifts_by_constants(a: tuple[CValue, int, Model], count: int) -> None:
    left = unbounded_integers.number(a[0])
    assert number(unbounded_integers.binary("<<", left, unbounded_integers.constant(count)), a[2]) == a[1] << count
    assert number(unbounded_integers.binary(">>", left, unbounded_integers.constant(count)), a[2]) == a[1] >> count


def test_what_is_too_wide_has_no_meaning() -> None:
    unknown = unbounded_integers.number(CValue(symbol("n", 64), Integral(64, True)))
    with pytest.raises(NoMeaning, match="a shift"):
        unbounded_integers.binary("<<", unknown, unknown)
    with pytest.raises(NoMeaning, match="bits"):
        for _ in range(10):
            unknown = unbounded_integers.binary("*", unknown, unknown)
