"""Who finds the waiting state that an arriving one is joined with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from unfork.contracts.frontier import Frontier
from unfork.contracts.order import Parents, Ticket
from unfork.state.state import State


@dataclass(frozen=True, slots=True)
class Union:
    """``sides`` became ``state``: the one that waited, and left the frontier with ``ticket``, and the one that came."""

    state: State
    sides: tuple[State, State]
    ticket: Ticket


class Joiner(Protocol):
    """Joins an arriving state with a waiting one.

    Law: where it joins, the waiting side has left the frontier and both sides are unchanged; nobody runs them any more.
    Where it does not (None), nothing has changed.
    """

    def join(self, state: State, parents: Parents, frontier: Frontier) -> Union | None: ...
