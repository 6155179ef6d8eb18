"""What the passes must not exploit: uninitialised values, unused accesses, undefined arithmetic."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TypeVar

import pytest

from tests.support.power import some
from unfork.program.llvm.first_writes import written_first
from unfork.program.llvm.ir import (
    Alloca,
    Binary,
    Bits,
    Call,
    ConditionalBranch,
    GetElementPointer,
    GlobalAddress,
    Instruction,
    Load,
    Phi,
    Register,
    Return,
    Select,
    Store,
    UnknownInstruction,
)
from unfork.program.llvm.module import Function, Program
from unfork.program.llvm.opaque import MANY_LOCALS
from unfork.program.llvm.types import IntType

Compile = Callable[..., Program]
Kind = TypeVar("Kind", bound=Instruction)


def instructions(function: Function) -> list[Instruction]:
    return [it for block in function.blocks for it in (*block.phis, *block.body)]


def of_kind(function: Function, kind: type[Kind]) -> list[Kind]:
    return [it for it in instructions(function) if isinstance(it, kind)]


def sources(function: Function) -> list[Call]:
    return [
        it
        for it in of_kind(function, Call)
        if isinstance(it.callee, GlobalAddress) and it.callee.name.startswith("unfork.undefined.")
    ]


def test_an_uninitialised_local_keeps_both_values(compile_c: Compile) -> None:
    function = compile_c("int f(int c) { int x; if (c) x = 1; return x; }").function("f")
    (phi,) = of_kind(function, Phi)
    (source,) = sources(function)
    values = [value for value, _ in phi.incoming]
    assert len(values) == 2
    assert any(isinstance(value, Bits) and value.value == 1 for value in values)
    assert any(isinstance(value, Register) and value.index == source.result for value in values)
    assert not of_kind(function, Alloca)
    assert source.position is not None


def test_each_local_has_a_source_of_its_own(compile_c: Compile) -> None:
    function = compile_c("int f(void) { int x, y; return x - y; }").function("f")
    first, second = sources(function)
    (difference,) = of_kind(function, Binary)
    assert {difference.left, difference.right} == {
        Register(first.result, difference.type),
        Register(second.result, difference.type),
    }


def test_a_local_of_a_loop_body_is_uninitialised_in_each_iteration(compile_c: Compile) -> None:
    text = "int f(int n) { int s = 0; for (int i = 0; i < n; i++) { int x; if (i & 1) x = 1; s += x; } return s; }"
    function = compile_c(text).function("f")
    (source,) = sources(function)
    home = next(block.index for block in function.blocks if source in block.body)
    assert home != 0


def test_an_initialised_local_leaves_no_source(compile_c: Compile) -> None:
    function = compile_c(
        "int f(int a) { int x = a, y = 2; struct { int p, q; } s = {x, y}; return s.p + s.q; }"
    ).function("f")
    assert not sources(function)
    assert not of_kind(function, Load)


@pytest.mark.parametrize(
    ("text", "kind", "count"),
    [
        ("void f(int *p) { int x = p[3]; }", Load, 1),
        ("void f(int *p) { (void)p[3]; *p; }", Load, 2),
        ("void f(void) { int a[2]; int x = a[5]; }", Load, 1),
        ("void f(void) { int a[2]; a[2] = 1; }", Store, 1),
        ("struct s { int a, b; }; void f(struct s *p) { struct s x = *p; }", Call, 1),
        ("void f(int a, int b) { int x = a / b; unsigned y = a % (unsigned)b; }", Binary, 2),
        ("long strlen2(const char *) __attribute__((pure)); void f(char *p) { strlen2(p); }", Call, 1),
        ("#include <string.h>\nvoid f(char *p) { strlen(p); }", Call, 1),
        ("#include <stdlib.h>\nvoid f(void) { char *p = malloc(3); }", Call, 1),
    ],
)
def test_an_unused_computation_that_may_fault_survives(
    compile_c: Compile, text: str, kind: type[Instruction], count: int
) -> None:
    program = compile_c(text, flags=("-w",))
    found = [it for it in of_kind(program.function("f"), kind) if not is_mark(it)]
    assert len(found) == count


def is_mark(instruction: Instruction) -> bool:
    callee = instruction.callee if isinstance(instruction, Call) else None
    return isinstance(callee, GlobalAddress) and callee.name.startswith(("unfork.", "llvm.lifetime."))


def test_divisions_come_back_as_divisions(compile_c: Compile) -> None:
    text = "long f(long a, long b, short c) { return a / b + a % b + c / 7 + (unsigned)c / 0u; }"
    program = compile_c(text, flags=("-w",))
    ops = [it.op for it in of_kind(program.function("f"), Binary)]
    assert [op for op in ops if op not in ("add",)] == ["sdiv", "srem", "sdiv", "udiv"]
    assert not of_kind(program.function("f"), UnknownInstruction)


def test_an_access_outside_a_small_struct_keeps_it_in_memory(compile_c: Compile) -> None:
    text = "struct s { int a, b; }; int f(void) { struct s x = {1, 2}; return (&x.a)[2]; }"
    function = compile_c(text).function("f")
    assert len(of_kind(function, Alloca)) == 1
    (outside,) = [it for it in of_kind(function, GetElementPointer) if it.offset == 8]
    assert any(
        isinstance(it.pointer, Register) and it.pointer.index == outside.result for it in of_kind(function, Load)
    )


def test_overflow_is_not_exploited(compile_c: Compile) -> None:
    function = compile_c("int f(int x) { return x + 1 > x; }").function("f")
    (sum_,) = of_kind(function, Binary)
    assert (sum_.op, sum_.flags) == ("add", ("nsw",))
    assert not any(isinstance(it.value, Bits) for it in of_kind(function, Return))


def test_no_branch_becomes_a_select(compile_c: Compile) -> None:
    function = compile_c("int f(int c) { int x = 3; if (c) x = 4; return x; }").function("f")
    assert len(of_kind(function, ConditionalBranch)) == 1
    assert not of_kind(function, Select)


def test_a_stored_undef_stays_in_memory(read_ir: Compile) -> None:
    text = """
