from __future__ import annotations

import pytest

from unfork.program.c.source_places import FileLocation, SourceLocations

TEXT = """\
int f(int a) {
  int x = nondet(g(1), ")") + 2, y = a / x;
  if (a > x) y = 1; else y = a[2];
  for (int i = 0; i < h(x); i++) { y += x; }
  switch (a) { case 1: y++; default: return y / x; }
again: x = a ? y : -y; while (call (x)) y--;
  int z[2] = {1, x + 1};
  do y--; while (y / x);
}
"""


@pytest.mark.parametrize(
    ("line", "near", "start"),
    [
        (2, "nondet", "nondet"),
        (2, "/ x", "a / x"),
        (3, "> x", "a > x"),
        (3, "= 1", "y = 1"),
        (3, "[2]", "y = a[2]"),
        (4, "h(x)", "i < h"),
        (4, "++)", "i++"),
        (4, "+= x", "y += x"),
        (5, "++", "y++"),
        (5, "/ x", "return"),
        (6, "y :", "x = a"),
        (6, "-y;", "x = a"),
        (6, "x))", "call (x)"),
        (6, "--", "y--"),
        (7, "+ 1", "{1"),
        (8, "--", "y--"),
        (8, "/ x", "y / x"),
    ],
)
def test_a_statement_or_full_expression_begins_where_it_is_written(line: int, near: str, start: str) -> None:
    row = TEXT.splitlines()[line - 1]
    places = SourceLocations("a.c", TEXT)
    assert places.statement(line, row.index(near) + 1) == FileLocation(line, row.index(start) + 1)


def test_a_call_ends_at_its_own_bracket() -> None:
    places, row = SourceLocations("a.c", TEXT), TEXT.splitlines()[1]
    assert places.closing(2, row.index("nondet") + 1) == FileLocation(2, row.index(") + 2") + 1)
    assert places.closing(6, TEXT.splitlines()[5].index("call") + 1) == FileLocation(
        6, TEXT.splitlines()[5].index("))") + 1
    )
    assert places.closing(2, row.index("x =") + 1) is None
    assert places.closing(99, 1) is None


def test_lines_that_directives_rename_are_found_again() -> None:
    text = 'int a;\n# 10 "/x/a.h" 1\nint b;\nint c;\n# 2 "a.c" 2\nint d;\n#line 50\nint e;\n'
    places = SourceLocations("dir/a.c", text)
    assert [places.line("a.c", given) for given in (1, 2, 3, 50, 52)] == [1, 6, None, 8, None]
    assert [places.line("/x/a.h", given) for given in (10, 11, 12)] == [3, 4, None]
    assert places.line("b.c", 1) is None


def test_a_loop_begins_at_its_keyword() -> None:
    places = SourceLocations("a.c", TEXT + "while (1)\n;\n  do\n{}\nwhile (f(2));\nfor (;;) while (a) b();\n")
    last = TEXT.count("\n")
    assert places.loop(4) == FileLocation(4, 3)
    assert places.loop(6) == FileLocation(6, TEXT.splitlines()[5].index("while") + 1)
    assert places.loop(8) == FileLocation(8, 3)
    assert [places.loop(last + line) for line in (3, 4, 5, 6)] == [FileLocation(last + 3, 3), None, None, None]
    assert places.loop(2) is None
