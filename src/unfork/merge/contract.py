"""What a schedule of merging may ask: how two states become one, and whether that pays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from unfork.state.state import State


@dataclass(frozen=True, slots=True)
class Refused:
    """Two states that are not joined. ``reason`` is short and countable: "different stacks", "hot variable", ..."""

    reason: str


class Join(Protocol):
    """How two states become one.

    Law (SEL4 of Scheurer16): the joined state stands for at least the concrete states of both; an exact join, for
    exactly those. Its path condition is satisfiable.
    """

    def join(self, a: State, b: State) -> State | Refused:
        """The joined state, or why there is none. Both wait at one place of the program; neither is changed."""


class Similarity(Protocol):
    """Whether a join pays (the relation ~ of Kuznetsov12)."""

    def differs(self, a: State, b: State) -> str | None:
        """None where ``a`` and ``b`` are similar, else the reason, short and countable."""
