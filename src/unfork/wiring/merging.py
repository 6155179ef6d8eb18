"""In which order states come, where they rest to meet, and which are joined."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from functools import partial

from unfork.contracts.frontier import Frontier
from unfork.contracts.joiner import Joiner
from unfork.contracts.rest import Resting
from unfork.contracts.starts import Starts
from unfork.execute.coverage import BranchCoverage
from unfork.execute.input_source import InputSource
from unfork.execute.machine import Machine
from unfork.explore.loop import AllAtOnce, NoJoining
from unfork.explore.resting import RestAt
from unfork.explore.search import WaitingStates
from unfork.explore.tally import Tally
from unfork.logic.chain import Chain
from unfork.logic.solver import Statistics
from unfork.merge.fast_forward import FastForward
from unfork.merge.marked_joins import JoinAtMarks, PaysAtMarks, UnaskedAtMarks
from unfork.merge.marked_order import MarkedOrder, Turns
from unfork.merge.meetings import Meetings, MergeCounts
from unfork.merge.positions import Positions
from unfork.merge.rest_to_meet import RestToMeet
from unfork.merge.side_by_side import RestBySide, SideBySide, Work
from unfork.merge.static_order import StaticOrder
from unfork.options import Options
from unfork.program.marks import closing_marks
from unfork.program.meeting import at_marks
from unfork.wiring.joins import experience_of, joins, similarity
from unfork.wiring.orders import searchers
from unfork.wiring.resting import Rests, kept

_QUERY, _ATTEMPT = 500, 1_000
"""Instructions that take about as long as a query, and as an attempt to join."""


@dataclass(frozen=True, slots=True)
class Scheduled:
    """In which order states come, which of them are joined, which begin ``later``.

    ``resting`` says where they rest for that.
    """

    resting: Resting
    frontier: Frontier
    joiner: Joiner
    later: Starts
    counts: MergeCounts


def scheduled(
    options: Options,
    machine: Machine,
    chain: Chain,
    source: InputSource,
    coverage: BranchCoverage,
    tally: Tally,
    rests: Rests,
) -> Scheduled:
    """The searchers that --search names, taking turns, under the schedule that --merge names."""
    orders = searchers(options, machine, coverage)
    chance = random.Random(f"{options.seed}/drop")
    counts, plainly = MergeCounts(), RestAt(rests.alone)
    if options.merge == "none":
        return Scheduled(plainly, WaitingStates(orders, chance), NoJoining(), AllAtOnce(), counts)
    plain, marked = joins(options, machine, source, chain)
    alike, experience = similarity(options, machine), experience_of(options, chain)
    closes = closing_marks(machine.program)
    if not options.is_given("similar"):  # the program has said where joins pay
        marked = dict.fromkeys(closes, plain) | marked
    if marked:
        plain, alike = JoinAtMarks(marked, plain), UnaskedAtMarks(marked, alike)
        experience = PaysAtMarks(marked, experience)
    meetings = Meetings(plain, alike, rests.joined, counts, experience)
    schedule: FastForward | MarkedOrder | StaticOrder
    if options.merge == "marked":
        order = MarkedOrder(meetings, Turns(orders))
        return Scheduled(plainly, WaitingStates([order], chance), order, AllAtOnce(), counts)
    if options.merge == "dynamic":
        covers = options.search == ("coverage",)
        progress = (lambda: coverage.covered.count(1)) if covers else None
        schedule = FastForward(meetings, Positions(machine.facts), Turns(orders), options.delta, progress)
        if closes:
            schedule = MarkedOrder(Meetings(plain, alike, kept(at_marks), counts, experience), schedule)
    else:
        schedule = StaticOrder(meetings, Positions(machine.facts))
    waiting = WaitingStates([schedule], chance)
    resting = RestToMeet(waiting, experience, rests.meeting, rests.alone)
    if not _is_tried(options):
        return Scheduled(resting, waiting, schedule, AllAtOnce(), counts)
    seconds = math.inf if options.max_time is None else options.max_time
    work = partial(_work, tally, chain.statistics, counts)
    both = SideBySide(waiting, schedule, searchers(options, machine, coverage), chance, work, seconds, chain.asked)
    return Scheduled(RestBySide(both, resting, rests.alone), both, both, both, counts)


def _is_tried(options: Options) -> bool:
    """Whether merging must show that it pays: it is the default here, and nothing else counts on its paths."""
    asked = options.is_given("merge") or options.is_given("similar") or options.is_given("join")
    return not (asked or options.prune != "none" or options.count_paths or options.audit)


def _work(tally: Tally, statistics: Statistics, counts: MergeCounts) -> Work:
    """What a run has cost so far, in work and not in time."""
    cost = tally.instructions + _QUERY * statistics.queries + _ATTEMPT * counts.attempts
    return Work(cost, counts.attempts)
