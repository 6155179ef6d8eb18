"""Loops that scan come to the same in one step as turn by turn, in fewer paths."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.corpus import PROGRAMS, Expected, read
from tests.runs import edges_of, errors_of, explore
from unfork.cli import main

SCANS = [read(path) for path in sorted((PROGRAMS / "scans").glob("*.c"))]
SPANS = Path(__file__).parents[2] / "bench" / "programs"


@pytest.mark.parametrize("program", SCANS, ids=[program.name for program in SCANS])
def test_as_turn_by_turn(program: Expected, tmp_path: Path) -> None:
    step, turns = (
        explore(program, tmp_path / how, "--merge", "none", "--search", "dfs", "--loops", how)
        for how in ("exact", "run")
    )
    assert errors_of(step) == errors_of(turns) == program.errors
    assert step.verdict == turns.verdict
    assert edges_of(step) == edges_of(turns)
    assert step.summary["paths"]["completed"] <= turns.summary["paths"]["completed"]


@pytest.mark.parametrize("name", ["spans_own", "spans_library"])
@pytest.mark.parametrize("length", [3, 32, 128])
def test_three_spans_are_one_path(name: str, length: int, tmp_path: Path) -> None:
    result = explore(SPANS / f"{name}.c", tmp_path / "run", "--merge", "none", "-D", f"LENGTH={length}")
    assert result.verdict == "safe"
    assert result.summary["paths"]["completed"] == 1


def test_loops_are_listed_with_reasons(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "--loops", str(PROGRAMS / "scans" / "nested.c"), "--libc", "none"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sum(line.endswith("main: in one step") for line in lines) == 2
    assert sum(line.endswith("turn by turn: it has a loop within") for line in lines) == 1
    assert lines[-1] == "2 of 3 loops are taken in one step"
