"""What a C text promises about its functions, loops and places, in whatever notation it was written.

Read by clang/contract_reader.py. Lines are those of the user's file, as the preprocessor's line markers say.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from unfork.clang.expressions import Expression, Place


@dataclass(frozen=True, slots=True)
class Clause:
    """One condition or term, with its text; ``name`` is ACSL's ``name: condition``."""

    text: str
    expression: Expression
    file: str
    line: int
    name: str | None


@dataclass(frozen=True, slots=True)
class Assigns:
    """What may be written. Nothing else is, except what was not there before. No places: nothing is."""

    text: str
    places: tuple[Place, ...]
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Behavior:
    """What holds in the case that all of ``assumes`` hold when the function is entered."""

    name: str
    assumes: tuple[Clause, ...]
    requires: tuple[Clause, ...]
    ensures: tuple[Clause, ...]
    assigns: Assigns | None


@dataclass(frozen=True, slots=True)
class NamedBehaviors:
    """The behaviors that a ``complete`` or ``disjoint`` clause is about, by their names."""

    text: str
    names: tuple[str, ...]
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class FunctionContract:
    """What a function needs and promises. Parameters in ``ensures`` are what they were at the function's entry.

    ``assigns`` None: nothing is said. ``mathematical``: its arithmetic is over integers without bounds, not C's.
    """

    function: str
    parameters: tuple[str, ...]
    """The names of the parameters where the contract stands, by which it calls them; "" for one without a name. The
    definition may have others in their places."""
    file: str
    line: int
    requires: tuple[Clause, ...]
    ensures: tuple[Clause, ...]
    assigns: Assigns | None
    behaviors: tuple[Behavior, ...]
    complete: tuple[NamedBehaviors, ...]
    disjoint: tuple[NamedBehaviors, ...]
    decreases: Clause | None
    mathematical: bool


@dataclass(frozen=True, slots=True)
class LoopContract:
    """What holds whenever control comes to the head of the loop whose keyword stands in ``line``.

    ``column`` counts from 1, for loops in the same line. ``variant`` decreases in each turn and is >= 0 before it.
    """

    file: str
    line: int
    column: int
    invariants: tuple[Clause, ...]
    assigns: Assigns | None
    variant: Clause | None
    mathematical: bool


@dataclass(frozen=True, slots=True)
class Assertion:
    """A condition that must hold in front of the statement that begins in ``line`` (``column`` counts from 1)."""

    file: str
    line: int
    column: int
    clause: Clause
    mathematical: bool


@dataclass(frozen=True, slots=True)
class Contracts:
    """All contracts of a text, or of several. ``functions`` is by their names; loops and assertions are in order."""

    functions: Mapping[str, FunctionContract]
    loops: tuple[LoopContract, ...]
    assertions: tuple[Assertion, ...]


NO_CONTRACTS = Contracts({}, (), ())
