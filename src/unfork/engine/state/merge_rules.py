"""How a part of a state meets the same part of another state: declared once, beside its type.

Joins, covers and interpolants follow the declaration; the audit reads it with code of its own. The fields of a
frozen dataclass are declared as ``size: Annotated[Value, NumberPart(64)]``.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from typing import Generic, TypeVar, get_type_hints

from unfork.logic.terms.evaluate import Model, evaluate
from unfork.logic.terms.term import Value
from unfork.program.llvm.types import Type

Entry = TypeVar("Entry")

WORD = 64
"""Width of an address in bits."""


@dataclass(frozen=True, slots=True)
class NumberPart:
    """A value of ``width`` bits: joined exactly, compared as a number."""

    width: int


@dataclass(frozen=True, slots=True)
class WordPart:
    """A value of WORD bits that may be an address: joined exactly, compared as a pointer."""


@dataclass(frozen=True, slots=True)
class ComputedPart:
    """A value of a type that the program computed, None if undefined: it meets another as a register does."""

    type: Type


@dataclass(frozen=True, slots=True)
class EqualPart:
    """States whose parts differ neither join nor cover each other. The part holds no address."""


@dataclass(frozen=True, slots=True)
class ByNamePart:
    """Values, also in tuples, that must be equal for a join.

    For a cover, an address matches the address of the corresponding object.
    """


@dataclass(frozen=True, slots=True)
class EachPart:
    """A tuple of equal length on both sides; ``part`` says how its elements meet."""

    part: MergeRule


@dataclass(frozen=True, slots=True)
class PaddedPart:
    """A tuple of any length, padded with None; ``part`` says how its elements meet."""

    part: MergeRule


@dataclass(frozen=True, slots=True)
class EitherPart:
    """Meets as ``part`` says or, where that has no joined form, becomes a ``OneOf``; the value may be one already."""

    part: MergeRule


@dataclass(frozen=True, slots=True)
class RowPart:
    """A tuple with one rule for each element."""

    parts: tuple[MergeRule, ...]


@dataclass(frozen=True, slots=True)
class RecordPart:
    """A frozen dataclass each of whose fields declares how it meets its like; None meets None."""


@dataclass(frozen=True, slots=True)
class CountPart:
    """A count of names given out: a join keeps the larger one, and nothing else depends on it."""


@dataclass(frozen=True, slots=True)
class FirstNamePart:
    """A name given at the first request, None before: a join keeps that of either side."""


@dataclass(frozen=True, slots=True)
class OneOf(Generic[Entry]):
    """Values on which the sides of a join differ, each with its condition (1 bit).

    Law: on every state that the path stands for, exactly one of the conditions holds.
    """

    cases: tuple[tuple[Value, Entry], ...]

    def under(self, model: Model) -> Entry:
        """The entry that holds under a model of the path."""
        return next(entry for condition, entry in self.cases if evaluate(condition, model))


def cases_of(entry: OneOf[Entry] | Entry) -> tuple[tuple[Value, Entry], ...]:
    """The alternatives of a value that meets as ``EitherPart``, each with its condition (1 bit)."""
    return entry.cases if isinstance(entry, OneOf) else ((1, entry),)


MergeRule = (
    NumberPart
    | WordPart
    | ComputedPart
    | EqualPart
    | ByNamePart
    | EachPart
    | PaddedPart
    | EitherPart
    | RowPart
    | RecordPart
    | CountPart
    | FirstNamePart
)
ONLY_NAMES = (CountPart, FirstNamePart)
"""Parts that only count for naming: states that differ in them behave the same."""


def parts_of(record: object) -> tuple[tuple[str, MergeRule], ...]:
    """The fields of a dataclass declared as ``RecordPart``, each with its rule.

    Raises TypeError if a field has none.
    """
    kind: type = type(record)
    return _declarations(kind)


@cache
def _declarations(kind: type) -> tuple[tuple[str, MergeRule], ...]:
    hints = get_type_hints(kind, include_extras=True)
    return tuple([(field.name, _declaration(kind, field.name, hints[field.name])) for field in fields(kind)])


def _declaration(kind: type, name: str, hint: object) -> MergeRule:
    for note in getattr(hint, "__metadata__", ()):
        if isinstance(note, MergeRule):
            return note
    raise TypeError(f"{kind.__name__}.{name} does not declare how it meets that of another state")
