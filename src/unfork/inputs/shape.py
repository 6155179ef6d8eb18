"""The shape of an input: how its bytes are cut into leaves, one symbol each, and what the leaves are called."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from unfork.llvm import layout
from unfork.llvm.types import ArrayType, FloatType, IntType, PointerType, StructType, Type, VectorType

WORD_SIZES = (1, 2, 4, 8)


@dataclass(frozen=True, slots=True)
class Leaf:
    """``size`` bytes of an input; ``suffix`` follows the input's name: "", "[3]", ".0", "[3].pad5"."""

    suffix: str
    size: int


@cache
def leaves_of(element: Type | None, size: int) -> tuple[Leaf, ...]:
    """The leaves of an input of ``size`` bytes, in order; their sizes add up to ``size``.

    ``element`` fills the input, once or repeatedly. Without an ``element`` that fits, an input of 1, 2, 4 or 8 bytes
    is one leaf, and any other is cut into single bytes.
    """
    if element is not None and not isinstance(element, ArrayType) and 0 < layout.size_of(element) < size:
        element = ArrayType(size // layout.size_of(element), element)
    if element is None or not size or layout.size_of(element) != size:
        if element is not None and layout.store_size(element) == size:
            return (Leaf("", size),)
        return _untyped(size)
    return tuple(_typed(element, size))


def _untyped(size: int) -> tuple[Leaf, ...]:
    if size in WORD_SIZES:
        return (Leaf("", size),)
    return tuple([Leaf(f"[{i}]", 1) for i in range(size)])


def _typed(element: Type, size: int) -> list[Leaf]:
    """The leaves of a type, with the padding between them as leaves of their own."""
    leaves: list[Leaf] = []
    filled = 0
    pending: list[tuple[int, str, Type]] = [(0, "", element)]
    while pending:
        offset, suffix, kind = pending.pop()
        match kind:
            case ArrayType(count=count, element=part) | VectorType(count=count, element=part):
                stride = layout.size_of(part)
                pending.extend((offset + i * stride, f"{suffix}[{i}]", part) for i in reversed(range(count)))
            case StructType(elements=elements):
                fields = reversed(tuple(enumerate(elements)))
                pending.extend((offset + layout.offset_of(kind, i), f"{suffix}.{i}", part) for i, part in fields)
            case IntType() | FloatType() | PointerType():
                leaves.extend(_padding(filled, offset))
                length = layout.store_size(kind)
                leaves.append(Leaf(suffix, length))
                filled = offset + length
            case _:
                return list(_untyped(size))
    leaves.extend(_padding(filled, size))
    return leaves


def _padding(start: int, end: int) -> list[Leaf]:
    return [Leaf(f".pad{start}", end - start)] if end > start else []
