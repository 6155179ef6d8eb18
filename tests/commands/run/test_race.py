"""Strategies that race come to what each alone comes to, whatever happens to the others."""

from __future__ import annotations

import math
import os
import resource
import signal
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.support.corpus import Expected, programs, read, with_some_cpp
from tests.support.power import IS_FULL, LONG, some
from tests.support.runs import comes_out_as_stated, edges_of, errors_of, explore, written
from unfork.commands.run import coordinator, messages, race, working
from unfork.commands.run.messages import Adopted, WorkerReport
from unfork.commands.run.process import Process
from unfork.commands.run.race import Book, Entrant, Quotas, Race
from unfork.commands.run.run import Result
from unfork.engine.explore.finished_share import FinishedShare
from unfork.engine.explore.tally import Tally
from unfork.options.strategies import StrategyKind
from unfork.report.record.directory import DiskFull
from unfork.report.record.recorder import Recorder
from unfork.report.replay.second_opinion import NoCheck
from unfork.world.inputs.file_of_test import from_json
from unfork.world.inputs.testcase import Error, Expectation, NativeOpinion, Opinion, Replayed, TestCase

ALL = ("--strategy", "plain,join,learn,match")
TWO = ("--strategy", "plain,join")
SAMPLED = Path("tests/logic/solve/sampled")
POPCOUNT = Path("bench/programs/popcount.c")
REGEXP = Path("examples/regexp.c")
FORKING = [program for program in programs() if program.forks and program.path.parent.name != "threads"]
RACED = with_some_cpp(FORKING[:: 12 if IS_FULL else 80], 3)
ENDLESS = """
#include <assert.h>
#include "unfork.h"
int main(void) {
    unsigned total = 0;
    for (;;) {
        unsigned char step;
        unfork_symbolic(&step, 1, "step");
        if (step & 1) total = (total + 1) % 3;
        assert(total < 3);
    }
}
"""


@pytest.fixture
def early(monkeypatch: pytest.MonkeyPatch) -> None:
    """All strategies begin at once, so that small programs are raced too."""
    monkeypatch.setattr(race, "FIRST", 2_000)
    monkeypatch.setattr(race, "STUCK", -1)


