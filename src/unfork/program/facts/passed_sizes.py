"""What the calls in a function show of sizes: how a number belongs to the object that a pointer leads to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any

from unfork.program.facts.counting import counted_without_calls
from unfork.program.facts.library_calls import is_of_library
from unfork.program.facts.struct_members import member_of
from unfork.program.llvm.ir import (
    Alloca,
    Binary,
    Bits,
    ByteString,
    Call,
    Cast,
    ConstantExpression,
    GetElementPointer,
    GlobalAddress,
    Instruction,
    Load,
    Operand,
    Phi,
    Register,
    Select,
)
from unfork.program.llvm.layout import size_of, struct_layout
from unfork.program.llvm.module import Function, Program
from unfork.program.llvm.types import ArrayType, IntType, StructType, Type

_DEEP = 8
"""The most instructions that make a value which is compared with another."""
_ALTERNATIVES = 8
"""The most places to which a pointer may lead."""
_INTEGER_CASTS = frozenset(("zext", "sext", "trunc"))
_OF_BYTES = {"malloc": 0, "realloc": 1, "alloca": 0, "aligned_alloc": 1}
"""Where allocators take a number of bytes."""
_FACTORS = 2
"""The arguments of calloc, whose product is the number of bytes."""
_FILLING = {"fread": (0, 2), "read": (1, 2), "recv": (1, 2)}
"""Functions that return how many bytes they have put into a buffer: where they take it, and where its size."""
_PRINTING = frozenset(("sprintf", "vsprintf"))
"""Functions that return the length of the text which they have put into their first argument."""
_LIBRARY = frozenset(("strlen", "calloc", *_PRINTING, *_FILLING, *_OF_BYTES))


class SizeRelation(Enum):
    """How a number belongs to the object that a pointer leads to, by the code of a call.

    DERIVED: it is calculated from the object, or both were made together. WITHIN: a constant that is not larger.
    BEYOND: a constant that is larger.
    """

    DERIVED = "derived"
    WITHIN = "within"
    BEYOND = "beyond"


@dataclass(frozen=True, slots=True)
class ForwardedPair:
    """The caller passes its own parameters on: the pointer and the number at these positions."""

    pointer: int
    number: int


_Value = tuple[Any, ...]
"""How a value is made. Equal ones are the same number, or the same pointer."""


@dataclass(frozen=True, slots=True)
class _Room:
    """The bytes of an object: a constant or what makes the number; None if it is not known. ``whole`` has those of the
    variable around an array. ``is_text``: of a literal, whose last byte ends it.
    """

    size: int | _Value | None
    whole: int | None = None
    is_text: bool = False


class PassedSizes:
    """What a function shows of the sizes that it passes in calls."""

    def __init__(self, function: Function, program: Program) -> None:
        self._function, self._program = function, program

    @cached_property
    def _made(self) -> dict[int, Instruction]:
        return {each.result: each for each in self._function.instructions() if each.result >= 0}

    def relation(self, pointer: Operand, number: Operand) -> SizeRelation | ForwardedPair | None:
        """How a number belongs to what a pointer leads to; None if the function does not show it."""
        at, size = self.parameter(pointer), self.parameter(number)
        if at is not None and size is not None:
            return ForwardedPair(at, size)
        value = self._value(number)
        if self._is_calculated_from(value, self._value(pointer)) or self._are_counted(pointer, number):
            return SizeRelation.DERIVED
        found = {self._by_room(value, room) for room in self._rooms(pointer)}
        if not found or None in found:
            return None
        for each in (SizeRelation.BEYOND, SizeRelation.DERIVED):
            if each in found:
                return each
        return SizeRelation.WITHIN

    def room(self, pointer: Operand) -> int | None:
        """The fewest bytes of the objects that a pointer leads to; None if these are not known."""
        sizes = [room.size for room in self._rooms(pointer)]
        known = [each for each in sizes if isinstance(each, int)]
        return min(known) if known and len(known) == len(sizes) else None

    def parameter(self, operand: Operand) -> int | None:
        """The position of the caller's parameter that a value is; None for any other."""
        match self._value(operand):
            case ("register", int(index)) if index < len(self._function.type.parameters):
                return index
        return None

    @staticmethod
    def _by_room(value: _Value, room: _Room) -> SizeRelation | None:
        if room.size is None:
            return None
        match value, room.size:
            case ("bits", int(number)), int(size):
                if number in (size, size - room.is_text, room.whole):
                    return SizeRelation.DERIVED
                if 0 <= number < size:
                    return SizeRelation.WITHIN
                return SizeRelation.BEYOND if not 0 <= number <= max(size, room.whole or 0) else None
        return SizeRelation.DERIVED if value == room.size else None

    def _is_calculated_from(self, value: _Value, pointer: _Value) -> bool:
        """Whether a number is the length of the text at a pointer, or how many bytes a call has put there."""
        match value:
            case ("length", text) | ("add", ("length", text), 1):
                return bool(text == pointer)
            case ("filled", buffer):
                return bool(buffer == pointer)
        return False

    def _are_counted(self, pointer: Operand, number: Operand) -> bool:
        """Whether both are members of one struct, of which the one counts what the other leads to."""
        at, size = self._address_read(pointer), self._address_read(number)
        if at is None or size is None or self._value(at.base) != self._value(size.base):
            return False
        types = self._program.c_types
        member, count = member_of(types, at), member_of(types, size)
        if member is None or count is None or member.record != count.record:
            return False
        return count.offset in counted_without_calls(self._program).get(member, ())

    def _address_read(self, operand: Operand) -> GetElementPointer | None:
        """The address of a member that a value was read from."""
        made = self._maker(operand)
        while isinstance(made, Cast) and made.op in _INTEGER_CASTS:
            made = self._maker(made.value)
        address = self._maker(made.pointer) if isinstance(made, Load) else None
        return address if isinstance(address, GetElementPointer) else None

    def _maker(self, operand: Operand) -> Instruction | None:
        match operand:
            case Register(index=index):
                return self._made.get(index)
            case ConstantExpression(instruction=instruction):
                return instruction
        return None

    def _value(self, operand: Operand, depth: int = _DEEP) -> _Value:
        """How a value is made."""
        if isinstance(operand, GlobalAddress):
            return ("global", operand.name)
        if isinstance(operand, Bits):
            return ("bits", signed(operand))
        itself = ("register", operand.index) if isinstance(operand, Register) else ("operand", operand)
        if not depth:
            return itself
        match self._maker(operand):
            case Cast(op=op, value=value) if op in _INTEGER_CASTS:
                return self._value(value, depth - 1)
            case GetElementPointer(base=base, offset=0, terms=()):
                return self._value(base, depth - 1)
            case GetElementPointer(base=base, offset=offset, terms=()):
                return ("at", self._value(base, depth - 1), offset)
            case Load(pointer=pointer):
                return ("read", self._value(pointer, depth - 1))
            case Binary(op="add", left=left, right=Bits() as right):
                return ("add", self._value(left, depth - 1), signed(right))
            case Call(callee=GlobalAddress(name=name), arguments=arguments) if self._is_library(name):
                if (result := _size_returned(name, arguments)) is not None:
                    return (result[0], self._value(result[1], depth - 1))
        return itself

    def _is_library(self, name: str) -> bool:
        """Whether this is one of the functions above, and not the program's own one of that name."""
        return name in _LIBRARY and is_of_library(self._program, name)

    def _rooms(self, pointer: Operand) -> list[_Room]:
        """The rooms of the objects that a pointer may lead to."""
        return [self._room_at(place, offset) for place, offset in self._places(pointer)]

    def _places(self, pointer: Operand) -> Iterator[tuple[Operand, int]]:
        """Where a pointer may lead: the beginning of an object, and the offset in it. One that is no known place comes
        as it is; None of them beyond _ALTERNATIVES.
        """
        waiting, seen = [(pointer, 0)], set[tuple[Operand, int]]()
        while waiting:
            place = waiting.pop()
            if place in seen:
                continue
            seen.add(place)
            operand, offset = place
            match self._maker(operand):
                case GetElementPointer(base=base, offset=more, terms=()):
                    waiting.append((base, offset + more))
                case Select(then=then, otherwise=otherwise) if len(seen) < _ALTERNATIVES:
                    waiting += [(then, offset), (otherwise, offset)]
                case Phi(incoming=incoming) if len(seen) < _ALTERNATIVES:
                    waiting += [(each, offset) for each, _ in incoming]
                case _:
                    if operand != Bits(0, operand.type):  # a null pointer leads to no object
                        yield operand, offset

    def _room_at(self, place: Operand, offset: int) -> _Room:
        """The room from an offset of an object on."""
        match place, self._maker(place):
            case _, Alloca(type=kind, count=Bits(value=1)):
                return _Room(_part(kind, offset), size_of(kind) - offset)
            case _, Alloca(type=kind, count=Bits(value=count)):
                return _Room(count * size_of(kind) - offset)
            case _, Alloca(type=IntType(width=8), count=count) if not offset:
                return _Room(self._value(count))
            case GlobalAddress(name=name), _ if name in self._program.globals:
                variable = self._program.globals[name]
                ended = isinstance(variable.initializer, ByteString) and variable.initializer.data.endswith(b"\0")
                whole = size_of(variable.type) - offset
                return _Room(_part(variable.type, offset), whole, is_text=variable.constant and ended)
            case _, Call(callee=GlobalAddress(name=name), arguments=arguments) if self._is_library(name):
                return _Room(self._allocated(name, arguments, offset))
        return _Room(None)

    def _allocated(self, name: str, arguments: tuple[Operand, ...], offset: int) -> int | _Value | None:
        """The bytes from an offset of a new block on."""
        if name == "calloc" and len(arguments) == _FACTORS:
            count, each = map(self._value, arguments)
            match count, each:
                case ("bits", int(first)), ("bits", int(second)):
                    return first * second - offset
                case ("bits", 1), _:
                    return None if offset else each
                case _, ("bits", 1):
                    return None if offset else count
        if name not in _OF_BYTES or len(arguments) <= _OF_BYTES[name]:
            return None
        size = self._value(arguments[_OF_BYTES[name]])
        match size:
            case ("bits", int(number)):
                return number - offset
        return None if offset else size


