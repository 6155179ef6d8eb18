"""Lets states rest where they may meet, but only while there is another one to meet, and while it pays to meet."""

from __future__ import annotations

from collections.abc import Sized

from unfork.contracts.experience import Experience
from unfork.contracts.rest import Rest
from unfork.state.state import State


class RestToMeet:
    """States rest where they are ``meeting`` while others wait and ``experience`` has nothing against it.

    Else they rest as those do that are ``alone``.
    """

    def __init__(self, others: Sized, experience: Experience, meeting: Rest, alone: Rest) -> None:
        self._others = others
        self._experience = experience
        self._meeting = meeting
        self._alone = alone

    def rest(self, state: State) -> Rest:
        """``experience`` counts how often it is asked, so it is asked only if another state waits."""
        return self._meeting if len(self._others) and self._experience.is_worth_while() else self._alone
