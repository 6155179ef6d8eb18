"""Contracts in three notations become one record; what is not known is refused with its line and word."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.compiling import Compile
from unfork.errors import InputError
from unfork.program.c.contract_reader import read_contracts
from unfork.program.c.contracts import Contracts, FunctionContract, merge_contracts
from unfork.program.c.expression_text import expression_text
from unfork.program.facts.merge_points import assertion_locations
from unfork.program.llvm.compiler import CompileOptions, build
from unfork.program.llvm.module import Program

MAX = """\
/*@ requires 0 < n;
  @ requires readable: \\valid_read(a + (0 .. n - 1));
  @ assigns  \\nothing;
  @ ensures  \\forall integer i; 0 <= i < n ==> a[i] <= \\result; // the largest
  @ ensures  \\exists integer i; 0 <= i < n && a[i] == \\result;
  @*/
static const int *const
max(const int a[], int n)
{
  int best = a[0];
  int i = 1;
  /*@ loop invariant 1 <= i <= n;
    @ loop invariant \\forall integer k; 0 <= k < i ==> a[k] <= best;
    @ loop assigns i, best;
    @ loop variant n - i; */
  again: while (i < n) {
    //@ assert i < n;
    if (best < a[i])
      best = a[i];
    //@ check best >= a[i];
    i++;
  }
  return best;
}
"""


def contracts_of(text: str) -> Contracts:
    contracts = read_contracts("a.c", text)[0]
    for problem in (*contracts.left_out, *contracts.unread.values()):
        raise InputError(problem)
    return contracts


def only(text: str) -> FunctionContract:
    (contract,) = contracts_of(text).functions.values()
    return contract


def test_a_function_and_its_loop() -> None:
    contracts, text = read_contracts("a.c", MAX)
    assert (
        re.sub(r"\{ extern void unfork_asserted\(int, int\); unfork_asserted\(\d+, \d+\); \}\n# \d+ .*\n *", "", text)
        == MAX
    )
    contract = contracts.functions["max"]
    assert (contract.function, contract.parameters, contract.file, contract.line) == ("max", ("a", "n"), "a.c", 8)
    assert [(clause.line, clause.name, clause.text) for clause in contract.requires] == [
        (1, None, "0 < n"),
        (2, "readable", "readable: \\valid_read(a + (0 .. n - 1))"),
    ]
    assert [expression_text(clause.expression) for clause in contract.ensures] == [
        "\\forall integer i; 0 <= i && i < n ==> a[i] <= \\result",
        "\\exists integer i; 0 <= i && i < n && a[i] == \\result",
    ]
    assert contract.assigns is not None
    assert (contract.assigns.text, contract.assigns.places, contract.assigns.line) == ("\\nothing", (), 3)
    assert (contract.mathematical, contract.decreases, contract.behaviors) == (True, None, ())
    (loop,) = contracts.loops
    assert (loop.line, loop.column, [clause.line for clause in loop.invariants]) == (16, 10, [12, 13])
    assert loop.assigns is not None
    assert [expression_text(place) for place in loop.assigns.places] == ["i", "best"]
    assert loop.variant is not None
    assert expression_text(loop.variant.expression) == "n - i"
    assert [(each.line, each.column, each.clause.line, each.clause.text) for each in contracts.assertions] == [
        (18, 5, 17, "i < n"),
        (21, 5, 20, "best >= a[i]"),
    ]


def test_behaviors() -> None:
    contract = only(
        "/*@ requires p != \\null; assigns *p;\n"
        "behavior less: assumes x < 0; requires x > -10; assigns \\nothing; ensures \\result == 0;\n"
        "behavior more: assumes x >= 0; ensures *p == \\old(*p) + x; ensures \\result == 1;\n"
        "complete behaviors; disjoint behaviors more, less; */ int f(int *p, int x);"
    )
    less, more = contract.behaviors
    assert (less.name, [clause.text for clause in less.assumes], len(less.requires)) == ("less", ["x < 0"], 1)
    assert less.assigns is not None
    assert less.assigns.places == ()
    assert (more.name, len(more.requires), len(more.ensures), more.assigns) == ("more", 0, 2, None)
    assert [(each.names, each.line) for each in (*contract.complete, *contract.disjoint)] == [
        (("less", "more"), 4),
        (("more", "less"), 4),
    ]
    assert contract.assigns is not None
    assert [expression_text(place) for place in contract.assigns.places] == ["*p"]


@pytest.mark.parametrize(
    ("declaration", "name", "parameters"),
    [
        ("int f(int a, char *b);", "f", ("a", "b")),
        ("static inline unsigned long *g(void) { return 0; }", "g", ()),
        ("__attribute__((noinline)) int h(int a[], int n) { return n; }", "h", ("a", "n")),
        ("struct s { int a; } *k(struct s *p, T x, T) ;", "k", ("p", "x", "")),
        ("int (*m(int (*cmp)(const void *, const void *), size_t n))(int) { return 0; }", "m", ("cmp", "n")),
        ("int (n)(int);", "n", ("",)),
        ("T f(const T, T const *restrict y, unsigned, unsigned long long z);", "f", ("", "y", "", "z")),
        ("int f(a, b) int a; int b; { return a; }", "f", ("a", "b")),
        ("void f(int n, int a[n][n], ...) __attribute__((nonnull(2)));", "f", ("n", "a")),
        ("enum e f(enum e x);", "f", ("x",)),
    ],
)
def test_functions_are_found_behind_their_contracts(declaration: str, name: str, parameters: tuple[str, ...]) -> None:
    contract = only(f"typedef int T;\n/*@ ensures \\true; */\n{declaration}")
    assert (contract.function, contract.parameters, contract.line) == (name, parameters, 3)


def test_lines_of_comments_are_one_annotation() -> None:
    text = "//@ requires a >\n//@   0;\n\n/*@ ensures \\result; @*/ // other\nint f(int a)\n{ return a; }\n"
    contract = only(text)
    assert [(clause.text, clause.line) for clause in contract.requires] == [("a > 0", 1)]
    assert [clause.line for clause in contract.ensures] == [4]


def test_each_kind_of_loop_has_its_place() -> None:
    text = """\
