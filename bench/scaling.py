"""What a race on a cluster costs: bytes and seconds of a meeting, an actor's start, and what follows for many cores.

``python -m bench.scaling`` races programs with strategies in processes, and weighs what goes through their pipes; then
it begins actors on a cluster of two processors, which needs Ray. From that it works out a table with a model: N workers
of one core each, rounds as a race makes them, and one process that hears and tells all of them, one by one. More
programs can be named as ``--also "FILE OPTIONS"``.
"""

from __future__ import annotations

import argparse
import importlib
import os
import pickle
import tempfile
import time
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from math import log2
from pathlib import Path
from statistics import median
from typing import Any

from bench.measure import EXAMPLES, PROGRAMS
from unfork.cli import parse
from unfork.commands.assemble.raced_strategies import as_strategy
from unfork.commands.run.coordinator import Coordinator
from unfork.commands.run.messages import WorkerTask
from unfork.commands.run.process import Process
from unfork.commands.run.race import FIRST, GROWTH, Race
from unfork.commands.run.run import run
from unfork.commands.run.strategy_worker import StrategyPlan
from unfork.commands.run.working import posting
from unfork.engine.explore.limits import Budget
from unfork.engine.protocols.frontier import Frontier
from unfork.program.llvm.reader import pack

CASES: dict[str, tuple[str, ...]] = {
    str(PROGRAMS / "popcount.c"): ("-D", "BITS=24", "--strategy", "plain,learn,match"),
    str(PROGRAMS / "state_chart.c"): ("-D", "STEPS=8"),
    str(PROGRAMS / "log_packet_hash.c"): (),
    str(EXAMPLES / "regexp.c"): ("-D", "SIZE=9"),
    str(EXAMPLES / "bubble_sort.c"): ("-D", "K=7"),
}
CORES = (4, 16, 64, 250, 1_000)
SECONDS = (60, 600, 3_600)
LATENCY = 0.002
"""Seconds until a call to an actor has come and gone, on a network of which a round trip takes 0.5 ms."""
BANDWIDTH = 125e6
"""Bytes a second that one machine can send and receive: a gigabit."""
STATE_BYTES, STATE_SECONDS = 6_500, 0.020
"""What it takes to send a state elsewhere: the most that was measured where states were first packed."""
MOVED = 0.1
"""The share of the workers that run dry in a round, and are given a state for each of the next ..."""
FAMILY = 8
"""... states of a family. Both are guesses: no run on many machines has been measured."""
DOUBLED = 1.7
"""What twice as many workers do, at worst, where some of what they do is of no use: what a team of two must come to."""


@dataclass
class Wire:
    """What was measured of the meetings of one run."""

    sent: list[int]
    """Bytes of a turn."""
    received: list[int]
    """Bytes of a report, compressed."""
    taken: list[float]
    """CPU seconds to put in a report."""
    told: list[float]
    """CPU seconds to work out and send all turns of a round."""
    meetings: int
    program: int
    """Bytes of the program, compressed."""


def weighed(source: str, words: Sequence[str], seconds: float) -> Wire:
    """Race a program, and weigh what goes to and fro."""
    wire = Wire([], [], [], [], 0, 0)
    start, report, take, begin = Process.start, Process.report, Race.take, Coordinator.start

    def weighed_start(self: Process, task: WorkerTask) -> None:
        wire.sent.append(len(pickle.dumps(task)))
        start(self, task)

    def weighed_report(self: Process) -> Any:
        found = report(self)
        wire.received.append(len(zlib.compress(pickle.dumps(found))))
        return found

    def weighed_take(self: Race, name: str, found: Any) -> bool:
        before = time.process_time()
        goes_on = take(self, name, found)
        wire.taken.append(time.process_time() - before)
        return goes_on

    def weighed_begin(self: Coordinator, frontier: Frontier) -> None:
        before = time.process_time()
        begin(self, frontier)
        wire.told.append(time.process_time() - before)

    Process.start, Process.report = weighed_start, weighed_report  # type: ignore[method-assign]
    Race.take, Coordinator.start = weighed_take, weighed_begin  # type: ignore[method-assign]
    try:
        with tempfile.TemporaryDirectory() as folder:
            options = parse([*words, "--quiet", "--max-time", str(seconds), "--out", f"{folder}/run"])[1]
            result = run([source], options)
            wire.program = len(pickle.dumps(pack(result.program)))
    finally:
        Process.start, Process.report = start, report  # type: ignore[method-assign]
        Race.take, Coordinator.start = take, begin  # type: ignore[method-assign]
    wire.meetings = len(wire.told)
    return wire


@dataclass(frozen=True)
class Begun:
    """What an actor takes to begin, and to answer."""

    seconds: float
    processor: float
    answer: float
    posting: int


