"""Strategies that are explored on a cluster come to the same as in processes, whatever happens to the actors."""

from __future__ import annotations

import importlib
import os
import pickle
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.power import LONG
from tests.support.runs import errors_of, explore, options_of, written
from unfork.cli import main
from unfork.commands.assemble.raced_strategies import as_strategy
from unfork.commands.run import coordinator, race
from unfork.commands.run.actor_worker import ActorWorker, OtherVersion, fingerprint, unpack_report
from unfork.commands.run.messages import GOING, WorkerReport, WorkerTask
from unfork.commands.run.run import Result
from unfork.commands.run.strategy_plan import StrategyPlan
from unfork.commands.run.working import posting
from unfork.engine.explore.limits import Budget
from unfork.program.llvm.reader import Parcel, pack

POPCOUNT = Path("bench/programs/popcount.c")
REGEXP = Path("examples/regexp.c")
READER = """
#include <stdio.h>
#include "unfork.h"
int main(void) {
    char text[4] = "";
    unsigned char key[8];
    unsigned same = 0;
    unfork_symbolic(key, sizeof key, "key");
    FILE *file = fopen("given", "r");
    fgets(text, sizeof text, file);
    for (int i = 0; i < 8; i++)
        if ((key[i] ^ text[i % 3]) & 1) same++;
    return same == 3;
}
"""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """The module that knows Ray; a cluster of two processors is there, which runs with ``--cluster`` find."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    ray = pytest.importorskip("ray", reason="Ray is not installed: pip install 'unfork[cluster]', if there is a wheel")
    ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=100 << 20)
    yield importlib.import_module("unfork.commands.run.cluster")
    ray.shutdown()


@pytest.fixture
def early(monkeypatch: pytest.MonkeyPatch) -> None:
    """All strategies begin at once, so that small programs are raced too."""
    monkeypatch.setattr(race, "FIRST", 2_000)
    monkeypatch.setattr(race, "STUCK", -1)


ROOM = ("--max-memory", "20000")
"""What the process of the tests holds already is taken off the memory that the strategies share."""
CLUSTER = ("--cluster", "local", *ROOM)


def _kept(result: Result) -> tuple[dict[str, Any], list[str]]:
    """All that a run came to, but for what differs each time."""
    summary = {key: value for key, value in result.summary.items() if key not in ("seconds", "peak_memory_mb", "given")}
    for block in (summary["solver"], summary["prunes"], summary["options"]):
        for key in ("seconds", "out", "cluster"):
            block.pop(key, None)
    return summary, [test.read_text() for test in result.tests]


def _standings(result: Result) -> dict[str, dict[str, Any]]:
    return {standing["name"]: standing for standing in result.summary["strategies"]}


def _warnings(result: Result) -> str:
    return (result.directory / "warnings.txt").read_text()


def _kill(contestant: Any) -> None:
    """Kill the process of an actor, as the kernel would."""
    pid = contestant._actor.__ray_call__.remote(lambda seat: os.getpid()).future().result()
    assert pid != os.getpid()
    os.kill(pid, signal.SIGKILL)


@pytest.mark.usefixtures("early", "cluster")
@pytest.mark.parametrize(
    ("program", "words"),
    [
        pytest.param(POPCOUNT, ("-D", "BITS=20"), id="to the end"),
        pytest.param(REGEXP, ("-D", "SIZE=4", "--max-forks", "60"), id="to a limit", marks=LONG),
    ],
)
def test_a_cluster_comes_to_what_processes_come_to(program: Path, words: tuple[str, ...], tmp_path: Path) -> None:
    race = (*words, "--strategy", "plain,join,learn,match")
    here = explore(program, tmp_path / "here", *race, *ROOM)
    there = explore(program, tmp_path / "there", *race, *CLUSTER)
    assert _kept(here) == _kept(there)
    assert errors_of(here) == errors_of(there)
    assert _standings(there)["join"]["rounds"]


@pytest.mark.usefixtures("early", "cluster")
def test_files_go_along(tmp_path: Path) -> None:
    (tmp_path / "host").write_text("xyz")
    words = ("--strategy", "plain,join", "--file", f"{tmp_path / 'host'}=given")
    program = written(READER, tmp_path)
    here = explore(program, tmp_path / "here", *words, *ROOM)
    there = explore(program, tmp_path / "there", *words, *CLUSTER)
    assert _kept(here) == _kept(there)
    assert _standings(there)["join"]["rounds"]


@pytest.mark.usefixtures("early")
def test_an_actor_that_is_killed_begins_anew_and_nothing_changes(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("-D", "BITS=10", "--strategy", "plain,learn", *CLUSTER)
    undisturbed = explore(POPCOUNT, tmp_path / "undisturbed", *words)
    start, killed = cluster.Actor.start, []

    def dying(self: Any, turn: WorkerTask) -> None:
        if len(self._tasks) == 2 and not killed:
            killed.append(self)
            _kill(self)
        start(self, turn)

    monkeypatch.setattr(cluster.Actor, "start", dying)
    result = explore(POPCOUNT, tmp_path / "run", *words)
    assert killed
    assert _kept(result) == _kept(undisturbed)
    assert "learn: its actor died in round 3; it began anew elsewhere: " in _warnings(result)
    assert not _warnings(undisturbed)


@pytest.mark.usefixtures("early")
def test_an_actor_that_is_killed_twice_is_out_and_that_is_said(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = cluster.Actor._ask

    def dying(self: Any, turns: list[WorkerTask]) -> None:
        if self.name == "learn":
            _kill(self)
        ask(self, turns)

    monkeypatch.setattr(cluster.Actor, "_ask", dying)
    words = ("-D", "BITS=8", "--strategy", "plain,join,learn", *CLUSTER)
    result = explore(POPCOUNT, tmp_path / "run", *words)
    assert result.verdict == "safe"
    assert _standings(result)["learn"]["stopped_by"] == coordinator.GONE
    assert _standings(result)["join"]["ended"]
    assert "learn: its actor died again, and it takes no part any more: " in _warnings(result)


@pytest.mark.usefixtures("early")
def test_a_limit_ends_the_actors_and_leaves_a_cluster_that_others_started(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    handles = []
    begin = cluster.Cluster.begin

    def noting(self: Any, *rest: Any) -> Any:
        actor = begin(self, *rest)
        handles.append(actor._actor)
        return actor

    monkeypatch.setattr(cluster.Cluster, "begin", noting)
    words = ("-D", "BITS=24", "--strategy", "plain,match", "--max-forks", "200", *CLUSTER)
    result = explore(POPCOUNT, tmp_path / "run", *words)
    assert result.summary["stopped_by"] == "max-forks", result.summary["strategies"]
    assert cluster.ray.is_initialized()
    assert len(handles) == 1
    with pytest.raises(cluster.ray.exceptions.RayActorError):
        cluster.ray.get(handles[0].interrupt.remote())


@pytest.mark.usefixtures("early", "cluster")
def test_a_machine_with_another_unfork_takes_no_part(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unfork.commands.run.cluster.fingerprint", lambda: "that of another version")
    result = explore(POPCOUNT, tmp_path / "run", "-D", "BITS=6", "--strategy", "plain,join", *CLUSTER)
    assert result.verdict == "safe"
    assert _standings(result)["join"]["stopped_by"] == coordinator.GONE
    assert "another unfork, or other solvers" in _warnings(result)


@pytest.mark.parametrize("address", ["ray://127.0.0.1:10001", "nonsense", "127.0.0.1:1", "127.0.0.1:99999999"])
def test_an_address_of_no_cluster_is_refused_in_one_line(
    cluster: Any, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cluster.ray, "is_initialized", lambda: False)
    assert main(["run", str(POPCOUNT), "--cluster", address, "--out", str(tmp_path / "run")]) == 2
    assert capsys.readouterr().err.startswith(f"unfork: --cluster {address}: ")
    assert not (tmp_path / "run").exists()


def test_who_begins_anew_does_so_on_another_machine_if_there_is_one(
    cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def node(name: str, alive: bool = True, processors: float = 1.0) -> dict[str, Any]:
        return {"NodeID": name, "Alive": alive, "Resources": {"CPU": processors}}

    one, other = "a0" * 28, "b0" * 28
    nodes = [node(one), node(other), node("c0" * 28, alive=False), node("d0" * 28, processors=0)]
    monkeypatch.setattr(cluster.ray, "nodes", lambda: nodes)
    there = cluster.Cluster(is_ours=False, pack=lambda: None)
    assert there._away_from(one).node_id == other
    assert there._away_from(other).node_id == one
    del nodes[1]
    assert there._away_from(one) == "SPREAD"


def test_without_ray_one_line_says_how_to_install_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.delitem(sys.modules, "unfork.commands.run.cluster", raising=False)
    assert main(["run", str(POPCOUNT), "--cluster", "local", "--out", str(tmp_path / "run")]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert "pip install 'unfork[cluster]'" in lines[0]


def test_one_strategy_alone_needs_no_cluster(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["run", str(POPCOUNT), "--merge", "none", "--cluster", "local", "--out", str(tmp_path / "run")]
    assert main(words) == 2
    assert "--cluster" in capsys.readouterr().err


# --- what an actor does, without one ---


@pytest.fixture
def parcel(tmp_path: Path) -> Parcel:
    """A program with a million paths."""
    result = explore(POPCOUNT, tmp_path / "built", "-D", "BITS=20", "--max-instructions", "1", "--merge", "none")
    return pack(result.program)


def _seat(parcel: Parcel, out: Path, made_by: str) -> ActorWorker:
    options = as_strategy(options_of(out), "plain")
    strategy = StrategyPlan("plain", 0, (str(POPCOUNT),), options, (), Budget(time.monotonic()))
    task = posting(strategy)
    return ActorWorker(made_by, pickle.dumps(task), pickle.dumps(parcel)[:1_000], pickle.dumps(parcel)[1_000:])


def _played(seat: ActorWorker, *turns: WorkerTask) -> WorkerReport:
    return unpack_report(seat.play(turns)[0])


def test_who_begins_anew_comes_to_where_the_other_was(parcel: Parcel, tmp_path: Path) -> None:
    turns = [WorkerTask(2_000), WorkerTask(3_000), WorkerTask(4_000)]
    first, second = _seat(parcel, tmp_path, fingerprint()), _seat(parcel, tmp_path, fingerprint())
    reports = [_played(first, turn) for turn in turns]
    again = _played(second, *turns)
    for seat in (first, second):
        seat.interrupt()
        assert _played(seat, WorkerTask(1_000_000_000)).status == "interrupt"
    assert again.status == GOING
    assert again.work == reports[-1].work
    assert again.counts.tally.created == reports[-1].counts.tally.created
    assert again.shown == reports[-1].shown


def test_who_is_interrupted_before_it_begins_does_not_explore(parcel: Parcel, tmp_path: Path) -> None:
    seat = _seat(parcel, tmp_path, fingerprint())
    seat.interrupt()
    assert _played(seat, WorkerTask(1_000_000_000)).status == "interrupt"


def test_a_seat_refuses_what_another_version_made(parcel: Parcel, tmp_path: Path) -> None:
    with pytest.raises(OtherVersion):
        _seat(parcel, tmp_path, "another").play([WorkerTask(1_000)])


def test_what_ends_an_exploration_is_raised_where_somebody_waits(parcel: Parcel, tmp_path: Path) -> None:
    with pytest.raises(pickle.UnpicklingError):
        ActorWorker(fingerprint(), b"broken", pickle.dumps(parcel)).play([WorkerTask(1_000)])
