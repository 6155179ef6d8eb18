"""What the process of a strategy does that takes part in a race: explore, and report at each meeting."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from unfork.api.explorer import Explorer
from unfork.contracts.stopper import Stopper
from unfork.execute.coverage import GOAL
from unfork.explore.endings import Interrupt
from unfork.explore.limits import resident_bytes
from unfork.options import Options
from unfork.program.module import Program
from unfork.program.parcel import Parcel, unpacked
from unfork.race.contender import Contender
from unfork.race.contestant import Channel, Post
from unfork.race.messages import Counts, Edge, Report
from unfork.race.outbox import Outbox
from unfork.replay.second_opinion import NoCheck
from unfork.report.recorder import Recorder
from unfork.wiring import solving
from unfork.wiring.proofs import UNCHECKED


def contend(
    channel: Channel,
    files: tuple[str, ...],
    options: Options,
    arguments: tuple[str, ...],
    program: Program,
    began: float,
    heeded: Callable[[Interrupt], None] | None = None,
) -> None:
    """Explore with ``options`` as the other end of ``channel`` says. Errors get their second opinion there.

    Their --max-memory counts from what is there already. ``heeded`` is told what stops the exploration, where no signal
    does.
    """
    if options.max_memory is not None:
        options = replace(options, max_memory=options.max_memory + (resident_bytes() >> 20))
    backend = solving.backend(options)
    try:
        explorer = Explorer(files, options, arguments, program, backend, UNCHECKED, began)
        if heeded is not None:
            heeded(explorer.interrupt)
        _explore(channel, explorer)
    finally:
        backend.solver.close()


@dataclass(frozen=True, slots=True)
class Assignment:
    """What another machine is to explore. Its clock is another, and it has none of this machine's files."""

    files: tuple[str, ...]
    options: Options
    arguments: tuple[str, ...]
    began: float
    hosts: tuple[bytes, ...]
    """The contents of the files that --file names."""

    def __call__(self, post: Post, shared: object) -> None:
        """Explore there the program that all share."""
        assert isinstance(shared, Parcel)
        with tempfile.TemporaryDirectory(prefix="unfork-files-") as folder:
            named = []
            for number, (word, data) in enumerate(zip(self.options.file, self.hosts, strict=True)):
                host = Path(folder, str(number))
                host.write_bytes(data)
                named.append(f"{host}={word.rpartition('=')[2]}")
            options = replace(self.options, file=tuple(named))
            contend(post, self.files, options, self.arguments, unpacked(shared), self.began, post.heed)

    def __reduce__(self) -> tuple[Any, ...]:
        return _assigned, (self.files, self.options, self.arguments, time.monotonic() - self.began, self.hosts)


def assignment(files: tuple[str, ...], options: Options, arguments: tuple[str, ...], began: float) -> Assignment:
    """A strategy for another machine to explore."""
    hosts = tuple([Path(word.rpartition("=")[0]).read_bytes() for word in options.file])
    return Assignment(files, options, arguments, began, hosts)


def _assigned(
    files: tuple[str, ...], options: Options, arguments: tuple[str, ...], seconds: float, hosts: tuple[bytes, ...]
) -> Assignment:
    """An assignment as it arrives, for a run that has been going on for so many ``seconds``."""
    return Assignment(files, options, arguments, time.monotonic() - seconds, hosts)


def _explore(channel: Channel, explorer: Explorer) -> None:
    outbox = Outbox()
    recorder = explorer.recorder(outbox, (), NoCheck())
    recorder.run_nothing_on()  # whoever adopts a test runs it
    report = partial(_report, explorer, recorder, outbox)

    def stopper(limits: Stopper) -> Stopper:
        return Contender(channel, limits, explorer.work, report, partial(_settle, explorer))

    with explorer.interrupt:
        explorer.loop(recorder, explorer.observers(recorder, ()), stopper)
        explorer.parts.pruned.finish()
        channel.send(report(explorer.stopped_by))


def _report(explorer: Explorer, recorder: Recorder, outbox: Outbox, status: str | None) -> Report:
    parts = explorer.parts
    counts = Counts(parts.tally, parts.statistics, parts.scheduled.counts, parts.pruned.counts, explorer.assumptions())
    return Report(
        explorer.work(), status, outbox.sent(recorder.alarms, recorder.lengths), counts, explorer.failures.first
    )


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
