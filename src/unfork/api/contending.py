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
from unfork.api.reporting import reported
from unfork.api.saving import Saving, journal, restore, snapshot
from unfork.api.working import Crew, Side
from unfork.contracts.stopper import Stopper
from unfork.execute.coverage import Edge
from unfork.explore.endings import Interrupt
from unfork.explore.limits import Budget
from unfork.llvm.parcel import Parcel, unpacked
from unfork.options import Options
from unfork.race.contender import Contender
from unfork.race.contestant import Channel, Post
from unfork.race.messages import Report, Shown
from unfork.race.outbox import Outbox
from unfork.race.team import Team
from unfork.race.team_messages import Known
from unfork.replay.second_opinion import NoCheck
from unfork.report.journal import Kept

FIRST = 100_000
"""Work until others come to help, where they do."""


@dataclass(frozen=True, slots=True)
class Contest:
    """What a strategy takes part with.

    ``root`` is the run directory, None on another machine, where no journal is kept; ``kept`` is what the journal has
    to go on with.
    """

    crew: Crew
    root: Path | None
    kept: Kept | None


def contend(channel: Channel, contest: Contest, heeded: Callable[[Interrupt], None] | None = None) -> None:
    """Explore as the other end of ``channel`` says. Errors get their second opinion there.

    ``heeded`` is told what stops the exploration, where no signal does.
    """
    with contest.crew.explorer() as explorer:
        if heeded is not None:
            heeded(explorer.interrupt)
        _explore(channel, explorer, contest)


@dataclass(frozen=True, slots=True)
class Assignment:
    """What another machine is to explore. Its clock is another, and it has none of this machine's files."""

    name: str
    files: tuple[str, ...]
    options: Options
    arguments: tuple[str, ...]
    budget: Budget
    hosts: tuple[bytes, ...]
    """The contents of the files that --file names."""

    def __call__(self, post: Post, shared: object) -> None:
        """Explore there the program that all share, in one process."""
        assert isinstance(shared, Parcel)
        with tempfile.TemporaryDirectory(prefix="unfork-files-") as folder:
            named = []
            for number, (word, data) in enumerate(zip(self.options.file, self.hosts, strict=True)):
                host = Path(folder, str(number))
                host.write_bytes(data)
                named.append(f"{host}={word.rpartition('=')[2]}")
            options = replace(self.options, file=tuple(named))
            crew = Crew(self.name, 0, self.files, options, self.arguments, unpacked(shared), self.budget)
            contend(post, Contest(crew, None, None), post.heed)

    def __reduce__(self) -> tuple[Any, ...]:
        elapsed = time.monotonic() - self.budget.began
        return _assigned, (self.name, self.files, self.options, self.arguments, self.budget, elapsed, self.hosts)


def assignment(crew: Crew) -> Assignment:
    """A strategy for another machine to explore."""
    hosts = tuple([Path(word.rpartition("=")[0]).read_bytes() for word in crew.options.file])
    return Assignment(crew.name, crew.files, crew.options, crew.arguments, crew.budget, hosts)


def _assigned(
    name: str,
    files: tuple[str, ...],
    options: Options,
    arguments: tuple[str, ...],
    budget: Budget,
    seconds: float,
    hosts: tuple[bytes, ...],
) -> Assignment:
    """An assignment as it arrives, for a run that has been going on for so many ``seconds``."""
    return Assignment(name, files, options, arguments, replace(budget, began=time.monotonic() - seconds), hosts)


def _explore(channel: Channel, explorer: Explorer, contest: Contest) -> None:
    outbox = Outbox()
    recorder = explorer.recorder(outbox, (), NoCheck())
    passed_on: list[Shown] = []
    if contest.kept is not None:
        before = restore(explorer, recorder, contest.kept)
        outbox.restore(before.outbox)
        passed_on += before.passed_on
    recorder.run_nothing_on()  # whoever adopts a test runs it
    kept = None if contest.root is None else journal(explorer, contest.root, contest.crew.name)

    def report(status: str | None) -> Report:
        own = reported(explorer, recorder, outbox, status)
        shown = (*own.shown, *passed_on)
        passed_on.clear()
        return replace(own, work=team.work(), shown=shown, counts=team.counts(own.counts))

    def settle(edges: tuple[Edge, ...]) -> None:
        side.hear(Known(settled=edges))

    def stopper(limits: Stopper) -> Stopper:
        contender = Contender(channel, limits, team.elapsed, report, settle)
        behind = team.behind(contender) if contest.crew.count else contender
        if kept is None:
            return behind
        return Saving(behind, kept, lambda: snapshot(explorer, recorder, team, outbox.saved(), passed_on, ()))

    side = Side(explorer)
    team = Team(side, partial(contest.crew.begin, explorer.parts.engine.machine), FIRST, passed_on.append)
    with explorer.interrupt:
        explorer.loop(recorder, explorer.observers(recorder, ()), stopper, team.wait)
        explorer.parts.pruned.finish()
        team.end(explorer.stopped_by)
        for failure in team.failures:
            explorer.failures.keep(failure)
        channel.send(report(explorer.stopped_by))
