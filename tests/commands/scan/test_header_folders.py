"""A scan from a project's folder, with folders of headers named from there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from unfork.cli import main

HEADER = "int weight_of(unsigned kind);\n"
SOURCE = """\
#include "lib/weight.h"
static const int weights[4] = {1, 2, 3, 4};
int weight_of(unsigned kind) { return kind <= LAST ? weights[kind] : 0; }
"""


@pytest.mark.native_check
@pytest.mark.parametrize("flags", ["-Iinclude -include limits.inc", "-I include -include limits.inc"])
def test_native_runs_find_headers_in_folders_of_the_project(
    flags: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "include" / "lib").mkdir(parents=True)
    (tmp_path / "include" / "lib" / "weight.h").write_text(HEADER)
    (tmp_path / "limits.inc").write_text("#define LAST 4\n")
    (tmp_path / "weight.c").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    words = ["scan", "weight.c", "--cflags", flags, "--cores", "1", "--no-progress", "--no-cache", "--quiet"]
    assert main([*words, "--out", "out"]) == 1
    [found] = json.loads((tmp_path / "out" / "scan.json").read_text())["findings"]
    assert (found["certainty"], found["line"]) == ("certain", 3)
