"""Where states rest to be joined: as the run goes on, only where joins happen."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from unfork.engine.protocols.stepper import YieldPoints
from unfork.program.facts.merge_points import MergePoints
from unfork.program.llvm.module import Function
from unfork.reduce.merge.join_worth import JoinPlace

_FIRST_LOOK = 500
"""Rests before the first look at places. Each look comes after twice as many: new places mean new machine code."""
_EVIDENCE = 32
"""Rests at a place before it can be dropped."""
_LEAST_SHARE = 1 / 16
"""Of the states that rest at a place, the share that must be joined there. Chosen on cat and nl of coreutils, where the
places below it have a third of all rests and a fourteenth of all joins.
"""


class RestingPlaces:
    """The places of ``points`` without those where states keep resting and are hardly ever joined.

    A rest costs a turn of the frontier, and ends the machine code that could run on.
    """

    def __init__(self, points: YieldPoints) -> None:
        self._all = points
        self.points = points
        self._rests: Counter[JoinPlace] = Counter()
        self._joins: Counter[JoinPlace] = Counter()
        self._dropped: set[JoinPlace] = set()
        self._seen, self._next_look = 0, _FIRST_LOOK

    def note(self, place: JoinPlace, *, is_joined: bool) -> None:
        """A state rests at a place, or would have, and is joined or not."""
        self._rests[place] += 1
        self._joins[place] += is_joined
        self._seen += 1
        if self._seen >= self._next_look:
            self._next_look *= 2
            self._look()

    def _look(self) -> None:
        useless = {
            place
            for place, rests in self._rests.items()
            if rests >= _EVIDENCE and self._joins[place] < _LEAST_SHARE * rests
        }
        if useless != self._dropped:
            self._dropped = useless
            self.points = YieldPoints(self._useful)

    def _useful(self, function: Function) -> MergePoints:
        places = self._all.places(function)
        dropped = {place[1:] for place in self._dropped if place is not None and place[0] is function}
        if not dropped:
            return places
        blocks = places.blocks - {block for block, index in dropped if index == 0}
        return replace(places, blocks=blocks, inside=places.inside - dropped)
