"""What the path knows of a range of bytes that were copied from a text, found by halving rather than byte by byte."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass

from unfork.engine.state.origins import CopiedText, OriginRange
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value

LEAST_BYTES = 8
"""Fewer bytes are asked about one by one."""


@dataclass(frozen=True, slots=True)
class _KnownPlaces:
    """Of a condition that holds up to some place and nowhere behind it: the path implies it before ``implied``, and
    excludes it from ``excluded`` on.
    """

    implied: int
    excluded: int

    @classmethod
    def of(cls, step: Step, holds: Callable[[int], Value], places: range) -> _KnownPlaces:
        """What the path knows at ``places``."""

        def is_denied(place: int) -> bool:
            return not _is_implied(step, holds(place))

        def is_excluded(place: int) -> bool:
            return _is_implied(step, build.negate(holds(place)))

        implied = places.start + bisect_left(places, True, key=is_denied)
        rest = range(implied, places.stop)
        return cls(implied, rest.start + bisect_left(rest, True, key=is_excluded))

    def at(self, place: int, otherwise: Value) -> Value:
        """The condition at a place, as a constant where that is known."""
        return 1 if place < self.implied else 0 if place >= self.excluded else otherwise


@dataclass(frozen=True, slots=True)
class CopiedExtent:
    """The places of a range at which a record's characters are, and at which its NUL may be."""

    record: CopiedText
    _meant: _KnownPlaces
    _before_end: _KnownPlaces | None

    @classmethod
    def of(cls, step: Step, part: OriginRange) -> CopiedExtent | None:
        """The extent of a range; None for one that is short, of another record, or in front of the characters."""
        record, places = part.record, range(part.start - part.shift, part.end - part.shift)
        if not isinstance(record, CopiedText) or len(places) < LEAST_BYTES or places.start < record.start:
            return None

        def distance(place: int) -> int:
            return place - record.start

        meant = _KnownPlaces.of(step, lambda place: build.ult(distance(place), record.count, 64), places)
        end = record.end
        if end is None:
            return cls(record, meant, None)
        return cls(record, meant, _KnownPlaces.of(step, lambda place: build.ult(distance(place), end, 64), places))

    def is_meant(self, place: int, otherwise: Value) -> Value:
        """Whether a byte is a character (1 bit)."""
        return self._meant.at(place, otherwise)

    def may_end(self, place: int) -> bool:
        """Whether the NUL may be at a place."""
        known = self._before_end
        return known is not None and known.implied <= place <= known.excluded


def _is_implied(step: Step, condition: Value) -> bool:
    return step.chain.must(step.state.path, condition) if isinstance(condition, Term) else condition != 0
