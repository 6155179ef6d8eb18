"""Coverage as gcov counts it: what a run has covered, and which way its tests went where only gcc has a branch."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

from unfork import option_rules
from unfork.execute.coverage import BranchCoverage
from unfork.explore.distance import branch_targets
from unfork.formats import cobertura, lcov
from unfork.formats.covered import Edge, FileCoverage, covered
from unfork.formats.kept_run import KeptRun
from unfork.llvm.decisions import is_made
from unfork.llvm.module import Program
from unfork.llvm.reader import branching
from unfork.state.state import State
from unfork.wiring import machines, solving

_ONE_TEST = 1_000_000
_ALL_TESTS = 10_000_000
"""How many instructions of one test, and of all of them, are run again at most."""


def write_lcov(run: KeptRun) -> bytes:
    """The tracefile of lcov. Raises InputError."""
    return lcov.text(counted(run))


def write_cobertura(run: KeptRun) -> bytes:
    """Cobertura's XML. Raises InputError."""
    return cobertura.text(counted(run))


def counted(run: KeptRun) -> dict[str, FileCoverage]:
    """The coverage of each source file, by the user's name for it. Raises InputError."""
    program = branching(run.program(), 0)
    wanted = frozenset(_made(program))
    return covered(run, program, _decided(run, wanted) if wanted else frozenset())


def _decided(run: KeptRun, wanted: frozenset[Edge]) -> frozenset[Edge]:
    """Which of the edges that were made of decisions the run's tests take: they run again, concretely."""
    options = option_rules.from_dict(dict(run.summary["options"]))
    program = branching(run.program(), options.optimize)
    coverage = BranchCoverage()
    taken: frozenset[Edge] = frozenset()
    left = _ALL_TESTS
    with closing(solving.solver(options)) as solver:
        replayer = machines.replayer(options, program, coverage, _is_never_cut, solver)
        for _, test in run.tests():
            if left <= 0 or taken == wanted:
                break
            left -= replayer.replay(test, min(left, _ONE_TEST)).instructions
            hit = [edge for edge, is_covered in zip(coverage.edges, coverage.covered, strict=True) if is_covered]
            taken = wanted.intersection(hit)
    return taken


def _made(program: Program) -> Iterator[Edge]:
    """The edges of the branches that were made of decisions."""
    for name in program.defined:
        if name in program.library:
            continue
        blocks = program.function(name).blocks
        for block in blocks:
            for number, target in enumerate(branch_targets(block)):
                if is_made(blocks[target].label):
                    yield name, block.index, number


def _is_never_cut(state: State) -> bool:
    return False
