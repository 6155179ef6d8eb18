"""What a run has covered of each source file: functions, lines, and the branches of the compiler's output."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from dataclasses import dataclass, field

from unfork.errors import InputError
from unfork.explore.distance import branch_targets
from unfork.facts.nearest import end_position
from unfork.llvm.module import Function
from unfork.report.coverage_measure import blocks_run, lines_of
from unfork.report.kept_run import KeptRun

Edge = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class Branching:
    """A place with several ways on. ``taken`` says which were taken, in the order of the compiler's blocks."""

    line: int
    number: int
    """Its number among those of the line."""
    taken: tuple[bool, ...]
    is_reached: bool


@dataclass(slots=True)
class FileCoverage:
    """One source file: functions by name (their line, whether they ran), lines (whether they ran), and branches."""

    functions: dict[str, tuple[int, bool]] = field(default_factory=dict)
    lines: dict[int, bool] = field(default_factory=dict)
    branches: list[Branching] = field(default_factory=list)


def covered(run: KeptRun) -> dict[str, FileCoverage]:
    """The coverage of each source file of the program, by the user's name for it. Raises InputError."""
    program = run.program()
    edges, ran = _kept(run)
    blocks = blocks_run(program, edges, sorted(ran), ran.__contains__)
    files: dict[str, FileCoverage] = {}
    lines, lines_run = lines_of(program, blocks)
    for file, line in sorted(lines):
        files.setdefault(file, FileCoverage()).lines[line] = (file, line) in lines_run
    numbers: Counter[tuple[str, int]] = Counter()
    for name in program.defined:
        if name not in program.library:
            _count(files, program.function(name), blocks.get(name, set()), edges, numbers)
    return files


def _kept(run: KeptRun) -> tuple[set[Edge], set[str]]:
    """The covered edges and the functions that have run."""
    if run.summary["coverage"] is None:
        raise InputError(f"{run.root}: the run was cut off before its coverage was kept")
    with closing(run.tables()) as tables:
        tables.need("coverage", "ran")
        return {edge[:3] for edge in tables.edges(covered=1)}, tables.ran()


def _count(
    files: dict[str, FileCoverage],
    function: Function,
    run: set[int],
    edges: set[Edge],
    numbers: Counter[tuple[str, int]],
) -> None:
    """Count a function and its branches, of whose blocks ``run`` have run; ``numbers`` counts branches by line."""
    if function.position is not None:
        here = files.setdefault(function.position.file, FileCoverage())
        has_run = here.functions.get(function.source_name, (0, False))[1] or bool(run)
        here.functions[function.source_name] = function.position.line, has_run
    for block in function.blocks:
        targets = branch_targets(block)
        position = end_position(function, block.index) if targets else None
        if position is None:
            continue
        taken = tuple([(function.name, block.index, number) in edges for number in range(len(targets))])
        file = files.setdefault(position.file, FileCoverage())
        file.lines.setdefault(position.line, block.index in run)
        place = position.file, position.line
        file.branches.append(Branching(position.line, numbers[place], taken, block.index in run))
        numbers[place] += 1
