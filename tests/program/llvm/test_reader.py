"""Reading LLVM IR: every instruction that C needs, constants, debug information, and what is not known."""

from __future__ import annotations

import struct
from collections.abc import Callable

import pytest

from unfork.program.llvm.debug_info import DebugInfo
from unfork.program.llvm.ir import (
    Aggregate,
    Alloca,
    AtomicUpdate,
    Binary,
    Bits,
    BlockAddress,
    ByteString,
    Call,
    Cast,
    CompareExchange,
    ConstantExpression,
    Fence,
    Freeze,
    GetElementPointer,
    GlobalAddress,
    IndirectBranch,
    InlineAssembly,
    InsertValue,
    Instruction,
    Invoked,
    LandingPad,
    Load,
    MetadataOperand,
    Register,
    Resume,
    Return,
    ShuffleVector,
    Store,
    Switch,
    Undefined,
    UnknownInstruction,
    VariadicArgument,
    Zero,
)
from unfork.program.llvm.module import Function, Program
from unfork.program.llvm.types import ArrayType, FloatType, IntType, PointerType, StructType, VectorType

Compile = Callable[..., Program]
I8, I32, I64 = IntType(8), IntType(32), IntType(64)
POINTER = PointerType()


def body(function: Function) -> list[Instruction]:
    return [it for block in function.blocks for it in block.body]


def single(read_ir: Compile, line: str, head: str = "i32 %a, i32 %b, ptr %p", extra: str = "") -> Instruction:
    """The one instruction before the return."""
    program = read_ir(f"{extra}\ndefine void @f({head}) {{\n  {line}\n  ret void\n}}\n")
    return body(program.function("f"))[0]


A, B, P = Register(0, I32), Register(1, I32), Register(2, POINTER)


def test_registers_are_numbered_in_program_order(read_ir: Compile) -> None:
    text = """
define i32 @f(i32 %0, i32 %named) {
  %2 = add nsw i32 %0, %named
  br label %loop
loop:
  %x = phi i32 [ %2, %1 ], [ %"odd name", %loop ]
  %"odd name" = mul i32 %x, %x
  %c = icmp slt i32 %"odd name", 9
  br i1 %c, label %loop, label %"the end"
"the end":
  ret i32 %x
}
"""
    function = read_ir(text).function("f")
    assert function.register_count == 6
    assert [block.label for block in function.blocks] == ["1", "loop", "the end"]
    (phi,) = function.blocks[1].phis
    assert phi.incoming == ((Register(2, I32), 0), (Register(4, I32), 1))
    assert body(function)[0] == Binary(2, "add", I32, A, B, ("nsw",), None)


@pytest.mark.parametrize(
    ("line", "offset", "terms"),
    [
        ("%r = getelementptr i8, ptr %p, i64 -3", -3, ()),
        ("%r = getelementptr inbounds nuw [4 x i32], ptr %p, i64 1, i64 2", 24, ()),
        ("%r = getelementptr inbounds { i8, [3 x i64] }, ptr %p, i64 0, i32 1, i32 %a", 8, ((A, 8),)),
        ("%r = getelementptr { i8, [3 x i64] }, ptr %p, i32 %a, i32 1, i32 %b", 8, ((A, 32), (B, 8))),
        ("%r = getelementptr <{ i8, i32 }>, ptr %p, i64 1, i32 1", 6, ()),
        ("%r = getelementptr [0 x {}], ptr %p, i64 5, i64 %n", 0, ()),
    ],
)
def test_geps_are_laid_out(read_ir: Compile, line: str, offset: int, terms: object) -> None:
    found = single(read_ir, line, "i32 %a, i32 %b, ptr %p, i64 %n")
    assert isinstance(found, GetElementPointer)
    assert (found.base, found.offset, found.terms) == (P, offset, terms)


def test_a_vector_of_pointers(read_ir: Compile) -> None:
    found = single(read_ir, "%r = getelementptr i32, ptr %p, <2 x i64> %v", "i32 %a, i32 %b, ptr %p, <2 x i64> %v")
    assert isinstance(found, GetElementPointer)
    assert found.type == VectorType(2, POINTER)
    assert found.terms == ((Register(3, VectorType(2, I64)), 4),)


