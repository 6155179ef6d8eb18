"""Thread-local variables that instructions and constants name directly, and what cannot name them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.runs import explore, written

NAMED = Path(__file__).parent / "thread_locals.ll"
INITIALISER = """
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
@own = thread_local global i32 4
@place = global { i32, ptr } { i32 1, ptr @own }
define i32 @main() {
  %value = load i32, ptr @place
  ret i32 %value
}
"""


@pytest.mark.parametrize("passes", ["0", "1"])
def test_each_thread_has_its_own_whatever_names_it(passes: str, tmp_path: Path) -> None:
    result = explore(NAMED, tmp_path / "out", "--optimize", passes)
    assert result.summary["verdict"] == "safe"
    assert result.summary["threads"] == 3


def test_no_initialiser_names_one(tmp_path: Path) -> None:
    result = explore(written(INITIALISER, tmp_path, "program.ll"), tmp_path / "out", "--libc", "none")
    assert result.summary["verdict"] == "unknown"
    assert [text for text in result.summary["unsupported"] if "thread-local variable, which is no constant" in text]
