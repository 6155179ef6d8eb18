"""Tests of joined states: which of the joined paths each takes, and one for every path where that is asked for."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.support.runs import explore, written
from unfork.commands.afterwards.replay import Session
from unfork.commands.run.run import Result
from unfork.report.record import traces
from unfork.report.record.kept_run import read_test
from unfork.report.record.show import show
from unfork.report.replay.account import AS_EXPECTED, DIFFERENT

PROGRAM = """
#include "unfork.h"
int main(void) {
  int x, y = 0, z = 0;
  unfork_symbolic(&x, sizeof x, "x");
  if (x > 5)
    y = 1;
  else if (x > 3)
    y = 2;
  else if (x > 1)
    y = 3;
  if (x & 1)
    z = y;
  else
    z = 7 + y;
  unfork_check(z != 2);
  return z;
}
"""
ENDS = {1, 3, 0, 8, 9, 10, 7}
"""What the paths that do not fail return."""
SIDES = {6: 7, 4: 9, 2: 11}
"""For each bound, the line that values from it on come to."""


def joined(tmp_path: Path, **choices: object) -> Result:
    plain = {"merge": "static", "similar": "always", "libc": "none"}
    return explore(written(PROGRAM, tmp_path, "p.c"), tmp_path / "run", **{**plain, **choices})


def is_cut(result: Result, path: Path) -> bool:
    """Whether the state of this test ended at a join."""
    lines = show(result.directory, path.stem)
    (number,) = [line.split()[-1] for line in lines if line.startswith("from state")]
    return any(line.startswith(f"state {number} ended: joined") for line in show(result.directory, number))


def ends_of(result: Result) -> list[object]:
    """What the tests expect of whose states went on to their ends."""
    tests = [json.loads(path.read_text())["expect"] for path in result.tests if not is_cut(result, path)]
    return [one.get("status", one["end"]) for one in tests]


@pytest.mark.parametrize("merge", ["static", "dynamic", "all"])
@pytest.mark.parametrize("how", ["ite", "summary"])
def test_every_path_of_joined_states_has_a_test(tmp_path: Path, merge: str, how: str) -> None:
    result = joined(tmp_path, tests="paths", merge=merge, join=how)
    assert result.summary["merges"]["done"] > 2
    assert sorted(map(str, ends_of(result))) == sorted(["error", *map(str, ENDS)])
    assert result.summary["paths"]["unexpanded"] == 0
    named = [(path.name, read_test(path)) for path in result.tests]
    report = Session(result.directory, result.summary).engine(named)
    assert all(row.judgement != DIFFERENT for row in report.rows)


def test_show_tells_the_path_that_a_joined_state_hid(tmp_path: Path) -> None:
    result = joined(tmp_path, tests="paths")
    shown_sides = set()
    for path in result.tests:
        test = read_test(path)
        if is_cut(result, path):
            continue
        (x,) = [int.from_bytes(one.data, "little", signed=True) for one in test.inputs]
        lines = show(result.directory, path.stem)
        taken = {int(found) for line in lines for found in re.findall(r"on to \S*p\.c:(\d+)", line)}
        not_taken = {int(found) for line in lines for found in re.findall(r", not \S*p\.c:(\d+)", line)}
        side = next((line for bound, line in SIDES.items() if x >= bound), None)
        if side is not None:
            assert side in taken
            assert side not in not_taken
        assert not (set(SIDES.values()) - {side}) & taken
        assert any("joined to" in line and "this path is that of" in line for line in lines)
        shown_sides.add(side)
    assert shown_sides == {*SIDES.values(), None}


def test_paths_beyond_the_limit_are_said_to_have_no_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(traces, "MOST_PATHS", 2)
    result = joined(tmp_path, tests="paths")
    assert len(ends_of(result)) < len(ENDS) + 1
    assert result.summary["paths"]["unexpanded"] > 0
    assert "more paths" in (result.directory / "warnings.txt").read_text()
    assert any("not every path has a test" in line for line in show(result.directory, None))


def test_no_more_tests_than_asked_for(tmp_path: Path) -> None:
    result = joined(tmp_path, tests="paths", max_tests=9)
    assert len(result.tests) == 9
    assert result.summary["paths"]["unexpanded"] > 0


def test_a_test_cut_by_a_join_expects_what_its_inputs_go_on_to(tmp_path: Path) -> None:
    result = joined(tmp_path)
    cut = [path for path in result.tests if is_cut(result, path)]
    assert cut
    assert all(read_test(path).expect is not None for path in cut)
    named = [(path.name, read_test(path)) for path in cut]
    report = Session(result.directory, result.summary).engine(named)
    assert all(row.judgement == AS_EXPECTED for row in report.rows)
