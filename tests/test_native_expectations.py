"""The corpus's expectations agree with native runs under the sanitizers of the system's gcc.

``make test`` skips programs that agreed and have not changed since (tests/support/native_digests.py); ``make test-all``
runs them all.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support.corpus import Expected
from tests.support.native_digests import VALIDATED, to_run
from tests.support.native_run import compile_program, compile_stubs, run

SEEDS = range(6)

pytestmark = pytest.mark.skipif(
    shutil.which("gcc") is None, reason="NO GCC: the corpus's expectations are not validated natively"
)


@pytest.fixture(scope="session")
def stubs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The stand-ins, compiled once in each way."""
    folder = tmp_path_factory.mktemp("stubs")
    compiled = {native: folder / f"{native}.o" for native in sorted({program.native for program in VALIDATED})}
    for native, output in compiled.items():
        compile_stubs(native, output)
    return compiled


@pytest.mark.parametrize("program", to_run(), ids=lambda program: program.name)
def test_native_run_agrees(program: Expected, tmp_path: Path, stubs: dict[str, Path]) -> None:
    binary = tmp_path / "program"
    compile_program(program, stubs[program.native], binary)
    if program.verdict == "unsafe":
        _reports_each_bug(program, binary)
    else:
        _stays_clean(program, binary)


def _reports_each_bug(program: Expected, binary: Path) -> None:
    """Every input line leads to a marked bug, and all of them together to every marked bug."""
    seen = set()
    kinds = {kind for kind, _, _ in program.errors}
    for given in program.inputs or ("",):
        report = run(program, binary, given, seed=0)
        assert report.status != 0, f"nothing is wrong natively with {given}"
        if report.file == "" and report.kind in kinds:
            return  # a jump to nowhere leaves no place
        found = (report.kind, report.file, report.line)
        if report.kind == "stack-overflow":  # where in the function depends on the compiler's frames
            found = next((error for error in program.errors if error[:2] == found[:2]), found)
        assert found in program.errors, f"{given}: {found}\n{report.text}"
        seen.add(found)
    assert seen == program.errors


def _stays_clean(program: Expected, binary: Path) -> None:
    seeds = SEEDS if program.forks or program.inputs else SEEDS[:1]  # without inputs, all of them give the same run
    for given, seed in [("", seed) for seed in seeds] + [(given, 0) for given in program.inputs]:
        report = run(program, binary, given, seed)
        assert report.status == 0, f"seed {seed} {given}: status {report.status}\n{report.text}"
