"""Why a run did not end or reach everything, from its directory and its program."""

from __future__ import annotations

from pathlib import Path

from unfork.commands.afterwards.export import open_exploration
from unfork.commands.assemble.building import ONE_AT_A_TIME
from unfork.report.record import why
from unfork.report.record.kept_run import where_it_ran


def explain(root: Path) -> list[str]:
    """The lines of ``unfork show --why``. Raises InputError."""
    with ONE_AT_A_TIME, where_it_ran(open_exploration(root)) as run:
        return why.why_lines(why.why(run))
