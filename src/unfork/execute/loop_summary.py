"""Iterations of a loop that scans, put together: what comes of the loop from a place on.

A place is what the counters of the loop hold at its head. Iterations lead from places to others, further on: each place
has one iteration, on whatever way the loop comes there, and what comes of it is put together from the last backwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

from unfork.contracts.outcome import Fault
from unfork.execute.control import Way
from unfork.execute.iterations import Iteration, Iterations, NotAtOnce, met
from unfork.execute.spans import decided, places_of
from unfork.execute.step import Step
from unfork.facts.summarisable_loops import SummarisableLoop
from unfork.llvm.types import Position
from unfork.logic import build
from unfork.logic.choice import plain
from unfork.logic.term import Term, Value

MOST_ITERATIONS = 256
"""So many iterations are taken at once; then the loop goes on from its head, as a path of its own."""
MOST_WAYS = 32
"""An iteration that may lead to more places than this is not taken at once."""
FEW_VALUES = 8
"""A counter that is no choice of constants, and may have more values than this, is not told apart."""

Exit = tuple[int, int]
"""A way out of a loop: the block and the number of its successor."""
Line = tuple[str, Position | None]
"""A fault's kind and position."""
Phis = dict[int, Value]
"""What the phis of the loop's head hold."""
Place = tuple[int, ...]
"""How far the loop is, and what the counters hold there."""


@dataclass(slots=True)
class Onwards:
    """What comes of a loop from an iteration on: every condition is 1 bit."""

    exits: dict[Exit, Value] = field(default_factory=dict)
    values: dict[Exit, dict[int, Value]] = field(default_factory=dict)
    """What the registers hold that are read after an exit; it means something where that is taken."""
    faults: dict[Line, Value] = field(default_factory=dict)
    taken: dict[int, Value] = field(default_factory=dict)
    """The branch edges within the loop that are taken at some time."""
    alternatives: int = 0
    """How many ways there are out of it, iteration by iteration."""
    beyond: Value = 0
    """Whether the loop goes on after the last iteration."""


@dataclass(frozen=True, slots=True)
class Visit:
    """A place with its iteration, and the places that this leads to, each with when (1 bit)."""

    place: Place
    iteration: Iteration
    again: Value
    following: tuple[tuple[Value, Place], ...]


