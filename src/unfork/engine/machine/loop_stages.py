"""The stages that a loop comes to, and the iterations that lead from each to the next.

A *stage* is how far the loop is at its head: the values of its counters. In

    while (s[i] == ' ' || (s[i] == '\\\\' && s[i + 1] == ' '))
        i += s[i] == ' ' ? 1 : 2;

the stages are i = 0, 1, 2 and so on. An *iteration* runs from a stage through the loop once, on all paths at once; here
it leads from i = 0 to i = 1 and i = 2. A *visit* is a stage with its one iteration and the stages to which that leads.
Stages are visited in order: all iterations that lead to a stage have been taken before its own begins. So the number of
visits grows with the length of the text, and not with the number of paths through the loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from unfork.engine.machine.iterations import Arrival, Iterations, LoopIteration, Phis, pick_phis
from unfork.engine.machine.loop_refusal import NotAtOnce
from unfork.engine.machine.plain_code import LoopCode
from unfork.engine.memory.spans import constants_of, decide_cheaply
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.choice import plain
from unfork.logic.terms.term import Term, Value

MOST_WAYS = 32
"""The most stages that an iteration may lead to."""
FEW_VALUES = 8
"""The most values of a counter that is no choice of constants."""

Stage = tuple[int, ...]
"""How far the loop is, then the values of its counters where these can differ at that distance."""


@dataclass(frozen=True, slots=True)
class StageVisit:
    """A stage with its iteration; ``following`` are the stages that this leads to, each with when (1 bit)."""

    stage: Stage
    iteration: LoopIteration
    following: tuple[tuple[Value, Stage], ...]


@dataclass(frozen=True, slots=True)
class LoopVisits:
    """The visits from all ``starts``, each after those that lead there.

    ``unvisited`` stages are left after the most iterations that one step takes; ``phis`` are those of the head if the
    loop comes to one.
    """

    starts: Sequence[Stage]
    visits: Sequence[StageVisit]
    unvisited: Sequence[Stage]
    phis: Phis


def visit_stages(step: Step, iterations: Iterations, code: LoopCode, starts: Sequence[Phis], most: int) -> LoopVisits:
    """Visit ``most`` stages of a loop, which may begin with each of ``starts``; twice as many if these are several.
    Raises NotAtOnce.

    Starts have the same phis; only counters of the loop differ in them, as constants.
    """
    loop, first = code.loop, starts[0]
    has_one_start = len(starts) == 1
    if loop.writes and not has_one_start:
        raise NotAtOnce("it writes, and begins at a symbolic stage")
    counters = tuple([phi for phi in loop.placing if isinstance(first[phi], int)])
    if loop.is_even and has_one_start:
        stage_of: StageOf = _number_of
    elif loop.lead in counters:
        stage_of = _StageByDistance(code, counters, starts).stage
    else:
        raise NotAtOnce("it begins at a symbolic stage")
    conditions_matter = has_one_start and (loop.writes or not loop.is_even)
    walk = _StageWalk(step, iterations, code.widths, counters, stage_of, conditions_matter=conditions_matter)
    return walk.visits(starts, most if has_one_start else 2 * most)


StageOf = Callable[[Phis, int], Stage]
"""The stage with these phis, an iteration after a stage at this distance."""


def _number_of(phis: Phis, distance_before: int) -> Stage:
    """Each iteration leads to one stage: these are numbered."""
    return (distance_before + 1,)


class _StageByDistance:
    """Stages by how far the loop's lead has moved from the first start, then by all counters."""

    def __init__(self, code: LoopCode, counters: Sequence[int], starts: Sequence[Phis]) -> None:
        self._lead = code.loop.lead
        self._is_falling = code.loop.is_falling
        self._mask = (1 << code.widths[self._lead]) - 1
        self._counters = counters
        leads = [_constant(start[self._lead]) for start in starts]
        self._first = max(leads) if self._is_falling else min(leads)

    def stage(self, phis: Phis, distance_before: int) -> Stage:
        lead = _constant(phis[self._lead])
        distance = (self._first - lead if self._is_falling else lead - self._first) & self._mask
        return (distance, *[_constant(phis[counter]) for counter in self._counters])


def _constant(value: Value) -> int:
    assert isinstance(value, int)
    return value