define i32 @f(i1 %c) {
  %x = alloca i32
  store i32 undef, ptr %x
  br i1 %c, label %a, label %b
a:
  store i32 1, ptr %x
  br label %b
b:
  %r = load i32, ptr %x
  ret i32 %r
}
"""
    function = read_ir(text, optimize=1).function("f")
    assert len(of_kind(function, Alloca)) == 1
    assert len(of_kind(function, Load)) == 1


def test_locals_stay_in_memory_around_setjmp(compile_c: Compile) -> None:
    text = "#include <setjmp.h>\njmp_buf b; int f(void) { int x = 1; if (setjmp(b)) return x; x = 2; longjmp(b, 1); }"
    function = compile_c(text).function("f")
    assert of_kind(function, Alloca)
    assert [it.returns_twice for it in of_kind(function, Call) if not is_mark(it)] == [True, False]


def test_volatile_is_told_from_our_own_mark(compile_c: Compile) -> None:
    function = compile_c("volatile int v; int w; int f(void) { return v + w; }").function("f")
    assert [it.volatile for it in of_kind(function, Load)] == [True, False]


def test_padding_has_a_source_too(compile_c: Compile) -> None:
    text = "struct s { char c; int i; }; int g(long); int f(void) { struct s x; x.i = 1; return g(*(long *)&x); }"
    function = compile_c(text).function("f")
    assert [it.type.result for it in sources(function)]
    assert not of_kind(function, Alloca)


def test_optimize_0_keeps_the_compilers_code(compile_c: Compile) -> None:
    function = compile_c("int f(int a) { int x = a; return x; }", optimize=0).function("f")
    assert len(of_kind(function, Alloca)) == 2
    assert len(of_kind(function, Load)) == 2
    assert not sources(function)


def test_a_copy_from_beyond_a_local_is_kept(read_ir: Compile) -> None:
    text = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @use(ptr)
define i32 @f() {
  %large = alloca [2 x i32]
  %small = alloca [4 x i32]
  call void @use(ptr %large)
  call void @llvm.memcpy.p0.p0.i64(ptr %small, ptr %large, i64 16, i1 false)
  %r = load i32, ptr %small
  ret i32 %r
}
"""
    function = read_ir(text, optimize=1).function("f")
    assert len(of_kind(function, Alloca)) == 2
    copies = [
        it for it in of_kind(function, Call) if isinstance(it.callee, GlobalAddress) and "memcpy" in it.callee.name
    ]
    assert [copy.arguments[2] for copy in copies] == [Bits(16, IntType(64))]


