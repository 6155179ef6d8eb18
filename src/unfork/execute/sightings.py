"""What a run has seen of the program looking at addresses: it limits covers that match objects under other names."""

from __future__ import annotations

from unfork.llvm.types import Position


class Sightings:
    """The first look at an address as a number, if there was one. ``watches``: whether the machine is to notice any."""

    __slots__ = ("first", "watches")

    def __init__(self, *, watches: bool) -> None:
        self.watches = watches
        self.first: str | None = None

    def saw(self, look: str, position: Position | None) -> None:
        """The program looks at an address at a position, as ``look`` describes."""
        if self.first is None:
            self.first = look if position is None else f"{look} at {position.file}:{position.line}"