def _size_returned(name: str, arguments: tuple[Operand, ...]) -> tuple[str, Operand] | None:
    """What a function of the C library returns, if that is a size: the length of a text, or how many bytes it has put
    somewhere.
    """
    if (name == "strlen" or name in _PRINTING) and arguments:
        return "length", arguments[0]
    if name in _FILLING and len(arguments) > max(_FILLING[name]):
        return "filled", arguments[_FILLING[name][0]]
    return None


def _part(kind: Type, offset: int) -> int | None:
    """The bytes of the array in a variable that begins at an offset; without one, all from there on. None in an array
    of no known size: one that is declared without it, or at the end of a struct.
    """
    rest = size_of(kind) - offset
    while isinstance(kind, StructType):
        starts = struct_layout(kind)[0]
        inside = zip(starts, kind.elements, strict=True)
        start, part = next(((at, each) for at, each in inside if at <= offset < at + size_of(each)), (0, None))
        if part is None:
            is_tail = bool(starts) and offset >= starts[-1] and not size_of(kind.elements[-1])
            return None if is_tail else rest
        kind, offset = part, offset - start
    if not isinstance(kind, ArrayType):
        return rest
    return None if not size_of(kind) else rest if offset else size_of(kind)


def signed(constant: Bits) -> int:
    """A constant as a signed number."""
    width = constant.type.width if isinstance(constant.type, IntType) else 64
    return constant.value - (1 << width) if constant.value >> (width - 1) else constant.value
