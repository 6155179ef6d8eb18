"""Lets states rest where they may be covered, but only once they have forked since: a lone path runs at full speed."""

from __future__ import annotations

from collections.abc import Sized

from unfork.contracts.rest import Rest
from unfork.execute.machine import QUANTUM
from unfork.state.state import State


def is_due(state: State) -> bool:
    """Whether the state has moved, and forked or come far, since it was last asked whether another one covers it."""
    instructions, _ = state.looked
    return state.instructions > instructions and _has_changed(state)


def _has_changed(state: State) -> bool:
    """Whether it has forked or come far since then."""
    instructions, forks = state.looked
    return state.forks > forks or state.instructions - instructions >= QUANTUM


class RestWhenDue:
    """States rest at places of ``looking`` while they are due, while others wait in ``others``, or ``always``.

    Else they rest as those do that are ``alone``.
    """

    __slots__ = ("_alone", "_always", "_looking", "_others")

    def __init__(self, others: Sized, looking: Rest, alone: Rest, *, always: bool) -> None:
        self._others = others
        self._looking = looking
        self._alone = alone
        self._always = always

    def rest(self, state: State) -> Rest:
        """By what the state has done since it was last looked at."""
        return self._looking if self._always or _has_changed(state) or len(self._others) else self._alone
