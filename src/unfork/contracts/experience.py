"""What a run has shown about where joining pays."""

from __future__ import annotations

from typing import Protocol, TypeAlias

from unfork.logic.path import PathCondition
from unfork.program.module import Function

Spot: TypeAlias = tuple[Function, int, int]
"""A place in its function, whoever called that: block and index."""
Past: TypeAlias = tuple[tuple[Spot, PathCondition], ...]
"""The last places that a state rested at, newest last, and what it knew there."""


class Experience(Protocol):
    """Learns from the run where joining does not pay.

    Law: it decides about cost alone; whatever it answers, no behaviour is lost and none is added.
    """

    def sets_out(self, past: Past) -> None:
        """A state with ``past`` goes on: what is asked from now on is asked by it."""

    def look(self) -> None:
        """It has come to rest: what was asked counts."""

    def pays(self, spot: Spot) -> bool:
        """Whether joins at a place have paid so far."""

    def is_worth_while(self) -> bool:
        """Whether states should rest at places in the next step; asked once for each."""
