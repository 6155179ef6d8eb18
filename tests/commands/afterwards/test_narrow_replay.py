"""Tests of programs for 32 bits run natively, too."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.power import IS_FULL
from tests.support.runs import explore, written
from unfork.cli import main

PROGRAM = """#include <assert.h>
#include "unfork.h"
int main(void) {
  unsigned long n;
  unfork_symbolic(&n, sizeof n, "n");
  assert(n * 8 / 8 == n);
  return sizeof n - 4;
}
"""


@pytest.mark.skipif(not IS_FULL, reason="zig compiles musl for i386 first, which takes a minute")
def test_tests_end_natively_as_on_the_engine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    result = explore(written(PROGRAM, tmp_path), out, "--native-check", "always", data_model="ILP32")
    assert [error.kind for error in result.errors] == ["assert"]
    assert main(["replay", "--native", str(out)]) == 0
    assert "2 of 2 tests end as expected" in capsys.readouterr().out
