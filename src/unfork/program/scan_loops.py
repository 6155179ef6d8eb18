"""Loops that scan: innermost loops that only look, element after element, until one ends the loop.

What a turn computes is told by dependence: from counters (phis of the head that change by a constant each turn), from
the elements that lie at them, from values that are carried from one turn to the next, or from none of these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Flag, auto

from unfork.program.cfg import ControlFlow, immediate_dominators, is_ancestor, reverse_post_order, targets
from unfork.program.ir import (
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
from unfork.program.loops import LoopNest
from unfork.program.module import Function
from unfork.program.types import IntType, PointerType
from unfork.program.uses import registers_read

IsPure = Callable[[str], bool]
"""Whether a call of the function of this name only computes a value."""
ALLOWED = (Binary, Branch, Call, Cast, Compare, ConditionalBranch, Freeze, GetElementPointer, Load, Select, Switch)


class From(Flag):
    """What a value of a turn depends on."""

    NOTHING = 0
    COUNTER = auto()
    ELEMENT = auto()
    CARRIED = auto()


@dataclass(frozen=True, slots=True)
class ScanLoop:
    """A loop that scans. ``order`` has its blocks, each before those that follow it within one turn."""

    head: int
    order: tuple[int, ...]
    counters: frozenset[int]
    """The phis of the head that change by a constant each turn."""
    carried: frozenset[int]
    """The other phis of the head; no exit looks at them."""
    addressing: frozenset[int]
    """The phis of the head that addresses in the loop depend on."""
    with_dominator: frozenset[int]
    """The blocks that a turn comes to whenever it comes to their immediate dominators, unless it ends in between."""


@dataclass(frozen=True, slots=True)
class OtherLoop:
    """A loop that is run turn by turn, and why."""

    head: int
    reason: str


def scan_loops(function: Function, flow: ControlFlow, nest: LoopNest, is_pure: IsPure) -> list[ScanLoop | OtherLoop]:
    """What each natural loop of a function is, in the order of their heads."""
    return [_Loop(function, flow, head, nest.blocks[head], is_pure).kind() for head in sorted(nest.blocks)]


MOST_BLOCKS = 32
"""A function with more blocks than this is not looked through."""
MOST_NESTED = 16
"""Functions that call each other, deeper than this, are not looked through."""


class Purity:
    """Which functions only compute a value.

    ``look_up`` gives a function of the program with its flow, and None for another one, of which ``is_modelled_so``
    says whether its model only computes a value.
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
            known[name] = False  # while it is looked at: a function that calls itself does not end so
            found = self._look_up(name)
            if found is None:
                known[name] = self._is_modelled_so(name)
            elif self._depth < MOST_NESTED:
                self._depth += 1
                known[name] = is_plain(*found, self.computes)
                self._depth -= 1
        return known[name]


def is_plain(function: Function, flow: ControlFlow, is_pure: IsPure) -> bool:
    """Whether a function of the program only computes a number from its arguments and memory, without loops."""
    blocks = function.blocks
    if flow.loop_heads or not 0 < len(blocks) <= MOST_BLOCKS or function.type.variadic or any(function.parameter_byval):
        return False
    if not isinstance(function.type.result, IntType | PointerType):
        return False
    for block in flow.order:
        for instruction in blocks[block].body:
            match instruction:
                case Return(value=value):
                    if value is None:
                        return False
                case Load(volatile=True):
                    return False
                case Call(callee=GlobalAddress(name=name)):
                    if not is_pure(name):
                        return False
                case Call():
                    return False
                case _ if not isinstance(instruction, ALLOWED):
                    return False
    return True


def with_dominator(order: Sequence[int], flow: ControlFlow) -> frozenset[int]:
    """Of blocks in the order in which they follow each other from the first: those that post-dominate their dominators.

    An edge back to the first, or out, counts as the end.
    """
    place = {block: number for number, block in enumerate(order)}
    end = len(place)
    onwards: list[list[int]] = [[] for _ in range(end + 1)]
    for block in order:
        following = [place.get(target, end) or end for target in flow.successors[block]]
        onwards[place[block]] += following or [end]
    backwards: list[list[int]] = [[] for _ in range(end + 1)]
    for number, targets_of in enumerate(onwards):
        for target in targets_of:
            backwards[target].append(number)
    above = immediate_dominators(reverse_post_order(end, end + 1, backwards), end + 1, onwards)
    dominators = flow.dominators
    return frozenset(block for block in order[1:] if is_ancestor(above, place[block], place[dominators[block]]))


class _Refused(Exception):
    """The loop is none that scans."""


