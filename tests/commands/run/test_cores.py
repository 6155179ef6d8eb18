"""Several processes that explore one strategy come to what one comes to, whatever happens to some of them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from tests.support.corpus import Expected, programs, with_some_cpp
from tests.support.power import IS_FULL, paired
from tests.support.runs import comes_out_as_stated, edges_of, errors_of, explore, options_of, written
from unfork.commands.assemble import solving
from unfork.commands.assemble.bounding import budget
from unfork.commands.assemble.checks import UNCHECKED
from unfork.commands.assemble.raced_strategies import as_strategy
from unfork.commands.run import cores, race, team
from unfork.commands.run.explorer import Explorer
from unfork.commands.run.meetings import Meetings, Queue, choose_family
from unfork.commands.run.messages import WorkerTask
from unfork.commands.run.resume import resume
from unfork.commands.run.run import Result
from unfork.commands.run.strategy_worker import WorkerSide
from unfork.engine.protocols.frontier import Frontier
from unfork.engine.protocols.stopper import Stopper
from unfork.engine.state.memory import END_OF_NAMES, FIRST_STACK
from unfork.engine.state.names import Names
from unfork.engine.step.statics import Statics
from unfork.options.options import Options
from unfork.processes import MessageChannel
from unfork.report.replay.second_opinion import NoCheck

SEARCH = """
#include <assert.h>
#include "unfork.h"
int deep(int *where, int left) {
    int here = *where;
    if (left == 0) return here;
    unsigned char step;
    unfork_symbolic(&step, 1, "step");
    if (step > 200) { int next = here + 1; return deep(&next, left - 1); }
    if (step < 9) { int next = here * 2; return deep(&next, left - 1); }
    return deep(where, left - 1);
}
int main(void) {
    int start = 1;
    int end = deep(&start, 5);
    assert(end != 22);
    if (end == 12) unfork_cover(7);
    return end > 20;
}
"""
MACHINE = """
#include "unfork.h"
int main(void) {
    static void *const next[] = {&&idle, &&busy, &&done};
    unsigned char events[5];
    int served = 0, at = 0;
    unfork_symbolic(events, sizeof events, "events");
    goto *next[events[0] % 3];
idle:
    if (++at == 5) return 0;
    goto *next[events[at] % 3];
busy:
    served++;
    if (++at == 5) return 0;
    goto *next[events[at] % 3];
done:
    if (served == 4) __builtin_trap();
    return 0;
}
"""
TEXTS = {"search": SEARCH, "machine": MACHINE}
SMALL = with_some_cpp([program for program in programs() if program.forks][5 :: 16 if IS_FULL else 96], 3)


@pytest.fixture(autouse=True)
def early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Others come to help at once and meet often, so that small programs are shared too."""
    monkeypatch.setattr(race, "FIRST", 3_000)
    monkeypatch.setattr(race, "STUCK", -1)
    monkeypatch.setattr(team, "FIRST", 1_000)
    monkeypatch.setattr(team, "SHORTEST", 3_000)


def came_to(result: Result) -> tuple[object, ...]:
    """What must not depend on how many explore."""
    return result.verdict, errors_of(result), edges_of(result), result.summary["stopped_by"]


def steady(result: Result) -> dict[str, Any]:
    """The summary but for times and memory."""
    summary = {key: value for key, value in result.summary.items() if key not in ("seconds", "peak_memory_mb")}
    for block in (summary["solver"], summary["prunes"]):
        block.pop("seconds")
    summary["options"].pop("out")
    return summary


def helped(result: Result) -> bool:
    """Whether another process got states to explore."""
    return any(worker["given"] for worker in result.summary["workers"])


@pytest.mark.parametrize(
    ("strategy", "text"), paired(["plain", "learn", "join", "count", "match"], ["search", "machine"])
)
def test_it_comes_to_the_same_with_any_number_of_processes(text: str, strategy: str, tmp_path: Path) -> None:
    source = written(TEXTS[text], tmp_path)
    alone, *others = [
        explore(source, tmp_path / str(count), "--strategy", strategy, "--cores", str(count)) for count in (1, 2, 3)
    ]
    assert not helped(alone)
    for other in others:
        assert came_to(other) == came_to(alone)
        assert len(other.summary["workers"]) > 1
    if strategy == "plain":
        assert all(helped(other) for other in others)
        for key in ("completed", "represented", "silent"):
            assert {other.summary["paths"][key] for other in others} == {alone.summary["paths"][key]}
        assert {other.summary["states"]["created"] for other in others} == {alone.summary["states"]["created"]}


