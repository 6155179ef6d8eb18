"""Facts about functions, in one table for a program; each is computed at its first use.

Every part that needs such facts gets the same table.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from unfork.program.facts.cfg import ControlFlow, closure, control_flow
from unfork.program.facts.dataflow import Liveness
from unfork.program.facts.loops import LoopNest
from unfork.program.facts.piece_uses import PieceUses
from unfork.program.facts.pointees import Pointees
from unfork.program.facts.visible import VisibleVariables
from unfork.program.llvm.c_type_reader import CTypes
from unfork.program.llvm.ir import (
    Alloca,
    Binary,
    Call,
    Cast,
    Compare,
    CompareExchange,
    ExtractElement,
    ExtractValue,
    FloatCompare,
    GetElementPointer,
    GlobalAddress,
    Instruction,
    Phi,
    ShuffleVector,
)
from unfork.program.llvm.module import Function
from unfork.program.llvm.types import POINTER, VOID, ArrayType, IntType, StructType, Type, VectorType
from unfork.program.llvm.uses import registers_read

STACK_MARK = "llvm.stacksave"
SCOPES = "llvm.lifetime."
_BIT = IntType(1)
_ARITHMETIC = frozenset(("add", "sub", "mul", "and", "or", "xor"))
_CASTS = frozenset(("trunc", "zext", "sext"))


class FunctionFacts:
    """The facts about one function. ``keeps_variables``: registers with visible variables stay written."""

    def __init__(self, function: Function, *, keeps_variables: bool = False) -> None:
        self.function = function
        self._keeps_variables = keeps_variables
        self._steering: dict[int, frozenset[int]] = {}
        self._pointees: Pointees | None = None

    @cached_property
    def flow(self) -> ControlFlow:
        return control_flow(self.function)

    @cached_property
    def nest(self) -> LoopNest:
        return LoopNest(self.flow)

    @cached_property
    def liveness(self) -> Liveness:
        return Liveness(self.function, self.flow)

    @cached_property
    def written(self) -> Liveness:
        """The registers that have their values in a state: those that may still be read, and those of variables to
        keep.

        Others may have older values there, since compiled code writes back no more than these.
        """
        if not self._keeps_variables:
            return self.liveness
        numbers = range(len(self.function.blocks))
        return Liveness(self.function, self.flow, [self.visible.registers(number) for number in numbers])

    @cached_property
    def liveness_without_scopes(self) -> Liveness:
        """Liveness without the markers of scopes: a local that nothing else reads is garbage."""
        blocks = [replace(block, body=tuple(map(_unread, block.body))) for block in self.function.blocks]
        return Liveness(replace(self.function, blocks=tuple(blocks)), self.flow)

    def steering(self, head: int) -> frozenset[int]:
        """The registers that steer the loop with this head."""
        known = self._steering.get(head)
        if known is None:
            known = self._steering[head] = steering_registers(self.function, self.flow, head)
        return known

    @cached_property
    def visible(self) -> VisibleVariables:
        return VisibleVariables(self.function, self.flow)

    def pointees(self, types: CTypes) -> Pointees:
        """The targets of its registers; ``types`` are those of its program."""
        if self._pointees is None:
            self._pointees = Pointees(self.function, types)
        return self._pointees

    @cached_property
    def pieces(self) -> PieceUses:
        """What it does with loaded bytes of addresses."""
        return PieceUses(self.function)

    @cached_property
    def types(self) -> list[Type]:
        """The type of each register, by number; void for one that nothing writes."""
        return register_types(self.function)

    @cached_property
    def bases(self) -> frozenset[int]:
        """The registers that hold addresses of locals."""
        instructions = self.function.instructions()
        return frozenset(instruction.result for instruction in instructions if isinstance(instruction, Alloca))

    @cached_property
    def marks_stack(self) -> bool:
        """Whether it saves the stack pointer, as for arrays of variable length."""
        return any(_calls(instruction, STACK_MARK) for instruction in self.function.instructions())


class FactsTable(dict[Function, FunctionFacts]):
    """The facts about the functions of a program; ``keeps_variables`` as for each of them."""

    def __init__(self, *, keeps_variables: bool = False) -> None:
        super().__init__()
        self.keeps_variables = keeps_variables

    def __missing__(self, function: Function) -> FunctionFacts:
        facts = self[function] = FunctionFacts(function, keeps_variables=self.keeps_variables)
        return facts


def _calls(instruction: Instruction, prefix: str) -> bool:
    """Whether the instruction calls a function with this prefix."""
    return (
        isinstance(instruction, Call)
        and isinstance(instruction.callee, GlobalAddress)
        and instruction.callee.name.startswith(prefix)
    )


def _unread(instruction: Instruction) -> Instruction:
    """A marker of a scope that reads nothing."""
    if isinstance(instruction, Call) and _calls(instruction, SCOPES):
        return replace(instruction, arguments=(), byval=())
    return instruction


def steering_registers(function: Function, flow: ControlFlow, head: int) -> frozenset[int]:
    """The registers that matter to a path from ``head`` back to it within one activation, however often.

    Law: two runs that begin at ``head`` with equal memory and equal steering registers do the same, and have them
    equal again, until one of them is where no path leads back to ``head``.
    """
    after = closure((head,), lambda block: flow.successors[block])
    before = closure((head,), lambda block: flow.predecessors[block])
    within = [function.blocks[number] for number in sorted(after & before)]
    instructions = [each for block in within for each in (*block.phis, *block.body)]
    sources = {each.result: registers_read(each) for each in instructions if _only_computes(each)}
    needed = [number for each in instructions if not _only_computes(each) for number in registers_read(each)]
    return frozenset(closure(needed, lambda number: sources.get(number, ())))


def _only_computes(instruction: Instruction) -> bool:
    """Whether an instruction is defined for all values, and only computes another."""
    match instruction:
        case Phi():
            return True
        case Binary(op=op, flags=flags):
            return op in _ARITHMETIC and not flags
        case Cast(op=op):
            return op in _CASTS
    return False


def register_types(function: Function) -> list[Type]:
    """The type of each register, by number; void for one that nothing writes."""
    types: list[Type] = [VOID] * function.register_count
    for number, kind in enumerate(function.type.parameters):
        types[number] = kind
    for instruction in function.instructions():
        if instruction.result >= 0:
            types[instruction.result] = result_type(instruction)
    return types


def result_type(instruction: Instruction) -> Type:
    """The type of an instruction's result."""
    match instruction:
        case Alloca():
            return POINTER
        case Call(type=signature):
            return signature.result
        case Cast(target=target):
            return target
        case Compare(type=kind) | FloatCompare(type=kind):
            return VectorType(kind.count, _BIT) if isinstance(kind, VectorType) else _BIT
        case CompareExchange(expected=expected):
            return StructType((expected.type, _BIT))
        case ExtractElement(source=VectorType(element=element)):
            return element
        case ExtractValue(source=source, indices=indices):
            return _part(source, indices)
        case ShuffleVector(source=VectorType(element=element), mask=mask):
            return VectorType(len(mask), element)
        case GetElementPointer(type=kind):
            return kind
    return getattr(instruction, "type", VOID)


def _part(kind: Type, indices: tuple[int, ...]) -> Type:
    for index in indices:
        match kind:
            case StructType(elements=elements):
                kind = elements[index]
            case ArrayType(element=element) | VectorType(element=element):
                kind = element
    return kind
