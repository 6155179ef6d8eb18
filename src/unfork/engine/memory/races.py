"""Data races: accesses to the same bytes that nothing orders, where one writes and not both are atomic."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

from unfork.engine.state.past import in_order, touching
from unfork.engine.state.threads import NO_PAST, THREADS, Access, Clock, Threads, count_of, later
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.program.facts.own_source import shown

RACE = "race"
DATA_RACE = "data-race"
NO_CLOCK: Clock = ()


def read_from(threads: Threads, accesses: Iterable[Access]) -> Clock:
    """The clock that an atomic read synchronizes with: that of the newest atomic write to the same bytes."""
    synced = NO_CLOCK
    for access in accesses:
        pasts = threads.history.get(access.key, NO_PAST).values()
        for event in in_order([touching(past, access) for past in pasts]):
            writes = [each for each in event.operation.accesses if each.writes and each.conflicts(access)]
            if writes:
                if all(each.is_atomic for each in writes):
                    synced = later(synced, event.synced)
                break
    return synced


def check_races(step: Step, accesses: Iterable[Access]) -> None:
    """Fault the accesses that are in a data race."""
    if RACE not in step.limits.checks:
        return
    threads = step.state.remembered[THREADS]
    assert threads is not None
    thread = threads.current
    for access in accesses:
        pasts = threads.history.get(access.key, NO_PAST)
        for event in in_order(
            [
                takewhile(lambda event: event.index > count_of(thread.synced, event.thread), past)
                for number, past in [(each, touching(pasts[each], access, silent=True)) for each in pasts]
                if number != thread.number
            ]
        ):
            for other in event.operation.accesses:
                if (access.is_atomic and other.is_atomic) or not access.races_with(other):
                    continue
                are_apart = _are_apart(access, other)
                step.require(are_apart, DATA_RACE, _race_message(step, access, other, event.thread, thread.number))


def _are_apart(first: Access, other: Access) -> Value:
    guards = build.both(first.guard, other.guard)
    return build.either(build.negate(guards), _is_elsewhere(first, other))


def _is_elsewhere(first: Access, other: Access) -> Value:
    numbers = (first.low, first.high, other.low, other.high)
    if not any(isinstance(number, Term) for number in numbers):
        return int(first.high <= other.low or other.high <= first.low)  # type: ignore[operator]  # ints
    return build.either(build.ule(first.high, other.low, 64), build.ule(other.high, first.low, 64))


def _race_message(step: Step, access: Access, other: Access, earlier: int, now: int) -> str:
    name = _name_of(step, access.key)
    site = other.position and shown(other.position)
    where = "" if site is None else f" at {site.file.rsplit('/', 1)[-1]}:{site.line}"
    verbs = {True: "writes", False: "reads"}
    kinds = ["atomically " if each.is_atomic else "" for each in (access, other)]
    return (
        f"thread {now} {kinds[0]}{verbs[access.writes]} {name}, which thread {earlier}"
        f" {kinds[1]}{verbs[other.writes]}{where}: nothing orders the two"
    )


def _name_of(step: Step, key: object) -> str:
    match key:
        case int() if (item := step.state.memory.objects.get(key)) is not None:
            return f"'{item.name}'"
        case ("state", str(name)):
            return f"what {name} keeps"
    return "an object"
