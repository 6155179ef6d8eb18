"""Entries are tried natively, and what native runs show is judged like any other path."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench.scan import expectation
from tests.support.power import LONG
from unfork.cli import main
from unfork.commands.scan.siblings import Siblings

PROGRAMS = Path(__file__).parent / "trials"


def scanned(name: str, folder: Path, *words: str) -> list[dict[str, Any]]:
    """The certain and likely findings of a program."""
    options = ["--out", str(folder / "out"), "--cores", "1", "--no-progress", "--no-cache", "--quiet", *words]
    main(["scan", str(PROGRAMS / name), *options])
    told = json.loads((folder / "out" / "scan.json").read_text())["findings"]
    return [each for each in told if each["certainty"] in ("certain", "likely")]


@pytest.mark.native_check
@LONG
@pytest.mark.parametrize("name", ["nested_too_deep.c", "nested_too_deep_fixed.c"])
def test_what_native_runs_show_is_judged(name: str, tmp_path: Path, trials: None, clock_of_seconds: None) -> None:
    found = {(each["kind"], each["line"]) for each in scanned(name, tmp_path, "--per-function", "10")}
    assert found == expectation(PROGRAMS / name).certain


@pytest.mark.native_check
@LONG
def test_contents_make_it_likely_where_not_all_inputs_are_known(
    tmp_path: Path, trials: None, clock_of_seconds: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Siblings, "are_known", lambda self, lazy: False)
    [finding] = scanned("nested_too_deep.c", tmp_path, "--per-function", "10")
    assert (finding["kind"], finding["certainty"], finding["rule"]) == ("out-of-bounds", "likely", "on-contents")


@pytest.mark.native_check
def test_no_program_runs_natively_without_a_fuzzer(tmp_path: Path, trials: None) -> None:
    assert not scanned("nested_too_deep.c", tmp_path, "--fuzzer", "none", "--per-function", "10")


@pytest.mark.native_check
@LONG
def test_calls_on_made_objects_are_tried(tmp_path: Path, trials: None, clock_of_seconds: None) -> None:
    words = ("--per-function", "40", "--functions", "reader_feed")
    found = scanned("reader_too_deep.c", tmp_path, *words)
    assert {(each["kind"], each["line"]) for each in found} == expectation(PROGRAMS / "reader_too_deep.c").certain
