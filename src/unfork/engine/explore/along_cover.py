"""The order by path covers: few paths that pass everything uncovered, followed one by one (Yao25)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from unfork.engine.explore.distance import FAR, BlockId, CallStack, Distances, branch_targets
from unfork.engine.explore.goals import CoverageNews, CoveredEdges
from unfork.engine.explore.guided import SumTree, is_due, work_done
from unfork.engine.protocols.frontier import Parents, Ticket
from unfork.engine.state.state import State
from unfork.logic.solve.solver import Effort
from unfork.program.facts.cfg import targets
from unfork.program.facts.path_cover import Stops, path_cover
from unfork.program.llvm.module import Function

_MISSES = 4
"""A stop that so many attempts in a row missed counts as infeasible until its function gets new coverage.
Set, as is ``_STEPS``, before any program was measured.
"""
_STEPS = 16
"""An attempt that covers nothing in so many picks misses."""

Place = tuple[int, int]
"""A node of a function's graph: a branch edge, by block and successor number, or the block itself (number -1)."""


class CoverPath(NamedTuple):
    """A path of the cover of a function: the uncovered branch edges, and blocks that call functions not run."""

    function: str
    stops: Stops[Place]


class PathCovers:
    """A minimum path cover of each known function's uncovered edges.

    A call is one step of a path, and the callee has a cover of its own, so each path fits every call stack.
    """

    def __init__(self, distances: Distances, coverage: CoveredEdges) -> None:
        self.distances = distances
        self._coverage = coverage
        self._numbers: dict[tuple[str, int, int], int] = {}
        self._misses: Counter[tuple[str, int, int]] = Counter()
        self._news = CoverageNews(coverage)
        self._is_outdated = True
        self._made: dict[str, tuple[frozenset[Place], list[CoverPath]]] = {}
        """For each function, the places that its cover is for, and that cover."""
        self.paths: list[CoverPath] = []
        self.at: dict[BlockId, CoverPath] = {}
        """For each block of a stop, the rest of a path from there; the distances want these blocks."""

    def outdate(self) -> None:
        """Code that no cover knows has run."""
        self._is_outdated = True

    def miss(self, path: CoverPath, stop: tuple[Place, ...]) -> None:
        """An attempt at ``stop`` failed."""
        for place in stop:
            self._misses[path.function, *place] += 1
            if self._misses[path.function, *place] == _MISSES:
                self._is_outdated = True

    def next_stop(self, path: CoverPath) -> tuple[Place, ...]:
        """The uncovered places of the first stop with any; empty if the path is finished."""
        self._number()
        covered = self._coverage.covered
        for stop in path.stops:
            numbers = [self._numbers.get((path.function, *place), -1) for place in stop]
            waiting = [place for place, number in zip(stop, numbers, strict=True) if number < 0 or not covered[number]]
            if waiting:
                return tuple(waiting)
        return ()

    def refresh(self) -> bool:
        """Compute covers again where coverage or what is infeasible changed; whether anything did."""
        news = self._news.look()
        if news is None and not self._is_outdated:
            return False
        if news:  # whatever was missed there may be feasible now
            self._misses = Counter({place: count for place, count in self._misses.items() if place[0] not in news})
        self._is_outdated = False
        self.distances.look_again()
        self.paths = self._compute()
        if not self.paths and self._misses:
            self._misses.clear()
            self.paths = self._compute()
        self.at = {
            (path.function, block): path._replace(stops=path.stops[first:])
            for path in self.paths
            for first, stop in enumerate(path.stops)
            for block, _ in stop
        }
        self.distances.want(dict.fromkeys(self.at, 0))
        return True

    def _compute(self) -> list[CoverPath]:
        self._number()
        calls: dict[str, set[Place]] = {}
        for name, block in self.distances.leading_out():
            calls.setdefault(name, set()).add((block, -1))
        paths: list[CoverPath] = []
        for function in self.distances.functions():
            wanted = self._wanted(function, calls.get(function.name, ()))
            made = self._made.get(function.name)
            if made is None or made[0] != wanted:
                made = self._made[function.name] = wanted, _paths_of(function, wanted)
            paths += made[1]
        return paths

    def _wanted(self, function: Function, calls: Iterable[Place]) -> frozenset[Place]:
        """What a cover of ``function`` passes: its uncovered edges and ``calls``, but nothing infeasible."""
        name, numbers, covered = function.name, self._numbers, self._coverage.covered
        edges = [
            (block.index, successor)
            for block in function.blocks
            for successor in range(len(branch_targets(block)))
            if (number := numbers.get((name, block.index, successor))) is None or not covered[number]
        ]
        return frozenset([place for place in (*edges, *calls) if self._misses[name, *place] < _MISSES])

    def _number(self) -> None:
        """Learn the numbers of new edges."""
        edges = self._coverage.edges
        for number in range(len(self._numbers), len(edges)):
            self._numbers[edges[number]] = number


def _paths_of(function: Function, wanted: frozenset[Place]) -> list[CoverPath]:
    """A minimum path cover of ``wanted`` in the graph of blocks and branch edges."""
    blocks = function.blocks

    def following(place: Place) -> list[Place]:
        block, successor = place
        to = branch_targets(blocks[block])
        if successor >= 0:
            return [(to[successor], -1)]
        if to:
            return [(block, number) for number in range(len(to))]
        return [(target, -1) for target in targets(blocks[block].body[-1])]

    return [CoverPath(function.name, stops) for stops in path_cover((0, -1), following, wanted)] if wanted else []


