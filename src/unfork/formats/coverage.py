"""What a run has covered of each source file: functions, lines and branches; for lcov, and as Cobertura's XML."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field

from unfork.errors import InputError
from unfork.explore.distance import branch_targets
from unfork.facts.nearest import end_position
from unfork.formats import xml
from unfork.llvm.module import Function
from unfork.options import VERSION
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


# --- Cobertura's XML: line and branch rates of each source file, for CI systems that show coverage

_DOCTYPE = '<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">\n'


def cobertura(run: KeptRun) -> bytes:
    """The file: a package for each folder, a class for each source file. Raises InputError."""
    files = covered(run)
    packages: dict[str, dict[str, FileCoverage]] = defaultdict(dict)
    for name, file in sorted(files.items()):
        packages[os.path.dirname(name)][name] = file
    body = "".join(_package(name, inside) for name, inside in packages.items())
    counts = [_counted(file) for file in files.values()]
    lines_hit, lines, hit, branches = (sum(column) for column in zip(*counts, strict=True)) if counts else (0, 0, 0, 0)
    head = xml.attributes(
        line_rate=_rate(lines_hit, lines),
        branch_rate=_rate(hit, branches),
        lines_covered=lines_hit,
        lines_valid=lines,
        branches_covered=hit,
        branches_valid=branches,
        complexity="0",
        version=f"unfork {VERSION}",
        timestamp="0",
    )
    sources = " <sources>\n  <source>.</source>\n </sources>\n"
    text = f"{xml.HEAD}{_DOCTYPE}<coverage{head}>\n{sources} <packages>\n{body} </packages>\n</coverage>\n"
    return text.encode()


def _package(name: str, files: dict[str, FileCoverage]) -> str:
    classes = "".join(_class(file_name, file) for file_name, file in files.items())
    head = xml.attributes(name=name or ".", **_rates(list(files.values())), complexity="0")
    return f"  <package{head}>\n   <classes>\n{classes}   </classes>\n  </package>\n"


def _class(name: str, file: FileCoverage) -> str:
    methods = "".join(
        f"      <method{xml.attributes(name=function, signature='', **_whole(has_run), complexity='0')}>\n"
        "       <lines>\n"
        f"        <line{xml.attributes(number=line, hits=int(has_run))}/>\n"
        "       </lines>\n      </method>\n"
        for function, (line, has_run) in sorted(file.functions.items(), key=lambda item: (item[1][0], item[0]))
    )
    by_line: dict[int, list[bool]] = defaultdict(list)
    for branching in file.branches:
        by_line[branching.line] += branching.taken
    rows = "".join(_line(line, has_run, by_line.get(line, [])) for line, has_run in sorted(file.lines.items()))
    head = xml.attributes(name=os.path.basename(name), filename=name, **_rates([file]), complexity="0")
    inside = f"     <methods>\n{methods}     </methods>\n     <lines>\n{rows}     </lines>\n"
    return f"    <class{head}>\n{inside}    </class>\n"


def _line(line: int, has_run: bool, taken: list[bool]) -> str:
    if not taken:
        return f"      <line{xml.attributes(number=line, hits=int(has_run), branch='false')}/>\n"
    part = f"{100 * sum(taken) // len(taken)}% ({sum(taken)}/{len(taken)})"
    values = xml.attributes(number=line, hits=int(has_run), branch="true", condition_coverage=part)
    return f"      <line{values}/>\n"


def _counted(file: FileCoverage) -> tuple[int, int, int, int]:
    taken = [hit for branching in file.branches for hit in branching.taken]
    return sum(file.lines.values()), len(file.lines), sum(taken), len(taken)


def _rates(files: list[FileCoverage]) -> dict[str, str]:
    lines_hit, lines, hit, branches = (sum(column) for column in zip(*map(_counted, files), strict=True))
    return {"line_rate": _rate(lines_hit, lines), "branch_rate": _rate(hit, branches)}


def _whole(has_run: bool) -> dict[str, str]:
    rate = _rate(int(has_run), 1)
    return {"line_rate": rate, "branch_rate": rate}


def _rate(part: int, whole: int) -> str:
    return f"{part / whole if whole else 1:.4f}"


# --- the tracefile of lcov


def lcov(run: KeptRun) -> bytes:
    """The file. Counts are 1 for what ran and 0 for what did not: a path may stand for any number of runs.

    Raises InputError.
    """
    lines = ["TN:unfork"]
    for name, file in sorted(covered(run).items()):
        lines += [f"SF:{_on_a_line(os.path.normpath(name))}", *_record(file), "end_of_record"]
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")


def _record(file: FileCoverage) -> Iterator[str]:
    functions = sorted(file.functions.items(), key=lambda item: (item[1][0], item[0]))
    yield from (f"FN:{line},{_on_a_line(name)}" for name, (line, _) in functions)
    yield from (f"FNDA:{int(has_run)},{_on_a_line(name)}" for name, (_, has_run) in functions)
    yield f"FNF:{len(functions)}"
    yield f"FNH:{sum(has_run for _, (_, has_run) in functions)}"
    total = hit = 0
    for branching in sorted(file.branches, key=lambda each: (each.line, each.number)):
        for number, taken in enumerate(branching.taken):
            count = str(int(taken)) if branching.is_reached else "-"
            yield f"BRDA:{branching.line},{branching.number},{number},{count}"
            total, hit = total + 1, hit + taken
    yield f"BRF:{total}"
    yield f"BRH:{hit}"
    yield from (f"DA:{line},{int(has_run)}" for line, has_run in sorted(file.lines.items()))
    yield f"LF:{len(file.lines)}"
    yield f"LH:{sum(file.lines.values())}"


def _on_a_line(name: str) -> str:
    """A name of the program's, which must not end its line."""
    return "".join(f"\\x{ord(letter):02x}" if ord(letter) < 0x20 or letter == "\x7f" else letter for letter in name)
