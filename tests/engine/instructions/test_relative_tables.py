"""Tables of 32-bit distances in LLVM text: read by the intrinsic, and by what it is lowered to."""

from __future__ import annotations

from pathlib import Path

import pytest

from unfork.commands.run import run as runs
from unfork.options.options import Options

TEXT = """\
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
@zero = private unnamed_addr constant [5 x i8] c"zero\\00", align 1
@one = private unnamed_addr constant [4 x i8] c"one\\00", align 1
@table = private unnamed_addr constant [2 x i32] [
  i32 trunc (i64 sub (i64 ptrtoint (ptr @zero to i64), i64 ptrtoint (ptr @table to i64)) to i32),
  i32 trunc (i64 sub (i64 ptrtoint (ptr @one to i64), i64 ptrtoint (ptr @table to i64)) to i32)], align 4
@k = private constant [2 x i8] c"k\\00"
declare void @unfork_symbolic(ptr, i64, ptr)
declare void @unfork_check(i32)
declare ptr @llvm.load.relative.i64(ptr, i64)
define ptr @name(i64 %wide) {
  %offset = shl i64 %wide, 2
  LOOKUP
  ret ptr %there
}
define i32 @main() {
  %p = alloca i32
  call void @unfork_symbolic(ptr %p, i64 4, ptr @k)
  %i = load i32, ptr %p
  %low = and i32 %i, 1
  %wide = zext i32 %low to i64
  %there = call ptr @name(i64 %wide)
  %same = icmp eq ptr %there, @one
  %even = icmp eq i32 %low, 0
  %right = xor i1 %same, %even
  %first = zext i1 %right to i32
  call void @unfork_check(i32 %first)
  %last = getelementptr i8, ptr %there, i64 2
  %character = load i8, ptr %last
  %is = icmp ne i8 %character, 114
  %second = zext i1 %is to i32
  call void @unfork_check(i32 %second)
  ret i32 0
}
"""
INTRINSIC = "%there = call ptr @llvm.load.relative.i64(ptr @table, i64 %offset)"
LOWERED = """%entry = getelementptr inbounds [2 x i32], ptr @table, i64 0, i64 %wide
  %distance = load i32, ptr %entry, align 4
  %far = sext i32 %distance to i64
  %there = getelementptr i8, ptr @table, i64 %far"""
LOWERED_WITHOUT_SEXT = """%entry = getelementptr i8, ptr @table, i64 %offset
  %distance = load i32, ptr %entry, align 4
  %there = getelementptr i8, ptr @table, i32 %distance"""


@pytest.mark.parametrize("optimize", [0, 1])
@pytest.mark.parametrize("lookup", [INTRINSIC, LOWERED, LOWERED_WITHOUT_SEXT], ids=["intrinsic", "lowered", "narrow"])
def test_a_table_leads_to_its_objects(lookup: str, optimize: int, tmp_path: Path) -> None:
    """Only the third letter of "zero" fails; that of "one" does not, and each pointer equals its string's."""
    file = tmp_path / "table.ll"
    file.write_text(TEXT.replace("LOOKUP", lookup))
    result = runs.run([file], Options(out=str(tmp_path / "run"), optimize=optimize, libc="none"))
    assert [one.kind for one in result.errors] == ["assert"]
    assert result.summary["paths"]["completed"] == 2 and not result.summary["alarms"]
