"""Where the unread bytes of an object come from: one record for a range of them, however long.

What a record says of a byte is made when that byte is read, so that ranges cost nothing before.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from unfork.logic.terms.term import Value


class StoredBytes(Protocol):
    """Bytes as a MemoryObject has them."""

    data: bytearray
    mask: bytearray | None
    origins: ByteOrigins | None

    def byte(self, offset: int) -> Value:
        """One byte that is known."""

    def origin(self, offset: int) -> UnreadByte | None:
        """Where an unread byte comes from."""

    def is_concrete(self, offset: int, count: int) -> bool:
        """Whether a range is concrete."""

    def uninitialised_runs(self, offset: int, count: int) -> list[tuple[int, int]]:
        """The unread parts (start, length) of a range."""


@dataclass(frozen=True, slots=True)
class UnwrittenBytes:
    """The unwritten bytes of the object called ``name``: all copies of one agree."""

    name: str


@dataclass(frozen=True, slots=True)
class TextPart:
    """The characters of a text of the input from an offset (64 bits) on, as the text was made.

    ``end`` (64 bits) characters later there is a NUL instead; None: not so.
    """

    text: int
    offset: Value
    end: Value | None = None


@dataclass(frozen=True, slots=True)
class RepeatedByte:
    """The same byte (8 bits) at all places."""

    byte: Value


@dataclass(frozen=True, slots=True, eq=False)
class FormerBytes:
    """Bytes that a write may have changed, as they were; byte ``start`` comes first. Unread ones have origins."""

    start: int
    item: StoredBytes

    def at(self, place: int) -> Value | UnreadByte:
        """A byte: its value, or where it comes from."""
        known = self.item.origin(place - self.start)
        return self.item.byte(place - self.start) if known is None else known


@dataclass(frozen=True, slots=True)
class CopiedText:
    """The ``count`` bytes (64 bits) from ``start`` on are characters of a text from ``offset`` on.

    Others are as they were ``before``; None: there are no others. Byte ``end`` (64 bits) of them is a NUL instead.
    """

    text: int
    offset: int
    start: int
    count: Value
    before: FormerBytes | None
    end: Value | None = None


@dataclass(frozen=True, slots=True)
class UnknownWrite:
    """A write of ``size`` bytes from ``place`` on (64 bits each). A little-endian value has a known size."""

    place: Value
    size: Value
    written: Value | TextPart | RepeatedByte


@dataclass(frozen=True, slots=True)
class OverwrittenBytes:
    """Bytes that ``writes`` may have changed, the last one being the newest."""

    writes: tuple[UnknownWrite, ...]
    before: FormerBytes


OriginRecord = UnwrittenBytes | CopiedText | OverwrittenBytes


@dataclass(frozen=True, slots=True)
class UnreadByte:
    """Byte ``place`` of those that a record is about."""

    record: OriginRecord
    place: int


@dataclass(frozen=True, slots=True)
class OriginRange:
    """The bytes of an object from ``start`` to before ``end`` are those of a record at ``shift`` places less."""

    start: int
    end: int
    record: OriginRecord
    shift: int = 0

    def cut(self, start: int, end: int) -> OriginRange:
        return OriginRange(max(start, self.start), min(end, self.end), self.record, self.shift)

    def moved(self, distance: int) -> OriginRange:
        return OriginRange(self.start + distance, self.end + distance, self.record, self.shift + distance)

    def at(self, position: int) -> UnreadByte:
        return UnreadByte(self.record, position - self.shift)


@dataclass(frozen=True, slots=True)
class ByteOrigins:
    """The origins of an object's unread bytes: disjoint ranges in order. Bytes that were read have none."""

    ranges: tuple[OriginRange, ...]

    def __bool__(self) -> bool:
        return bool(self.ranges)

    def __iter__(self) -> Iterator[int]:
        """The positions of the bytes with an origin."""
        for each in self.ranges:
            yield from range(each.start, each.end)

    def range_at(self, position: int) -> OriginRange | None:
        index = bisect_right(self.ranges, position, key=_start) - 1
        return self.ranges[index] if index >= 0 and position < self.ranges[index].end else None

    def get(self, position: int) -> UnreadByte | None:
        found = self.range_at(position)
        return None if found is None else found.at(position)

    def within(self, start: int, end: int) -> tuple[OriginRange, ...]:
        """The ranges, and parts of them, that lie between two positions."""
        return tuple([each.cut(start, end) for each in self.ranges if each.start < end and start < each.end])

    def without(self, start: int, end: int) -> ByteOrigins:
        """The same without the bytes between two positions, which were written or read."""
        if not any(each.start < end and start < each.end for each in self.ranges):
            return self
        return ByteOrigins((*self.within(0, start), *self.within(end, self.ranges[-1].end)))

    def having(self, more: tuple[OriginRange, ...]) -> ByteOrigins:
        """The same with more ranges, which meet none of these."""
        added = [each for each in more if each.start < each.end]
        return ByteOrigins(tuple(sorted((*self.ranges, *added), key=_start)))

    def gaps(self, start: int, end: int) -> list[tuple[int, int]]:
        """The stretches (start, end) between two positions whose bytes have no origin."""
        edges = [start, *[edge for each in self.within(start, end) for edge in (each.start, each.end)], end]
        return [(low, high) for low, high in zip(edges[::2], edges[1::2], strict=True) if low < high]


def _start(each: OriginRange) -> int:
    return each.start


NO_ORIGINS = ByteOrigins(())
