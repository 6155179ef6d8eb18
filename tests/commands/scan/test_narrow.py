"""A scan says the same where pointers have 32 bits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench.scan import PROGRAMS, expectation
from unfork.cli import main

NAMES = ("array_parameter_beyond.c", "call_with_null.c", "callee_index_too_large.c", "needs_a_callback.c")


@pytest.mark.parametrize("name", NAMES)
def test_findings_do_not_depend_on_the_width(name: str, tmp_path: Path) -> None:
    wide, narrow = (_findings(name, tmp_path / model, model) for model in ("LP64", "ILP32"))
    assert wide == narrow
    assert wide


def _findings(name: str, out: Path, model: str) -> set[tuple[Any, ...]]:
    options = expectation(PROGRAMS / name).options
    words = ["--out", str(out), "--cores", "1", "--per-function", "20", "--no-cache", "--quiet", "--no-progress"]
    main(["scan", str(PROGRAMS / name), *words, "--native-check", "never", "--data-model", model, *options])
    told = json.loads((out / "scan.json").read_text())
    return {(each["kind"], each["line"], each["certainty"], each["rule"]) for each in told["findings"]}
