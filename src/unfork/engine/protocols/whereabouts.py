"""Where in the program's own source something happens, as data that crosses processes."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from unfork.engine.state.state import State


class SourceSpot(NamedTuple):
    """A line of the program's own source, seen through inlining and out of libraries; ``NOWHERE`` if unknown."""

    file: str | None
    line: int | None
    function: str | None


NOWHERE = SourceSpot(None, None, None)


class Whereabouts(Protocol):
    """Says where a machine is, and changes nothing."""

    def running(self) -> SourceSpot:
        """The instruction that full semantics ran last: the one that queries, forks or fails."""

    def loop(self) -> SourceSpot:
        """The innermost loop around it, in the function or its callers; ``NOWHERE`` if there is none."""

    def yielding(self, state: State) -> SourceSpot:
        """Where ``state`` rests."""


class NoWhereabouts:
    """Null object."""

    def running(self) -> SourceSpot:
        return NOWHERE

    def loop(self) -> SourceSpot:
        return NOWHERE

    def yielding(self, state: State) -> SourceSpot:
        return NOWHERE


NO_WHEREABOUTS = NoWhereabouts()