def one_long_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever ends the first strategy does so before anybody meets."""
    monkeypatch.setattr(Quotas, "next", lambda self, standings, base: {each.name: 10**9 for each in standings})


def standings_of(result: Result) -> dict[str, dict[str, Any]]:
    """What each strategy came to, by its name."""
    return {standing["name"]: standing for standing in result.summary["strategies"]}


@pytest.mark.usefixtures("early")
@pytest.mark.parametrize("program", RACED, ids=[program.name for program in RACED])
def test_a_race_comes_out_as_stated(program: Expected, tmp_path: Path) -> None:
    chosen = [word for word in program.options if word.startswith(("--search", "--merge", "--prune", "--loops"))]
    if chosen or "nontermination" in program.options:
        pytest.skip("the header chooses a strategy, or asks for all of one exploration")
    comes_out_as_stated(replace(program, options=(*program.options, *ALL)), tmp_path / "run")


def test_whoever_ends_first_ends_the_run(tmp_path: Path) -> None:
    result = explore(POPCOUNT, tmp_path / "run", "-D", "BITS=24", *ALL, "--max-time", "120")
    assert result.verdict == "safe"
    standings = standings_of(result)
    assert [*standings] == ["plain", "join", "learn", "match"]
    assert [name for name, standing in standings.items() if standing["ended"]] == ["join"]
    assert result.summary["paths"]["represented"] == 2**24
    assert not result.waiting


def test_a_run_without_hard_queries_has_no_sampling(tmp_path: Path) -> None:
    result = explore(POPCOUNT, tmp_path / "run", "-D", "BITS=20")
    standings = standings_of(result)
    assert standings["join"]["rounds"]
    assert not standings["sample"]["rounds"]


@LONG
def test_sampling_joins_once_there_are_hard_queries(tmp_path: Path) -> None:
    """Without machine code, in which plain paths would search for a model."""
    program = read(SAMPLED / "savings_bug.c")
    limits = ("--jit", "never", "--solver-timeout", "1", "--max-errors", "2", "--max-time", "1200")
    result = explore(program.path, tmp_path / "run", *limits)
    assert errors_of(result) == program.errors
    assert all(error.replayed for error in result.errors)
    assert standings_of(result)["sample"]["errors_first"]


@pytest.mark.usefixtures("early")
@pytest.mark.parametrize("order", some(["plain,sample", "sample,plain"], "orders"))
def test_samples_end_no_race(order: str, tmp_path: Path) -> None:
    options = ("--strategy", order, "--solver-timeout", "0.5", "--max-time", "600")
    result = explore(SAMPLED / "cubes_fixed.c", tmp_path / "run", *options)
    plain, sample = result.summary["strategies"]
    assert (plain["name"], sample["name"]) == ("plain", "sample")
    assert sample["stopped_by"] == messages.SAMPLED
    assert not sample["ended"]
    assert result.verdict == "unknown"


def test_who_did_more_than_its_quota_rests() -> None:
    """Meanwhile only those begin that are for hard queries."""
    began: list[str] = []

    def entrant(name: str, kind: StrategyKind) -> Entrant:
        begin = partial(began.append, name)
        return Entrant(name, kind, begin, lambda: True)  # type: ignore[arg-type]

    entrants = [entrant("join", StrategyKind.EXACT), entrant("sample", StrategyKind.SAMPLED)]
    book = Book(lambda shown: Adopted(0, 0, ()), lambda: (), lambda: None, wants_tests=True)
    raced = Race("plain", entrants, lambda: 10 * race.FIRST, Tally(forks=1), FinishedShare(), book, math.inf)
    raced.begin()
    assert began == ["sample"]
    rests = 0
    while raced.is_due(raced.round(None, None)[1]):  # type: ignore[arg-type]
        rests += 1
        raced.begin()
        assert rests > 3 or began == ["sample"]
    assert rests > 3
    assert began == ["sample", "join"]


def test_others_begin_once_the_first_strategy_has_found_nothing_new_for_long() -> None:
    found, work = [0], [0]
    book = Book(lambda shown: Adopted(0, 0, ()), lambda: [("main", 0, 0)] * found[0], lambda: None, wants_tests=True)
    join = Entrant("join", StrategyKind.EXACT, lambda: None, lambda: True)  # type: ignore[arg-type, return-value]
    raced = Race("plain", [join], lambda: work[0], Tally(forks=1), FinishedShare(), book, math.inf)
    last, began = 10 * race.FIRST, 0
    while not began:
        work[0] += 10_000
        found[0] = min(work[0], last) // race.FIRST
        began = work[0] if raced.is_due(race.FIRST) else 0
    assert (1 + race.STUCK) * last <= began < 1.2 * (1 + race.STUCK) * last


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
    whole = working.work

    def dying(channel: Any, contest: Any) -> None:
        if contest.strategy.name == "join":
            os.kill(os.getpid(), number)
        whole(channel, contest)

    monkeypatch.setattr("unfork.commands.run.working.work", dying)
    result = explore(POPCOUNT, tmp_path / "run", "-D", "BITS=6", *ALL)
    standings = standings_of(result)
    assert result.verdict == "safe"
    assert standings["join"]["stopped_by"] == coordinator.GONE


@pytest.mark.usefixtures("early")
def test_a_broken_message_costs_its_strategy_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = working.work

    class Broken:
        def __init__(self, channel: Any) -> None:
            self.channel = channel

        def send(self, report: WorkerReport) -> None:
            os.write(self.channel.fileno(), b"\0\0\1\0 the rest is missing")
            os._exit(0)

        def recv(self) -> Any:
            return self.channel.recv()

    def breaking(channel: Any, contest: Any) -> None:
        whole(Broken(channel) if contest.strategy.name == "join" else channel, contest)

    monkeypatch.setattr("unfork.commands.run.working.work", breaking)
    result = explore(POPCOUNT, tmp_path / "run", "-D", "BITS=6", *ALL)
    standings = standings_of(result)
    assert result.verdict == "safe"
    assert standings["join"]["stopped_by"] == coordinator.GONE


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

    monkeypatch.setattr("unfork.reduce.merge.merge_table.MergeTable.meet", wrong)
    result = explore(POPCOUNT, tmp_path / "run", "-D", "BITS=6", *ALL)
    assert result.failure is not None
    assert result.verdict == "unknown"
    assert "a mistake" in (result.directory / "crash.txt").read_text()


DENIED = """
#include <assert.h>
#include "unfork.h"
int main(void) {
    unsigned char x[7];
    unsigned low = 0;
    unfork_symbolic(x, sizeof x, "x");
    if (x[0] == 9) assert(x[1] != 7);
    for (unsigned i = 0; i < sizeof x; i++)
        if (x[i] & 1) low++;
    return low > 3;
}
"""


class Denying(NoCheck):
    """Every error is an alarm."""

    def __init__(self) -> None:
        self.asked: list[Expectation] = []

    def of(self, test: TestCase, replayed: Replayed) -> Opinion:
        self.asked.append(replayed.end)
        return Opinion(NativeOpinion.DENIED, "it does not")


@pytest.mark.usefixtures("early")
def test_an_alarm_that_several_strategies_show_has_one_test_of_theirs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(race, "FIRST", 30_000)  # in longer rounds, several come to it before they meet
    check = Denying()
    monkeypatch.setattr("unfork.commands.afterwards.native_check.check", lambda origin, deadline: check)
    result = explore(written(DENIED, tmp_path), tmp_path / "run", *ALL)
    assert len(check.asked) > 1
    assert len(set(check.asked)) == 1
    assert len(result.alarms) == 1
    tests = [from_json(path.read_text(), path.name) for path in result.tests]
    assert len([test for test in tests if isinstance(test.expect, Error)]) <= 2, "one of the first strategy's own, too"


@pytest.mark.usefixtures("early")
def test_whoever_explored_everything_in_the_round_of_a_limit_has_won(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one_long_round(monkeypatch)
    result = explore(POPCOUNT, tmp_path / "run", "-D", "BITS=24", *TWO, "--max-instructions", "20000")
    standings = standings_of(result)
    assert (standings["plain"]["rounds"], standings["plain"]["ended"]) == (1, False)
    assert standings["join"]["ended"]
    assert (result.verdict, result.summary["stopped_by"]) == ("safe", None)
    assert result.summary["states"]["left"] == 0


def test_what_nobody_else_was_first_to_find_the_first_strategy_has(tmp_path: Path) -> None:
    result = explore(REGEXP, tmp_path / "run", "-D", "SIZE=4", *ALL)
    standings = standings_of(result)
    assert standings["plain"]["states"] > 0
    assert sum(each["edges_first"] for each in standings.values()) == len(edges_of(result))
    assert sum(each["errors_first"] for each in standings.values()) == len(result.errors)


@pytest.mark.usefixtures("early")
def test_a_strategy_that_the_system_refuses_memory_costs_itself_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = working.work

    def starving(channel: Any, contest: Any) -> None:
        if contest.strategy.name == "join":
            pages = int(Path("/proc/self/statm").read_text().split()[0])
            size = pages * resource.getpagesize() + (64 << 20)
            resource.setrlimit(resource.RLIMIT_AS, (size, size))
        whole(channel, contest)

    monkeypatch.setattr("unfork.commands.run.working.work", starving)
    monkeypatch.setattr("unfork.reduce.merge.merge_table.MergeTable.meet", lambda *_: bytearray(1 << 30))
    result = explore(POPCOUNT, tmp_path / "run", "-D", "BITS=6", *ALL)
    assert result.verdict == "safe"
    assert result.failure is None
    assert standings_of(result)["join"]["stopped_by"] == "no-memory"


@pytest.mark.usefixtures("early")
def test_who_outgrows_the_memory_of_the_run_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Process, "grown", lambda self: (1 << 40) * (self.name == "join"))
    result = explore(POPCOUNT, tmp_path / "run", "-D", "BITS=8", *ALL, "--max-memory", "4000")
    standings = standings_of(result)
    assert result.verdict == "safe"
    assert {name for name, each in standings.items() if each["stopped_by"]} == {"join"}
    assert standings["join"]["stopped_by"] == "max-memory"


@pytest.mark.usefixtures("early")
@pytest.mark.parametrize("limit", [(), ("--max-instructions", "6000")], ids=["a meeting", "the last meeting"])
def test_a_disk_that_is_full_at_a_meeting_ends_the_run_as_ever(
    limit: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if limit:
        one_long_round(monkeypatch)
    before: list[int] = []

    def full(self: Recorder, *_: object) -> tuple[int, int]:
        before.append(len(self.tests))
        raise DiskFull("cannot write it: the disk is full")

    monkeypatch.setattr(Recorder, "adopt", full)
    result = explore(REGEXP, tmp_path / "run", "-D", "SIZE=6", *TWO, *limit)
    assert len(before) == 1
    assert result.summary["stopped_by"] == "disk-full"
    assert result.trouble == "cannot write it: the disk is full"
    assert result.failure is None
    assert all(path.exists() for path in result.tests)
    assert len(result.tests) >= before[0]
