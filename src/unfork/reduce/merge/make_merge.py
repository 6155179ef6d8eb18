"""Makes the frontier of an exploration, which joins states where --merge says so."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from unfork.engine.explore.loop import NoJoining, YieldAt, YieldToMerge
from unfork.engine.explore.search import WaitingStates
from unfork.engine.explore.yield_choices import YieldChoices
from unfork.engine.machine.machine import Machine
from unfork.engine.protocols.events import Observer
from unfork.engine.protocols.frontier import Frontier, Order
from unfork.engine.protocols.join import Joiner
from unfork.engine.protocols.stepper import YieldPolicy
from unfork.engine.state.state import State
from unfork.engine.step.conduct import InputSource
from unfork.engine.step.machine_location import SourceWhereabouts
from unfork.logic.solve.chain import Chain
from unfork.logic.solve.solver import Solver
from unfork.program.facts.merge_points import at_marks, closing_marks
from unfork.reduce.merge import fast_forward, make_joins, resting_places, static_order
from unfork.reduce.merge import marked_order as marks
from unfork.reduce.merge.join_worth import JoinWorth, WorthSimilarity
from unfork.reduce.merge.merge_request import MergeRequest
from unfork.reduce.merge.merge_table import MergeCounts, MergeTable

if TYPE_CHECKING:
    from unfork.reduce.merge.fast_forward import FastForward
    from unfork.reduce.merge.marked_order import MarkedOrder
    from unfork.reduce.merge.refinement import JoinRequest
    from unfork.reduce.merge.static_order import StaticOrder


@dataclass(frozen=True, slots=True)
class Scheduled:
    """In which order states come, and which of them are joined.

    ``yielding`` says where they rest for that. ``in_one``: states that go to another process go in one piece, because
    they are joined, or because their order says which lie near each other. ``observers`` learn which joins pay.
    """

    yielding: YieldPolicy
    frontier: Frontier
    joiner: Joiner
    counts: MergeCounts
    in_one: bool
    observers: tuple[Observer, ...] = ()


@dataclass(frozen=True, slots=True)
class MergeSolvers:
    """Answers for joins; ``cheap`` is for questions that are worth only a little work."""

    chain: Chain
    cheap: Solver


def make_unmerged(orders: Sequence[Order], chance: random.Random, yields: YieldChoices, *, in_one: bool) -> Scheduled:
    """``orders`` take turns; no states are joined (--merge none)."""
    return Scheduled(YieldAt(yields.alone), WaitingStates(orders, chance), NoJoining(), MergeCounts(), in_one)


def make_merge(
    request: MergeRequest,
    machine: Machine,
    source: InputSource,
    solvers: MergeSolvers,
    orders: Sequence[Order],
    chance: random.Random,
    yields: YieldChoices,
    wanted: JoinRequest,
) -> Scheduled:
    """The schedule that --merge names, over ``orders`` that take turns: the states that wait are joined.

    Raises InputError as ``make_joins`` does.
    """
    counts = MergeCounts()
    plain, marked = make_joins.make_joins(request, machine, source, solvers.chain, wanted)
    alike = make_joins.make_similarity(request, machine)
    observers: tuple[Observer, ...] = ()
    if request.similar == "qce":
        worth = JoinWorth(solvers.chain, solvers.cheap, counts, _namer(machine))
        alike, observers = WorthSimilarity(alike, worth), (worth,)
    closes = closing_marks(machine.program)
    if request.trusts_marks:
        marked = dict.fromkeys(closes, plain) | marked
    if marked:
        plain, alike = marks.JoinAtMarks(marked, plain), marks.UnaskedAtMarks(marked, alike)
    table = MergeTable(plain, alike, yields.joined, counts, wanted.refused)
    order: FastForward | MarkedOrder | StaticOrder
    if request.schedule == "marked":
        order = marks.MarkedOrder(table, marks.AlternatingOrder(list(orders)))
    elif request.schedule == "dynamic":
        positions = static_order.Positions(machine.facts, yields.joined)
        places = resting_places.RestingPlaces(yields.meeting)
        forward = fast_forward.FastForward(
            table, positions, marks.AlternatingOrder(list(orders)), request.delta, places
        )
        order = forward
        if closes:
            at_closes = MergeTable(plain, alike, cache(at_marks), counts, wanted.refused)
            order = marks.MarkedOrder(at_closes, order)
    else:
        order = static_order.StaticOrder(table, static_order.Positions(machine.facts, yields.joined))
    waiting = WaitingStates([order], chance)
    yielding: YieldPolicy = YieldAt(yields.alone)
    if request.schedule == "dynamic":
        yielding = YieldToMerge(waiting, lambda: places.points, yields.alone, forward.rests)
    elif request.schedule != "marked":
        yielding = YieldToMerge(waiting, lambda: yields.meeting, yields.alone)
    return Scheduled(yielding, waiting, order, counts, in_one=True, observers=observers)


def _namer(machine: Machine) -> Callable[[State], str]:
    """Says where a state rests, for people."""
    whereabouts = SourceWhereabouts(machine.step_of_instructions(), machine.facts, machine.program.library)

    def name(state: State) -> str:
        spot = whereabouts.yielding(state)
        return f"{spot.file}:{spot.line}" if spot.line is not None else state.frames[-1].function.name

    return name
