"""Counts by place, as rows of run.db."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from unfork.explore.place_counts import PlaceCounts

LARGEST = (1 << 63) - 1
"""The largest integer in SQLite; a larger multiplicity is stored as this."""

Row = tuple[Any, ...]
Places = Callable[[], Sequence[tuple[str, PlaceCounts]]]
"""What each strategy has counted so far, by its name; that of a run that is no race is ""."""


def place_rows(places: Sequence[tuple[str, PlaceCounts]]) -> tuple[list[Row], list[Row], list[Row]]:
    """The rows of fork_places, query_places and refusals."""
    forks: list[Row] = []
    queries: list[Row] = []
    refusals: list[Row] = []
    for strategy, counts in places:
        for (at, loop), number in counts.forks.items():
            born, stands_for = counts.born[at, loop], counts.multiplicity[at, loop]
            forks.append((strategy, *at, *loop, number, born, min(stands_for, LARGEST)))
        for at, number in counts.queries.items():
            queries.append((strategy, *at, number, counts.microseconds[at] / 1e6))
        for (at, reason), number in counts.refused.items():
            refusals.append((strategy, *at, reason, number))
    return forks, queries, refusals
