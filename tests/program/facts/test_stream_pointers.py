"""Which pointers to anything are streams."""

from __future__ import annotations

import pytest

from tests.support.compiling import Compile
from unfork.program.facts.stream_pointers import stream_pointers

HEAD = "#include <stdio.h>\nstruct tar { int at; void *stream; };\n"


@pytest.mark.parametrize(
    ("code", "parameters", "members"),
    [
        pytest.param("int f(int n, void *u) { return fgetc((FILE *)u) + n; }", {"f": {1}}, [], id="cast"),
        pytest.param(
            "static int g(void *u) { return fgetc(u); }\nint f(int n, void *u) { return g(u) + n; }",
            {"g": {0}, "f": {1}},
            [],
            id="passed on",
        ),
        pytest.param(
            "unsigned long f(struct tar *t, void *to) { return fread(to, 1, 8, t->stream); }", {}, [8], id="member"
        ),
        pytest.param(
            "static int g(void *u) { return fclose(u); }\nint f(struct tar *t) { return g(t->stream); }",
            {"g": {0}},
            [8],
            id="member passed on",
        ),
        pytest.param("unsigned long f(void *u) { return fread(u, 1, 8, stdin); }", {}, [], id="bytes"),
        pytest.param("int f(char **u) { return fgetc((FILE *)u[1]); }", {}, [], id="in an array"),
    ],
)
def test_streams(compile_c: Compile, code: str, parameters: dict[str, set[int]], members: list[int]) -> None:
    found = stream_pointers(compile_c(HEAD + code))
    assert found.parameters == parameters
    assert sorted(member.offset for member in found.members) == members
