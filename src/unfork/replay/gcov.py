"""Line and branch coverage of native runs, as gcov counts it."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

from unfork.llvm.commands import run

Lines = dict[tuple[str, int], bool]
"""Whether each line ran that has code, by file."""
Branches = dict[tuple[str, int, int], bool]
"""Whether each branch was taken, by file, line and number."""


def by_line(folder: Path) -> tuple[Lines, Branches] | None:
    """The lines and branches of the coverage that runs have left in ``folder``; None if there is none or gcov fails."""
    data = sorted(folder.glob("program*.gcda"))
    if not data:
        return None
    words = ["gcov", "--json-format", "--branch-probabilities", *(path.name for path in data)]
    done = run(words, folder=folder)
    reports = sorted(folder.glob("*.gcov.json.gz"))
    if done.status or not reports:
        return None
    lines: Lines = {}
    branches: Branches = {}
    for report in reports:
        with gzip.open(report) as file:
            text = file.read().decode("utf-8", "replace")
        # gcov does not escape the names of files, not even control characters.
        for part in json.loads(text, strict=False)["files"]:
            _count(part, lines, branches)
    return lines, branches


def has_run(folder: Path, file: str, line: int) -> bool:
    """Whether runs that left their coverage in ``folder`` are known to have run a line."""
    counted = by_line(folder)
    return counted is not None and any(
        is_hit and number == line and os.path.realpath(name) == os.path.realpath(file)
        for (name, number), is_hit in counted[0].items()
    )


def forget(folder: Path) -> None:
    """Forget the coverage that runs have left in ``folder``."""
    for data in folder.glob("*.gcda"):
        data.unlink()


def _count(part: Any, lines: Lines, branches: Branches) -> None:
    name = part["file"]
    for line in part["lines"]:
        key = (name, line["line_number"])
        lines[key] = lines.get(key, False) or line["count"] > 0
        for number, branch in enumerate(line["branches"]):
            edge = (*key, number)
            branches[edge] = branches.get(edge, False) or branch["count"] > 0
