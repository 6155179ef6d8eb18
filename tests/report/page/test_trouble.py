"""What the page says about a run that did not end is what ``unfork show --why`` says."""

from __future__ import annotations

from pathlib import Path

from tests.support.runs import explore, written
from unfork.report.page.data import EngineData, page_data
from unfork.report.record.kept_run import read_run
from unfork.report.record.why import why

ENDLESS = """
#include "unfork.h"
int main(void) {
  for (;;) {
    unsigned char event;
    unfork_symbolic(&event, sizeof event, "event");
    if (event == 'q')
      return 0;
  }
}
"""


def test_the_page_has_the_advice_of_why(tmp_path: Path) -> None:
    root = tmp_path / "out"
    explore(written(ENDLESS, tmp_path), root, "--libc", "none", "--max-forks", "50")
    data = page_data(read_run(root), EngineData())
    told = why(read_run(root))
    assert [row[0] for row in data["why"]["advice"]] == [each.options for each in told.advice]
    assert [row[1] for row in data["why"]["advice"]] == [each.because for each in told.advice]
    attention = [(each.function, each.born, each.work, each.news) for each in told.spots.attention]
    assert [tuple(row) for row in data["why"]["attention"]] == attention
    assert data["why"]["work"] == sum(work for _, _, work, _ in attention) > 0
    ((at, forks, born),) = data["why"]["loops"]
    assert (forks, born) == (told.spots.loops[0].forks, told.spots.loops[0].born)
    file, line, _ = data["places"][at]
    assert (data["files"][file]["name"], line) == (told.spots.loops[0].loop.file, told.spots.loops[0].loop.line)


def test_a_run_that_ended_needs_no_advice(tmp_path: Path) -> None:
    explore(written("int main(void) { return 0; }", tmp_path), tmp_path / "out", "--libc", "none")
    assert page_data(read_run(tmp_path / "out"), EngineData())["why"] is None
