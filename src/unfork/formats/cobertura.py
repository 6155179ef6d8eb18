"""Cobertura's XML: line and branch rates of each source file, for CI systems that show coverage."""

from __future__ import annotations

import os
from collections import defaultdict

from unfork.formats import xml
from unfork.formats.covered import FileCoverage, covered
from unfork.options import VERSION
from unfork.report.kept_run import KeptRun

_DOCTYPE = '<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">\n'


def write(run: KeptRun) -> bytes:
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
