"""The struct members that hold how many elements a block has that another member leads to, or that follow the struct:
all code that sets one of both makes such a block, of as many elements, and sets the other.

Code that reads or writes beyond such a count goes beyond the block.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from unfork.program.facts.struct_members import StructMember, member_of, size_behind, tail_of
from unfork.program.llvm.c_type_reader import CTypes
from unfork.program.llvm.ir import (
    Binary,
    Bits,
    Call,
    Cast,
    GetElementPointer,
    GlobalAddress,
    Load,
    Operand,
    Register,
    Store,
)
from unfork.program.llvm.module import Function, Program
from unfork.program.llvm.uses import registers_read

_OF_BYTES = {"malloc": 0, "realloc": 1}
"""Where allocators take a number of bytes."""
_OF_ELEMENTS = {"calloc": 0, "reallocarray": 1}
"""Where others take a number of elements; the size of each is next."""
_WIDENING = frozenset(("zext", "sext"))


@dataclass(frozen=True, slots=True)
class _Setting:
    """A store of ``value`` to a member of the struct at ``base``."""

    base: Operand
    member: StructMember
    value: Operand


def allocated_counts(program: Program) -> Mapping[StructMember, frozenset[int]]:
    """For members that lead to blocks, or flexible array members, the offsets of their counts in the same struct."""
    functions = [_Blocks(program.function(name), program.c_types) for name in program.own]
    pairs = list(dict.fromkeys(pair for each in functions for pair in each.made))
    found: dict[StructMember, set[int]] = defaultdict(set)
    for pointer, count in pairs:
        if all(each.keeps(pointer, count) for each in functions):
            found[pointer].add(count.offset)
    return {pointer: frozenset(offsets) for pointer, offsets in found.items()}


class _Blocks:
    """The blocks that a function makes, and the members that it sets."""

    def __init__(self, function: Function, types: CTypes) -> None:
        self._types = types
        self._instructions = list(function.instructions())
        self._by_register = {each.result: each for each in self._instructions if each.result >= 0}
        self._settings = [*self._set()]
        self._taken = {*self._addresses_taken()}
        self.made: dict[tuple[StructMember, StructMember], list[_Setting]] = defaultdict(list)
        """The pairs of a member and its count that it sets together, with the settings."""
        for pair, *settings in self._pairs():
            self.made[pair] += settings

    def keeps(self, pointer: StructMember, count: StructMember) -> bool:
        """Whether it sets neither of a pair without the other."""
        if not self._taken.isdisjoint((pointer, count)):
            return False
        paired = self.made.get((pointer, count), [])
        others = [each for each in self._settings if each.member in (pointer, count) and each not in paired]
        nothing = [each for each in others if isinstance(each.value, Bits) and each.value.value == 0]
        if len(nothing) < len(others):
            return False
        both = {(each.base, each.member) for each in nothing}
        return all({(base, pointer), (base, count)} <= both for base, _ in both)

    def _pairs(self) -> Iterator[tuple[tuple[StructMember, StructMember], _Setting, _Setting]]:
        for count in self._settings:
            for other in self._settings:
                if other.base == count.base and other.member.record == count.member.record:
                    size = size_behind(self._types, other.member)
                    if size and other is not count and self._has(other.value, 0, size, count.value):
                        yield (other.member, count.member), count, other
            tail = tail_of(self._types, count.member.record)
            cells = None if tail is None else self._types.cells(tail.record)
            if tail is not None and cells is not None and cells.tail is not None:
                for start in (tail.offset, tail.record.size):
                    if self._has(count.base, start, cells.tail.cells.size, count.value):
                        yield (tail, count.member), count, count

    def _has(self, block: Operand, start: int, size: int, count: Operand) -> bool:
        """Whether a value is a new block of ``start`` bytes and ``count`` elements of ``size`` bytes."""
        made = self._by_register.get(block.index) if isinstance(block, Register) else None
        if not isinstance(made, Call) or not isinstance(made.callee, GlobalAddress):
            return False
        at = _OF_ELEMENTS.get(made.callee.name)
        if at is not None and at + 1 < len(made.arguments):
            number, each = made.arguments[at], made.arguments[at + 1]
            if any(
                self._is_one(one) and self._is_product(self._plain(other), start, size, count)
                for one, other in ((number, each), (each, number))
            ):
                return True
            is_size = isinstance(each, Bits) and each.value == size
            return start == 0 and is_size and self._plain(number) == self._plain(count)
        at = _OF_BYTES.get(made.callee.name)
        passed = () if at is None else made.arguments[at : at + 1]
        return any(self._is_product(self._plain(each), start, size, count) for each in passed)

    @staticmethod
    def _is_one(operand: Operand) -> bool:
        return isinstance(operand, Bits) and operand.value == 1

    def _is_product(self, bytes_: Operand, start: int, size: int, count: Operand) -> bool:
        """Whether a number is ``start`` and ``count`` times ``size``."""
        if isinstance(bytes_, Bits) and isinstance(count, Bits):
            return bytes_.value == start + size * count.value
        if start:
            match self._by_register.get(bytes_.index) if isinstance(bytes_, Register) else None:
                case (
                    Binary(op="add", left=rest, right=Bits(value)) | Binary(op="add", left=Bits(value), right=rest)
                ) if value == start:
                    bytes_ = self._plain(rest)
                case _:
                    return False
        wanted = self._plain(count)
        match self._by_register.get(bytes_.index) if isinstance(bytes_, Register) else None:
            case Binary(op="mul", left=left, right=right):
                known = [each.value for each in (left, right) if isinstance(each, Bits)]
                return known == [size] and wanted in (self._plain(left), self._plain(right))
            case Binary(op="shl", left=left, right=Bits(value)):
                return 1 << value == size and self._plain(left) == wanted
        return size == 1 and bytes_ == wanted

    def _plain(self, operand: Operand) -> Operand:
        """An operand before it was widened."""
        while isinstance(operand, Register):
            match self._by_register.get(operand.index):
                case Cast(op=op, value=value) if op in _WIDENING:
                    operand = value
                case _:
                    break
        return operand

    def _set(self) -> Iterator[_Setting]:
        for each in self._instructions:
            if isinstance(each, Store) and isinstance(each.pointer, Register):
                address = self._by_register.get(each.pointer.index)
                member = member_of(self._types, address)
                if member is not None and isinstance(address, GetElementPointer):
                    yield _Setting(address.base, member, each.value)

    def _addresses_taken(self) -> Iterator[StructMember]:
        """The members whose addresses are used otherwise than to read or to set them."""
        for each in self._instructions:
            read = registers_read(each)
            if isinstance(each, Load):
                continue
            if isinstance(each, Store):
                read = [each.value.index] if isinstance(each.value, Register) else []
            for index in read:
                member = member_of(self._types, self._by_register.get(index))
                if member is not None:
                    yield member
