"""A branch that only a path without an end in sight has taken gets its test before the run ends."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.power import some
from tests.support.runs import edges_of, explore, written
from unfork.commands.run.resume import resume
from unfork.commands.run.run import Result
from unfork.engine.explore import examples
from unfork.engine.machine import machine
from unfork.report.record import left_paths
from unfork.report.record.kept_run import read_test
from unfork.world.inputs.testcase import Exit

ENDLESS = """
#include "unfork.h"
int main(void) {
    unsigned char way, step;
    unsigned total = 0;
    unfork_symbolic(&way, 1, "way");
    switch (way) {
    case 1: total = 3; break;
    case 2: total = 5; break;
    case 3: return 1;
    }
    for (;;) {
        unfork_symbolic(&step, 1, "step");
        if (step == 'u') total++;
    }
}
"""
PRINTING = """
#include <stdio.h>
#include "unfork.h"
int main(void) {
    for (int turn = 0; turn < 6; turn++) {
        unsigned char letter;
        unfork_symbolic(&letter, 1, "letter");
        putchar(letter >= 'h' ? 'h' : 'l');
        if (turn == 4 && letter == 'z') putchar('z');
    }
}
"""
LIMIT = ("--merge", "none", "--max-forks", "30")
KILLED = """
import os, signal, sys
from unfork.commands.run.explorer import Explorer
from unfork.cli import main
from unfork.engine.explore import examples
from unfork.report.record import left_paths
from unfork.engine.machine import machine
examples.EACH, left_paths._ONE_TO_THE_END, machine.QUANTUM = 2_000, 5_000, 5_000
tests_now = Explorer.tests_now
def killing(self, *given):
    write = tests_now(self, *given)
    def then():
        write()
        os.kill(os.getpid(), signal.SIGKILL)
    return then
Explorer.tests_now = killing
main(sys.argv[1:])
"""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """No path of the program ends, however far its test runs on."""
    monkeypatch.setattr(left_paths, "_ONE_TO_THE_END", 5_000)
    monkeypatch.setattr(machine, "QUANTUM", 5_000)


def ways(tests: list[Path]) -> set[int]:
    """The ways that the program goes in the tests: 0 is any other than those that it tells apart."""
    return {data if data in (1, 2, 3) else 0 for data in [read_test(test).inputs[0].data[0] for test in tests]}


def claims(result: Result) -> list[str]:
    """The branches that the tests were written for."""
    return [branch for test in result.tests for branch in read_test(test).branches]


@pytest.mark.parametrize("each", some([2_000, 5_000], "branches"))
def test_the_same_branches_have_tests_and_none_has_two(
    each: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = written(ENDLESS, tmp_path)
    late = explore(source, tmp_path / "late", *LIMIT)
    monkeypatch.setattr(examples, "EACH", each)
    early = explore(source, tmp_path / "early", *LIMIT)
    again = explore(source, tmp_path / "again", *LIMIT)
    assert early.summary["stopped_by"] == late.summary["stopped_by"] == "max-forks"
    assert edges_of(early) == edges_of(late)
    assert ways(early.tests) == ways(late.tests) == {0, 1, 2, 3}
    assert len(claims(early)) == len(set(claims(early))) == len(claims(late))
    assert [test.read_text() for test in early.tests] == [test.read_text() for test in again.tests]
    assert len(early.tests) <= len(late.tests) + 2
    for count in ("forks", "instructions", "paths"):  # nothing is explored otherwise
        assert early.summary[count] == late.summary[count]


def test_what_is_due_at_the_limit_was_written_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is left to do where no time is left for it."""
    source = written(ENDLESS, tmp_path)
    monkeypatch.setattr("unfork.engine.explore.loop.Exploration.tell", _tell_before_the_end)
    late = explore(source, tmp_path / "late", *LIMIT)
    assert ways(late.tests) == {3}
    monkeypatch.setattr(examples, "EACH", 2_000)
    early = explore(source, tmp_path / "early", *LIMIT)
    assert ways(early.tests) == {0, 1, 2, 3}


def _tell_before_the_end(exploration: object, event: object) -> None:
    """As Exploration.tell, but of no state that a limit leaves."""
    if type(event).__name__ != "Left":
        for observer in exploration.observers:  # type: ignore[attr-defined]
            observer.tell(event)


def test_a_run_that_is_killed_has_tests_of_paths_that_go_on(tmp_path: Path) -> None:
    source, out = written(ENDLESS, tmp_path), tmp_path / "run"
    words = ["run", str(source), "--quiet", "--out", str(out), *LIMIT]
    killed = subprocess.run([sys.executable, "-c", KILLED, *words], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert {1, 2} <= ways(sorted((out / "tests").glob("*.json")))
    result = resume(out, {"quiet": True})
    assert result.summary["stopped_by"] == "max-forks"
    assert edges_of(result) == edges_of(explore(source, tmp_path / "straight", *LIMIT))
    assert len(claims(result)) == len(set(claims(result)))


@pytest.mark.parametrize("tests", some(["paths", "errors"], "kinds"))
def test_where_tests_are_of_paths_or_errors_none_comes_before(
    tests: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = written(ENDLESS, tmp_path)
    late = explore(source, tmp_path / "late", *LIMIT, "--tests", tests)
    monkeypatch.setattr(examples, "EACH", 2_000)
    early = explore(source, tmp_path / "early", *LIMIT, "--tests", tests)
    assert [test.read_text() for test in early.tests] == [test.read_text() for test in late.tests]


@pytest.mark.parametrize("strategy", ["plain", "match"])
def test_the_test_of_a_path_that_goes_on_says_how_its_inputs_end(
    strategy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(examples, "EACH", 100)
    result = explore(written(PRINTING, tmp_path), tmp_path / "run", "--strategy", strategy)
    tests = [read_test(test) for test in result.tests]
    assert any(len(test.inputs) < 6 for test in tests)  # of a path that was not at its end
    for test in tests:
        letters = [*[each.data for each in test.inputs], *[b"\0"] * (6 - len(test.inputs))]
        printed = [b"h" if letter >= b"h" else b"l" for letter in letters]
        if letters[4] == b"z":
            printed.insert(5, b"z")
        assert test.expect == Exit(0)
        assert test.stdout == b"".join(printed)
