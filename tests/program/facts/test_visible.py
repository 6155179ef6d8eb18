"""Where debug information has the variables of a function: whole, in pieces, computed, or nowhere."""

from __future__ import annotations

import pytest

from tests.support.compiling import Compile
from unfork.engine.state.memory import Memory
from unfork.engine.step.computed_value import StackWord, computed
from unfork.program.facts.function_facts import FunctionFacts
from unfork.program.facts.visible import LocatedVariable
from unfork.program.llvm.debug_expression import StackComputation
from unfork.program.llvm.ir import Bits, Operand, Register
from unfork.program.llvm.types import IntType

METADATA = """
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "f.c", directory: "/d")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !4, spFlags: DISPFlagDefinition, unit: !0)
!4 = !DISubroutineType(types: !5)
!5 = !{null}
!6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!7 = !DILocalVariable(name: "v", scope: !3, file: !1, line: 2, type: !6)
!8 = !DILocation(line: 5, scope: !3)
!9 = !DILocalVariable(name: "later", scope: !3, file: !1, line: 9, type: !6)
!10 = distinct !DISubprogram(name: "g", scope: !1, file: !1, line: 20, type: !4, spFlags: DISPFlagDefinition, unit: !0)
!11 = !DILocalVariable(name: "w", scope: !10, file: !1, line: 21, type: !6)
!12 = distinct !DILocation(line: 6, scope: !3)
!13 = distinct !DILocation(line: 7, scope: !3)
!14 = !DILocation(line: 22, scope: !10, inlinedAt: !12)
!15 = !DILocation(line: 22, scope: !10, inlinedAt: !13)
!16 = distinct !DIAssignID()
"""
HEAD = "define void @f(i32 %a, i32 %b, ptr %p) !dbg !3 {\n"
A, B, P = (Register(number, IntType(32)) for number in range(3))


def visible(read_ir: Compile, lines: str, block: int = 0, optimize: int = 0) -> dict[str, LocatedVariable]:
    """What is visible at the last instruction of a block, of a function with these lines."""
    declarations = "declare void @use(i32)\n"
    program = read_ir(f"{declarations}{HEAD}{lines}\n}}\n{METADATA}", optimize=optimize)
    function = program.function("f")
    return FunctionFacts(function).visible.during(block, len(function.blocks[block].body) - 1)


@pytest.mark.parametrize("optimize", [0, 1])
@pytest.mark.parametrize(
    "end",
    [
        "#dbg_value(i32 poison, !7, !DIExpression(), !8)",
        "#dbg_value(!{}, !7, !DIExpression(), !8)",
        "#dbg_value(i32 %a, !7, !DIExpression(DW_OP_plus_uconst, 1), !8)",
        "#dbg_value(!DIArgList(i32 %a, i32 poison), !7, "
        "!DIExpression(DW_OP_LLVM_arg, 0, DW_OP_LLVM_arg, 1, DW_OP_plus, DW_OP_stack_value), !8)",
        "#dbg_assign(i32 %a, !7, !DIExpression(), !16, ptr %p, !DIExpression(), !8)",
    ],
)
def test_a_value_ends_where_it_is_lost(read_ir: Compile, end: str, optimize: int) -> None:
    lines = f"    #dbg_value(i32 7, !7, !DIExpression(), !8)\n    {end}\n  ret void, !dbg !8"
    assert not visible(read_ir, lines, optimize=optimize)["v"].is_available


def test_paths_that_disagree_leave_no_value(read_ir: Compile) -> None:
    join = """  %c = icmp eq i32 %a, 0, !dbg !8
    #dbg_value(i32 %a, !7, !DIExpression(), !8)
  br i1 %c, label %left, label %end, !dbg !8
left:
  call void @use(i32 1), !dbg !8
    #dbg_value(i32 VALUE, !7, !DIExpression(), !8)
  br label %end, !dbg !8
end:
  ret void, !dbg !8"""
    assert not visible(read_ir, join.replace("VALUE", "%b"), block=2)["v"].is_available
    assert visible(read_ir, join.replace("VALUE", "%a"), block=2)["v"].operand == A