def test_memory_instructions(read_ir: Compile) -> None:
    assert single(read_ir, "%r = alloca { i8, i32 }, i32 %a, align 16") == Alloca(
        3, StructType((I8, I32)), A, 16, None, 0, False
    )
    assert single(read_ir, "%r = load volatile i32, ptr %p, align 1") == Load(3, I32, P, 1, True, None)
    assert single(read_ir, '%r = load atomic i32, ptr %p syncscope("x") seq_cst, align 4') == Load(
        3, I32, P, 4, False, None, "seq_cst"
    )
    assert single(read_ir, "store atomic volatile i32 %a, ptr %p release, align 4") == Store(
        -1, I32, A, P, 4, True, None, "release"
    )
    assert single(read_ir, "%r = atomicrmw volatile umax ptr %p, i32 %a seq_cst, align 4") == AtomicUpdate(
        3, "umax", I32, P, A, None
    )
    assert single(read_ir, "%r = cmpxchg weak ptr %p, i32 %a, i32 %b acq_rel monotonic, align 4") == CompareExchange(
        3, StructType((I32, IntType(1))), P, A, B, None, "acq_rel", "monotonic", is_weak=True
    )
    assert single(read_ir, "fence acquire") == Fence(-1, None)
    assert single(read_ir, "%r = va_arg ptr %p, i64") == VariadicArgument(3, I64, P, None)


def test_casts_and_freeze(read_ir: Compile) -> None:
    assert single(read_ir, "%r = zext nneg i32 %a to i64") == Cast(3, "zext", I32, A, I64, None)
    assert single(read_ir, "%r = trunc nuw nsw i32 %a to i8") == Cast(3, "trunc", I32, A, I8, None)
    assert single(read_ir, "%r = ptrtoint ptr %p to i64") == Cast(3, "ptrtoint", POINTER, P, I64, None)
    assert single(read_ir, "%r = freeze i32 poison") == Freeze(3, I32, Undefined(I32), None)


def test_calls(read_ir: Compile) -> None:
    declare = "%s = type { i64, [3 x i32] }\ndeclare i32 @g(ptr, ...)\ndeclare void @h(ptr, i32)\ndeclare ptr @k(ptr)"

    def call(line: str) -> Call:
        found = single(read_ir, line, extra=declare)
        assert isinstance(found, Call), found
        return found

    found = call("%r = tail call i32 (ptr, ...) @g(ptr noundef nonnull align 8 dereferenceable(4) %p, i32 %a) nounwind")
    assert (found.type.result, found.type.variadic, found.arguments) == (I32, True, (P, A))
    found = call("call void @h(ptr byval(%s) align 8 %p, i32 zeroext range(i32 0, 5) 3)")
    assert found.byval == (StructType((I64, ArrayType(3, I32))), None)
    assert found.arguments == (P, Bits(3, I32))
    found = call("%r = notail call fastcc noalias align 16 ptr @k(ptr captures(none) null)")
    assert found.arguments == (Bits(0, POINTER),)
    found = call("%r = call noundef i32 %p(i32 noundef -1, double 1.0)")
    assert found.callee == P
    assert found.type.parameters == (I32, FloatType("double"))
    found = call('call void @h(ptr null, i32 undef) [ "deopt"(i32 1, ptr %p), "x"() ]')
    assert found.arguments == (Bits(0, POINTER), Undefined(I32))
    found = call("call void @h(ptr getelementptr (i8, ptr @h, i64 8), i32 trunc (i64 ptrtoint (ptr @h to i64) to i32))")
    assert isinstance(found.arguments[0], ConstantExpression)
    assert isinstance(found.arguments[1], ConstantExpression)
    found = call("%r = call fast float @llvm.fabs.f32(float 0x7FF8000000000000)")
    assert found.arguments == (Bits(0x7FC00000, FloatType("float")),)


def test_inline_assembly(read_ir: Compile) -> None:
    template = r'"lock; xadd $0, $1\0A, !x", "=r,=*m,0,~{memory}"'
    line = f"%r = call i32 asm sideeffect {template}(ptr elementtype(i32) %p, i32 %a)"
    found = single(read_ir, line)
    assert isinstance(found, Call)
    assert found.callee == InlineAssembly("lock; xadd $0, $1\n, !x", "=r,=*m,0,~{memory}")
    assert found.arguments == (P, A)


