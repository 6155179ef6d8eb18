"""The lists of bench/reach.py are whole, and its numbers count what is confirmed."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

import bench.reach
from bench.processors import Done
from bench.reach import CLAIMS, REPORTS, main, stated


def test_ten_claims_are_true_and_ten_are_not() -> None:
    assert Counter(each.is_true for each in CLAIMS) == {True: 10, False: 10}
    assert len({(each.name, each.place, each.kind) for each in CLAIMS}) == 20


def test_each_program_has_one_report_at_a_line_of_its_code() -> None:
    runs = json.loads((REPORTS / "reports.sarif").read_text())["runs"]
    places = [each["locations"][0]["physicalLocation"] for run in runs for each in run["results"]]
    lines = {each["artifactLocation"]["uri"]: each["region"]["startLine"] for each in places}
    programs = sorted(REPORTS.glob("*.c"))
    assert sorted(lines) == [each.name for each in programs]
    assert len(places) == len(programs) == 40
    for program in programs:
        code = program.read_text().splitlines()[lines[program.name] - 1].strip()
        assert code.endswith((";", "{"))
    assert Counter(map(stated, programs)) == {"confirmed": 20, "not reachable": 19, "conditional": 1}


@pytest.mark.parametrize(("share", "status"), [(1.0, 0), (0.8, 1)])
def test_reports_are_counted_by_what_their_programs_say(
    share: float, status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def execute(words: Sequence[str], most: float) -> Done:
        programs = sorted(REPORTS.glob("*.c"))
        answers = []
        for number, each in enumerate(programs):
            right = stated(each) if number < share * len(programs) else "undecided"
            claim = {"file": each.name, "rule": "r"}
            answers.append({"claim": claim, "answer": right, "reason": ""})
        out = Path(words[words.index("--out") + 1])
        out.mkdir()
        (out / "scan.json").write_text(json.dumps({"answers": answers}))
        return Done(0, "", "", 1.0, 1.0, 0)

    monkeypatch.setattr(bench.reach, "execute", execute)
    monkeypatch.setattr(sys, "argv", ["reach", "reports", "--sources", str(tmp_path)])
    assert main() == status
    assert f"{round(40 * share)} of 40 reports answered rightly, 0 the other way round" in capsys.readouterr().out
