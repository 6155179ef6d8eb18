"""Workers in other processes: a fork on this machine, or a process on another one, from its beginning to its end."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from unfork.commands.assemble.raced_strategies import kind
from unfork.commands.run import team
from unfork.commands.run.explorer import Explorer
from unfork.commands.run.meetings import Channel, Meetings, Post, Queue, Until
from unfork.commands.run.messages import GOING, Shown, WorkerKnowledge, WorkerReport, progress
from unfork.commands.run.process import Process
from unfork.commands.run.saving import ExplorationLeftovers, count, journal
from unfork.commands.run.strategy_plan import StrategyPlan
from unfork.commands.run.strategy_worker import Worker
from unfork.engine.explore.endings import Interrupt
from unfork.engine.machine.machine import Machine, SavedMachine
from unfork.engine.protocols.stopper import Stopper
from unfork.options.strategies import StrategyKind
from unfork.program.llvm.module import Program
from unfork.program.llvm.reader import Parcel, unpack
from unfork.report.record.journal import SavedExploration
from unfork.report.replay.second_opinion import NoCheck


@dataclass(frozen=True, slots=True)
class HelperPart:
    """A helper is process ``number`` of the ``parts`` of its team, which share the names of objects among them.

    It begins with the ``machine`` of the first process, and gets its states from the others.
    """

    machine: SavedMachine
    number: int
    parts: int


@dataclass(frozen=True, slots=True)
class WorkAssignment:
    """What a worker explores: a strategy from its beginning or from what is ``kept`` of it, or a ``part`` of it.

    ``root`` is the run directory for its journal; None if it keeps none.
    """

    strategy: StrategyPlan
    program: Program
    root: Path | None = None
    kept: SavedExploration | None = None
    part: HelperPart | None = None


def process(assignment: WorkAssignment) -> Process:
    """Start a process for an assignment."""
    name, part = assignment.strategy.name, assignment.part
    called = name if part is None else f"{name}/{part.number + 1}"
    return Process(called, lambda channel: work(channel, assignment))


def helpers(strategy: StrategyPlan, machine: Machine) -> list[Process]:
    """Start the processes that help the first one, which has the ``machine``."""
    saved, parts = machine.saved(), strategy.helpers + 1
    alone = replace(strategy, helpers=0)
    shares = [HelperPart(saved, number, parts) for number in range(1, parts)]
    processes = [process(WorkAssignment(alone, machine.program, part=part)) for part in shares]
    machine.share_names(0, parts)
    return processes


def work(
    channel: Channel, assignment: WorkAssignment, heeded: Callable[[Interrupt], None] = lambda interrupt: None
) -> None:
    """Explore task by task for the coordinator at the other end of ``channel``, and report to it.

    ``heeded`` gets the interrupt of the exploration, for a caller that stops it without a signal.
    """
    with assignment.strategy.apart(assignment.program) as explorer:
        heeded(explorer.interrupt)
        ReportingWorker(channel, assignment, explorer).explore()


class ReportingWorker:
    """A worker that reports to a coordinator, and sends it the tests instead of writing them."""

    def __init__(self, channel: Channel, assignment: WorkAssignment, explorer: Explorer) -> None:
        strategy, part = assignment.strategy, assignment.part
        machine = explorer.parts.engine.machine
        self._channel = channel
        self._assignment = assignment
        self._explorer = explorer
        self._queue = Queue()
        self._passed_on = list[Shown]()
        """Tests that helpers have sent."""
        self._recorder = explorer.recorder(self._queue, (), NoCheck())
        begin = partial(helpers, strategy, machine) if strategy.helpers else None
        self._worker = Worker(explorer, self._recorder, assignment.kept, team.FIRST, begin, self._passed_on.append)
        self._is_exact = kind(strategy.options) is not StrategyKind.OVER
        if part is not None:
            machine.restore(part.machine)
            machine.share_names(part.number, part.parts)
            explorer.go_on((), explorer.meter.work(), 0.0)
        if self._worker.before is not None:
            self._queue.restore(self._worker.before.left.outbox)
            self._passed_on += self._worker.before.left.passed_on
        self._recorder.run_nothing_on()  # the process that adopts a test runs it

    def explore(self) -> None:
        explorer, root = self._explorer, self._assignment.root
        kept = None if root is None else journal(explorer, root, self._assignment.strategy.name)
        with explorer.interrupt:
            self._worker.explore(explorer.observers(self._recorder, ()), kept, self._left, self._meetings)
            explorer.parts.pruned.finish()
            self._channel.send(self._report(explorer.stopped_by or self._doubt()))

    def _meetings(self, limits: Stopper) -> Meetings:
        until = limits if self._is_exact else Until(limits, self._doubt)
        worker, gets_states = self._worker, self._assignment.part is not None
        meetings = Meetings(
            self._channel, until, worker.side, worker.team.elapsed, self._report, gets_states=gets_states
        )
        self._explorer.pause_by(meetings.rest)
        return meetings

    def _report(self, status: str | None) -> WorkerReport:
        explorer, recorder, team = self._explorer, self._recorder, self._worker.team
        shown = (*self._queue.sent(recorder.alarms if self._is_exact else (), recorder.lengths), *self._passed_on)
        self._passed_on.clear()
        return WorkerReport(
            team.work(),
            status,
            shown,
            team.counts(count(explorer, is_going=status == GOING)),
            explorer.failures.first_mistake,  # a lack of memory is no matter of the run's
            recorder.unwritten + team.unwritten,
            known=WorkerKnowledge() if self._assignment.part is None else self._worker.side.known(),
            progress=progress(explorer.parts.share, explorer.parts.tally),
        )

    def _left(self) -> ExplorationLeftovers:
        return ExplorationLeftovers(self._queue.saved(), tuple(self._passed_on))

    def _doubt(self) -> str | None:
        """Why an exploration of more than the program does can prove nothing any more."""
        if self._is_exact:
            return None
        parts = self._explorer.parts
        if self._recorder.alarms:
            return "alarm"
        is_cut = parts.tally.kills or parts.tally.bounds_hit or parts.pruned.counts.under
        return "given-up" if is_cut or parts.engine.chain.statistics.unknown else None


# --- on another machine


@dataclass(frozen=True, slots=True)
class Posting:
    """A strategy for another machine to explore, which has another clock and none of this machine's files.

    ``hosts`` are the contents of the files that --file names.
    """

    strategy: StrategyPlan
    hosts: tuple[bytes, ...]

    def __call__(self, post: Post, shared: object) -> None:
        assert isinstance(shared, Parcel)
        options = self.strategy.options
        with tempfile.TemporaryDirectory(prefix="unfork-files-") as folder:
            named = []
            for number, (word, data) in enumerate(zip(options.file, self.hosts, strict=True)):
                host = Path(folder, str(number))
                host.write_bytes(data)
                named.append(f"{host}={word.rpartition('=')[2]}")
            strategy = replace(self.strategy, options=replace(options, file=tuple(named)))
            work(post, WorkAssignment(strategy, unpack(shared)), post.heed)

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpack, (self.strategy, self.hosts, time.monotonic() - self.strategy.budget.began)


def posting(strategy: StrategyPlan) -> Posting:
    """The strategy with the contents of its files."""
    hosts = tuple([Path(word.rpartition("=")[0]).read_bytes() for word in strategy.options.file])
    return Posting(strategy, hosts)


def _unpack(strategy: StrategyPlan, hosts: tuple[bytes, ...], elapsed: float) -> Posting:
    """A posting as it arrives, in a run that began ``elapsed`` seconds ago."""
    budget = replace(strategy.budget, began=time.monotonic() - elapsed)
    return Posting(replace(strategy, budget=budget), hosts)