def test_metadata_arguments(read_ir: Compile) -> None:
    name = "@llvm.experimental.constrained.fadd.f64"
    line = f'%r = call double {name}(double 1.0, double 2.0, metadata !"round.dynamic", metadata !"fpexcept.strict")'
    found = single(read_ir, line)
    assert isinstance(found, Call)
    assert found.arguments[2] == MetadataOperand('!"round.dynamic"')


@pytest.mark.parametrize(
    ("type", "text", "bits"),
    [
        ("float", "1.500000e+00", 0x3FC00000),
        ("float", "0x3FB99999A0000000", 0x3DCCCCCD),
        ("float", "0xFFF0000000000000", 0xFF800000),
        ("float", "0x36A0000000000000", 1),
        ("double", "-0.000000e+00", 1 << 63),
        ("double", "0x7FF0000000000001", 0x7FF0000000000001),
        ("double", "1.000000e+100", struct.unpack("<Q", struct.pack("<d", 1e100))[0]),
        ("half", "0xH3C00", 0x3C00),
        ("bfloat", "0xR3F80", 0x3F80),
        ("x86_fp80", "0xK3FFF8000000000000000", 0x3FFF8000000000000000),
        ("x86_fp80", "0xKC000C90FDAA22168C235", 0xC000C90FDAA22168C235),
    ],
)
def test_floating_constants(read_ir: Compile, type: str, text: str, bits: int) -> None:
    program = read_ir(f"@x = global {type} {text}\n")
    assert program.globals["x"].initializer == Bits(bits, FloatType(type))


def test_globals(read_ir: Compile) -> None:
    program = read_ir(
        """
%pair = type { i8, ptr }
@n = internal unnamed_addr constant [3 x i8] c"a\\00\\22", align 1
@z = dso_local local_unnamed_addr global %pair zeroinitializer, section "foo", align 8
@p = global %pair { i8 -1, ptr getelementptr inbounds ([3 x i8], ptr @n, i64 0, i64 2) }
@t = thread_local(localexec) global i32 undef, align 4
@e = external dso_local global i64, align 8
@w = extern_weak global i8
@v = global <2 x i16> <i16 1, i16 -1>
@s = global <4 x i32> splat (i32 7)
@k = global <{ i8, i32 }> <{ i8 1, i32 2 }>
@b = global ptr blockaddress(@f, %there)
@d = global i64 sub (i64 ptrtoint (ptr @z to i64), i64 ptrtoint (ptr @n to i64))
@"odd name" = alias i8, ptr @n
@fun = weak alias void (), ptr @f
@inside = alias i8, getelementptr inbounds (i8, ptr @n, i64 1)
declare extern_weak void @maybe()
define void @f() {
  br label %there
there:
  ret void
}
"""
    )
    globals_ = program.globals
    assert globals_["n"].initializer == ByteString(b'a\x00"', ArrayType(3, I8))
    assert globals_["n"].constant
    assert globals_["z"].initializer == Zero(StructType((I8, POINTER)))
    assert globals_["z"].alignment == 8
    pair = globals_["p"].initializer
    assert isinstance(pair, Aggregate)
    assert pair.elements[0] == Bits(255, I8)
    assert isinstance(pair.elements[1], ConstantExpression)
    assert globals_["t"].thread_local
    assert globals_["e"].initializer is None
    assert program.weak == {"w", "maybe"}
    assert globals_["v"].initializer == Aggregate(
        (Bits(1, IntType(16)), Bits(0xFFFF, IntType(16))), VectorType(2, IntType(16))
    )
    assert globals_["s"].initializer == Aggregate((Bits(7, I32),) * 4, VectorType(4, I32))
    assert globals_["k"].initializer == Aggregate((Bits(1, I8), Bits(2, I32)), StructType((I8, I32), packed=True))
    assert globals_["b"].initializer == BlockAddress("f", "there")
    inside = program.aliases.pop("inside")
    assert isinstance(inside, ConstantExpression) and isinstance(inside.instruction, GetElementPointer)
    assert program.aliases == {"odd name": GlobalAddress("n"), "fun": GlobalAddress("f")}


