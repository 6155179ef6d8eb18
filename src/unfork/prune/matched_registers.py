"""Two registers, one of a state that may be covered and one of the state that may cover it."""

from __future__ import annotations

from unfork.llvm import layout
from unfork.llvm.types import ArrayType, PointerType, StructType, Type, VectorType
from unfork.logic.term import Term
from unfork.prune.contract import Differ
from unfork.prune.matching import Matching
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
