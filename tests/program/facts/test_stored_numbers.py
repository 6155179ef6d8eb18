"""A number that is written into the bytes beside it is no size of these, unless the code uses it as one."""

from __future__ import annotations

import pytest

from tests.support.compiling import Compile
from unfork.program.facts.stored_numbers import stored_numbers

PUT = "static char *put(char *p, char c) { *p = c; return p + 1; }\n"


@pytest.mark.parametrize(
    ("code", "is_stored"),
    [
        ("void f(char *p, unsigned size) { *p = (char)size; }", True),
        ("void f(char *p, unsigned size) { p[3] = (char)(0x90 | (size >> 8 & 15)); }", True),
        (f"{PUT}void f(char *p, unsigned size) {{ if (size < 16) put(p, (char)(size + 1)); }}", True),
        (f"{PUT}void f(char *p, unsigned size) {{ p = put(p, 3); *p = (char)size; }}", True),
        (f"{PUT}void g(char *p, int n) {{ put(p, 2); }}\nvoid f(char *p, unsigned size) {{ g(p, 1); }}", False),
        ("char *q; void f(char *p, unsigned size) { *q = (char)size; }", False),
        ("void f(char *p, unsigned size) { *p = (char)size; for (unsigned i = 1; i < size; i++) p[i] = 0; }", False),
        ("#include <string.h>\nvoid f(char *p, unsigned size) { memset(p, 0, size); *p = (char)size; }", False),
    ],
)
def test_what_is_written_is_no_size(compile_c: Compile, code: str, is_stored: bool) -> None:
    assert ((0, 1) in stored_numbers(compile_c(code)).get("f", ())) == is_stored
