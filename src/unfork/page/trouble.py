"""Why a run has not ended, and what to try: what ``unfork show --why`` says, as data of the page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unfork.clang.escape import shown
from unfork.page.places import Places
from unfork.report.database import Connection, DatabaseError
from unfork.report.why import why_of

_MOST = 10
"""The most loops that are named."""


def trouble_data(
    summary: Mapping[str, Any], database: Connection, places: Places, troubles: list[str]
) -> dict[str, Any] | None:
    """Rows of advice (options, reason, place) and of loops (place, forks, new states); None for a run that has ended.

    Where run.db lacks the tables that say so, a line of ``troubles`` tells.
    """
    if summary["stopped_by"] is None:
        return None
    try:
        why = why_of(summary, database)
    except DatabaseError as problem:
        troubles.append(f"why the run did not end cannot be told: {shown(str(problem))}")
        return None
    return {
        "advice": [[shown(each.options), shown(each.because), places.number(*each.at)] for each in why.advice],
        "loops": [[places.number(*each.loop), each.forks, each.born] for each in why.spots.loops[:_MOST]],
        "born": why.spots.born,
    }
