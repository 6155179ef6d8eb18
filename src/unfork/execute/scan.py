"""A loop that scans, taken in one step: the place where it ends is a choice of constants, made by the elements.

What a turn comes to depends on where its counter stands and on nothing that other turns have computed, so the turns
are put together from the last one backwards: at each place, this turn's ways out, else what comes of the next. A
counter that begins as a choice of constants picks among these. There is one successor for each kind of exit: a way out
of the loop, a fault at one line, or, behind MOST_TURNS turns, the loop's head again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from unfork.contracts.faults import Fault
from unfork.contracts.outcome import Failed, Killed, Running
from unfork.execute.control import Way
from unfork.execute.operands import Semantics
from unfork.execute.spans import MOST_CHOICES, Begin, decided, places_of
from unfork.execute.step import PathEnded, Step
from unfork.execute.turns import Block, NotAtOnce, Turn, Turns
from unfork.logic import build
from unfork.logic.evaluate import evaluate
from unfork.logic.path import PathCondition
from unfork.logic.solver import Unknown, Unsat
from unfork.logic.term import Term, Value
from unfork.program import layout
from unfork.program.function_facts import FunctionFacts
from unfork.program.scan_loops import ScanLoop
from unfork.program.types import VOID, Position
from unfork.state.memory import FIRST_STATIC, address_of, object_of
from unfork.state.state import State

MOST_TURNS = 256
"""So many turns are taken at once; then the loop goes on from its head, as a path of its own."""
NEAR = 1 << 20
"""Addresses nearer to their object than this are told by their offsets."""
MASK_64 = (1 << 64) - 1
LEAST_ADDRESS = address_of(FIRST_STATIC)
TOUCHED = ("memory", "inputs", "input_counts", "remembered", "lazy", "path")
"""What reading memory may change in a state."""
Bodies = Callable[[int], Sequence[tuple[Semantics, Position | None, bool]]]
"""The instructions of a block, with positions."""

Exit = tuple[int, int]
"""A way out of a loop: the block and the number of its successor."""
Line = tuple[str, Position | None]
"""A fault's kind and position."""
Key = Exit | Line | int


@dataclass(slots=True)
class Onwards:
    """What comes of a loop from a turn on: every condition is 1 bit."""

    exits: dict[Exit, Value] = field(default_factory=dict)
    values: dict[Exit, dict[int, Value]] = field(default_factory=dict)
    """What the registers hold that are read behind an exit; it means something where that is taken."""
    faults: dict[Line, Value] = field(default_factory=dict)
    taken: dict[int, Value] = field(default_factory=dict)
    """The branch edges within the loop that are taken at some time."""
    alternatives: int = 0
    """How many ways there are out of it, turn by turn."""
    beyond: Value = 0
    """Whether the loop goes on behind the last turn."""


def places_within(value: Term, low: int, high: int, width: int) -> Begin:
    """The places from ``low`` to ``high``, between which the value lies."""
    bits_of_index = (high - low).bit_length()
    index = build.extract(build.sub(value, low, width), 0, bits_of_index) if bits_of_index else 0
    return Begin(range(low, high + 1), lambda values, bits: build.lookup(index, bits_of_index, values, bits))


