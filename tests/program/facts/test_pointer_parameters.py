"""Which pointers lead to bytes, which to structs alone, and which decide nothing."""

from __future__ import annotations

import pytest

from tests.support.compiling import Compile
from unfork.program.facts.pointer_parameters import byte_parameters, handle_parameters, untested_parameters

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


@pytest.mark.parametrize(
    ("code", "parameters"),
    [
        pytest.param("int f(char *p) { struct point *w = (struct point *)p; return w->x; }", {"f": {0}}, id="cast"),
        pytest.param(
            "static int g(struct point *p) { return p->y; }\nint f(char *p) { return g((struct point *)p); }",
            {"g": {0}, "f": {0}},
            id="passed on",
        ),
        pytest.param("int f(char *p) { return p[0] ? ((struct point *)p)->x : 0; }", {}, id="a character is read"),
        pytest.param("int f(char *p) { struct point *w = (void *)p; return strlen(p) ? w->x : 0; }", {}, id="a text"),
        pytest.param("int f(const char *p) { return p[3]; }", {}, id="bytes"),
    ],
)
def test_handles(compile_c: Compile, code: str, parameters: dict[str, set[int]]) -> None:
    assert handle_parameters(compile_c(HEAD + code)) == parameters


@pytest.mark.parametrize(
    ("code", "parameters"),
    [
        pytest.param("int f(int n, struct point *p) { return p->y + n; }", {"f": {1}}, id="accessed"),
        pytest.param("unsigned long f(const char *s) { return strlen(s); }", {"f": {0}}, id="read by the C library"),
        pytest.param(
            "static int g(int *p) { return *p; }\nint f(int *p, int *q) { *q = 1; return g(p + 1); }",
            {"g": {0}, "f": {0, 1}},
            id="passed on",
        ),
        pytest.param("int f(int *p) { return p ? *p : 0; }", {}, id="null is tested"),
        pytest.param("int f(int *p, int *q) { return p == q; }", {}, id="compared"),
        pytest.param("int *f(int *p) { return p + 1; }", {}, id="returned"),
        pytest.param("int *kept;\nvoid f(int *p) { kept = p; }", {}, id="kept"),
        pytest.param("#include <stdlib.h>\nvoid f(int *p) { *p = 0; free(p); }", {}, id="freed"),
        pytest.param("int f(int (*call)(int *), int *p) { return *p + call(p); }", {"f": {0}}, id="called back"),
        pytest.param(
            "static int g(int *p) { return p ? *p : 0; }\nint f(int *p) { *p = 1; return g(p); }",
            {},
            id="tested by a callee",
        ),
        pytest.param("int f(int *p) { int **at = &p; return **at; }", {"f": {0}}, id="in a variable"),
        pytest.param("long f(int *p) { return (long)p & 7; }", {}, id="a number"),
        pytest.param("int f(int *p) { int *q; memcpy(&q, &p, sizeof q); return *p + (q != 0); }", {}, id="copied"),
    ],
)
def test_untested(compile_c: Compile, code: str, parameters: dict[str, set[int]]) -> None:
    assert untested_parameters(compile_c(HEAD + code)) == parameters
