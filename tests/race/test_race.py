"""Strategies that race come to what each alone comes to, whatever happens to the others."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.corpus import Expected, programs
from tests.runs import comes_out_as_stated, errors_of, explore, written
from unfork.api import contending
from unfork.race import referee
from unfork.race.messages import Report

ALL = ("--strategy", "plain,join,learn,match")
POPCOUNT = Path("bench/programs/popcount.c")
RACED = [program for program in programs() if program.forks][::12]
ENDLESS = """
#include <assert.h>
#include "unfork.h"
int main(void) {
    unsigned total = 0;
    for (;;) {
        unsigned char step;
        unfork_symbolic(&step, 1, "step");
        if (step & 1) total = (total + 1) % 5;
        assert(total < 5);
    }
}
"""


@pytest.fixture
def early(monkeypatch: pytest.MonkeyPatch) -> None:
    """All strategies begin at once, so that small programs are raced too."""
    monkeypatch.setattr(referee, "FIRST", 2_000)


@pytest.mark.usefixtures("early")
@pytest.mark.parametrize("program", RACED, ids=[program.name for program in RACED])
def test_a_race_comes_out_as_stated(program: Expected, tmp_path: Path) -> None:
    chosen = [word for word in program.options if word.startswith(("--search", "--merge", "--prune"))]
    if chosen:
        pytest.skip("the header chooses a strategy")
    comes_out_as_stated(replace(program, options=(*program.options, *ALL)), tmp_path / "run")


def test_whoever_ends_first_ends_the_run(tmp_path: Path) -> None:
    result = explore(POPCOUNT, tmp_path / "run", "-D", "BITS=24", *ALL, "--max-time", "120")
    assert result.verdict == "safe"
    standings = {standing["name"]: standing for standing in result.summary["strategies"]}
    assert [*standings] == ["plain", "join", "learn", "match"]
    assert [name for name, standing in standings.items() if standing["ended"]] == ["join"]
    assert result.summary["paths"]["represented"] == 2**24
    assert not result.waiting


def test_a_race_can_be_repeated(tmp_path: Path) -> None:
    summaries = []
    for number in range(2):
        result = explore(POPCOUNT, tmp_path / str(number), "-D", "BITS=20", *ALL)
        summary = {key: value for key, value in result.summary.items() if key not in ("seconds", "peak_memory_mb")}
        for block in (summary["solver"], summary["prunes"], summary["options"]):
            block.pop("seconds", None)
            block.pop("out", None)
        summaries.append((summary, [test.read_text() for test in result.tests]))
    assert summaries[0] == summaries[1]


@pytest.mark.usefixtures("early")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_a_strategy_that_dies_costs_itself_alone(
    number: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = contending.contend

    def dying(channel: Any, files: Any, options: Any, *rest: Any) -> None:
        if options.strategy and options.merge == "static":
            os.kill(os.getpid(), number)
        whole(channel, files, options, *rest)

    monkeypatch.setattr("unfork.api.run.contend", dying)
    result = explore(POPCOUNT, tmp_path / "run", "-D", "BITS=6", *ALL)
    standings = {standing["name"]: standing for standing in result.summary["strategies"]}
    assert result.verdict == "safe"
    assert standings["join"]["stopped_by"] == referee.GONE


@pytest.mark.usefixtures("early")
def test_a_broken_message_costs_its_strategy_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = contending.contend

    class Broken:
        def __init__(self, channel: Any) -> None:
            self.channel = channel

        def send(self, report: Report) -> None:
            os.write(self.channel.fileno(), b"\0\0\1\0 the rest is missing")
            os._exit(0)

        def recv(self) -> Any:
            return self.channel.recv()

    def breaking(channel: Any, files: Any, options: Any, *rest: Any) -> None:
        whole(Broken(channel) if options.merge == "static" else channel, files, options, *rest)

    monkeypatch.setattr("unfork.api.run.contend", breaking)
    result = explore(POPCOUNT, tmp_path / "run", "-D", "BITS=6", *ALL)
    standings = {standing["name"]: standing for standing in result.summary["strategies"]}
    assert result.verdict == "safe"
    assert standings["join"]["stopped_by"] == referee.GONE


def test_a_program_without_end_that_comes_to_the_same_states_ends(tmp_path: Path) -> None:
    result = explore(written(ENDLESS, tmp_path), tmp_path / "run", *ALL, "--max-time", "60")
    assert result.verdict == "safe"
    assert errors_of(result) == set()
    assert {"match"} <= {standing["name"] for standing in result.summary["strategies"] if standing["ended"]}


@pytest.mark.usefixtures("early")
def test_a_mistake_of_the_engine_in_one_strategy_is_said_and_nothing_is_safe(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(*_: object) -> None:
        raise KeyError("a mistake")

    monkeypatch.setattr("unfork.merge.meetings.Meetings.meet", wrong)
    result = explore(POPCOUNT, tmp_path / "run", "-D", "BITS=6", *ALL)
    assert result.failure is not None
    assert result.verdict == "unknown"
    assert "a mistake" in (result.directory / "crash.txt").read_text()
