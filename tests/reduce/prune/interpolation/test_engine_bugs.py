"""A mistake of the engine is reported where paths are run again, too; what paths alone rule out is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.corpus import PROGRAMS, read
from tests.support.runs import explore
from unfork.engine.instructions.activations import run_instruction
from unfork.engine.machine import machine
from unfork.engine.protocols.outcome import Outcome
from unfork.engine.protocols.stepper import YieldPoints
from unfork.engine.state.state import State
from unfork.engine.step.operands import Semantics
from unfork.engine.step.step import Step
from unfork.program.llvm.types import Position
from unfork.reduce.prune.interpolation import speculation
from unfork.reduce.prune.interpolation.oracle import GeneralConduct

OWN = Path(__file__).parent / "programs"
MODE = ("--libc", "none", "--merge", "none", "--search", "dfs", "--prune", "interpolate", "--native-check", "never")
MISTAKES = (AssertionError("a mistake"), KeyError("a mistake"), IndexError("a mistake"))


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: type(mistake).__name__)
def test_a_mistake_in_a_speculation(mistake: Exception, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def wrong(self: speculation.Speculation, state: State, yield_points: YieldPoints) -> list[Outcome]:
        raise mistake

    monkeypatch.setattr(speculation.Speculation, "step", wrong)
    result = explore(read(OWN / "narrow_path_bug.c"), tmp_path / "out", *MODE)
    assert result.summary["prunes"]["speculated"] > 0
    assert result.summary["internal_error"]["class"] == type(mistake).__name__


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: type(mistake).__name__)
def test_a_mistake_on_a_side_that_nobody_took(
    mistake: Exception, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def wrong(step: Step, semantics: Semantics, position: Position | None) -> None:
        conduct = step.conduct
        if isinstance(conduct, GeneralConduct) and conduct._oracle._script:
            raise mistake
        run_instruction(step, semantics, position)

    monkeypatch.setattr(machine, "run_instruction", wrong)
    result = explore(read(OWN / "contradiction_fixed.c"), tmp_path / "out", *MODE)
    assert result.summary["internal_error"]["class"] == type(mistake).__name__
    assert result.verdict == "unknown"


@pytest.mark.parametrize(
    "path",
    [OWN / "contradiction_fixed.c", OWN / "either_array_fixed.c", PROGRAMS / "structs" / "flexible_array.c"],
    ids=lambda path: path.stem,
)
def test_what_a_path_rules_out_is_no_mistake(path: Path, tmp_path: Path) -> None:
    """Cells that are not there: beyond contradicting choices, under a false guard, in an object made for less."""
    result = explore(read(path), tmp_path / "out", *MODE)
    assert result.summary["internal_error"] is None
    assert result.verdict == "safe"
