"""The paths of tests: their steps with values, and their conditions."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from pathlib import Path

import pytest

from tests.report.page.pages import data_of
from tests.support.runs import explore, written
from unfork.commands.afterwards.replay import Session
from unfork.commands.assemble import replaying
from unfork.commands.assemble.starting import start
from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term_table import symbol
from unfork.report.record.kept_run import read_run
from unfork.report.replay.concolic import Follower
from unfork.world.inputs.testcase import TestCase

PROGRAM = """\
#include "unfork.h"
static int twice(int number) {
  int result = number * 2;
  return result;
}
int main(void) {
  int x;
  int sum = 0;
  unfork_symbolic(&x, sizeof x, "x");
  if (x > 0 && x < 3)
    for (int i = 0; i < x; ++i)
      sum += twice(i + x);
  unfork_check(sum != 10);
  return sum;
}
"""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("paths")
    explore(written(PROGRAM, folder), folder / "run", "--native-check", "never")
    return folder / "run"


def test_an_error_has_its_steps_in_order_with_values_and_conditions(root: Path) -> None:
    data = data_of(root)
    test = next(test for test in data["tests"] if test["fails"])
    (entry,) = test["inputs"]
    assert (entry["name"], entry["value"]) == ("x", "2")
    steps = [(data["places"][place][1], depth, dict(values)) for place, depth, _, values in test["walk"]["steps"]]
    assert test["walk"]["note"] == ""
    lines = [line for line, _ in groupby(line for line, _, _ in steps if line in (10, 12, 3, 4, 13))]
    assert lines == [10, 12, 3, 4, 12, 3, 4, 12, 13]
    assert {depth for line, depth, _ in steps if line in (3, 4)} == {1}
    assert [values["number"] for line, _, values in steps if line == 3] == ["2", "3"]
    assert [(data["places"][place][1], text) for place, text in test["conditions"]] == [
        *[(10, "x >= 1"), (10, "x < 3"), (11, "x >= 2"), (13, "x[29:0] == 2")]
    ]


def test_conditions_hold_of_the_test_and_of_no_test_that_ends_elsewhere(root: Path, regexp: Path) -> None:
    for directory in (root, regexp):
        run = read_run(directory)
        session = Session(run.root, run.summary)
        program = session.program(tuple(run.tests()))
        follower = Follower(*replaying.concolic(session.options, program), start(session.options))
        for test in dict(run.tests()).values():
            known = follower.conditions(test, 100_000)
            assert known.trouble is None
            for other in dict(run.tests()).values():
                agrees = all(evaluate(term, _model(other)) for _, term in known.rows)
                assert agrees or other is not test
                assert not agrees or other.expect == test.expect


def _model(test: TestCase) -> Model:
    values = {}
    for entry in test.inputs:
        values[symbol(entry.name, 8 * len(entry.data))] = int.from_bytes(entry.data, "little")
        for at, byte in enumerate(entry.data):
            values[symbol(f"{entry.name}[{at}]", 8)] = byte
    return Model(values)


LIST = """\
struct node { int value; struct node *next; int (*weigh)(int); };
int one(int x) { return x + 1; }
int walk(struct node *list) {
  if (!list || !list->next)
    return 0;
  if (list->next->next == list && list->next->value > 3)
    return 10 / (list->value - 7);
  if (list->weigh == one)
    return 1;
  return 2;
}
"""


def test_the_path_condition_tells_of_the_heap_that_a_function_is_given(tmp_path: Path) -> None:
    words = ("--function", "walk", "--native-check", "never", "--strategy", "plain")
    explore(written(LIST, tmp_path), tmp_path / "run", *words)
    data = data_of(tmp_path / "run")
    told = {test["name"]: [text for _, text in test["conditions"]] for test in data["tests"]}
    divided = next(each["test"] for each in data["findings"] if each["kind"] == "div-by-zero")
    assert told[divided] == ["list != 0", "list == list->next", "list->value >= 4", "list->value == 7"]
    null = [conditions for conditions in told.values() if "list == 0" in conditions]
    assert null and all(not any("->" in text for text in conditions) for conditions in null)
    assert any("list->next == 0" in conditions for conditions in told.values())
    weighed = [text for conditions in told.values() for text in conditions if "weigh" in text]
    assert {"one == list->weigh", "list->weigh == 0"} <= {*weighed}


def test_a_heap_that_no_path_has_is_not_told_of(tmp_path: Path) -> None:
    explore(written(LIST, tmp_path), tmp_path / "run", "--function", "walk", "--native-check", "never")
    run = read_run(tmp_path / "run")
    session = Session(run.root, run.summary)
    follower = Follower(*replaying.concolic(session.options, session.program(())), start(session.options))
    test = next(test for _, test in run.tests() if test.command.heap is not None and test.command.heap.objects)
    assert follower.conditions(test, 10_000).trouble is None
    heap = replace(test.command.heap, arguments=test.command.heap.arguments[1:])
    assert follower.conditions(replace(test, command=replace(test.command, heap=heap)), 10_000).trouble is not None


def test_long_paths_keep_both_ends(tmp_path: Path) -> None:
    text = '#include "unfork.h"\nint main(void) {\n  int sum = 0;\n  for (int i = 0; i < 5000; ++i)\n    sum += i;\n'
    text += "  unfork_check(sum != 12497500);\n  return 0;\n}\n"
    explore(written(text, tmp_path), tmp_path / "run", "--native-check", "never")
    data = data_of(tmp_path / "run")
    (test,) = data["tests"]
    steps = test["walk"]["steps"]
    (gap,) = [step for step in steps if step[0] < 0]
    assert len(steps) <= 602 and gap[2] > 1000
    assert data["places"][steps[-1][0]][1] == 6
    assert dict(steps[-1][3] or steps[-2][3]).get("sum", "12497500") == "12497500"


def test_errors_come_first_where_not_all_paths_can_be_told(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unfork.commands.afterwards.page._ALL_STEPS", 1)
    told = {test["fails"]: "walk" in test for test in data_of(root)["tests"]}
    assert told == {True: True, False: False}


def test_without_the_program_there_are_no_steps_and_the_page_says_so(root: Path, tmp_path: Path) -> None:
    copy = tmp_path / "run"
    copy.mkdir()
    for name in ("summary.json", "run.db"):
        (copy / name).write_bytes((root / name).read_bytes())
    for folder in ("tests", "errors"):
        (copy / folder).mkdir()
        for file in (root / folder).iterdir():
            (copy / folder / file.name).write_bytes(file.read_bytes())
    (copy / "program.bc").write_bytes(b"no bitcode")
    data = data_of(copy)
    assert any("cannot be run again" in trouble for trouble in data["troubles"])
    assert all(test["untold"] for test in data["tests"])
    assert data["files"][0]["status"] == "unknown"
