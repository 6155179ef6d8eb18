"""Scanning loops: innermost loops that read element after element until one ends the loop.

They may write as they go: to memory other than what they read, elsewhere in each turn.

Dependence classifies the values of a turn: they come from counters (phis of the head that change by one of a few
constants each turn), from the elements at these, from values carried from turn to turn, or from none of these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Flag, auto
from functools import cached_property

from unfork.program.facts.cfg import ControlFlow, closure, targets
from unfork.program.facts.loops import LoopNest
from unfork.program.llvm import layout
from unfork.program.llvm.dominators import immediate_dominators, is_ancestor, reverse_post_order
from unfork.program.llvm.ir import (
    Alloca,
    AtomicUpdate,
    Binary,
    Bits,
    Branch,
    Call,
    Cast,
    Compare,
    CompareExchange,
    ConditionalBranch,
    Freeze,
    GetElementPointer,
    GlobalAddress,
    Instruction,
    Load,
    Operand,
    Phi,
    Register,
    Return,
    Select,
    Store,
    Switch,
)
from unfork.program.llvm.module import Function
from unfork.program.llvm.types import IntType, PointerType
from unfork.program.llvm.uses import registers_read

IsPure = Callable[[str], bool]
"""Whether a call of this function only computes a value."""
ALLOWED = (Binary, Branch, Call, Cast, Compare, ConditionalBranch, Freeze, GetElementPointer, Load, Select, Switch)


class From(Flag):
    """The source of a value of a turn."""

    NOTHING = 0
    COUNTER = auto()
    ELEMENT = auto()
    CARRIED = auto()


@dataclass(frozen=True, slots=True)
class SummarisableLoop:
    """A scanning loop. ``order`` has its blocks, each before its successors within one turn."""

    head: int
    order: tuple[int, ...]
    placing: tuple[int, ...]
    """The phis of the head that change by constants, and on which addresses or branches in the loop depend."""
    addressing: frozenset[int]
    """The phis of the head on which addresses in the loop depend."""
    lead: int
    """One of ``placing`` that goes one way, and moves each turn."""
    is_falling: bool
    """Whether it goes down."""
    is_even: bool
    """Whether each of ``placing`` changes by the same constant in all turns."""
    writes: bool
    """Whether it writes memory."""


@dataclass(frozen=True, slots=True)
class OtherLoop:
    """A loop that runs turn by turn, and why."""

    head: int
    reason: str


def summarisable_loops(
    function: Function, flow: ControlFlow, nest: LoopNest, is_pure: IsPure
) -> list[SummarisableLoop | OtherLoop]:
    """The kind of each natural loop of a function, in the order of their heads."""
    return [_Loop(function, flow, head, nest.blocks[head], is_pure).kind() for head in sorted(nest.blocks)]


MOST_BLOCKS = 32
"""A function with more blocks is not analysed."""
MOST_MOVES = 64
"""A phi with more ways to its next value counts as carried."""
MOST_NESTED = 16
"""Deeper calls are not analysed."""


class Purity:
    """Which functions only compute a value.

    ``look_up`` gives a function of the program with its flow, and None for others, of which ``is_modelled_so`` says
    whether their model only computes a value.
    """

    def __init__(self, look_up: Callable[[str], tuple[Function, ControlFlow] | None], is_modelled_so: IsPure) -> None:
        self._look_up = look_up
        self._is_modelled_so = is_modelled_so
        self._known: dict[str, bool] = {}
        self._depth = 0

    def computes(self, name: str) -> bool:
        """Whether a call of ``name`` only computes a value."""
        known = self._known
        if name not in known:
            known[name] = False  # during the analysis: a function that calls itself is not pure
            definition = self._look_up(name)
            if definition is None:
                known[name] = self._is_modelled_so(name)
            elif self._depth < MOST_NESTED:
                self._depth += 1
                known[name] = is_plain(*definition, self.computes)
                self._depth -= 1
        return known[name]


def is_plain(function: Function, flow: ControlFlow, is_pure: IsPure) -> bool:
    """Whether a function of the program only computes a number from its arguments and memory, without loops."""
    blocks = function.blocks
    if flow.loop_heads or not 0 < len(blocks) <= MOST_BLOCKS or function.type.variadic or any(function.parameter_byval):
        return False
    if not isinstance(function.type.result, IntType | PointerType):
        return False
    instructions = [instruction for block in flow.order for instruction in blocks[block].body]
    return all(isinstance(each, Return) or _more_than_value(each, is_pure) is None for each in instructions)


def _more_than_value(instruction: Instruction, is_pure: IsPure) -> str | None:
    """The effect of an instruction beyond computing a value; None if there is none."""
    match instruction:
        case Load(volatile=True):
            return "reads what is volatile"
        case Call(callee=GlobalAddress(name=name)):
            return None if is_pure(name) else f"calls {name}"
        case Call():
            return "calls through a pointer, or assembly"
    return None if isinstance(instruction, ALLOWED) else f"has the instruction {type(instruction).__name__}"


def with_dominator(order: Sequence[int], flow: ControlFlow) -> frozenset[int]:
    """Of consecutive blocks from the first on: those that post-dominate their dominators.

    An edge back to the first, or out, counts as the end.
    """
    numbers = {block: number for number, block in enumerate(order)}
    end = len(numbers)
    onwards: list[list[int]] = [[] for _ in range(end + 1)]
    for block in order:
        following = [numbers.get(target, end) or end for target in flow.successors[block]]
        onwards[numbers[block]] += following or [end]
    backwards: list[list[int]] = [[] for _ in range(end + 1)]
    for number, targets_of in enumerate(onwards):
        for target in targets_of:
            backwards[target].append(number)
    above = immediate_dominators(reverse_post_order(end, end + 1, backwards), end + 1, onwards)
    dominators = flow.dominators
    return frozenset(block for block in order[1:] if is_ancestor(above, numbers[block], numbers[dominators[block]]))


class _Refused(Exception):
    """The loop does not scan."""


class _Loop:
    """A loop under analysis."""

    def __init__(
        self, function: Function, flow: ControlFlow, head: int, blocks: frozenset[int], is_pure: IsPure
    ) -> None:
        self.function = function
        self.flow = flow
        self.head = head
        self.blocks = blocks
        self.is_pure = is_pure
        self.order = tuple(sorted(blocks, key=flow.rank.__getitem__))
        self.writes = False

    def kind(self) -> SummarisableLoop | OtherLoop:
        try:
            self._check_instructions()
            return self._scan()
        except _Refused as refused:
            return OtherLoop(self.head, str(refused))

    def _check_instructions(self) -> None:
        inner = [head for head in self.flow.loop_heads if head in self.blocks and head != self.head]
        if inner:
            raise _Refused("it has a loop within")
        for block in self.order:
            for instruction in self.function.blocks[block].body:
                self._check(instruction)
        if not self._exits():
            raise _Refused("it has no exit")

    def _check(self, instruction: Instruction) -> None:
        match instruction:
            case Store(volatile=True) | AtomicUpdate() | CompareExchange():
                raise _Refused("it writes what is volatile, or in one go with a read")
            case Store(type=kind) if not isinstance(kind, IntType | PointerType):
                raise _Refused("it writes more than a number")
            case Store():
                self.writes = True
            case Alloca():
                raise _Refused("it makes locals")
            case _:
                more = _more_than_value(instruction, self.is_pure)
                if more is not None:
                    raise _Refused(f"it {more}")

    def _exits(self) -> list[int]:
        """The blocks from which the loop can be left."""
        return [block for block in self.order if not self.blocks.issuperset(self.flow.successors[block])]

    def _scan(self) -> SummarisableLoop:
        phis = self.function.blocks[self.head].phis
        strides = {phi.result: self._strides(phi) for phi in phis}
        if not any(_goes_one_way(steps) for steps in strides.values()):
            raise _Refused("nothing in it moves by a constant each turn")
        known = {result: From.COUNTER if steps else From.CARRIED for result, steps in strides.items()}
        ways = self._dependences(known)
        asked = [ways[block] for block in self._exits()]
        if any(From.CARRIED in way for way in asked):
            raise _Refused("an exit looks at what is carried from turn to turn")
        if not any(From.ELEMENT in way for way in asked):
            raise _Refused("no exit looks at an element")
        if self.writes and not self._origins(Store).isdisjoint(self._origins(Load)):
            raise _Refused("it writes to what it looks at")
        addressing = frozenset(strides.keys() & self._below(Load, Store))
        looked_at = self._below(Load, Store, ConditionalBranch, Switch)
        placing = tuple([result for result, steps in strides.items() if steps and result in looked_at])
        lead = next((result for result in placing if _goes_one_way(strides[result])), None)
        if lead is None:
            raise _Refused("nothing that it looks at moves by a constant each turn")
        is_even = all(len(strides[result]) == 1 for result in placing)
        return SummarisableLoop(
            self.head, self.order, placing, addressing, lead, min(strides[lead]) < 0, is_even, self.writes
        )

    def _below(self, *kinds: type[Instruction]) -> set[int]:
        """The registers on which addresses in loads and stores, or operands of instructions of ``kinds``, depend."""
        reads: dict[int, list[int]] = {}
        waiting: list[int] = []
        for block in self.order:
            for phi in self.function.blocks[block].phis if block != self.head else ():
                reads[phi.result] = [value.index for value, _ in phi.incoming if isinstance(value, Register)]
            for instruction in self.function.blocks[block].body:
                if isinstance(instruction, kinds):
                    waiting += _address(instruction) if isinstance(instruction, Store) else registers_read(instruction)
                reads[instruction.result] = list(registers_read(instruction))
        return closure(waiting, lambda register: reads.get(register, ()))

    def _dependences(self, known: dict[int, From]) -> dict[int, From]:
        """The dependence of each block's exit, including earlier branches; ``known`` is about the head's phis.

        Raises _Refused for an address that is carried.
        """
        here: dict[int, From] = {self.head: From.NOTHING}
        ways: dict[int, From] = {}
        for block in self.order:
            before = here.get(block, From.NOTHING)
            if block != self.head:
                for phi in self.function.blocks[block].phis:
                    known[phi.result] = before | _of([value for value, _ in phi.incoming], known)
            for instruction in self.function.blocks[block].body:
                reads = _of_registers(registers_read(instruction), known)
                if isinstance(instruction, Load):
                    if From.CARRIED in reads:
                        raise _Refused("an address in it is carried from turn to turn")
                    reads |= From.ELEMENT if reads else From.NOTHING
                elif isinstance(instruction, Store):
                    self._check_address(_of_registers(_address(instruction), known))
                    continue  # nothing depends on what is written
                if instruction.result >= 0:
                    known[instruction.result] = reads
            ways[block] = way = before | reads
            for target in targets(self.function.blocks[block].body[-1]):
                here[target] = here.get(target, From.NOTHING) | way
        return ways

    def _origins(self, kind: type[Load] | type[Store]) -> set[Operand]:
        """The outside pointers from which addresses in loads, or in stores, are made."""
        instructions = [each for block in self.order for each in self.function.blocks[block].body]
        pointers = closure([each.pointer for each in instructions if isinstance(each, kind)], self._before)
        return {pointer for pointer in pointers if not self._before(pointer)}

    def _before(self, pointer: Operand) -> Sequence[Operand]:
        """The pointers from one of which a pointer is made; none for an outside pointer."""
        match self._definition(pointer):
            case GetElementPointer(base=base):
                return (base,)
            case Select(then=then, otherwise=otherwise):
                return then, otherwise
            case Phi(incoming=incoming):
                return [value for value, _ in incoming]
        return ()

    def _definition(self, value: Operand) -> Instruction | Phi | None:
        """The definition of a register written in the loop."""
        if not isinstance(value, Register):
            return None
        return self._heads.get(value.index) or self._definitions.get(value.index)

    @cached_property
    def _heads(self) -> dict[int, Phi]:
        return {phi.result: phi for phi in self.function.blocks[self.head].phis}

    def _check_address(self, depends_on: From) -> None:
        """Raise _Refused for a store whose address does not depend on counters alone."""
        if From.CARRIED in depends_on:
            raise _Refused("an address in it is carried from turn to turn")
        if From.COUNTER not in depends_on:
            raise _Refused("it writes to one place in all turns")
        if From.ELEMENT in depends_on:
            raise _Refused("where it writes depends on an element")

    def _strides(self, phi: Phi) -> frozenset[int]:
        """The changes of a phi of the head per turn; empty unless they are a few constants, not all 0."""
        strides: set[int] = set()
        for value, source in phi.incoming:
            if source in self.blocks:
                distances = self._distances(value, phi.result)
                if distances is None:
                    return frozenset()
                strides |= distances
        return frozenset(strides) if any(strides) else frozenset()

    def _distances(self, value: Operand, start: int) -> set[int] | None:
        """The constant distances of a value from register ``start``; None if unknown."""
        distances: set[int] = set()
        waiting = [(value, 0)]
        seen = set(waiting)
        while waiting:
            source, total = waiting.pop()
            if not isinstance(source, Register):
                return None
            if source.index == start:
                distances.add(total)
                continue
            following = self._moves(source.index)
            if following is None:
                return None
            for before, amount in following:
                move = before, total + amount
                if move not in seen:
                    seen.add(move)
                    waiting.append(move)
            if len(seen) > MOST_MOVES:
                return None
        return distances

    def _moves(self, register: int) -> list[tuple[Operand, int]] | None:
        """The values that a register may be a constant away from, each with the constant; None for others."""
        match self._definitions.get(register):
            case GetElementPointer(base=base, offset=offset, terms=()):
                return [(base, offset)]
            case GetElementPointer(base=base, offset=offset, terms=((Bits() as index, stride),)):
                return [(base, offset + signed(index) * stride)]
            case Binary(op="add", left=left, right=Bits() as amount):
                return [(left, signed(amount))]
            case Binary(op="sub", left=left, right=Bits() as amount):
                return [(left, -signed(amount))]
            case Select(then=then, otherwise=otherwise):
                return [(then, 0), (otherwise, 0)]
            case Phi(incoming=incoming):
                return [(value, 0) for value, _ in incoming]
            case _:
                return None

    @cached_property
    def _definitions(self) -> dict[int, Instruction | Phi]:
        """The definitions of registers written in the loop, except for the phis of its head."""
        definitions: dict[int, Instruction | Phi] = {}
        for block in self.order:
            for phi in self.function.blocks[block].phis if block != self.head else ():
                definitions[phi.result] = phi
            for instruction in self.function.blocks[block].body:
                definitions[instruction.result] = instruction
        return definitions


def _goes_one_way(strides: frozenset[int]) -> bool:
    """Whether a value with these changes moves in one direction, each turn."""
    return bool(strides) and (min(strides) > 0 or max(strides) < 0)


def signed(constant: Bits) -> int:
    """A constant as a signed number."""
    bits = layout.bits_of(constant.type)
    return constant.value - (constant.value >> bits - 1 << bits)


def _of(values: list[Operand], known: dict[int, From]) -> From:
    return _of_registers([value.index for value in values if isinstance(value, Register)], known)


def _of_registers(registers: Sequence[int], known: dict[int, From]) -> From:
    reads = From.NOTHING
    for register in registers:
        reads |= known.get(register, From.NOTHING)
    return reads


def _address(store: Store) -> list[int]:
    """The registers in a store's address."""
    return [store.pointer.index] if isinstance(store.pointer, Register) else []
