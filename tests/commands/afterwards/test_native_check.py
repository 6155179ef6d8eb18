"""Which native builds a run may ask."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from tests.support.runs import explore, options_of, written
from unfork.commands.afterwards import native_check
from unfork.commands.afterwards.native_check import BuildOrigin
from unfork.errors import InputError
from unfork.report.replay.binary import Enclosure
from unfork.world.inputs.testcase import NativeOpinion

BUG = "int main(int argc, char **argv) { int cells[2] = {0}; return cells[argc + 1]; }"


@pytest.mark.native_check
def test_never_asks_nobody(tmp_path: Path) -> None:
    result = explore(written(BUG, tmp_path), tmp_path / "run", "--native-check", "never")
    assert [error.native.word for error in result.errors] == [NativeOpinion.UNCHECKED]


def test_sources_that_are_gone_are_refused(tmp_path: Path) -> None:
    source = written(BUG, tmp_path)
    options = options_of(tmp_path / "run")
    program = explore(source, tmp_path / "run").program
    source.unlink()
    origin = BuildOrigin(program, options, (str(source),), None, None, Enclosure.REQUIRED)
    with pytest.raises(InputError, match="cannot be found from here"):
        origin.sources()
    assert native_check.check(origin, math.inf) is not None
