"""The records of an execution with threads, in an order that keeps pickles shallow."""

from __future__ import annotations

from typing import Any

from unfork.engine.state.past import Past
from unfork.engine.state.threads import THREADS, Event, Threads, ThreadTurn


def linked(threads: Threads, known: set[int]) -> list[object]:
    """The records of an execution, each after its parts, for readers that must not recurse deeply.

    These are events, the links of histories and schedules, and choices, whose states have threads, too. ``known``
    are the identities of records listed before, and afterwards of these as well.
    """
    listed: list[object] = []
    waiting: list[tuple[object, bool]] = [(part, False) for part in _parts_of(threads)]
    while waiting:
        each, is_complete = waiting.pop()
        if is_complete:
            listed.append(each)
        elif each is not None and id(each) not in known:
            known.add(id(each))
            waiting.append((each, True))
            waiting += [(part, False) for part in _parts_of(each)]
    return listed


def _parts_of(each: Any) -> tuple[Any, ...]:
    match each:
        case Threads():
            pasts = [past for of_key in each.history.values() for past in of_key.values()]
            return (*pasts, each.last, *each.fresh, each.schedule, each.choice)
        case Event():
            return (each.previous, *each.races, each.choice)
        case (ThreadTurn(), link):
            return (link,)
        case Past():
            return (each.event, each.older)
    return () if each.state is None else (each.state.remembered[THREADS],)
