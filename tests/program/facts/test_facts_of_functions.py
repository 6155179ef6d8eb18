"""Facts about one function: types of registers, what floats come from, what looks at addresses, what is visible."""

from __future__ import annotations

from tests.support.compiling import Compile
from unfork.program.facts.address_uses import AddressUses
from unfork.program.facts.function_facts import FunctionFacts, register_types
from unfork.program.llvm.ir import Binary, Compare
from unfork.program.llvm.types import POINTER, DebugVariable, FloatType, IntType

FLOATS = """
define i32 @f(i32 %number, double %given, i32 %other, ptr %place) {
  %converted = sitofp i32 %number to double
  %sum = fadd double %converted, %given
  store double %sum, ptr %place
  %plain = add i32 %other, 1
  ret i32 %plain
}
"""
ADDRESSES = """
define i1 @f(ptr %first, ptr %second, i64 %number) {
  %a = ptrtoint ptr %first to i64
  %b = ptrtoint ptr %second to i64
  %mixed = mul i64 %a, 31
  %doubled = mul i64 %number, 2
  %same = icmp eq i64 %a, %b
  ret i1 %same
}
"""
LOCALS = """
int f(int n) {
    int outer = n + 1;
    for (int turn = 0; turn < n; ++turn) {
        int n = turn * 2;
        outer += n;
    }
    return outer;
}
"""


def test_each_register_has_its_type(read_ir: Compile) -> None:
    function = read_ir(FLOATS).function("f")
    double = FloatType("double")
    assert register_types(function) == [IntType(32), double, IntType(32), POINTER, double, double, IntType(32)]


def test_a_product_looks_at_an_address_and_a_test_for_equality_does_not(read_ir: Compile) -> None:
    function = read_ir(ADDRESSES).function("f")
    uses = AddressUses(function)
    body = function.blocks[0].body
    products = [instruction for instruction in body if isinstance(instruction, Binary)]
    assert [len(uses.looked_at_by(product)) for product in products] == [1, 0]
    assert not any(uses.looked_at_by(instruction) for instruction in body if isinstance(instruction, Compare))


def test_an_inner_variable_hides_the_outer_one(compile_c: Compile) -> None:
    function = compile_c(LOCALS).function("f")
    visible = FunctionFacts(function).visible
    lines: dict[int, set[str]] = {}
    variables: dict[int, DebugVariable] = {}
    for number, block in enumerate(function.blocks):
        for index, instruction in enumerate(block.body):
            if instruction.position is not None:
                found = visible.at(number, index)
                lines.setdefault(instruction.position.line, set()).update(found)
                if (located := found.get("n")) is not None:
                    variables[instruction.position.line] = located.variable
    assert {"n", "outer"} <= lines[8]
    assert "turn" not in lines[8]
    assert {"n", "outer", "turn"} <= lines[6]
    assert variables[6] != variables[8]


def test_what_is_read_later_is_live(read_ir: Compile) -> None:
    function = read_ir(FLOATS).function("f")
    facts = FunctionFacts(function)
    assert facts.types == register_types(function)
