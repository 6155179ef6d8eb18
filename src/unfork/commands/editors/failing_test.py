"""The input of a finding as a C test: the source is included, so that the test follows its repair."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from unfork.commands.editors.file_results import PlacedFinding
from unfork.commands.editors.workspace import Workspace
from unfork.commands.projects.project import BuildSource, groups
from unfork.report.record.scan_finding import OURS, program_of, within

_MAIN = "#define main"


def test_file(file: Path, finding: Mapping[str, Any]) -> Path:
    """Where the test goes: pytest collects this name."""
    function = re.sub(r"\W+", "_", finding["from"]).strip("_")
    kind = finding["kind"].replace("-", "_")
    return file.with_name(f"test_{function}_{kind}_{finding['line']}{file.suffix}")


def test_text(workspace: Workspace, file: Path, found: PlacedFinding, sources: list[str]) -> str:
    """The test of a finding of ``file``, which a scan linked with ``sources``; "" if its program is gone."""
    finding = found.row
    program = program_of(found.folder, finding)
    path = within(found.folder, finding["reproducer"])
    if not program or path is None:
        return ""
    before = path.read_text("utf-8", "replace").partition(OURS)[0]
    source = f'{_renamed(before)}#include "{file.name}"\n'
    words = [*workspace.check_words(), *workspace.lasting_words(file.parent, workspace.flags(file) or ())]
    words += _others(workspace, file, sources)
    said = f"{finding['kind']}: {finding['message']} in {finding['function']}".replace("*/", "* /")
    return f"/* unfork: {shlex.join(words)}\n   {said} */\n{source}{OURS}{program}"


def _renamed(before: str) -> str:
    """The line that renames the program's own main, if there is one."""
    return "".join(f"{line}\n" for line in before.partition("#line 1 ")[0].splitlines() if line.startswith(_MAIN))


def _others(workspace: Workspace, file: Path, sources: list[str]) -> list[str]:
    """The files without a main that are linked with ``file``, as seen from its folder."""
    paths = [(workspace.root / each).resolve() for each in sources]
    first = groups([BuildSource(each) for each in paths if each != file and each.is_file()])[:1]
    plain = [each for group in first if len(group.scanned) == len(group.sources) for each in group.sources]
    return [os.path.relpath(each.path, file.parent) for each in plain]