class Course:
    """Turns one after the other, and what comes of them together."""

    def __init__(self, step: Step, turns: Turns, widths: Sequence[int]) -> None:
        self._step = step
        self._turns = turns
        self._widths = widths
        self.ways: dict[Exit, Way] = {}
        self.faults: dict[Line, Fault] = {}
        self.instructions = 0

    def begin(self, value: Term, width: int) -> Begin:
        """Where a loop begins whose counter is symbolic."""
        begin = places_of(value, width)
        if begin is not None:
            return begin
        low, high = self._step.chain.bounds(self._step.state.path, value, width)
        if high - low >= MOST_TURNS:
            raise NotAtOnce("it begins at a symbolic place")
        return places_within(value, low, high, width)

    def take(self, phis: dict[int, Value]) -> tuple[Turn, Value]:
        """One turn, and whether there is another one behind it, as far as the path knows without much asking."""
        turn = self._turns.turn(phis)
        self.instructions += turn.instructions
        for leaving in turn.leavings:
            self.ways[leaving.block, leaving.way.successor] = leaving.way
        for _, fault in turn.faults:
            self.faults.setdefault((fault.kind, fault.position), fault)
        return turn, decided(self._step, turn.again)

    def folded(self, turn: Turn, again: Value, after: Onwards) -> Onwards:
        """What comes of the loop from ``turn`` on, if ``after`` comes of the next one."""
        onwards = Onwards(beyond=build.both(again, after.beyond), alternatives=after.alternatives)
        for exit_, condition in after.exits.items():
            onwards.exits[exit_] = build.both(again, condition)
            onwards.values[exit_] = after.values[exit_]
        for line, condition in after.faults.items():
            onwards.faults[line] = build.both(again, condition)
        for edge, condition in after.taken.items():
            onwards.taken[edge] = build.both(again, condition)
        if again != 1:
            self._leave(turn, onwards, after)
        passed = self._step.coverage.passed
        for edge, condition in turn.taken:
            if not passed[edge]:
                onwards.taken[edge] = build.either(condition, onwards.taken.get(edge, 0))
        return onwards

    def _leave(self, turn: Turn, onwards: Onwards, after: Onwards) -> None:
        for leaving in turn.leavings:
            exit_ = (leaving.block, leaving.way.successor)
            onwards.alternatives += 1
            when = leaving.condition
            onwards.exits[exit_] = build.either(when, onwards.exits.get(exit_, 0))
            later = after.values.get(exit_, leaving.values)
            onwards.values[exit_] = {
                register: build.ite(when, value, later[register], self._widths[register])
                for register, value in leaving.values.items()
            }
        for condition, fault in turn.faults:
            line = (fault.kind, fault.position)
            onwards.faults[line] = build.either(condition, onwards.faults.get(line, 0))


class ScanCode:
    """One loop that scans, ready to be taken at once."""

    def __init__(self, facts: FunctionFacts, loop: ScanLoop, blocks: Callable[[Sequence[int]], list[Block]]) -> None:
        self._facts = facts
        self._loop = loop
        self._made = blocks
        self.widths = [0 if kind == VOID else layout.bits_of(kind) for kind in facts.types]

    @cached_property
    def _blocks(self) -> list[Block]:
        return self._made(self._loop.order)

    def _read_behind(self, block: int, target: int) -> tuple[int, ...]:
        """The registers written in the loop that may be read behind an edge out of it."""
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

    # --- taking it ---

    def take(self, step: Step) -> bool:
        """Take the loop, whose current turn begins again, to its end; False where it has to be run turn by turn."""
        state = step.state
        registers = state.frames[-1].registers
        phis = {phi.result: registers[phi.result] for phi in self._facts.function.blocks[self._loop.head].phis}
        twin = state.fork()
        turns = Turns(step, twin, self._loop.head, self._blocks, self._read_behind)
        course = Course(step, turns, self.widths)
        try:
            onwards, following = self._onwards(course, phis)
        except NotAtOnce:
            return False
        for name in TOUCHED:
            setattr(state, name, getattr(twin, name))
        state.instructions += course.instructions
        _go_on(step, course, onwards, lambda side: self._at_head(side, following))
        return True

    def _onwards(self, course: Course, phis: dict[int, Value]) -> tuple[Onwards, dict[int, Value]]:
        """What comes of the loop, and what the phis of the head hold behind the last turn."""
        if not all(isinstance(value, int | Term) for value in phis.values()):
            raise NotAtOnce("a register holds no number")
        if not any(isinstance(phis[result], Term) for result in self._loop.addressing):
            return _in_turn(course, phis)
        if len(phis) > 1:
            raise NotAtOnce("it begins at a symbolic place, and has more than one counter")
        ((result, value),) = phis.items()
        assert isinstance(value, Term)
        return self._from_choice(course, result, value), {}

    def _from_choice(self, course: Course, counter: int, value: Term) -> Onwards:
        """What comes of the loop where its only counter begins at one of several known places."""
        width = self.widths[counter]
        mask = (1 << width) - 1
        begin = course.begin(value, width)
        known: dict[int, Onwards] = {}
        for start in begin.places:
            place: Value = start
            met: list[tuple[int, Turn, Value]] = []
            while place not in known:
                if len(known) + len(met) >= 2 * MOST_TURNS:
                    raise NotAtOnce("it has too many turns")
                assert isinstance(place, int)
                turn, again = course.take({counter: place & mask})
                met.append((place, turn, again))
                if again == 0:
                    break
                place = turn.following[counter]
            onwards = known.get(place) or Onwards()
            for place, turn, again in reversed(met):
                onwards = known[place] = course.folded(turn, again, onwards)
        return _picked(begin, [known[start] for start in begin.places], self.widths)

    def _at_head(self, state: State, phis: dict[int, Value]) -> None:
        frame = state.frames[-1]
        for result, value in phis.items():
            frame.registers[result] = value
        frame.block, frame.index = self._loop.head, 0


