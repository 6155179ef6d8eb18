"""What is still to be covered: how far states are from it, and what has been spent on it in vain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Protocol

from unfork.engine.explore.distance import BlockId, Distances, branch_targets
from unfork.engine.state.state import State
from unfork.program.llvm.module import Function


class CoveredEdges(Protocol):
    """Which branch edges have been covered; both sequences grow."""

    @property
    def covered(self) -> bytearray: ...

    @property
    def edges(self) -> list[tuple[str, int, int]]: ...


class Goals:
    """The blocks with a branch edge that is not covered, and calls of functions that have not run.

    A goal is as far away as the instructions to it, and as the work of those states that were nearest to it and
    covered nothing: what many have headed for and missed, such as an option that cannot be set, moves behind all else,
    and in the end all goals get the same. News in a goal's function, an edge that is covered there for the first time,
    makes up for what was spent in vain.
    """

    def __init__(self, distances: Distances, coverage: CoveredEdges) -> None:
        self._distances = distances
        self._coverage = coverage
        self._wanted: dict[BlockId, int] = {}
        """The goals, with what of the work spent on each in vain distances take into account."""
        self._vain: Counter[BlockId] = Counter()
        self._seen = bytearray()
        """What was covered when the goals were gathered."""
        self._is_outdated = True

    def block(self, state: State) -> BlockId:
        """The block in which ``state`` is in the innermost function of the program's own; ("", 0) if there is none."""
        return self._distances.block(state)

    def nearest(self, state: State) -> tuple[int, BlockId | None]:
        """How far ``state`` is from the goal that is nearest to it, which is None where a new function runs already."""
        if not self._distances.knows(state):
            self._is_outdated = True
            return 0, None
        return self._distances.nearest(state)

    def charge(self, goal: BlockId, cost: int) -> None:
        """A state that was nearest to ``goal`` has done so much and covered nothing."""
        self._vain[goal] += cost
        if self._vain[goal] > 2 * self._wanted.get(goal, 0):
            self._is_outdated = True

    def refresh(self) -> bool:
        """Gather the goals again, if anything was covered or spent in vain since; whether distances have changed."""
        covered = self._coverage.covered
        if covered == self._seen and not self._is_outdated:
            return False
        if covered != self._seen:
            self._forgive()
            self._seen = covered.copy()
        self._distances.look_again()
        blocks = [*uncovered_blocks(self._distances.functions(), self._coverage), *self._distances.leading_out()]
        self._wanted = {block: self._vain[block] for block in blocks}
        self._is_outdated = False
        self._distances.want(self._wanted)
        return True

    def _forgive(self) -> None:
        """What was spent on goals in functions with news was not in vain."""
        before = self._seen.ljust(len(self._coverage.covered), b"\0")
        edges = zip(self._coverage.edges, self._coverage.covered, before, strict=True)
        news = {function for (function, _, _), now, then in edges if now > then}
        self._vain = Counter({goal: cost for goal, cost in self._vain.items() if goal[0] not in news})


def uncovered_blocks(functions: Iterable[Function], coverage: CoveredEdges) -> list[BlockId]:
    """The blocks that have a branch edge which is not covered."""
    done: Counter[BlockId] = Counter()
    for (name, block, _), covered in zip(coverage.edges, coverage.covered, strict=True):
        done[(name, block)] += covered
    return [
        (function.name, block.index)
        for function in functions
        for block in function.blocks
        if done[(function.name, block.index)] < len(branch_targets(block))
    ]
