"""The waiting states as the loop, joiners and stoppers see them, and the order in which they come."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol, TypeAlias

from unfork.engine.state.state import State

Ticket: TypeAlias = int
"""Identifies a waiting state for a frontier and its orders. No two states of a frontier ever share one."""
Parents: TypeAlias = tuple[Ticket, ...]
"""The tickets that a state comes from: none for a first state; the picked one for its successors; then those of the
waiting states that it was joined with.
"""


class Order(Protocol):
    """An order over waiting states, each identified by a ticket; it knows nothing of merging or pruning.

    Law: ``choose`` names a ticket that was added and not removed; the same calls give the same answers. A parent has
    been removed, and not before the latest choice: an order remembers no more of states that left. Only its parents
    say where a state comes from: the order in which the successors of one choice are added, and other removals in
    between, change nothing.
    """

    def add(self, ticket: Ticket, state: State, parents: Parents) -> None: ...

    def remove(self, ticket: Ticket) -> None: ...

    def choose(self) -> Ticket: ...


class Frontier(Protocol):
    """The waiting states.

    Law: an added state waits until it is picked, removed or dropped, and nothing changes it meanwhile.
    """

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[State]: ...

    def waiting(self) -> Mapping[Ticket, State]:
        """The states by their tickets, in order of arrival; not to be changed."""

    def add(self, state: State, parents: Parents) -> None: ...

    def pick(self) -> tuple[Ticket, State]:
        """The next state with its ticket, the parent of its successors."""

    def remove(self, state: State) -> Ticket:
        """Take out a waiting state: its ticket."""

    def drop(self, count: int) -> Iterator[State]:
        """Take out up to ``count`` states, one by one, to save memory; never the last."""
