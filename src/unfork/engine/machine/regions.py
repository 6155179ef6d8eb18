"""Compiled regions of a function: their code, where they end, and how large they grow (engine/machine/compile.py)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from unfork.engine.machine.hot_loops import HotLoops
from unfork.engine.state.state import Frame, State
from unfork.engine.step.operands import Registers
from unfork.engine.step.step import Step
from unfork.program.facts.merge_points import MergePoints

RegionCode = Callable[[Step, State, Frame, Registers, int], int]
"""Runs from the region's start on the top frame and its registers. Loops run ``budget`` instructions.

Yields a block to go on at, after its phis; WENT if the frame has its program point already; or LEFT - k for exit k.
"""
LEFT = -2


@dataclass(slots=True)
class CompiledRegion:
    """Compiled code. At each of its ``exits``, a (block, index), something else must go on.

    ``is_whole``: a larger region would reach no further. ``left`` of the last ``runs`` ended at an exit.
    """

    run: RegionCode
    exits: list[tuple[int, int]]
    is_whole: bool
    runs: int = 0
    left: int = 0


@dataclass(frozen=True, slots=True)
class Stops:
    """Where compiled code of a function ends, and that code.

    It ends at yield points and before ``blocks``, which include the loop heads that are checked for repetition.
    ``young`` regions may still grow. ``carrying`` regions begin where a plain one met a term.
    """

    points: MergePoints
    blocks: frozenset[int]
    hot: HotLoops
    regions: dict[tuple[int, int], CompiledRegion] = field(default_factory=dict)
    young: dict[tuple[int, int], CompiledRegion] = field(default_factory=dict)
    carrying: dict[tuple[int, int], CompiledRegion] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Extent:
    """How large a region grows: in instructions, and in blocks from its start.

    It repeats a block with several predecessors for each of them while it has at most ``repeated_size`` instructions.
    """

    instructions: int
    depth: int
    repeated_size: int


YOUNG = Extent(40, 4, 0)
"""For a plain region that has run little: most of a large one would be compiled in vain."""
GROWN = Extent(400, 24, 120)
CARRYING = Extent(50, 5, 20)
