"""The paths counted in the shadow of joined states are those that a run without joins completes, one by one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.corpus import PROGRAMS, read
from tests.support.power import some
from tests.support.runs import explore, written
from unfork.commands.run.run import Result, run
from unfork.engine.explore.growth import Growth
from unfork.errors import InputError
from unfork.options.options import Options
from unfork.report.record.text import final_lines

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


@pytest.mark.parametrize("name", some([*CHOSEN], "shadows", 4))
def test_as_many_paths_are_completed_as_without_joins(name: str, tmp_path: Path) -> None:
    program = read(PROGRAMS / f"{name}.c")
    plain = paths_of(explore(program, tmp_path / "plain", "--merge", "none", "--loops", "run"))
    joins = 0
    for number, mode in enumerate(MODES):
        merged = explore(program, tmp_path / str(number), *mode, "--count-paths", "--loops", "run")
        paths = paths_of(merged)
        assert paths["counted"] == plain["completed"], mode
        assert paths["completed"] <= paths["counted"] <= paths["represented"], mode
        joins += merged.summary["merges"]["done"]
    assert joins


@pytest.mark.parametrize("loops", ["run", "exact"])
def test_the_run_takes_the_same_course_with_shadows(loops: str, tmp_path: Path) -> None:
    samples: tuple[dict[str, object], ...] = ({"path_sample": 0}, {}, {"count_paths": True})
    runs = [echo(tmp_path / str(number), loops=loops, **each).summary for number, each in enumerate(samples)]
    bare, estimated, counted = [each["paths"] for each in runs]
    plain = paths_of(echo(tmp_path / "plain", loops=loops, merge="none"))
    assert counted["counted"] == plain["completed"] < counted["represented"]
    assert counted["estimated"]["exact"]
    assert counted["counting"]["queries"] > 0
    assert bare["counted"] is None is bare["estimated"]
    assert (estimated["counted"], estimated["counting"]) == (None, None)
    assert not estimated["estimated"]["exact"]
    for summary in runs:
        summary["paths"] = {name: summary["paths"][name] for name in ("completed", "represented", "silent")}
        del summary["options"], summary["seconds"], summary["solver"]["seconds"], summary["peak_memory_mb"]
    assert runs[0] == runs[1] == runs[2]


def test_paths_beyond_the_sample_are_said_to_be_estimated(tmp_path: Path) -> None:
    result = echo(tmp_path / "run", count_paths=True, path_sample=20, given=frozenset({"count_paths", "path_sample"}))
    paths = paths_of(result)
    assert paths["counted"] is None
    assert paths["uncounted"] > 0
    assert not paths["estimated"]["exact"]
    assert abs(paths["estimated"]["completed"] - 144) < 4 * paths["estimated"]["spread"]
    assert "were estimated, not counted" in (result.directory / "warnings.txt").read_text()


def test_paths_of_states_that_stand_for_too_much_are_not_counted(tmp_path: Path) -> None:
    result = echo(tmp_path / "run", count_paths=True, join="abstract:sign", similar="always")
    assert result.summary["merges"]["done"] > 0
    assert paths_of(result)["counted"] is None
    assert paths_of(result)["estimated"] is None
    assert "were not counted" in (result.directory / "warnings.txt").read_text()


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


def test_a_run_without_joins_estimates_nothing(tmp_path: Path) -> None:
    assert paths_of(echo(tmp_path / "run", merge="none"))["estimated"] is None


@pytest.mark.parametrize(
    "words", [("--strategy", "plain,join"), ("--loops", "abstract"), ("--merge", "static", "--path-sample", "0")]
)
def test_a_race_and_a_run_that_follows_no_path_estimate_nothing(words: tuple[str, ...], tmp_path: Path) -> None:
    source = written("int main(int argc, char **argv) { return argc > 1 ? 1 : 2; }", tmp_path)
    assert paths_of(explore(source, tmp_path / "run", "--libc", "none", *words))["estimated"] is None


@pytest.mark.parametrize("words", [("--path-sample", "1"), ("--count-paths", "--path-sample", "0")])
def test_samples_too_small_to_say_anything_are_refused(words: tuple[str, ...], tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--path-sample"):
        explore(written("int main(void) { return 0; }", tmp_path), tmp_path / "run", *words)


def test_a_run_that_stops_early_counts_what_waits(tmp_path: Path) -> None:
    """Every path of a run without joins is one state: those that ended, and those that were left."""
    summary = echo(tmp_path / "run", merge="none", count_paths=True, max_forks=20).summary
    estimated, paths = summary["paths"]["estimated"], summary["paths"]
    assert summary["states"]["left"] > 0
    assert estimated["explored"] == paths["completed"] + summary["states"]["left"]
    assert (estimated["completed"], estimated["exact"]) == (paths["completed"], True)


def test_the_last_lines_say_how_many_paths_there_were(tmp_path: Path) -> None:
    for number, (more, words) in enumerate(
        (
            ({}, r"about [\d,]+ single paths explored \(standard error [\d,]+\), estimated from \d+ of them"),
            ({"path_sample": 500}, r"144 single paths explored, counted one by one"),
            ({"count_paths": True}, r"144 paths counted one by one \(multiplicity [\d,]+\)"),
        )
    ):
        lines = final_lines(echo(tmp_path / str(number), **more).summary, "out")
        assert any(re.fullmatch(words, line) for line in lines), lines


def test_a_run_without_joins_counts_what_it_completes(tmp_path: Path) -> None:
    fit = paths_of(echo(tmp_path / "run", merge="none", count_paths=True))["multiplicity_fit"]
    assert (round(fit["c1"], 3), round(fit["c2"], 3), fit["error"]) == (0, 1, 0)
