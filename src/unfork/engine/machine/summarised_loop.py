"""A loop that scans, taken in one step: where it ends is a choice of constants, made by the elements.

A stage of the loop is what its counters hold at its head. Iterations lead from stages to others, further on: each stage
has one iteration, on whatever way the loop comes there, and what comes of it is put together from the last backwards. A
counter that begins as a choice of constants picks among what comes of each. There is one successor for each kind of
exit: a way out of the loop, a fault at one line, or, after MOST_ITERATIONS iterations, the loop's head again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from heapq import heappop, heappush
from typing import TypeVar

from unfork.engine.instructions.control import AtOnce, Edge, Way, diverge, not_at_once
from unfork.engine.machine.iterations import Iterations, LoopBlock, LoopIteration, NotAtOnce, pick_phis
from unfork.engine.memory.spans import MOST_CHOICES, Begin, constants_of, decide_cheaply
from unfork.engine.protocols.outcome import Failed, Fault, Killed
from unfork.engine.state.memory import FIRST_STATIC, MASK_64, address_of, object_of
from unfork.engine.state.state import State
from unfork.engine.step.step import Step
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.solver import Unsat
from unfork.logic.terms import build
from unfork.logic.terms.choice import plain
from unfork.logic.terms.evaluate import evaluate
from unfork.logic.terms.term import Term, Value
from unfork.program.facts.function_facts import FunctionFacts
from unfork.program.facts.summarisable_loops import SummarisableLoop
from unfork.program.llvm import layout
from unfork.program.llvm.types import VOID, Position

MOST_ITERATIONS = 256
"""So many iterations are taken at once; then the loop goes on from its head, as a path of its own."""
MOST_WAYS = 32
"""An iteration that may lead to more stages than this is not taken at once."""
FEW_VALUES = 8
"""A counter that is no choice of constants, and may have more values than this, is not told apart."""

Exit = tuple[int, int]
"""A way out of a loop: the block and the number of its successor."""
Line = tuple[str, Position | None]
"""A fault's kind and position."""
Phis = dict[int, Value]
"""What the phis of the loop's head hold."""
Stage = tuple[int, ...]
"""How far the loop is, and what the counters hold there."""
TRUST = 8
"""So much more often than it was good a loop may be taken in vain, if its turns are cheap where the path knows much."""
NEAR = 1 << 20
"""Addresses nearer to their object than this are told by their offsets."""
Key = TypeVar("Key")
LEAST_ADDRESS = address_of(FIRST_STATIC)
TOUCHED = ("memory", "inputs", "input_counts", "remembered", "lazy", "path")
"""What reading memory may change in a state."""


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
class StageVisit:
    """A stage with its iteration, and the stages that this leads to, each with when (1 bit)."""

    stage: Stage
    iteration: LoopIteration
    again: Value
    following: tuple[tuple[Value, Stage], ...]


