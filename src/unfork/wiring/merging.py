"""In which order states come, where they rest to meet, and which are joined."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unfork.contracts.frontier import Frontier, Order
from unfork.contracts.join import Joiner
from unfork.contracts.stepper import YieldPolicy
from unfork.errors import InputError
from unfork.execute.coverage import BranchCoverage
from unfork.explore.distance import Distances, blocks_of_line, edges_leading_to
from unfork.explore.guided import NearUncovered, Reached, Towards
from unfork.explore.loop import NoJoining, YieldAt
from unfork.explore.search import BreadthFirst, DepthFirst, RandomPath, RandomState, WaitingStates
from unfork.later import Later
from unfork.llvm.module import Program
from unfork.merge.merge_table import MergeCounts
from unfork.options import Options
from unfork.wiring.machines import Engine
from unfork.wiring.yielding import YieldChoices

if TYPE_CHECKING:
    from unfork.merge.refinement import Wanted
    from unfork.wiring import meetings
else:
    meetings = Later("unfork.wiring.meetings")


@dataclass(frozen=True, slots=True)
class Scheduled:
    """In which order states come, and which of them are joined.

    ``yielding`` says where they rest for that. Those that go to another process do so ``in_one`` piece where states are
    joined, or their order says which lie near each other.
    """

    yielding: YieldPolicy
    frontier: Frontier
    joiner: Joiner
    counts: MergeCounts
    in_one: bool


def scheduled(options: Options, engine: Engine, yields: YieldChoices, wanted: Wanted) -> Scheduled:
    """The searchers that --search names, taking turns, under the schedule that --merge names."""
    orders = _searchers(options, engine)
    chance = random.Random(f"{options.seed}/drop")
    if options.merge == "none":
        return Scheduled(
            YieldAt(yields.alone), WaitingStates(orders, chance), NoJoining(), MergeCounts(), options.search == ("dfs",)
        )
    met = meetings.schedule(options, engine, yields, wanted, orders)
    waiting = WaitingStates([met.order], chance)
    return Scheduled(met.yielding(waiting), waiting, met.order, met.counts, in_one=True)


def _searchers(options: Options, engine: Engine) -> list[Order]:
    """The searchers that --search names, which take turns in this order."""
    orders: list[Order] = []
    machine, coverage = engine.machine, engine.coverage
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
                orders += [NearUncovered(distances, coverage, engine.effort, chance), RandomPath(chance)]
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
