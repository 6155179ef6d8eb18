"""Which values of a function are the same expression of the source, and which of them a compiler knows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from unfork.llvm.ir import (
    Binary,
    Bits,
    Cast,
    Compare,
    FloatCompare,
    FloatNegate,
    GetElementPointer,
    GlobalAddress,
    Instruction,
    Load,
    Operand,
    Register,
)
from unfork.llvm.layout import bits_of
from unfork.llvm.module import Function
from unfork.llvm.types import IntType, Type

Key = tuple[Any, ...]
Range = tuple[int, int]
_EXTENSIONS = ("zext", "sext")
_ALWAYS = {"eq": True, "ne": False, "ule": True, "uge": True, "sle": True, "sge": True}
"""What comparisons of a value with itself come to; all others are false."""


class Values:
    """A number for each value of a function; equal numbers are equal expressions, as they are written.

    As in gcc's comparison of operands, two loads from the same place are equal, whatever is stored in between.
    ``choices`` are phis that gcc sees as one operation on a condition and two values.
    """

    def __init__(self, function: Function, choices: Mapping[int, tuple[Type, Operand, Operand, Operand]]) -> None:
        self.instructions: dict[int, Instruction] = {}
        """What defines each register that is no parameter."""
        self._numbers: dict[Key, int] = {}
        self._keys: list[Key] = []
        self._registers: dict[int, int] = {}
        for instruction in function.instructions():
            if instruction.result >= 0:
                self.instructions[instruction.result] = instruction
        for instruction in function.instructions():
            if instruction.result >= 0:
                chosen = choices.get(instruction.result)
                key = self._key(instruction) if chosen is None else ("choice", *map(self.of, chosen[1:]))
                self._registers[instruction.result] = self._number(key)

    def of(self, operand: Operand) -> int:
        """The number of an operand."""
        match operand:
            case Register(index=index):
                known = self._registers.get(index)
                return self._number(("register", index)) if known is None else known
            case Bits(value=value, type=type):
                return self._number(("constant", value, bits_of(type)))
            case GlobalAddress(name=name):
                return self._number(("global", name))
            case _:
                return self._number(("operand", operand))

    def definition(self, operand: Operand | None) -> Instruction | None:
        """What computes an operand; None for parameters and constants."""
        return self.instructions.get(operand.index) if isinstance(operand, Register) else None

    def constant(self, operand: Operand) -> int | None:
        """The value of an operand as an unsigned number if a compiler knows it, else None."""
        return self._constant(self.of(operand))

    def is_negation(self, first: Operand, second: Operand) -> bool:
        """Whether one of two integers is written as the other with a minus, or both as differences of the same two."""
        one, other = self._keys[self.of(first)], self._keys[self.of(second)]
        for key, number in ((one, self.of(second)), (other, self.of(first))):
            if key[0] == "sub" and self._constant(key[1]) == 0 and key[2] == number:
                return True
        return one[0] == other[0] == "sub" and one[1:3] == (other[2], other[1])

    def mask(self, operand: Operand) -> int | None:
        """The constant of an ``x & constant``; None if the operand is something else."""
        key = self._keys[self.of(operand)]
        return self._constant(key[2]) if key[0] == "and" else None

    def _number(self, key: Key) -> int:
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._keys)
            self._keys.append(key)
        return number

    def _key(self, instruction: Instruction) -> Key:
        match instruction:
            case Binary(op=op, left=left, right=right, type=type):
                return self._folded((op, self.of(left), self.of(right), type))
            case Compare(predicate=predicate, left=left, right=right, type=type):
                return self._compared((f"icmp {predicate}", self.of(left), self.of(right), type))
            case FloatCompare(predicate=predicate, left=left, right=right):
                return (f"fcmp {predicate}", self.of(left), self.of(right))
            case Cast(op=op, value=value, source=source, target=target):
                return (op, self.of(value), source, target)
            case FloatNegate(value=value):
                return ("fneg", self.of(value))
            case GetElementPointer(base=base, offset=offset, terms=terms):
                return ("gep", self.of(base), offset, tuple([(self.of(index), stride) for index, stride in terms]))
            case Load(pointer=pointer, type=type, volatile=False):
                return ("load", self.of(pointer), type)
            case _:
                return ("register", instruction.result)

    def _folded(self, key: Key) -> Key:
        op, left, right, type = key
        first, second = self._constant(left), self._constant(right)
        is_zero = (op in ("mul", "and") and 0 in (first, second)) or (op in ("sub", "xor") and left == right)
        return ("constant", 0, bits_of(type)) if is_zero and isinstance(type, IntType) else key

    def _compared(self, key: Key) -> Key:
        """A comparison; a constant if only one outcome is possible."""
        op, left, right, type = key
        predicate = op.split()[1]
        if left == right:
            return ("constant", int(_ALWAYS.get(predicate, False)), 1)
        if not isinstance(type, IntType):
            return key
        outcome = _outcome(predicate, self._range(left, type.width), self._range(right, type.width))
        return key if outcome is None else ("constant", int(outcome), 1)

    def _constant(self, number: int) -> int | None:
        key = self._keys[number]
        return key[1] if key[0] == "constant" else None

    def _range(self, number: int, width: int) -> Range:
        """The least and the greatest value, signed; the whole range unless the value was widened."""
        key = self._keys[number]
        if key[0] == "constant":
            value = key[1] - (key[1] >> (width - 1) << width)
            return value, value
        if key[0] in _EXTENSIONS and isinstance(key[2], IntType):
            narrow = key[2].width
            return (0, (1 << narrow) - 1) if key[0] == "zext" else (-(1 << narrow - 1), (1 << narrow - 1) - 1)
        return -(1 << width - 1), (1 << width - 1) - 1


def _outcome(predicate: str, left: Range, right: Range) -> bool | None:
    """What a comparison comes to for all values in two signed ranges; None if that is not one thing."""
    order = predicate[1:]
    if predicate in ("eq", "ne"):
        if left[1] < right[0] or right[1] < left[0]:
            return predicate == "ne"
        return predicate == "eq" if left == right and left[0] == left[1] else None
    if predicate[0] == "u" and (left[0] < 0 or right[0] < 0):
        return {"ge": True, "lt": False}.get(order) if right == (0, 0) else None
    if order[0] == "g":
        left, right, order = right, left, "l" + order[1:]
    is_less = (left[1] < right[0], left[0] >= right[1])
    is_at_most = (left[1] <= right[0], left[0] > right[1])
    is_true, is_false = is_less if order == "lt" else is_at_most
    return True if is_true else False if is_false else None
