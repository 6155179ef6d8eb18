"""Lets states rest where they may meet, but only while there is another one to meet."""

from __future__ import annotations

from collections.abc import Sized

from unfork.contracts.rest import Rest
from unfork.state.state import State


class RestToMeet:
    """States rest where they are ``meeting`` while others wait, else as those do that are ``alone``."""

    def __init__(self, others: Sized, meeting: Rest, alone: Rest) -> None:
        self._others = others
        self._meeting = meeting
        self._alone = alone

    def rest(self, state: State) -> Rest:
        """Whether any other waits."""
        return self._meeting if len(self._others) else self._alone