class _StageWalk:
    """Visits the stages of one loop, the nearest first.

    ``conditions_matter``: an iteration needs the condition under which the loop comes to it, as it writes or as several
    stages may lead there.
    """

    def __init__(
        self,
        step: Step,
        iterations: Iterations,
        widths: Sequence[int],
        counters: Sequence[int],
        stage_of: StageOf,
        *,
        conditions_matter: bool,
    ) -> None:
        self._step = step
        self._iterations = iterations
        self._widths = widths
        self._counters = counters
        self._stage_of = stage_of
        self._conditions_matter = conditions_matter
        self._arrivals: dict[Stage, list[Arrival]] = {}
        self._waiting: list[Stage] = []
        """Stages to visit, as a heap."""

    def visits(self, starts: Sequence[Phis], most: int) -> LoopVisits:
        stages = [self._stage_of(start, -1) for start in starts]
        for stage, start in zip(stages, starts, strict=True):
            self._arrive(stage, (1, start))
        visits: list[StageVisit] = []
        while self._waiting and len(visits) < most:
            visits.append(self._visit(heappop(self._waiting)))
        if self._waiting and len(starts) > 1:
            raise NotAtOnce("it has too many iterations")
        unfinished = [arrival for stage in self._waiting for arrival in self._arrivals[stage]]
        return LoopVisits(stages, visits, self._waiting, pick_phis(unfinished, self._widths))

    def _arrive(self, stage: Stage, arrival: Arrival) -> None:
        if stage not in self._arrivals:
            self._arrivals[stage] = []
            heappush(self._waiting, stage)
        self._arrivals[stage].append(arrival)

    def _visit(self, stage: Stage) -> StageVisit:
        arrivals = self._arrivals[stage]
        reached: Value = build.disjunction([when for when, _ in arrivals]) if self._conditions_matter else 1
        iteration = self._iterations.iteration(pick_phis(arrivals, self._widths), reached)
        following: list[tuple[Value, Stage]] = []
        for when, phis in self._successors(iteration):
            target = self._stage_of(phis, stage[0])
            if target[0] <= stage[0]:
                raise NotAtOnce("its counter wraps")
            self._arrive(target, (build.both(reached, when), phis))
            following.append((when, target))
        return StageVisit(stage, iteration, tuple(following))

    def _successors(self, iteration: LoopIteration) -> list[Arrival]:
        """What the next iteration may begin with; its counters are constants."""
        if iteration.again == 0:
            return []
        ways = tell_apart(iteration.following, self._counters, self._widths)
        if len(ways) == 1:
            return [(iteration.again, ways[0][1])]
        decided = [(decide_cheaply(self._step, build.both(iteration.again, when)), phis) for when, phis in ways]
        return _feasible(decided)


def _feasible(ways: Iterable[Arrival]) -> list[Arrival]:
    return [(when, phis) for when, phis in ways if when != 0]


def tell_apart(phis: Phis, counters: Sequence[int], widths: Sequence[int]) -> list[Arrival]:
    """The ways in which the ``counters`` among phis become constants.

    Raises NotAtOnce where these are more than MOST_WAYS, or a counter may hold more than FEW_VALUES values.
    """
    ways: list[Arrival] = []
    waiting: list[Arrival] = [(1, phis)]
    while waiting:
        when, values = waiting.pop()
        symbolic = next((phi for phi in counters if isinstance(values[phi], Term)), None)
        if symbolic is None:
            ways.append((when, values))
        else:
            value = values[symbolic]
            assert isinstance(value, Term)
            is_choice = value.op == "ite"
            sides = _sides(values, value) if is_choice else _constants(values, symbolic, value, widths[symbolic])
            waiting += _feasible([(build.both(when, condition), side) for condition, side in sides])
        if len(ways) + len(waiting) > MOST_WAYS:
            raise NotAtOnce("an iteration may lead to many stages")
    return ways


def _sides(phis: Phis, choice: Term) -> list[Arrival]:
    condition = choice.args[0]

    def on(side: int) -> Phis:
        return {
            phi: plain(value.args[side])
            if isinstance(value, Term) and value.op == "ite" and value.args[0] is condition
            else value
            for phi, value in phis.items()
        }

    return [(build.negate(condition), on(2)), (condition, on(1))]


def _constants(phis: Phis, counter: int, value: Term, width: int) -> list[Arrival]:
    choice = constants_of(value, width)
    if choice is None and value.high - value.low >= FEW_VALUES:
        raise NotAtOnce("its counter is no choice of constants")
    constants = range(value.low, value.high + 1) if choice is None else choice.constants
    return [(build.eq(value, constant, width), {**phis, counter: constant}) for constant in constants]
