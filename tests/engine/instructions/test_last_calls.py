"""Calls that end their caller (musttail): the callee takes the caller's place on the stack, and its locals are gone."""

from __future__ import annotations

from pathlib import Path

import pytest

from unfork.commands.run import run as runs
from unfork.options.options import Options

TEXT = """\
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
@other = global ptr @even
declare void @unfork_check(i32)
define i32 @even(i32 %left, ptr %kept) {
  %room = alloca [65536 x i8]
  %first = load i8, ptr %kept
  store i8 1, ptr %room
  %ends = icmp eq i32 %left, 0
  br i1 %ends, label %end, label %go_on
go_on:
  %fewer = sub i32 %left, 1
  %next = load ptr, ptr @other
  %result = CALL i32 %next(i32 %fewer, ptr KEPT)
  ret i32 %result
end:
  ret i32 7
}
define i32 @main() {
  %own = alloca i8
  store i8 1, ptr %own
  %result = call i32 @even(i32 TURNS, ptr %own)
  %right = icmp eq i32 %result, 7
  %checked = zext i1 %right to i32
  call void @unfork_check(i32 %checked)
  ret i32 0
}
"""


@pytest.mark.parametrize(
    ("call", "kept", "turns", "kinds"),
    [
        ("musttail call", "%kept", 200, []),
        ("call", "%kept", 200, ["stack-overflow"]),
        ("musttail call", "%room", 1, ["use-after-free"]),
        ("call", "%room", 1, []),
    ],
)
def test_a_last_call_takes_its_callers_place(
    call: str, kept: str, turns: int, kinds: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "last.ll"
    file.write_text(TEXT.replace("CALL", call).replace("KEPT", kept).replace("TURNS", str(turns)))
    result = runs.run([file], Options(out=str(tmp_path / "run"), libc="none", native_check="never"))
    assert [one.kind for one in result.errors] == kinds
    assert not result.summary["unsupported"]
