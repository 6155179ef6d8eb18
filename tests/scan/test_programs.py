"""What is certain in each small program, and nothing else: its first comment says so (bench/scan.py reads it)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.scan import PROGRAMS, expectation
from tests.power import IS_FULL
from unfork.cli import main

MISSED: dict[str, str] = {
    "table_full": "the counter of a table is a variable that the code never tests",
}
"""Programs whose certain bug is not told yet, or told as conditional."""
LONG = (
    "call_with_null_result",
    "division_by_own_count",
    "needs_a_list_without_cycle",
    "needs_a_position_inside",
    "needs_a_tree",
    "needs_an_end",
    "needs_room",
    "null_list_end",
    "own_block_leak",
    "own_block_short_copy",
    "own_buffer_sprintf",
    "size_beside_pointer",
    "size_loop_le",
    "table_index_of_text",
)
"""Programs that take more than some seconds."""
NAMES = [path.stem for path in sorted(PROGRAMS.glob("*.c")) if IS_FULL or path.stem not in LONG]


def _row(name: str) -> object:
    marks = [pytest.mark.xfail(reason=MISSED[name], strict=True)] if name in MISSED else []
    return pytest.param(name, marks=marks)


@pytest.mark.native_check
@pytest.mark.parametrize("name", [_row(name) for name in NAMES])
def test_what_is_certain_is_what_the_program_says(name: str, tmp_path: Path) -> None:
    program = PROGRAMS / f"{name}.c"
    certain, _, options = expectation(program)
    words = ["--out", str(tmp_path / "out"), "--cores", "1", "--per-function", "60", "--no-progress"]
    words += ["--no-cache", "--quiet"]
    status = main(["scan", str(program), *words, *options])
    told = json.loads((tmp_path / "out" / "scan.json").read_text())
    assert {(each["kind"], each["line"]) for each in told["findings"] if each["certainty"] == "certain"} == certain
    assert status == bool(certain)
