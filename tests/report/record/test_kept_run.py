"""What is damaged or foreign in a run directory is refused in one line, which names the field."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.support.runs import explore, written
from unfork.cli import main

PROGRAM = """
#include "unfork.h"
int main(void) {
  unsigned char x;
  unfork_symbolic(&x, 1, "x");
  unfork_check(x != 7);
  return 0;
}
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    explore(written(PROGRAM, tmp_path), tmp_path / "run", "--libc", "none", "--native-check", "never")
    return tmp_path / "run"


def changed(path: Path, where: list[str | int], value: Any) -> None:
    data = part = json.loads(path.read_text())
    for key in where[:-1]:
        part = part[key]
    part[where[-1]] = value
    path.write_text(json.dumps(data))


@pytest.mark.parametrize(
    ("where", "value", "reason"),
    [
        (["errors", 0, "line"], "seven", "Expected `int | null`, got `str` - at `$.errors[0].line`"),
        (["errors", 0, "stack", 0], {}, "at `$.errors[0].stack[0]`"),
        (["given_up"], None, "Expected `array`, got `null` - at `$.given_up`"),
        (["program"], "a.c", "Expected `array`, got `str` - at `$.program`"),
    ],
)
@pytest.mark.parametrize("command", ["show", "report", "export"])
def test_a_damaged_summary_is_one_line_that_names_the_field(
    where: list[str | int], value: Any, reason: str, command: str, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed(root / "summary.json", where, value)
    assert main([command, str(root), *["junit"] * (command == "export")]) == 2
    told = capsys.readouterr().err
    assert "is not a summary of unfork (" in told and reason in told and told.count("\n") == 1


def test_a_damaged_test_is_one_line_that_names_the_field(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changed(root / "tests" / "000001.json", ["inputs", 0, "name"], 1)
    assert main(["show", str(root), "tests/000001"]) == 2
    told = capsys.readouterr().err
    assert "Expected `str`, got `int` - at `$.inputs[0].name`" in told and told.count("\n") == 1


@pytest.mark.parametrize("table", ["coverage", "ran"])
def test_coverage_of_a_run_without_its_tables_is_refused(
    table: str, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tables that are not there read as empty: nothing would be covered."""
    with closing(sqlite3.connect(root / "run.db")) as database:
        database.execute(f"DROP TABLE {table}")
    assert main(["export", str(root), "lcov"]) == 2
    assert f"run.db lacks {table}" in capsys.readouterr().err
