"""Every corpus program comes out the same, whatever the order of exploration and the passes.

The tests of each folder run the programs of its topics (test_programs.py there) and compare with their headers.

Headers count the paths of plain exploration: where these are compared, nothing is merged, nor taken at once.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.corpus import Expected, programs, with_some_cpp
from tests.support.power import IS_FULL, part, some
from tests.support.runs import errors_of, explore

SEARCHERS = ("dfs", "bfs", "random-path", "random-state", "coverage", "cover", "bfs,random-path,dfs")
PLAIN = ("--merge", "none", "--loops", "run")
UNPASSED = ("--optimize", "0")
WAYS = [("--search", searcher, *more) for searcher in SEARCHERS for more in ([()] if IS_FULL else [(), UNPASSED])]
"""Orders, with passes and without; where everything is to run, test_passes_change_nothing has all without."""
ALL = with_some_cpp(programs(), 8)
FORKING = [program for program in ALL if program.verdict in ("safe", "unsafe") and program.forks]
ORDERED = part(FORKING, lambda program: program.name)
OTHERS = sorted(set(ALL).difference(FORKING), key=lambda program: program.name)
DEAR = ("endless_recursion", "strings/found_behind_cut")
"""The beginnings of names of programs that take several seconds without passes."""
QUICK = [program for program in OTHERS if not program.name.startswith(DEAR)]
UNSIMPLIFIED = list(ALL) if IS_FULL else part(QUICK, lambda program: program.name)
"""The programs that are run without passes in the usual order; half of the others are, in another one."""


@pytest.mark.parametrize("program", ORDERED, ids=[program.name for program in ORDERED])
def test_searchers_agree(program: Expected, tmp_path: Path) -> None:
    """Every order finds the same errors and the same number of paths, that of the header, with passes or without."""
    counts = set()
    for number, way in enumerate(some(WAYS, program.name)):
        result = explore(program, tmp_path / str(number), *way, *PLAIN)
        assert errors_of(result) == program.errors, way
        assert result.verdict == program.verdict, way
        counts.add(result.summary["paths"]["completed"])
    assert len(counts) == 1, counts
    assert program.paths in (None, *counts)


@pytest.mark.parametrize("program", UNSIMPLIFIED, ids=[program.name for program in UNSIMPLIFIED])
def test_passes_change_nothing(program: Expected, tmp_path: Path) -> None:
    """The compiler's own code fails and ends like the simplified code."""
    result = explore(program, tmp_path / "run", *UNPASSED, *PLAIN)
    assert errors_of(result) == program.errors
    assert result.verdict == program.verdict
    if program.paths is not None:
        assert result.summary["paths"]["completed"] == program.paths
