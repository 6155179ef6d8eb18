"""The choice that one join makes for all values of the two states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from unfork.engine.state.state import RegisterValue
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.program.llvm import layout
from unfork.program.llvm.types import ArrayType, StructType, Type, VectorType


class Unjoinable(Exception):
    """Two states differ in something without a joined form. ``reason`` is short and countable."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class ValueChoice(Protocol):
    """Joins values of the first state with values of the second.

    Law: one choice serves a whole join, so that all joined values come from the same of the two states (one origin
    per join).
    """

    @property
    def first(self) -> Value:
        """The condition (1 bit) under which the joined state stands for the first state."""

    def value(self, a: Value, b: Value, width: int) -> Value:
        """The joined value of two values of ``width`` bits that the program computed."""

    def exact(self, a: Value, b: Value, width: int) -> Value:
        """As value(), for the engine's own values (sizes, liveness, guards): never abstracted."""


class GuardedChoice:
    """The exact choice: ``a`` where the guard holds, else ``b``."""

    __slots__ = ("first",)

    def __init__(self, first: Value) -> None:
        self.first = first

    def value(self, a: Value, b: Value, width: int) -> Value:
        if isinstance(a, Term) and isinstance(b, Term) and width > 1:
            (more, base), (less, other) = build.constant_offset(a), build.constant_offset(b)
            if base is other:  # x + 2 or x + 1 is x + (2 or 1), so that sums stay sums over many joins
                return build.add(base, build.ite(self.first, more, less, width), width)
        return build.ite(self.first, a, b, width)

    def exact(self, a: Value, b: Value, width: int) -> Value:
        return build.ite(self.first, a, b, width)


class Untold:
    """Chooses nothing: only shows whether a join has a form."""

    __slots__ = ()
    first: Value = 1

    def value(self, a: Value, b: Value, width: int) -> Value:
        return a

    def exact(self, a: Value, b: Value, width: int) -> Value:
        return a


def joined_value(choice: ValueChoice, a: RegisterValue, b: RegisterValue, kind: Type) -> RegisterValue:
    """The joined value of a type. Raises Unjoinable for a value that only one side has defined."""
    if a is b or (a.__class__ is int and a == b):
        return a
    if isinstance(a, tuple) or isinstance(b, tuple):
        if not isinstance(a, tuple) or not isinstance(b, tuple) or len(a) != len(b):
            raise Unjoinable("undefined value")
        return tuple([joined_value(choice, x, y, part) for x, y, part in zip(a, b, _parts(kind, len(a)), strict=True)])
    if a is None or b is None:
        raise Unjoinable("undefined value")
    width = a.width if isinstance(a, Term) else b.width if isinstance(b, Term) else layout.bits_of(kind)
    return choice.value(a, b, width)


def _parts(kind: Type, count: int) -> Sequence[Type]:
    match kind:
        case StructType(elements=elements):
            return elements
        case ArrayType(element=element) | VectorType(element=element):
            return (element,) * count
    raise Unjoinable("different types")
