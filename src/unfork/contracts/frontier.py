"""The states that wait, as the loop, joiners and stoppers see them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from unfork.contracts.order import Parents, Ticket
from unfork.state.state import State


class Frontier(Protocol):
    """The waiting states.

    Law: a state that was added waits until it is picked, removed or dropped, and nobody changes it while it waits.
    """

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[State]: ...

    def waiting(self) -> Mapping[Ticket, State]:
        """The states by the tickets that they wait with, in the order in which they came; not to be changed."""

    def add(self, state: State, parents: Parents) -> None:
        """``state`` waits from now on."""

    def pick(self) -> tuple[Ticket, State]:
        """The next state, handed out for good, with the ticket that its successors come from."""

    def remove(self, state: State) -> Ticket:
        """Take out a state that waits: the ticket that it had."""

    def drop(self, count: int) -> Iterator[State]:
        """Take out up to ``count`` states, one by one, to save memory; never the last."""
