"""Which instructions of a function may look at an address as a number, so that it matters how objects are named.

Such a number is made by ptrtoint or loaded where a pointer lies. Passing it on is no look: storing it, setting and
clearing its low bits, adding to it, making it a pointer again. Nor is a test for equality, a difference of addresses in
one object, or their order.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property

from unfork.program import layout
from unfork.program.ir import (
    Binary,
    Call,
    Cast,
    Compare,
    Freeze,
    GlobalAddress,
    Instruction,
    Load,
    Operand,
    Phi,
    Register,
    Select,
    Store,
)
from unfork.program.module import Function
from unfork.program.types import IntType, PointerType, VectorType
from unfork.program.uses import operands_of, registers_read

WORD = 8
"""Bytes of an address, and its alignment."""
SAME_WHATEVER_THE_NAME = 14
"""Low bits of an address that do not depend on the object's name: objects begin at multiples of 2^14."""
PASSING = frozenset(("add", "sub", "and", "or", "xor", "urem"))
"""What may make an address of an address, or a number that says nothing of its name: their operands decide."""
KERNEL = frozenset(("unfork_syscall",))
"""Functions to which addresses are passed as numbers, and which know what they are given."""
EQUALITY = ("eq", "ne")


class AddressUses:
    """What one function may do with numbers that are addresses."""

    def __init__(self, function: Function) -> None:
        self._function = function

    def is_piece(self, load: Load) -> bool:
        """Whether a load yields what may be a piece of an address, and more is done with it than storing it again."""
        return load.result in self._pieces

    def looked_at_by(self, instruction: Instruction) -> list[Operand]:
        """The operands of which an instruction learns more than an address tells under each name, if they are one."""
        return [one for one in operands_of(instruction) if self.may_be_address(one) and _looks(instruction, one)]

    def may_be_address(self, operand: Operand) -> bool:
        """Whether an operand may be a number that is an address."""
        return isinstance(operand, Register) and operand.index in self._numbers

    def copied(self, store: Store) -> Load | None:
        """The load of a number of less than a word that nothing but stores of its block read, this one among them."""
        return self._copies.get(store.value.index) if isinstance(store.value, Register) else None

    @cached_property
    def _instructions(self) -> list[Instruction]:
        return [one for block in self._function.blocks for one in (*block.phis, *block.body)]

    @cached_property
    def _numbers(self) -> set[int]:
        """The registers that may hold an address as a number of 64 bits."""
        found = {one.result for one in self._instructions if _makes_number(one)}
        waiting = list(found)
        readers = self._readers
        while waiting:
            for one in readers[waiting.pop()]:
                if _passes_on(one) and one.result not in found:
                    found.add(one.result)
                    waiting.append(one.result)
        return found

    @cached_property
    def _readers(self) -> defaultdict[int, list[Instruction]]:
        found: defaultdict[int, list[Instruction]] = defaultdict(list)
        for one in self._instructions:
            for register in registers_read(one):
                found[register].append(one)
        return found

    @cached_property
    def _pieces(self) -> set[int]:
        """The loads of what is neither a pointer nor a number of 64 bits, unless they only copy."""
        return {
            one.result
            for one in self._instructions
            if isinstance(one, Load)
            and not isinstance(one.type, PointerType)
            and one.result not in self._numbers
            and one.result not in self._copies
        }

    @cached_property
    def _copies(self) -> dict[int, Load]:
        """Loads of pieces that are only stored again, in their own block."""
        found: dict[int, Load] = {}
        for block in self._function.blocks:
            here = {id(one) for one in block.body}
            for one in block.body:
                if isinstance(one, Load) and one.result not in self._numbers and layout.store_size(one.type) < WORD:
                    readers = self._readers[one.result]
                    if all(_stores(each, one.result) and id(each) in here for each in readers):
                        found[one.result] = one
        return found


def _makes_number(one: Instruction) -> bool:
    match one:
        case Cast(op="ptrtoint", target=IntType(width=width)):
            return width >= 8 * WORD
        case Load(type=IntType(width=64)):
            return True
    return False


def _passes_on(one: Instruction) -> bool:
    """Whether what the instruction yields may be the address that it is given."""
    match one:
        case Phi(type=IntType(width=64)) | Select(type=IntType(width=64)) | Freeze(type=IntType(width=64)):
            return True
        case Binary(op=op, type=IntType(width=64)):
            return op in PASSING
    return False


def _looks(one: Instruction, operand: Operand) -> bool:
    """Whether the instruction learns more of a number than an address tells under each name, whatever its operands."""
    match one:
        case Select(condition=condition):
            return operand == condition
        case Cast(op="trunc", target=IntType(width=width)):
            return width > SAME_WHATEVER_THE_NAME
        case Call(callee=GlobalAddress(name=name)):
            return name not in KERNEL
        case Cast(op="inttoptr") | Store() | Compare(type=IntType(width=64)):
            return False
    return not _passes_on(one)


def _stores(one: Instruction, register: int) -> bool:
    """Whether the instruction stores the number and does nothing else with it."""
    return (
        isinstance(one, Store)
        and operands_of(one)[0] == one.value
        and _is(one.value, register)
        and not _is(one.pointer, register)
    )


def _is(operand: Operand, register: int) -> bool:
    return isinstance(operand, Register) and operand.index == register


def is_cut(cast: Cast) -> bool:
    """Whether a cast of a pointer leaves a part of its number that depends on the object's name."""
    width = cast.target.width if isinstance(cast.target, IntType) else 8 * WORD
    return cast.op == "ptrtoint" and (isinstance(cast.target, VectorType) or SAME_WHATEVER_THE_NAME < width < 8 * WORD)


def is_ordered(compare: Compare) -> bool:
    """Whether a comparison asks for the order of two pointers, or of two numbers."""
    kind = compare.type.element if isinstance(compare.type, VectorType) else compare.type
    return compare.predicate not in EQUALITY and isinstance(kind, PointerType | IntType)
