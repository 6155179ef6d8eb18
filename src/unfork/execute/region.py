"""A compiled region, as the machine runs it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from unfork.state.state import RegisterValue, State

RegionCode = Callable[[State, list[RegisterValue], int], int]
"""Run from the region's start; yields a block to go on at (after its phis), or -1 - k for the region's exit k."""


@dataclass(slots=True)
class Region:
    """Compiled code with its exits to full semantics: (block, index) each."""

    run: RegionCode
    exits: list[tuple[int, int]]
