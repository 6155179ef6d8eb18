"""What an audit has come to, as the summary tells it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from unfork.audit.prove import Ending
from unfork.llvm.types import Position

SHOWN = 20
"""Failures that are listed; the rest are counted."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A value for which an obligation fails, and the place of the join or of the state that was not explored."""

    what: str
    place: Position | None

    def as_dict(self) -> dict[str, Any]:
        """The failure in summary.json."""
        place = self.place
        return {
            "file": place.file if place is not None else None,
            "line": place.line if place is not None else None,
            "function": place.function if place is not None else None,
            "what": self.what,
        }


@dataclass(slots=True)
class AuditCounts:
    """``solver`` proved; ``left_out`` obligations were not drawn."""

    solver: str
    joins: int = 0
    pruned: int = 0
    explored_again: int = 0
    """How many of the pruned states."""
    joined_again: int = 0
    """How many of the states that were joined, each alone."""
    freest: int = 0
    """How many interpolants were tried on the freest states that meet them."""
    proved: int = 0
    failed: int = 0
    unknown: int = 0
    left_out: int = 0
    queries: int = 0
    failures: list[Failure] = field(default_factory=list)

    def count(self, ending: Ending) -> None:
        """One obligation more."""
        match ending:
            case Ending.PROVED:
                self.proved += 1
            case Ending.FAILED:
                self.failed += 1
            case Ending.UNKNOWN:
                self.unknown += 1

    def fail(self, what: str, place: Position | None) -> None:
        """Remember a failure."""
        if len(self.failures) < SHOWN:
            self.failures.append(Failure(what, place))

    def as_dict(self) -> dict[str, Any]:
        """The block of summary.json."""
        return {
            "solver": self.solver,
            "joins": self.joins,
            "pruned": self.pruned,
            "explored_again": self.explored_again,
            "joined_again": self.joined_again,
            "freest": self.freest,
            "proved": self.proved,
            "failed": self.failed,
            "unknown": self.unknown,
            "left_out": self.left_out,
            "queries": self.queries,
            "failures": [failure.as_dict() for failure in self.failures],
        }