def test_names_of_thread_local_variables(read_ir: Compile) -> None:
    """Each is asked for once, before all else; what is made of it is no constant any more."""
    function = read_ir(
        """
@t = thread_local global [2 x i32] zeroinitializer
@inner = thread_local alias i32, getelementptr inbounds ([2 x i32], ptr @t, i64 0, i64 1)
@text = global [3 x i8] c"@t\\00"
define ptr @f(i1 %a) {
  store i32 1, ptr getelementptr inbounds ([2 x i32], ptr @t, i64 0, i64 1)
  %own = call align 4 ptr @llvm.threadlocal.address.p0(ptr align 4 @t)
  br i1 %a, label %then, label %end
then:
  br label %end
end:
  %p = phi ptr [ @t, %0 ], [ @inner, %then ]
  ret ptr %p
}
declare ptr @llvm.threadlocal.address.p0(ptr)
"""
    ).function("f")
    entry = function.blocks[0].body
    asked = [it.arguments for it in body(function) if isinstance(it, Call)]
    assert asked == [(GlobalAddress("t"),), (GlobalAddress("inner"),), (GlobalAddress("t"),)]
    assert function.own_variables == 3
    first, moved, _, store = entry[:4]
    assert isinstance(first, Call) and isinstance(moved, GetElementPointer) and isinstance(store, Store)
    assert (moved.base, moved.offset, moved.result) == (Register(first.result, POINTER), 4, store.pointer.index)
    phi = function.blocks[2].phis[0]
    assert [value for value, _ in phi.incoming] == [Register(first.result, POINTER), Register(entry[2].result, POINTER)]
    results = {phi.result, *[it.result for it in body(function) if it.result >= 0]}
    assert results == set(range(1, function.register_count))


def test_aggregates_with_names_of_thread_local_variables(read_ir: Compile) -> None:
    function = read_ir(
        """
@t = thread_local global i32 0
define { ptr, i32 } @f() {
  ret { ptr, i32 } { ptr @t, i32 7 }
}
"""
    ).function("f")
    own, whole, result = body(function)
    assert isinstance(own, Call) and isinstance(whole, InsertValue) and isinstance(result, Return)
    kind = StructType((POINTER, I32))
    assert whole.aggregate == Aggregate((Undefined(POINTER), Bits(7, I32)), kind)
    assert whole.value == Register(own.result, POINTER)
    assert result.value == Register(whole.result, kind)


def test_weak_declarations_with_debug_information(compile_c: Compile) -> None:
    program = compile_c(
        "__attribute__((weak)) int maybe(int); int f(int x) { return maybe ? maybe(x) : 0; }", flags=("-O1",)
    )
    assert program.weak == {"maybe"}


def test_every_node_is_found_however_many_were(compile_c: Compile) -> None:
    """A search finds the first nodes, and a list of the lines those after them."""
    lines = [f'!{number} = !DIFile(filename: "{number}.c", directory: "")' for number in range(3000)]
    debug = DebugInfo("\n".join(["declare void @f()", *lines, ""]), len("declare void @f()"), {})
    for number in (*range(3000), *range(0, 3000, 7)):
        assert debug.line(number) == lines[number].partition(" = ")[2]
    assert debug.line(3000) is None


def test_constructors_run_by_priority(compile_c: Compile) -> None:
    program = compile_c(
        """
        __attribute__((constructor)) void c1(void) {}
        __attribute__((constructor(200))) void c2(void) {}
        __attribute__((constructor(101))) void c3(void) {}
        __attribute__((destructor)) void d1(void) {}
        __attribute__((destructor(101))) void d2(void) {}
        """
    )
    assert program.constructors == ("c3", "c2", "c1")
    assert program.destructors == ("d1", "d2")
    assert "llvm.global_ctors" not in program.globals


def test_switch_and_indirect_branch(read_ir: Compile) -> None:
    function = read_ir(
        """
define void @f(i8 %x, ptr %p) {
  switch i8 %x, label %d [
    i8 -1, label %a
    i8 2, label %d
  ]
a:
  indirectbr ptr %p, [label %d, label %a]
d:
  ret void
}
"""
    ).function("f")
    assert body(function)[0] == Switch(-1, I8, Register(0, I8), 2, ((255, 1), (2, 2)), None)
    assert body(function)[1] == IndirectBranch(-1, Register(1, POINTER), (2, 1), None)


