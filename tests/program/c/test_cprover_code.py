"""Quantifiers of CBMC's in code become loops; what has no range that can be seen is refused, with its line."""

from __future__ import annotations

import pytest

from tests.support.compiling import Compile
from unfork.errors import InputError
from unfork.program.c.cprover_code import as_c


def test_a_quantifier_is_a_loop_over_its_range() -> None:
    text = "int f(int *a) { return __CPROVER_forall { int i; (0 <= i && i < 9) ==> a[i] > 0 }; }\n"
    assert as_c("a.c", text) == (
        "int f(int *a) { return (__extension__({ _Bool __CPROVER_holds = 1; for (int i = 0; (i < 9); i++) "
        "if ((0 <= i && i < 9) ) __CPROVER_holds &= !!( a[i] > 0); __CPROVER_holds; })); }\n"
    )


def test_the_lines_stay() -> None:
    text = "int a = __CPROVER_exists {\n  unsigned i;\n  i < 9 && f(i)\n};\nint b;\n"
    assert as_c("a.c", text).splitlines()[4] == "int b;"


def test_words_in_strings_are_no_quantifiers() -> None:
    text = 'const char *s = "__CPROVER_forall { int i; }";\n'
    assert as_c("a.c", text) == text


def test_implications_are_read_in_brackets_and_between_arguments() -> None:
    text = "x(__CPROVER_forall { unsigned i; i < 2 ==> (p(i ==> q, r) ==> s ==> t) });\n"
    assert "!!( ((!(p((!(i ) || ( q)), r) ) || ((!( s ) || ( t))))))" in as_c("a.c", text)


def test_uninterpreted_functions_may_be_declared_in_several_ways() -> None:
    text = "long __CPROVER_uninterpreted_h(void *);\nlong __CPROVER_uninterpreted_h(const void *p);\n"
    assert as_c("a.c", text) == "long __CPROVER_uninterpreted_h();\nlong __CPROVER_uninterpreted_h();\n"


@pytest.mark.parametrize(
    ("quantifier", "reason"),
    [
        ("__CPROVER_forall { int i, j; i < j ==> p(i) }", "is supported over one variable only"),
        ("__CPROVER_forall { int i; p(i) }", "is supported as: range ==> condition"),
        ("__CPROVER_forall { int i; i < 9 ==> p(i) }", "has no range that can be seen"),
        ("__CPROVER_forall { int i; 0 <= i ==> p(i) }", "has no range that can be seen"),
        ("__CPROVER_forall { int i; (low <= i && i < 9) ==> p(i) }", "has no range that can be seen"),
        ("__CPROVER_forall { int i; (0 <= i && i < 9 || x) ==> p(i) }", "has no range that can be seen"),
        ("__CPROVER_forall { int i; (0 <= i && i < a[i]) ==> p(i) }", "has no range that can be seen"),
        ("__CPROVER_exists { int i; 0u <= i && i < 9u && p(i) }", "has no range that can be seen"),
    ],
)
def test_other_quantifiers_are_refused_with_their_line(quantifier: str, reason: str) -> None:
    word = quantifier.split(maxsplit=1)[0]
    with pytest.raises(InputError, match=f"^a.c:2: {word} in code {reason}"):
        as_c("a.c", f"int x;\nint y = {quantifier};\n")


def test_a_program_with_such_a_quantifier_is_refused(compile_c: Compile) -> None:
    with pytest.raises(InputError, match=r"snippet\.c:\d+: __CPROVER_forall in code is supported over one variable"):
        compile_c("int f(int x) { __CPROVER_assume(__CPROVER_forall { int i, j; i ==> j }); return x; }")


def test_a_contract_of_cbmc_is_no_c_where_contracts_are_read(compile_c: Compile) -> None:
    """The macros that a run has for clauses hide none that verify does not know."""
    text = "int g(int x) { return __CPROVER_r_ok(&x); } int f(int x) { for (;;) __CPROVER_assigns(x) { return x; } }"
    compile_c(text)
    compile_c("int g(int x) { return __CPROVER_r_ok(&x); } int f(int x) __CPROVER_requires(x > 0) { return x; }")
