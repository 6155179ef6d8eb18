"""The corpus programs about what instructions do come out as their headers state."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.corpus import Expected, programs_of, with_some_cpp
from tests.support.runs import comes_out_as_stated

PROGRAMS = with_some_cpp(programs_of("instructions"), 6)


@pytest.mark.parametrize("program", PROGRAMS, ids=[program.name for program in PROGRAMS])
def test_expectation(program: Expected, tmp_path: Path) -> None:
    comes_out_as_stated(program, tmp_path / "run")
