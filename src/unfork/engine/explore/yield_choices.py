"""Where the states of one exploration may rest."""

from __future__ import annotations

from dataclasses import dataclass

from unfork.engine.protocols.stepper import YieldPoints
from unfork.program.facts.merge_points import MergePointsOf


@dataclass(frozen=True, slots=True)
class YieldChoices:
    """Where states rest, by what may happen to them there.

    ``alone``: while no other state is near. ``meeting``: while others may join or cover them. ``joined`` are the
    points where states are joined, ``covered`` those where a pruner compares them.
    """

    alone: YieldPoints
    meeting: YieldPoints
    joined: MergePointsOf
    covered: MergePointsOf