void f(int n) {
  //@ loop invariant n >= 0;
  for (int i = 0; i < n; i++) ;
  /*@ loop variant n; */ do n--; while (n);
  if (n)
    /*@ loop assigns n; */
    while (n) { n--; } while (n) n--;
  n = 1; //@ assert n == 1;
  n = 2;
}
"""
    contracts = contracts_of(text)
    assert [(loop.line, loop.column) for loop in contracts.loops] == [(3, 3), (4, 26), (7, 5)]
    assert [(each.line, each.clause.line) for each in contracts.assertions] == [(9, 8)]


def test_other_comments_are_no_contracts() -> None:
    text = "//@{ group\n/*@}*/ /* @ requires */ /** requires */ void f(int a) { /*@ merge_proc ite; */ { a++; } }"
    assert read_contracts("a.c", text) == (Contracts({}, (), ()), text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("/*@ predicate p(int a) = a;\n inductive q(int a) { } */ int f(int);", "2: inductive is not supported"),
        ("/*@ requires a;\n  @ allocates p; */ int f(int a);", "2: allocates is not supported"),
        ("/*@ requires a;\n  @ terminates a; */ int f(int a);", "2: terminates is not supported"),
        ("/*@ ghost int x; */ int f(int x);", "1: the ghost variable x has a name that the program uses"),
        ("void f(int *p) {\n/*@ ghost int x; x = *p; *p = 1; */ return; }", "2: ghost code must not write *p"),
        ("void f(int *p) { /*@ ghost int *x = p; x[0] = 1; */ return; }", "1: ghost code must not write x[0]"),
        (
            "struct s { int *p; };\nvoid f(void) { /*@ ghost struct s x; x.p[0] = 1; */ return; }",
            "2: ghost code must not write x.p[0]",
        ),
        ("void f(int *p) { /*@ ghost int x = (*p)++; */ return; }", "1: ghost code must not write (*p)"),
        ("void f(int *p) { /*@ ghost f(p); */ return; }", "1: ghost code with a call is not supported"),
        ("void f(int *p) { /*@ ghost if (p) return; */ return; }", "1: ghost code with a return is not supported"),
        ("void f(int *p) { /*@ ghost for (;;) ; */ return; }", "1: ghost code with a loop is not supported"),
        ("void f(int *p) { if (p) /*@ ghost int x; */ return; }", "1: ghost is not supported here"),
        (
            "#define A 1\nvoid f(int *p) { /*@ ghost int x = A; */ return; }",
            "2: a macro in ghost code is not supported",
        ),
        ("/*@ axiomatic A { type t; } */ int f(int);", "1: type is not supported in an axiomatic block"),
        ("/*@ axiom a: \\true; */ int f(int);", "1: axiom is not supported outside of an axiomatic block"),
        ("/*@ logic integer f(integer a); */ int g(int);", "1: logic is not supported without a definition"),
        ("/*@ logic real f(integer a) = a; */ int g(int);", "1: real is not supported"),
        ("/*@ predicate p(int a) = q(a); */ int g(int);", "1: q is not supported: conditions call no functions"),
        ("/*@ predicate p(int a) = a; requires p(a, a); */ int f(int a);", "1: p is not supported with 2 arguments"),
        (
            "/*@ predicate p{K, L}(int *a) = *a == 0; */ int f(int);",
            "1: predicate is not supported with several labels",
        ),
        ("/*@ predicate p{K}(int *a) = \\at(*a, L); */ int f(int);", "1: L is not supported as a label"),
        ("/*@ predicate p{K}(int *a) = *a; requires p{Pre}(a); */ int f(int *a);", "1: p is not supported in this"),
        ("/*@ predicate p(int a) = a; */\n/*@ predicate p(int b) = !b; */ int f(int);", "2: p has another definition"),
        ("/*@ requires \\forall int *p; *p == 0; */ int f(int);", "1: int is not supported: a quantifier's variables"),
        ("/*@ requires\n \\initialized(p); */ int f(int *p);", "2: \\initialized is not supported"),
        ("/*@ requires \\old(a); */ int f(int a);", "1: \\old is not supported in this clause"),
        ("/*@ requires \\result; */ int f(int a);", "1: \\result is not supported in this clause"),
        ("/*@ ensures \\at(a, LoopEntry); */ int f(int a);", "1: \\at is not supported in this clause"),
        ("/*@ assumes a; */ int f(int a);", "1: assumes is not supported"),
        ("/*@ assigns a \\from b; */ int f(int a);", "1: \\from is not supported where ';' should be"),
        (
            "/*@ behavior b: behavior b: ensures a; */ int f(int a);",
            "1: behavior is not supported twice with the name",
        ),
        ("/*@ requires a */ int f(int a);", "1: the end where ';' should be"),
        ("/*@ complete behaviors b; */ int f(int a);", "1: complete behaviors: no behavior is called b"),
        ("/*@ decreases a; decreases a; */ int f(int a);", "1: decreases is not supported twice"),
        ('/*@ requires a; */ _Static_assert(1, "");', "1: requires: no function follows this contract"),
        ("/*@ requires a; */ int a;", "1: requires: no function follows this contract"),
        ("/*@ loop invariant a; */ int f(int a);", "1: loop is not supported outside of a function"),
        ("void f(int a) {\n /*@ requires a; */ a = 1; }", "2: requires is not supported inside a function"),
        ("void f(int a) {\n /*@ loop invariant a; */ a = 1; }", "2: loop: no loop follows this annotation"),
        ("void f(int a) {\n /*@ loop pragma a; */ for (;;) ; }", "2: pragma is not supported of a loop"),
        ("void f(int a) {\n /*@ for b: assert a; */ a = 1; }", "2: for is not supported"),
        ("void f(int a) {\n /*@ invariant a; */ a = 1; }", "2: invariant is not supported"),
        ("void f(int a) {\n /*@ admit a; */ a = 1; }", "2: admit is not supported"),
        (
            "void f(int a) {\n /*@ check loop invariant a; */ while (a) ; }",
            "2: check is not supported in front of loop",
        ),
        ("void f(int a) { a = /*@ assert a; */ 1; }", "1: assert: no statement follows this annotation"),
        ('#line 7 "b.h"\n\n/*@ check lemma l: \\true; */ int f(int a);', "8: check is not supported"),
        ("/*@ requires a; */ int f(int a);\n/*@ requires !a; */ int f(int a);", "2: f has another contract in a.c:1"),
        ("int f(int a)\n__CPROVER_requires(a)\n__CPROVER_frees(a);", "3: __CPROVER_frees is not supported here"),
        ("int f(int a)\n__CPROVER_requires(__CPROVER_was_freed(a));", "2: __CPROVER_was_freed is not supported"),
        ("int f(int a) {\n__CPROVER_assume(a ==> a); }", "2: __CPROVER_assume is not supported"),
        ('int f(int a) { return\n(__CPROVER_assert(a ==> a, ""), a); }', "2: __CPROVER_assert is not supported here"),
        ("int f(int a) {\n__CPROVER_requires(a); }", "2: __CPROVER_requires is not supported here: no function"),
        ("int f(int a)\n__CPROVER_requires(a b);", "2: 'b' is too much in __CPROVER_requires"),
        ("int f(int a)\n__CPROVER_requires;", "2: __CPROVER_requires without arguments in parentheses"),
        ("int f(int *a)\n__CPROVER_assigns(a: b: *a);", "2: ':' where ';' should be"),
        ("int f(int a)\n__CPROVER_decreases(a, a);", "2: __CPROVER_decreases of several measures is not supported"),
        ("int f(int a)\n__CPROVER_loop_invariant(a);", "2: __CPROVER_loop_invariant is not supported here"),
        (
            "int f(int a) { while (a)\n__CPROVER_loop_invariant(__CPROVER_old(a)) ; }",
            "2: __CPROVER_old is not supported",
        ),
        ("/*@ requires a; */ int f(int a) __CPROVER_requires(a);", "1: f has another contract in a.c:1"),
    ],
)
def test_what_is_not_known_is_refused(text: str, problem: str) -> None:
    file = "b.h" if "b.h" in text else "a.c"
    with pytest.raises(InputError, match=re.escape(f"{file}:{problem}")):
        contracts_of(text)


UNREADABLE = """\
/*@ predicate good(integer a) = a > 0; */
/*@ axiomatic A {
      predicate fine(integer a);
      predicate bad(int *a) = \\initialized(a);
    } */
