"""Which states are worth joining: the relation ~ of Kuznetsov12."""

from __future__ import annotations

from typing import Protocol

from unfork.contracts.refusal import Refusal
from unfork.state.state import State


class Similarity(Protocol):
    """A similarity whose outcome can be guessed from hashes (Kuznetsov12, section 4.3).

    Law: symmetric, and of the same two states always the same. A signature is
    a guess: similar states may have different ones, and different states the same one.
    """

    def differs(self, a: State, b: State) -> Refusal | None:
        """None where ``a`` and ``b``, which wait at one place, are similar; else why not."""

    def signature(self, state: State) -> int:
        """Equal for states at one place that are likely to be similar."""
