"""Expressions of C mean what C says; clang is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reduce.merge.small_states import X
from unfork.engine.meaning.c_values import CValue
from unfork.engine.meaning.expression_meaning import Meaning, Names, Where
from unfork.engine.meaning.scopes import Here
from unfork.engine.state.memory import Memory
from unfork.engine.state.state import State
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.logic.terms.term_table import symbol
from unfork.program.c.expression_reader import parse_expression
from unfork.program.c.expressions import Expression, Integral, integer_type, names_in
from unfork.program.llvm import compiler
from unfork.program.llvm.c_type_reader import CTypes
from unfork.program.llvm.debug_info import DebugInfo
from unfork.program.llvm.ir import Aggregate, Bits, Zero


def condition(expression: Expression, names: Names) -> Value | None:
    state = State.begin(Memory())
    return Here(Meaning(CTypes(DebugInfo("", -1, {}), lambda name: None), lambda: 0), Where(state, names, False)).says(
        expression
    )


TRUE_OR_FALSE = (
    "-1 < 1u",
    "-1 < 1",
    "-1L < 1u",
    "1 - 2u > 0",
    "1 + 2 * 3 == 7",
    "10 - 3 - 2 == 5",
    "1 << 2 + 1 == 8",
    "(1 | 2 ^ 3 & 1) == 3",
    "1 < 2 == 1",
    "-7 / 2 == -3",
    "-7 % 2 == -1",
    "-7 >> 1 == -4",
    "-7u >> 1 > 0",
    "(unsigned char)300 == 44",
    "(signed char)200 < 0",
    "(char)200 < 0",
    "(unsigned short)-1 == 65535",
    "(_Bool)256 == 1",
    "~0 == -1",
    "!5 == 0",
    "!!5",
    "-0x80000000 > 0",
    "2147483648 > 0",
    "0xFFFFFFFF == -1",
    "0777 == 511",
    "'a' == 97",
    "'\\n' + '\\0' == 10",
    "'\\xff' < 0",
    "1 ? -1 : 1u",
    "(1 ? -1 : 1u) > 0",
    "0 || 2 && 3",
    "(unsigned char)255 + 1 == 256",
    "(unsigned char)255 << 1 == 510",
    "18446744073709551615ull == -1",
    "0 ? 1 : 0 ? 1 : 5 > 4",
    "- - 3 == + 3",
    "(short)(1 << 15) == -32768",
    "4294967296 >> 32 == 1",
    "1u - 2 == 4294967295L",
)


def test_clang_agrees(tmp_path: Path) -> None:
    """Each expression is as true for us as it is for the compiler."""
    source = tmp_path / "e.c"
    source.write_text(f"char r[] = {{{', '.join(f'({one}) != 0' for one in TRUE_OR_FALSE)}, 9}};\n")
    program = compiler.build([source], compiler.CompileOptions(flags=("-w", "-std=gnu11")))
    initializer = program.globals["r"].initializer
    assert not isinstance(initializer, Zero)
    values = initializer.data if not isinstance(initializer, Aggregate | Bits | None) else ()  # type: ignore[union-attr]
    wanted = {text: bool(value) for text, value in zip((*TRUE_OR_FALSE, ""), values, strict=True) if text}
    assert {text: condition(parse_expression(text), lambda name: None) == 1 for text in TRUE_OR_FALSE} == wanted
    assert set(wanted.values()) == {True, False}


def test_conditions_on_variables_are_terms_without_detours() -> None:
    """Truth becomes an int in C and is asked for again: no trace of that is left."""
    y = symbol("y", 32)
    held = {"x": CValue(X, Integral(4, True)), "y": CValue(y, Integral(32, False))}
    assert condition(parse_expression("!(y < 3) && y != 7"), held.get) is build.both(
        build.negate(build.ult(y, 3, 32)), build.ne(y, 7, 32)
    )
    assert condition(parse_expression("y"), held.get) is build.ne(y, 0, 32)
    assert condition(parse_expression("x < y"), held.get) is build.ult(build.sext(X, 4, 32), y, 32)
    assert condition(parse_expression("x < z"), held.get) is None
    assert names_in(parse_expression("x ? -y : (long)z + 1")) == {"x", "y", "z"}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the end where a value should be"),
        ("v >=", "the end where a value should be"),
        ("v >= 0)", "')' is too much"),
        ("(v >= 0", "the end where ')' should be"),
        ("v = 0", "'=' is too much"),
        ("a[0 > 1", "the end where ']' should be"),
        ("p->", "the end where a name should be"),
        ("f(v)", "f is not supported: conditions call no functions"),
        ("v > 1.5", "1.5 is not supported"),
        ("v > 09", "'09' is no integer"),
        ("v > 1x", "'1x' is no integer"),
        ("v > 99999999999999999999", "'99999999999999999999' is too large"),
        ("(unsigned short long)v", "(unsigned short long) is not supported"),
        ("(" * 130 + "v" + ")" * 130, "nested deeper than 120"),
        ("'\\400' > v", "'\\400' is no character of one byte"),
    ],
)
def test_what_is_no_expression_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ValueError) as refused:
        parse_expression(text)
    assert str(refused.value) == reason


def test_types_by_their_words() -> None:
    assert integer_type("long unsigned int") == integer_type("unsigned long") == Integral(64, False)
    assert integer_type("short") == integer_type("signed short int") == Integral(16, True)
    assert integer_type("size_t") is None
    assert integer_type("char char") is None
