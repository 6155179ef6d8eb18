"""Where and when states meet to be joined, as --merge says."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Sized
from dataclasses import dataclass

from unfork.contracts.frontier import Order
from unfork.contracts.stepper import YieldPolicy
from unfork.explore.loop import YieldAt, YieldToMerge
from unfork.facts.marks import closing_marks
from unfork.facts.merge_points import at_marks
from unfork.merge.fast_forward import FastForward
from unfork.merge.marked_order import JoinAtMarks, MarkedOrder, Turns, UnaskedAtMarks
from unfork.merge.merge_table import MergeCounts, MergeTable
from unfork.merge.refinement import Wanted
from unfork.merge.static_order import Positions, StaticOrder
from unfork.options import Options
from unfork.wiring.joins import joins, similarity
from unfork.wiring.machines import Engine
from unfork.wiring.yielding import YieldChoices, kept


@dataclass(frozen=True, slots=True)
class Schedule:
    """The order of the states that wait, which joins them too, and where they rest while so many others wait."""

    order: FastForward | MarkedOrder | StaticOrder
    yielding: Callable[[Sized], YieldPolicy]
    counts: MergeCounts


def schedule(
    options: Options, engine: Engine, yields: YieldChoices, wanted: Wanted, orders: Sequence[Order]
) -> Schedule:
    """The schedule that --merge names, over ``orders`` that take turns."""
    machine, counts = engine.machine, MergeCounts()
    plain, marked = joins(options, engine, wanted)
    alike = similarity(options, machine)
    closes = closing_marks(machine.program)
    if not options.is_given("similar"):  # the program has said where joins pay
        marked = dict.fromkeys(closes, plain) | marked
    if marked:
        plain, alike = JoinAtMarks(marked, plain), UnaskedAtMarks(marked, alike)
    meetings = MergeTable(plain, alike, yields.joined, counts, wanted.refused)

    def to_meet(waiting: Sized) -> YieldPolicy:
        return YieldToMerge(waiting, yields.meeting, yields.alone)

    if options.merge == "marked":
        return Schedule(MarkedOrder(meetings, Turns(list(orders))), lambda waiting: YieldAt(yields.alone), counts)
    if options.merge != "dynamic":
        return Schedule(StaticOrder(meetings, Positions(machine.facts)), to_meet, counts)
    catching_up = FastForward(meetings, Positions(machine.facts), Turns(list(orders)), options.delta)
    if not closes:
        return Schedule(catching_up, to_meet, counts)
    at_closes = MergeTable(plain, alike, kept(at_marks), counts, wanted.refused)
    return Schedule(MarkedOrder(at_closes, catching_up), to_meet, counts)
