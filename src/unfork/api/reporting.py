"""What an exploration in a process of its own has done, as whoever leads it is told."""

from __future__ import annotations

from unfork.api.explorer import Explorer
from unfork.race.messages import Counts, Report
from unfork.race.outbox import Outbox
from unfork.report.recorder import Recorder


def counted(explorer: Explorer) -> Counts:
    """What an exploration has counted so far."""
    parts = explorer.parts
    return Counts(parts.tally, parts.statistics, parts.scheduled.counts, parts.pruned.counts, explorer.assumptions())


def reported(explorer: Explorer, recorder: Recorder, outbox: Outbox, status: str | None) -> Report:
    """What an exploration has done since this was asked last."""
    shown = outbox.sent(recorder.alarms, recorder.lengths)
    return Report(explorer.work(), status, shown, counted(explorer), explorer.failures.first)