@pytest.mark.parametrize("program", SMALL, ids=[program.name for program in SMALL])
def test_the_corpus_comes_out_as_stated_with_two_processes(
    program: Expected, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cores, "helpers", lambda options, strategies: [1] * strategies)
    comes_out_as_stated(program, tmp_path / "run")


def test_strategies_of_a_race_have_helpers_too(tmp_path: Path) -> None:
    source = written(SEARCH, tmp_path)
    alone = explore(source, tmp_path / "1", "--strategy", "plain", "--cores", "1")
    raced = explore(source, tmp_path / "2", "--strategy", "match,plain", "--cores", "5")
    assert came_to(raced)[:3] == came_to(alone)[:3]
    assert {standing["stopped_by"] for standing in raced.summary["strategies"]} <= {None}


def test_a_run_can_be_repeated(tmp_path: Path) -> None:
    source = written(MACHINE, tmp_path)
    first, second = [
        explore(source, tmp_path / str(number), "--strategy", "learn", "--cores", "3") for number in range(2)
    ]
    assert steady(first) == steady(second)
    assert [test.read_text() for test in first.tests] == [test.read_text() for test in second.tests]


Meet = Callable[[Meetings, str, int], WorkerTask]


def _killed(meet: Meet, number: signal.Signals) -> Meet:
    def killed(self: Meetings, status: str, waiting: int) -> WorkerTask:
        task = meet(self, status, waiting)
        if task.families:
            os.kill(os.getpid(), number)
        return task

    return killed


@pytest.mark.parametrize(
    ("strategy", "number"), paired(["plain", "join", "learn", "match"], [signal.SIGKILL, signal.SIGSTOP])
)
def test_what_a_process_had_that_died_is_explored_by_others(
    number: signal.Signals, strategy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = written(SEARCH, tmp_path)
    alone = explore(source, tmp_path / "1", "--strategy", strategy, "--cores", "1")
    monkeypatch.setattr(Meetings, "_meet", _killed(Meetings._meet, number))
    result = explore(source, tmp_path / "2", "--strategy", strategy, "--cores", "3")
    assert came_to(result) == came_to(alone)
    if strategy == "plain":
        assert {worker["stopped_by"] for worker in result.summary["workers"]} == {None, team.GONE}
        assert result.summary["paths"]["completed"] == alone.summary["paths"]["completed"]


def test_a_broken_message_costs_nothing_that_was_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = written(SEARCH, tmp_path)
    alone = explore(source, tmp_path / "1", "--strategy", "plain", "--cores", "1")
    meet = Meetings._meet

    def breaking(self: Meetings, status: str, waiting: int) -> WorkerTask:
        if waiting:
            assert isinstance(self._channel, MessageChannel)
            os.write(self._channel.writer, (1000).to_bytes(8, "little") + b"the rest is missing")
            os._exit(0)
        return meet(self, status, waiting)

    monkeypatch.setattr(Meetings, "_meet", breaking)
    result = explore(source, tmp_path / "2", "--strategy", "plain", "--cores", "2")
    assert came_to(result) == came_to(alone)


def test_a_limit_in_another_process_is_one_of_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    meet = Meetings._meet

    def full(self: Meetings, status: str, waiting: int) -> WorkerTask:
        task = meet(self, status, waiting)
        if task.families:
            monkeypatch.setattr(Meetings, "look", lambda self, frontier: "max-memory")
        return task

    monkeypatch.setattr(Meetings, "_meet", full)
    source = written(SEARCH.replace("end != 22", "end"), tmp_path)
    result = explore(source, tmp_path / "run", "--strategy", "plain", "--cores", "2")
    assert (result.verdict, result.summary["stopped_by"]) == ("unknown", "max-memory")


def test_a_mistake_of_the_engine_in_another_process_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*_: object) -> None:
        raise KeyError("a mistake")

    monkeypatch.setattr("unfork.commands.run.strategy_worker.WorkerSide.take", wrong)
    source = written(SEARCH.replace("end != 22", "end"), tmp_path)
    result = explore(source, tmp_path / "run", "--strategy", "plain", "--cores", "2")
    assert result.verdict == "unknown"
    assert "a mistake" in (result.directory / "crash.txt").read_text()


