"""Expressions of contracts: what they mean, what is refused, and that printing and reading agree."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unfork.errors import InputError
from unfork.program.c.c_source import CSource
from unfork.program.c.clause_reader import ClauseReader
from unfork.program.c.expression_reader import parse_expression
from unfork.program.c.expression_text import expression_text
from unfork.program.c.expression_tokens import lexemes_of_code
from unfork.program.c.expressions import (
    INT,
    LONG,
    UNSIGNED,
    UNSIGNED_LONG,
    AddressOf,
    AssignedLocation,
    At,
    BinaryExpression,
    BoundVariable,
    CastExpression,
    Conditional,
    Deref,
    Expression,
    Index,
    Integral,
    MemberExpression,
    Name,
    Null,
    NumberLiteral,
    QuantifiedExpression,
    RangeExpression,
    ResultExpression,
    Separated,
    SizeOf,
    TypeCast,
    TypeName,
    UnaryExpression,
    Valid,
    names_in,
)
from unfork.program.c.notations import ACSL, CPROVER, PLAIN, Notation

ALL = frozenset(("old", "result", "loop"))
A, B, C, N, P, AT = (Name(name) for name in "abcnpi")
ZERO, ONE = NumberLiteral(0, INT), NumberLiteral(1, INT)


def reader(text: str, notation: Notation = ACSL, before: str = "") -> ClauseReader:
    source = CSource("a.c", before + text)
    start, end = len(before), len(before + text)
    return ClauseReader(source, lexemes_of_code(source, start, end), end, notation)


def read(text: str, notation: Notation = ACSL, before: str = "") -> Expression:
    expressions = reader(text, notation, before)
    expression = expressions.clause(ALL).expression
    expressions.expect_end("is too much")
    return expression


def places(text: str) -> tuple[AssignedLocation, ...]:
    return reader(text).locations("\\nothing")


def op(word: str, left: Expression, right: Expression) -> Expression:
    return BinaryExpression(word, left, right)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("a ==> b ==> c", "a ==> (b ==> c)"),
        ("a <==> b ==> c", "a <==> (b ==> c)"),
        ("a <==> b <==> c", "(a <==> b) <==> c"),
        ("a ==> b || c", "a ==> (b || c)"),
        ("a || b ^^ c", "a || (b ^^ c)"),
        ("a ^^ b && c", "a ^^ (b && c)"),
        ("a && b == c", "a && (b == c)"),
        ("!a == b", "(!a) == b"),
        ("a ? b : c ==> i", "a ? b : (c ==> i)"),
        ("a ==> b ? c : i", "(a ==> b) ? c : i"),
        ("a + b * c - i", "(a + (b * c)) - i"),
        ("a << b + c", "a << (b + c)"),
        ("*p + 1", "(*p) + 1"),
        ("-a[i]", "-(a[i])"),
        ("*p->a", "*(p->a)"),
        ("&p->a[i]", "&((p->a)[i])"),
        ("(int)a + b", "((int)a) + b"),
        ("sizeof a + b", "(sizeof a) + b"),
        ("a && \\forall int i; b || c", "a && (\\forall int i; (b || c))"),
        ("\\exists int i; a ==> b <==> c", "\\exists int i; ((a ==> b) <==> c)"),
        ("a <= b < c", "a <= b && b < c"),
        ("a == b <= c == i < n", "a == b && b <= c && c == i && i < n"),
        ("a > b >= c", "a > b && b >= c"),
        ("0 <= a < b + 1 ==> c", "(0 <= a && a < (b + 1)) ==> c"),
        ("\\at(a, Pre)", "\\old(a)"),
        ("\\at(a, Old)", "\\old(a)"),
        ("\\let i = a[b]; i + i", "a[b] + a[b]"),
        ("\\let i = a; \\let n = i + 1; n * 2", "(a + 1) * 2"),
        ("\\let i = a; \\forall int i; i == b", "\\forall int i; i == b"),
        ("\\abs(a)", "a < 0 ? -a : a"),
        ("\\max(a, b)", "a > b ? a : b"),
        ("\\min(a, b)", "a < b ? a : b"),
        ("\\valid_range(p, 0, n)", "\\valid(p + (0..n))"),
        ("\\valid(&a[0..n - 1])", "\\valid(a + (0 .. n - 1))"),
        ("\\valid((p + (0..n)))", "\\valid(p + (0..n))"),
        ("(void *)0", "\\null"),
        ("NULL", "\\null"),
        ("sizeof(int) * sizeof(int *)", "4UL * 8UL"),
        ("\\true && \\false", "1 && 0"),
        ("(name: a) && b", "a && b"),
    ],
)
def test_what_binds_more_tightly(text: str, same: str) -> None:
    assert read(text) == read(same)


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("a[i] == \\old(a[i])", op("==", Index(A, AT), At(Index(A, AT), "Old"))),
        ("\\result->a.b", MemberExpression(MemberExpression(ResultExpression(), "a", True), "b", False)),
        ("*(&a)", Deref(AddressOf(A))),
        ("\\at(a, LoopEntry) + \\at(a, Here)", op("+", At(A, "LoopEntry"), At(A, "Here"))),
        ("(unsigned char)a", CastExpression(Integral(8, False), A)),
        ("(uint16_t)a", CastExpression(Integral(16, False), A)),
        ("(integer)a", TypeCast(TypeName("integer", 0), A)),
        ("(const struct node *)p", TypeCast(TypeName("struct node", 1), P)),
        ("sizeof(struct node)", SizeOf(TypeName("struct node", 0))),
        ("sizeof(*p)", SizeOf(Deref(P))),
        ("'a' + '\\n'", op("+", NumberLiteral(97, INT), NumberLiteral(10, INT))),
        ("0x10UL", NumberLiteral(16, UNSIGNED_LONG)),
        (
            "\\forall integer i, int n, a; \\exists size_t b; \\true",
            QuantifiedExpression(
                "forall",
                (BoundVariable("i", None), BoundVariable("n", INT), BoundVariable("a", INT)),
                QuantifiedExpression("exists", (BoundVariable("b", UNSIGNED_LONG),), ONE),
            ),
        ),
        ("\\valid(p)", Valid((RangeExpression(P, ZERO, ZERO),), True)),
        (
            "\\valid_read(p + (a .. b), &i)",
            Valid((RangeExpression(P, A, B), RangeExpression(AddressOf(AT), ZERO, ZERO)), False),
        ),
        (
            "\\separated(p + 1 + (0..n), a)",
            Separated((RangeExpression(op("+", P, ONE), ZERO, N), RangeExpression(A, ZERO, ZERO))),
        ),
    ],
)
def test_what_is_read(text: str, expression: Expression) -> None:
    assert read(text) == expression


def test_types_of_the_text_are_known() -> None:
    before = (
        "typedef unsigned short word; typedef word half; typedef struct s { int a; } s; typedef int (*call)(int);\n"
    )
    assert read("(word)a", before=before) == CastExpression(Integral(16, False), A)
    assert read("\\forall half i; i >= 0", before=before) == QuantifiedExpression(
        "forall", (BoundVariable("i", Integral(16, False)),), op(">=", AT, ZERO)
    )
    assert read("(call)p == (s *)p", before=before) == op(
        "==", TypeCast(TypeName("call", 0), P), TypeCast(TypeName("s", 1), P)
    )
    assert read("sizeof(s)", before=before) == SizeOf(TypeName("s", 0))


def test_macros_of_the_text_are_expanded() -> None:
    before = "#define N (M - 1)\n#define M 10\n#define IN(x, y) ((x) < \\\n (y))\n#define SELF SELF + 1\n"
    assert read("IN(a, N) && M", before=before) == read("((a) < ((10 - 1))) && 10")
    assert read("SELF", before=before) == op("+", Name("SELF"), ONE)
    assert read("IN", before=before) == Name("IN")
    assert read("N", before="#define N 1\n#undef N\n") == Name("N")


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("__CPROVER_old(*p) == __CPROVER_return_value", "\\old(*p) == \\result"),
        ("__CPROVER_forall { int i; 0 <= i && i < n ==> a[i] }", "\\forall int i; (0 <= i && i < n) ==> a[i]"),
        ("__CPROVER_exists { size_t i; a[i] == 0; } && b", "(\\exists size_t i; a[i] == 0) && b"),
        ("__CPROVER_loop_entry(a)", "\\at(a, LoopEntry)"),
        ("a == b ==> c <==> i", "((a == b) ==> c) <==> i"),
    ],
)
def test_words_of_cbmc(text: str, same: str) -> None:
    assert read(text, CPROVER) == read(same)


def test_comparisons_in_a_row_are_c_in_the_other_notations() -> None:
    for notation in (CPROVER, PLAIN):
        assert read("a < b < c", notation) == op("<", op("<", A, B), C)
        assert read("a & b == c", notation) == op("&", A, op("==", B, C))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("a +\n \\sum(1, n, a)", "2: \\sum is not supported"),
        ("\\lambda integer i; i", "1: \\lambda is not supported"),
        ("\\initialized(p)", "1: \\initialized is not supported"),
        ("a &&\n\n f(b)", "3: f is not supported: conditions call no functions"),
        ("a & b == c", "1: == is not supported beside &, | or ^ without parentheses"),
        ("a == b | c", "1: == is not supported beside"),
        ("a < b > c", "1: > is not supported in a chain"),
        ("a != b != c", "1: != is not supported in a chain"),
        ("a == 1.5", "1: 1.5 is not supported"),
        ('a == "b"', '1: "b" is not supported'),
        ("a = b", "1: '=' is too much"),
        ("a++", "1: '++' is too much"),
        ("--a", "1: -- is not supported"),
        ("a --> b", "1: '-->' is too much"),
        ("p + (0 .. n)", "1: '..' is not supported where one value should be"),
        ("a[0 .. n] == b", "1: '..' is not supported where one value should be"),
        ("\\valid(a[0 .. n])", "1: \\valid is not supported of a[0 .. n]: write pointer + (low..high)"),
        ("\\valid(p + (0 ..))", "1: .. is not supported without both bounds"),
        ("\\valid(p + (.. n))", "1: .. is not supported without both bounds"),
        ("\\valid{Pre}(p)", "1: \\valid is not supported with labels"),
        ("\\at(a, Init)", "1: Init is not supported as a label of \\at"),
        ("\\forall int *i; a", "1: int is not supported: a quantifier's variables are integers"),
        ("\\forall real i; a", "1: real is not supported: a quantifier's variables are integers"),
        ("\\forall value i; a", "1: value is not supported: a quantifier's variables are integers"),
        ("\\let i = a[b]; \\old(i)", "1: i is not supported, a name of \\let, in a value of another state"),
        ("\\let i = n; \\forall int n; i == n", "1: int is not supported: a name in \\let means something else"),
        ("(double)a", "1: (double) is not supported"),
        ("(struct s)a", "1: (struct s) is not supported"),
        ("\\min(a)", "1: \\min is not supported with 1 arguments instead of 2"),
        ("&(a + b)", "1: '&' of what is no place"),
        ("a b", "1: 'b' is too much"),
        ("a ||", "1: the end where a value should be"),
        ("int", "1: 'int' where a value should be"),
        ("(" * 200 + "a" + ")" * 200, "1: nested deeper than 120"),
        ("!" * 200 + "a", "1: nested deeper than 120"),
        ("a" + "[0]" * 200, "1: nested deeper than 120"),
        ("a" + " && a" * 300, "1: more than 200 operators in a row"),
        ("__CPROVER_r_ok(p)", "1: __CPROVER_r_ok is not supported"),
    ],
)
def test_what_is_not_known_is_refused_by_its_word(text: str, word: str) -> None:
    with pytest.raises(InputError, match=re.escape(f"a.c:{word}")):
        read(text)


@pytest.mark.parametrize("text", ["\\old(a)", "__CPROVER_same_object(a, p)", "a ^^ b", "UNFORK_OLD", "__builtin_x"])
def test_a_notation_knows_its_own_words_only(text: str) -> None:
    with pytest.raises(InputError):
        read(text, CPROVER if text[0] != "_" else PLAIN)


@pytest.mark.parametrize(
    ("before", "problem"),
    [
        ("#if X\n#define N 1\n#endif\n", "4: the macro N is not supported: it depends on an #if"),
        ("#define N(x) #x\n", "2: the macro N with # is not supported"),
        ("#define N(x, y) x\n", "2: N does not take 1 arguments"),
    ],
)
def test_macros_that_are_not_certain_are_refused(before: str, problem: str) -> None:
    with pytest.raises(InputError, match=re.escape(problem)):
        read("N(1)", before=before)


def test_places() -> None:
    assert places("\\nothing") == ()
    assert places("a, *p, p->a, a[i], a[0 .. n], *(p + (i .. n))") == (
        *(
            A,
            Deref(P),
            MemberExpression(P, "a", True),
            Index(A, AT),
            RangeExpression(A, ZERO, N),
            RangeExpression(P, AT, N),
        ),
    )
    for text in ("a + 1", "p + (0 .. n)", "\\result", "&a"):
        with pytest.raises(InputError):
            places(text)


def test_names_in_an_expression() -> None:
    assert names_in(read("\\forall int i; a[i] == \\old(p->n) && sizeof(b)")) == frozenset("iapb")


TYPES = (INT, UNSIGNED, LONG, UNSIGNED_LONG)
NUMBERS = st.sampled_from(TYPES).flatmap(
    lambda kind: st.builds(NumberLiteral, st.integers(0, 2 ** (kind.width - kind.signed) - 1), st.just(kind))
)
CHARACTERS = st.integers(-128, -1).map(lambda value: NumberLiteral(value & 0xFFFFFFFF, INT))
LEAVES = st.one_of(
    st.sampled_from("abcinp").map(Name),
    NUMBERS,
    CHARACTERS,
    st.just(ResultExpression()),
    st.just(Null()),
    st.builds(Name, st.just("x1")),
)
INTEGRALS = st.sampled_from(
    (*TYPES, *(Integral(width, signed) for width in (8, 16) for signed in (False, True)), Integral(1, False))
)
POINTERS = st.sampled_from((TypeName("struct node", 1), TypeName("int", 2), TypeName("void", 3), TypeName("char", 1)))
LABELS = st.sampled_from(("Old", "Here", "Post", "LoopEntry", "LoopCurrent"))
VARIABLES = st.lists(
    st.builds(BoundVariable, st.sampled_from("ijk"), st.none() | INTEGRALS), min_size=1, max_size=3
).map(tuple)


def larger(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    place = st.one_of(
        st.builds(Name, st.sampled_from("ab")),
        st.builds(Deref, inner),
        st.builds(Index, inner, inner),
        st.builds(MemberExpression, inner, st.sampled_from("xy"), st.booleans()),
    )
    ranges = st.lists(st.builds(RangeExpression, inner, inner, inner), min_size=1, max_size=2).map(tuple)
    ops = [word for words in ACSL.levels for word in words]
    return st.one_of(
        place,
        st.builds(BinaryExpression, st.sampled_from(ops), inner, inner),
        st.builds(UnaryExpression, st.sampled_from("+-~!"), inner),
        st.builds(Conditional, inner, inner, inner),
        st.builds(AddressOf, place),
        st.builds(CastExpression, INTEGRALS, inner),
        st.builds(TypeCast, POINTERS, inner),
        st.builds(SizeOf, inner),
        st.builds(At, inner, LABELS),
        st.builds(Valid, ranges, st.booleans()),
        st.builds(Separated, ranges),
        st.builds(QuantifiedExpression, st.sampled_from(("forall", "exists")), VARIABLES, inner),
    )


@given(st.recursive(LEAVES, larger, max_leaves=20))
def test_what_is_printed_reads_the_same(expression: Expression) -> None:
    assert read(expression_text(expression)) == expression


OPERATORS = st.sampled_from([word for words in PLAIN.levels for word in words])
OPERANDS = st.sampled_from(("a", "b", "-c", "!i", "(a + b)", "3u", "(char)n", "~~p"))


@given(st.lists(st.tuples(OPERATORS, OPERANDS), max_size=8), OPERANDS)
def test_c_is_read_alike_everywhere(rest: list[tuple[str, str]], first: str) -> None:
    text = " ".join((first, *(f"{word} {operand}" for word, operand in rest)))
    assert read(text, PLAIN) == read(text, CPROVER) == parse_expression(text)
