"""Where a step rests, and what of it is compiled, changes neither the errors nor the number of paths."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.corpus import Expected, programs
from tests.test_corpus import errors_of, explore
from unfork.execute import code
from unfork.execute.coverage import BranchCoverage
from unfork.execute.input_source import InputSource
from unfork.execute.machine import Machine, Rest
from unfork.execute.sightings import Sightings
from unfork.library.assembly import Assembly
from unfork.library.catalogue import Library
from unfork.logic.chain import Chain
from unfork.options import Options
from unfork.program.module import Program
from unfork.wiring import machines

TOPICS = ("addresses", "control", "computed_goto", "byte_mix", "setjmp", "structs", "varargs")
CHOSEN = [one for one in programs() if one.path.parent.name in TOPICS and one.verdict in ("safe", "unsafe")]
NEVER = 1 << 60


def resting_at_joins(
    options: Options, program: Program, chain: Chain, source: InputSource, coverage: BranchCoverage
) -> Machine:
    """machines.machine, with rests at joins too."""
    limits = machines.machine_limits(options, program)
    unwatched = Sightings(watches=False)
    machine = Machine(program, chain, source, limits, Library(), Assembly({}), coverage, unwatched)
    machine.rest_at(Rest.JOINS)
    return machine


def found(program: Expected, out: Path) -> tuple[str, set[tuple[str, str, int]], int]:
    """Verdict, errors and completed paths."""
    result = explore(program, out)
    return result.verdict, errors_of(result), result.summary["paths"]["completed"]


@pytest.mark.parametrize("program", CHOSEN, ids=[program.name for program in CHOSEN])
def test_modes_agree(program: Expected, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = found(program, tmp_path / "plain")
    monkeypatch.setattr(code, "VISITS_BEFORE_COMPILING", 0)
    assert found(program, tmp_path / "compiled") == plain
    monkeypatch.setattr(machines, "machine", resting_at_joins)
    assert found(program, tmp_path / "joins") == plain
    monkeypatch.setattr(code, "VISITS_BEFORE_COMPILING", NEVER)
    assert found(program, tmp_path / "interpreted") == plain
