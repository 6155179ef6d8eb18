"""The time of a scan: programs are built one after another, in what is left of it."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.commands.projects.test_scan import written
from unfork.commands.projects.project import BuildSource, sources_of
from unfork.commands.projects.projects import build
from unfork.commands.scan import scan_jobs
from unfork.commands.scan.scan_jobs import Jobs, ScanRequest
from unfork.errors import OutOfTime
from unfork.options.options import Options
from unfork.program.llvm.module import Program

MAIN = "int NAME(int n) { return n; }\nint main(void) { return NAME(1); }\n"


def jobs_of(folder: Path, deadline: float, left_out: list[str]) -> Jobs:
    texts = {name: MAIN.replace("NAME", f"{name}_of") for name in ("a", "b", "c", "d", "e", "f")}
    sources, _ = sources_of([str(written(folder, **texts))], "scan")
    return Jobs(ScanRequest(("*",), ("*_of",), 1.0), Options(quiet=True), sources, left_out, deadline)


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, float | None]]:
    """Grows: the programs that were built, and the seconds that each had."""
    known: list[tuple[str, float | None]] = []

    def noted(options: Options, sources: Sequence[BuildSource]) -> Program:
        known.append((sources[0].path.stem, options.max_time))
        return build(options, sources)

    monkeypatch.setattr(scan_jobs, "build_with_callbacks", noted)
    return known


def test_a_program_is_built_when_its_functions_come(tmp_path: Path, built: list[tuple[str, float | None]]) -> None:
    left_out: list[str] = []
    jobs = jobs_of(tmp_path, math.inf, left_out)
    assert next(jobs).name == "a_of"
    assert (built, jobs.count, jobs.are_all) == ([("a", None)], 1, False)
    assert next(jobs).name == "b_of"
    jobs.end()
    assert (jobs.count, jobs.are_all) == (2, True)
    assert [name for name, _ in built] == ["a", "b"]
    files = ", ".join(str(tmp_path / f"{name}.c") for name in "cde")
    assert left_out == [f"{files} and 1 more: the time was over before they were built"]


def test_each_program_has_the_time_that_is_left(tmp_path: Path, built: list[tuple[str, float | None]]) -> None:
    left_out: list[str] = []
    jobs = jobs_of(tmp_path, time.monotonic() + 10_000, left_out)
    assert [job.name for job in jobs] == [f"{name}_of" for name in "abcdef"]
    seconds = [each or 0.0 for _, each in built]
    assert seconds[0] <= 10_000
    assert sorted(seconds, reverse=True) == seconds
    assert len(set(seconds)) == 6
    assert jobs.are_all and not left_out


def test_a_project_of_which_nothing_could_be_built_in_time_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OutOfTime, match="--max-time: no time was left"):
        next(jobs_of(tmp_path, time.monotonic(), []))