/*@ lemma wrong: bad(0); */
/*@ requires good(a); */ int f(int a);
/*@ requires bad(a); */ int g(int *a);
/*@ requires fine(a); */ int h(int a);
/*@ requires good(a);
    predicate late(int a) = \\initialized(a); */ int i(int a);
"""


def test_a_logic_definition_that_is_refused_costs_what_uses_it() -> None:
    contracts = read_contracts("a.c", UNREADABLE)[0]
    problem = "a.c:4: \\initialized is not supported"
    assert contracts.left_out == (problem,)
    assert list(contracts.functions) == ["f"]
    assert [each.name for each in contracts.definitions] == ["good"]
    assert contracts.unread.keys() == {"g", "h", "i"}
    assert {contracts.unread["g"], contracts.unread["h"]} == {problem}


def test_a_predicate_that_files_define_differently_has_no_meaning() -> None:
    first, other = [read_contracts(f"{name}.c", f"/*@ predicate p(int a) = {name}; */")[0] for name in "ab"]
    both = merge_contracts(first, other)
    problem = "b.c:1: p has another definition in a.c:1"
    assert both.left_out == (problem,)
    assert [(each.body, each.problem) for each in both.definitions] == [(None, problem)]
    assert merge_contracts(both, first) == both


def test_lemmas_of_one_name_that_say_different_things_are_two() -> None:
    contracts = contracts_of("/*@ lemma l: 1; */\n/*@ lemma l: 2; */\n/*@ lemma l: 1; */ int f(int);")
    assert [each.clause.line for each in contracts.lemmas] == [1, 2]


CBMC = """\
typedef unsigned long size_t;
int sum(const int *a, size_t n, int *out)
__CPROVER_requires(n < 1000 && __CPROVER_is_fresh(a, n * sizeof(*a)))
__CPROVER_requires(__CPROVER_w_ok(out) &&
                   __CPROVER_r_ok(a, n))
