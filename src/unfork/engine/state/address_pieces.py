"""Remembers which bytes of an object were copied from the number of an address, and which of its bytes they are.

A plain write does not change these records. So a record has the bytes as well, and counts while the object has them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from unfork.logic.terms.term import Term

ByteContent = int | tuple[Term, int]
"""A concrete byte, or a term and the number of the byte within it."""
LAYOUT_BYTES = 6
"""The lower bytes of an address depend on where its object lies. The two above are 0."""

MOST_PIECES = 16
"""The most records of one object. The oldest are forgotten."""


@dataclass(frozen=True, slots=True)
class AddressPiece:
    """Bytes of an address from its byte number ``first`` on, which lie from ``offset`` on."""

    offset: int
    first: int
    contents: tuple[ByteContent, ...]

    @property
    def end(self) -> int:
        return self.offset + len(self.contents)

    def part(self, start: int, end: int, distance: int) -> AddressPiece:
        """What lies between two offsets, moved by ``distance``."""
        low, high = max(start, self.offset), min(end, self.end)
        contents = self.contents[low - self.offset : high - self.offset]
        return AddressPiece(low + distance, self.first + low - self.offset, contents)


AddressPieces = tuple[AddressPiece, ...]


class RecordedBytes(Protocol):
    """The bytes of an object, as engine/state/memory.py has them, and these records."""

    data: bytearray
    symbolic: dict[int, tuple[Term, int]] | None
    pieces: AddressPieces


def piece_of_word(item: RecordedBytes, word: int) -> AddressPiece:
    """The record that a word has become the number of an address."""
    return AddressPiece(word, 0, tuple([_content(item, word + i) for i in range(LAYOUT_BYTES)]))


def pieces_in(item: RecordedBytes, offset: int, count: int) -> AddressPieces:
    """The records of a range, as far as the bytes are still there. Zeros alone may be any zeros."""
    end = offset + count
    near = [each for each in item.pieces if each.offset < end and offset < each.end]
    return tuple([each for each in near if any(each.contents) and _is_there(item, each)])


def bytes_in(item: RecordedBytes, offset: int, count: int) -> dict[int, int]:
    """Which bytes of a range, counted from its start, are bytes of an address, and which ones."""
    found = {}
    for each in pieces_in(item, offset, count):
        for at in range(max(offset, each.offset), min(offset + count, each.end)):
            found[at - offset] = each.first + at - each.offset
    return found


def adding(item: RecordedBytes, new: AddressPieces) -> AddressPieces:
    """The records of an object after these were added. What continues a record extends it."""
    pieces = item.pieces
    for piece in new:
        kept = []
        for each in pieces:
            joined = _joined(each, piece) or _joined(piece, each)
            if joined is not None and _is_there(item, each):
                piece = joined
            elif not (each.offset < piece.end and piece.offset < each.end):
                kept.append(each)
        pieces = (*kept[1 - MOST_PIECES :], piece)
    return pieces


def _joined(low: AddressPiece, high: AddressPiece) -> AddressPiece | None:
    if low.end != high.offset or low.first + len(low.contents) != high.first:
        return None
    return AddressPiece(low.offset, low.first, low.contents + high.contents)


def copied(source: RecordedBytes, start: int, count: int, target: int) -> AddressPieces:
    """The records that a copy of a range takes along."""
    return tuple([each.part(start, start + count, target - start) for each in pieces_in(source, start, count)])


def _is_there(item: RecordedBytes, piece: AddressPiece) -> bool:
    if piece.end > len(item.data):
        return False
    return all(_content(item, at) == content for at, content in enumerate(piece.contents, piece.offset))


def _content(item: RecordedBytes, offset: int) -> ByteContent:
    entry = item.symbolic.get(offset) if item.symbolic else None
    return item.data[offset] if entry is None else entry
