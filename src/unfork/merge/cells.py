"""Where two objects differ, in pieces as large as the values there, so that reading one back gives one choice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from unfork.llvm import layout
from unfork.llvm.types import ArrayType, StructType, Type, VectorType
from unfork.state.memory import CONCRETE, SYMBOLIC, UNINITIALISED, MemoryObject

WORD = 8
"""Bytes of a piece of concrete bytes whose type is not known."""
_RUN = re.compile(rb"[^\0]+")


def differing(a: MemoryObject, b: MemoryObject, count: int) -> list[tuple[int, int]]:
    """The runs (start, end) of bytes that differ among the first ``count``, which both have."""
    flags = int.from_bytes(a.data[:count], "little") ^ int.from_bytes(b.data[:count], "little")
    if a.mask is not None or b.mask is not None:
        mine = a.mask[:count] if a.mask is not None else bytes(count)
        theirs = b.mask[:count] if b.mask is not None else bytes(count)
        flags |= int.from_bytes(mine, "little") ^ int.from_bytes(theirs, "little")
    marks = None
    if a.symbolic and b.symbolic:
        for position, _ in a.symbolic.items() - b.symbolic.items():
            if position < count and position in b.symbolic and a.byte(position) is not b.byte(position):
                marks = marks or bytearray(count)
                marks[position] = 1
    if a.origins or b.origins:
        for position, _ in dict(a.origins or {}).items() ^ dict(b.origins or {}).items():
            both_unwritten = position < count and a.mask is not None and a.mask[position] == UNINITIALISED
            if both_unwritten and b.mask is not None and b.mask[position] == UNINITIALISED:
                marks = marks or bytearray(count)
                marks[position] = 1
    if marks is not None:
        flags |= int.from_bytes(marks, "little")
    return [run.span() for run in _RUN.finditer(flags.to_bytes(count, "little"))] if flags else []


def pieces(a: MemoryObject, b: MemoryObject, runs: list[tuple[int, int]], count: int) -> Iterator[tuple[int, int]]:
    """The differing runs as pieces (start, end), each within one value on either side; every byte is initialised."""
    done = 0
    for start, end in runs:
        position = max(start, done)
        while position < end:
            first, last = cell(a, position)
            other_first, other_last = cell(b, position)
            first, last = max(first, other_first, done), min(last, other_last, count)
            yield first, last
            position = done = last


def cell(item: MemoryObject, position: int) -> tuple[int, int]:
    """The bytes (start, end) around ``position`` that belong to one value: a term, or a word of concrete bytes."""
    mask = item.mask
    if mask is None or mask[position] != SYMBOLIC:
        start, end = _word(item, position)
        if mask is not None:
            start = max([start, *[i + 1 for i in range(start, position) if mask[i] != CONCRETE]])
            end = min([end, *[i for i in range(position + 1, end) if mask[i] != CONCRETE]])
        return start, end
    assert item.symbolic is not None
    term, index = item.symbolic[position]
    get = item.symbolic.get
    start = position
    while index and get(start - 1) == (term, index - 1):
        start, index = start - 1, index - 1
    end = position + 1
    index = item.symbolic[position][1] + 1
    while get(end) == (term, index):
        end, index = end + 1, index + 1
    return start, end


def _word(item: MemoryObject, position: int) -> tuple[int, int]:
    size = len(item.data)
    if item.type is not None:
        whole = layout.size_of(item.type)
        if whole:
            base = position - position % whole
            scalar = scalar_at(item.type, position - base)
            if scalar is not None and base + scalar[1] <= size:
                return base + scalar[0], base + scalar[1]
    start = position & -WORD
    return start, min(start + WORD, size)


@cache
def scalar_at(kind: Type, offset: int) -> tuple[int, int] | None:
    """The bytes (start, end) of the scalar of a type at ``offset``; None in padding."""
    start = 0
    while True:
        match kind:
            case ArrayType(element=element) | VectorType(element=element):
                stride = layout.size_of(element)
                if stride == 0:
                    return None
                start += (offset - start) // stride * stride
                kind = element
            case StructType(elements=elements):
                before = [i for i in range(len(elements)) if layout.offset_of(kind, i) <= offset - start]
                index = before[-1] if before else None
                if index is None:
                    return None
                begin = layout.offset_of(kind, index)
                kind = elements[index]
                start += begin
                if offset - start >= layout.size_of(kind):
                    return None
            case _:
                size = layout.store_size(kind)
                return (start, start + size) if size > 0 and offset - start < size else None
