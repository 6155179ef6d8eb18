"""In which order states come, where they rest to meet, and which are joined."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unfork.contracts.frontier import Frontier
from unfork.contracts.joiner import Joiner
from unfork.contracts.rest import Resting
from unfork.execute.coverage import BranchCoverage
from unfork.execute.input_source import InputSource
from unfork.execute.machine import Machine
from unfork.explore.loop import NoJoining
from unfork.explore.resting import RestAt, RestToMeet
from unfork.explore.search import WaitingStates
from unfork.facts.marks import closing_marks
from unfork.facts.meeting import at_marks
from unfork.later import Later
from unfork.logic.chain import Chain
from unfork.logic.solver import Effort
from unfork.merge.meetings import Meetings, MergeCounts
from unfork.options import Options
from unfork.wiring.orders import searchers
from unfork.wiring.resting import Rests, kept

if TYPE_CHECKING:
    from unfork.merge import fast_forward, marked_order, positions, static_order
    from unfork.merge.fast_forward import FastForward
    from unfork.merge.marked_order import MarkedOrder
    from unfork.merge.refinement import Wanted
    from unfork.merge.static_order import StaticOrder
    from unfork.wiring import joins as wiring_joins
else:
    fast_forward = Later("unfork.merge.fast_forward")
    marked_order = Later("unfork.merge.marked_order")
    positions = Later("unfork.merge.positions")
    static_order = Later("unfork.merge.static_order")
    wiring_joins = Later("unfork.wiring.joins")


@dataclass(frozen=True, slots=True)
class Scheduled:
    """In which order states come, and which of them are joined.

    ``resting`` says where they rest for that.
    """

    resting: Resting
    frontier: Frontier
    joiner: Joiner
    counts: MergeCounts


def scheduled(
    options: Options,
    machine: Machine,
    chain: Chain,
    source: InputSource,
    coverage: BranchCoverage,
    rests: Rests,
    effort: Effort,
    wanted: Wanted,
) -> Scheduled:
    """The searchers that --search names, taking turns, under the schedule that --merge names."""
    orders = searchers(options, machine, coverage, effort)
    chance = random.Random(f"{options.seed}/drop")
    counts, plainly = MergeCounts(), RestAt(rests.alone)
    if options.merge == "none":
        return Scheduled(plainly, WaitingStates(orders, chance), NoJoining(), counts)
    plain, marked = wiring_joins.joins(options, machine, source, chain, wanted)
    alike = wiring_joins.similarity(options, machine)
    closes = closing_marks(machine.program)
    if not options.is_given("similar"):  # the program has said where joins pay
        marked = dict.fromkeys(closes, plain) | marked
    if marked:
        plain, alike = marked_order.JoinAtMarks(marked, plain), marked_order.UnaskedAtMarks(marked, alike)
    meetings = Meetings(plain, alike, rests.joined, counts, wanted.refused)
    schedule: FastForward | MarkedOrder | StaticOrder
    if options.merge == "marked":
        order = marked_order.MarkedOrder(meetings, marked_order.Turns(orders))
        return Scheduled(plainly, WaitingStates([order], chance), order, counts)
    if options.merge == "dynamic":
        schedule = fast_forward.FastForward(
            meetings, positions.Positions(machine.facts), marked_order.Turns(orders), options.delta
        )
        if closes:
            schedule = marked_order.MarkedOrder(
                Meetings(plain, alike, kept(at_marks), counts, wanted.refused), schedule
            )
    else:
        schedule = static_order.StaticOrder(meetings, positions.Positions(machine.facts))
    waiting = WaitingStates([schedule], chance)
    resting = RestToMeet(waiting, rests.meeting, rests.alone)
    return Scheduled(resting, waiting, schedule, counts)
