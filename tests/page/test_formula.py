"""Conditions in C's notation."""

from __future__ import annotations

import pytest

from unfork.logic import build
from unfork.logic.term import Term, symbol
from unfork.page.formula import formula, in_c


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("(eq pattern[3:1] 0x24)", "pattern[3] == '$'"),
        ("(eq 0x24 pattern[3:1])", "pattern[3] == '$'"),
        ("(eq offset(matches_after:rest) 3)", "offset(matches_after:rest) == 3"),
        ("(not (eq x 0))", "x != 0"),
        ("(not (ult (add x 1) y))", "(x + 1) >=u y"),
        ("(and (ult x 4) (not flag))", "(x <u 4) && !flag"),
        ("(eq (zext:32 c[0]) 0x41)", "c[0] == 'A'"),
        ("(eq n 0x41)", "n == 65"),
        ("(fp.lt[double] x y)", "fp.lt[double](x, y)"),
        ("(eq (extract[0]:4 x) 2)", "(x & 0xf) == 2"),
        ("(eq (extract[8]:8 x) 2)", "((x >> 8) & 0xff) == 2"),
        ("(eq x (ite (ult y 2) 1 2))", "x == ((y <u 2) ? 1 : 2)"),
        ("(eq (add x", "(eq (add x"),
        ("", ""),
        (")(", ")("),
        ("(not " * 9000 + "x" + ")" * 9000, "(not " * 9000 + "x" + ")" * 9000),
        ("<script> & more", "<script> & more"),
    ],
)
def test_words_of_run_db(words: str, shown: str) -> None:
    assert in_c(words) == shown


def test_terms() -> None:
    x, letter = symbol("x", 32), symbol("text[0]", 8)
    condition = build.both(build.ult(x, 10, 32), build.ne(letter, ord("*"), 8))
    assert isinstance(condition, Term)
    assert set(formula(condition).split(" && ")) == {"(x <u 10)", "(text[0] != '*')"}
