"""One iteration of a loop that scans, taken on all its paths at once: who leaves where, and what the next begins with.

An iteration makes no fork. Each block runs under the condition that the iteration comes there, each phi is a choice
among the blocks before it, and a fault is noted with the condition under which it happens.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from unfork.engine.instructions.access import stored
from unfork.engine.instructions.control import Terminators, Way, Ways
from unfork.engine.memory.loads import MADE_AS_READ, has_order, read_at
from unfork.engine.memory.pieces import put
from unfork.engine.memory.resolve import resolve
from unfork.engine.memory.spans import constants_of
from unfork.engine.protocols.outcome import Failed, Fault
from unfork.engine.state.inputs import unwritten_symbols
from unfork.engine.state.memory import object_of, offset_in
from unfork.engine.state.state import RegisterValue, State
from unfork.engine.step.conduct import NOWHERE, Conduct, InputSource
from unfork.engine.step.operands import Read, Registers, Semantics, reader
from unfork.engine.step.statics import Statics
from unfork.engine.step.step import UNINITIALISED, PathEnded, Split, Step
from unfork.errors import Unsupported
from unfork.logic.solve.path import PathCondition
from unfork.logic.solve.solver import FOREVER, Feasibility, PathQuestions, Statistics
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.program.facts.function_facts import FunctionFacts
from unfork.program.facts.summarisable_loops import with_dominator
from unfork.program.llvm import layout
from unfork.program.llvm.ir import Call, GlobalAddress, Load, Return, Store
from unfork.program.llvm.types import PointerType, Position


class NotAtOnce(Exception):
    """The loop has to be run iteration by iteration here."""


@dataclass(frozen=True, slots=True)
class LoopBlock:
    """A block of a loop, ready to run. ``phis`` are results with their types' widths and operands by block before.

    ``dominator``: an iteration comes here whenever it gets through that block, unless there is a fault in between.
    """

    number: int
    dominator: int | None
    phis: tuple[tuple[int, int, dict[int, Read]], ...]
    body: Sequence[tuple[Semantics, Position | None, bool]]
    ways: Ways
    calls: Mapping[int, PlainCall]
    """The calls among its instructions of functions that only compute a value, by their numbers."""
    accesses: Mapping[int, PlainAccess]
    """The loads and stores among its instructions, by their numbers."""
    foreign: frozenset[int]
    """The calls of modelled functions that are given a pointer."""


@dataclass(frozen=True, slots=True)
class PlainAccess:
    """A load or a store of ``size`` bytes; ``value`` reads what a store writes, and is None for a load."""

    pointer: Read
    size: int
    value: Callable[[Step, Registers], Value] | None


@dataclass(frozen=True, slots=True)
class PlainCall:
    """A call of a function of the program that only computes a value. ``fits``: it passes what the function takes."""

    code: PlainCode
    arguments: Sequence[Read]
    result: int
    width: int
    fits: bool


Body = Sequence[tuple[Semantics, Position | None, bool]]
NO_WAYS = Ways((), lambda step, registers: [])
"""Of a block that returns."""


class PlainCode:
    """Blocks of one function that only compute, ready to be run on all their paths at once.

    ``called`` gives the code of another function by name, None if the program has none.
    """

    def __init__(
        self,
        facts: FunctionFacts,
        statics: Statics,
        terminators: Terminators,
        body: Callable[[int], Body],
        called: Callable[[str], PlainCode | None],
    ) -> None:
        self.function = facts.function
        self._flow = facts.flow
        self._statics = statics
        self._terminators = terminators
        self._body = body
        self._called = called

    def blocks(self, order: Sequence[int]) -> list[LoopBlock]:
        """Blocks, each before those that follow it."""
        joining = with_dominator(order, self._flow)
        return [self._block(number, number in joining) for number in order]

    @cached_property
    def whole(self) -> list[LoopBlock]:
        """All of them, for a call."""
        return self.blocks(self._flow.order)

    @cached_property
    def returned(self) -> dict[int, Read]:
        """What each block returns."""
        ends = {number: self.function.blocks[number].body[-1] for number in self._flow.order}
        return {
            number: reader(end.value, self._statics)
            for number, end in ends.items()
            if isinstance(end, Return) and end.value is not None
        }

    def _block(self, number: int, joins: bool) -> LoopBlock:
        block = self.function.blocks[number]
        phis = []
        for phi in block.phis:
            operands = {before: reader(value, self._statics) for value, before in phi.incoming}
            phis.append((phi.result, layout.bits_of(phi.type), operands))
        calls, accesses = {}, {}
        foreign = set()
        for index, instruction in enumerate(block.body):
            match instruction:
                case Call():
                    call = self._call(instruction)
                    if call is not None:
                        calls[index] = call
                    elif any(isinstance(argument.type, PointerType) for argument in instruction.arguments):
                        foreign.add(index)
                case Load(pointer=pointer, type=kind):
                    accesses[index] = PlainAccess(reader(pointer, self._statics), layout.store_size(kind), None)
                case Store(pointer=pointer, type=kind):
                    value = stored(instruction, self._statics)
                    accesses[index] = PlainAccess(reader(pointer, self._statics), layout.store_size(kind), value)
        dominator = self._flow.dominators[number] if joins else None
        ways = NO_WAYS if isinstance(block.body[-1], Return) else self._terminators.ways(number)
        return LoopBlock(number, dominator, tuple(phis), self._body(number), ways, calls, accesses, frozenset(foreign))

    def _call(self, call: Call) -> PlainCall | None:
        """A call of a function of the program; None for one that has a model."""
        assert isinstance(call.callee, GlobalAddress)
        code = self._called(call.callee.name)
        if code is None:
            return None
        arguments = [reader(operand, self._statics) for operand in call.arguments]
        width = layout.bits_of(call.type.result) if call.result >= 0 else 0
        given, taken = tuple([operand.type for operand in call.arguments]), code.function.type
        fits = (given, call.type.result) == (taken.parameters, taken.result)
        return PlainCall(code, arguments, call.result, width, fits)


Leave = Callable[[LoopBlock, Way | None, Value], None]
"""Told of each way out of blocks that are gone through, and when it is taken (1 bit); None where a block returns."""


@dataclass(frozen=True, slots=True)
class Leaving:
    """A way out of the loop: when it is taken (1 bit), and what the registers hold that are read after it."""

    block: int
    way: Way
    condition: Value
    values: dict[int, Value]


@dataclass(frozen=True, slots=True)
class LoopIteration:
    """What an iteration comes to. Its conditions exclude each other, and one of them holds."""

    leavings: tuple[Leaving, ...]
    faults: tuple[tuple[Value, Fault], ...]
    again: Value
    """Whether there is another iteration (1 bit)."""
    following: dict[int, Value]
    """What the phis of the head hold then."""
    taken: tuple[tuple[int, Value], ...]
    """The branch edges within the loop that coverage counts, each with when it is taken (1 bit)."""
    instructions: int


class Questions:
    """What an iteration may ask about the path: whatever would part it has no answer."""

    deadline = FOREVER

    def __init__(self, chain: PathQuestions) -> None:
        self._chain = chain
        self.statistics = Statistics()

    def assume(self, path: PathCondition, condition: Value) -> Feasibility:
        raise NotAtOnce("an iteration assumes something, or splits")

    def branch(self, path: PathCondition, condition: Value) -> tuple[Feasibility, Feasibility]:
        raise NotAtOnce("an iteration decides something besides its branches")

    def must(self, path: PathCondition, condition: Value) -> bool:
        return self._chain.must(path, condition)

    def evaluate(self, path: PathCondition, value: Value) -> int:
        raise NotAtOnce("an iteration needs a known number")

    def values(self, path: PathCondition, value: Value, width: int, limit: int) -> tuple[list[int], bool]:
        raise NotAtOnce("an iteration needs a known number")

    def bounds(self, path: PathCondition, value: Value, width: int) -> tuple[int, int]:
        return self._chain.bounds(path, value, width)


class Together(Conduct):
    """How a step treats an iteration: faults are noted under the condition that holds where they happen."""

    def __init__(self, chain: PathQuestions, source: InputSource) -> None:
        super().__init__(Questions(chain), source)
        self.guard: Value = 1
        """When the iteration comes here (1 bit)."""
        self.failing: list[Value] = []
        """The conditions of the faults that were met last, one for each that the step reports."""

    def check(self, path: PathCondition, condition: Value, kind: str) -> tuple[Feasibility, Feasibility]:
        """Both sides are on the path: the fault under its own condition."""
        self.failing.append(build.both(self.guard, build.negate(condition)))
        self.guard = build.both(self.guard, condition)
        return path, path

    def written(self, state: State, value: Term) -> tuple[Feasibility, Feasibility]:
        if unwritten_symbols(value, state.inputs):
            raise NotAtOnce("an iteration looks at uninitialised bytes")
        return state.path, NOWHERE


class Iterations:
    """Takes iterations of one loop on a state, which is changed only by what reading memory makes in it."""

    def __init__(
        self,
        step: Step,
        state: State,
        head: int,
        blocks: Sequence[LoopBlock],
        read_after: Callable[[int, int], Sequence[int]],
        writes: bool,
        known: Callable[[Value], Value],
    ) -> None:
        """``known`` gives a branch's condition, as a constant if the path knows it.

        ``read_after`` gives the registers to keep on the edge from a block of the loop to one after it.
        """
        self._writes = writes
        self._known = known
        self._seen: set[int] = set()
        self._changed: set[int] = set()
        """The objects that a loop that ``writes`` has looked at, and those that it has written to."""
        self._head = head
        self._blocks = blocks
        self._read_after = read_after
        self._conduct = Together(step.chain, step.source)
        self._step = step.beside(self._conduct, step.coverage)
        self._step.state = state
        self._registers: Registers = state.frames[-1].registers
        self._faults: list[tuple[Value, Fault]] = []
        self._taken: list[tuple[int, Value]] = []
        self._count = 0
        """What the current iteration has come by: faults, branch edges, and how many instructions."""
        self._when: Value = 1
        """When the loop comes to the current iteration (1 bit)."""

    def iteration(self, phis: dict[int, Value], when: Value) -> LoopIteration:
        """The iteration that begins with these values of the head's phis; the loop comes there ``when`` (1 bit).

        What it writes is written then, and the memory of the state is what there is after the loop. So it may not
        look at what it writes to. Raises NotAtOnce.
        """
        registers = self._registers
        self._when = when
        for result, value in phis.items():
            registers[result] = value
        leavings: list[Leaving] = []
        returning: list[tuple[Value, dict[int, Value]]] = []

        def leave(block: LoopBlock, way: Way | None, when: Value) -> None:
            assert way is not None
            if way.target == self._head:
                returning.append((when, self._following(block.number)))
                return
            kept = self._read_after(block.number, way.target)
            values = {register: _number(registers[register]) for register in kept}
            leavings.append(Leaving(block.number, way, when, values))

        self._faults, self._taken, self._count = [], [], 0
        self._walk(self._blocks, 1, registers, leave)
        again: Value = build.disjunction([when for when, _ in returning])
        following = pick_phis(returning, {result: width for result, width, _ in self._blocks[0].phis})
        return LoopIteration(tuple(leavings), tuple(self._faults), again, following, tuple(self._taken), self._count)

    def _walk(self, blocks: Sequence[LoopBlock], guard: Value, registers: Registers, leave: Leave) -> None:
        """Go through blocks, each before those that follow it, from the first on, which is entered under ``guard``."""
        first = blocks[0].number
        inside = frozenset([block.number for block in blocks])
        arriving: dict[int, list[tuple[int, Value]]] = {first: [(-1, guard)]}
        through: dict[int, Value] = {}
        before = len(self._faults)
        for block in blocks:
            edges = arriving.get(block.number)
            if edges is None:
                continue
            if block.dominator is not None and len(self._faults) == before:
                guard = through[block.dominator]
            else:
                guard = build.disjunction([condition for _, condition in edges])
            if block.number != first:
                self._choose(block, edges, registers)
            self._count += len(block.body)
            conditions, guard = self._run(block, guard, registers)
            through[block.number] = guard
            if not block.ways.ways and guard != 0:
                leave(block, None, guard)
            for way, condition in zip(block.ways.ways, conditions, strict=True):
                when = build.both(guard, condition)
                if when == 0:
                    continue
                is_inside = way.target in inside
                if way.number is not None and is_inside:
                    self._taken.append((way.number, when))
                if is_inside and way.target != first:
                    arriving.setdefault(way.target, []).append((block.number, when))
                else:
                    leave(block, way, when)

    def _run(self, block: LoopBlock, guard: Value, registers: Registers) -> tuple[list[Value], Value]:
        """Run a block under ``guard``: the conditions of the ways out of it, and when its end is reached."""
        step, conduct = self._step, self._conduct
        conduct.guard = guard
        for number, (semantics, position, _) in enumerate(block.body[:-1]):
            step.position = position
            called = block.calls.get(number)
            if self._writes:
                self._look(block, number, registers)
            written = block.accesses.get(number) if self._writes else None
            try:
                if called is not None:
                    self._call(called, registers)
                elif written is not None and written.value is not None:
                    self._write(written.pointer(step, registers), written.size, written.value(step, registers))
                else:
                    semantics(step, registers)
            except PathEnded:
                conduct.failing.append(conduct.guard)
                conduct.guard = 0
            except (Split, Unsupported) as reason:
                raise NotAtOnce("an iteration splits") from reason
            if step.outcomes:
                self._note()
            if conduct.guard == 0:
                break
        if conduct.guard == 0:
            return [0] * len(block.ways.ways), 0
        step.position = block.body[-1][1]
        return [self._known(condition) for condition in block.ways.conditions(step, registers)], conduct.guard

    def _call(self, called: PlainCall, registers: Registers) -> None:
        """Run a function that only computes a value, on all its paths at once."""
        if not called.fits:
            raise NotAtOnce("a call passes other types than the function takes")
        code, step, conduct = called.code, self._step, self._conduct
        inner: Registers = [None] * code.function.register_count
        for number, read in enumerate(called.arguments):
            inner[number] = read(step, registers)
        results: list[tuple[Value, Value]] = []
        faults = len(self._faults)

        def leave(block: LoopBlock, way: Way | None, when: Value) -> None:
            results.append((when, _number(code.returned[block.number](step, inner))))

        guard = conduct.guard
        self._walk(code.whole, guard, inner, leave)
        if len(self._faults) > faults:
            guard = build.disjunction([when for when, _ in results])
        conduct.guard = guard
        if results and called.result >= 0:
            registers[called.result] = pick_value(results, called.width)

    def _look(self, block: LoopBlock, number: int, registers: Registers) -> None:
        """Note what an instruction looks at."""
        if number in block.foreign:
            raise NotAtOnce("it writes, and calls what may look at that")
        access = block.accesses.get(number)
        if access is None or access.value is not None:
            return
        pointer = access.pointer(self._step, registers)
        begin = constants_of(pointer, 64) if isinstance(pointer, int | Term) else None
        if begin is None:
            raise NotAtOnce("it writes, and looks at a symbolic address")
        numbers = {object_of(address) for address in begin.constants}
        if not all(number in self._step.state.memory.objects for number in numbers):
            raise NotAtOnce("it writes, and looks at no object")
        self._seen |= numbers
        if not self._seen.isdisjoint(self._changed):
            raise NotAtOnce("it writes to what it looks at")

    def _write(self, pointer: RegisterValue, size: int, value: Value) -> None:
        """Write a number of ``size`` bytes to a known address, if the iteration is reached and gets this far."""
        step, memory = self._step, self._step.state.memory
        if not isinstance(pointer, int):
            raise NotAtOnce("it writes to a symbolic address")
        number, offset = object_of(pointer), offset_in(pointer)
        item = memory.objects.get(number)
        if item is None or item.read_only or not 0 <= offset <= item.limit - size:
            ((_, location),) = resolve(step, pointer, size, "write")
            if (location.number, location.offset) != (number, offset):
                raise NotAtOnce("it writes to a location that it has the number of")
            item = memory.objects[number]
        if item.kind in MADE_AS_READ or has_order(step, number, offset, size):
            raise NotAtOnce("it writes to what is made as it is read")
        self._changed.add(number)
        if number in self._seen:
            raise NotAtOnce("it writes to what it looks at")
        when = build.both(self._when, self._conduct.guard)
        if when != 1:
            if UNINITIALISED in step.limits.checks and item.uninitialised_runs(offset, size):
                raise NotAtOnce("it writes where nothing was written before")
            known = len(step.state.inputs)
            before = read_at(step, number, offset, size)
            step.state.inputs = step.state.inputs.latent_after(known)
            value = build.ite(when, value, before, 8 * size)
        put(step, number, offset, size, value)

    def _note(self) -> None:
        """The faults that the step has met, under their conditions."""
        conduct, outcomes = self._conduct, self._step.outcomes
        if len(outcomes) != len(conduct.failing):
            raise NotAtOnce("an iteration gives part of the path up")
        for outcome, condition in zip(outcomes, conduct.failing, strict=True):
            if not isinstance(outcome, Failed):
                raise NotAtOnce("an iteration ends the path")
            self._faults.append((condition, outcome.fault))
        outcomes.clear()
        conduct.failing.clear()

    def _choose(self, block: LoopBlock, edges: Sequence[tuple[int, Value]], registers: Registers) -> None:
        """Give the phis of a block their values, by the edges on which the iteration may arrive."""
        chosen = []
        for result, width, operands in block.phis:
            values = [(when, _number(operands[before](self._step, registers))) for before, when in edges]
            chosen.append((result, pick_value(values, width)))
        for result, value in chosen:
            registers[result] = value

    def _following(self, block: int) -> dict[int, Value]:
        """What the phis of the head become on the edge back from a block."""
        head = self._blocks[0]
        return {result: _number(operands[block](self._step, self._registers)) for result, _, operands in head.phis}


def _number(value: RegisterValue) -> Value:
    if not isinstance(value, int | Term):
        raise NotAtOnce("a register holds no number")
    return value


def pick_value(values: Sequence[tuple[Value, Value]], width: int) -> Value:
    """The value whose condition holds; one of the conditions does."""
    result = values[-1][1]
    for when, value in reversed(values[:-1]):
        result = build.ite(when, value, result, width)
    return result


def pick_phis(
    arrivals: Sequence[tuple[Value, dict[int, Value]]], widths: Mapping[int, int] | Sequence[int]
) -> dict[int, Value]:
    """What phis hold where they may be any of ``arrivals``, each with its condition (1 bit)."""
    results = arrivals[0][1] if arrivals else ()
    return {phi: pick_value([(when, phis[phi]) for when, phis in arrivals], widths[phi]) for phi in results}
