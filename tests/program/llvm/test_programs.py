"""The corpus programs about how programs are read come out as their headers state."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.corpus import Expected, programs_of
from tests.support.runs import comes_out_as_stated

PROGRAMS = programs_of("llvm")


@pytest.mark.parametrize("program", PROGRAMS, ids=[program.name for program in PROGRAMS])
def test_expectation(program: Expected, tmp_path: Path) -> None:
    comes_out_as_stated(program, tmp_path / "run")
