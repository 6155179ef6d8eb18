"""The states that wait, as the loop, joiners and stoppers see them, and in which order they come."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol, TypeAlias

from unfork.engine.state.state import State

Ticket: TypeAlias = int
"""By which a frontier and its orders know a waiting state. No two states of a frontier ever have the same one."""
Parents: TypeAlias = tuple[Ticket, ...]
"""Which tickets a state comes from: none for one that an exploration begins with, the one that was picked for what it
came to, and after it those of the waiting states that it was joined with."""


class Order(Protocol):
    """An order over waiting states, each known by a ticket; knows nothing of merging or pruning.

    Law: ``choose`` names a ticket that was added and not removed, and with the same calls it gives the same answers.
    A parent has been removed, and not before the latest choice: so much an order remembers of who waits no more. What a
    state comes from is said by its parents alone: in which order the successors of one choice are added, and which
    other states are removed in between, changes nothing of that.
    """

    def add(self, ticket: Ticket, state: State, parents: Parents) -> None: ...

    def remove(self, ticket: Ticket) -> None: ...

    def choose(self) -> Ticket: ...


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