@pytest.mark.parametrize("strategy", ["plain", "join", "match"])
def test_a_run_of_several_processes_can_be_resumed(strategy: str, tmp_path: Path) -> None:
    source = written(SEARCH, tmp_path)
    words = ("--strategy", strategy, "--cores", "3")
    alone = explore(source, tmp_path / "alone", "--strategy", strategy, "--cores", "1")
    first = explore(source, tmp_path / "run", *words, "--max-tests", "2")
    assert first.summary["stopped_by"] == "max-tests"
    result = resume(first.directory, {"max_tests": 1_000})
    assert came_to(result) == came_to(alone)


KILLED = """
import os, signal, sys
from unfork.commands.run import saving
from unfork.cli import main
from unfork.commands.run import race, team
from unfork.report.record.journal import Journal
saving.EACH, saving._REST, race.FIRST, race.STUCK, team.SHORTEST = 0.0, 0, 3_000, -1, 3_000
save, saves = Journal.save, []
def killing(self, waiting, snapshot):
    save(self, waiting, snapshot)
    saves.append(1)
    if snapshot.away and len(saves) > int(sys.argv[1]):
        os.kill(os.getpid(), signal.SIGKILL)
Journal.save = killing
main(sys.argv[2:])
"""


@pytest.mark.parametrize("saves", [1, 60])
def test_what_others_had_when_the_run_was_killed_is_explored_when_it_is_resumed(saves: int, tmp_path: Path) -> None:
    source = written(SEARCH, tmp_path)
    alone = explore(source, tmp_path / "alone", "--strategy", "plain", "--cores", "1")
    words = ["run", "--strategy", "plain", "--cores", "2", "--quiet", "--no-progress", "--out", str(tmp_path / "run")]
    killed = subprocess.run([sys.executable, "-c", KILLED, str(saves), *words, str(source)], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert came_to(resume(tmp_path / "run", {"quiet": True})) == came_to(alone)


class Travelling:
    """Lets all waiting states leave and come back, again and again."""

    def __init__(self, limits: Stopper, side: WorkerSide, explorer: Explorer) -> None:
        self.limits, self.side, self.explorer = limits, side, explorer
        self.looks = self.journeys = 0

    def look(self, frontier: Frontier) -> str | None:
        self.looks += 1
        if self.looks % 7 == 0:
            self.journeys += 1
            self.side.take(self.side.give(len(frontier)))
        return self.limits.look(frontier)


@pytest.mark.parametrize(("strategy", "text"), paired(["plain", "join", "learn", "match"], ["machine", "search"]))
def test_states_that_travel_come_to_what_they_come_to_at_home(text: str, strategy: str, tmp_path: Path) -> None:
    source = written(TEXTS[text], tmp_path)
    straight = explore(source, tmp_path / "straight", "--strategy", strategy, "--cores", "1")
    options = as_strategy(options_of(tmp_path / "out"), strategy)
    backend = solving.backend(options)
    explorer = Explorer(
        (str(source),), options, (), straight.program, backend, UNCHECKED, budget(options, time.monotonic())
    )
    recorder = explorer.recorder(Queue(), (), NoCheck())
    observers = explorer.observers(recorder, ())
    travelling = Travelling(explorer.limits(recorder, observers), WorkerSide(explorer), explorer)
    with explorer.interrupt:
        explorer.loop(recorder, observers, travelling)
    backend.solver.close()
    assert explorer.stopped_by is None
    assert travelling.journeys
    assert {(error.kind, error.line) for error in recorder.errors} == {
        (kind, line) for kind, _, line in errors_of(straight)
    }
    covered = {edge for edge in edges_of(straight) if edge[0] in ("deep", "main")}
    assert {edge for edge in explorer.parts.engine.coverage.settled_edges() if edge[0] in ("deep", "main")} == covered
    if strategy == "plain":
        assert explorer.parts.tally.represented == straight.summary["paths"]["represented"]
        assert explorer.parts.tally.created == straight.summary["states"]["created"]
        assert not explorer.parts.tally.waiting


def test_no_number_is_given_out_twice() -> None:
    tables = []
    for part in range(3):
        names = Names()
        names.plain_local(1, "main", 0, 0, 4, 1)
        names.activation(0, "main", 0)
        names.share(part, 3)
        tables.append(names)
    common = {names.plain_local(1, "main", 0, 0, 4, 1) for names in tables}
    assert common == {FIRST_STACK}
    assert {names.activation(0, "main", 0) for names in tables} == {1}
    fresh = [names.plain_local(2, "f", site, 0, 4, 1) for names in tables for site in range(50)]
    assert len(set(fresh) | common) == 151
    assert len({names.activation(1, "f", number) for names in tables for number in range(50)}) == 50 * 3
    assert len({names.symbol() for names in tables for _ in range(50)}) == 50 * 3
    for names in tables:
        assert all(names.is_local(number) for number in [*fresh, FIRST_STACK])
        assert not names.is_local(END_OF_NAMES)
    assert not tables[0].is_local(max(fresh[:50]) + 1)


def test_helpers_of_a_run_that_goes_on_give_out_no_number_of_earlier_helpers() -> None:
    tables = [Names() for _ in range(4)]
    for part, names in enumerate(tables[:2]):
        names.share(part, 2)
    given = [(names.symbol(), names.activation(1, "f", number)) for names in tables[:2] for number in range(50)]
    for part, names in enumerate(tables[2:]):
        names.restore(deepcopy(tables[0]))
        names.share(part, 2)
    given += [(names.symbol(), names.activation(1, "g", number)) for names in tables[2:] for number in range(50)]
    symbols, activations = zip(*given, strict=True)
    assert len(set(symbols)) == len(set(activations)) == len(given)


def test_labels_are_numbered_by_the_program_alone(tmp_path: Path) -> None:
    program = explore(written(MACHINE, tmp_path), tmp_path / "run", "--cores", "1").program
    labels = [block.label for block in program.function("main").blocks][1:3]
    one, other = Statics(program, lambda name: False), Statics(program, lambda name: False)
    addresses = {label: one.block_address("main", label) for label in labels}
    assert {label: other.block_address("main", label) for label in reversed(labels)} == addresses
    assert len(set(addresses.values())) == 2


def test_families_are_of_states_in_a_row() -> None:
    waiting: Any = dict(enumerate("abcdefgh"))
    assert [*map(str, choose_family(waiting, 3, in_one=True))] == ["a", "b", "c"]
    assert [*map(str, choose_family(waiting, 4, in_one=False))] == ["c", "d", "g", "h"]
    assert [*map(str, choose_family(waiting, 6, in_one=False))] == ["a", "b", "c", "d", "g", "h"]


@pytest.mark.parametrize(
    ("text", "granted"), [("max 100000", 4), ("250000 100000", 2), ("50000 100000", 1), (None, 4), ("?", 4)]
)
def test_cores_are_those_of_affinity_and_control_group(
    text: str | None, granted: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {0, 1, 2, 3})
    monkeypatch.setattr(cores, "_QUOTA", tmp_path / "cpu.max")
    if text is not None:
        (tmp_path / "cpu.max").write_text(text + "\n")
    assert cores.available() == granted


def test_spare_cores_go_round() -> None:
    assert cores.helpers(Options(cores=4), 4) == [0, 0, 0, 0]
    assert cores.helpers(Options(cores=6), 4) == [1, 1, 0, 0]
    assert cores.helpers(Options(cores=2), 1) == [1]
    assert cores.helpers(Options(cores=9, tests="paths"), 1) == [0]
    assert cores.helpers(Options(cores=9, max_forks=5, given=frozenset({"max_forks"})), 1) == [0]


def test_runs_side_by_side_get_different_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: {4, 5, 6})
    given = []
    for number in (3, 4, 5):
        monkeypatch.setattr(os, "getpid", lambda number=number: number)
        given.append(cores.some(2))
    assert given == [{4, 5}, {5, 6}, {6, 4}]
    assert cores.some(9) == {4, 5, 6}
