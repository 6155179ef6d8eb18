"""The accesses of one thread to one object or lock, so that a search for conflicts need not visit them all.

Each link has the hull of the bytes that it and all older links touch. Most accesses are to bytes that others only
read, or to other bytes: then one look suffices, where walking a long execution at each step would take quadratic
time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from heapq import merge
from typing import Any

from unfork.logic.terms.term import Value

ALL = 1 << 64


@dataclass(frozen=True, slots=True, eq=False)
class Past:
    """An event, the ``older`` ones, and the hull of their bytes. Whether any of them ``changes`` or ``writes``
    there.
    """

    event: Any
    older: Past | None
    low: int
    high: int
    changes: bool
    writes: bool


def hull(low: Value, high: Value) -> tuple[int, int]:
    """The bytes from ``low`` to ``high``; all if these are not numbers."""
    return (low, high) if isinstance(low, int) and isinstance(high, int) and low <= high else (0, ALL)


def added(older: Past | None, event: Any, accesses: Iterable[Any]) -> Past:
    """The past plus an event, which touches this object with ``accesses``."""
    low, high, changes, writes = (ALL, 0, False, False)
    if older is not None:
        low, high, changes, writes = older.low, older.high, older.changes, older.writes
    for access in accesses:
        start, end = hull(access.low, access.high)
        low, high = min(low, start), max(high, end)
        changes, writes = changes or (access.writes and not access.is_silent), writes or access.writes
    return Past(event, older, low, high, changes, writes)


def listed(past: Past | None) -> Iterator[Any]:
    """The events, newest first."""
    while past is not None:
        yield past.event
        past = past.older


def touching(past: Past | None, access: Any, *, silent: bool = False) -> Iterator[Any]:
    """The events down to the last that may conflict with an access, newest first. With ``silent``, writes that
    change nothing conflict too, as in a data race.
    """
    low, high = hull(access.low, access.high)
    acts = access.writes and (silent or not access.is_silent)
    while past is not None and low < past.high and past.low < high:
        if not (acts or (past.writes if silent else past.changes)):
            return
        yield past.event
        past = past.older


def in_order(pasts: Iterable[Iterator[Any]]) -> Iterator[Any]:
    """The events of several threads or objects, newest first, each once."""
    last = None
    for event in merge(*pasts, key=lambda event: -event.number):
        if event is not last:
            yield event
        last = event


def all_of(pasts: Mapping[int, Past] | None) -> Iterator[Any]:
    """The events of all threads, newest first."""
    return in_order([listed(past) for past in (pasts or {}).values()])
