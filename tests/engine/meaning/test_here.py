"""What a condition on memory is certain of at a place: it has no value where nothing is known of what it reads."""

from __future__ import annotations

import pytest

from tests.reduce.merge.small_states import state_of
from unfork.engine.meaning.expression_meaning import CPointer, Meaning, Where
from unfork.engine.meaning.scopes import Here
from unfork.engine.state.memory import FIRST_HEAP, address_of
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.logic.terms.term_table import symbol
from unfork.program.c.expression_reader import parse_expression
from unfork.program.llvm.c_type_reader import CTypes
from unfork.program.llvm.c_types import Scalar
from unfork.program.llvm.debug_info import DebugInfo

CELL, GUARD, AT = symbol("cell", 8), symbol("guard", 1), symbol("at", 64)
BYTE = Scalar("unsigned char", 1, "unsigned")
FIRST = address_of(FIRST_HEAP)


def said(text: str, pointer: Value, gone: Value = 0) -> Value | None:
    """Of a pointer p to bytes: one that is 5, one that an input decides, and one that nobody wrote."""
    state = state_of((0, 0, 0), (), (5, CELL, None))
    if gone != 0:
        state.memory.writable(FIRST_HEAP).vanish(gone)
    where = Where(state, {"p": CPointer(pointer, BYTE)}.get, is_mathematical=False)
    return Here(Meaning(CTypes(DebugInfo("", -1, {}), lambda name: None), lambda: 0), where).says(
        parse_expression(text)
    )


@pytest.mark.parametrize(
    ("text", "pointer", "value"),
    [
        ("*p == 5", FIRST, 1),
        ("p[0] > 5 || p[1] < 9", FIRST, build.ult(CELL, 9, 8)),
        ("p[-1] == 5 && p != 0", FIRST + 1, 1),
        ("*p < 9", build.ite(GUARD, FIRST, FIRST + 1, 64), build.either(GUARD, build.ult(CELL, 9, 8))),
    ],
)
def test_what_is_written_is_known(text: str, pointer: Value, value: Value) -> None:
    assert said(text, pointer) is value


@pytest.mark.parametrize(
    ("text", "pointer"),
    [
        ("p[2] == 0", FIRST),
        ("p[3] == 0", FIRST),
        ("p[-1] == 0", FIRST),
        ("*p == 0", 0),
        ("*p == 0", symbol("p", 64)),
        ("*p == 0", build.add(FIRST, AT, 64)),
        ("*p == 0", build.ite(GUARD, FIRST, 0, 64)),
        ("p->n == 0", FIRST),
        ("*p == p", FIRST),
        ("q == 0", FIRST),
    ],
)
def test_what_is_not_known_has_no_value(text: str, pointer: Value) -> None:
    assert said(text, pointer) is None


def test_nothing_is_known_of_an_object_that_may_be_gone() -> None:
    assert said("*p == 5", FIRST, GUARD) is None
