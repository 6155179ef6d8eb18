"""Blocks that only compute, ready to be run on all their paths at once: those of loops, and of functions they call."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from unfork.execute.access import stored
from unfork.execute.control import Terminators, Ways
from unfork.execute.iterations import Block, NotAtOnce, PlainAccess, PlainCall, PlainFunction
from unfork.execute.operands import Semantics, reader
from unfork.execute.statics import Statics
from unfork.facts.function_facts import FunctionFacts
from unfork.facts.summarisable_loops import with_dominator
from unfork.llvm import layout
from unfork.llvm.ir import Call, GlobalAddress, Load, Return, Store
from unfork.llvm.types import FunctionType, PointerType, Position

Body = Sequence[tuple[Semantics, Position | None, bool]]
NO_WAYS = Ways((), lambda step, registers: [])
"""Of a block that returns."""


class PlainCode:
    """Blocks of one function. ``called`` gives the code of another one by name, None if the program has none."""

    def __init__(
        self,
        facts: FunctionFacts,
        statics: Statics,
        terminators: Terminators,
        body: Callable[[int], Body],
        called: Callable[[str], PlainCode | None],
    ) -> None:
        self._facts = facts
        self._statics = statics
        self._terminators = terminators
        self._body = body
        self._called = called
        self._whole: PlainFunction | None = None

    @property
    def type(self) -> FunctionType:
        """The function's type."""
        return self._facts.function.type

    def blocks(self, order: Sequence[int]) -> list[Block]:
        """Blocks, each before those that follow it."""
        joining = with_dominator(order, self._facts.flow)
        return [self._block(number, number in joining) for number in order]

    def function(self) -> PlainFunction:
        """All of them, as a function that is called."""
        if self._whole is None:
            function, order = self._facts.function, self._facts.flow.order
            returned = {}
            for number in order:
                end = function.blocks[number].body[-1]
                if isinstance(end, Return) and end.value is not None:
                    returned[number] = reader(end.value, self._statics)
            self._whole = PlainFunction(self.blocks(order), function.register_count, returned)
        return self._whole

    def _block(self, number: int, joins: bool) -> Block:
        block = self._facts.function.blocks[number]
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
        dominator = self._facts.flow.dominators[number] if joins else None
        ways = NO_WAYS if isinstance(block.body[-1], Return) else self._terminators.ways(number)
        return Block(number, dominator, tuple(phis), self._body(number), ways, calls, accesses, frozenset(foreign))

    def _call(self, call: Call) -> PlainCall | None:
        """A call of a function of the program; None for one that has a model."""
        assert isinstance(call.callee, GlobalAddress)
        code = self._called(call.callee.name)
        if code is None:
            return None
        arguments = [reader(operand, self._statics) for operand in call.arguments]
        width = layout.bits_of(call.type.result) if call.result >= 0 else 0
        given = tuple([operand.type for operand in call.arguments])
        fits = (given, call.type.result) == (code.type.parameters, code.type.result)
        return PlainCall(code.function if fits else _unfit, arguments, call.result, width)


def _unfit() -> PlainFunction:
    raise NotAtOnce("a call passes other types than the function takes")
