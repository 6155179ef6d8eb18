"""Where two versions of one object differ: pages compare as bytes, and only differing pages are read byte by byte."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from unfork.engine.state.memory import UNINITIALISED, MemoryObject
from unfork.engine.state.origins import NO_ORIGINS

_PAGE = 1 << 12
"""Bytes compared at once: buffers have up to 128 KB, of which two paths that meet again mostly differ in a few."""
_RUN = re.compile(rb"[^\0]+")


def differing(a: MemoryObject, b: MemoryObject, count: int) -> list[tuple[int, int]]:
    """The runs (start, end) of differing bytes among the first ``count``, which both have."""
    flags: defaultdict[int, int] = defaultdict(int)
    """For each page with differences, by its start: a number whose bytes are not 0 where the page differs."""
    _compare(flags, a.data, b.data, count)
    if a.mask is not None or b.mask is not None:
        _compare(flags, a.mask or bytes(count), b.mask or bytes(count), count)
    for position in (*_other_terms(a, b, count), *_other_origins(a, b, count)):
        place = position % _PAGE
        flags[position - place] |= 1 << 8 * place
    runs: list[tuple[int, int]] = []
    for page, places in sorted(flags.items()):
        for run in _RUN.finditer(places.to_bytes(min(_PAGE, count - page), "little")):
            start = page + run.start()
            if runs and runs[-1][1] == start:
                start, _ = runs.pop()
            runs.append((start, page + run.end()))
    return runs


def _compare(flags: defaultdict[int, int], mine: bytes | bytearray, theirs: bytes | bytearray, count: int) -> None:
    """Flag the differing bytes of two rows."""
    if mine == theirs:
        return
    for page in range(0, count, _PAGE):
        end = min(page + _PAGE, count)
        first, second = mine[page:end], theirs[page:end]
        if first != second:
            flags[page] |= int.from_bytes(first, "little") ^ int.from_bytes(second, "little")


def _other_terms(a: MemoryObject, b: MemoryObject, count: int) -> Iterator[int]:
    """The bytes that are parts of different terms."""
    if not a.symbolic or not b.symbolic or a.symbolic == b.symbolic:
        return
    for position, piece in a.symbolic.items():
        other = b.symbolic.get(position)
        if position < count and other is not None and other != piece and a.byte(position) is not b.byte(position):
            yield position


def _other_origins(a: MemoryObject, b: MemoryObject, count: int) -> Iterator[int]:
    """The bytes that are unwritten in both, as copies of different unwritten bytes."""
    mine, theirs = a.origins or NO_ORIGINS, b.origins or NO_ORIGINS
    if mine == theirs or a.mask is None or b.mask is None:
        return
    for position in dict.fromkeys((*mine, *theirs)):
        is_unwritten = position < count and a.mask[position] == b.mask[position] == UNINITIALISED
        if is_unwritten and mine.get(position) != theirs.get(position):
            yield position
