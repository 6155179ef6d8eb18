"""What two paths remember, compared fact by fact, as each fact declares, and two registers of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from itertools import zip_longest

from unfork.llvm import layout
from unfork.llvm.types import ArrayType, PointerType, StructType, Type, VectorType
from unfork.logic.term import Term, Value
from unfork.prune.contract import Differ
from unfork.prune.matching import Matching
from unfork.state.memory import END_OF_NAMES, FIRST_HEAP, object_of
from unfork.state.merge_rules import (
    ONLY_NAMES,
    WORD,
    ByName,
    Computed,
    Each,
    Either,
    Equal,
    MergeRule,
    Number,
    Padded,
    Record,
    Row,
    Word,
    cases_of,
    parts_of,
)
from unfork.state.remembered import Remembered
from unfork.state.state import RegisterValue


def match_register(match: Matching, one: RegisterValue, other: RegisterValue, kind: Type) -> None:
    """Two registers of one type. What the coverer has not defined may be anything; an abstraction drops numbers."""
    if isinstance(one, tuple) or isinstance(other, tuple):
        if isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
            for x, y, part in zip(one, other, _parts(kind, len(one)), strict=True):
                match_register(match, x, y, part)
        elif other is not None:
            raise Differ("undefined value")
    elif other is None:
        if match.tells_unwritten and one is not None:
            raise Differ("undefined value")
    elif one is None:
        raise Differ("undefined value")
    elif isinstance(kind, PointerType):
        match.pointer(one, other)
    elif match.abstracted is None:
        width = one.width if isinstance(one, Term) else other.width if isinstance(other, Term) else None
        match.number(one, other, layout.bits_of(kind) if width is None else width)


def _parts(kind: Type, count: int) -> tuple[Type, ...]:
    match kind:
        case StructType(elements=elements):
            return elements
        case ArrayType(element=element) | VectorType(element=element):
            return (element,) * count
    raise Differ("different types")


MOST_RECORDS = 4096
"""Records of library and kernel that are remembered by what blocks they could name."""


def check_equal_facts(covered: Remembered, coverer: Remembered) -> None:
    """Raise Differ unless the facts that must be equal are: before anything is compared that costs time."""
    for fact in covered.either(coverer):
        if isinstance(fact.merge_rule, Equal) and covered[fact] != coverer[fact]:
            raise Differ(f"different {fact.name}")


class FactMatch:
    """Compares what two paths remember."""

    def __init__(self) -> None:
        self._words = _Words()

    def match(self, match: Matching, covered: Remembered, coverer: Remembered) -> None:
        """Compare all facts but those that names are made of. Raises Differ where they do not match."""
        for fact in covered.either(coverer):
            if isinstance(fact.merge_rule, ONLY_NAMES):
                continue
            mine, theirs = covered[fact], coverer[fact]
            if mine is not theirs or not self._words.is_itself(mine, match):
                _Parts(match, fact.name).compare(fact.merge_rule, mine, theirs)


class _Parts:
    """Compares the parts of one fact, which ``name`` names to the reader."""

    __slots__ = ("_match", "_name")

    def __init__(self, match: Matching, name: str) -> None:
        self._match = match
        self._name = name

    def compare(self, merge_rule: MergeRule, mine: object, theirs: object) -> None:
        """Compare a part. Raises Differ where it does not match."""
        match merge_rule:
            case Number(width) if isinstance(mine, int | Term) and isinstance(theirs, int | Term):
                self._value(mine, theirs, width)
            case Word() if isinstance(mine, int | Term) and isinstance(theirs, int | Term):
                self._match.word(mine, theirs)
            case Computed(kind):
                match_register(self._match, mine, theirs, kind)
            case Each(part) if isinstance(mine, tuple) and isinstance(theirs, tuple):
                self._row([part] * len(mine), mine, theirs)
            case Padded(part) if isinstance(mine, tuple) and isinstance(theirs, tuple):
                for each in zip_longest(mine, theirs):
                    self.compare(part, *each)
            case Either(part):
                self._either(part, mine, theirs)
            case Row(parts) if isinstance(mine, tuple) and isinstance(theirs, tuple):
                self._row(parts, mine, theirs)
            case Record() if mine is not None and type(mine) is type(theirs):
                for name, part in parts_of(mine):
                    self.compare(part, getattr(mine, name), getattr(theirs, name))
            case ByName():
                self._by_name(mine, theirs)
            case _:
                if mine != theirs:
                    raise self._differ()

    def _row(self, parts: Sequence[MergeRule], mine: Sequence[object], theirs: Sequence[object]) -> None:
        if len(mine) != len(theirs):
            raise self._differ()
        for each in zip(parts, mine, theirs, strict=True):
            self.compare(*each)

    def _either(self, part: MergeRule, mine: object, theirs: object) -> None:
        """What it may be: the same in the same order, under the same conditions."""
        cases, others = cases_of(mine), cases_of(theirs)
        if len(cases) != len(others):
            raise self._differ()
        for (condition, own), (other_condition, other) in zip(cases, others, strict=True):
            self._value(condition, other_condition, 1)
            self.compare(part, own, other)

    def _by_name(self, mine: object, theirs: object) -> None:
        """Values, or tuples of them; all else must be the same."""
        if isinstance(mine, int | Term) and isinstance(theirs, int | Term):
            self._value(mine, theirs, _width(mine, theirs))
        elif isinstance(mine, tuple) and isinstance(theirs, tuple):
            self._row([ByName()] * len(mine), mine, theirs)
        elif mine != theirs:
            raise self._differ()

    def _value(self, mine: Value, theirs: Value, width: int) -> None:
        if isinstance(mine, int) and isinstance(theirs, int):
            self._match.address(mine, theirs)
        else:
            self._match.number(mine, theirs, width)

    def _differ(self) -> Differ:
        return Differ(f"different {self._name}")


def _width(mine: Value, theirs: Value) -> int:
    return mine.width if isinstance(mine, Term) else theirs.width if isinstance(theirs, Term) else WORD


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
        return words is not None and not any(match.covered.names(word) or match.coverer.names(word) for word in words)


def _words(record: object) -> tuple[int, ...] | None:
    """The numbers in a record that could name blocks; None where it holds what may be no plain number or text."""
    words = []
    waiting = [record]
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple | frozenset):
            waiting.extend(part)
        elif is_dataclass(part):
            waiting.extend(getattr(part, field.name) for field in fields(part))
        elif isinstance(part, int):
            if FIRST_HEAP <= object_of(part) < END_OF_NAMES:
                words.append(part)
        elif part is not None and not isinstance(part, str | bytes):
            return None
    return tuple(sorted(set(words)))
