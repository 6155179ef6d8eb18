"""The page of a scan: its functions by file, its findings with their programs, and nothing of them is markup."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest

from tests.commands.scan.findings import explored, found, kept
from tests.report.page.chromium import Browser
from tests.report.page.pages import data_of
from tests.report.page.pages import written as page_of
from unfork.commands.scan.judgement import CONDITIONAL

ASKS = {"reason": "it needs p", "precondition": "p is not null"}
OUT = Path("out")
DETAIL = "document.querySelector('#detail').textContent"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def changed(**more: object) -> None:
    """Replace parts of scan.json."""
    file = OUT / "scan.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **more}))


def test_functions_and_findings_are_as_scan_json_has_them(tmp_path: Path) -> None:
    stack = [{"function": "first", "file": "a.c", "line": 4, "values": {"p": "null"}}]
    again = found(4, stack=stack)
    run = kept(tmp_path, explored(again, found(3, "leak", CONDITIONAL, **ASKS)), explored(again, name="second", line=6))
    path = [{"file": "a.c", "line": 3, "what": "q is not null"}]
    certain, asked = run.summary["findings"]
    changed(findings=[{**certain, "path": path}, asked])
    data = data_of(OUT)
    assert [each["name"] for each in data["scan"]["functions"]] == ["first", "second"]
    assert [each["requires"] for each in data["scan"]["functions"]] == [["p is not null"], []]
    shown, latent = data["findings"]
    assert (shown["sort"], shown["from"], latent["sort"], latent["from"]) == ("error", [0, 1], "alarm", [0])
    assert [(data["places"][place][1], text) for place, text in shown["path"]] == [(3, "q is not null")]
    assert shown["program"] == ["int main(void) { return 0; }"]
    assert latent["program"] == []
    assert data["scan"]["left_out"] == run.summary["left_out"]


def test_a_program_outside_of_the_scan_is_not_read(tmp_path: Path) -> None:
    run = kept(tmp_path, explored(found(4)))
    Path("secret.c").write_text("int secret;\n")
    (certain,) = run.summary["findings"]
    for name in ("../secret.c", str(tmp_path / "secret.c")):
        changed(findings=[{**certain, "reproducer": name, "test": name}])
        assert data_of(OUT)["findings"][0]["program"] == []
        assert "int secret" not in json.dumps(data_of(OUT))


def test_a_large_project_stays_short(tmp_path: Path, browser: Browser) -> None:
    functions = [explored(found(3, "leak", CONDITIONAL, **ASKS), name=f"f{number}") for number in range(499)]
    kept(tmp_path, *functions, explored(found(4), name="first", extent="part"))
    page_of(OUT)
    browser.said.clear()
    browser.open(tmp_path / "out" / "report.html")
    assert browser.value("document.querySelectorAll('#lists details[open]').length") == 0
    assert browser.value("document.querySelectorAll('#lists a.error').length") == 1
    assert browser.value("document.querySelectorAll('#lists a.alarm').length") == 0
    assert browser.value("document.querySelectorAll('#lists a.function').length") <= 200
    figures = browser.value(
        "Object.fromEntries([...document.querySelectorAll('#stats dd')]"
        ".map((each) => [each.dataset.figure, each.textContent]))"
    )
    del figures["time"]
    counts = {"functions": "500", "completely": "499", "in part": "1", "branches": "500/1,000"}
    assert figures == {"certain": "1", "for callers": "1", **counts}
    browser.click("#lists a.error")
    browser.wait(f"{DETAIL}.includes('int main(void)')")
    assert "certain: it is so." in browser.value(DETAIL)
    assert browser.value("Number(document.querySelector('.row.here').dataset.line)") == 4
    browser.open(tmp_path / "out" / "report.html", "#function/499")
    assert "explored in part: stopped" in browser.value(DETAIL)
    for address in ("#function/9999", "#proof/0", "#state/0", "#test/9", "#nothing"):
        browser.open(tmp_path / "out" / "report.html", address)
        assert browser.value("document.querySelector('#detail h2').textContent") == "The scan", address
    assert browser.said == []


def test_nothing_of_the_program_is_markup(tmp_path: Path, browser: Browser) -> None:
    hostile = "<img src=x onerror=alert(1)></script>\x1b[31m\u202e"
    run = kept(tmp_path, explored(found(4, message=hostile, reason=hostile, function=hostile, precondition=hostile)))
    Path("out/functions/0000/tests/000001.c").write_text(f'int a;\n#line 1 "unfork"\n// {hostile}\n')
    (row,) = run.summary["functions"]
    ignored = [{**run.summary["findings"][0], "ignored": hostile}]
    remarks = {"unmatched": [hostile], "without_effect": [hostile]}
    changed(functions=[{**row, "reason": hostile}], ignored=ignored, comments=remarks, left_out=[hostile])
    page_of(OUT)
    told = json.dumps(data_of(OUT), ensure_ascii=False)
    assert not any(unicodedata.category(each) in ("Cc", "Cf") for each in told)
    browser.said.clear()
    for address in ("#run", "#finding/0", "#function/0"):
        browser.open(tmp_path / "out" / "report.html", address)
        assert "<img src=x" in browser.value(DETAIL), address
        assert browser.value("document.querySelectorAll('img').length") == 0
    assert browser.said == []
