"""Which pointers to anything lead to bytes."""

from __future__ import annotations

import pytest

from tests.support.compiling import Compile
from unfork.program.facts.pointer_parameters import byte_parameters

HEAD = "#include <stdint.h>\n#include <string.h>\nstruct point { int x, y; };\n"


@pytest.mark.parametrize(
    ("code", "parameters"),
    [
        pytest.param("int f(int n, const void *p) { const uint8_t *b = p; return b[n]; }", {"f": {1}}, id="variable"),
        pytest.param("int f(void *p) { return *(char *)p; }", {"f": {0}}, id="cast"),
        pytest.param("void f(void *p, void *q) { memcpy(p, q, 9); }", {"f": {0, 1}}, id="copied"),
        pytest.param(
            "static int g(const char *p) { return *p; }\nint f(int n, void *p) { return g(p) + n; }",
            {"g": {0}, "f": {1}},
            id="passed on",
        ),
        pytest.param(
            "int f(void *p) { const uint32_t *w = p; return *w + *(uint8_t *)p; }", {"f": {0}}, id="words and bytes"
        ),
        pytest.param("int f(void *p) { const uint32_t *w = p; return *w; }", {}, id="words"),
        pytest.param("int f(void *p) { struct point *w = p; memset(p, 0, 8); return w->x; }", {}, id="struct"),
        pytest.param("int f(void *p) { void **w = p; memset(p, 0, 8); return w != 0; }", {}, id="pointers"),
        pytest.param(
            "static int g(struct point *p) { return p->y; }\nint f(void *p) { memset(p, 0, 8); return g(p); }",
            {},
            id="struct passed on",
        ),
        pytest.param("int f(void *p) { return p != 0; }", {}, id="not accessed"),
    ],
)
def test_bytes(compile_c: Compile, code: str, parameters: dict[str, set[int]]) -> None:
    assert byte_parameters(compile_c(HEAD + code)) == parameters
