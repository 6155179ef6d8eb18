"""What is still to be covered: the distance of states from it, and the work spent on it in vain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Protocol

from unfork.engine.explore.distance import BlockId, CallStack, Distances, branch_targets
from unfork.engine.state.state import State
from unfork.program.llvm.module import Function


class CoveredEdges(Protocol):
    """The covered branch edges; both sequences grow."""

    @property
    def covered(self) -> bytearray: ...

    @property
    def edges(self) -> list[tuple[str, int, int]]: ...


class CoverageNews:
    """Tells in which functions coverage is new."""

    def __init__(self, coverage: CoveredEdges) -> None:
        self._coverage = coverage
        self._seen = bytearray()
        """The coverage at the last look."""

    def look(self) -> set[str] | None:
        """The functions with edges covered since the last look; None if coverage is what it was."""
        covered = self._coverage.covered
        if covered == self._seen:
            return None
        before = self._seen.ljust(len(covered), b"\0")
        self._seen = covered.copy()
        edges = zip(self._coverage.edges, covered, before, strict=True)
        return {function for (function, _, _), now, then in edges if now > then}


class Goals:
    """The blocks with an uncovered branch edge, and calls of functions that have not run.

    A goal's distance is the instructions to it, plus the work of states that were nearest to it and covered nothing:
    goals that many missed, such as an option that cannot be set, move to the end, and in the end all goals get the
    same. A newly covered edge in a goal's function clears the work spent in vain.
    """

    def __init__(self, distances: Distances, coverage: CoveredEdges) -> None:
        self._distances = distances
        self._coverage = coverage
        self._wanted: dict[BlockId, int] = {}
        """The goals, with the vain work that distances include."""
        self._vain: Counter[BlockId] = Counter()
        self._news = CoverageNews(coverage)
        self._is_outdated = True

    def block(self, state: State) -> BlockId:
        """The state's block in the innermost function of the program's own; ("", 0) if there is none."""
        return self._distances.block(state)

    def stack(self, state: State) -> CallStack:
        """Where the state is, for ``nearest``."""
        return self._distances.stack(state)

    def nearest(self, stack: CallStack) -> tuple[int, BlockId | None]:
        """The distance of states with this stack to their nearest goal, and that goal; None in a new function."""
        if not self._distances.knows(stack):
            self._is_outdated = True
            return 0, None
        return self._distances.nearest(stack)

    def charge(self, goal: BlockId, cost: int) -> None:
        """A state nearest to ``goal`` did ``cost`` work and covered nothing."""
        self._vain[goal] += cost
        if self._vain[goal] > 2 * self._wanted.get(goal, 0):
            self._is_outdated = True

    def refresh(self) -> bool:
        """Gather the goals again if coverage or vain work changed; whether distances changed."""
        news = self._news.look()
        if news is None and not self._is_outdated:
            return False
        if news:
            self._vain = Counter({goal: cost for goal, cost in self._vain.items() if goal[0] not in news})
        self._distances.look_again()
        blocks = [*uncovered_blocks(self._distances.functions(), self._coverage), *self._distances.leading_out()]
        self._wanted = {block: self._vain[block] for block in blocks}
        self._is_outdated = False
        self._distances.want(self._wanted)
        return True


def uncovered_blocks(functions: Iterable[Function], coverage: CoveredEdges) -> list[BlockId]:
    """The blocks with an uncovered branch edge."""
    done: Counter[BlockId] = Counter()
    for (name, block, _), covered in zip(coverage.edges, coverage.covered, strict=True):
        done[(name, block)] += covered
    return [
        (function.name, block.index)
        for function in functions
        for block in function.blocks
        if done[(function.name, block.index)] < len(branch_targets(block))
    ]
