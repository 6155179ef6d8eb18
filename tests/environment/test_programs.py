"""The corpus programs about the C library and the kernel come out as their headers state."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.corpus import Expected, programs_of
from tests.power import IS_FULL
from tests.runs import comes_out_as_stated

EVERY = programs_of("environment")
OF_CPP = [program for program in EVERY if program.path.suffix == ".cpp"]
PROGRAMS = [program for program in EVERY if program not in OF_CPP] + (OF_CPP if IS_FULL else OF_CPP[::3])
"""Where not everything is to run, a third of the programs in C++ stands for all: they cost most."""


@pytest.mark.parametrize("program", PROGRAMS, ids=[program.name for program in PROGRAMS])
def test_expectation(program: Expected, tmp_path: Path) -> None:
    comes_out_as_stated(program, tmp_path / "run")
