"""A compiled region, as the machine runs it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from unfork.execute.operands import Registers
from unfork.execute.step import Step
from unfork.facts.merge_points import MergePoints
from unfork.state.state import Frame, State

RegionCode = Callable[[Step, State, Frame, Registers, int], int]
"""Run from the region's start on the top frame and its registers; loops go on for so many instructions.

It yields a block to go on at (after its phis); WENT where the state says where it is; or LEFT - k: the region's exit k.
"""
WENT = -1
LEFT = -2


@dataclass(slots=True)
class Region:
    """Compiled code with its exits, each a (block, index) where something else must go on.

    ``is_whole``: a larger one would not go further.
    """

    run: RegionCode
    exits: list[tuple[int, int]]
    is_whole: bool


@dataclass(frozen=True, slots=True)
class Stops:
    """Where states rest in a function, the blocks that its compiled code stops before, and that code.

    Code stops where states rest and where loops are checked for repetition. ``young`` are regions that may yet grow;
    ``carrying`` are those that carry terms, which begin where a plain one has met one.
    """

    places: MergePoints
    blocks: frozenset[int]
    regions: dict[tuple[int, int], Region] = field(default_factory=dict)
    young: dict[tuple[int, int], Region] = field(default_factory=dict)
    carrying: dict[tuple[int, int], Region] = field(default_factory=dict)
