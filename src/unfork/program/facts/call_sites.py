"""The calls of a program's functions by name, with the pointers that they pass and that are surely not null.

Such a pointer is the address of a variable or of a member, or was compared with null on the way to the call; or it is
a parameter of a static function all of whose calls pass such pointers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Set
from dataclasses import dataclass
from functools import cached_property

from unfork.program.facts.address_taken import address_taken
from unfork.program.facts.cfg import ControlFlow, control_flow
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
from unfork.program.llvm.types import Position

_DEEP = 64
"""The most instructions that are looked at to see that one pointer is not null."""
_Known = Set[tuple[str, int]]
"""Functions and positions of parameters that are never null."""


@dataclass(frozen=True, slots=True)
class CallSite:
    """A call at a position; ``objects`` names the parameters for which it passes pointers that are not null."""

    position: Position
    objects: frozenset[str]


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
    return {
        name: tuple(
            [
                CallSite(call.position, frozenset(names[name][at] for at in objects if at < len(names[name])))
                for call, objects in each
                if call.position is not None
            ]
        )
        for name, each in passed.items()
    }


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
