"""Where in the program's own source something happens, as data that crosses processes, and who says so."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from unfork.engine.state.state import State


class SourceSpot(NamedTuple):
    """A line of the program's own source, seen through inlining and out of libraries; ``NOWHERE`` if none is known."""

    file: str | None
    line: int | None
    function: str | None


NOWHERE = SourceSpot(None, None, None)


class Whereabouts(Protocol):
    """Says where a machine is. Law: asking changes nothing."""

    def running(self) -> SourceSpot:
        """Where the instruction is that was run last by full semantics: whatever asks, forks or fails does."""

    def loop(self) -> SourceSpot:
        """The innermost loop around that, in the function or in those that called it; ``NOWHERE`` if there is none."""

    def yielding(self, state: State) -> SourceSpot:
        """Where ``state`` rests."""


class NoWhereabouts:
    """Nobody wants to know."""

    def running(self) -> SourceSpot:
        return NOWHERE

    def loop(self) -> SourceSpot:
        return NOWHERE

    def yielding(self, state: State) -> SourceSpot:
        return NOWHERE


NO_WHEREABOUTS = NoWhereabouts()
