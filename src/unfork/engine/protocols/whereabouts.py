"""Where in the program's own source something happens, as data that crosses processes, and who says so."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from unfork.engine.state.state import State


class Spot(NamedTuple):
    """A line of the program's own source, seen through inlining and out of libraries; ``NOWHERE`` if none is known."""

    file: str | None
    line: int | None
    function: str | None


NOWHERE = Spot(None, None, None)


class Whereabouts(Protocol):
    """Says where a machine is. Law: asking changes nothing."""

    def running(self) -> Spot:
        """Where the instruction is that was run last by full semantics: whatever asks, forks or fails does."""

    def loop(self) -> Spot:
        """The innermost loop around that, in the function or in those that called it; ``NOWHERE`` if there is none."""

    def yielding(self, state: State) -> Spot:
        """Where ``state`` rests."""


class NoWhereabouts:
    """Nobody wants to know."""

    def running(self) -> Spot:
        return NOWHERE

    def loop(self) -> Spot:
        return NOWHERE

    def yielding(self, state: State) -> Spot:
        return NOWHERE


NO_WHEREABOUTS = NoWhereabouts()
