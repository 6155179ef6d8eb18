"""The code of one function, made on first use: full semantics of each instruction, and compiled regions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from time import monotonic
from typing import Any

from unfork.engine.instructions import access, arithmetic
from unfork.engine.instructions.call_instructions import Callees
from unfork.engine.instructions.control import NEVER, AtOnce, Terminators
from unfork.engine.instructions.repetition import Repetition
from unfork.engine.machine.compile import RegionCompiler
from unfork.engine.machine.hot_loops import WENT, Costs, HotLoops
from unfork.engine.machine.plain_code import PlainCode
from unfork.engine.machine.regions import GROWN, LEFT, YOUNG, CompiledRegion, Stops
from unfork.engine.machine.summarised_loop import SummarisedLoop
from unfork.engine.memory.lookout import watch
from unfork.engine.memory.piece_looks import noticing_load, noticing_store, noticing_word
from unfork.engine.memory.visible_operations import is_visible, visible_blocks, visible_memory
from unfork.engine.protocols.stepper import YieldPoints
from unfork.engine.state.state import Frame, State
from unfork.engine.step.branch_coverage import BranchCoverage
from unfork.engine.step.operands import Registers, Semantics
from unfork.engine.step.statics import Statics
from unfork.engine.step.step import Sightings, Step
from unfork.program.facts.address_uses import AddressUses
from unfork.program.facts.function_facts import FunctionFacts
from unfork.program.facts.nearest import nearest_position
from unfork.program.facts.relative import relative_pointers
from unfork.program.facts.summarisable_loops import SummarisableLoop, summarisable_loops
from unfork.program.llvm.ir import (
    Alloca,
    AtomicUpdate,
    Binary,
    Call,
    Cast,
    Compare,
    CompareExchange,
    ExtractElement,
    ExtractValue,
    Fence,
    FloatCompare,
    FloatNegate,
    Freeze,
    GetElementPointer,
    GlobalAddress,
    InsertElement,
    InsertValue,
    Instruction,
    Load,
    Register,
    Select,
    ShuffleVector,
    Store,
    UnknownInstruction,
    VariadicArgument,
)
from unfork.program.llvm.types import Position


@dataclass(frozen=True, slots=True)
class Quantum:
    """When a step ends: at a loop head or function entry once the state has run ``end`` instructions, and anywhere
    after ``last`` instructions.
    """

    end: int
    last: int


@dataclass(frozen=True, slots=True)
class OtherFunctions:
    """Facts about other functions, by name.

    ``callee`` gives the code of one that only computes a value; None for a modelled one. ``costs`` are those of machine
    code. ``has_threads``: other threads may notice the code's accesses.
    """

    callee: Callable[[str], PlainCode | None]
    has_run: Callable[[str], bool]
    costs: Costs
    has_threads: bool


class FunctionCode:
    """Semantics and regions of one function."""

    def __init__(
        self,
        facts: FunctionFacts,
        statics: Statics,
        callees: Callees,
        coverage: BranchCoverage,
        sightings: Sightings,
        repetition: Repetition,
        *,
        others: OtherFunctions,
        scans_at_once: bool,
    ) -> None:
        function = self.function = facts.function
        self._facts = facts
        self._statics = statics
        self._callees = callees
        self._coverage = coverage
        self.flow = facts.flow
        self._terminators = Terminators(function, statics, coverage)
        self._blocks: list[list[tuple[Semantics, Position | None, bool]] | None] = [None] * len(function.blocks)
        self.stops: dict[YieldPoints, Stops] = {}
        """Where compiled code ends, by yield points."""
        self._visits: dict[tuple[int, int], int] = {}
        self._terms: dict[tuple[int, int], int] = {}
        """How often a plain region met a term, by program point."""
        self._checked_heads = self.flow.loop_heads if repetition.looks_at_loops else NOWHERE
        """The heads of loops that are checked for repetition."""
        self._repetition = repetition
        self._watched = AddressUses(function) if sightings.watches else None
        self._pieces = facts.pieces
        self._others = others
        self._scans_at_once = scans_at_once and not others.has_threads
        self._costs = others.costs if self._watched is None else NO_CODE

    def stops_of(self, yield_points: YieldPoints) -> Stops:
        """Where compiled code ends under ``yield_points``. Yield points with the same places share code."""
        points = yield_points.places(self.function)
        blocks = points.blocks | self._checked_heads
        for known in self.stops.values():
            if known.blocks == blocks and known.points.inside == points.inside:
                stops = replace(known, points=points, blocks=blocks, hot=self._hot_loops(yield_points, blocks))
                for block, index in stops.regions:
                    if index == 0:
                        stops.hot.watch(block)
                break
        else:
            stops = Stops(points, blocks, self._hot_loops(yield_points, blocks))
        self.stops[yield_points] = stops
        return stops

    def _hot_loops(self, yield_points: YieldPoints, blocks: frozenset[int]) -> HotLoops:
        resting = blocks.union([block for block, _ in yield_points.places(self.function).inside])
        if self._others.has_threads:
            resting = resting.union(visible_blocks(self.function))
        return HotLoops(
            self._facts,
            self._statics,
            self._coverage,
            self._costs,
            resting,
            lambda call: self._callee(call, yield_points),
        )

    def _callee(self, call: Call, yield_points: YieldPoints) -> FunctionFacts | None:
        """A function that native code may call: small, without loops or yield points, and run before."""
        name = call.callee.name if isinstance(call.callee, GlobalAddress) else ""
        facts = self._callees.as_declared(call) if self._others.has_run(name) else None
        if facts is None or facts.flow.retreating or len(facts.function.blocks) > MOST_BLOCKS_CALLED:
            return None
        points = yield_points.places(facts.function)
        if self._others.has_threads and visible_blocks(facts.function):
            return None
        return None if points.blocks or points.inside else facts

    @cached_property
    def _labels(self) -> dict[int, str]:
        return {
            record.operand.index: record.variable.name
            for block in self.function.blocks
            for record in block.debug
            if record.indirect and isinstance(record.operand, Register)
        }

    @cached_property
    def _relative(self) -> frozenset[int]:
        return relative_pointers(self.function, self._statics.program)

    def _may_yield(self, block: int, index: int) -> bool:
        return index == 0 and (block == 0 or block in self.flow.loop_heads)

    def block(self, number: int) -> list[tuple[Semantics, Position | None, bool]]:
        """The instructions of a block: semantics, position, and whether a region may go on after it."""
        instructions = self._blocks[number]
        if instructions is None:
            body = self.function.blocks[number].body
            instructions = [
                (
                    self._watching(instruction, self._semantics(instruction, number)),
                    self._position(number, index),
                    not isinstance(instruction, PLAIN_INSTRUCTIONS),
                )
                for index, instruction in enumerate(body[:-1])
            ]
            ending = self._watching(body[-1], self._terminators.compile(number, self._at_once(number)))
            instructions.append((ending, self._position(number, len(body) - 1), True))
            self._blocks[number] = instructions
        return instructions

    @cached_property
    def _scans(self) -> dict[int, SummarisedLoop]:
        scans: dict[int, SummarisedLoop] = {}
        if self._scans_at_once:
            facts = self._facts
            for loop in summarisable_loops(self.function, facts.flow, facts.nest, self._callees.is_pure):
                if isinstance(loop, SummarisableLoop) and not (loop.writes and self._watched is not None):
                    scans.update(dict.fromkeys(loop.order, SummarisedLoop(facts, loop, self.plain.blocks)))
        return scans

    @cached_property
    def plain(self) -> PlainCode:
        """The blocks as summarised loops, and the functions that these call, run them."""
        return PlainCode(self._facts, self._statics, self._terminators, self.block, self._others.callee)

    def _at_once(self, block: int) -> AtOnce:
        scan = self._scans.get(block)
        return NEVER if scan is None else scan.at_once

    def _position(self, block: int, index: int) -> Position | None:
        own = self.function.blocks[block].body[index].position
        return own or nearest_position(self.function, self.flow, block, index)

    def run(self, step: Step, state: State, frame: Frame, stops: Stops, quantum: Quantum) -> bool:
        """Run the top frame until the path may be elsewhere. Whether the step ends: at a yield point, with its quantum,
        or at the chain's deadline, which an alarm may set to now.

        Each turn runs the code at one program point: a region if one is compiled, or else full semantics.
        """
        end, chain = quantum.end, step.chain
        while monotonic() < chain.deadline:
            block, index = point = frame.block, frame.index
            if state.instructions >= end and (self._may_yield(block, index) or state.instructions >= quantum.last):
                return True
            if index == 0 and block in self._checked_heads:
                self._repetition.iteration(step)
            region = stops.regions.get(point) or self.region(block, index, stops)
            if region is None:
                self._interpret(step, state, frame, stops)
                return False
            budget = 0 if stops.blocks else end - state.instructions
            head = None if index else stops.hot.heads.get(block)
            if head is None:
                target = region.run(step, state, frame, frame.registers, budget)
            else:
                target = head.run(region.run, step, frame, budget, end)
            region.runs += 1
            if target <= LEFT:
                self._note_left(region, point, stops)
                target = self._go_on_with_terms(step, state, frame, region.exits[LEFT - target], stops)
            if target < 0:
                return False
            frame.block, frame.index = target, 0
            if target in stops.points.blocks:
                return True
        return True

    def _go_on_with_terms(self, step: Step, state: State, frame: Frame, point: tuple[int, int], stops: Stops) -> int:
        """Go on where a plain region left, with terms if such a region is compiled. Yields its target."""
        carrying = stops.carrying.get(point) or self._carrying(*point, stops)
        if carrying is not None:
            return carrying.run(step, state, frame, frame.registers, 0)
        frame.block, frame.index = point
        self._interpret(step, state, frame, stops)
        return WENT

    def _interpret(self, step: Step, state: State, frame: Frame, stops: Stops) -> None:
        """Run full semantics to the end of the block, an outcome, a yield point, or where a region may go on."""
        block, index = frame.block, frame.index
        registers, outcomes, inside = frame.registers, step.outcomes, stops.points.inside
        instructions = self.block(block)
        while True:
            semantics, position, is_last = instructions[index]
            index += 1
            frame.index = index
            state.instructions += 1
            step.position = position
            step.known_inputs = state.inputs.count
            semantics(step, registers)
            if is_last or outcomes or (inside and (block, index) in inside):
                return

    def region(self, block: int, index: int, stops: Stops) -> CompiledRegion | None:
        """The plain region from an instruction to ``stops``, where it is kept; None while the program point is rarely
        visited.
        """
        key = (block, index)
        visits = self._visits[key] = self._visits.get(key, 0) + 1
        if visits <= VISITS_BEFORE_COMPILING:
            return None
        if index == 0:
            stops.hot.watch(block)
        if visits > VISITS_BEFORE_GROWING:
            region = stops.regions[key] = self._compiler.plain(block, index, stops, GROWN)
            return region
        young = stops.young.get(key)
        if young is None:
            young = stops.young[key] = self._compiler.plain(block, index, stops, YOUNG)
            if young.is_whole:
                stops.regions[key] = young
        return young

    def _carrying(self, block: int, index: int, stops: Stops) -> CompiledRegion | None:
        """The region that goes on with terms where a plain one left; None while that is rare, or where looks are
        noticed.
        """
        if self._watched is not None:
            return None
        key = (block, index)
        terms = self._terms[key] = self._terms.get(key, 0) + 1
        if terms <= VISITS_BEFORE_COMPILING:
            return None
        region = stops.carrying[key] = self._compiler.carrying(block, index, stops)
        return region

    def _note_left(self, region: CompiledRegion, start: tuple[int, int], stops: Stops) -> None:
        """Count an exit. If most recent runs ended so, a carrying region replaces the plain one."""
        region.left += 1
        if region.left < OFTEN:
            return
        block, index = start
        is_head = index == 0 and block in self.flow.loop_heads
        if 2 * region.left > region.runs and self._watched is None and not is_head:
            carrying = stops.carrying.get(start) or self._compiler.carrying(block, index, stops)
            stops.regions[start] = stops.carrying[start] = carrying
        region.runs = region.left = 0

    @cached_property
    def _compiler(self) -> RegionCompiler:
        return RegionCompiler(
            self._facts,
            self._statics,
            self._coverage,
            self._relative,
            self._watched,
            self.complete,
            lambda block, index: self.block(block)[index][:2],
            self._callees.is_modelled,
            self._scans.__contains__,
            self._is_visible,
        )

    def _is_visible(self, instruction: Instruction) -> bool:
        return self._others.has_threads and is_visible(instruction, self.function)

    def complete(self, step: Step, state: State, frame: Frame, registers: Registers, block: int, index: int) -> bool:
        """Run full semantics of one instruction of the top frame. Whether more than plain progress happened."""
        semantics, position, _ = (self._blocks[block] or self.block(block))[index]
        frame.block = block
        frame.index = after = index + 1
        step.position = position
        step.known_inputs = state.inputs.count
        semantics(step, registers)
        if step.has_threads and step.are_several(state) != self._others.has_threads:
            return True  # other code goes on
        return bool(step.outcomes) or frame.index != after or frame.block != block or state.frames[-1] is not frame

    def _watching(self, instruction: Instruction, semantics: Semantics) -> Semantics:
        return semantics if self._watched is None else watch(instruction, semantics, self._statics, self._watched)

    def _semantics(self, instruction: Instruction, block: int) -> Semantics:
        run = self._noticing(instruction, self._of_one_thread(instruction, block))
        if self._others.has_threads and is_visible(instruction, self.function):
            return visible_memory(instruction, run, self._statics, self.function)
        return run

    def _noticing(self, instruction: Instruction, run: Semantics) -> Semantics:
        match instruction:
            case Load() if (use := self._pieces.of(instruction)) is not None:
                return noticing_load(run, use, self._statics)
            case Load() if (word := self._pieces.of_word(instruction)) is not None:
                return noticing_word(run, word, self._statics)
            case Store() if (use := self._pieces.source(instruction)) is not None:
                return noticing_store(run, instruction, use, self._statics)
        return run

    def _of_one_thread(self, instruction: Instruction, block: int) -> Semantics:
        statics = self._statics
        match instruction:
            case Load(volatile=True) if self.function.name not in statics.program.library:
                return access.volatile_load(instruction, statics)
            case GetElementPointer(result=result) if result in self._relative:
                return arithmetic.relative_pointer(instruction, statics)
            case Call():
                return self._callees.compile(instruction)
            case Select():
                return arithmetic.select(instruction, statics, self.function.is_as_written)
            case Alloca():
                label = self._labels.get(instruction.result, f"a local of {self.function.source_name}")
                return access.alloca(instruction, statics, label, in_entry=block == 0)
            case Fence():
                return lambda step, registers: None
            case VariadicArgument():
                return _unsupported("the va_arg instruction")
            case UnknownInstruction(text=text):
                return _unsupported(f"the instruction {text}")
        compiled = COMPILED_BY_CLASS.get(type(instruction))
        return _unsupported(type(instruction).__name__) if compiled is None else compiled(instruction, statics)


COMPILED_BY_CLASS: dict[type[Instruction], Callable[[Any, Statics], Semantics]] = {
    Load: access.load,
    Store: access.store,
    AtomicUpdate: access.atomic_update,
    CompareExchange: access.compare_exchange,
    GetElementPointer: arithmetic.element_pointer,
    Binary: arithmetic.binary,
    Compare: arithmetic.compare,
    FloatCompare: arithmetic.float_compare,
    FloatNegate: arithmetic.float_negate,
    Cast: arithmetic.cast,
    Freeze: arithmetic.freeze,
    ExtractValue: arithmetic.extract_value,
    InsertValue: arithmetic.insert_value,
    ExtractElement: arithmetic.extract_element,
    InsertElement: arithmetic.insert_element,
    ShuffleVector: arithmetic.shuffle,
}
"""Semantics that do not depend on the function around the instruction."""
MOST_BLOCKS_CALLED = 8
"""The largest function that native code calls, in blocks: its body is copied into each call."""
NO_CODE = Costs(is_on=False)
VISITS_BEFORE_COMPILING = 12
VISITS_BEFORE_GROWING = 300
OFTEN = 50
NOWHERE: frozenset[int] = frozenset()
PLAIN_INSTRUCTIONS = (Load, Store, GetElementPointer, Binary, Compare, Cast, Select, FloatCompare, Freeze)


def _unsupported(construct: str) -> Semantics:
    return lambda step, registers: step.unsupported(construct)
