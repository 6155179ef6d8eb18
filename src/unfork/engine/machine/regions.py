"""Compiled regions of a function: their code, where they end, and how large they may grow
(engine/machine/compile.py).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from unfork.engine.machine.hot_loops import HotLoops
from unfork.engine.state.state import Frame, State
from unfork.engine.step.operands import Registers
from unfork.engine.step.step import Step
from unfork.program.facts.merge_points import MergePoints

RegionCode = Callable[[Step, State, Frame, Registers, int], int]
"""Run from the region's start on the top frame and its registers; loops go on for so many instructions.

It yields a block to go on at (after its phis); WENT where the state says where it is; or LEFT - k: the region's exit k.
"""
LEFT = -2


@dataclass(slots=True)
class CompiledRegion:
    """Compiled code with its exits, each a (block, index) where something else must go on.

    ``is_whole``: a larger one would not go further. ``left`` of its last ``runs`` ended at an exit.
    """

    run: RegionCode
    exits: list[tuple[int, int]]
    is_whole: bool
    runs: int = 0
    left: int = 0


@dataclass(frozen=True, slots=True)
class Stops:
    """Where states rest in a function, the blocks that its compiled code stops before, and that code.

    Code stops where states rest and where loops are checked for repetition. ``young`` are regions that may yet grow;
    ``carrying`` are those that carry terms, which begin where a plain one has met one. ``hot`` are its loops.
    """

    points: MergePoints
    blocks: frozenset[int]
    hot: HotLoops
    regions: dict[tuple[int, int], CompiledRegion] = field(default_factory=dict)
    young: dict[tuple[int, int], CompiledRegion] = field(default_factory=dict)
    carrying: dict[tuple[int, int], CompiledRegion] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Extent:
    """How large a region may grow: instructions, and blocks from its start.

    A block where paths meet is written once for each, as long as there are at most ``copied`` instructions.
    """

    instructions: int
    depth: int
    copied: int


YOUNG = Extent(40, 4, 0)
"""Of a plain region that has not run often: most of a large one would be compiled for nothing."""
GROWN = Extent(400, 24, 120)
CARRYING = Extent(50, 5, 20)
