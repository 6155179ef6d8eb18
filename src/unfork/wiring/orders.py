"""The searchers that --search names."""

from __future__ import annotations

import random

from unfork.contracts.order import Order
from unfork.errors import InputError
from unfork.execute.coverage import BranchCoverage
from unfork.execute.machine import Machine
from unfork.explore.distance import Distances, blocks_of_line, edges_leading_to
from unfork.explore.guided import NearUncovered, Reached, Towards
from unfork.explore.search import BreadthFirst, DepthFirst, RandomPath, RandomState
from unfork.llvm.module import Program
from unfork.logic.solver import Effort
from unfork.options import Options


def searchers(options: Options, machine: Machine, coverage: BranchCoverage, effort: Effort) -> list[Order]:
    """The searchers that --search names, which take turns in this order."""
    orders: list[Order] = []
    program = machine.program
    for number, name in enumerate(options.search):
        chance = random.Random(f"{options.seed}/{number}/{name}")
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
                distances = Distances(program, options.entry, machine.has_run)
                orders += [NearUncovered(distances, coverage, effort, chance), RandomPath(chance)]
            case _:
                orders.append(_towards(name, options.entry, program, coverage))
    return orders


def _towards(name: str, entry: str, program: Program, coverage: BranchCoverage) -> Order:
    file, _, line = name.partition(":")[2].rpartition(":")
    functions = [program.function(defined) for defined in program.defined if defined not in program.library]
    places = blocks_of_line(functions, file, int(line))
    if not places:
        raise InputError(f"--search {name}: no code at that line")
    distances = Distances(program, entry)
    distances.want(places)
    return Towards(distances, Reached(coverage, edges_leading_to(functions, places)))
