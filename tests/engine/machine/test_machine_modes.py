"""Where a step rests, and what of it is compiled, changes neither errors, paths nor the instructions that run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.corpus import Expected, programs
from tests.support.power import part
from tests.support.runs import errors_of, explore
from unfork.commands.assemble import yielding
from unfork.engine.machine import code
from unfork.engine.protocols.stepper import YieldPoints
from unfork.program.facts.merge_points import everywhere

TOPICS = ("addresses", "control", "computed_goto", "byte_mix", "setjmp", "structs", "symbolic_offsets", "varargs")
OF_TOPICS = [one for one in programs() if one.path.parent.name in TOPICS and one.verdict in ("safe", "unsafe")]
CHOSEN = part(OF_TOPICS, lambda program: program.name, 2)
NEVER = 1 << 60


def found(program: Expected, out: Path) -> tuple[str, set[tuple[str, str, int]], int, int]:
    """Verdict, errors, completed paths and instructions."""
    result = explore(program, out, "--merge", "none")
    return result.verdict, errors_of(result), result.summary["paths"]["completed"], result.summary["instructions"]


@pytest.mark.parametrize("program", CHOSEN, ids=[program.name for program in CHOSEN])
def test_modes_agree(program: Expected, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = found(program, tmp_path / "plain")
    monkeypatch.setattr(code, "VISITS_BEFORE_COMPILING", 0)
    assert found(program, tmp_path / "compiled") == plain
    monkeypatch.setattr(code, "VISITS_BEFORE_GROWING", 0)
    assert found(program, tmp_path / "grown") == plain
    monkeypatch.setattr(yielding, "FORKS", YieldPoints(everywhere))
    assert found(program, tmp_path / "joins") == plain
    monkeypatch.setattr(code, "VISITS_BEFORE_COMPILING", NEVER)
    assert found(program, tmp_path / "interpreted") == plain