class LoopSummary:
    """The iterations of one loop, and what comes of them together. ``widths`` are those of the function's registers."""

    def __init__(self, step: Step, iterations: Iterations, loop: SummarisableLoop, widths: Sequence[int]) -> None:
        self._step = step
        self._turns = iterations
        self._loop = loop
        self._widths = widths
        self._counters: tuple[int, ...] = ()
        """The phis that stages are made of."""
        self._begin = 0
        """Where the lead is least far."""
        self._is_in_turn = False
        """Whether there is one stage after the other, so that how far the loop is can be counted in iterations."""
        self._asks_when = False
        """Whether it matters when the loop comes to a stage: different ways may lead there, or it writes."""
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
            raise NotAtOnce("it writes, and begins at a symbolic stage")
        if not self._is_in_turn:
            if loop.lead not in self._counters:
                raise NotAtOnce("it begins at a symbolic stage")
            leads = [lead for start in starts if isinstance(lead := start[loop.lead], int)]
            self._begin = max(leads) if loop.is_falling else min(leads)
        stages = [self._stage(start, -1) for start in starts]
        arriving: dict[Stage, list[tuple[Value, Phis]]] = {}
        for stage, start in zip(stages, starts, strict=True):
            arriving[stage] = [(1, start)]
        visits, waiting = self._visits(arriving, sorted(arriving), 2 * MOST_ITERATIONS if others else MOST_ITERATIONS)
        if waiting and others:
            raise NotAtOnce("it has too many iterations")
        known = {stage: Onwards(beyond=1) for stage in waiting}
        for visit in reversed(visits):
            after = [(when, known[stage]) for when, stage in visit.following]
            known[visit.stage] = self._fold(visit.iteration, visit.again, after)
        ends = [arrival for stage in waiting for arrival in arriving[stage]]
        return [known[stage] for stage in stages], pick_phis(ends, self._widths)

    def _visits(
        self, arriving: dict[Stage, list[tuple[Value, Phis]]], waiting: list[Stage], most: int
    ) -> tuple[list[StageVisit], list[Stage]]:
        """The stages that the loop comes to, each after those that lead there, and those that are left after ``most``.

        ``arriving``, what comes to each stage, and on what condition (1 bit), is added to.
        """
        visits: list[StageVisit] = []
        while waiting and len(visits) < most:
            stage = heappop(waiting)
            arrivals = arriving[stage]
            here: Value = build.disjunction([when for when, _ in arrivals]) if self._asks_when else 1
            iteration, again = self._take(pick_phis(arrivals, self._widths), here)
            following: list[tuple[Value, Stage]] = []
            for when, phis in self._successors(iteration, again):
                target = self._stage(phis, stage[0])
                if target[0] <= stage[0]:
                    raise NotAtOnce("its counter wraps")
                if target not in arriving:
                    arriving[target] = []
                    heappush(waiting, target)
                arriving[target].append((build.both(here, when), phis))
                following.append((when, target))
            visits.append(StageVisit(stage, iteration, again, tuple(following)))
        return visits, waiting

    def _stage(self, phis: Phis, before: int) -> Stage:
        """Where the loop is with these values of the phis, one iteration after a stage that is ``before`` far."""
        values = [phis[counter] for counter in self._counters]
        if self._is_in_turn:
            return (before + 1,)
        lead = phis[self._loop.lead]
        assert isinstance(lead, int)
        far = self._begin - lead if self._loop.is_falling else lead - self._begin
        return (far & (1 << self._widths[self._loop.lead]) - 1, *values)  # type: ignore[arg-type]  # counters are ints

    def _take(self, phis: Phis, when: Value) -> tuple[LoopIteration, Value]:
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
        return iteration, decide_cheaply(self._step, iteration.again)

    def _successors(self, iteration: LoopIteration, again: Value) -> list[tuple[Value, Phis]]:
        """What the phis may hold in the next iteration, with when (1 bit); the counters are constants there."""
        if again == 0:
            return []
        apart = tell_apart(iteration.following, self._counters, self._widths)
        if len(apart) == 1:
            return [(again, apart[0][1])]
        ways = [(decide_cheaply(self._step, build.both(again, when)), phis) for when, phis in apart]
        return [(when, phis) for when, phis in ways if when != 0]

    def _fold(self, iteration: LoopIteration, again: Value, following: Sequence[tuple[Value, Onwards]]) -> Onwards:
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

    def _leave(self, iteration: LoopIteration, onwards: Onwards) -> None:
        for leaving in iteration.leavings:
            exit_ = (leaving.block, leaving.way.successor)
            onwards.alternatives += 1
            self._lead_out(onwards, exit_, leaving.condition, leaving.condition, leaving.values)
        for condition, fault in iteration.faults:
            line = (fault.kind, fault.position)
            onwards.faults[line] = build.either(condition, onwards.faults.get(line, 0))


def tell_apart(phis: Phis, counters: Sequence[int], widths: Sequence[int]) -> list[tuple[Value, Phis]]:
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
            raise NotAtOnce("an iteration may lead to many stages")
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
    begin = constants_of(value, width)
    if begin is None and value.high - value.low >= FEW_VALUES:
        raise NotAtOnce("its counter is no choice of constants")
    stages = range(value.low, value.high + 1) if begin is None else begin.constants
    return [(build.eq(value, stage, width), {**phis, counter: stage}) for stage in stages]


# --- one loop ----


