"""Coverage by source file (functions, lines, branches), as lcov's tracefile and Cobertura's XML."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from unfork.engine.explore.distance import branch_targets
from unfork.errors import InputError
from unfork.options.options import VERSION
from unfork.program.facts.nearest import end_position
from unfork.program.llvm.module import Function
from unfork.report.formats import xml
from unfork.report.record.coverage_measure import blocks_run, lines_of
from unfork.report.record.kept_run import KeptRun

Edge = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class LineBranches:
    """A line with a branch. ``taken`` has an entry for each side, in the order of the compiler's blocks."""

    line: int
    number: int
    """Its number among the branches of the line."""
    taken: tuple[bool, ...]
    is_reached: bool


@dataclass(slots=True)
class FileCoverage:
    """A source file: functions by name (line, whether it ran), lines (whether it ran), branches."""

    functions: dict[str, tuple[int, bool]] = field(default_factory=dict)
    lines: dict[int, bool] = field(default_factory=dict)
    branches: list[LineBranches] = field(default_factory=list)

    def functions_by_line(self) -> list[tuple[str, int, bool]]:
        """The functions by line: name, line, whether it ran."""
        rows = [(name, line, has_run) for name, (line, has_run) in self.functions.items()]
        return sorted(rows, key=lambda row: (row[1], row[0]))


def coverage_by_file(run: KeptRun) -> dict[str, FileCoverage]:
    """The coverage of each source file of the program, by the user's name for it. Raises InputError."""
    program = run.program()
    edges, ran = _read_coverage(run)
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


def _read_coverage(run: KeptRun) -> tuple[set[Edge], set[str]]:
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
    """``run`` has the blocks of the function that ran, ``numbers`` counts branches by line."""
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
        location = position.file, position.line
        file.branches.append(LineBranches(position.line, numbers[location], taken, block.index in run))
        numbers[location] += 1


# --- Cobertura's XML: line and branch rates of each source file, for CI systems that show coverage

_DOCTYPE = '<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">\n'


def cobertura(run: KeptRun) -> bytes:
    """The file: a package for each folder, a class for each source file. Raises InputError."""
    files = coverage_by_file(run)
    folders: dict[str, dict[str, FileCoverage]] = defaultdict(dict)
    for name, file in sorted(files.items()):
        folders[os.path.dirname(name)][name] = file
    lines_hit, lines, hit, branches = _counts(files.values())
    root = xml.root(
        "coverage",
        **_rates(files.values()),
        lines_covered=lines_hit,
        lines_valid=lines,
        branches_covered=hit,
        branches_valid=branches,
        complexity=0,
        version=f"unfork {VERSION}",
        timestamp=0,
    )
    xml.child(xml.child(root, "sources"), "source", ".")
    packages = xml.child(root, "packages")
    for folder, inside in folders.items():
        package = xml.child(packages, "package", name=folder or ".", **_rates(inside.values()), complexity=0)
        classes = xml.child(package, "classes")
        for name, file in inside.items():
            _add_class(classes, name, file)
    return xml.document(root, xml.HEAD + _DOCTYPE).encode()


def _add_class(classes: Element, name: str, file: FileCoverage) -> None:
    inside = xml.child(classes, "class", name=os.path.basename(name), filename=name, **_rates([file]), complexity=0)
    methods = xml.child(inside, "methods")
    for function, line, has_run in file.functions_by_line():
        rate = _rate(int(has_run), 1)
        rates = {"line_rate": rate, "branch_rate": rate}
        method = xml.child(methods, "method", name=function, signature="", **rates, complexity=0)
        xml.child(xml.child(method, "lines"), "line", number=line, hits=int(has_run))
    by_line: dict[int, list[bool]] = defaultdict(list)
    for branching in file.branches:
        by_line[branching.line] += branching.taken
    rows = xml.child(inside, "lines")
    for line, has_run in sorted(file.lines.items()):
        branch: dict[str, str] = {"branch": "false"}
        if taken := by_line.get(line):
            part = f"{100 * sum(taken) // len(taken)}% ({sum(taken)}/{len(taken)})"
            branch = {"branch": "true", "condition_coverage": part}
        xml.child(rows, "line", number=line, hits=int(has_run), **branch)


def _counts(files: Collection[FileCoverage]) -> tuple[int, int, int, int]:
    """(lines that ran, lines, branch sides taken, branch sides)."""
    lines = [has_run for file in files for has_run in file.lines.values()]
    edges = [taken for file in files for branching in file.branches for taken in branching.taken]
    return sum(lines), len(lines), sum(edges), len(edges)


def _rates(files: Collection[FileCoverage]) -> dict[str, str]:
    lines_hit, lines, hit, branches = _counts(files)
    return {"line_rate": _rate(lines_hit, lines), "branch_rate": _rate(hit, branches)}


def _rate(part: int, whole: int) -> str:
    return f"{part / whole if whole else 1:.4f}"


# --- the tracefile of lcov


def lcov(run: KeptRun) -> bytes:
    """The file. Counts are 0 or 1: a path may stand for any number of runs.

    Raises InputError.
    """
    lines = ["TN:unfork"]
    for name, file in sorted(coverage_by_file(run).items()):
        lines += [f"SF:{_on_a_line(os.path.normpath(name))}", *_record(file), "end_of_record"]
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")


def _record(file: FileCoverage) -> Iterator[str]:
    functions = file.functions_by_line()
    yield from (f"FN:{line},{_on_a_line(name)}" for name, line, _ in functions)
    yield from (f"FNDA:{int(has_run)},{_on_a_line(name)}" for name, _, has_run in functions)
    yield f"FNF:{len(functions)}"
    yield f"FNH:{sum(has_run for _, _, has_run in functions)}"
    for branching in sorted(file.branches, key=lambda each: (each.line, each.number)):
        for number, taken in enumerate(branching.taken):
            count = str(int(taken)) if branching.is_reached else "-"
            yield f"BRDA:{branching.line},{branching.number},{number},{count}"
    lines_hit, lines, hit, branches = _counts([file])
    yield f"BRF:{branches}"
    yield f"BRH:{hit}"
    yield from (f"DA:{line},{int(has_run)}" for line, has_run in sorted(file.lines.items()))
    yield f"LF:{lines}"
    yield f"LH:{lines_hit}"


def _on_a_line(name: str) -> str:
    """A name in the program, without line breaks."""
    return "".join(f"\\x{ord(letter):02x}" if ord(letter) < 0x20 or letter == "\x7f" else letter for letter in name)
