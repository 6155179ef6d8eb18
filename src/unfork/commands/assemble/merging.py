"""In which order states come, where they rest to meet, and which are joined."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from unfork.commands.assemble import joins as joining
from unfork.commands.assemble.machines import Engine
from unfork.commands.assemble.yielding import YieldChoices
from unfork.engine.explore.distance import Distances, blocks_of_line, edges_leading_to
from unfork.engine.explore.goals import Goals
from unfork.engine.explore.guided import NearUncovered, Reached, Towards
from unfork.engine.explore.loop import NoJoining, YieldAt, YieldToMerge
from unfork.engine.explore.search import BreadthFirst, DepthFirst, RandomPath, RandomState, WaitingStates
from unfork.engine.protocols.frontier import Frontier, Order
from unfork.engine.protocols.join import Joiner
from unfork.engine.protocols.stepper import YieldPolicy
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.errors import InputError
from unfork.options.options import Options
from unfork.program.facts.merge_points import at_marks, closing_marks
from unfork.program.llvm.module import Program
from unfork.reduce.merge import fast_forward, static_order
from unfork.reduce.merge import marked_order as marks
from unfork.reduce.merge.merge_table import MergeCounts, MergeTable

if TYPE_CHECKING:
    from unfork.reduce.merge.fast_forward import FastForward
    from unfork.reduce.merge.marked_order import MarkedOrder
    from unfork.reduce.merge.refinement import JoinRequest
    from unfork.reduce.merge.static_order import StaticOrder


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


def scheduled(options: Options, engine: Engine, yields: YieldChoices, wanted: JoinRequest) -> Scheduled:
    """The searchers that --search names, taking turns, under the schedule that --merge names."""
    orders = _searchers(options, engine)
    if options.merge != "none":
        return _schedule(options, engine, yields, wanted, orders)
    waiting = WaitingStates(orders, _chance_of_drops(options))
    return Scheduled(YieldAt(yields.alone), waiting, NoJoining(), MergeCounts(), options.search == ("dfs",))


def _schedule(
    options: Options, engine: Engine, yields: YieldChoices, wanted: JoinRequest, orders: Sequence[Order]
) -> Scheduled:
    """The schedule that --merge names, over ``orders`` that take turns: the states that wait are joined, too."""
    machine, counts = engine.machine, MergeCounts()
    plain, marked = joining.joins(options, engine, wanted)
    alike = joining.similarity(options, machine)
    closes = closing_marks(machine.program)
    if not options.is_given("similar"):  # the program has said where joins pay
        marked = dict.fromkeys(closes, plain) | marked
    if marked:
        plain, alike = marks.JoinAtMarks(marked, plain), marks.UnaskedAtMarks(marked, alike)
    table = MergeTable(plain, alike, yields.joined, counts, wanted.refused)
    order: FastForward | MarkedOrder | StaticOrder
    if options.merge == "marked":
        order = marks.MarkedOrder(table, marks.AlternatingOrder(list(orders)))
    elif options.merge == "dynamic":
        positions = static_order.Positions(machine.facts, yields.joined)
        order = fast_forward.FastForward(table, positions, marks.AlternatingOrder(list(orders)), options.delta)
        if closes:
            at_closes = MergeTable(plain, alike, cache(at_marks), counts, wanted.refused)
            order = marks.MarkedOrder(at_closes, order)
    else:
        order = static_order.StaticOrder(table, static_order.Positions(machine.facts, yields.joined))
    waiting = WaitingStates([order], _chance_of_drops(options))
    yielding: YieldPolicy = YieldAt(yields.alone)
    if options.merge != "marked":
        yielding = YieldToMerge(waiting, yields.meeting, yields.alone)
    return Scheduled(yielding, waiting, order, counts, in_one=True)


def _chance_of_drops(options: Options) -> random.Random:
    return random.Random(f"{options.seed}/drop")


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
                goals = Goals(Distances(program, options.entry, machine.has_run), coverage)
                orders.append(NearUncovered(goals, coverage, engine.effort, chance))
            case _:
                orders.append(_towards(name, options.entry, program, coverage))
    return orders


def _towards(name: str, entry: str, program: Program, coverage: BranchCoverage) -> Order:
    file, _, line = name.partition(":")[2].rpartition(":")
    functions = [program.function(defined) for defined in program.defined if defined not in program.library]
    blocks = blocks_of_line(functions, file, int(line))
    if not blocks:
        raise InputError(f"--search {name}: no code at that line")
    distances = Distances(program, entry)
    distances.want(dict.fromkeys(blocks, 0))
    return Towards(distances, Reached(coverage, edges_leading_to(functions, blocks)))
