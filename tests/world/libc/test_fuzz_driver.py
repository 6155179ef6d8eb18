"""The main of fuzz targets: when it is linked, and what is said without a target."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.runs import options_of, written
from unfork.commands.run.run import run
from unfork.errors import InputError
from unfork.report.record.kept_run import read_test
from unfork.world.inputs.testcase import Exit

TARGET = "extern int LLVMFuzzerTestOneInput(const unsigned char *data, unsigned long size)"


@pytest.mark.parametrize(
    ("program", "name", "message"),
    [
        ("int f(void) { return 0; }", "p.c", "neither 'main' nor 'LLVMFuzzerTestOneInput'; name one with --function"),
        (
            f"{TARGET} {{ return data[0] == size; }}",
            "p.cpp",
            r'\(declare it extern "C", not _Z22LLVMFuzzerTestOneInput',
        ),
    ],
)
def test_without_a_target(program: str, name: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        run(written(program, tmp_path, name), options_of(tmp_path / "run"))


def test_an_own_main_wins(tmp_path: Path) -> None:
    program = f"{TARGET} {{ return 1 / (size - size); }} int main(void) {{ return 4; }}"
    result = run(written(program, tmp_path, "p.c"), options_of(tmp_path / "run", "--tests", "paths"))
    assert result.verdict == "safe"
    assert [read_test(test).expect for test in result.tests] == [Exit(4)]


def test_a_target_that_returns_minus_one(tmp_path: Path) -> None:
    program = f"{TARGET} {{ if (size == 2 && data[1] == 9) return -1; return 0; }}"
    result = run(written(program, tmp_path, "p.c"), options_of(tmp_path / "run", "--input-size", "2"))
    assert result.verdict == "safe"
    assert Exit(255) in [read_test(test).expect for test in result.tests]
    assert not result.summary["assumptions"]
