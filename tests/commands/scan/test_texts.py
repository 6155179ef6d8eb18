"""Functions that read texts of any length: all explored completely, and certain is what each program says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.scan import expectation
from tests.support.power import part
from unfork.cli import main

PROGRAMS = sorted((Path(__file__).parent / "text_programs").glob("*.c"))


@pytest.mark.native_check
@pytest.mark.parametrize("program", part(PROGRAMS, lambda program: program.stem, 3), ids=lambda program: program.stem)
def test_a_text_of_any_length_is_one_path(program: Path, tmp_path: Path) -> None:
    certain, _, _, options = expectation(program)
    words = ["--out", str(tmp_path / "out"), "--cores", "1", "--per-function", "30", "--no-progress", "--no-cache"]
    main(["scan", str(program), *words, "--quiet", *options])
    told = json.loads((tmp_path / "out" / "scan.json").read_text())
    assert {(each["kind"], each["line"]) for each in told["findings"] if each["certainty"] == "certain"} == certain
    others = {(each["certainty"], each["kind"]) for each in told["findings"] if each["certainty"] != "certain"}
    assert others <= {("conditional", "null-dereference")}
    assert {each["name"]: each["reason"] for each in told["functions"] if each["explored"] != "all"} == {}
