"""What a joined path remembers beside what one of its parents remembered, fact by fact.

The declarations are those that joins follow; what they demand is written here a second time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from unfork.audit.claim import all_of, either, negation
from unfork.audit.pairs import Finding, Impossible, Mismatch, Pair, registers, width_of
from unfork.logic.term import Term, Value
from unfork.state.meets import (
    WORD,
    ByName,
    Computed,
    Count,
    Each,
    Either,
    Given,
    Meets,
    Number,
    Padded,
    Record,
    Row,
    Word,
    cases_of,
    parts_of,
)
from unfork.state.remembered import Remembered


def facts(joined: Remembered, parent: Remembered) -> Iterator[Finding]:
    """Every fact that either path has set."""
    for fact in joined.either(parent):
        what = f"the {fact.name} {fact.member}".rstrip()
        mine, theirs = joined[fact], parent[fact]
        match fact.meets:
            case Count() if isinstance(mine, int) and isinstance(theirs, int):
                if mine < theirs:
                    yield Mismatch(what)
            case Given():
                if theirs is not None and mine is not theirs:
                    yield Mismatch(what)
            case meets:
                yield from _part(what, meets, mine, theirs)


def _part(what: str, meets: Meets, mine: object, theirs: object) -> Iterator[Finding]:
    if mine is theirs:
        return
    match meets:
        case Number(width) if isinstance(mine, int | Term) and isinstance(theirs, int | Term):
            yield Pair(what, mine, theirs, width)
        case Word() if isinstance(mine, int | Term) and isinstance(theirs, int | Term):
            yield Pair(what, mine, theirs, WORD)
        case ByName() if isinstance(mine, int | Term) and isinstance(theirs, int | Term):
            yield Pair(what, mine, theirs, width_of(mine, theirs))
        case Computed():
            yield from registers(what, mine, theirs)
        case Each(part) if isinstance(mine, tuple) and isinstance(theirs, tuple):
            yield from _row(what, [part] * len(theirs), mine, theirs)
        case Padded(part) if isinstance(mine, tuple) and isinstance(theirs, tuple):
            for my_part, its_part in zip_longest(mine, theirs):
                yield from _part(what, part, my_part, its_part)
        case Either(part):
            yield from _either(what, part, mine, theirs)
        case ByName() if isinstance(mine, tuple) and isinstance(theirs, tuple):
            yield from _row(what, [meets] * len(theirs), mine, theirs)
        case Row(parts) if isinstance(mine, tuple) and isinstance(theirs, tuple):
            yield from _row(what, parts, mine, theirs)
        case Record() if theirs is not None and type(mine) is type(theirs):
            for name, part in parts_of(theirs):
                yield from _part(f"{name} of {what}", part, getattr(mine, name), getattr(theirs, name))
        case _:
            if mine != theirs:
                yield Mismatch(what)


def _either(what: str, part: Meets, mine: object, theirs: object) -> Iterator[Finding]:
    """Whatever it is on the parent's path, on the joined path it may be that, and nothing else."""
    for condition, own in cases_of(theirs):
        alike: Value = 0
        for chosen, joined in cases_of(mine):
            findings = list(_part(what, part, joined, own))
            if any(isinstance(finding, Mismatch) for finding in findings):
                yield Impossible(f"another part of {what}", all_of((condition, chosen)))
                continue
            alike = either(alike, chosen)
            elsewhere = negation(all_of((condition, chosen)))
            yield from [replace(finding, unless=elsewhere) for finding in findings if isinstance(finding, Pair)]
        yield Pair(f"which part there is of {what}", alike, 1, 1, negation(condition))


def _row(what: str, parts: Sequence[Meets], mine: Sequence[object], theirs: Sequence[object]) -> Iterator[Finding]:
    if not len(parts) == len(mine) == len(theirs):
        yield Mismatch(what)
        return
    for part, my_part, its_part in zip(parts, mine, theirs, strict=True):
        yield from _part(what, part, my_part, its_part)