def begun(source: str, words: Sequence[str], actors: int) -> list[Begun]:
    """Begin actors one after the other, and give each some turns that are over at once."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    cluster = importlib.import_module("unfork.commands.run.cluster")
    ray = cluster.ray
    ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="CRITICAL")
    with tempfile.TemporaryDirectory() as folder:
        options = parse([*words, "--quiet", "--out", f"{folder}/run"])[1]
        program = run([source], parse(["--max-instructions", "1", "--quiet", "--out", f"{folder}/read"])[1]).program
    chosen = as_strategy(options, "plain")
    task = posting(StrategyPlan("plain", 0, (source,), chosen, (), Budget(time.monotonic())))
    found = []
    there = cluster.Cluster(is_ours=False, pack=lambda: pack(program))
    for number in range(actors):
        before = time.monotonic()
        actor = there.begin(f"actor {number}", task)
        actor.start(WorkerTask(1))
        actor._answer.result()
        seconds = time.monotonic() - before
        processor = actor._actor.__ray_call__.remote(lambda worker: time.process_time()).future().result()
        answers = []
        for _ in range(50):
            before = time.monotonic()
            actor.start(WorkerTask(1))
            actor._answer.result()
            answers.append(time.monotonic() - before)
        found.append(Begun(seconds, processor, median(answers), len(pickle.dumps(task))))
        actor.end()
    there.close()
    ray.shutdown()
    return found


@dataclass(frozen=True)
class Model:
    """What a meeting costs whoever leads it, for each worker: seconds of its processor, and bytes."""

    take: float
    tell: float
    sent: float
    received: float
    begin: float
    """Seconds until an actor has begun."""
    program: float
    """Bytes that it is sent for that."""

    def meeting(self, workers: int) -> float:
        """Seconds of a meeting: all reports are heard, all turns are told, and some states change hands."""
        processor = workers * (self.take + self.tell)
        states = workers * MOVED * FAMILY
        wire = (workers * (self.sent + self.received) + 2 * states * STATE_BYTES) / BANDWIDTH
        return LATENCY + processor + wire + STATE_SECONDS * FAMILY

    def explored(self, workers: int, seconds: float) -> float:
        """The share of the time in which workers explore, in a run that takes so long.

        A round is one in GROWTH parts of the work since they began.
        """
        now, worked = FIRST / 1e6 + self.begin + workers * self.program / BANDWIDTH, 0.0
        while now < seconds:
            length = min(max(FIRST / 4e6, worked / GROWTH), seconds - now)
            worked += length
            now += length + self.meeting(workers)
        return worked / seconds


def _weigh(cases: Sequence[tuple[str, Sequence[str]]], seconds: float) -> Wire:
    """The sum of all; a row of a table for each."""
    print(
        "program | bytes of the program | meetings | bytes of a turn | of a report, median | most | ms to take a report"
    )
    print("--- | --- | --- | --- | --- | --- | ---")
    all_of = Wire([], [], [], [], 0, 0)
    for source, words in cases:
        wire = weighed(source, words, seconds)
        if not wire.received:
            print(f"{Path(source).stem} | {wire.program:,} | {wire.meetings} | - | - | - | -")
            continue
        took = 1_000 * sum(wire.taken) / len(wire.taken)
        cells = (f"{wire.program:,}", wire.meetings, int(median(wire.sent)), f"{int(median(wire.received)):,}")
        print(" | ".join(map(str, (Path(source).stem, *cells, f"{max(wire.received):,}", f"{took:.1f}"))), flush=True)
        for name in ("sent", "received", "taken", "told"):
            getattr(all_of, name).extend(getattr(wire, name))
        all_of.program = max(all_of.program, wire.program)
    return all_of


def main() -> None:
    """Measure, and print the tables as docs/cluster.md has them."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--seconds", type=float, default=30.0, help="for each race")
    words.add_argument("--actors", type=int, default=4, help="how many to begin")
    words.add_argument("--also", action="append", default=[], help="a file and its options, in one word")
    given = words.parse_args()
    cases = [*CASES.items(), *[(each.split()[0], each.split()[1:]) for each in given.also]]
    wire = _weigh(cases, given.seconds)
    print("\nactor | s until its first report | s of its processor until then | ms for a turn")
    print("--- | --- | --- | ---")
    actors = begun(str(EXAMPLES / "regexp.c"), ("-D", "SIZE=9"), given.actors)
    for number, each in enumerate(actors):
        print(f"{number + 1} | {each.seconds:.2f} | {each.processor:.2f} | {each.answer * 1e3:.1f}")
    count = len(wire.received)
    model = Model(
        sum(wire.taken) / count,
        sum(wire.told) / count,
        sum(wire.sent) / count,
        sum(wire.received) / count,
        median(each.seconds for each in actors),
        wire.program,
    )
    print(
        f"\nFor each worker and meeting: {model.take * 1e3:.2f} ms to take a report, {model.tell * 1e3:.2f} ms to tell,"
    )
    print(
        f"{model.sent:.0f} bytes to tell, {model.received:.0f} to take. A program has up to {model.program:,} bytes.\n"
    )
    print("cores | s a meeting | " + " | ".join(f"times one core in {seconds} s" for seconds in SECONDS))
    print("--- | --- | " + " | ".join("---" for _ in SECONDS))
    for cores in CORES:
        useful = (DOUBLED / 2) ** log2(cores)
        gains = [cores * model.explored(cores, seconds) for seconds in SECONDS]
        cells = [f"{gain:.0f} (at worst {gain * useful:.0f})" for gain in gains]
        print(f"{cores} | {model.meeting(cores):.2f} | {' | '.join(cells)}")


if __name__ == "__main__":
    main()
