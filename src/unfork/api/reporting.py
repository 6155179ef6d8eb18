"""What an exploration in a process of its own has done, as whoever leads it is told."""

from __future__ import annotations

from collections.abc import Sequence

from unfork.api.explorer import Explorer
from unfork.explore.place_counts import PlaceCounts
from unfork.race.messages import GOING, Counts, Report
from unfork.race.outbox import Outbox
from unfork.race.referee import Referee
from unfork.race.team import Team
from unfork.report.recorder import Recorder


def counted(explorer: Explorer, *, is_going: bool = False) -> Counts:
    """What an exploration has counted so far; while it ``is_going`` on, not what it assumes, which takes a while."""
    parts = explorer.parts
    assumptions = () if is_going else explorer.assumptions()
    return Counts(
        parts.tally, parts.statistics, parts.scheduled.counts, parts.pruned.counts, assumptions, parts.placing.counts
    )


def places(
    name: str, explorer: Explorer, team: Team | None, referee: Referee | None
) -> Sequence[tuple[str, PlaceCounts]]:
    """What each strategy of a run has counted by place so far; ``explorer`` has the first, which is called ``name``."""
    own = explorer.parts.placing.counts
    if team is not None and team.members:
        own = team.counts(counted(explorer, is_going=True)).places
    others = {} if referee is None else referee.others
    return [(name, own), *[(other, standing.places) for other, standing in others.items() if standing.rounds]]


def reported(explorer: Explorer, recorder: Recorder, outbox: Outbox, status: str | None) -> Report:
    """What an exploration has done since this was asked last."""
    shown = outbox.sent(recorder.alarms, recorder.lengths)
    failure = explorer.failures.first_mistake  # a lack of memory ends this exploration, and is no matter of the run's
    return Report(explorer.work(), status, shown, counted(explorer, is_going=status == GOING), failure)
