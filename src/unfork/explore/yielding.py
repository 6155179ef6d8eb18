"""Where states rest that are not to be covered: always at the same places, or where they may meet."""

from __future__ import annotations

from collections.abc import Sized

from unfork.contracts.stepper import YieldPoints
from unfork.state.state import State


class YieldAt:
    """Always the same rest."""

    def __init__(self, yield_points: YieldPoints) -> None:
        self._rest = yield_points

    def yield_points(self, state: State) -> YieldPoints:
        """The same for all."""
        return self._rest


class YieldToMerge:
    """States rest where they may be ``meeting`` while others wait; else as those do that are ``alone``."""

    def __init__(self, others: Sized, meeting: YieldPoints, alone: YieldPoints) -> None:
        self._others = others
        self._meeting = meeting
        self._alone = alone

    def yield_points(self, state: State) -> YieldPoints:
        """By whether there is another one to meet."""
        return self._meeting if len(self._others) else self._alone
