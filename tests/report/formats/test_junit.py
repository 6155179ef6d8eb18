"""JUnit XML, as a reader sees it."""

from __future__ import annotations

from pathlib import Path

from junitparser import Error, Failure, JUnitXml

from tests.report.formats.test_sarif import CONTRACTS, HOSTILE, TWO_FRAMES, explored, with_alarm
from tests.support.runs import explore, options_of, written
from unfork.commands.afterwards.export import export, open_run
from unfork.commands.verify.verify import verify
from unfork.report.record.kept_run import KeptRun


def read(run: KeptRun) -> JUnitXml:
    return JUnitXml.fromstring(export(run, "junit"))


def test_tests_are_cases_and_errors_are_failures(tmp_path: Path) -> None:
    run = explored(TWO_FRAMES, tmp_path)
    (suite,) = read(run)
    names = [case.name for case in suite]
    assert names == [*(name.removesuffix(".json") for name, _ in run.tests()), "exploration"]
    assert (suite.tests, suite.failures, suite.errors) == (len(names), 1, 0)
    (error,) = run.summary["errors"]
    (failure,) = [result for case in suite for result in case.result]
    assert isinstance(failure, Failure)
    assert failure.type == "out-of-bounds"
    assert failure.message == f"{error['file']}:7: out-of-bounds: {error['message']}"
    assert "stack:" in failure.text and "#1 main" in failure.text


def test_an_alarm_is_an_error_and_so_is_what_was_not_explored(tmp_path: Path) -> None:
    (suite,) = read(with_alarm(explored(TWO_FRAMES, tmp_path)))
    bad = {case.name: case.result[0] for case in suite if case.result}
    assert (suite.failures, suite.errors) == (0, 2)
    assert all(isinstance(result, Error) for result in bad.values())
    assert "exploration" in bad


def test_a_run_that_was_stopped_is_not_all_green(tmp_path: Path) -> None:
    result = explore(written(TWO_FRAMES, tmp_path), tmp_path / "out", "--max-instructions", "5")
    (suite,) = read(open_run(result.directory))
    (case,) = [case for case in suite if case.result]
    assert "stopped by max-instructions" in case.result[0].text


def test_control_characters_are_shown(tmp_path: Path) -> None:
    run = explored(HOSTILE, tmp_path)
    assert b"\x1b" not in export(run, "junit")
    (suite,) = read(run)
    (failure,) = [result for case in suite for result in case.result]
    assert "\\x1b[31m {0} }{ [click](http://x) \\x01" in failure.message


def test_obligations_are_cases(tmp_path: Path) -> None:
    verified = verify([written(CONTRACTS, tmp_path)], options_of(tmp_path / "out", "--max-time", "60"))
    suites = {suite.name.rpartition(" ")[2]: suite for suite in read(open_run(verified.directory))}
    assert suites.keys() == {"absolute", "wrong"}
    (failure,) = [result for case in suites["wrong"] if case.name == "counterexample" for result in case.result]
    assert "wrong(x = 77)" in failure.text
    assert suites["wrong"].failures == 1
