"""Loops that scan come to the same in one step as turn by turn, in fewer paths."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.corpus import PROGRAMS, Expected, read
from tests.support.power import part
from tests.support.runs import edges_of, errors_of, explore
from unfork.cli import main
from unfork.engine.machine.loop_refusal import NotAtOnce
from unfork.engine.machine.loop_stages import tell_apart
from unfork.logic.terms import build
from unfork.logic.terms.term_table import symbol

SCANS = [read(path) for path in sorted((PROGRAMS / "scans").glob("*.c"))]
SPANS = Path(__file__).parents[3] / "bench" / "programs"


@pytest.mark.parametrize("program", part(SCANS, lambda program: program.name, 2), ids=lambda program: program.name)
def test_as_turn_by_turn(program: Expected, tmp_path: Path) -> None:
    step, iterations = (
        explore(program, tmp_path / how, "--merge", "none", "--search", "dfs", "--loops", how)
        for how in ("exact", "run")
    )
    assert errors_of(step) == errors_of(iterations) == program.errors
    assert step.verdict == iterations.verdict
    assert edges_of(step) == edges_of(iterations)
    assert step.summary["paths"]["completed"] <= iterations.summary["paths"]["completed"]


@pytest.mark.parametrize("name", ["escapes", "utf8", "subsequence", "nesting", "unescape"])
def test_turns_that_lead_to_several_places_and_copies_are_fewer_paths(name: str, tmp_path: Path) -> None:
    program = read(PROGRAMS / "scans" / f"{name}_fixed.c")
    step, iterations = (explore(program, tmp_path / how, "--merge", "none", "--loops", how) for how in ("exact", "run"))
    assert 2 * step.summary["paths"]["completed"] <= iterations.summary["paths"]["completed"]


def test_bytes_that_a_copy_may_leave_unwritten_are_no_inputs(tmp_path: Path) -> None:
    explore(read(PROGRAMS / "scans" / "copy_fixed.c"), tmp_path / "run", "--merge", "none")
    tests = [path.read_text() for path in (tmp_path / "run" / "tests").glob("*.json")]
    assert tests and not any("uninit" in test for test in tests)


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


def test_loops_that_write_to_what_they_look_at_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["show", "--loops", str(PROGRAMS / "scans" / "in_place.c"), "--libc", "none"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(".c:")[2].partition(": ")[2] for line in lines[:-1]] == [
        "copy: in one step",
        "main: turn by turn: it writes to what it looks at",
    ]


def test_told_apart() -> None:
    is_long, is_escape = symbol("is_long", 1), symbol("is_escape", 1)
    step = build.ite(is_escape, 2, 1, 64)
    phis = {0: build.add(100, step, 64), 1: build.ite(is_escape, build.ite(is_long, 7, 8, 8), 9, 8), 2: is_long, 3: 5}
    apart = tell_apart(phis, (0, 3), [64, 8, 1, 64])
    assert dict(apart) == {
        is_escape: {**phis, 0: 102, 1: build.ite(is_long, 7, 8, 8)},
        build.negate(is_escape): {**phis, 0: 101, 1: 9},
    }
    assert len(tell_apart(phis, (0, 1), [64, 8, 1, 64])) == 3
    assert tell_apart({0: 1}, (0,), [8]) == [(1, {0: 1})]


def test_what_may_be_anything_is_not_told_apart() -> None:
    with pytest.raises(NotAtOnce):
        tell_apart({0: symbol("x", 64)}, (0,), [64])
