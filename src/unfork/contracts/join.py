"""How two states become one."""

from __future__ import annotations

from typing import Protocol

from unfork.contracts.refusal import Refusal
from unfork.state.state import State


class Join(Protocol):
    """How two states become one.

    Law (SEL4 of Scheurer16): the joined state stands for at least the concrete states of both; an exact join, for
    exactly those. Its path condition is satisfiable.
    """

    def join(self, a: State, b: State) -> State | Refusal:
        """The joined state, or why there is none. Both wait at one place of the program; neither is changed."""
