"""The expressions of contracts: those of clang/c_expression.py, and places, memory, earlier states and quantifiers.

Nodes are data. Types and values are computed elsewhere. Truth is C's: 0 is false, anything else is true.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Literal, TypeAlias

from unfork.clang.c_expression import Binary, Cast, Conditional, Integral, Name, Number, Unary

Label: TypeAlias = Literal["Pre", "Old", "Here", "Post", "LoopEntry", "LoopCurrent"]
"""A state that ``At`` looks back at. ``Pre`` of ``At`` is read as ``Old``."""


@dataclass(frozen=True, slots=True)
class TypeName:
    """A type as it is written: ``words`` (``struct node``, ``void``, ``value_type``) and the stars behind them."""

    words: str
    stars: int


@dataclass(frozen=True, slots=True)
class Deref:
    """``*pointer``."""

    pointer: Logic


@dataclass(frozen=True, slots=True)
class Index:
    """``base[index]``."""

    base: Logic
    index: Logic


@dataclass(frozen=True, slots=True)
class Member:
    """``record.field``, or ``record->field`` with ``arrow``."""

    record: Logic
    field: str
    arrow: bool


@dataclass(frozen=True, slots=True)
class AddressOf:
    """``&place``."""

    place: Logic


@dataclass(frozen=True, slots=True)
class Old:
    """What an expression was when the function was entered."""

    expression: Logic


@dataclass(frozen=True, slots=True)
class At:
    """What an expression is in a label's state: LoopEntry is before the loop, LoopCurrent where its turn begins."""

    expression: Logic
    label: Label


@dataclass(frozen=True, slots=True)
class Result:
    """What the function returns."""


@dataclass(frozen=True, slots=True)
class Null:
    """The null pointer."""


@dataclass(frozen=True, slots=True)
class SizeOf:
    """The bytes that a type, or an expression's type, has."""

    of: TypeName | Logic


@dataclass(frozen=True, slots=True)
class TypeCast:
    """A conversion to a pointer, to a type known by its name alone, or to ``integer``; else there is ``Cast``."""

    type: TypeName
    operand: Logic


@dataclass(frozen=True, slots=True)
class Range:
    """The elements ``pointer[low]`` to ``pointer[high]``, both included; none where high < low.

    ``\\valid(p)`` is about the range from 0 to 0 (``Number``).
    """

    pointer: Logic
    low: Logic
    high: Logic


@dataclass(frozen=True, slots=True)
class Bytes:
    """The first ``size`` bytes at ``pointer``, as a place to be assigned."""

    pointer: Logic
    size: Logic


@dataclass(frozen=True, slots=True)
class WholeObject:
    """All bytes of the object that ``pointer`` points into, as a place to be assigned."""

    pointer: Logic


@dataclass(frozen=True, slots=True)
class Valid:
    """All elements of all ranges may be read, and with ``writes`` also written."""

    ranges: tuple[Range, ...]
    writes: bool


@dataclass(frozen=True, slots=True)
class ValidBytes:
    """``size`` bytes at ``pointer`` may be read, and with ``writes`` also written."""

    pointer: Logic
    size: Logic
    writes: bool


@dataclass(frozen=True, slots=True)
class Separated:
    """No two of the ranges have a byte in common."""

    ranges: tuple[Range, ...]


@dataclass(frozen=True, slots=True)
class Fresh:
    """``pointer`` points to the start of ``size`` bytes of an object that nothing else points to."""

    pointer: Logic
    size: Logic


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable of a quantifier: of an integer type of C, or None, a mathematical integer."""

    name: str
    type: Integral | None


@dataclass(frozen=True, slots=True)
class Quantified:
    """``body`` for all, or for some, values of the variables; these are values, the same in every state."""

    kind: Literal["forall", "exists"]
    variables: tuple[Variable, ...]
    body: Logic


Logic: TypeAlias = (
    "Number | Name | Unary[Logic] | Cast[Logic] | Binary[Logic] | Conditional[Logic] | Deref | Index | Member"
    " | AddressOf | Old | At | Result | Null | SizeOf | TypeCast | Range | Valid | ValidBytes | Separated | Fresh"
    " | Quantified"
)
"""An expression of a contract. ``Binary`` also has ``==>``, ``<==>`` and ``^^`` (exclusive or)."""
Place: TypeAlias = "Name | Deref | Index | Member | Range | Bytes | WholeObject"
"""What an assigns clause lists."""


def parts(expression: Logic | Place) -> Iterator[Logic]:
    """The expressions that an expression is made of directly, from left to right."""
    for each in fields(expression):
        value = getattr(expression, each.name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, _NODES):
                yield part


def names_in(expression: Logic | Place) -> frozenset[str]:
    """The names that an expression mentions, its quantifiers' variables included."""
    names: set[str] = set()
    pending: list[Logic | Place] = [expression]
    while pending:
        part = pending.pop()
        match part:
            case Name(name):
                names.add(name)
            case Quantified(_, variables, _):
                names.update(variable.name for variable in variables)
        pending += parts(part)
    return frozenset(names)


_NODES = (
    *(Number, Name, Unary, Cast, Binary, Conditional, Deref, Index, Member, AddressOf, Old, At, Result, Null, SizeOf),
    *(TypeCast, Range, Valid, ValidBytes, Separated, Fresh, Quantified),
)