class LoopSummary:
    """The iterations of one loop, and what comes of them together. ``widths`` are those of the function's registers."""

    def __init__(self, step: Step, iterations: Iterations, loop: SummarisableLoop, widths: Sequence[int]) -> None:
        self._step = step
        self._turns = iterations
        self._loop = loop
        self._widths = widths
        self._counters: tuple[int, ...] = ()
        """The phis that places are made of."""
        self._begin = 0
        """Where the lead is least far."""
        self._is_in_turn = False
        """Whether there is one place after the other, so that how far the loop is can be counted in iterations."""
        self._asks_when = False
        """Whether it matters when the loop comes to a place: different ways may lead there, or it writes."""
        self.ways: dict[Exit, Way] = {}
        self.faults: dict[Line, Fault] = {}
        self.instructions = 0
        self.iterations = 0

    def along(self, starts: Sequence[Phis]) -> tuple[list[Onwards], Phis]:
        """What comes of the loop from each of ``starts``, and what the phis hold where it has to go on by itself.

        Starts have the same phis, and differ in those of the loop's counters that are constants alone.
        """
        loop, (first, *others) = self._loop, starts
        self._counters = tuple([phi for phi in loop.placing if isinstance(first[phi], int)])
        self._is_in_turn = loop.is_even and not others
        self._asks_when = (loop.writes or not loop.is_even) and not others
        if loop.writes and others:
            raise NotAtOnce("it writes, and begins at a symbolic place")
        if not self._is_in_turn:
            if loop.lead not in self._counters:
                raise NotAtOnce("it begins at a symbolic place")
            leads = [lead for start in starts if isinstance(lead := start[loop.lead], int)]
            self._begin = max(leads) if loop.is_falling else min(leads)
        places = [self._place(start, -1) for start in starts]
        arriving: dict[Place, list[tuple[Value, Phis]]] = {}
        for place, start in zip(places, starts, strict=True):
            arriving[place] = [(1, start)]
        visits, waiting = self._visits(arriving, sorted(arriving), 2 * MOST_ITERATIONS if others else MOST_ITERATIONS)
        if waiting and others:
            raise NotAtOnce("it has too many iterations")
        known = {place: Onwards(beyond=1) for place in waiting}
        for visit in reversed(visits):
            after = [(when, known[place]) for when, place in visit.following]
            known[visit.place] = self._folded(visit.iteration, visit.again, after)
        ends = [arrival for place in waiting for arrival in arriving[place]]
        return [known[place] for place in places], self._met(ends) if ends else {}

    def _visits(
        self, arriving: dict[Place, list[tuple[Value, Phis]]], waiting: list[Place], most: int
    ) -> tuple[list[Visit], list[Place]]:
        """The places that the loop comes to, each after those that lead there, and those that are left after ``most``.

        ``arriving``, what comes to each place, and on what condition (1 bit), is added to.
        """
        visits: list[Visit] = []
        while waiting and len(visits) < most:
            place = heappop(waiting)
            arrivals = arriving[place]
            here: Value = build.disjunction([when for when, _ in arrivals]) if self._asks_when else 1
            iteration, again = self._take(self._met(arrivals), here)
            following: list[tuple[Value, Place]] = []
            for when, phis in self._led_to(iteration, again):
                target = self._place(phis, place[0])
                if target[0] <= place[0]:
                    raise NotAtOnce("its counter wraps")
                if target not in arriving:
                    arriving[target] = []
                    heappush(waiting, target)
                arriving[target].append((build.both(here, when), phis))
                following.append((when, target))
            visits.append(Visit(place, iteration, again, tuple(following)))
        return visits, waiting

    def _place(self, phis: Phis, before: int) -> Place:
        """Where the loop is with these values of the phis, one iteration after a place that is ``before`` far."""
        values = [phis[counter] for counter in self._counters]
        if self._is_in_turn:
            return (before + 1,)
        lead = phis[self._loop.lead]
        assert isinstance(lead, int)
        far = self._begin - lead if self._loop.is_falling else lead - self._begin
        return (far & (1 << self._widths[self._loop.lead]) - 1, *values)  # type: ignore[arg-type]  # counters are ints

    def _met(self, arrivals: Sequence[tuple[Value, Phis]]) -> Phis:
        """What the phis hold at a place that the loop comes to in one of several ways."""
        if len(arrivals) == 1:
            return arrivals[0][1]
        return {phi: met([(when, phis[phi]) for when, phis in arrivals], self._widths[phi]) for phi in arrivals[0][1]}

    def _take(self, phis: Phis, when: Value) -> tuple[Iteration, Value]:
        """One iteration, which the loop comes to ``when`` (1 bit), and whether there is another one after it.

        The path is asked for the latter, but not much.
        """
        iteration = self._turns.iteration(phis, when)
        self.instructions += iteration.instructions
        self.iterations += 1
        for leaving in iteration.leavings:
            self.ways[leaving.block, leaving.way.successor] = leaving.way
        for _, fault in iteration.faults:
            self.faults.setdefault((fault.kind, fault.position), fault)
        return iteration, decided(self._step, iteration.again)

    def _led_to(self, iteration: Iteration, again: Value) -> list[tuple[Value, Phis]]:
        """What the phis may hold in the next iteration, with when (1 bit); the counters are constants there."""
        if again == 0:
            return []
        apart = told_apart(iteration.following, self._counters, self._widths)
        if len(apart) == 1:
            return [(again, apart[0][1])]
        ways = [(decided(self._step, build.both(again, when)), phis) for when, phis in apart]
        return [(when, phis) for when, phis in ways if when != 0]

    def _folded(self, iteration: Iteration, again: Value, following: Sequence[tuple[Value, Onwards]]) -> Onwards:
        """What comes of the loop from ``iteration`` on, if one of ``following`` comes of the next one."""
        onwards = Onwards()
        for when, after in following:
            onwards.beyond = build.either(build.both(when, after.beyond), onwards.beyond)
            onwards.alternatives += after.alternatives
            for exit_, condition in after.exits.items():
                self._lead_out(onwards, exit_, build.both(when, condition), when, after.values[exit_])
            for line, condition in after.faults.items():
                onwards.faults[line] = build.either(build.both(when, condition), onwards.faults.get(line, 0))
            for edge, condition in after.taken.items():
                onwards.taken[edge] = build.either(build.both(when, condition), onwards.taken.get(edge, 0))
        if again != 1:
            self._leave(iteration, onwards)
        passed = self._step.coverage.passed
        for edge, condition in iteration.taken:
            if not passed[edge]:
                onwards.taken[edge] = build.either(condition, onwards.taken.get(edge, 0))
        return onwards

    def _lead_out(self, onwards: Onwards, exit_: Exit, leads: Value, when: Value, values: dict[int, Value]) -> None:
        """Add that the loop leaves by an exit if it ``leads`` there, with ``values``, which hold ``when`` it does."""
        onwards.exits[exit_] = build.either(leads, onwards.exits.get(exit_, 0))
        later = onwards.values.get(exit_, values)
        onwards.values[exit_] = {
            register: build.ite(when, value, later[register], self._widths[register])
            for register, value in values.items()
        }

    def _leave(self, iteration: Iteration, onwards: Onwards) -> None:
        for leaving in iteration.leavings:
            exit_ = (leaving.block, leaving.way.successor)
            onwards.alternatives += 1
            self._lead_out(onwards, exit_, leaving.condition, leaving.condition, leaving.values)
        for condition, fault in iteration.faults:
            line = (fault.kind, fault.position)
            onwards.faults[line] = build.either(condition, onwards.faults.get(line, 0))