def begin_of(step: Step, value: Term, width: int) -> Begin:
    """Where a loop begins whose counter is symbolic."""
    begin = constants_of(value, width)
    if begin is not None:
        return begin
    low, high = step.chain.bounds(step.state.path, value, width)
    if high - low >= MOST_ITERATIONS:
        raise NotAtOnce("it begins at a symbolic stage")
    bits_of_index = (high - low).bit_length()
    index = build.extract(build.sub(value, low, width), 0, bits_of_index) if bits_of_index else 0
    return Begin(range(low, high + 1), lambda values, bits: build.lookup(index, bits_of_index, values, bits))


def as_it_is(condition: Value) -> Value:
    """The path is not asked."""
    return condition


class SummarisedLoop:
    """One loop that scans, ready to be taken at once."""

    def __init__(
        self, facts: FunctionFacts, loop: SummarisableLoop, blocks: Callable[[Sequence[int]], list[LoopBlock]]
    ) -> None:
        self._facts = facts
        self._loop = loop
        self._blocks_of = blocks
        self.widths = [0 if kind == VOID else layout.bits_of(kind) for kind in facts.types]
        self._trust = TRUST
        """How often more it may be taken in vain, where fewer paths lead out of it than it has turns, or in no step."""

    @cached_property
    def _blocks(self) -> list[LoopBlock]:
        return self._blocks_of(self._loop.order)

    def _read_after(self, block: int, target: int) -> tuple[int, ...]:
        """The registers written in the loop that may be read after an edge out of it."""
        liveness = self._facts.liveness
        mask = liveness.along(block, target, liveness.entry) & self._written
        return tuple([i for i in range(mask.bit_length()) if mask >> i & 1])

    @cached_property
    def _written(self) -> int:
        blocks = [self._facts.function.blocks[number] for number in self._loop.order]
        mask = sum(1 << phi.result for block in blocks for phi in block.phis)
        return mask | sum(
            1 << instruction.result for block in blocks for instruction in block.body if instruction.result >= 0
        )

    @property
    def at_once(self) -> AtOnce:
        """When it is taken: what costs more than its turns on paths that know the elements waits for a fork."""
        if self._loop.is_even and not self._loop.writes:
            return AtOnce(self.take, not_at_once)
        return AtOnce(not_at_once, lambda step: self._trust > 0 and self.take(step))

    def _judge(self, was_good: bool) -> None:
        self._trust = min(TRUST, self._trust + 1) if was_good else self._trust - 1

    # --- taking it ---

    def take(self, step: Step) -> bool:
        """Take the loop, whose current iteration begins again, to its end; False where each has to be run."""
        state = step.state
        registers = state.frames[-1].registers
        phis = {phi.result: registers[phi.result] for phi in self._facts.function.blocks[self._loop.head].phis}
        twin = state.fork()
        known = as_it_is if self._loop.is_even else partial(decide_cheaply, step)
        iterations = Iterations(step, twin, self._loop.head, self._blocks, self._read_after, self._loop.writes, known)
        summary = LoopSummary(step, iterations, self._loop, self.widths)
        try:
            onwards, following = self._onwards(step, summary, phis)
        except NotAtOnce:
            self._judge(was_good=False)
            return False
        self._judge(onwards.alternatives >= summary.iterations)
        for name in TOUCHED:
            setattr(state, name, getattr(twin, name))
        state.instructions += summary.instructions
        _go_on(step, summary, onwards, lambda step, side: self._at_head(side, following))
        return True

    def _onwards(self, step: Step, summary: LoopSummary, phis: Phis) -> tuple[Onwards, Phis]:
        """What comes of the loop, and what the phis of the head hold after the last iteration."""
        if not all(isinstance(value, int | Term) for value in phis.values()):
            raise NotAtOnce("a register holds no number")
        if not any(isinstance(phis[result], Term) for result in self._loop.addressing):
            (onwards,), following = summary.along([phis])
            return onwards, following
        if len(phis) > 1:
            raise NotAtOnce("it begins at a symbolic stage, and has more than one counter")
        ((result, value),) = phis.items()
        assert isinstance(value, Term)
        begin = begin_of(step, value, self.widths[result])
        summaries, following = summary.along([{result: stage} for stage in begin.constants])
        return _pick(begin, summaries, self.widths), following

    def _at_head(self, state: State, phis: Phis) -> None:
        frame = state.frames[-1]
        for result, value in phis.items():
            frame.registers[result] = value
        frame.block, frame.index = self._loop.head, 0


