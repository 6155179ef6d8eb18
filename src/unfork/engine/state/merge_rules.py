"""How a part of a state meets the same part of another state: declared once, beside its type.

Joins, covers and interpolants follow the declaration; an audit reads it with code of its own. The fields of a frozen
dataclass are declared as ``size: Annotated[Value, Number(64)]``.
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
    """A value of ``width`` bits that the engine keeps: joined exactly, and compared as a number."""

    width: int


@dataclass(frozen=True, slots=True)
class WordPart:
    """A value of WORD bits that the engine keeps and that may be an address: joined exactly, compared as a pointer."""


@dataclass(frozen=True, slots=True)
class ComputedPart:
    """A value of a type that the program computed, None where it is undefined: it meets another as a register does."""

    type: Type


@dataclass(frozen=True, slots=True)
class EqualPart:
    """States whose parts differ neither join nor cover each other. Nothing in it is an address."""


@dataclass(frozen=True, slots=True)
class ByNamePart:
    """Values, also in tuples, that must be equal where states join.

    Where a state covers another, an address matches that of the object that stands for the same one.
    """


@dataclass(frozen=True, slots=True)
class EachPart:
    """A tuple of any length, the same on both sides; ``part`` says how its parts meet."""

    part: MergeRule


@dataclass(frozen=True, slots=True)
class PaddedPart:
    """A tuple of any length, as if None followed without end; ``part`` says how its parts meet."""

    part: MergeRule


@dataclass(frozen=True, slots=True)
class EitherPart:
    """What meets as ``part`` says or, where that has no joined form, becomes a ``OneOf``; the value may be one, too."""

    part: MergeRule


@dataclass(frozen=True, slots=True)
class RowPart:
    """A tuple that has one part for each of ``parts``."""

    parts: tuple[MergeRule, ...]


@dataclass(frozen=True, slots=True)
class RecordPart:
    """A frozen dataclass each of whose fields declares how it meets its like; None meets None."""


@dataclass(frozen=True, slots=True)
class CountPart:
    """How many names have been given: a join keeps the larger count, and nothing else depends on it."""


@dataclass(frozen=True, slots=True)
class FirstNamePart:
    """A name that is given when it is first asked for, None before: a join keeps that of either side."""


@dataclass(frozen=True, slots=True)
class OneOf(Generic[Entry]):
    """What sides of a join do not agree on: the one whose condition (1 bit) holds.

    Law: on every state that the path stands for, exactly one of the conditions does.
    """

    cases: tuple[tuple[Value, Entry], ...]

    def under(self, model: Model) -> Entry:
        """The entry under a model of the path."""
        return next(entry for condition, entry in self.cases if evaluate(condition, model))


def cases_of(entry: OneOf[Entry] | Entry) -> tuple[tuple[Value, Entry], ...]:
    """What something that meets as ``EitherPart`` may be, and when (1 bit)."""
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
"""These count only for naming: states that differ in them behave the same."""


def parts_of(record: object) -> tuple[tuple[str, MergeRule], ...]:
    """The fields of a dataclass that is declared as a ``RecordPart``, each with how it meets its like.

    Raises TypeError if a field does not say.
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
