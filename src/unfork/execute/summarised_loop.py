"""A loop that scans, taken in one step: the place where it ends is a choice of constants, made by the elements.

What comes of the loop is put together iteration by iteration (`loop_summary.py`); a counter that begins as a choice of
constants picks among what comes of each. There is one successor for each kind of exit: a way out of the loop, a fault
at one line, or, after MOST_ITERATIONS iterations, the loop's head again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial

from unfork.contracts.outcome import Failed, Killed, Running
from unfork.execute.control import AtOnce, Way, not_at_once
from unfork.execute.iterations import Block, Iterations, NotAtOnce
from unfork.execute.loop_summary import MOST_ITERATIONS, LoopSummary, Onwards, Phis
from unfork.execute.spans import MOST_CHOICES, Begin, decided, places_of
from unfork.execute.step import PathEnded, Step
from unfork.facts.function_facts import FunctionFacts
from unfork.facts.summarisable_loops import SummarisableLoop
from unfork.llvm import layout
from unfork.llvm.types import VOID
from unfork.logic import build
from unfork.logic.evaluate import evaluate
from unfork.logic.path import PathCondition
from unfork.logic.solver import Unknown, Unsat
from unfork.logic.term import Term, Value
from unfork.state.memory import FIRST_STATIC, address_of, object_of
from unfork.state.state import State

TRUST = 8
"""So much more often than it was good a loop may be taken in vain, if its turns are cheap where the path knows much."""
NEAR = 1 << 20
"""Addresses nearer to their object than this are told by their offsets."""
MASK_64 = (1 << 64) - 1
LEAST_ADDRESS = address_of(FIRST_STATIC)
TOUCHED = ("memory", "inputs", "input_counts", "remembered", "lazy", "path")
"""What reading memory may change in a state."""


def begin_of(step: Step, value: Term, width: int) -> Begin:
    """Where a loop begins whose counter is symbolic."""
    begin = places_of(value, width)
    if begin is not None:
        return begin
    low, high = step.chain.bounds(step.state.path, value, width)
    if high - low >= MOST_ITERATIONS:
        raise NotAtOnce("it begins at a symbolic place")
    bits_of_index = (high - low).bit_length()
    index = build.extract(build.sub(value, low, width), 0, bits_of_index) if bits_of_index else 0
    return Begin(range(low, high + 1), lambda values, bits: build.lookup(index, bits_of_index, values, bits))


def as_it_is(condition: Value) -> Value:
    """The path is not asked."""
    return condition


class SummarisedLoop:
    """One loop that scans, ready to be taken at once."""

    def __init__(
        self, facts: FunctionFacts, loop: SummarisableLoop, blocks: Callable[[Sequence[int]], list[Block]]
    ) -> None:
        self._facts = facts
        self._loop = loop
        self._made = blocks
        self.widths = [0 if kind == VOID else layout.bits_of(kind) for kind in facts.types]
        self._trust = TRUST
        """How often more it may be taken in vain, where fewer paths lead out of it than it has turns, or in no step."""

    @cached_property
    def _blocks(self) -> list[Block]:
        return self._made(self._loop.order)

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
        known = as_it_is if self._loop.is_even else partial(decided, step)
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
        _go_on(step, summary, onwards, lambda side: self._at_head(side, following))
        return True

    def _onwards(self, step: Step, summary: LoopSummary, phis: Phis) -> tuple[Onwards, Phis]:
        """What comes of the loop, and what the phis of the head hold after the last iteration."""
        if not all(isinstance(value, int | Term) for value in phis.values()):
            raise NotAtOnce("a register holds no number")
        if not any(isinstance(phis[result], Term) for result in self._loop.addressing):
            (onwards,), following = summary.along([phis])
            return onwards, following
        if len(phis) > 1:
            raise NotAtOnce("it begins at a symbolic place, and has more than one counter")
        ((result, value),) = phis.items()
        assert isinstance(value, Term)
        begin = begin_of(step, value, self.widths[result])
        summaries, following = summary.along([{result: place} for place in begin.places])
        return _picked(begin, summaries, self.widths), following

    def _at_head(self, state: State, phis: Phis) -> None:
        frame = state.frames[-1]
        for result, value in phis.items():
            frame.registers[result] = value
        frame.block, frame.index = self._loop.head, 0


def _picked(begin: Begin, summaries: Sequence[Onwards], widths: Sequence[int]) -> Onwards:
    """What comes of a loop that begins at the place that is meant."""
    whole = Onwards(alternatives=-(-sum(onwards.alternatives for onwards in summaries) // len(summaries)))
    for exit_ in {exit_: None for onwards in summaries for exit_ in onwards.exits}:
        whole.exits[exit_] = begin.pick([onwards.exits.get(exit_, 0) for onwards in summaries], 1)
        some = next(onwards.values[exit_] for onwards in summaries if exit_ in onwards.values)
        whole.values[exit_] = {
            register: begin.pick([onwards.values.get(exit_, some)[register] for onwards in summaries], widths[register])
            for register in some
        }
    for line in {line: None for onwards in summaries for line in onwards.faults}:
        whole.faults[line] = begin.pick([onwards.faults.get(line, 0) for onwards in summaries], 1)
    for edge in {edge: None for onwards in summaries for edge in onwards.taken}:
        whole.taken[edge] = begin.pick([onwards.taken.get(edge, 0) for onwards in summaries], 1)
    return whole


def rebased(value: Value) -> Value:
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


def _go_on(step: Step, summary: LoopSummary, onwards: Onwards, at_head: Callable[[State], None]) -> None:
    """Move the state to where the loop leads; one state for each kind of exit, and a fault for each line."""
    state = step.state
    _fail(step, summary, onwards)
    _show(step, onwards)
    kinds: list[tuple[Value, Callable[[State], None]]] = []
    for exit_, condition in onwards.exits.items():
        if condition != 0:
            kinds.append((condition, _leaving(step, summary.ways[exit_], onwards.values[exit_])))
    if onwards.beyond != 0:
        kinds.append((onwards.beyond, at_head))
    if len(kinds) == 1 and not any(onwards.faults.values()):
        sides: list[tuple[PathCondition, Callable[[State], None]]] = [(state.path, kinds[0][1])]
    else:
        sides = []
        for condition, go in kinds:
            path = step.chain.assume(state.path, condition)
            if isinstance(path, PathCondition):
                sides.append((path, go))
            elif isinstance(path, Unknown):
                step.outcomes.append(Killed(state.fork(), "solver-unknown", path.reason))
    if not sides:
        raise PathEnded
    state.multiplicity *= max(1, onwards.alternatives)
    states = step.parts(len(sides))
    for side, (path, go) in zip(states, sides, strict=True):
        side.path = path
        go(side)
    step.outcomes += [Running(side) for side in states[1:]]
    step.state = state


def _leaving(step: Step, way: Way, values: Mapping[int, Value]) -> Callable[[State], None]:
    def go(state: State) -> None:
        registers = state.frames[-1].registers
        for register, value in values.items():
            registers[register] = rebased(value)
        step.state = state
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
