"""Query counts: the values that Kuznetsov12 works out for its Fig. 1, and what else the estimate promises."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import pytest

from unfork.program.facts.cfg import ControlFlow
from unfork.program.facts.expected_visits import LARGEST
from unfork.program.facts.function_facts import FactsTable
from unfork.program.facts.kept_queries import CachedCounts
from unfork.program.facts.loops import LoopNest, trip_count
from unfork.program.facts.query_count import LocalCount, Parameters, QueryCounts
from unfork.program.llvm.module import Function, Program
from unfork.world.kernel.known_functions import library

Compile = Callable[..., Program]
"""Programs as small as these leave no entry in the cache."""

# The paper's program with one location per line; the loop tests come first, as in the source. What argv holds is not
# followed here (the paper leaves it out too): line 8 asks a function of which only the argument is known.
ECHO = """
declare i1 @is_n(i64)
declare i1 @more(i64, i64)
declare void @print(i64)
define void @echo(i64 %argc) {
line3:
  %some = icmp ult i64 1, %argc
  br i1 %some, label %line4, label %line6
line4:
  %n = call i1 @is_n(i64 1)
  br i1 %n, label %line5, label %line6
line5:
  br label %line6
line6:
  %r = phi i1 [ 1, %line3 ], [ 1, %line4 ], [ 0, %line5 ]
  %start = phi i64 [ 1, %line3 ], [ 1, %line4 ], [ 2, %line5 ]
  br label %line7
line7:
  %arg = phi i64 [ %start, %line6 ], [ %next, %again ]
  %go = icmp ult i64 %arg, %argc
  br i1 %go, label %enter8, label %line10
enter8:
  br label %line8
line8:
  %i = phi i64 [ 0, %enter8 ], [ %j, %line9 ]
  %p = call i1 @more(i64 %arg, i64 %i)
  %more = icmp ne i64 %arg, %i
  br i1 %more, label %line9, label %again
line9:
  %j = add i64 %i, 1
  br label %line8
again:
  %next = add i64 %arg, 1
  br label %line7
line10:
  br i1 %r, label %line11, label %end
line11:
  br label %end
end:
  ret void
}
"""
LINE6, LINE7, LINE8, LINE10 = 3, 4, 6, 9
ARGC, SOME, N, R, START, ARG = range(6)
PAPER = Parameters(beta=0.6, kappa=1)


def counts_of(program: Program, parameters: Parameters) -> QueryCounts:
    """Programs as small as these leave no entry in the cache."""
    return QueryCounts(program, FactsTable(), library(), parameters, CachedCounts(parameters, (program.bitcode,)))


def echo(read_ir: Compile, parameters: Parameters = PAPER) -> tuple[QueryCounts, Function]:
    program = read_ir(ECHO)
    return counts_of(program, parameters), program.function("echo")


def added(count: LocalCount, register: int) -> float:
    return dict(count.registers).get(register, 0.0)


def hot(count: LocalCount, alpha: float) -> set[int]:
    return {register for register, more in count.registers if more > alpha * count.total}


def test_worked_values(read_ir: Compile) -> None:
    """Kuznetsov12, section 3.2: beta = 0.6, kappa = 1."""
    counts, function = echo(read_ir)
    count = counts.at(function, LINE7, 0)
    assert added(count, ARG) == pytest.approx(1.6)
    assert added(count, R) == pytest.approx(1.32)
    assert count.total == pytest.approx(2.92)


def test_worked_hot_sets(read_ir: Compile) -> None:
    """With alpha = 0.5, what is hot on lines 6 and 7 is arg alone (on line 6 as its phi), and argc."""
    counts, function = echo(read_ir)
    assert hot(counts.at(function, LINE7, 0), 0.5) - {ARGC} == {ARG}
    assert hot(counts.at(function, LINE6, 0), 0.5) - {ARGC} == {START}


def test_kappa_turns_loops(read_ir: Compile) -> None:
    counts, function = echo(read_ir, Parameters(beta=0.5, kappa=3))
    # With beta = 0.5 every line but the loops' heads hands on what it gets: the inner loop is tested 1 + 1/2 + 1/4
    # times, and left with all of the weight.
    at_inner = counts.at(function, LINE8, 0)
    outer = [1.0]
    inner = 1.75
    for _ in range(2):
        outer.append(outer[-1] * 0.5)
    passes = outer  # weights of the three tests on line 7
    total = sum(passes) + sum(weight * 0.5 * inner for weight in passes) + 1
    assert counts.at(function, LINE7, 0).total == total
    assert at_inner.total == inner + sum(passes[:2]) + sum(passes[:2]) * 0.5 * inner + 1


@pytest.mark.parametrize(
    ("loop", "trips"),
    [
        ("for (int i = 0; i < 10; ++i) f(i);", 10),
        ("for (int i = 10; i > 0; i -= 3) f(i);", 4),
        ("for (unsigned i = 0; i != 7; ++i) f(i);", 7),
        ("for (int i = 0; i < n; ++i) f(i);", None),
        ("for (int i = 0; i < 100000; ++i) f(i);", None),
        ("for (int i = 0; i < 10; ++i) if (f(i)) break;", 10),
    ],
)
def test_trip_counts(compile_c: Compile, loop: str, trips: int | None) -> None:
    program = compile_c(f"int f(int); void g(int n) {{ {loop} }}")
    function = program.function("g")
    nest = LoopNest(ControlFlow(function.blocks))
    (head,) = nest.inside_out
    found = trip_count(function, nest, head)
    assert found in ((None,) if trips is None else (trips, trips + 1))


def test_callees_count_through_their_arguments(compile_c: Compile) -> None:
    program = compile_c(
        """
        int g(int);
        __attribute__((noinline)) int inner(int a, int b) { if (a) g(1); if (a > 5) g(2); if (b) g(3); return 0; }
        int outer(int x, int y, int z) { return inner(x, y) + z; }
        """
    )
    counts = counts_of(program, Parameters(beta=0.5, kappa=2))
    count = counts.at(program.function("outer"), 0, 0)
    assert added(count, 0) > added(count, 1) > 0
    assert added(count, 2) == 0
    assert count.total >= added(count, 0)


def test_recursion_is_bounded(compile_c: Compile) -> None:
    program = compile_c(
        """
        int odd(int n);
        __attribute__((noinline)) int even(int n) { return n ? odd(n - 1) : 1; }
        __attribute__((noinline)) int odd(int n) { return n ? even(n - 1) : 0; }
        int f(int n) { return even(n); }
        """
    )
    counts = counts_of(program, Parameters(beta=0.5, kappa=2))
    count = counts.at(program.function("f"), 0, 0)
    assert 1 <= added(count, 0) <= 4


def test_memory_at_constant_offsets_counts(compile_c: Compile) -> None:
    program = compile_c(
        """
        struct pair { int left, right; };
        int g(int), limit;
        int f(struct pair *p) { int n = 0; while (p->right > n) n += g(n); return limit ? n : 0; }
        """
    )
    counts = counts_of(program, Parameters(beta=0.8, kappa=10))
    cells = {(cell.base, cell.offset) for cell, _ in counts.at(program.function("f"), 0, 0).cells}
    assert (0, 4) in cells
    assert ("limit", 0) in cells
    assert (0, 0) not in cells


def test_what_is_stored_before_it_is_read_does_not_count(compile_c: Compile) -> None:
    program = compile_c(
        """
        int g(int), limit;
        int f(int x) { limit = x; while (g(limit)) if (limit > 3) return 1; return 0; }
        """
    )
    counts = counts_of(program, Parameters(beta=0.8, kappa=10))
    assert not any(cell.base == "limit" for cell, _ in counts.at(program.function("f"), 0, 0).cells)


def test_indices_count_as_queries(compile_c: Compile) -> None:
    program = compile_c("int f(int *a, int i, int j) { return a[i] + j; }")
    count = counts_of(program, Parameters(beta=0.8, kappa=10)).at(program.function("f"), 0, 0)
    assert added(count, 0) == added(count, 1) == 1
    assert added(count, 2) == 0


def test_deep_nests_do_not_overflow(compile_c: Compile) -> None:
    loops = "".join(f"for (int i{k} = 0; i{k} < n; ++i{k}) if (g(i{k})) " for k in range(7))
    program = compile_c(f"int g(int); void f(int n) {{ {loops} g(n); }}")
    count = counts_of(program, Parameters(beta=0.8, kappa=10)).at(program.function("f"), 0, 0)
    assert count.total <= LARGEST
    assert 0 < added(count, 0) <= count.total


@contextmanager
def counted_calls() -> Iterator[Counter[str]]:
    """How often Python functions are called: a measure of work that does not depend on the machine."""
    calls = Counter[str]()

    def count(frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            calls[frame.f_code.co_qualname] += 1

    sys.setprofile(count)
    try:
        yield calls
    finally:
        sys.setprofile(None)


def test_a_large_function_takes_little_time(compile_c: Compile) -> None:
    text = "".join(f"case {k}: if (n > {k}) s += g(n); while (s > {k}) s -= g({k}); break;\n" for k in range(200))
    program = compile_c(
        f"int g(int); int f(int n) {{ int s = 0; for (;;) switch (g(n)) {{ {text} default: return s; }} }}"
    )
    function = program.function("f")
    counts = counts_of(program, Parameters(beta=0.8, kappa=10))
    with counted_calls() as calls:
        for block in function.blocks[:20]:
            counts.at(function, block.index, 0)
    assert calls.total() < 1_000_000  # 352,404 when this was written; every block anew would take twenty times that
