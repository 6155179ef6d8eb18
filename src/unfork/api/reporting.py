"""What an exploration in a process of its own has done, as whoever leads it is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from unfork.api.explorer import Explorer
from unfork.explore.place_counts import PlaceCounts
from unfork.inputs import testcase
from unfork.later import Later
from unfork.race.messages import GOING, Adopted, Counts, Report, Shown
from unfork.race.referee import Referee
from unfork.report.recorder import Recorder
from unfork.report.summary import Account

if TYPE_CHECKING:
    from unfork.race import sums
    from unfork.race.outbox import Outbox
    from unfork.race.team import Team
else:
    sums = Later("unfork.race.sums")


def counted(explorer: Explorer, *, is_going: bool = False) -> Counts:
    """What an exploration has counted so far; while it ``is_going`` on, not what it assumes, which takes a while."""
    parts = explorer.parts
    assumptions = () if is_going else explorer.assumptions()
    statistics, places = parts.engine.chain.statistics, parts.placing.counts
    return Counts(parts.tally, statistics, parts.scheduled.counts, parts.pruned.counts, assumptions, places)


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


def adopted(recorder: Recorder, shown: Shown) -> Adopted:
    """What a test of another process is the first to show."""
    test, before = testcase.from_json(shown.test, "a test"), len(recorder.tests)
    edges, errors = recorder.adopt(test, shown.length, shown.alarm)
    return Adopted(edges, errors, tuple(recorder.tests[before:]))


def as_counted(account: Account, counts: Counts) -> Account:
    """The account, with what others have counted: all processes of a strategy, or whoever has explored everything."""
    ours = account.tally
    tally = replace(
        sums.of_paths(counts.tally, ours), resident_peak=max(ours.resident_peak, counts.tally.resident_peak)
    )
    return replace(
        account, tally=tally, statistics=counts.statistics, merges=counts.merges, assumptions=counts.assumptions
    )
