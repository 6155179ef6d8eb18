"""A program is linked with what stands for its users' callbacks: in one build where its files needed that before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from unfork.commands.projects import projects
from unfork.commands.projects.project import BuildSource
from unfork.options.options import Options
from unfork.program.c.callbacks import PREFIX
from unfork.program.llvm.module import Program

ONE = "int twice(int (*f)(int), int n) { return f(f(n)); }\n"
TWO = "long twice(long (*f)(long, long), int n) { return f(f(n, 1), 2); }\n"
NONE = "int twice(int n) { return 2 * n; }\n"


def test_the_callbacks_are_those_of_the_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNFORK_CACHE", str(tmp_path / "cache"))
    file, builds, build = tmp_path / "a.c", [0], projects.build

    def counted(*words: Any, **changes: Any) -> Program:
        builds[0] += 1
        return build(*words, **changes)

    monkeypatch.setattr(projects, "build", counted)
    seen = []
    for text in (ONE, ONE, TWO, TWO, NONE, NONE):
        file.write_text(text)
        builds[0] = 0
        program = projects.build_with_callbacks(Options(libc="none"), [BuildSource(file)])
        seen.append((builds[0], [name for name in program.defined if name.startswith(PREFIX)]))
    first, other = [f"{PREFIX}i_i"], [f"{PREFIX}l_l_l"]
    assert seen == [(2, first), (1, first), (2, other), (1, other), (2, []), (1, [])]
