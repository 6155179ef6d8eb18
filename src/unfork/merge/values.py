"""What registers hold, joined: values by one choice, aggregates part by part."""

from __future__ import annotations

from collections.abc import Sequence

from unfork.llvm import layout
from unfork.llvm.types import ArrayType, StructType, Type, VectorType
from unfork.logic.term import Term
from unfork.merge.value_choice import Choice, Unjoinable
from unfork.state.state import RegisterValue


def joined_value(choice: Choice, a: RegisterValue, b: RegisterValue, kind: Type) -> RegisterValue:
    """The joined value of a type. Raises Unjoinable for a value of one side that the other has not defined."""
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
