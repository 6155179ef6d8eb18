"""What two paths remember, compared fact by fact, as each fact declares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass

from unfork.logic.term import Term, Value
from unfork.prune.contract import Differ
from unfork.prune.matched_registers import match_register
from unfork.prune.matching import Matching
from unfork.state.meets import (
    ONLY_NAMES,
    ByName,
    Computed,
    Each,
    Equal,
    Meets,
    Number,
    Record,
    Row,
    Word,
    parts_of,
)
from unfork.state.memory import END_OF_NAMES, FIRST_HEAP, object_of
from unfork.state.remembered import Remembered

WORD = 64
"""Width of an address in bits."""
MOST_RECORDS = 4096
"""Records of library and kernel that are remembered by what blocks they could name."""


def check_equal_facts(covered: Remembered, coverer: Remembered) -> None:
    """Raise Differ unless the facts that must be equal are: before anything is compared that costs time."""
    for fact in covered.either(coverer):
        if isinstance(fact.meets, Equal) and covered[fact] != coverer[fact]:
            raise Differ(f"different {fact.name}")


class FactMatch:
    """Compares what two paths remember."""

    def __init__(self) -> None:
        self._words = _Words()

    def match(self, match: Matching, covered: Remembered, coverer: Remembered) -> None:
        """Compare all facts but those that names are made of. Raises Differ where they do not match."""
        for fact in covered.either(coverer):
            if isinstance(fact.meets, ONLY_NAMES):
                continue
            one, other = covered[fact], coverer[fact]
            if one is not other or not self._words.is_itself(one, match):
                _Parts(match, fact.name).compare(fact.meets, one, other)


class _Parts:
    """Compares the parts of one fact, which ``name`` names to the reader."""

    __slots__ = ("_match", "_name")

    def __init__(self, match: Matching, name: str) -> None:
        self._match = match
        self._name = name

    def compare(self, meets: Meets, one: object, other: object) -> None:
        """Compare a part. Raises Differ where it does not match."""
        match meets:
            case Number(width) if isinstance(one, int | Term) and isinstance(other, int | Term):
                self._value(one, other, width)
            case Word() if isinstance(one, int | Term) and isinstance(other, int | Term):
                self._match.word(one, other)
            case Computed(kind):
                match_register(self._match, one, other, kind)
            case Each(part) if isinstance(one, tuple) and isinstance(other, tuple):
                self._row([part] * len(one), one, other)
            case Row(parts) if isinstance(one, tuple) and isinstance(other, tuple):
                self._row(parts, one, other)
            case Record() if one is not None and type(one) is type(other):
                for name, part in parts_of(one):
                    self.compare(part, getattr(one, name), getattr(other, name))
            case ByName():
                self._by_name(one, other)
            case _:
                if one != other:
                    raise self._differ()

    def _row(self, parts: Sequence[Meets], one: Sequence[object], other: Sequence[object]) -> None:
        if len(one) != len(other):
            raise self._differ()
        for each in zip(parts, one, other, strict=True):
            self.compare(*each)

    def _by_name(self, one: object, other: object) -> None:
        """Values, or tuples of them; all else must be the same."""
        if isinstance(one, int | Term) and isinstance(other, int | Term):
            self._value(one, other, _width(one, other))
        elif isinstance(one, tuple) and isinstance(other, tuple):
            self._row([ByName()] * len(one), one, other)
        elif one != other:
            raise self._differ()

    def _value(self, one: Value, other: Value, width: int) -> None:
        if isinstance(one, int) and isinstance(other, int):
            self._match.address(one, other)
        else:
            self._match.number(one, other, width)

    def _differ(self) -> Differ:
        return Differ(f"different {self._name}")


def _width(one: Value, other: Value) -> int:
    return one.width if isinstance(one, Term) else other.width if isinstance(other, Term) else WORD


class _Words:
    """Which numbers in an immutable record could name blocks; a record that holds none that does matches itself.

    A record that a state has not changed is that of the state it comes from, so each is looked through once.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[object, tuple[int, ...] | None]] = {}

    def is_itself(self, record: object, match: Matching) -> bool:
        """Whether a record that both states hold is certain to match itself, and says nothing of their blocks."""
        known = self._known.get(id(record))
        if known is None:
            if len(self._known) >= MOST_RECORDS:
                self._known.clear()
            known = self._known[id(record)] = (record, _words(record))  # holds it, so that its id stays its own
        words = known[1]
        return words is not None and not any(match.covered.names(one) or match.coverer.names(one) for one in words)


def _words(record: object) -> tuple[int, ...] | None:
    """The numbers in a record that could name blocks; None where it holds what may be no plain number or text."""
    found = []
    waiting = [record]
    while waiting:
        one = waiting.pop()
        if isinstance(one, tuple | frozenset):
            waiting.extend(one)
        elif is_dataclass(one):
            waiting.extend(getattr(one, field.name) for field in fields(one))
        elif isinstance(one, int):
            if FIRST_HEAP <= object_of(one) < END_OF_NAMES:
                found.append(one)
        elif one is not None and not isinstance(one, str | bytes):
            return None
    return tuple(sorted(set(found)))
