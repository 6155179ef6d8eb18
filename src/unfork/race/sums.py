"""Counts of several processes that explore one program together, added up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

from unfork.explore.tally import Tally
from unfork.race.messages import Counts


def total(counts: Sequence[Counts]) -> Counts:
    """The counts of all. Of memory, the most that one of them had; assumptions in their order, each once."""
    tally = _added([each.tally for each in counts])
    peak = max(each.tally.resident_peak for each in counts)
    return Counts(
        replace(tally, resident_peak=peak),
        _added([each.statistics for each in counts]),
        _added([each.merges for each in counts]),
        _added([each.prunes for each in counts]),
        tuple(dict.fromkeys([text for each in counts for text in each.assumptions])),
        _added([each.places for each in counts]),
    )


def of_paths(tally: Tally, tests: Tally) -> Tally:
    """``tally``, but with the tests and errors of whoever writes them."""
    return replace(tally, tests=tests.tests, errors=tests.errors)


def _added(parts: Sequence[Any]) -> Any:
    """The sum of counts, field by field."""
    return type(parts[0])(
        **{field.name: _sum([getattr(part, field.name) for part in parts]) for field in fields(parts[0])}
    )


def _sum(values: Sequence[Any]) -> Any:
    """The sum of numbers or counters; of words, the first that is there."""
    if any(value is None or isinstance(value, str) for value in values):
        return next((value for value in values if value is not None), None)
    return sum(values[1:], start=values[0])
