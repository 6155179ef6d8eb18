"""Who is told what happens."""

from __future__ import annotations

from typing import Protocol

from unfork.contracts.events import Event


class Observer(Protocol):
    """Is told of every event, in order.

    Law: it never changes a state that still runs, so that a run takes the same course, observed or not.
    """

    def tell(self, event: Event) -> None: ...
