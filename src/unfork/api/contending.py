"""What the process of a strategy does that takes part in a race: explore, and report at each meeting."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from unfork.api.explorer import Explorer
from unfork.api.reporting import reported
from unfork.api.saving import Saving, journal, restore, snapshot
from unfork.api.working import Crew, Side
from unfork.contracts.stopper import Stopper
from unfork.execute.coverage import Edge
from unfork.explore.limits import resident_bytes
from unfork.race.contender import Contender
from unfork.race.messages import Report, Shown
from unfork.race.outbox import Outbox
from unfork.race.process import Channel
from unfork.race.team import Team
from unfork.race.team_messages import Known
from unfork.replay.second_opinion import NoCheck
from unfork.report.journal import Kept
from unfork.wiring import solving
from unfork.wiring.proofs import UNCHECKED

FIRST = 100_000
"""Work until others come to help, where they do."""


@dataclass(frozen=True, slots=True)
class Contest:
    """What a strategy takes part with. ``root`` is the run directory, ``kept`` what its journal has to go on with."""

    crew: Crew
    root: Path
    kept: Kept | None


def contend(channel: Channel, contest: Contest) -> None:
    """Explore as the other end of ``channel`` says. Errors get their second opinion there.

    Their --max-memory counts from what is there already.
    """
    options = contest.crew.options
    if options.max_memory is not None:
        options = replace(options, max_memory=options.max_memory + (resident_bytes() >> 20))
    backend = solving.backend(options)
    try:
        crew = contest.crew
        explorer = Explorer(crew.files, options, crew.arguments, crew.program, backend, UNCHECKED, crew.began)
        _explore(channel, explorer, contest)
    finally:
        backend.solver.close()


def _explore(channel: Channel, explorer: Explorer, contest: Contest) -> None:
    outbox = Outbox()
    recorder = explorer.recorder(outbox, (), NoCheck())
    passed_on: list[Shown] = []
    if contest.kept is not None:
        before = restore(explorer, recorder, contest.kept)
        outbox.restore(before.outbox)
        passed_on += before.passed_on
    recorder.run_nothing_on()  # whoever adopts a test runs it
    kept = journal(explorer, contest.root, contest.crew.name)

    def report(status: str | None) -> Report:
        found = reported(explorer, recorder, outbox, status)
        shown = (*found.shown, *passed_on)
        passed_on.clear()
        return replace(found, work=team.work(), shown=shown, counts=team.counts(found.counts))

    def settle(edges: tuple[Edge, ...]) -> None:
        side.hear(Known(settled=edges))

    def stopper(limits: Stopper) -> Stopper:
        contender = Contender(channel, limits, team.elapsed, report, settle)
        behind = team.behind(contender) if contest.crew.count else contender
        return Saving(behind, kept, lambda: snapshot(explorer, recorder, team, outbox.saved(), passed_on, ()))

    side = Side(explorer)
    team = Team(side, partial(contest.crew.begin, explorer.parts.machine), FIRST, passed_on.append)
    with explorer.interrupt:
        explorer.loop(recorder, explorer.observers(recorder, ()), stopper, team.wait)
        explorer.parts.pruned.finish()
        team.end(explorer.stopped_by)
        for failure in team.failures:
            explorer.failures.keep(failure)
        channel.send(report(explorer.stopped_by))
