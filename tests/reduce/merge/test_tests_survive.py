"""Joining states loses no test: those of a merged run take the branch edges that those of the plain run take."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.corpus import PROGRAMS, Expected, read
from tests.support.power import some
from tests.support.runs import explore
from unfork.commands.assemble import replaying
from unfork.commands.run.run import Result
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.logic.solve.solver import NoSolver
from unfork.options import option_rules
from unfork.world.inputs.file_of_test import from_json

Edge = tuple[str, int, int]
CHOSEN = (
    "computed_goto/symbolic_bytecode_bug",
    "control/switch_ranges",
    "fault_continues/second_needs_first_survived",
    "floats_symbolic/rounding",
    "kernel_symbolic/count",
    "kernel_symbolic/name_with_slash",
    "libc_sorting/qsort",
    "libc_stdio/scan_symbolic",
    "memory_functions/find_byte",
    "optimised/o2_search_bug",
)
MODES = (
    ("--merge", "static", "--similar", "always"),
    ("--merge", "all", "--similar", "always", "--join", "ite"),
    ("--merge", "dynamic"),
)


def taken(result: Result) -> set[Edge]:
    """The branch edges that the tests take, each run again on the engine from its file alone."""
    options = option_rules.from_dict(result.summary["options"])
    coverage = BranchCoverage()
    replayer = replaying.replayer(
        options, result.program, coverage, lambda state: state.instructions > 1_000_000, NoSolver()
    )
    for path in result.tests:
        replayer.replay(from_json(path.read_bytes(), path.name))
    return {edge for edge, hit in zip(coverage.edges, coverage.covered, strict=True) if hit}


@pytest.mark.parametrize(
    "program", some([read(PROGRAMS / f"{name}.c") for name in CHOSEN], "survive", 5), ids=lambda program: program.name
)
def test_tests_of_merged_runs_take_the_same_edges(program: Expected, tmp_path: Path) -> None:
    plain = explore(program, tmp_path / "plain", "--merge", "none", "--loops", "run")
    wanted = taken(plain)
    assert len(wanted) == plain.summary["coverage"]["branches"]["covered"] >= 2
    joins = 0
    for number, mode in enumerate(MODES):
        merged = explore(program, tmp_path / str(number), *mode, "--loops", "run")
        assert taken(merged) == wanted, mode
        joins += merged.summary["merges"]["done"]
    assert joins
