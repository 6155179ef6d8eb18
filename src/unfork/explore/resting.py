"""Where states rest that are not to be covered: always at the same places, or where they may meet."""

from __future__ import annotations

from collections.abc import Sized

from unfork.contracts.rest import Rest
from unfork.state.state import State


class RestAt:
    """Always the same rest."""

    def __init__(self, rest: Rest) -> None:
        self._rest = rest

    def rest(self, state: State) -> Rest:
        """The same for all."""
        return self._rest


class RestToMeet:
    """States rest where they may be ``meeting`` while others wait; else as those do that are ``alone``."""

    def __init__(self, others: Sized, meeting: Rest, alone: Rest) -> None:
        self._others = others
        self._meeting = meeting
        self._alone = alone

    def rest(self, state: State) -> Rest:
        """By whether there is another one to meet."""
        return self._meeting if len(self._others) else self._alone