__CPROVER_assigns(*out, __CPROVER_object_whole(a), __CPROVER_object_upto(out, 4))
__CPROVER_ensures(*out >= __CPROVER_old(*out) && __CPROVER_return_value == 0)
{
  int s = 0;
  for (size_t i = 0; i < n; i++)
    __CPROVER_assigns(s, i)
    __CPROVER_loop_invariant(i <= n && __CPROVER_loop_entry(s) == 0)
    __CPROVER_decreases(n - i)
  {
    s += a[i];
  }
  do __CPROVER_loop_invariant(s >= 0) { s--; } while (s > 0);
  do { s--; } while (s > 0) __CPROVER_assigns();
  *out = s;
  return 0;
}
"""


def test_contracts_of_cbmc() -> None:
    contracts, text = read_contracts("a.c", CBMC)
    contract = contracts.functions["sum"]
    assert (contract.parameters, contract.line, contract.mathematical) == (("a", "n", "out"), 2, False)
    assert [(clause.line, expression_text(clause.expression)) for clause in contract.requires] == [
        (3, "n < 1000 && __CPROVER_is_fresh(a, n * sizeof(*a))"),
        (4, "__CPROVER_w_ok(out, sizeof(*out)) && __CPROVER_r_ok(a, n)"),
    ]
    assert contract.assigns is not None
    assert [expression_text(place) for place in contract.assigns.places] == [
        "*out",
        "__CPROVER_object_whole(a)",
        "__CPROVER_object_upto(out, 4)",
    ]
    assert [expression_text(clause.expression) for clause in contract.ensures] == [
        "*out >= \\old(*out) && \\result == 0"
    ]
    first, second, third = contracts.loops
    assert [(loop.line, loop.column) for loop in contracts.loops] == [(10, 3), (17, 3), (18, 3)]
    assert first.variant is not None
    assert expression_text(first.invariants[0].expression) == "i <= n && \\at(s, LoopEntry) == 0"
    assert expression_text(first.variant.expression) == "n - i"
    assert expression_text(second.invariants[0].expression) == "s >= 0"
    assert third.assigns is not None
    assert third.assigns.places == ()
    lines = text.split("\n")
    assert len(lines) == CBMC.count("\n") + 1
    assert "__CPROVER_" not in text
    assert [line.strip() for line in lines[1:8]] == ["int sum(const int *a, size_t n, int *out)", *[""] * 5, "{"]
    assert [len(line) for line in lines] == [len(line) for line in CBMC.split("\n")]


MACROS = """\
#include <unfork.h>
struct stack { int size; int items[10]; };
int pop(struct stack *s, int n)
{
  UNFORK_REQUIRES(s->size > 0);
  UNFORK_OLD(int, before,
             s->size);
  UNFORK_REQUIRES(n >= 0);
  s->size--;
  while (s->items[0] > n) {
    UNFORK_INVARIANT(s->size == before - 1);
    UNFORK_INVARIANT(n >= 0);
    s->items[0]--;
  }
  do {
    UNFORK_INVARIANT(n > 1);
  } while (0);
  UNFORK_RESULT(int, top, s->items[s->size]++ + 1);
  UNFORK_ENSURES(s->size == before - 1 && top == s->items[s->size]);
  if (n) {
    UNFORK_ENSURES(s->size == before - 1 && top == s->items[s->size]);
    return top;
  }
  return top;
}
"""


def test_what_assigns_nothing_in_cbmc() -> None:
    for text in ("int f(int *p) __CPROVER_requires(*p);", "int f(int *p) __CPROVER_assigns();"):
        assigns = only(text).assigns
        assert assigns is not None
        assert assigns.places == ()
    assert only("//@ requires *p;\nint f(int *p);").assigns is None
    (loop,) = contracts_of("void f(int n) { while (n) __CPROVER_loop_invariant(n >= 0) n--; }").loops
    assert loop.assigns is None


def test_contracts_in_executable_c() -> None:
    contracts, text = read_contracts("a.c", MACROS)
    contract = contracts.functions["pop"]
    assert (contract.parameters, contract.line, contract.mathematical) == (("s", "n"), 3, False)
    assert [expression_text(clause.expression) for clause in contract.requires] == ["s->size > 0", "n >= 0"]
    assert [expression_text(clause.expression) for clause in contract.ensures] == [
        "s->size == (int)\\old(s->size) - 1 && (int)\\result == s->items[s->size]"
    ]
    assert [(loop.line, loop.column, [clause.line for clause in loop.invariants]) for loop in contracts.loops] == [
        (10, 3, [11, 12]),
        (15, 3, [16]),
    ]
    lines = text.split("\n")
    assert len(lines) == MACROS.count("\n") + 1
    assert lines[6].strip() == "int const before = (s->size);"
    assert lines[17].strip() == "int const top = (s->items[s->size]++ + 1);"
    assert [lines[number].strip() for number in (4, 7, 10, 11, 15, 18, 20)] == [";"] * 7


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        ("n = 1; UNFORK_REQUIRES(n);", "UNFORK_REQUIRES is not supported after other statements"),
        ("n = 1; UNFORK_OLD(int, m, n);", "UNFORK_OLD is not supported after other statements"),
        ("n = 1; UNFORK_INVARIANT(n);", "UNFORK_INVARIANT is not supported here: it comes first in the braces"),
        ("{ UNFORK_INVARIANT(n); }", "UNFORK_INVARIANT is not supported here"),
        ("while (n) UNFORK_INVARIANT(n);", "UNFORK_INVARIANT is not supported here"),
        ("UNFORK_ENSURES(n == 0); n++;", "UNFORK_ENSURES of n is not supported, as n changes"),
        ("UNFORK_ENSURES(n == 0); g(&n);", "UNFORK_ENSURES of n is not supported, as n changes"),
        ("UNFORK_ENSURES(n == 0); n -= 2;", "UNFORK_ENSURES of n is not supported, as n changes"),
        ("UNFORK_ENSURES(n == 0); --n;", "UNFORK_ENSURES of n is not supported, as n changes"),
        ("int k = 1; UNFORK_ENSURES(k);", "UNFORK_ENSURES of k is not supported, as it is a local variable"),
        ("int i, *k[2]; UNFORK_ENSURES(k == 0);", "UNFORK_ENSURES of k is not supported, as it is a local variable"),
        ("for (T k = 1, m = (2, k); ;) UNFORK_ENSURES(m);", "UNFORK_ENSURES of m is not supported, as it is a local"),
        ("struct s *k; UNFORK_ENSURES(k->x);", "UNFORK_ENSURES of k is not supported, as it is a local variable"),
        ("int (*k)(void) = 0; UNFORK_ENSURES(k == 0);", "UNFORK_ENSURES of k is not supported, as it is a local"),
        ("UNFORK_RESULT(int, n, 1);", "UNFORK_RESULT of n is not supported: another variable has this name"),
        ("UNFORK_OLD(int, k, 1); { int k; }", "UNFORK_OLD of k is not supported: another variable has this name"),
        ("UNFORK_ENSURES(g(n));", "g is not supported: conditions call no functions"),
        ("if (UNFORK_REQUIRES(n)) n;", "UNFORK_REQUIRES should be a statement"),
        ("UNFORK_REQUIRES(n, n);", "',' is too much in UNFORK_REQUIRES"),
        ("UNFORK_REQUIRES(\\old(n));", "\\old is not supported"),
    ],
)
def test_what_executable_contracts_may_not_say(body: str, problem: str) -> None:
    with pytest.raises(InputError, match=re.escape(f"a.c:2: {problem}")):
        contracts_of(f"void f(int n, int *p) {{\n {body} }}")


def test_parameters_that_do_not_change_may_stand_in_what_is_ensured() -> None:
    body = "*p = n; s.n = 2; q->n++; if (n == 2 && n < 3 & n) n; UNFORK_ENSURES(n && *p == n);"
    assert only(f"void f(int n, int *p) {{ {body} }}").ensures


def test_names_stand_for_something_as_far_as_their_block_goes() -> None:
    body = "{ UNFORK_RESULT(int, k, g()); UNFORK_ENSURES(k > 0); } UNFORK_ENSURES(k > 1);"
    ensured = [expression_text(clause.expression) for clause in only(f"int k; int f(void) {{ {body} }}").ensures]
    assert ensured == ["(int)\\result > 0", "k > 1"]


def test_a_macro_outside_of_functions_is_refused() -> None:
    with pytest.raises(InputError, match=re.escape("a.c:2: UNFORK_REQUIRES is not supported outside of a function")):
        contracts_of("int a;\nUNFORK_REQUIRES(a);")


def test_texts_without_contracts_stay_as_they_are() -> None:
    text = "int f(int a) { return a; } /* requires */\n"
    assert read_contracts("a.c", text) == (Contracts({}, (), ()), text)


def test_several_files_are_put_together() -> None:
    first = contracts_of("/*@ requires a > 0; */ int f(int a);\nvoid g(int n) { /*@ assert n; */ n = 1; }")
    same = read_contracts(
        "b.c", "\n/*@ requires a > 0;*/ int f(int a) { return a; }\n/*@ ensures \\true;*/ int h(void);"
    )
    both = merge_contracts(first, same[0])
    assert (list(both.functions), both.functions["f"].file, len(both.assertions)) == (["f", "h"], "a.c", 1)
    other = read_contracts("b.c", "/*@ requires a >= 0; */\nint f(int a) { return a; }")[0]
    differing = merge_contracts(first, other)
    assert differing.unread == {"f": "b.c:2: f has another contract in a.c:1"}


def test_names_of_quantifiers_make_no_difference() -> None:
    text = (
        "int f(int *a)"
        " __CPROVER_requires(__CPROVER_forall {{ int {0}; __CPROVER_exists {{ int {1}; a[{0}] == {1} }} }}) {{\n"
        "while (*a) __CPROVER_loop_invariant(__CPROVER_forall {{ int {0}; {0} == *a }}) ;\n"
        '__CPROVER_assert(__CPROVER_exists {{ int {0}; {0} == *a }}, "x"); }}'
    )
    first, same, other = [contracts_of(text.format(*names)) for names in ("ik", "kj", "ii")]
    both = merge_contracts(first, same)
    assert (both.unread, len(both.loops), len(both.assertions)) == ({}, 1, 1)
    assert merge_contracts(first, other).unread == {"f": "a.c:1: f has another contract in a.c:1"}


def test_a_contract_that_is_not_known_costs_its_function_alone() -> None:
    text = (
        "int f(int a) __CPROVER_requires(__CPROVER_foo(a));\n/*@ ensures \\initialized(&a); */ int g(int a);\n"
        "int h(int a) __CPROVER_requires(a) {\n while (a)\n__CPROVER_loop_invariant(a >) a--; }\n"
        "int k(int a) __CPROVER_requires(a) { return a; }\nvoid m(int a) {\n/*@ assert \\fresh(a); */ a = 1; }"
    )
    contracts, cut = read_contracts("a.c", text)
    assert contracts.unread == {
        "f": "a.c:1: __CPROVER_foo is not supported",
        "g": "a.c:2: \\initialized is not supported",
        "h": "a.c:5: the end where a value should be",
        "m": "a.c:8: \\fresh is not supported",
    }
    assert contracts.functions["k"].requires
    assert "__CPROVER" not in cut


def test_assertions_of_cbmc() -> None:
    text = (
        'void f(int a) {\n  __CPROVER_assert(a > 0, "x"); if (a) __CPROVER_assert(__CPROVER_forall { int k; k == k },\n'
        '  "y"); else\n  __CPROVER_assert(g(a), "z"); __CPROVER_assume(a < 3); __CPROVER_size_t b = a; }'
    )
    contracts, cut = read_contracts("a.c", text)
    assert [(each.line, each.column, each.clause.text, each.function) for each in contracts.assertions] == [
        (2, 3, "a > 0", "f"),
        (2, 40, "__CPROVER_forall { int k; k == k }", "f"),
    ]
    assert not any(each.mathematical for each in contracts.assertions)
    assert re.findall(r"__CPROVER_\w+", cut) == ["__CPROVER_assert", "__CPROVER_assume", "__CPROVER_size_t"]
    assert re.findall(r"unfork_asserted\((\d+, \d+)\);", cut) == ["2, 3", "2, 40"]
    assert '# 3 "a.c"\n      ; else' in cut


HEADER = """\
#define LIMIT 1000
#define REQUIRES(x) __CPROVER_requires(x)
/*@ requires \\valid(p) && *p < LIMIT;
  @ assigns *p;
  @ ensures *p == \\old(*p) + 1; */