class AlongCover:
    """Follows the paths of the cover, one attempt after another.

    An attempt begins at the path with the least work in vain, with a state that can reach its next stop, the nearer
    the likelier. It goes on with the descendants of this state alone: with the nearest to the next stop, and from a
    finished path with the nearest open path in reach, be it of a caller. It ends when no descendant can reach the
    stop, or after some picks without coverage; then the stop was missed, and one that is missed again and again
    leaves the cover, which is computed again without it.
    """

    def __init__(self, covers: PathCovers, coverage: CoveredEdges, effort: Effort, chance: random.Random) -> None:
        self._covers = covers
        self._distances = covers.distances
        self._coverage = coverage
        self._effort = effort
        self._chance = chance
        self._states: dict[Ticket, tuple[State, CallStack]] = {}
        self._stacks: dict[CallStack, SumTree] = {}
        """The waiting states by their call stacks, those of one stack with equal weights."""
        self._vain: Counter[tuple[str, Place]] = Counter()
        """Work spent in vain on paths, by function and first place of the next stop."""
        self._path: CoverPath | None = None
        """The path of the attempt; None between attempts."""
        self._chosen: tuple[Ticket, int] | None = None
        """The ticket of the latest choice, and the covered edges then."""
        self._running: tuple[State, int] | None = None
        """The state of that choice since it runs, and the work before (``work_done``)."""
        self._heirs: dict[Ticket, CallStack] = {}
        """The waiting successors of the latest choice."""
        self._steps = 0
        """Picks of the attempt since it covered something."""
        self._patience = 0
        self._idle: set[CoverPath] = set()
        """Paths whose next stops no waiting state could reach."""

    def add(self, ticket: Ticket, state: State, parents: Parents) -> None:
        stack = self._distances.stack(state)
        if not self._distances.knows(stack):
            self._covers.outdate()
        self._states[ticket] = state, stack
        tree = self._stacks.get(stack)
        if tree is None:
            tree = self._stacks[stack] = SumTree()
        tree.put(ticket, 1.0)
        if self._chosen is not None and self._chosen[0] in parents:
            self._heirs[ticket] = stack

    def remove(self, ticket: Ticket) -> None:
        state, stack = self._states.pop(ticket)
        self._heirs.pop(ticket, None)
        tree = self._stacks[stack]
        tree.take(ticket)
        if not len(tree):
            del self._stacks[stack]
        if self._chosen is not None and self._chosen[0] == ticket:
            self._running = state, work_done(state, self._effort)

    def choose(self) -> Ticket:
        self._charge()
        self._patience += 1
        if is_due(self._patience, len(self._states)) or not self._covers.paths:
            self._patience = 0
            self._idle.clear()
            self._covers.refresh()
        ticket = self._go_on()
        if ticket is None:
            ticket = self._begin()
        self._heirs.clear()
        self._chosen = ticket, self._coverage.covered.count(1)
        return ticket

    def _charge(self) -> None:
        """Charge the work of the latest choice to its path if it covered nothing."""
        if self._running is None or self._chosen is None:
            return
        state, before = self._running
        self._running = None
        if self._coverage.covered.count(1) > self._chosen[1]:
            self._steps = 0
            return
        self._steps += 1
        stop = self._covers.next_stop(self._path) if self._path is not None else ()
        if self._path is not None and stop:
            self._vain[self._path.function, stop[0]] += work_done(state, self._effort) - before

    def _go_on(self) -> Ticket | None:
        """The descendant that follows the attempt's path, or goes over to another; None ends the attempt."""
        path = self._path
        if path is None:
            return None
        stop = self._covers.next_stop(path)
        if stop and self._steps < _STEPS:
            distances = self._distances.towards(_blocks(path, stop))
            near = [(self._distances.along(stack, distances), -ticket) for ticket, stack in self._heirs.items()]
            best, ticket = min(near, default=(FAR, 0))
            if best < FAR:
                return -ticket
        if stop:
            self._covers.miss(path, stop)
        self._path = None
        return self._go_over() if self._steps < _STEPS else None

    def _go_over(self) -> Ticket | None:
        """The descendant nearest to something uncovered, from where it follows the path of that."""
        best, chosen = FAR, None
        for ticket, stack in self._heirs.items():
            distance, block = self._distances.nearest(stack)
            path = self._covers.at.get(block) if block is not None else None
            if distance < best and path is not None and self._covers.next_stop(path):
                best, chosen, self._path = distance, ticket, path
        return chosen

    def _begin(self) -> Ticket:
        """A state for the path with the least work in vain; any state if none reaches a path."""
        self._steps = 0
        open_paths = [(path, stop) for path in self._covers.paths if (stop := self._covers.next_stop(path))]
        open_paths.sort(key=lambda each: (self._vain[each[0].function, each[1][0]], -len(each[0].stops)))
        for path, stop in open_paths:
            if path in self._idle:
                continue
            distances = self._distances.towards(_blocks(path, stop))
            along = {stack: self._distances.along(stack, distances) for stack in self._stacks}
            near = {stack: (1.0 + distance) ** -2 for stack, distance in along.items() if distance < FAR}
            if near:
                self._path = path
                (stack,) = self._chance.choices(list(near), list(near.values()))
                return self._stacks[stack].choose(self._chance)
            self._idle.add(path)
        return list(self._states)[int(self._chance.random() * len(self._states))]


def _blocks(path: CoverPath, stop: tuple[Place, ...]) -> frozenset[BlockId]:
    return frozenset([(path.function, block) for block, _ in stop])
