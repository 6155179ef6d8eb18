"""A program in which decisions are branches runs as it did."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from tests.runs import explore
from unfork import option_rules
from unfork.api.export import kept_run
from unfork.execute.coverage import BranchCoverage
from unfork.llvm.decisions import ends_of_blocks, is_made
from unfork.llvm.reader import branching
from unfork.wiring import machines, solving

BRANCHES = Path(__file__).parents[2] / "bench" / "programs" / "branches"


@pytest.mark.parametrize("name", ["arguments", "stored"])
def test_it_runs_as_before(name: str, tmp_path: Path) -> None:
    run = kept_run(explore(BRANCHES / f"{name}.c", tmp_path / "out").directory)
    options, tests = option_rules.from_dict(dict(run.summary["options"])), run.tests()
    assert tests
    for optimize in (0, 1):
        program = branching(run.program(), optimize)
        assert any(is_made(block.label) for block in program.function("main").blocks)
        with closing(solving.solver(options)) as solver:
            replayer = machines.replayer(options, program, BranchCoverage(), lambda state: False, solver)
            for _, test in tests:
                assert replayer.replay(test).end == test.expect


def test_blocks_are_the_same_with_and_without_passes(tmp_path: Path) -> None:
    program = kept_run(explore(BRANCHES / "stored.c", tmp_path / "out").directory).program()
    written, simplified = (branching(program, optimize).function("main") for optimize in (0, 1))
    made = [[is_made(block.label) for block in function.blocks] for function in (written, simplified)]
    assert made[0] == made[1]
    ends = ends_of_blocks(written)
    assert ends == ends_of_blocks(simplified)
    assert len(ends) == len(program.function("main").blocks)
    last = [type(block.body[-1]) for block in program.function("main").blocks]
    assert sum(type(written.blocks[end].body[-1]) is not kind for end, kind in zip(ends, last, strict=True)) == 23