void next(int *p);
"""
MAIN = """\
#include <limits.h>
#include "next.h"
#ifdef SMALL
#define BOUND 5
#else
#define BOUND 7
#endif

void next(int *q)
{
  *q += 1;
}

int half(int n)
  REQUIRES(n >= 0 && n <= INT_MAX - 1)
{
  /*@ merge_proc ite; */
  if (n > 3) { n--; }
  /*@ loop invariant n <= BOUND * 2;
      loop assigns n; */
  while (n > BOUND)
    n -= 2;
  return n;
}
int main(void) { return half(BOUND); }
"""


def test_what_the_preprocessor_says_holds_in_contracts(tmp_path: Path) -> None:
    (tmp_path / "next.h").write_text(HEADER)
    file = tmp_path / "a.c"
    file.write_text(MAIN)
    program = build([file], CompileOptions(contracts=True, define=("SMALL",)))
    contracts = program.contracts
    following, half = contracts.functions["next"], contracts.functions["half"]
    assert (Path(following.file).name, following.line, following.parameters) == ("next.h", 6, ("p",))
    assert expression_text(following.requires[0].expression) == "\\valid(p) && *p < 1000"
    assert (half.file, half.line) == (str(file), 14)
    assert (half.requires[0].text, half.requires[0].line) == ("n >= 0 && n <= 2147483647 - 1", 15)
    (loop,) = contracts.loops
    assert (loop.line, loop.column, expression_text(loop.invariants[0].expression)) == (21, 3, "n <= 5 * 2")
    function = program.function("half")
    positions = {instruction.position for instruction in function.instructions() if instruction.position is not None}
    assert {(position.file, position.line) for position in positions} >= {(str(file), 21), (str(file), 23)}
    assert not program.notes


def test_contracts_are_not_read_unless_asked_for(compile_c: Compile) -> None:
    assert compile_c("/*@ nonsense */ int f(int a) { return a; }").contracts == Contracts({}, (), ())
    read = compile_c("/*@ nonsense */ int f(int a) { return a; }", contracts=True).contracts
    assert [problem.rpartition("/")[2] for problem in read.unread.values()] == [
        "snippet.c:1: nonsense is not supported"
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("#define N \\\n  /*@ assert a; */ a\nint f(int a);", "2: a contract in a macro is not supported"),
        (
            "#define N(x) x\nint f(int a) { N(\n/*@ assert a; */ a = 1); }",
            "3: a contract in parentheses is not supported",
        ),
    ],
)
def test_contracts_that_the_preprocessor_drops_are_refused(compile_c: Compile, text: str, problem: str) -> None:
    with pytest.raises(InputError, match=re.escape(f"snippet.c:{problem}")):
        compile_c(text, contracts=True)


ASSERTIONS = """\
int f(int a)
{
  /*@ assert a == 1; */ a = 2; /*@ assert a == 2; */
  if (a)
    //@ assert a > 0;
    while (a > 9) { a--; }
  else /*@ check a == 0; */ a = 7; //@ loop invariant a; assert a == 3;
  for (;;) {
    /*@ assert a == 4; */
    if (a++) break;
  }
  switch (a) { case 1: /*@ assert a == 1; */ a++; }
  //@ assert a == 5;
}
"""


def test_assertions_stand_in_the_program_where_they_stand_in_the_text(compile_c: Compile, tmp_path: Path) -> None:
    program = compile_c(ASSERTIONS, contracts=True, flags=("-w",))
    places = assertion_locations(program.function("f"))
    file = str(tmp_path / "snippet.c")
    assertions = program.contracts.assertions
    expected = [(3, 25), (4, 3), (6, 5), (7, 29), (8, 3), (10, 5), (12, 46), (14, 1)]
    assert [(each.line, each.column) for each in assertions] == expected
    assert places.keys() == {(file, *place) for place in expected}
    (loop,) = program.contracts.loops
    assert (loop.line, loop.column) == (8, 3)
    plain = compile_c(ASSERTIONS, flags=("-w",))
    assert _positions(plain) < _positions(program), "what remains keeps its lines and columns"


def test_an_assertion_behind_a_label_does_not_become_what_an_if_is_about() -> None:
    text = read_contracts("a.c", "void f(int a) { if (a) L: /*@ assert a; */ a = 1; goto L; }")[1]
    assert "".join(text.split("\n")[-1].split()) == "a=1;}gotoL;}"


def test_an_assertion_where_statements_cannot_be_told_apart_is_refused() -> None:
    with pytest.raises(InputError, match=re.escape("a.c:2: it cannot be told where the statements of this function")):
        contracts_of("void f(int a) { LIST(a, {)\n/*@ assert a; */ a = 1; }")


def _positions(program: Program) -> set[tuple[int, int]]:
    places = [each.position for each in program.function("f").instructions()]
    return {(place.line, place.column) for place in places if place is not None}


def test_the_examples_of_the_document_are_read() -> None:
    text = (Path(__file__).parents[3] / "docs" / "contracts.md").read_text()
    contracts = [contracts_of(block) for block in re.findall(r"```c\n(.*?)```", text, re.DOTALL)]
    assert [list(each.functions) for each in contracts] == [["largest"], ["last"], ["fill"], ["pop"]]
    assert [len(each.loops) for each in contracts] == [1, 0, 0, 0]