def test_vectors(read_ir: Compile) -> None:
    head = "<4 x i32> %v, <4 x i32> %w"
    found = single(read_ir, "%r = shufflevector <4 x i32> %v, <4 x i32> %w, <2 x i32> <i32 5, i32 poison>", head)
    assert isinstance(found, ShuffleVector)
    assert found.mask == (5, None)
    found = single(read_ir, "%r = shufflevector <4 x i32> %v, <4 x i32> poison, <2 x i32> zeroinitializer", head)
    assert isinstance(found, ShuffleVector)
    assert found.mask == (0, 0)


def test_an_unknown_instruction_does_not_break_the_function(read_ir: Compile) -> None:
    function = read_ir(
        """
declare void @g()
define i32 @f() {
  callbr void asm "", "!i"()
          to label %fine [label %bad]
fine:
  ret i32 0
bad:
  ret i32 1
}
"""
    ).function("f")
    assert [type(block.body[0]) for block in function.blocks] == [UnknownInstruction, Return, Return]


def test_an_invoke_is_a_call_and_where_it_goes_on(read_ir: Compile) -> None:
    function = read_ir(
        """
declare i32 @g(i32)
declare i32 @__gxx_personality_v0(...)
@kind = external constant ptr
define i32 @f() personality ptr @__gxx_personality_v0 {
  %v = invoke i32 @g(i32 7)
          to label %fine unwind label %bad
fine:
  ret i32 %v
bad:
  %l = landingpad { ptr, i32 }
          cleanup
          catch ptr @kind
          filter [1 x ptr] [ptr @kind]
  resume { ptr, i32 } %l
}
"""
    ).function("f")
    (call, end), _, (pad, resume) = [block.body for block in function.blocks]
    assert isinstance(call, Call)
    assert (call.result, end) == (0, Invoked(-1, 1, 2, None))
    assert isinstance(pad, LandingPad)
    assert pad.is_cleanup
    assert [type(clause) for clause in pad.clauses] == [GlobalAddress, Aggregate]
    assert resume == Resume(-1, Register(1, pad.type), None)


def test_debug_records_name_variables(compile_c: Compile) -> None:
    text = """
typedef unsigned char byte;
struct pair { int a; };
int f(byte b, const struct pair *p, float v[3], int (*g)(int)) {
  int local[2][3];
  local[1][2] = b;
  return local[1][b] + p->a;
}
"""
    function = compile_c(text).function("f")
    records = [record for block in function.blocks for record in block.debug]
    found = {record.variable.name: record.variable for record in records}
    assert (found["b"].type_name, found["b"].encoding, found["b"].size) == ("byte", "unsigned_char", 1)
    assert (found["p"].type_name, found["p"].encoding, found["p"].size) == ("const struct pair *", "pointer", 8)
    assert found["v"].type_name == "float *"
    assert found["g"].type_name == "int (*)()"
    assert (found["local"].type_name, found["local"].size) == ("int[2][3]", 24)
    in_memory = [record for record in records if record.variable.name == "local"]
    assert [record.indirect for record in in_memory] == [True]


def test_inlined_positions_know_the_call(compile_c: Compile) -> None:
    text = "static int h(int x) {\n  return x / 3;\n}\nint f(int x) {\n  return h(x);\n}\n"
    function = compile_c(text, flags=("-O1", "-fno-discard-value-names")).function("f")
    (division,) = [it for it in body(function) if isinstance(it, Binary)]
    position = division.position
    assert position is not None
    assert (position.function, position.line) == ("h", 2)
    assert position.inlined_at is not None
    assert (position.inlined_at.function, position.inlined_at.line) == ("f", 5)


def test_captured_addresses(compile_c: Compile) -> None:
    text = """
void g(int *); void unfork_symbolic(void *, unsigned long, const char *);
int f(int i) {
  int given, made[4], copied[8], kept[4], *p, **hold;
  g(&given);
  unfork_symbolic(made, sizeof made, "made");
  __builtin_memset(copied, 0, sizeof copied);
  p = kept; hold = &p; *hold += 1;
  return made[i] + copied[i] + kept[i] + *p;
}
"""
    function = compile_c(text).function("f")
    names = {
        record.operand.index: record.variable.name
        for block in function.blocks
        for record in block.debug
        if record.indirect and isinstance(record.operand, Register)
    }
    captured = {names[it.result]: it.captured for it in body(function) if isinstance(it, Alloca)}
    assert captured == {"given": True, "made": False, "copied": False, "kept": True, "p": False}
