"""What a process does that a coordinator began: a worker's whole run, on this machine or on another."""

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
from unfork.commands.run.messages import GOING, Shown, WorkerKnowledge, WorkerReport
from unfork.commands.run.process import Process
from unfork.commands.run.saving import ExplorationLeftovers, count, journal
from unfork.commands.run.strategy_worker import StrategyPlan, Worker
from unfork.engine.explore.endings import Interrupt
from unfork.engine.machine.machine import Machine, SavedMachine
from unfork.engine.protocols.stopper import Stopper
from unfork.options.strategies import StrategyKind
from unfork.program.llvm.module import Program
from unfork.program.llvm.reader import Parcel, unpack
from unfork.report.record.journal import SavedExploration
from unfork.report.record.recorder import Recorder
from unfork.report.replay.second_opinion import NoCheck


@dataclass(frozen=True, slots=True)
class Part:
    """Which of ``parts`` processes a helper is, and where the first of them was: each names objects in a part of what
    is left.
    """

    machine: SavedMachine
    number: int
    parts: int


@dataclass(frozen=True, slots=True)
class WorkAssignment:
    """What a worker explores: a strategy from its beginning or from what is ``kept``, or a ``part`` of its states.

    ``root`` is the run directory, for its journal; None where none is kept.
    """

    strategy: StrategyPlan
    program: Program
    root: Path | None = None
    kept: SavedExploration | None = None
    part: Part | None = None


def process(assignment: WorkAssignment) -> Process:
    """A process of its own for an assignment."""
    name, part = assignment.strategy.name, assignment.part
    called = name if part is None else f"{name}/{part.number + 1}"
    return Process(called, lambda channel: work(channel, assignment))


def helpers(strategy: StrategyPlan, machine: Machine) -> list[Process]:
    """Start the processes that help the first one, which has the ``machine``."""
    saved, parts = machine.saved(), strategy.helpers + 1
    alone = replace(strategy, helpers=0)
    shares = [Part(saved, number, parts) for number in range(1, parts)]
    processes = [process(WorkAssignment(alone, machine.program, part=part)) for part in shares]
    machine.share_names(0, parts)
    return processes


def work(
    channel: Channel, assignment: WorkAssignment, heeded: Callable[[Interrupt], None] = lambda interrupt: None
) -> None:
    """Explore as the coordinator at the other end of ``channel`` says. Errors get their second opinion there.

    ``heeded`` is told what stops the exploration, where no signal does.
    """
    strategy, part = assignment.strategy, assignment.part
    with strategy.apart(assignment.program) as explorer:
        heeded(explorer.interrupt)
        machine, queue, passed_on = explorer.parts.engine.machine, Queue(), list[Shown]()
        recorder = explorer.recorder(queue, (), NoCheck())
        begin = partial(helpers, strategy, machine) if strategy.helpers else None
        worker = Worker(explorer, recorder, assignment.kept, team.FIRST, begin, passed_on.append)
        if part is not None:
            machine.restore(part.machine)
            machine.share_names(part.number, part.parts)
            explorer.go_on((), explorer.meter.work(), 0.0)
        if worker.before is not None:
            queue.restore(worker.before.left.outbox)
            passed_on += worker.before.left.passed_on
        recorder.run_nothing_on()  # the process that adopts a test runs it

        is_exact = kind(strategy.options) is not StrategyKind.OVER
        doubt: Callable[[], str | None] = (lambda: None) if is_exact else partial(_doubt, explorer, recorder)

        def report(status: str | None) -> WorkerReport:
            alarms = recorder.alarms if is_exact else ()
            shown = (*queue.sent(alarms, recorder.lengths), *passed_on)
            passed_on.clear()
            counts = worker.team.counts(count(explorer, is_going=status == GOING))
            failure = explorer.failures.first_mistake  # a lack of memory is no matter of the run's
            known = WorkerKnowledge() if part is None else worker.side.known()
            unwritten = recorder.unwritten + worker.team.unwritten
            return WorkerReport(worker.team.work(), status, shown, counts, failure, unwritten, known=known)

        def met(limits: Stopper) -> Meetings:
            until = limits if is_exact else Until(limits, doubt)
            elapsed, gets_states = worker.team.elapsed, part is not None
            meetings = Meetings(channel, until, worker.side, elapsed, report, gets_states=gets_states)
            explorer.pause_by(meetings.rest)
            return meetings

        def left() -> ExplorationLeftovers:
            return ExplorationLeftovers(queue.saved(), tuple(passed_on))

        kept = None if assignment.root is None else journal(explorer, assignment.root, strategy.name)
        with explorer.interrupt:
            worker.explore(explorer.observers(recorder, ()), kept, left, met)
            explorer.parts.pruned.finish()
            channel.send(report(explorer.stopped_by or doubt()))


def _doubt(explorer: Explorer, recorder: Recorder) -> str | None:
    """Why an exploration of more than the program does can prove nothing any more."""
    parts = explorer.parts
    if recorder.alarms:
        return "alarm"
    is_cut = parts.tally.kills or parts.tally.bounds_hit or parts.pruned.counts.under
    return "given-up" if is_cut or parts.engine.chain.statistics.unknown else None


@dataclass(frozen=True, slots=True)
class Posting:
    """What another machine is to explore. Its clock is another, and it has none of this machine's files.

    ``hosts`` are the contents of the files that --file names.
    """

    strategy: StrategyPlan
    hosts: tuple[bytes, ...]

    def __call__(self, post: Post, shared: object) -> None:
        """Explore there the program that all share, in one process."""
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
    """A strategy for another machine to explore."""
    hosts = tuple([Path(word.rpartition("=")[0]).read_bytes() for word in strategy.options.file])
    return Posting(strategy, hosts)


def _unpack(strategy: StrategyPlan, hosts: tuple[bytes, ...], elapsed: float) -> Posting:
    """A posting as it arrives, for a run that has been going on for so many seconds."""
    budget = replace(strategy.budget, began=time.monotonic() - elapsed)
    return Posting(replace(strategy, budget=budget), hosts)
