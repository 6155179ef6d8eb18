"""Small functions of a C++ library's headers are inlined, and nobody can tell."""

from __future__ import annotations

from pathlib import Path

import pytest

from unfork.program.llvm.compiler import CompileOptions, build
from unfork.program.llvm.ir import Call, GlobalAddress
from unfork.program.llvm.module import Function, Program

SOURCE = """\
# 1 "/unfork-libc/libcxx/header.h"
inline int quotient(int number, int divisor) {
  return number / divisor;
}
inline int larger(int number) {
  return number > 1 ? number : 1;
}
# 1 "{file}"
inline int own(int number) {
  return larger(number);
}
int f(int number) {
  int result =
    quotient(8, own(number));
  return result;
}
"""


def program(folder: Path, optimize: int) -> Program:
    file = folder / "a.cpp"
    file.write_text(SOURCE.replace("{file}", str(file)))
    return build([file], CompileOptions(optimize=optimize))


def called(function: Function) -> list[str]:
    return [
        instruction.callee.name
        for block in function.blocks
        for instruction in block.body
        if isinstance(instruction, Call) and isinstance(instruction.callee, GlobalAddress)
    ]


def test_only_small_functions_of_headers_are_inlined(tmp_path: Path) -> None:
    assert "_Z8quotientii" in called(program(tmp_path, 0).function("_Z1fi"))
    inlined = program(tmp_path, 1)
    assert called(inlined.function("_Z1fi")) == ["_Z3owni"]
    assert called(inlined.function("_Z3owni")) == ["_Z6largeri"]


def test_positions_tell_the_call(tmp_path: Path) -> None:
    function = program(tmp_path, 1).function("_Z1fi")
    positions = [
        instruction.position for block in function.blocks for instruction in block.body if instruction.position
    ]
    inner = next(position for position in positions if position.file == "/unfork-libc/libcxx/header.h")
    assert (inner.line, inner.function) == (2, "quotient")
    assert inner.inlined_at is not None
    assert (inner.inlined_at.line, inner.inlined_at.function) == (6, "f")


@pytest.mark.parametrize("name", ["_Z1fi", "_Z3owni"])
def test_lines_to_cover_are_the_same(tmp_path: Path, name: str) -> None:
    def lines(optimize: int) -> set[tuple[str, int]]:
        outlines = program(tmp_path, optimize).outlines
        return set(outlines.lines({each for block in outlines.locations(name) for each in block}).values())

    assert lines(0) == lines(1)
