"""Whatever ends a race, what the other strategies have covered has its tests: those of waiting states, too."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.commands.run.test_race import standings_of
from tests.support.power import some
from tests.support.runs import edges_of, explore, written
from unfork.commands.run import coordinator, race
from unfork.commands.run.process import Process
from unfork.commands.run.race import Quotas
from unfork.commands.run.run import Result
from unfork.commands.run.working import work
from unfork.engine.explore.endings import Deadline
from unfork.engine.explore.limits import RunLimits
from unfork.report.record import left_paths
from unfork.report.record.kept_run import read_test

WAYS = """
#include "unfork.h"
int main(void) {
    unsigned char way, turn, step;
    unsigned total = 0;
    unfork_symbolic(&way, 1, "way");
    switch (way) {
    case 1: total = 3; break;
    case 2: total = 5; break;
    case 3: total = 7; break;
    case 4: total = 11; break;
    default: for (;;) {
        unfork_symbolic(&step, 1, "step");
        if (step == 'u') total++;
    }
    }
    unfork_symbolic(&turn, 1, "turn");
    if (turn == 'l') total *= way;
    for (;;) {
        unfork_symbolic(&step, 1, "step");
        if (step == 'd') total--;
    }
}
"""
"""Depth first, the first way is followed for ever; only breadth first sees a branch of the last one."""
FIRST, OTHER = "learn", "plain"
RACE = ("--strategy", f"{FIRST},{OTHER}", "--tests", "coverage")


STARTING = """
import sys
from unfork.cli import main
from unfork.engine.explore import endings
from unfork.commands.run import race
from unfork.report.record import left_paths
endings._AFTERMATH = 60.0
race.FIRST, race.STUCK = 2_000, -1
left_paths._ALL_TO_THE_END = 0
go = race.Race.round
def begin(self, frontier, lead):
    tasks = go(self, frontier, lead)
    if self.first.rounds == 3:
        print("round", flush=True)
    return tasks
race.Race.round = begin
sys.exit(main(sys.argv[1:]))
"""


def sees_far(result: Result) -> bool:
    """Whether a test takes the branch that only one of the two strategies comes to."""
    tests = [[each.data for each in read_test(test).inputs] for test in result.tests]
    return any(way[0] not in range(1, 5) and b"u" in steps for way, *steps in tests)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """The other strategy has one short round, and waits for the first, whose first round never ends."""
    monkeypatch.setattr(race, "FIRST", 2_000)
    monkeypatch.setattr(race, "STUCK", -1)
    monkeypatch.setattr(left_paths, "_ALL_TO_THE_END", 0)
    quotas = {FIRST: 10**9, OTHER: 30_000}
    monkeypatch.setattr(
        Quotas, "next", lambda self, standings, base: {each.name: quotas[each.name] for each in standings}
    )


def ends_by(request: str, monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    """The words for a run that is stopped by a limit or, after as many forks, by Ctrl-C."""
    if request == "max-forks":
        return ("--max-forks", "120")
    look, process = RunLimits.look, os.getpid()

    def interrupted(self: RunLimits, frontier: Any) -> str | None:
        if self.tally.forks >= 120 and os.getpid() == process:
            signal.raise_signal(signal.SIGINT)
        return look(self, frontier)

    monkeypatch.setattr(RunLimits, "look", interrupted)
    return ()


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("reason", some(["max-forks", "interrupt"], "last words", 1))
def test_who_waits_for_the_next_round_writes_its_tests(
    reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = explore(written(WAYS, tmp_path), tmp_path / "run", *RACE, *ends_by(reason, monkeypatch))
    other = standings_of(result)[OTHER]
    assert (result.summary["stopped_by"], other["stopped_by"]) == (reason, reason)
    assert result.summary["tests_unwritten"] == 0
    assert sees_far(result)
    assert other["edges_first"]
    assert other["tests"]


def test_ctrl_c_at_a_terminal_asks_everybody_and_hurries_nobody(tmp_path: Path) -> None:
    out = tmp_path / "run"
    words = ["run", str(written(WAYS, tmp_path)), "--quiet", "--out", str(out), *RACE]
    run = subprocess.Popen([sys.executable, "-c", STARTING, *words], stdout=subprocess.PIPE, start_new_session=True)
    assert run.stdout is not None
    assert run.stdout.readline() == b"round\n"
    os.killpg(run.pid, signal.SIGINT)
    assert run.wait(timeout=120) == 130
    summary = json.loads((out / "summary.json").read_text())
    assert [(each["name"], each["stopped_by"]) for each in summary["strategies"]] == [
        (FIRST, None),
        (OTHER, "interrupt"),
    ]
    assert (summary["stopped_by"], summary["tests_unwritten"]) == ("interrupt", 0)


@pytest.mark.usefixtures("short")
def test_a_race_that_a_limit_of_work_ends_can_be_repeated(tmp_path: Path) -> None:
    source = written(WAYS, tmp_path)
    results = [explore(source, tmp_path / str(number), *RACE, "--max-forks", "120") for number in range(2)]
    assert edges_of(results[0]) == edges_of(results[1])
    assert standings_of(results[0]) == standings_of(results[1])
    texts = [[test.read_text() for test in result.tests] for result in results]
    assert texts[0] == texts[1]


@pytest.mark.usefixtures("short")
def test_tests_that_others_have_no_time_for_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    is_beyond, process = Deadline._is_beyond, os.getpid()
    monkeypatch.setattr(Deadline, "_is_beyond", lambda self, *when: os.getpid() != process or is_beyond(self, *when))
    result = explore(written(WAYS, tmp_path), tmp_path / "run", *RACE, "--max-forks", "120")
    assert result.summary["tests_unwritten"] > 0
    assert not sees_far(result)


@pytest.mark.usefixtures("short")
def test_who_says_nothing_in_its_time_costs_itself_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It spins: its time is that of its processor."""
    monkeypatch.setattr(coordinator, "_LAST_WORDS", 0.2)

    def spinning(channel: Any, contest: Any) -> None:
        work(_Spinning(channel), contest)

    monkeypatch.setattr("unfork.commands.run.working.work", spinning)
    words = ends_by("interrupt", monkeypatch)
    result = explore(written(WAYS, tmp_path), tmp_path / "run", *RACE, *words)
    assert result.summary["stopped_by"] == "interrupt"
    assert standings_of(result)[OTHER]["stopped_by"] is None
    assert not sees_far(result)
    assert result.tests


class _Spinning:
    """A channel whose first report never ends."""

    def __init__(self, channel: Any) -> None:
        self.channel = channel

    def send(self, report: object) -> None:
        while True:
            pass

    def recv(self) -> Any:
        return self.channel.recv()


def test_what_a_process_has_used_is_seen_from_outside() -> None:
    def use(channel: Any) -> None:
        while sum(os.times()[:2]) < 0.3:
            pass
        channel.send("used")
        channel.recv()

    process = Process("busy", use)
    try:
        assert process.report() == "used"
        assert process.used() >= 0.3
    finally:
        process.end()
    assert process.used() == float("inf")
