"""What a schedule knows of an arriving state, and of its parent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from unfork.contracts.order import Parents, Ticket
from unfork.state.state import State

Known = TypeVar("Known")


class Arrivals(Generic[Known]):
    """Looks at each arriving state once, though it is asked twice: when the state may be joined, and when it waits.

    ``look`` says what is known of a state, given what was known of its parent (None for a first state).
    """

    def __init__(self, look: Callable[[State, Known | None], Known]) -> None:
        self._look = look
        self._state: State | None = None
        self._known: Known | None = None
        self._sent: dict[Ticket, Known] = {}

    @property
    def latest(self) -> Parents:
        """The ticket of the state that set out last; none before the first."""
        return tuple(self._sent)

    def parent(self, parents: Parents) -> Known | None:
        """What is known of the first of ``parents``; None for a first state."""
        return self._sent[parents[0]] if parents else None

    def of(self, state: State, parents: Parents) -> Known:
        """What is known of an arriving state."""
        known = self._known if self._state is state else None
        if known is None:
            known = self._look(state, self.parent(parents))
            self.becomes(state, known)
        return known

    def becomes(self, state: State, known: Known) -> None:
        """The arriving state was joined: now it is ``state``."""
        self._state, self._known = state, known

    def waits(self, state: State, parents: Parents) -> Known:
        """What is known of an arriving state, asked for the last time: it waits from now on."""
        known = self.of(state, parents)
        self._state = self._known = None
        return known

    def sets_out(self, ticket: Ticket, known: Known) -> None:
        """A waiting state was picked; its successors inherit ``known``."""
        self._sent = {ticket: known}