def test_a_piece_replaces_those_that_it_overlaps(read_ir: Compile) -> None:
    lines = """    #dbg_value(i16 1, !7, !DIExpression(DW_OP_LLVM_fragment, 0, 16), !8)
    #dbg_value(i16 2, !7, !DIExpression(DW_OP_LLVM_fragment, 16, 16), !8)
    #dbg_value(i8 3, !7, !DIExpression(DW_OP_LLVM_fragment, 8, 8), !8)
  ret void, !dbg !8"""
    pieces = visible(read_ir, lines)["v"].operand
    assert isinstance(pieces, tuple)
    assert [(each.start, each.size) for each in pieces] == [(16, 16), (8, 8)]


def test_a_variable_is_not_visible_before_its_declaration(read_ir: Compile) -> None:
    lines = "    #dbg_value(i32 poison, !9, !DIExpression(), !8)\n  ret void, !dbg !8"
    assert not visible(read_ir, lines)


@pytest.mark.parametrize("optimize", [0, 1])
def test_each_inlined_copy_has_its_own_variables(read_ir: Compile, optimize: int) -> None:
    lines = """    #dbg_value(i32 1, !7, !DIExpression(), !8)
    #dbg_value(i32 2, !11, !DIExpression(), !14)
  call void @use(i32 1), !dbg !14
  call void @use(i32 2), !dbg !15
  ret void, !dbg !8"""
    program = read_ir(f"declare void @use(i32)\n{HEAD}{lines}\n}}\n{METADATA}", optimize=optimize)
    known = FunctionFacts(program.function("f")).visible
    assert list(known.during(0, 0)) == ["w", "v"]
    assert list(known.during(0, 1)) == ["v"]


def _known(operand: Operand) -> StackWord | None:
    match operand:
        case Register(index=0):
            return StackWord(0xFFFFFFF0, 32)
        case Register(index=1):
            return StackWord(0x8000000000000000, 64)
    return None


SIGNED = ("LLVM_convert", ("32", "DW_ATE_signed")), ("LLVM_convert", ("64", "DW_ATE_signed"))
NINE = ("constu", ("9",))


@pytest.mark.parametrize(
    ("operand", "steps", "bits", "value"),
    [
        (A, (("plus_uconst", ("20",)),), 32, 4),
        (A, (("plus_uconst", ("20",)),), 64, None),
        (A, (*SIGNED, ("plus_uconst", ("1",))), 64, 0xFFFFFFFFFFFFFFF1),
        (A, (*SIGNED, ("consts", ("-3",)), ("div", ())), 32, 5),
        (A, (("constu", ("4",)), ("shra", ())), 32, None),
        (B, (("constu", ("60",)), ("shra", ())), 64, 0xFFFFFFFFFFFFFFF8),
        (B, (("constu", ("60",)), ("shr", ())), 64, 8),
        (A, (("constu", ("4",)), ("shl", ())), 32, 0xFFFFFF00),
        (A, (NINE, ("mul", ()), ("neg", ())), 32, 144),
        (A, (("deref", ()),), 32, None),
        (P, (NINE, ("plus", ())), 32, None),
        (A, (("plus", ()),), 32, None),
    ],
)
def test_what_an_expression_computes(
    operand: Operand, steps: tuple[tuple[str, tuple[str, ...]], ...], bits: int, value: int | None
) -> None:
    assert computed(StackComputation((operand,), steps), _known, Memory(), bits) == value


def test_an_expression_may_take_several_operands() -> None:
    takes = (("LLVM_arg", ("0",)), ("LLVM_arg", ("1",)), ("minus", ()))
    operands = (Register(0, IntType(32)), Register(0, IntType(32)))
    assert computed(StackComputation(operands, takes), _known, Memory(), 32) == 0
    assert computed(StackComputation((A, Bits(1, IntType(32))), takes), _known, Memory(), 32) is None