class _Loop:
    """One loop that is looked at."""

    def __init__(
        self, function: Function, flow: ControlFlow, head: int, blocks: frozenset[int], is_pure: IsPure
    ) -> None:
        self.function = function
        self.flow = flow
        self.head = head
        self.blocks = blocks
        self.is_pure = is_pure
        self.order = tuple(sorted(blocks, key=flow.rank.__getitem__))

    def kind(self) -> ScanLoop | OtherLoop:
        """What the loop is."""
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
            case Store() | AtomicUpdate() | CompareExchange():
                raise _Refused("it writes memory")
            case Alloca():
                raise _Refused("it makes locals")
            case Load(volatile=True):
                raise _Refused("it reads what is volatile")
            case Call(callee=GlobalAddress(name=name)):
                if not self.is_pure(name):
                    raise _Refused(f"it calls {name}")
            case Call():
                raise _Refused("it calls through a pointer, or assembly")
            case _ if not isinstance(instruction, ALLOWED):
                raise _Refused(f"it has the instruction {type(instruction).__name__}")

    def _exits(self) -> list[int]:
        """The blocks that the loop can be left from."""
        return [block for block in self.order if not self.blocks.issuperset(self.flow.successors[block])]

    def _scan(self) -> ScanLoop:
        phis = self.function.blocks[self.head].phis
        steps = {phi.result: self._step(phi) for phi in phis}
        counters = frozenset(result for result, step in steps.items() if step is not None)
        if not counters:
            raise _Refused("nothing in it changes by a constant each turn")
        carried = frozenset(steps.keys() - counters)
        known = {result: From.COUNTER if result in counters else From.CARRIED for result in steps}
        ways = self._dependences(known)
        asked = [ways[block] for block in self._exits()]
        if any(From.CARRIED in way for way in asked):
            raise _Refused("an exit looks at what is carried from turn to turn")
        if not any(From.ELEMENT in way for way in asked):
            raise _Refused("no exit looks at an element")
        addressing = frozenset(steps.keys() & self._below_addresses())
        return ScanLoop(self.head, self.order, counters, carried, addressing, with_dominator(self.order, self.flow))

    def _below_addresses(self) -> set[int]:
        """The registers that addresses in the loop depend on."""
        reads: dict[int, list[int]] = {}
        waiting: list[int] = []
        for block in self.order:
            for phi in self.function.blocks[block].phis if block != self.head else ():
                reads[phi.result] = [value.index for value, _ in phi.incoming if isinstance(value, Register)]
            for instruction in self.function.blocks[block].body:
                if isinstance(instruction, Load):
                    waiting += registers_read(instruction)
                reads[instruction.result] = list(registers_read(instruction))
        below: set[int] = set()
        while waiting:
            register = waiting.pop()
            if register not in below:
                below.add(register)
                waiting += reads.get(register, ())
        return below

    def _dependences(self, known: dict[int, From]) -> dict[int, From]:
        """What the way out of each block depends on, branches before it included; ``known`` is about the head's phis.

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
                reads = From.NOTHING
                for register in registers_read(instruction):
                    reads |= known.get(register, From.NOTHING)
                if isinstance(instruction, Load):
                    if From.CARRIED in reads:
                        raise _Refused("an address in it is carried from turn to turn")
                    reads |= From.ELEMENT if reads else From.NOTHING
                if instruction.result >= 0:
                    known[instruction.result] = reads
            ways[block] = way = before | reads
            for target in targets(self.function.blocks[block].body[-1]):
                here[target] = here.get(target, From.NOTHING) | way
        return ways

    def _step(self, phi: Phi) -> int | None:
        """By how much a phi of the head changes each turn; None where that is not always the same."""
        steps = set()
        for value, source in phi.incoming:
            if source in self.blocks:
                steps.add(self._distance(value, phi.result))
        return steps.pop() if len(steps) == 1 else None

    def _distance(self, value: Operand, start: int) -> int | None:
        """How far a value is from register ``start``, in constant steps; None where that is not known, or is 0."""
        total = 0
        while isinstance(value, Register) and value.index != start:
            match self._definition(value.index):
                case GetElementPointer(base=base, offset=offset, terms=()):
                    value, total = base, total + offset
                case GetElementPointer(base=base, offset=offset, terms=((Bits(value=index, type=kind), stride),)):
                    bits = kind.width if hasattr(kind, "width") else 64
                    value, total = base, total + offset + (index - (index >> bits - 1 << bits)) * stride
                case Binary(op="add", left=left, right=Bits(value=amount)):
                    value, total = left, total + amount
                case Binary(op="sub", left=left, right=Bits(value=amount)):
                    value, total = left, total - amount
                case _:
                    return None
        return total or None if isinstance(value, Register) else None

    def _definition(self, register: int) -> Instruction | None:
        for block in self.order:
            for instruction in self.function.blocks[block].body:
                if instruction.result == register:
                    return instruction
        return None


def _of(values: list[Operand], known: dict[int, From]) -> From:
    reads = From.NOTHING
    for value in values:
        if isinstance(value, Register):
            reads |= known.get(value.index, From.NOTHING)
    return reads