def test_symbols_without_names_keep_their_numbers(read_ir: Compile) -> None:
    text = """
@0 = private constant i32 3
@1 = private constant i32 5
define i32 @2() {
  %p = alloca ptr
  store ptr @1, ptr %p
  %q = load ptr, ptr %p
  %v = load i32, ptr %q
  ret i32 %v
}
define i32 @f() {
  %v = call i32 @2()
  ret i32 %v
}
"""
    program = read_ir(text, 1)
    (load,) = of_kind(program.function("2"), Load)
    (call,) = of_kind(program.function("f"), Call)
    assert (load.pointer, call.callee) == (GlobalAddress("1"), GlobalAddress("2"))


def test_types_without_names_keep_their_numbers(read_ir: Compile) -> None:
    """Whatever types a function names, in whatever order, its addresses are those of the compiler's text."""
    chosen = random.Random(1)
    kinds = ("i8", "i32", "i64", "ptr", "[3 x i16]")
    bodies = [", ".join(chosen.choices(kinds, k=6)) for _ in range(8)]
    bodies += [f"i8, %{chosen.randrange(number)}, i8, %named, i16, %{number - 1}" for number in range(8, 14)]
    types = [f"%{number} = type {{ {body} }}" for number, body in enumerate(bodies)]
    functions = []
    for count in range(40):
        lines = [
            f"  %a{turn} = getelementptr %{number}, ptr %p, i64 1, i32 {chosen.randrange(6)}\n"
            f"  store ptr %p, ptr %a{turn}"
            for turn, number in enumerate(chosen.sample(range(len(bodies)), k=3))
        ]
        functions.append("\n".join([f"define void @f{count}(ptr %p) {{", *lines, "  ret void\n}"]))
    text = "\n".join((*types, "%named = type { i8, %3 }", *functions))
    plain, simplified = read_ir(text), read_ir(text, 1)
    for name in plain.defined:
        before, after = (of_kind(program.function(name), GetElementPointer) for program in (plain, simplified))
        assert len(after) == 3
        assert [it.offset for it in before] == [it.offset for it in after]


def with_many_locals(body: str) -> str:
    """A function ``f(int c)`` with so many locals that those written before they are used get no source."""
    many = " ".join(f"int v{number} = c + {number}; sum += v{number};" for number in range(MANY_LOCALS))
    return f"int g(int); int f(int c) {{ int sum = 0; {many} {body} }}"


@pytest.mark.parametrize(
    ("body", "count"),
    some(
        [
            ("int x = 3; if (c) x = g(c); return sum + x;", 0),
            ("int x; if (c) x = 1; return sum + x;", 1),
            ("int x; while (g(sum)) { if (c) x = g(c); sum += x; } return sum;", 1),
            ("int x; goto in; out: return sum + x; in: x = g(c); goto out;", 0),
            ("int x; if (c) goto in; x = 1; in: return sum + x;", 1),
            ("int x; switch (c) { case 1: x = 1; break; case 2: x = 2; break; default: x = g(c); } return sum + x;", 0),
            ("union { int whole; char part; } x; x.part = (char)c; return sum + x.whole;", 1),
        ],
        "many locals",
        3,
    ),
)
def test_many_locals_keep_the_same_values_as_few(body: str, count: int, compile_c: Compile) -> None:
    """A part is not the whole, and a write in a loop or a branch does not come before all uses."""
    many = compile_c(with_many_locals(body)).function("f")
    few = compile_c("int g(int); int f(int c) { int sum = 0; " + body + " }").function("f")
    assert len(sources(many)) == len(sources(few)) == count
    assert len(of_kind(many, Phi)) == len(of_kind(few, Phi))


FLOW = """define void @f(i1 %0) {
  %a = alloca i32
  %b = alloca i32
  %c = alloca i32
  br i1 %0, label %2, label %3

2:
  store i32 1, ptr %a
  store i32 1, ptr %b
  br label %3

3:
  store i32 2, ptr %a
  %4 = load i32, ptr %b
  br label %5

5:
  store i32 3, ptr %c
  %6 = load i32, ptr %a
  switch i32 %6, label %7 [
    i32 1, label %5
  ]

7:
  %8 = load i32, ptr %c
  ret void
}"""


def test_a_write_comes_first_where_it_dominates_all_uses() -> None:
    """``a`` is first written in one branch, ``b`` not in the other, ``c`` before it is used in each turn."""
    found = written_first(FLOW.split("\n"), ["%a", "%b", "%c"], lambda line, name: line.startswith("  store"))
    assert found == {"%c"}
