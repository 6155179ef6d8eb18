"""The branch edges and source lines that a run has covered."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from unfork.engine.explore.distance import branch_targets
from unfork.engine.step.branch_coverage import GOAL, BranchCoverage
from unfork.program.llvm.ir import Branch, Call, GlobalAddress, Invoked
from unfork.program.llvm.module import Function, Program

Line = tuple[str, int]
Row = tuple[str, int, int, str | None, int | None, int]


@dataclass(frozen=True, slots=True)
class Coverage:
    """Covered and total counts."""

    branches: int
    branches_total: int
    lines: int
    lines_total: int
    blocks: int
    goals: tuple[int, ...]
    """The ids of reached unfork_cover calls."""

    def as_dict(self) -> dict[str, Any]:
        """The coverage block of summary.json."""
        return {
            "branches": {"covered": self.branches, "total": self.branches_total},
            "lines": {"covered": self.lines, "total": self.lines_total},
            "goals": list(self.goals),
        }


def measure(
    program: Program, coverage: BranchCoverage, roots: Iterable[str], has_run: Callable[[str], bool]
) -> Coverage:
    """The coverage of the program's own functions, from covered branch edges and the functions in ``roots``.

    A block ran if covered edges and unconditional branches lead to it from the entry of a function that ran. Such a
    function is a root, is called by a block that ran, or has a covered edge itself.
    """
    covered = coverage.covered_edges()
    run = blocks_run(program, covered, roots, has_run)
    total = sum(program.outlines.edges(name) for name in program.own)
    lines, lines_run = lines_of(program, run)
    return Coverage(len(covered), total, len(lines_run), len(lines), sum(map(len, run.values())), coverage.goals())


def lines_of(program: Program, run: Mapping[str, Collection[int]]) -> tuple[set[Line], set[Line]]:
    """(lines with code in the program's own functions, those of blocks that ran); ``run`` has blocks by function."""
    outlines = program.outlines
    here: set[str] = set()
    here_run: set[str] = set()
    for name in program.defined:
        if name in program.library:
            continue
        for index, locations in enumerate(outlines.locations(name)):
            here.update(locations)
            if index in run.get(name, ()):
                here_run.update(locations)
    lines = outlines.lines(here)
    return set(lines.values()), {line for location, line in lines.items() if location in here_run}


def rows(coverage: BranchCoverage) -> list[Row]:
    """The rows of run.db: every branch edge that the run met."""
    return [
        (name, block, successor, position.file if position else None, position.line if position else None, int(hit))
        for (name, block, successor), position, hit in zip(
            coverage.edges, coverage.positions, coverage.covered, strict=True
        )
        if name != GOAL
    ]


def edge_name(coverage: BranchCoverage, edge: int) -> str:
    """The name of a branch edge in tests: FILE:LINE FUNCTION BLOCK/SUCCESSOR, or a goal."""
    name, block, successor = coverage.edges[edge]
    if name == GOAL:
        return f"goal {block}"
    position = coverage.positions[edge]
    where = f"{position.file}:{position.line}" if position else "?"
    return f"{where} {name} {block}/{successor}"


def blocks_run(
    program: Program, covered: set[tuple[str, int, int]], roots: Iterable[str], has_run: Callable[[str], bool]
) -> dict[str, set[int]]:
    """The blocks that ran, by function."""
    defined = frozenset(program.own)
    met: dict[str, list[int]] = {}
    for name, index, _ in sorted(covered):
        met.setdefault(name, []).append(index)
    waiting = [*roots, *met]
    run: dict[str, set[int]] = {}
    while waiting:
        name = waiting.pop()
        if name in run or name not in defined or not (name in met or has_run(name)):
            continue
        function = program.function(name)
        reached = run[name] = _reachable(function, covered, {0, *met.get(name, ())})
        waiting.extend(
            instruction.callee.name
            for index in sorted(reached)
            for instruction in function.blocks[index].body
            if isinstance(instruction, Call) and isinstance(instruction.callee, GlobalAddress)
        )
    return run


def _reachable(function: Function, covered: set[tuple[str, int, int]], first: set[int]) -> set[int]:
    """The blocks that covered edges, jumps, returning calls and their handlers reach from ``first``."""
    reached = set(first)
    waiting = sorted(first)
    while waiting:
        index = waiting.pop()
        block = function.blocks[index]
        ways = [
            target
            for successor, target in enumerate(branch_targets(block))
            if (function.name, index, successor) in covered
        ]
        if isinstance(block.body[-1], Branch | Invoked):
            ways.append(block.body[-1].target)
        for target in ways:
            if target not in reached:
                reached.add(target)
                waiting.append(target)
    return reached