def _in_turn(course: Course, phis: dict[int, Value]) -> tuple[Onwards, dict[int, Value]]:
    """What comes of the loop where its counters begin as known numbers."""
    met: list[tuple[Turn, Value]] = []
    again: Value = 1
    while again != 0 and len(met) < MOST_TURNS:
        turn, again = course.take(phis)
        met.append((turn, again))
        phis = turn.following
    onwards = Onwards(beyond=int(again != 0))
    for turn, again in reversed(met):
        onwards = course.folded(turn, again, onwards)
    return onwards, phis


def _picked(begin: Begin, courses: Sequence[Onwards], widths: Sequence[int]) -> Onwards:
    """What comes of a loop that begins at the place that is meant."""
    whole = Onwards(alternatives=-(-sum(onwards.alternatives for onwards in courses) // len(courses)))
    for exit_ in {exit_: None for onwards in courses for exit_ in onwards.exits}:
        whole.exits[exit_] = begin.pick([onwards.exits.get(exit_, 0) for onwards in courses], 1)
        some = next(onwards.values[exit_] for onwards in courses if exit_ in onwards.values)
        whole.values[exit_] = {
            register: begin.pick([onwards.values.get(exit_, some)[register] for onwards in courses], widths[register])
            for register in some
        }
    for line in {line: None for onwards in courses for line in onwards.faults}:
        whole.faults[line] = begin.pick([onwards.faults.get(line, 0) for onwards in courses], 1)
    for edge in {edge: None for onwards in courses for edge in onwards.taken}:
        whole.taken[edge] = begin.pick([onwards.taken.get(edge, 0) for onwards in courses], 1)
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


def _go_on(step: Step, course: Course, onwards: Onwards, at_head: Callable[[State], None]) -> None:
    """Move the state to where the loop leads; one state for each kind of exit, and a fault for each line."""
    state = step.state
    _fail(step, course, onwards)
    _show(step, onwards)
    kinds: list[tuple[Value, Callable[[State], None]]] = []
    for exit_, condition in onwards.exits.items():
        if condition != 0:
            kinds.append((condition, _leaving(step, course.ways[exit_], onwards.values[exit_])))
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


def _fail(step: Step, course: Course, onwards: Onwards) -> None:
    """The faults that the loop may meet."""
    state = step.state
    for line, condition in onwards.faults.items():
        path = step.chain.assume(state.path, condition)
        if isinstance(path, Unsat):
            continue
        side = state.fork()
        if isinstance(path, PathCondition):
            side.path = path
            step.outcomes.append(Failed(side, course.faults[line]))
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
