"""How certain faults are in small projects with headers: the first comment of their files says so."""

from __future__ import annotations

import json
import re
from operator import attrgetter
from pathlib import Path

import pytest

from tests.support.power import part
from unfork.cli import main

PROJECTS = Path(__file__).parent / "projects"
_FINDS = re.compile(r"^\s*finds: (\S+) at (\d+): (\w+)(?: by (\w+))?$", re.M)


def expected(project: Path) -> set[tuple[str, str, int, str, str]]:
    """Kind, file, line, class, and entry ("" if that is not said) of the faults in a project."""
    return {
        (kind, path.name, int(line), certainty, entry)
        for path in project.rglob("*.[ch]")
        for kind, line, certainty, entry in _FINDS.findall(path.read_text().partition("*/")[0])
    }


@pytest.mark.native_check
@pytest.mark.parametrize("project", part(sorted(PROJECTS.iterdir()), attrgetter("name"), 2), ids=attrgetter("name"))
def test_faults_are_as_certain_as_callers_allow(project: Path, tmp_path: Path) -> None:
    words = ["--out", str(tmp_path / "out"), "--cores", "1", "--per-function", "20", "--no-progress", "--no-cache"]
    status = main(["scan", str(project), *words, "--quiet"])
    told = json.loads((tmp_path / "out" / "scan.json").read_text())
    wanted = expected(project)
    rows = [*told["findings"], *({**each, "certainty": "excluded"} for each in told["excluded"])]
    named = {entry for *_, entry in wanted}
    assert {
        (
            each["kind"],
            Path(each["file"]).name,
            each["line"],
            each["certainty"],
            each["entry"] if each["entry"] in named else "",
        )
        for each in rows
    } == wanted
    assert status == any(certainty == "certain" for *_, certainty, _ in wanted)


@pytest.mark.native_check
def test_callers_that_are_not_scanned_are_looked_at_for_faults_of_those_that_are(tmp_path: Path) -> None:
    words = ["--out", str(tmp_path / "out"), "--cores", "1", "--functions", "weight", "--no-progress", "--no-cache"]
    assert main(["scan", str(PROJECTS / "two_levels_bad"), *words, "--quiet"]) == 1
    told = json.loads((tmp_path / "out" / "scan.json").read_text())
    assert [(each["certainty"], each["entry"]) for each in told["findings"]] == [("certain", "weight_of")]
    assert [each["name"] for each in told["functions"]] == ["weight"]


@pytest.mark.native_check
def test_a_program_makes_the_calls_that_make_its_object(tmp_path: Path) -> None:
    words = ["--out", str(tmp_path / "out"), "--cores", "1", "--no-progress", "--no-cache", "--quiet"]
    assert main(["scan", str(PROJECTS / "made_state_set"), *words]) == 1
    [finding] = json.loads((tmp_path / "out" / "scan.json").read_text())["findings"]
    assert finding["calls"] == ["decoder_new", *["decoder_feed"] * 3, "decoder_poll"]
    program = (tmp_path / "out" / finding["reproducer"]).read_text()
    body = program.rpartition("int main(void) {")[2]
    assert re.findall(r"(decoder_\w+)\(", body) == finding["calls"]
    assert {Path(step["file"]).name for step in finding["path"]} == {"lib.c"}


@pytest.mark.native_check
def test_no_call_is_made_that_the_fault_does_not_need(tmp_path: Path) -> None:
    words = ["--out", str(tmp_path / "out"), "--cores", "1", "--no-progress", "--no-cache", "--quiet"]
    assert main(["scan", str(PROJECTS / "made_trimmed"), *words]) == 1
    findings = json.loads((tmp_path / "out" / "scan.json").read_text())["findings"]
    assert [each["calls"] for each in findings if each["certainty"] == "certain"] == [["text_new", "text_trim"]]


def test_without_memory_a_library_has_to_work_but_not_its_tests(tmp_path: Path) -> None:
    words = ["--out", str(tmp_path / "out"), "--cores", "1", "--no-progress", "--no-cache", "--quiet"]
    assert main(["scan", str(PROJECTS / "test_without_memory"), *words]) == 0
    told = json.loads((tmp_path / "out" / "scan.json").read_text())
    assert told["failures"] == []
    assert {each["name"] for each in told["functions"]} == {"numbers", "main"}


@pytest.mark.native_check
@pytest.mark.parametrize(
    ("project", "words"),
    [
        ("made_state_set", ["scan", "--no-cache"]),
        ("made_state_set", ["reach", "lib.c:35", "--kind", "out-of-bounds"]),
        ("made_through_parameter", ["scan", "--no-cache"]),
    ],
)
def test_tests_of_a_scan_fail_again_when_replayed(
    project: str, words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main([*words, str(PROJECTS / project), "--out", str(out), "--cores", "1", "--no-progress", "--quiet"]) == 1
    findings = json.loads((out / "scan.json").read_text())["findings"]
    finding = next(each for each in findings if each["certainty"] == "certain")
    monkeypatch.chdir(tmp_path)
    capsys.readouterr()
    for way in ("--engine", "--native"):
        assert main(["replay", str(out / finding["test"]), way]) == 0, way
        assert finding["kind"] in capsys.readouterr().out
    assert main(["show", str(out), f"lib.c:{finding['line']}"]) == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in finding["calls"])
