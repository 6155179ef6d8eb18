"""Which parameters end a range of the object that another one leads to, by the code that uses them."""

from __future__ import annotations

import pytest

from tests.support.compiling import Compile
from unfork.program.facts.pointer_ranges import range_ends

LOOP = "int f(const char *p, const char *end) { int s = 0; while (p != end) s += *p++; return s; }\n"
BELOW = "int f(const char *p, const char *end) { return p < end ? *p : 0; }\n"
ABOVE = "int f(const char *p, const char *end) { return end > p ? *p : 0; }\n"
LENGTH = "long f(const int *p, const int *end) { return end - p; }\n"
BACK = "long f(const char *p, const char *end) { while (end > p && end[-1] == ' ') end--; return end - p; }\n"
PASSED = BELOW + "int g(int n, const char *text, const char *stop) { return n + f(text, stop); }\n"
BETWEEN = "int f(const char *a, const char *p, const char *end) { return end - a > 3 && p < end ? *p : 0; }\n"
READ = "int f(const char *p, const char *end) { return p < end ? *p : *end; }\n"
GIVEN = "void note(const char *);\nint f(const char *p, const char *end) { note(end); return p < end; }\n"
KEPT = "const char *last;\nint f(const char *p, const char *end) { last = end; return p < end; }\n"
SAME = "int f(const char *p, const char *q) { return p == q; }\n"
COPIED = """
void f(char *to, const char *from, long n) {
  if (to < from) for (long i = 0; i < n; i++) to[i] = from[i];
  else while (n--) to[n] = from[n];
}
"""
LISTED = "struct n { struct n *next; };\nint f(struct n *a, struct n *b) { while (a != b) a = a->next; return 1; }\n"
READ_BELOW = READ + "int g(const char *text, const char *stop) { return text < stop ? f(text, stop) : 0; }\n"
TWO = "int f(const char *p, const char *a, const char *b) { return p < a && p < b; }\n"


@pytest.mark.parametrize(
    ("code", "ends"),
    [
        pytest.param(LOOP, {"f": {1: (0,)}}, id="moves to it"),
        pytest.param(BELOW, {"f": {1: (0,)}}, id="lies below"),
        pytest.param(ABOVE, {"f": {1: (0,)}}, id="lies above"),
        pytest.param(LENGTH, {"f": {1: (0,)}}, id="distance"),
        pytest.param(BACK, {"f": {1: (0,)}}, id="read before it"),
        pytest.param(PASSED, {"f": {1: (0,)}, "g": {2: (1,)}}, id="passed on"),
        pytest.param(BETWEEN, {"f": {2: (0, 1)}}, id="one between"),
        pytest.param(READ, {}, id="read itself"),
        pytest.param(GIVEN, {}, id="given away"),
        pytest.param(KEPT, {}, id="kept"),
        pytest.param(SAME, {}, id="compared where both stay"),
        pytest.param(COPIED, {}, id="both accessed"),
        pytest.param(LISTED, {}, id="nodes of a list"),
        pytest.param(READ_BELOW, {}, id="read in a callee"),
        pytest.param(TWO, {}, id="two ends"),
    ],
)
def test_ends_that_code_shows(compile_c: Compile, code: str, ends: dict[str, dict[int, tuple[int, ...]]]) -> None:
    assert range_ends(compile_c(code)) == ends
