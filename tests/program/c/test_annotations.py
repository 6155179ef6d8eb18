"""Annotations in comments become calls where C has blocks; whatever else they are is said."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from unfork.errors import InputError
from unfork.program.c.annotations import insert_calls, read_annotation
from unfork.program.c.expressions import Name, names_in
from unfork.program.facts.merge_points import annotation_marks
from unfork.program.llvm import compiler

ITE = "/*@ merge_proc ite; @*/"


def marked(body: str) -> str:
    """The body of a function with [ and ] for the calls."""
    made = insert_calls("a.c", f"void f(int a) {{ {body} }}", 0)
    assert made is not None
    text = re.sub(r"\{ extern .*?unfork_merge_begin\(\); ", "[", made.text)
    text = re.sub(r' unfork_merge_block\("[^"]*", \d+, \d+\); \}', "]", text)
    return text.removeprefix("void f(int a) { ").removesuffix(" }")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("@{ a++; } a--;", "[{ a++; }] a--;"),
        ("@if (a) a++; a--;", "[if (a) a++;] a--;"),
        (
            "@if (a) { a++; } else if (a > 1) a--; else { } a = 0;",
            "[if (a) { a++; } else if (a > 1) a--; else { }] a = 0;",
        ),
        ("@while (a) { a--; } ;", "[while (a) { a--; }] ;"),
        ("@for (;;) if (a) break; else a++; a = 1;", "[for (;;) if (a) break; else a++;] a = 1;"),
        ("@do { a--; } while (a > (1)); a = 1;", "[do { a--; } while (a > (1));] a = 1;"),
        ("@switch (a) { case 1: a = '}'; default: ; } a = 1;", "[switch (a) { case 1: a = '}'; default: ; }] a = 1;"),
        ('@{ char *s = "}/*"; /* } */ // }\n } a = 1;', '[{ char *s = "}/*"; /* } */ // }\n }] a = 1;'),
        ("@{\n#define X }\n a++; } a = 1;", "[{\n#define X }\n a++; }] a = 1;"),
        ("if (a) @{ a++; } else a--;", "if (a) [{ a++; }] else a--;"),
        ("@if (a) @{ a++; } a = 1;", "[if (a) [{ a++; }]] a = 1;"),
        ("@if (a) out: a++; a = 1;", "[if (a) out: a++;] a = 1;"),
        ("@if (a) a = (struct s){ 1 }.x; a = 1;", "[if (a) a = (struct s){ 1 }.x;] a = 1;"),
    ],
)
def test_calls_stand_around_the_block(body: str, expected: str) -> None:
    assert marked(body.replace("@", ITE)).replace("[ ", "[") == expected


@pytest.mark.parametrize(
    "text",
    [
        "@ int f(void) { return 1; }",
        "int f(void) @ { return 1; }",
        "int f(int a) { @ int b = a; return b; }",
        "int f(int a) { a = @ (a); return a; }",
        "int f(int a) { int b[] = @ { 1 }; return a; }",
        "int f(int a) { return a; @ }",
        "int f(int a) { @ if (a) {",
    ],
)
def test_where_no_block_follows_nothing_changes(text: str) -> None:
    text = text.replace("@", ITE)
    made = insert_calls("a.c", text, 0)
    assert made is not None
    assert (made.text, dict(made.lines), made.misplaced) == (text, {}, (1,))


def test_lines_stay() -> None:
    text = "void f(int a) {\n  /*@ merge_proc\n ite;\n @*/\n  if (a)\n    a++;\n  a--; //@ merge_proc sign;\n { }\n}\n"
    made = insert_calls("a.c", text, 5)
    assert made is not None
    assert made.text.count("\n") == text.count("\n")
    assert made.text.split("\n")[6].startswith("  a--; { extern void unfork_merge_begin(void); ")
    assert dict(made.lines) == {5: 2, 6: 7}


def test_other_comments_are_left_alone() -> None:
    assert (
        insert_calls("a.c", "/*@ requires x; @*/ /* merge_proc ite; */ void f(void) { /*@ loop merge_; */ }", 0) is None
    )


def test_parameters_are_read() -> None:
    made = read_annotation(
        "merge_proc sign; merge_params { conjunctive: (int v) -> { v >= 0, v <= y },\n simple: (w) -> { w }; };"
    )
    assert made.how == "sign"
    first, second = made.predicates
    assert (first.lattice, first.type, first.placeholder) == ("conjunctive", "int", "v")
    assert [text for text, _ in first.expressions] == ["v >= 0", "v <= y"]
    assert names_in(first.expressions[1][1]) == {"v", "y"}
    assert (second.type, second.placeholder, second.expressions) == (None, "w", (("w", Name("w")),))
    assert read_annotation('merge_point; merge_proc "ite";') == read_annotation("merge_proc ite;")


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("merge_proc ite", "should be: merge_proc HOW;"),
        ("merge_prc ite;", "should be: merge_proc HOW;"),
        ("merge_proc p; merge_params { conjunctive: (int v) -> { } };", "'}' where a value should be"),
        ("merge_proc p; merge_params { conjunctive (int v) -> { v } };", "'(' where ':' should be"),
        ("merge_proc p; merge_params { conjunctive: () -> { v } };", "')' where a name should be"),
        ("merge_proc p; merge_params { c: (int v) -> { v } d };", "'d' is too much"),
    ],
)
def test_malformed_ones_are_refused_with_their_line(said: str, reason: str) -> None:
    with pytest.raises(InputError) as refused:
        insert_calls("dir/a.c", f"void f(int a) {{\n/*@ {said} @*/ if (a) {{}}\n}}", 0)
    assert str(refused.value).startswith(f"dir/a.c:2: {reason}")


SOURCE = """
#include <stddef.h>
static int unused(int a) {
  /*@ merge_proc ite; @*/
  if (a) a = 1;
  return a;
}
int f(int a) {
  /*@ merge_proc "it\\e"; @*/ { a++; }
#if 0
  /*@ merge_proc ite; @*/ { a++; }
#endif
  return a;
}
/*@ merge_proc ite; @*/
int main(void) { return f(__LINE__) + (__FILE__[0] == 'a'); }
"""


def test_the_compiler_places_them(tmp_path: Path) -> None:
    """Names, lines and headers stay; what has no code in the end is told."""
    file = tmp_path / "a.c"
    file.write_text(SOURCE)
    program = compiler.build([file], compiler.CompileOptions())
    marks = annotation_marks(program)
    assert [(name, said.how, Path(where).name) for (name, _, _), (said, where) in marks.items()] == [
        ("f", "it\\e", "a.c:9")
    ]
    assert program.function("main").position is not None
    assert program.function("main").position.line == 16  # type: ignore[union-attr]  # it has one
    assert sorted(int(line.split(":")[1]) for line in program.notes) == [4, 11, 15]


def test_where_the_compiler_refuses_the_calls_the_text_is_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text(f"int f(int a) {{ do {{ a--; }} {ITE} while (a > 1); return a; }}\n")
    program = compiler.build([file], compiler.CompileOptions())
    assert not annotation_marks(program)
    assert [line.endswith(compiler.UNPLACED) for line in program.notes] == [True]
    file.write_text(f"int f(int a) {{ {ITE} if (b) {{}} return a; }}\n")
    with pytest.raises(compiler.CompileError) as refused:
        compiler.build([file], compiler.CompileOptions())
    assert "unfork_merge" not in str(refused.value)
