"""The calls of a program's functions by name, with what they show of their arguments: pointers that are surely not
null, and sizes that belong to objects (passed_sizes.py).

A pointer that is not null is the address of a variable or of a member, or was compared with null on the way to the
call; or it is a parameter of a static function all of whose calls pass such pointers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from functools import cached_property

from unfork.program.facts.address_taken import address_taken
from unfork.program.facts.cfg import ControlFlow, control_flow
from unfork.program.facts.passed_sizes import ForwardedPair, PassedSizes, SizeRelation, signed
from unfork.program.llvm.ir import (
    Alloca,
    Bits,
    Call,
    Compare,
    ConditionalBranch,
    GetElementPointer,
    GlobalAddress,
    Instruction,
    Operand,
    Phi,
    Register,
    Select,
)
from unfork.program.llvm.module import Function, Program
from unfork.program.llvm.types import IntType, PointerType, Position

_DEEP = 64
"""The most instructions that are looked at to see that one pointer is not null."""
_Known = Set[tuple[str, int]]
"""Functions and positions of parameters that are never null."""


@dataclass(frozen=True, slots=True)
class CallSite:
    """A call at a position; ``objects`` names the parameters for which it passes pointers that are not null."""

    position: Position
    objects: frozenset[str]
    sizes: frozenset[tuple[str, str, SizeRelation]]
    """How numbers belong to the objects of pointers: both by the names of their parameters."""
    rooms: frozenset[tuple[str, int]]
    """The bytes of the objects that pointers lead to, at least."""
    constants: frozenset[tuple[str, int]]
    """The constants that it passes."""
    caller: str
    forwarded: frozenset[tuple[str, str]]
    """The parameters for which it passes its caller's, with the names of these."""

    def relation(self, pointer: str, number: str) -> SizeRelation | None:
        """How a number belongs to the object of a pointer; None if the call does not show it."""
        return next((how for first, second, how in self.sizes if (first, second) == (pointer, number)), None)


def call_sites(program: Program) -> Mapping[str, tuple[CallSite, ...]]:
    """The calls of each of a program's own functions in C by others of them. Functions whose parameters are passed in
    other ways than one by one are left out.
    """
    calls = _calls(program)
    names = {name: each for name in calls if (each := _parameters(program, name)) is not None}
    static = {name for name in names if program.function(name).is_static} - address_taken(program)
    callers = {caller for each in calls.values() for caller, _, _ in each}
    facts = {name: _PointerFacts(program.function(name)) for name in callers}
    known: set[tuple[str, int]] = set()
    while True:
        passed = {
            name: [(call, _objects(facts[caller], block, call, caller, known)) for caller, block, call in calls[name]]
            for name in names
        }
        more = {
            (name, at)
            for name in static
            for at in range(len(names[name]))
            if all(at in objects for _, objects in passed[name])
        }
        if more <= known:
            break
        known |= more
    arguments = _PassedArguments(program, calls, names)
    return {
        name: tuple(
            [
                arguments.site(name, caller, call, call.position, objects)
                for (call, objects), (caller, _, _) in zip(each, calls[name], strict=True)
                if call.position is not None
            ]
        )
        for name, each in passed.items()
    }


class _PassedArguments:
    """Sizes, rooms and constants that calls pass, by the names of parameters."""

    def __init__(
        self, program: Program, calls: Mapping[str, list[tuple[str, int, Call]]], names: Mapping[str, list[str]]
    ) -> None:
        self._calls = calls
        callers = {caller for each in calls.values() for caller, _, _ in each}
        self._names = {name: _parameters(program, name) or [] for name in callers} | dict(names)
        self._facts = {name: PassedSizes(program.function(name), program) for name in callers}

    def site(self, name: str, caller: str, call: Call, position: Position, objects: Iterable[int]) -> CallSite:
        """A call of a function, with the positions at which it passes pointers that are not null."""
        names, facts = self._names[name], self._facts[caller]
        given = list(zip(names, call.arguments, strict=False))
        pointers = [(at, each, operand) for at, (each, operand) in enumerate(given) if _is_pointer(operand)]
        numbers = [(at, each, operand) for at, (each, operand) in enumerate(given) if isinstance(operand.type, IntType)]
        sizes = frozenset(
            (pointer, number, how)
            for first, pointer, _ in pointers
            for second, number, _ in numbers
            if (how := self._relation(caller, call, first, second)) is not None
        )
        rooms = frozenset((each, room) for _, each, operand in pointers if (room := facts.room(operand)) is not None)
        constants = frozenset((each, signed(operand)) for _, each, operand in numbers if isinstance(operand, Bits))
        own = self._names[caller]
        passed_on = ((each, facts.parameter(operand)) for each, operand in given)
        forwarded = frozenset((each, own[at]) for each, at in passed_on if at is not None and at < len(own))
        not_null = frozenset(names[at] for at in objects if at < len(names))
        return CallSite(position, not_null, sizes, rooms, constants, caller, forwarded)

    def _relation(self, caller: str, call: Call, pointer: int, number: int) -> SizeRelation | None:
        """How a number belongs to the object of a pointer. A pair that its caller passes on is as that one's callers
        show: it is within its object, unless they show more.
        """
        waiting, seen = [(caller, call, pointer, number)], set[tuple[str, int, int]]()
        found: set[SizeRelation] = {SizeRelation.WITHIN}
        while waiting:
            current, made, first, second = waiting.pop()
            if max(first, second) >= len(made.arguments):
                return None
            match self._facts[current].relation(made.arguments[first], made.arguments[second]):
                case None:
                    return None
                case ForwardedPair(at, size):
                    if (current, at, size) not in seen:
                        seen.add((current, at, size))
                        waiting += [(one, each, at, size) for one, _, each in self._calls.get(current, ())]
                case how:
                    found.add(how)
        return next(each for each in (SizeRelation.BEYOND, SizeRelation.DERIVED, SizeRelation.WITHIN) if each in found)


