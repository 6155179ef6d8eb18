"""Code that only computes: blocks of loops and functions, prepared to run on all their paths at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from unfork.engine.instructions.access import stored
from unfork.engine.instructions.control import Terminators, Ways
from unfork.engine.step.operands import Read, Registers, Semantics, reader
from unfork.engine.step.statics import Statics
from unfork.engine.step.step import Step
from unfork.logic.terms.term import Value
from unfork.program.facts.function_facts import FunctionFacts
from unfork.program.facts.summarisable_loops import SummarisableLoop, with_dominator
from unfork.program.llvm import layout
from unfork.program.llvm.ir import Call, GlobalAddress, Load, Return, Store
from unfork.program.llvm.types import VOID, PointerType, Position

Body = Sequence[tuple[Semantics, Position | None, bool]]
NO_WAYS = Ways((), lambda step, registers: [])
"""The ways out of a block that returns."""


@dataclass(frozen=True, slots=True)
class PlainBlock:
    """A block, ready to run.

    ``phis`` are results with their widths in bits and their operands by the block before. ``dominator`` is a block
    after which this one always runs, unless a fault comes between; None where that is not known. ``calls``,
    ``accesses`` and ``foreign`` tell instructions by their number in the body.
    """

    number: int
    dominator: int | None
    phis: tuple[tuple[int, int, dict[int, Read]], ...]
    body: Body
    ways: Ways
    calls: Mapping[int, PlainCall]
    accesses: Mapping[int, PlainAccess]
    foreign: frozenset[int]
    """Calls that pass a pointer to a modelled function."""


@dataclass(frozen=True, slots=True)
class PlainAccess:
    """A load or a store of ``size`` bytes; ``value`` reads the number that a store writes, and is None for a load."""

    pointer: Read
    size: int
    value: Callable[[Step, Registers], Value] | None


@dataclass(frozen=True, slots=True)
class PlainCall:
    """A call of a program function that only computes a value. ``fits``: the types passed are the types taken."""

    code: PlainCode
    arguments: Sequence[Read]
    result: int
    width: int
    fits: bool


class PlainCode:
    """The blocks of one function that only compute.

    ``callee`` gives the code of another function by its name; None if the program has none.
    """

    def __init__(
        self,
        facts: FunctionFacts,
        statics: Statics,
        terminators: Terminators,
        body: Callable[[int], Body],
        callee: Callable[[str], PlainCode | None],
    ) -> None:
        self.function = facts.function
        self._flow = facts.flow
        self._statics = statics
        self._terminators = terminators
        self._body = body
        self._callee = callee

    def blocks(self, order: Sequence[int]) -> list[PlainBlock]:
        joining = with_dominator(order, self._flow)
        return [self._block(number, number in joining) for number in order]

    @cached_property
    def whole(self) -> list[PlainBlock]:
        return self.blocks(self._flow.order)

    @cached_property
    def returned(self) -> dict[int, Read]:
        ends = {number: self.function.blocks[number].body[-1] for number in self._flow.order}
        return {
            number: reader(end.value, self._statics)
            for number, end in ends.items()
            if isinstance(end, Return) and end.value is not None
        }

    def _block(self, number: int, joins: bool) -> PlainBlock:
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
        return PlainBlock(number, dominator, tuple(phis), self._body(number), ways, calls, accesses, frozenset(foreign))

    def _call(self, call: Call) -> PlainCall | None:
        """A call of a program function; None for a modelled one."""
        assert isinstance(call.callee, GlobalAddress)
        code = self._callee(call.callee.name)
        if code is None:
            return None
        arguments = [reader(operand, self._statics) for operand in call.arguments]
        width = layout.bits_of(call.type.result) if call.result >= 0 else 0
        passed, callee = tuple([operand.type for operand in call.arguments]), code.function.type
        fits = (passed, call.type.result) == (callee.parameters, callee.result)
        return PlainCall(code, arguments, call.result, width, fits)


class LoopCode:
    """The code of one loop: its blocks, and the registers that the code after it reads.

    ``widths`` has the bits of each register of the function, 0 where a register holds no number.
    """

    def __init__(
        self, facts: FunctionFacts, loop: SummarisableLoop, blocks: Callable[[Sequence[int]], list[PlainBlock]]
    ) -> None:
        self.loop = loop
        self.widths = [0 if kind == VOID else layout.bits_of(kind) for kind in facts.types]
        self.head_phis = [phi.result for phi in facts.function.blocks[loop.head].phis]
        self._facts = facts
        self._blocks_of = blocks

    @cached_property
    def blocks(self) -> list[PlainBlock]:
        return self._blocks_of(self.loop.order)

    def read_after(self, block: int, target: int) -> tuple[int, ...]:
        """The registers written in the loop that the code after an edge out of it may read."""
        liveness = self._facts.liveness
        mask = liveness.along(block, target, liveness.entry) & self._written
        return tuple([i for i in range(mask.bit_length()) if mask >> i & 1])

    @cached_property
    def _written(self) -> int:
        blocks = [self._facts.function.blocks[number] for number in self.loop.order]
        mask = sum(1 << phi.result for block in blocks for phi in block.phis)
        return mask | sum(
            1 << instruction.result for block in blocks for instruction in block.body if instruction.result >= 0
        )
