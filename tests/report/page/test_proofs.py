"""The page of proofs: its numbers are those of summary.json, and nothing of the program is markup."""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.report.page.chromium import Browser
from tests.report.page.pages import data_of
from tests.report.page.pages import written as page_of
from tests.support.runs import options_of, written
from unfork.commands.verify.verify import verify

PROGRAM = """\
/*@ requires n >= 0; ensures \\result >= n; */
int next(int n) { return n + 1; }
/*@ requires 0 <= n <= 100; assigns \\nothing; ensures \\result == n + 1; */
int count(int n) {
  int turns = 0;
  for (int at = 0; at <= n; ++at)
    ++turns;
  return turns;
}
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("proofs")
    verify([written(PROGRAM, folder)], options_of(folder / "run"))
    page_of(folder / "run")
    return folder / "run"


@pytest.fixture(scope="module")
def summary(root: Path) -> dict[str, Any]:
    data = json.loads((root / "summary.json").read_text())
    assert {proof["verdict"] for proof in data["functions"]} == {"safe", "unsafe"}
    return dict(data)


def test_each_obligation_is_there_as_it_ended(root: Path, summary: dict[str, Any]) -> None:
    data = data_of(root)
    assert len(data["proofs"]) == len(summary["functions"])
    for shown, kept in zip(data["proofs"], summary["functions"], strict=True):
        assert (shown["function"], shown["verdict"], shown["seconds"]) == (
            *(kept["function"], kept["verdict"], kept["seconds"]),
        )
        for each, obligation in zip(shown["obligations"], kept["obligations"], strict=True):
            file, line, _ = data["places"][each["place"]]
            assert (data["files"][file]["name"], line) == (obligation["file"], obligation["line"])
            for key in ("kind", "text", "paths", "seconds"):
                assert each[key] == obligation[key]
            assert each["by"] == sorted(obligation["by"]) and each["detail"] == obligation["detail"].splitlines()
            assert each["ending"] in (obligation["ending"], "failed")
        failed = [each["text"] for each in shown["obligations"] if each["ending"] == "failed"]
        broken = kept["counterexample"]
        assert failed == ([] if broken is None else [broken["text"]])
        assert (shown["broken"] or {}).get("call") == (broken or {}).get("call")


def test_lines_add_up_to_the_obligations(root: Path, summary: dict[str, Any]) -> None:
    data = data_of(root)
    obligations = [each for proof in summary["functions"] for each in proof["obligations"]]
    told: Counter[tuple[str, int]] = Counter()
    seconds: Counter[int] = Counter()
    for lines in data["lines"].values():
        for line, figures in lines.items():
            for ending in ("proved", "failed", "open", "unknown"):
                told["proved" if ending == "proved" else "not", int(line)] += figures.get(ending, 0)
            seconds[int(line)] += round(1000 * figures["seconds"])
    kept = Counter(("proved" if each["ending"] == "proved" else "not", each["line"]) for each in obligations)
    assert +told == kept
    spent: Counter[int] = Counter()
    for each in obligations:
        spent[each["line"]] += round(1000 * each["seconds"])
    assert +seconds == +spent


def test_what_joins_inferred_is_told(tmp_path: Path) -> None:
    options = options_of(tmp_path / "run", "--join", "abstract:inferred", "--function", "count")
    verify([written(PROGRAM, tmp_path)], options)
    (kept,) = json.loads((tmp_path / "run" / "summary.json").read_text())["functions"]
    (shown,) = data_of(tmp_path / "run")["proofs"]
    assert len(shown["inferred"]) == len(kept["inferred"]["places"]) + 3
    assert ["queries", str(kept["inferred"]["queries"])] in shown["inferred"]


def test_a_browser_shows_them(root: Path, summary: dict[str, Any], browser: Browser) -> None:
    browser.said.clear()
    browser.open(root / "report.html")
    text = "document.querySelector('{}').textContent"
    assert "unsafe" in browser.value(text.format("#detail"))
    figures = browser.value(
        "Object.fromEntries([...document.querySelectorAll('#stats dd')]"
        ".map((each) => [each.dataset.figure, each.textContent]))"
    )
    obligations = [each for proof in summary["functions"] for each in proof["obligations"]]
    assert figures["obligations"] == str(len(obligations))
    assert figures["proved"] == str(sum(each["ending"] == "proved" for each in obligations))
    assert browser.value("document.getElementById('graph').getClientRects().length") == 0
    browser.click("#lists a.error")
    browser.wait("document.querySelector('#detail h2').textContent === 'next'")
    assert summary["functions"][0]["counterexample"]["call"] in browser.value(text.format("#detail"))
    assert browser.value("document.querySelectorAll('.obligations li').length") == len(
        summary["functions"][0]["obligations"]
    )
    assert browser.value("Number(document.querySelector('.row.here').dataset.line)") == 2
    assert browser.value("document.querySelectorAll('.row.failing .flag').length") == 1
    browser.key("n")
    browser.wait("location.hash === '#proof/1'")
    browser.click(".obligations .place")
    browser.open(root / "report.html", "#line/0/2")
    assert "addition overflows" in browser.value(text.format("#detail"))
    for address in ("#proof/99", "#state/0", "#finding/0", "#test/0", "#nothing"):
        browser.open(root / "report.html", address)
        assert browser.value(text.format("#detail h2")) == "The proofs", address
    assert browser.said == []


def test_nothing_of_the_program_is_markup(root: Path, browser: Browser) -> None:
    hostile = "<img src=x onerror=alert(1)>\x1b[31m\u202e"
    text = (root / "summary.json").read_text()
    for word in ("an addition overflows", "next(n = 2147483647)", "here n = 2147483647"):
        assert word in text
        text = text.replace(word, json.dumps(hostile)[1:-1])
    hostile_run = root.with_name("hostile")  # beside the run: the summary names where it ran by a relative path
    hostile_run.mkdir()
    (hostile_run / "summary.json").write_text(text)
    page_of(hostile_run)
    told = json.dumps(data_of(hostile_run), ensure_ascii=False)
    assert not any(unicodedata.category(each) in ("Cc", "Cf") for each in told)
    browser.said.clear()
    browser.open(hostile_run / "report.html", "#proof/0")
    assert "<img src=x" in browser.value("document.getElementById('detail').textContent")
    assert browser.value("document.querySelectorAll('img').length") == 0
    assert browser.said == []