def _is_pointer(operand: Operand) -> bool:
    return isinstance(operand.type, PointerType)


def _calls(program: Program) -> Mapping[str, list[tuple[str, int, Call]]]:
    """The calls of each function: the caller, its block, and the call. A function's calls of itself don't count."""
    own = set(program.own)
    found: dict[str, list[tuple[str, int, Call]]] = defaultdict(list)
    for caller in program.own:
        for block in program.function(caller).blocks:
            for each in block.body:
                match each:
                    case Call(callee=GlobalAddress(name)) if name in own and name != caller:
                        found[name].append((caller, block.index, each))
    return found


def _parameters(program: Program, name: str) -> list[str] | None:
    prototype = program.c_types.prototype(name)
    if prototype is None or len(prototype.parameters) != len(program.function(name).type.parameters):
        return None
    return [each.name for each in prototype.parameters]


def _objects(facts: _PointerFacts, block: int, call: Call, caller: str, known: _Known) -> list[int]:
    return [at for at, each in enumerate(call.arguments) if facts.is_object(each, block, caller, known)]


class _PointerFacts:
    """What a function shows of its pointers."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._flow: ControlFlow = control_flow(function)
        self._made: dict[int, Instruction] = {each.result: each for each in function.instructions() if each.result >= 0}

    def is_object(self, operand: Operand, block: int, caller: str, known: _Known) -> bool:
        """Whether a value is an address that is not null, in a block."""
        waiting, seen = [(operand, block)], set[tuple[int, int]]()
        while waiting:
            current, at = waiting.pop()
            if isinstance(current, GlobalAddress):
                continue
            if not isinstance(current, Register) or len(seen) > _DEEP:
                return False
            if (current.index, at) in seen or self._is_tested(current, at):
                continue
            seen.add((current.index, at))
            match self._made.get(current.index):
                case Alloca():
                    pass
                case GetElementPointer(base=base, offset=offset, terms=terms):
                    waiting += [] if offset and not terms else [(base, at)]
                case Select(then=then, otherwise=otherwise):
                    waiting += [(then, at), (otherwise, at)]
                case Phi(incoming=incoming):
                    waiting += incoming
                case None if (caller, current.index) in known or self._is_declared(current.index):
                    pass
                case _:
                    return False
        return True

    def _is_declared(self, index: int) -> bool:
        room = self._function.parameter_room
        return index < len(room) and room[index] is not None

    def _is_tested(self, pointer: Register, block: int) -> bool:
        """Whether every path to a block compares a pointer with null, and finds that it is not."""
        return any(self._flow.dominates(good, block) for good in self._tested.get(pointer, ()))

    @cached_property
    def _tested(self) -> Mapping[Operand, list[int]]:
        """The blocks to which only a comparison leads that finds a value to be other than null, by value."""
        found: dict[Operand, list[int]] = defaultdict(list)
        for number, each in enumerate(self._function.blocks):
            match each.body[-1]:
                case ConditionalBranch(condition=Register(index), then=then, otherwise=otherwise):
                    test = self._made.get(index)
                case _:
                    continue
            if not isinstance(test, Compare):
                continue
            good = {"eq": otherwise, "ne": then}.get(test.predicate)
            if good is None or then == otherwise or self._flow.predecessors[good] != [number]:
                continue
            null = Bits(0, test.type)
            for value, other in ((test.left, test.right), (test.right, test.left)):
                if other == null:
                    found[value].append(good)
        return found
