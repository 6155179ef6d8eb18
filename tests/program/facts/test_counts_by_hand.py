"""Query counts of small functions, each worked out by hand: Qt, and Qadd of the parameters that are named."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from unfork.program.facts.function_facts import FactsTable
from unfork.program.facts.kept_queries import CachedCounts
from unfork.program.facts.query_count import LocalCount, Parameters, QueryCounts
from unfork.program.llvm.module import Program
from unfork.world.kernel.known_functions import library

ReadIr = Callable[..., Program]
SHARED = Parameters(beta=0.5, kappa=10)
TURNS = 2 - 0.5**9
"""The turns of an unknown loop whose head leaves it half of the time, ten at most: 1 + 1/2 + ... + 1/2^9."""


def count(read_ir: ReadIr, text: str, parameters: Parameters = SHARED) -> LocalCount:
    """The counts at the start of @f."""
    program = read_ir(text)
    store = CachedCounts(parameters, (program.bitcode,))
    counts = QueryCounts(program, FactsTable(), library(), parameters, store)
    return counts.at(program.function("f"), 0, 0)


def check(counted: LocalCount, total: float, *added: float) -> None:
    """Compare Qt, and Qadd of the first parameters."""
    registers = dict(counted.registers)
    assert counted.total == pytest.approx(total)
    assert [registers.get(number, 0) for number in range(len(added))] == pytest.approx(added)


def test_straight_line(read_ir: ReadIr) -> None:
    """One division: a query about the divisor."""
    check(count(read_ir, "define i32 @f(i32 %a, i32 %b) { %q = sdiv i32 %a, %b\n ret i32 %q }"), 1, 0, 1)


def test_diamond(read_ir: ReadIr) -> None:
    """The branch, on one side of it (1/2) a division by %b, after it one by %c."""
    text = """
    define i32 @f(i1 %a, i32 %b, i32 %c) {
      br i1 %a, label %then, label %end
    then:
      %p = udiv i32 7, %b
      br label %end
    end:
      %q = udiv i32 7, %c
      ret i32 %q
    }
    """
    check(count(read_ir, text), 1 + 0.5 + 1, 1, 0.5, 1)


NESTED = """
define i32 @f(i1 %a, i1 %b, i32 %c) {
  br i1 %a, label %outer, label %end
outer:
  br i1 %b, label %inner, label %end
inner:
  %q = udiv i32 7, %c
  br label %end
end:
  ret i32 0
}
"""


def test_nested_diamonds(read_ir: ReadIr) -> None:
    """One branch always, one half of the time, the division a quarter of it."""
    check(count(read_ir, NESTED), 1 + 0.5 + 0.25, 1, 0.5, 0.25)


def test_the_paper_gives_each_side_beta(read_ir: ReadIr) -> None:
    check(count(read_ir, NESTED, Parameters(beta=0.8, kappa=10)), 1 + 0.8 + 0.8 * 0.8, 1, 0.8, 0.64)


SWITCH = f"""
define i32 @f(i32 %a, i32 %b) {{
  switch i32 %a, label %other [ {" ".join([f"i32 {k}, label %case{k}" for k in range(19)])} ]
{" ".join([f"case{k}: %q{k} = add i32 %b, {k} br label %end " for k in range(1, 19)])}
case0:
  %q0 = udiv i32 7, %b
  br label %end
other:
  br label %end
end:
  ret i32 0
}}
"""


def test_switch_of_twenty(read_ir: ReadIr) -> None:
    """Its targets share the weight: the division in one of the twenty is reached by a twentieth."""
    check(count(read_ir, SWITCH), 1 + 1 / 20, 1, 1 / 20)


def test_a_switch_has_the_weight_of_a_branch(read_ir: ReadIr) -> None:
    """Twice beta in all, as the two sides of a branch have in the paper."""
    check(count(read_ir, SWITCH, Parameters(beta=0.8, kappa=10)), 1 + 1.6 / 20, 1, 1.6 / 20)


KNOWN = """
define i32 @g(i1 %x, i32 %y) {
  br i1 %x, label %then, label %end
then:
  %q = udiv i32 7, %y
  br label %end
end:
  ret i32 0
}
define i32 @f(i1 %a, i32 %b) {
  br label %head
head:
  %i = phi i32 [ 0, %0 ], [ %j, %body ]
  %more = icmp ult i32 %i, 10
  br i1 %more, label %body, label %end
body:
  BODY
  %j = add i32 %i, 1
  br label %head
end:
  ret i32 0
}
"""


def test_loop_with_known_turns(read_ir: ReadIr) -> None:
    """Eleven tests, which share nothing, since they count, and ten divisions."""
    check(count(read_ir, KNOWN.replace("BODY", "%q = udiv i32 7, %b")), 11 + 10, 0, 10)


def test_call_in_a_loop(read_ir: ReadIr) -> None:
    """@g asks about %x once, and about %y half of the time; ten calls, eleven tests."""
    text = KNOWN.replace("BODY", "%q = call i32 @g(i1 %a, i32 %b)")
    check(count(read_ir, text), 11 + 10 * 1.5, 10, 10 * 0.5)


def test_a_counting_loop_that_may_break(read_ir: ReadIr) -> None:
    """The test passes on what it gets, the break halves it: the body runs 1 + 1/2 + ... + 1/2^9 times.

    The eleventh test gets 1/2^10. In the body, a break and, after it, a division.
    """
    body = "br i1 %a, label %end, label %rest\nrest:\n %q = udiv i32 7, %b"
    text = KNOWN.replace("BODY", body).replace("[ %j, %body ]", "[ %j, %rest ]")
    check(count(read_ir, text), TURNS + 0.5**10 + TURNS + TURNS / 2, TURNS, TURNS / 2)


def test_loop_of_unknown_turns(read_ir: ReadIr) -> None:
    """The head runs TURNS times, the division after half of them."""
    text = """
    declare i1 @more()
    define i32 @f(i32 %a) {
      br label %head
    head:
      %go = call i1 @more()
      br i1 %go, label %body, label %end
    body:
      %q = udiv i32 7, %a
      br label %head
    end:
      ret i32 0
    }
    """
    check(count(read_ir, text), TURNS + TURNS / 2, TURNS / 2)


def test_nested_loops_of_unknown_turns(read_ir: ReadIr) -> None:
    """The inner loop gives back all that enters it, so that the outer one is as if it stood alone."""
    text = """
    declare i1 @more()
    define i32 @f(i32 %a) {
      br label %outer
    outer:
      %go = call i1 @more()
      br i1 %go, label %inner, label %end
    inner:
      %again = call i1 @more()
      br i1 %again, label %body, label %outer
    body:
      %q = udiv i32 7, %a
      br label %inner
    end:
      ret i32 0
    }
    """
    entered = TURNS / 2
    check(count(read_ir, text), TURNS + entered * (TURNS + TURNS / 2), entered * TURNS / 2)


def test_recursion(read_ir: ReadIr) -> None:
    """Two levels: a call of @r within @r counts 1, its test, so that a call by @f counts 1 + 1/2."""
    text = """
    define void @r(i32 %n) {
      %done = icmp eq i32 %n, 0
      br i1 %done, label %end, label %more
    more:
      %m = sub i32 %n, 1
      call void @r(i32 %m)
      br label %end
    end:
      ret void
    }
    define void @f(i32 %n) {
      call void @r(i32 %n)
      ret void
    }
    """
    check(count(read_ir, text), 1.5, 1.5)


COMPARED = """
declare i32 @strncmp(i8*, i8*, i64)
define i1 @f(i8* %a, i8* %b, i64 %n) {
  %r = call i32 @strncmp(i8* %a, i8* %b, i64 %n)
  %same = icmp eq i32 %r, 0
  br i1 %same, label %yes, label %no
yes:
  ret i1 1
no:
  ret i1 0
}
"""


def test_compared_length(read_ir: ReadIr) -> None:
    """The call, and the branch on what it gives: both may ask about both texts, and about the length."""
    check(count(read_ir, COMPARED), 2, 2, 2, 2)


@pytest.mark.parametrize(
    ("declared", "called", "asked"),
    [
        ("i8* @malloc(i64)", "i8* @malloc(i64 %n)", 1),
        ("i8* @memset(i8*, i32, i64)", "i8* @memset(i8* @o, i32 %v, i64 %n)", 1),
        ("void @llvm.memset.p0i8.i64(i8*, i8, i64, i1)", "void @llvm.memset.p0i8.i64(i8* @o, i8 %c, i64 %n, i1 0)", 1),
        ("i32 @putchar(i32)", "i32 @putchar(i32 %v)", 0),
    ],
)
def test_sizes_are_asked_about(read_ir: ReadIr, declared: str, called: str, asked: int) -> None:
    """A model asks for the size that it is given, and for no byte that it writes."""
    begin = "@o = global i8 0\n"
    text = f"{begin}declare {declared}\ndefine void @f(i64 %n, i32 %v, i8 %c) {{ {_named(called)} ret void }}"
    check(count(read_ir, text), asked, asked, 0, 0)


def _named(called: str) -> str:
    return f"{'' if called.startswith('void') else '%r = '}call {called}\n"


def test_sizes_of_locals_are_asked_about(read_ir: ReadIr) -> None:
    check(count(read_ir, "define void @f(i64 %n) { %a = alloca i8, i64 %n\n ret void }"), 1, 1)
