"""States that a limit leaves go on concretely: their tests say what comes, and an error that comes is reported."""

from __future__ import annotations

from pathlib import Path

import pytest

from unfork import Options, run
from unfork.commands.run.run import Result
from unfork.report.record import left_paths
from unfork.report.record.kept_run import read_test
from unfork.world.inputs.testcase import Exit

PROGRAM = """#include <assert.h>
#include <unfork.h>
int main(void) {
  unsigned char bytes[4];
  unfork_symbolic(bytes, sizeof bytes, "bytes");
  int zeros = 0;
  for (int i = 0; i < 4; i++) if (bytes[i] == 0) zeros++;
  assert(zeros BUG);
  return zeros;
}
"""


def stopped(tmp_path: Path, bug: str) -> Result:
    """A run that ends at its first fork, with two states left."""
    source = tmp_path / "p.c"
    source.write_text(PROGRAM.replace("BUG", bug))
    return run([source], Options(out=str(tmp_path / "run"), quiet=True, max_forks=1, libc="none"))


def test_tests_of_left_states_say_what_comes(tmp_path: Path) -> None:
    result = stopped(tmp_path, "< 5")
    tests = [read_test(path) for path in result.tests]
    assert result.verdict == "unknown"
    assert tests
    for test in tests:
        (data,) = [one.data for one in test.inputs]
        assert test.expect == Exit(data.count(0))


def test_an_error_that_comes_is_reported(tmp_path: Path) -> None:
    result = stopped(tmp_path, "== 5")
    assert result.verdict == "unsafe"
    assert [(one.kind, one.line) for one in result.errors] == [("assert", 8)]


def test_beyond_what_may_be_spent_tests_expect_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(left_paths, "_ALL_TO_THE_END", 0)
    result = stopped(tmp_path, "== 5")
    assert result.verdict == "unknown"
    assert [read_test(path).expect for path in result.tests] == [None] * len(result.tests)
