"""What is no plain C does not hide what is: functions, loops and statements are found, or are known not to be."""

from __future__ import annotations

import pytest

from unfork.program.c.declarations import definitions, local_names
from unfork.program.c.syntax import Layout, Syntax


def syntax_of(text: str) -> Syntax:
    return Syntax(Layout(text).code)


@pytest.mark.parametrize(
    "body",
    [
        "x = ({ int y = f(); y ? y : 0; });",
        '__asm__ volatile ("nop" : "=r"(x) : : "memory");',
        "int y __attribute__((unused)) = x ?: 1;",
        "__typeof__(x) y = x; __auto_type z = y;",
        "goto *labels[x & 3];",
        "void *p = &&out; if (x) goto *p; out: ;",
        "int y = __builtin_offsetof(struct s, a) + __builtin_va_arg(ap, char *);",
        "double _Complex z = 1; x = __real__ z;",
        'x = sizeof (struct { _Static_assert (1, "a;}b"); int y; });',
        'x =\n# 7 "a.h" 3\n y\n#define Z }\n + 1;',
        "switch (x) { case 1 ... 3: x++; default: break; }",
        "if (x)\n#ifdef A\n f();\n#else\n g();\n#endif\n",
        "LIST(x) { f(); }",
        "\"a\\\n{b\"; '{'; // {\n /* { */ x = 1;\f",
        "int (*f)(int (*)(void)), a[] = { [0 ... 2] = 1 }, *q[x];",
    ],
)
def test_what_stands_around_a_loop_leaves_it_where_it_is(body: str) -> None:
    old_style = "int g(a, b) int a; char b; { return a; }"
    text = f"static inline int *f(int x)\n{{ {body} while (x) x--; return 0; }}\n{old_style}"
    syntax = syntax_of(text)
    first, second = definitions(syntax, ())
    assert (first.function.name, first.function.parameters) == ("f", ("x",))
    assert (second.function.name, second.function.parameters) == ("g", ("a", "b"))
    (loop,) = syntax.all_of("while_statement")
    assert (loop.start_byte, text[loop.start_byte : loop.end_byte]) == (text.index("while"), "while (x) x--;")
    assert syntax.is_read(second.body)
    assert syntax.is_read(loop)


@pytest.mark.parametrize("body", ["LIST(x, {) f();", "if (x) {", "LIST(x)", "x; }", "for (x; x) y();"])
def test_what_is_no_c_is_not_taken_for_it(body: str) -> None:
    syntax = syntax_of(f"void f(void) {{ {body} while (x) x--; }}")
    loops = syntax.all_of("while_statement")
    assert not any(syntax.is_read(loop.parent or loop) for loop in loops)


def test_the_variables_of_a_body() -> None:
    syntax = syntax_of("T a; void f(int b) { T *c; for (int d = 0, e[2]; ;) { int (*g)(int h) = &i; } }")
    (definition,) = definitions(syntax, ())
    assert local_names(syntax, definition.body) == {"c", "d", "e", "g"}
