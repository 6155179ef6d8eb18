"""The paths counted in the shadow of joined states are those that a run without joins completes, one by one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.corpus import PROGRAMS, read
from tests.support.runs import explore
from unfork.commands.run.run import Result, run
from unfork.engine.explore import shadows
from unfork.engine.explore.shadows import Growth
from unfork.options.options import Options

EXAMPLES = PROGRAMS.parent.parent / "examples"
CHOSEN = (
    "computed_goto/loop_state_machine",
    "control/switch_wide",
    "kernel_symbolic/count",
    "libc_sorting/qsort",
    "libc_stdio/scan_symbolic",
    "optimised/o2_string_scan_bug",
    "setjmp/symbolic_error_code",
    "memory_functions/find_byte",
)
MODES = (
    ("--merge", "static", "--similar", "always"),
    ("--merge", "all", "--similar", "always", "--join", "ite"),
    ("--merge", "dynamic"),
)


def echo(out: Path, **choices: object) -> Result:
    plain: dict[str, object] = {
        "merge": "static",
        "loops": "run",
        "define": ("N=3", "L=3"),
        "libc": "none",
        "quiet": True,
    }
    return run([EXAMPLES / "echo.c"], Options(**{**plain, "out": str(out), **choices}))  # type: ignore[arg-type]


def paths_of(result: Result) -> dict[str, Any]:
    paths: dict[str, Any] = result.summary["paths"]
    return paths


@pytest.mark.parametrize("name", CHOSEN)
def test_as_many_paths_are_completed_as_without_joins(name: str, tmp_path: Path) -> None:
    program = read(PROGRAMS / f"{name}.c")
    plain = paths_of(explore(program, tmp_path / "plain", "--merge", "none", "--loops", "run"))
    joins = 0
    for number, mode in enumerate(MODES):
        merged = explore(program, tmp_path / str(number), *mode, "--count-paths")
        paths = paths_of(merged)
        assert paths["counted"] == plain["completed"], mode
        assert paths["completed"] <= paths["counted"] <= paths["represented"], mode
        joins += merged.summary["merges"]["done"]
    assert joins


def test_the_run_takes_the_same_course_with_shadows(tmp_path: Path) -> None:
    bare, counted = (echo(tmp_path / str(count), count_paths=count).summary for count in (False, True))
    assert counted["paths"]["counted"] == 144 < counted["paths"]["represented"]
    assert counted["paths"]["counting"]["queries"] > 0
    assert bare["paths"]["counted"] is None
    for summary in (bare, counted):
        summary["paths"] = {name: summary["paths"][name] for name in ("completed", "represented", "silent")}
        del summary["options"], summary["seconds"], summary["solver"]["seconds"], summary["peak_memory_mb"]
    assert counted == bare


def test_paths_beyond_the_capacity_are_said_not_to_be_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shadows, "MOST_PATHS", 20)
    result = echo(tmp_path / "run", count_paths=True)
    assert paths_of(result)["counted"] is None
    assert paths_of(result)["uncounted"] > 0
    assert "were not counted" in (result.directory / "warnings.txt").read_text()


def test_paths_of_states_that_stand_for_too_much_are_not_counted(tmp_path: Path) -> None:
    result = echo(tmp_path / "run", count_paths=True, join="abstract:sign", similar="always")
    assert result.summary["merges"]["done"] > 0
    assert paths_of(result)["counted"] is None


def test_the_fit_is_the_line_through_the_points() -> None:
    """p = 3000 m^0.5 on the way to a million."""
    growth = Growth()
    assert growth.fit() is None
    for multiplicity in range(4, 1_000_001, 997):
        growth.note(multiplicity, round(3000 * multiplicity**0.5))
    fit = growth.fit()
    assert fit is not None
    assert (round(fit.c1, 2), round(fit.c2, 3)) == (8.01, 0.5)
    assert fit.error < 0.01
    assert fit.points < 200
    assert abs(fit.paths(10_000) - 300_000) < 3_000


def test_a_run_without_joins_counts_what_it_completes(tmp_path: Path) -> None:
    fit = paths_of(echo(tmp_path / "run", merge="none", count_paths=True))["multiplicity_fit"]
    assert (round(fit["c1"], 3), round(fit["c2"], 3), fit["error"]) == (0, 1, 0)
