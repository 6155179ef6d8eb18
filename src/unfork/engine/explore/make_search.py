"""Makes the searchers of an exploration: --search, --seed and where the run starts say which."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from unfork.engine.explore.along_cover import AlongCover, PathCovers
from unfork.engine.explore.distance import Distances, blocks_of_line, edges_leading_to
from unfork.engine.explore.goals import Goals
from unfork.engine.explore.guided import NearUncovered, Reached, Towards
from unfork.engine.explore.search import BreadthFirst, DepthFirst, RandomPath, RandomState
from unfork.engine.protocols.frontier import Order
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.errors import InputError
from unfork.logic.solve.solver import Effort
from unfork.program.llvm.module import Program


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """The searchers by name, as --search has them, for a run that starts in the function ``entry``."""

    names: tuple[str, ...]
    entry: str
    seed: int
    prefers_joined: bool
    """Whether a state that stands for many paths comes rather than one that stands for few."""

    def chance_of_drops(self) -> random.Random:
        """Chooses the states that are dropped when memory is short."""
        return random.Random(f"{self.seed}/drop")


def make_searchers(
    request: SearchRequest,
    program: Program,
    has_run: Callable[[str], bool],
    coverage: BranchCoverage,
    effort: Effort,
) -> list[Order]:
    """The searchers in the order in which they take turns. ``has_run`` says whether a function has run.

    Raises InputError for a target that has no code.
    """
    orders: list[Order] = []
    for number, name in enumerate(request.names):
        chance = random.Random(f"{request.seed}/{number}/{name}")
        match name.partition(":")[0]:
            case "dfs":
                orders.append(DepthFirst())
            case "bfs":
                orders.append(BreadthFirst())
            case "random-state":
                orders.append(RandomState(chance))
            case "random-path":
                orders.append(RandomPath(chance))
            case "coverage":
                goals = Goals(Distances(program, request.entry, has_run), coverage)
                orders.append(NearUncovered(goals, coverage, effort, chance, prefers_joined=request.prefers_joined))
            case "cover":
                covers = PathCovers(Distances(program, request.entry, has_run), coverage)
                orders.append(AlongCover(covers, coverage, effort, chance))
            case _:
                orders.append(_towards(name, request.entry, program, coverage))
    return orders


def _towards(name: str, entry: str, program: Program, coverage: BranchCoverage) -> Order:
    """The searcher that target:FILE:LINE names."""
    file, _, line = name.partition(":")[2].rpartition(":")
    functions = [program.function(defined) for defined in program.own]
    blocks = blocks_of_line(functions, file, int(line))
    if not blocks:
        raise InputError(f"--search {name}: no code at that line")
    distances = Distances(program, entry)
    distances.want(dict.fromkeys(blocks, 0))
    return Towards(distances, Reached(coverage, edges_leading_to(functions, blocks)))
