"""Counts of several processes that explore one program together, added up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from unfork.explore.tally import Tally
from unfork.race.messages import Counts


def total(counts: Sequence[Counts]) -> Counts:
    """The counts of all. Of memory, the most that one of them had; assumptions in their order, each once."""
    whole: Counts = _sum([Counts(each.tally, each.statistics, each.merges, each.prunes, ()) for each in counts])
    assumptions = dict.fromkeys([text for each in counts for text in each.assumptions])
    peak = max(each.tally.resident_peak for each in counts)
    return replace(whole, tally=replace(whole.tally, resident_peak=peak), assumptions=tuple(assumptions))


def of_paths(tally: Tally, tests: Tally) -> Tally:
    """``tally``, but with the tests and errors of whoever writes them."""
    return replace(tally, tests=tests.tests, errors=tests.errors)


def _sum(values: Sequence[Any]) -> Any:
    """The sum of numbers, counters and tuples, and of dataclasses field by field; of words, the first that is there."""
    first, *others = values
    if is_dataclass(first):
        names = [field.name for field in fields(first)]
        return replace(first, **{name: _sum([getattr(value, name) for value in values]) for name in names})  # type: ignore[type-var]  # no class
    if first is None or isinstance(first, str):
        return next((value for value in values if value is not None), None)
    return sum(others, start=first)
