"""What an exploration in a process of its own has done, as whoever leads it is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from unfork.api.explorer import Explorer
from unfork.later import Later
from unfork.race.messages import GOING, Adopted, Counts, Report, Shown
from unfork.race.worker import Queue
from unfork.report.recorder import Recorder

if TYPE_CHECKING:
    from unfork.inputs import test_file
else:
    test_file = Later("unfork.inputs.test_file")


def counted(explorer: Explorer, *, is_going: bool = False) -> Counts:
    """What an exploration has counted so far; while it ``is_going`` on, not what it assumes, which takes a while."""
    parts = explorer.parts
    assumptions = () if is_going else explorer.assumptions()
    statistics, places = parts.engine.chain.statistics, parts.placing.counts
    return Counts(parts.tally, statistics, parts.scheduled.counts, parts.pruned.counts, assumptions, places)


def reported(explorer: Explorer, recorder: Recorder, queue: Queue, status: str | None) -> Report:
    """What an exploration has done since this was asked last."""
    shown = queue.sent(recorder.alarms, recorder.lengths)
    failure = explorer.failures.first_mistake  # a lack of memory ends this exploration, and is no matter of the run's
    return Report(explorer.work(), status, shown, counted(explorer, is_going=status == GOING), failure)


def adopted(recorder: Recorder, shown: Shown) -> Adopted:
    """What a test of another process is the first to show."""
    test, before = test_file.from_json(shown.test, "a test"), len(recorder.tests)
    edges, errors = recorder.adopt(test, shown.length, shown.alarm)
    return Adopted(edges, errors, tuple(recorder.tests[before:]))