def told_apart(phis: Phis, counters: Sequence[int], widths: Sequence[int]) -> list[tuple[Value, Phis]]:
    """What phis may hold, with when (1 bit), so that counters are constants. Raises NotAtOnce if that is too much."""
    apart: list[tuple[Value, Phis]] = []
    waiting: list[tuple[Value, Phis]] = [(1, phis)]
    while waiting:
        when, values = waiting.pop()
        chosen = next((phi for phi in counters if isinstance(values[phi], Term)), None)
        if chosen is None:
            apart.append((when, values))
        else:
            value = values[chosen]
            assert isinstance(value, Term)
            sides = _sides(values, value) if value.op == "ite" else _leaves(values, chosen, value, widths[chosen])
            sides = [(build.both(when, condition), side) for condition, side in sides]
            waiting += [(condition, side) for condition, side in sides if condition != 0]
        if len(apart) + len(waiting) > MOST_WAYS:
            raise NotAtOnce("an iteration may lead to many places")
    return apart


def _sides(phis: Phis, choice: Term) -> list[tuple[Value, Phis]]:
    """Phis on the two sides of a choice."""
    condition = choice.args[0]

    def on(side: int) -> Phis:
        return {
            phi: plain(value.args[side])
            if isinstance(value, Term) and value.op == "ite" and value.args[0] is condition
            else value
            for phi, value in phis.items()
        }

    return [(build.negate(condition), on(2)), (condition, on(1))]


def _leaves(phis: Phis, counter: int, value: Term, width: int) -> list[tuple[Value, Phis]]:
    """Phis for each of the few constants that a counter may be."""
    begin = places_of(value, width)
    if begin is None and value.high - value.low >= FEW_VALUES:
        raise NotAtOnce("its counter is no choice of constants")
    places = range(value.low, value.high + 1) if begin is None else begin.places
    return [(build.eq(value, place, width), {**phis, counter: place}) for place in places]
