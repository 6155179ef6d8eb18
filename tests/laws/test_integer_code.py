"""Law: compiled integer code and the constructors of logic/terms/build.py give the same results on concrete
operands.
"""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.power import examples
from unfork.engine.instructions.arithmetic import COMPARISONS, DIVISIONS, PLAIN, SHIFTS
from unfork.engine.instructions.python_text import amount_mask, comparison_text, integer_text
from unfork.logic.terms import concrete

WIDTHS = (1, 3, 8, 16, 32, 64, 128)
NAMESPACE = {"SDIV": concrete.sdiv, "SREM": concrete.srem}


def operands(draw: st.DrawFn) -> tuple[int, int, int]:
    width = draw(st.sampled_from(WIDTHS))
    mask = (1 << width) - 1
    edges = st.sampled_from([0, 1, 2, width - 1, width, mask, mask >> 1, (mask >> 1) + 1]).map(lambda x: x & mask)
    value = st.one_of(edges, st.integers(0, mask))
    return width, draw(value), draw(value)


@settings(max_examples=examples(600), deadline=None, derandomize=True)
@given(st.composite(operands)(), st.sampled_from(sorted({**PLAIN, **SHIFTS, **DIVISIONS})), st.booleans())
def test_integer_code_agrees_with_constructors(case: tuple[int, int, int], op: str, literal: bool) -> None:
    width, left, right = case
    guard, text = integer_text(op, width, "a", str(right) if literal else "b")
    names = {**NAMESPACE, "a": left, "b": right}
    if text is None or (guard is not None and eval(guard, names)):
        return  # left to the full semantics
    amount = right & amount_mask(width) if op in SHIFTS else right
    expected = {**PLAIN, **SHIFTS, **DIVISIONS}[op](left, amount, width)
    assert eval(text, names) == expected


@settings(max_examples=examples(400), deadline=None, derandomize=True)
@given(st.composite(operands)(), st.sampled_from(sorted(COMPARISONS)), st.booleans())
def test_comparison_code_agrees_with_constructors(case: tuple[int, int, int], predicate: str, literal: bool) -> None:
    width, left, right = case
    text = comparison_text(predicate, width, "a", str(right) if literal else "b")
    assert int(eval(text, {"a": left, "b": right})) == COMPARISONS[predicate](left, right, width)
