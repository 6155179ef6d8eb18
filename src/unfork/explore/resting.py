"""The plain policy: all states rest at the same places."""

from __future__ import annotations

from unfork.contracts.rest import Rest
from unfork.state.state import State


class RestAt:
    """Always the same rest."""

    def __init__(self, rest: Rest) -> None:
        self._rest = rest

    def rest(self, state: State) -> Rest:
        """The same for all."""
        return self._rest
