"""How one join makes one value of two: a choice that all values of the two states share."""

from __future__ import annotations

from typing import Protocol

from unfork.logic import build
from unfork.logic.term import Term, Value


class Unjoinable(Exception):
    """Two states differ in something that has no joined form. ``reason`` is short and countable."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Choice(Protocol):
    """Joins values of the first state with values of the second.

    Law: one choice serves a whole join, so that all joined values come from the same of the two states (DESIGN: one
    origin per join).
    """

    @property
    def first(self) -> Value:
        """The condition (1 bit) under which the joined state stands for the first state."""

    def value(self, a: Value, b: Value, width: int) -> Value:
        """The joined value of two values of ``width`` bits that the program computed."""

    def exact(self, a: Value, b: Value, width: int) -> Value:
        """The same for what the engine keeps (sizes, liveness, guards): never abstracted."""


class Guarded:
    """The exact choice: ``a`` where the guard holds, else ``b``."""

    __slots__ = ("first",)

    def __init__(self, first: Value) -> None:
        self.first = first

    def value(self, a: Value, b: Value, width: int) -> Value:
        """One ite with the guard of the join."""
        if isinstance(a, Term) and isinstance(b, Term) and width > 1:
            (more, base), (less, other) = build.constant_offset(a), build.constant_offset(b)
            if base is other:  # x + 2 or x + 1 is x + (2 or 1), so that sums over many joins stay sums
                return build.add(base, build.ite(self.first, more, less, width), width)
        return build.ite(self.first, a, b, width)

    def exact(self, a: Value, b: Value, width: int) -> Value:
        """The same."""
        return build.ite(self.first, a, b, width)


class Untold:
    """Chooses nothing: what a join makes with it only shows whether there is a joined form."""

    __slots__ = ()
    first: Value = 1

    def value(self, a: Value, b: Value, width: int) -> Value:
        """Either."""
        return a

    def exact(self, a: Value, b: Value, width: int) -> Value:
        """Either."""
        return a
