"""Atomic updates of types that C does not have."""

from __future__ import annotations

from pathlib import Path

from tests.runs import explore, written

OF_VECTORS = """
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
@place = global <2 x float> zeroinitializer, align 8
define i32 @main() {
  %old = atomicrmw fadd ptr @place, <2 x float> <float 1.0, float 2.0> seq_cst, align 8
  ret i32 0
}
"""


def test_an_update_of_vectors_is_unsupported(tmp_path: Path) -> None:
    result = explore(written(OF_VECTORS, tmp_path, "program.ll"), tmp_path / "out", "--libc", "none")
    assert result.summary["internal_error"] is None
    assert result.summary["unsupported"] == ["atomicrmw fadd of vectors"]
