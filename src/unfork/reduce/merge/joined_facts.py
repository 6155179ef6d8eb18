"""The remembered facts of two paths, joined one by one as each declares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

from unfork.engine.state.merge_rules import (
    WORD,
    ComputedPart,
    CountPart,
    EachPart,
    EitherPart,
    FirstNamePart,
    MergeRule,
    NumberPart,
    OneOf,
    PaddedPart,
    RecordPart,
    RowPart,
    WordPart,
    cases_of,
    parts_of,
)
from unfork.engine.state.remembered import Remembered
from unfork.logic.terms.term import Term, Value
from unfork.reduce.merge.value_choice import Unjoinable, Untold, ValueChoice, joined_value


def check_facts(a: Remembered, b: Remembered) -> None:
    """Raise Unjoinable if the facts of the two paths have no joined form."""
    joined_facts(Untold(), a, b)


def joined_facts(choice: ValueChoice, a: Remembered, b: Remembered) -> Remembered:
    """The facts of the joined path. Raises Unjoinable for a difference without a joined form."""
    joined = a.copy()
    for fact in a.either(b):
        joined[fact] = _FactJoin(choice, fact.name).part(fact.merge_rule, a[fact], b[fact])
    return joined


def one_sided_copies(a: Remembered, b: Remembered) -> frozenset[str]:
    """The inputs for copied unwritten bytes that only one side has read: the other may read them later."""
    values = [(a[fact], b[fact]) for fact in a.either(b) if isinstance(fact.merge_rule, FirstNamePart)]
    given = [mine if theirs is None else theirs for mine, theirs in values if mine is None or theirs is None]
    return frozenset(symbol.name for value in given if isinstance(value, Term) for symbol in value.symbols)


MOST_CASES = 16
"""The most alternatives of a fact: a read tries each."""


class _FactJoin:
    """Joins the parts of one fact, which ``name`` names in messages."""

    __slots__ = ("_choice", "_name")

    def __init__(self, choice: ValueChoice, name: str) -> None:
        self._choice = choice
        self._name = name

    def part(self, merge_rule: MergeRule, mine: object, theirs: object) -> object:
        if mine is theirs or mine == theirs:
            return mine
        match merge_rule:
            case NumberPart(width):
                return self._choice.exact(self._value(mine), self._value(theirs), width)
            case WordPart():
                return self._choice.exact(self._value(mine), self._value(theirs), WORD)
            case ComputedPart(kind):
                return joined_value(self._choice, mine, theirs, kind)
            case EachPart(part) if isinstance(mine, tuple) and isinstance(theirs, tuple):
                return self._parts([part] * len(mine), mine, theirs)
            case PaddedPart(part) if isinstance(mine, tuple) and isinstance(theirs, tuple):
                return tuple([self.part(part, *each) for each in zip_longest(mine, theirs)])
            case EitherPart(part):
                return self._either(part, mine, theirs)
            case RowPart(parts) if isinstance(mine, tuple) and isinstance(theirs, tuple):
                return self._parts(parts, mine, theirs)
            case RecordPart() if mine is not None and type(mine) is type(theirs):
                return self._record(mine, theirs)
            case CountPart() if isinstance(mine, int) and isinstance(theirs, int):
                return max(mine, theirs)
            case FirstNamePart() if mine is None or theirs is None:
                return theirs if mine is None else mine
        raise self._unjoinable()

    def _parts(
        self, parts: Sequence[MergeRule], mine: Sequence[object], theirs: Sequence[object]
    ) -> tuple[object, ...]:
        if len(mine) != len(theirs):
            raise self._unjoinable()
        return tuple([self.part(*each) for each in zip(parts, mine, theirs, strict=True)])

    def _either(self, part: MergeRule, mine: object, theirs: object) -> object:
        """The alternatives of both sides, joined where two of them meet."""
        cases: list[tuple[Value, object]] = []
        others = list(cases_of(theirs))
        for condition, entry in cases_of(mine):
            met = self._met(part, entry, others)
            if met is None:
                cases.append((self._choice.exact(condition, 0, 1), entry))
            else:
                position, joined = met
                cases.append((self._choice.exact(condition, others.pop(position)[0], 1), joined))
        cases += [(self._choice.exact(0, condition, 1), entry) for condition, entry in others]
        if len(cases) == 1:
            return cases[0][1]
        if len(cases) > MOST_CASES:
            raise self._unjoinable()
        return OneOf(tuple(cases))

    def _met(self, part: MergeRule, entry: object, others: Sequence[tuple[Value, object]]) -> tuple[int, object] | None:
        """The first entry of the other side that ``entry`` meets, by its position, and their join."""
        for position, (_, other) in enumerate(others):
            try:
                return position, self.part(part, entry, other)
            except Unjoinable:
                continue
        return None

    def _record(self, mine: object, theirs: object) -> object:
        names = [(name, merge_rule, getattr(mine, name), getattr(theirs, name)) for name, merge_rule in parts_of(mine)]
        joined = {name: self.part(merge_rule, own, other) for name, merge_rule, own, other in names if own is not other}
        return replace(mine, **joined)  # type: ignore[type-var]  # an instance of a dataclass

    def _value(self, value: object) -> Value:
        if isinstance(value, int | Term):
            return value
        raise self._unjoinable()

    def _unjoinable(self) -> Unjoinable:
        return Unjoinable(f"different {self._name}")
