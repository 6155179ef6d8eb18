"""What the process of a strategy does that takes part in a race: explore, and report at each meeting."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from unfork.api.explorer import Explorer
from unfork.api.saving import Saving, journal, restore, snapshot
from unfork.contracts.stopper import Stopper
from unfork.execute.coverage import GOAL
from unfork.explore.limits import resident_bytes
from unfork.options import Options
from unfork.program.module import Program
from unfork.race.contender import Contender
from unfork.race.messages import GOING, Counts, Edge, Report
from unfork.race.outbox import Outbox
from unfork.race.process import Channel
from unfork.replay.second_opinion import NoCheck
from unfork.report.journal import Kept
from unfork.report.recorder import Recorder
from unfork.wiring import solving
from unfork.wiring.proofs import UNCHECKED


@dataclass(frozen=True, slots=True)
class Contest:
    """What a strategy takes part with. ``root`` is the run directory, ``kept`` what its journal has to go on with."""

    name: str
    files: tuple[str, ...]
    options: Options
    arguments: tuple[str, ...]
    program: Program
    began: float
    root: Path
    kept: Kept | None


def contend(channel: Channel, contest: Contest) -> None:
    """Explore as the other end of ``channel`` says. Errors get their second opinion there.

    Their --max-memory counts from what is there already.
    """
    options = contest.options
    if options.max_memory is not None:
        options = replace(options, max_memory=options.max_memory + (resident_bytes() >> 20))
    backend = solving.backend(options)
    try:
        files, arguments, program = contest.files, contest.arguments, contest.program
        explorer = Explorer(files, options, arguments, program, backend, UNCHECKED, contest.began)
        _explore(channel, explorer, contest)
    finally:
        backend.solver.close()


def _explore(channel: Channel, explorer: Explorer, contest: Contest) -> None:
    outbox = Outbox()
    recorder = explorer.recorder(outbox, (), NoCheck())
    if contest.kept is not None:
        outbox.restore(restore(explorer, recorder, contest.kept).outbox)
    recorder.run_nothing_on()  # whoever adopts a test runs it
    report = partial(_report, explorer, recorder, outbox)
    kept = journal(explorer, contest.root, contest.name)

    def stopper(limits: Stopper) -> Stopper:
        contender = Contender(channel, limits, explorer.work, report, partial(_settle, explorer))
        return Saving(contender, kept, lambda: snapshot(explorer, recorder, outbox.saved(), ()))

    with explorer.interrupt:
        explorer.loop(recorder, explorer.observers(recorder, ()), stopper)
        explorer.parts.pruned.finish()
        channel.send(report(explorer.stopped_by))


def _report(explorer: Explorer, recorder: Recorder, outbox: Outbox, status: str | None) -> Report:
    parts = explorer.parts
    counts = Counts(parts.tally, parts.statistics, parts.scheduled.counts, parts.pruned.counts)
    shown = outbox.sent(recorder.alarms, recorder.lengths)
    assumptions = () if status == GOING else explorer.assumptions()
    failure = explorer.failures.first_mistake  # a lack of memory ends this strategy, and is no matter of the run's
    return Report(explorer.work(), status, shown, counts, assumptions, failure)


def _settle(explorer: Explorer, edges: tuple[Edge, ...]) -> None:
    """Others have covered these edges: no test is needed for them, and nobody has to go there."""
    coverage, program = explorer.parts.coverage, explorer.program
    numbers = []
    for function, block, successor in edges:
        is_goal = function == GOAL
        numbers.append(
            coverage.number_of_goal(block) if is_goal else coverage.number(program.function(function), block, successor)
        )
    coverage.settle(tuple(numbers))