def _pick(begin: Begin, summaries: Sequence[Onwards], widths: Sequence[int]) -> Onwards:
    """What comes of a loop that begins at the one of the constants that is meant."""
    whole = Onwards(alternatives=-(-sum(onwards.alternatives for onwards in summaries) // len(summaries)))

    def pick(tables: list[dict[Key, Value]]) -> dict[Key, Value]:
        keys = {key: None for table in tables for key in table}
        return {key: begin.pick([table.get(key, 0) for table in tables], 1) for key in keys}

    whole.exits = pick([onwards.exits for onwards in summaries])
    whole.faults = pick([onwards.faults for onwards in summaries])
    whole.taken = pick([onwards.taken for onwards in summaries])
    for exit_ in whole.exits:
        some = next(onwards.values[exit_] for onwards in summaries if exit_ in onwards.values)
        whole.values[exit_] = {
            register: begin.pick([onwards.values.get(exit_, some)[register] for onwards in summaries], widths[register])
            for register in some
        }
    return whole


def rebase(value: Value) -> Value:
    """A choice of addresses in one object as its address plus a choice of offsets, which stays one however large."""
    if not isinstance(value, Term) or value.width != 64 or value.alternatives < 2:
        return value
    addresses = build.leaves(value, MOST_CHOICES)
    if addresses is None or addresses[0] < LEAST_ADDRESS:
        return value
    base = address_of(object_of(addresses[0]))
    if any(abs(address - base) > NEAR for address in addresses):
        return value
    return build.add(build.spread(lambda leaf: leaf - base & MASK_64, value, 64), base, 64)


# --- where it goes on ------------------------------------------------------------------------------------------------


def _go_on(step: Step, summary: LoopSummary, onwards: Onwards, at_head: Edge) -> None:
    """Move the state to where the loop leads; one state for each kind of exit, and a fault for each line."""
    state = step.state
    _fail(step, summary, onwards)
    _show(step, onwards)
    exits = [(condition, exit_) for exit_, condition in onwards.exits.items() if condition != 0]
    kinds = [(condition, _leaving(summary.ways[exit_], onwards.values[exit_])) for condition, exit_ in exits]
    if onwards.beyond != 0:
        kinds.append((onwards.beyond, at_head))
    is_only = len(kinds) == 1 and not any(onwards.faults.values())

    def along(edge: Edge) -> Edge:
        def go(step: Step, side: State) -> None:
            side.multiplicity *= max(1, onwards.alternatives)
            edge(step, side)

        return go

    paths = [state.path if is_only else step.chain.assume(state.path, condition) for condition, _ in kinds]
    diverge(step, [(path, along(edge)) for path, (_, edge) in zip(paths, kinds, strict=True)])


def _leaving(way: Way, values: Mapping[int, Value]) -> Edge:
    def go(step: Step, state: State) -> None:
        registers = state.frames[-1].registers
        for register, value in values.items():
            registers[register] = rebase(value)
        way.take(step, state)

    return go


def _fail(step: Step, summary: LoopSummary, onwards: Onwards) -> None:
    """The faults that the loop may meet."""
    state = step.state
    for line, condition in onwards.faults.items():
        path = step.chain.assume(state.path, condition)
        if isinstance(path, Unsat):
            continue
        side = state.fork()
        if isinstance(path, PathCondition):
            side.path = path
            step.outcomes.append(Failed(side, summary.faults[line]))
        else:
            step.outcomes.append(Killed(side, "solver-unknown", f"{line[0]}: {path.reason}"))


def _show(step: Step, onwards: Onwards) -> None:
    """Note paths among those taken together that take branch edges which no path has taken."""
    state, coverage = step.state, step.coverage
    waiting = {edge: condition for edge, condition in onwards.taken.items() if not coverage.passed[edge]}
    for edge in [edge for edge, condition in waiting.items() if condition == 1]:
        coverage.hit(state, edge)
        del waiting[edge]
    while waiting:
        edge, condition = next(iter(waiting.items()))
        del waiting[edge]
        path = step.chain.assume(state.path, condition)
        if not isinstance(path, PathCondition):
            continue
        example = state.fork()
        example.path = path
        model = path.model()
        coverage.hit(example, edge)
        for other in [other for other, when in waiting.items() if evaluate(when, model)]:
            coverage.hit(example, other)
            del waiting[other]
        coverage.show(example)
