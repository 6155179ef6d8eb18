"""What scans found in one file, at the lines of its present text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from unfork.commands.scan.ignored import Ignore, Ignores
from unfork.program.c.function_lines import FunctionLines, function_at, function_lines
from unfork.program.c.syntax import Layout
from unfork.report.record.scans import EXTENTS
from unfork.report.record.text import plural


@dataclass(frozen=True, slots=True)
class PlacedFinding:
    """A row of scan.json's findings, at a line of the file; ``folder`` is the scan's."""

    line: int
    row: Mapping[str, Any]
    folder: Path


@dataclass(frozen=True, slots=True)
class FileResults:
    """The findings of a file, and scan.json's rows of its functions by name, for ``text``."""

    text: str
    findings: tuple[PlacedFinding, ...]
    functions: Mapping[str, Mapping[str, Any]]


def results_of(text: str, file: Path, root: Path, data: Mapping[str, Any], folder: Path) -> FileResults:
    """The results of a scan that ran in ``root``, for a file with this text."""

    def is_here(row: Mapping[str, Any]) -> bool:
        return row["file"] is not None and (root / row["file"]).resolve() == file

    findings = []
    for row in data["findings"]:
        places = [row, *row["stack"]]  # a callee elsewhere is shown at its call here
        line = next((each["line"] for each in places if is_here(each) and each["line"] is not None), None)
        if line is not None:
            findings.append(PlacedFinding(line, row, folder))
    return FileResults(text, tuple(findings), {row["name"]: row for row in data["functions"] if is_here(row)})


def changed_functions(before: str, after: str) -> tuple[str, ...]:
    """The functions whose own text is another one, or none if the text around functions is.

    Then which functions change is for the digests to say, and not for their text.
    """
    old, new = _pieces(before), _pieces(after)
    if old.pop("") != new.pop(""):
        return ()
    return tuple([name for name, text in new.items() if old.get(name) != text])


def _pieces(text: str) -> dict[str, str]:
    """The code of each function without spaces, and under "" all other, with directives. What literals say does not
    count.
    """
    functions, layout = function_lines(text), Layout(text)
    lines = layout.code.split("\n")
    around = [line for number, line in enumerate(lines, 1) if function_at(functions, number) is None]
    pieces = {each.name: _dense(lines[each.first - 1 : each.last]) for each in functions}
    return pieces | {"": _dense([*around, *[each.text for each in layout.directives]])}


def _dense(lines: Iterable[str]) -> str:
    return "".join("".join(lines).split())


def updated(before: FileResults, part: FileResults) -> FileResults:
    """The results ``part`` of some functions, and those ``before`` of the others, at their lines now."""
    old, new = function_lines(before.text), {each.name: each for each in function_lines(part.text)}
    moved = [_moved(each, old, new) for each in before.findings if each.row["from"] not in part.functions]
    findings = (*part.findings, *[each for each in moved if each is not None])
    names = {*new, *part.functions}
    functions = {name: row for name, row in {**before.functions, **part.functions}.items() if name in names}
    return FileResults(part.text, findings, functions)


def _moved(
    found: PlacedFinding, old: Iterable[FunctionLines], new: Mapping[str, FunctionLines]
) -> PlacedFinding | None:
    function = function_at(old, found.line)
    now = None if function is None else new.get(function.name)
    return None if function is None or now is None else replace(found, line=found.line + now.first - function.first)


def function_summary(row: Mapping[str, Any]) -> str:
    """How far a function was explored, and what it requires of its callers, in one line."""
    branches, extent = row["branches"], f"explored {EXTENTS[row['explored']]}"
    if row["explored"] == "not":
        return f"{extent}: {row['reason']}" if row["reason"] else f"{extent}"
    said = f"{extent}, {branches['covered']}/{plural(branches['total'], 'branch')}"
    return "; ".join([said, *[f"requires: {'; '.join(row['preconditions'])}"] * bool(row["preconditions"])])


def ineffective(text: str) -> list[Ignore]:
    """The comments that should ignore a finding and have no effect."""
    return [each for each in Ignores(text).all if each.fault is not None]
