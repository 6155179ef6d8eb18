"""Sizes, alignments and offsets against what the x86-64 ABI says, and the layouts of modules that are taken or refused.

Layouts of x86-64 are all taken, whoever wrote them; what differs on another machine is refused, by name.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from unfork.errors import InputError
from unfork.program.llvm.compiler import CompileOptions, build
from unfork.program.llvm.layout import (
    DATA_LAYOUT,
    NARROW_DATA_LAYOUT,
    TRIPLE,
    alignment_of,
    assumption,
    bits_of,
    is_narrow,
    narrow_objection,
    objection,
    offset_of,
    size_of,
    store_size,
)
from unfork.program.llvm.types import (
    NARROW_POINTER,
    ArrayType,
    FloatType,
    IntType,
    PointerType,
    StructType,
    Type,
    VectorType,
)

I8, I32, I64, I128 = IntType(8), IntType(32), IntType(64), IntType(128)
LONG_DOUBLE = FloatType("x86_fp80")


@pytest.mark.parametrize(
    ("type", "size", "alignment", "stored"),
    [
        (IntType(1), 1, 1, 1),
        (I8, 1, 1, 1),
        (IntType(24), 4, 4, 3),
        (IntType(33), 8, 8, 5),
        (I64, 8, 8, 8),
        (IntType(65), 16, 16, 9),
        (I128, 16, 16, 16),
        (PointerType(), 8, 8, 8),
        (FloatType("half"), 2, 2, 2),
        (FloatType("double"), 8, 8, 8),
        (LONG_DOUBLE, 16, 16, 10),
        (FloatType("fp128"), 16, 16, 16),
        (VectorType(3, I32), 16, 16, 12),
        (VectorType(4, IntType(1)), 1, 1, 1),
        (VectorType(8, I32), 32, 32, 32),
        (ArrayType(3, I32), 12, 4, 12),
        (ArrayType(0, I64), 0, 8, 0),
        (StructType((I8, I32)), 8, 4, 8),
        (StructType((I8, I32), packed=True), 5, 1, 5),
        (StructType((I32, I8)), 8, 4, 8),
        (StructType((I8, I128)), 32, 16, 32),
        (StructType((I8, LONG_DOUBLE, I8)), 48, 16, 48),
        (StructType(()), 0, 1, 0),
    ],
)
def test_sizes(type: Type, size: int, alignment: int, stored: int) -> None:
    assert (size_of(type), alignment_of(type), store_size(type)) == (size, alignment, stored)


def test_offsets() -> None:
    struct = StructType((I8, IntType(16), I8, ArrayType(3, StructType((I8, I64))), I8))
    assert [offset_of(struct, index) for index in range(5)] == [0, 2, 4, 8, 56]
    assert offset_of(StructType((I8, I64), packed=True), 1) == 1


def test_bits() -> None:
    assert bits_of(LONG_DOUBLE) == 80
    assert bits_of(VectorType(4, IntType(1))) == 4
    assert bits_of(StructType((I8, I32))) == 64


OLD = (
    "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-f32:32:32-f64:64:64"
    "-v64:64:64-v128:128:128-a0:0:64-s0:64:64-f80:128:128-n8:16:32:64"
)
"""As clang wrote it up to version 3.4, and as people write it by hand."""
ACCEPTED = (
    DATA_LAYOUT,
    OLD,
    OLD + "-S128",
    "e-m:e-i64:64-f80:128-n8:16:32:64-S128",  # clang 3.5 to 9
    "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128",  # clang 10 to 17, rustc before 1.77
    "e-m:o-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128",  # macOS
    "S128-n8:16:32:64-f80:128-i128:128-i64:64-e-m:e",  # in another order
    "e-i64:64-n8:16:32:64-S128",  # without a word on x86_fp80
    "e-p:64:64-a:0:64-v16:16-v32:32-f16:16-f128:128",
    "e",
    "",
)
REFUSED = {
    "E-p:64:64": "big endian",
    "e-p:32:32-i64:64-f80:128": "p:32:32: pointers of x86-64 have 64 bits",  # x32
    "e-p:64:64:64:32": "pointers of x86-64 have 64 bits",
    "e-p0:32:32": "pointers of x86-64 have 64 bits",
    "e-p:64:32": "aligned to 64 bits",
    "e-m:e-p:64:64-i64:32:64-f80:128": "i64:32:64: it is aligned to 64 bits on x86-64",
    "e-m:e-i64:64-f80:32-S128": "f80:32: it is aligned to 128 bits on x86-64",
    "e-m:e-i64:64-i128:64": "i128:64: it is aligned to 128 bits",
    "e-v128:64": "aligned to 128 bits",
    "e-a:32": "aligned as their members",
    "e-A5": "address space",
}


@pytest.mark.parametrize("layout", ACCEPTED)
def test_layouts_of_x86_64_are_taken(layout: str) -> None:
    assert objection("x86_64-unknown-linux-gnu", layout) is None
    assert objection("", layout) is None


@pytest.mark.parametrize("layout", REFUSED)
def test_layouts_of_other_machines_are_refused(layout: str) -> None:
    found = objection("x86_64-unknown-linux-gnu", layout)
    assert found is not None
    assert REFUSED[layout] in found


@pytest.mark.parametrize("triple", ["i686-pc-linux-gnu", "aarch64-unknown-linux-gnu", "x86_64-pc-windows-msvc"])
def test_other_targets_are_refused(triple: str) -> None:
    found = objection(triple, "")
    assert found is not None
    assert triple in found


@pytest.mark.parametrize("layout", [NARROW_DATA_LAYOUT, NARROW_DATA_LAYOUT.replace("i128:128-", ""), ""])
def test_layouts_of_i386_are_taken(layout: str) -> None:
    assert is_narrow("i686-pc-linux-gnu")
    assert narrow_objection("i686-pc-linux-gnu", layout) is None


def test_other_layouts_of_i386_are_refused() -> None:
    assert narrow_objection("i386-pc-windows-msvc", "") is not None
    assert narrow_objection("i386-unknown-linux-gnu", NARROW_DATA_LAYOUT.replace("f64:32:64-", "")) is not None


def test_offsets_of_i386() -> None:
    double, long_double = FloatType("double"), FloatType("x86_fp80", 4)
    struct = StructType((I8, I64, I8, double, NARROW_POINTER, ArrayType(2, I64), long_double, I8), word=4)
    assert [offset_of(struct, index) for index in range(8)] == [0, 4, 12, 16, 24, 28, 44, 56]
    assert (size_of(struct), alignment_of(struct)) == (60, 4)
    assert (size_of(NARROW_POINTER), store_size(NARROW_POINTER), bits_of(NARROW_POINTER)) == (4, 4, 64)


def test_what_is_missing_is_said() -> None:
    assert assumption(TRIPLE, DATA_LAYOUT) == ""
    assert "no target:" in assumption("", DATA_LAYOUT)
    assert "no data layout:" in assumption(TRIPLE, "")
    assert "neither" in assumption("", "")


def test_files_of_several_clangs_make_one_program(tmp_path: Path) -> None:
    old = tmp_path / "old.ll"
    old.write_text(
        f'target datalayout = "{OLD}"\ntarget triple = "x86_64-unknown-linux-gnu"\n'
        "%pair = type { i8, x86_fp80 }\n@one = global %pair zeroinitializer\n"
        "declare i32 @f()\ndefine i32 @main() {\n  %r = call i32 @f()\n  ret i32 %r\n}\n"
    )
    bare = tmp_path / "bare.ll"
    bare.write_text("define i32 @f() {\n  ret i32 7\n}\n")
    program = build([old, bare], CompileOptions())
    assert set(program.defined) == {"main", "f"}
    assert program.notes == (f"{bare}: {assumption('', '')}",)
    again = tmp_path / "again.bc"
    again.write_bytes(program.bitcode)
    assert build([again], CompileOptions()).notes == ()


def test_a_file_for_another_machine_is_refused_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "big.ll"
    file.write_text('target datalayout = "E-p:64:64"\ndefine i32 @main() {\n  ret i32 0\n}\n')
    with pytest.raises(InputError) as caught:
        build([file], CompileOptions())
    assert str(caught.value) == (
        f"{file}: has the data layout of another machine (E: big endian); "
        f"only x86-64 and i386 Linux can be run (clang -target {TRIPLE})"
    )
