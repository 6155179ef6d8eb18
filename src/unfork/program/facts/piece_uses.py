"""What a function does with bytes that it loads, if they belong to the number of an address: does the result depend on
where objects lie?

Copying the bytes, comparing them for equality with others, putting them together to a pointer, and testing the lowest
bits do the same in every layout.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from unfork.program.facts.address_uses import ALIGNED, EQUALITY, WORD, is_exact, keeps_address
from unfork.program.llvm import layout
from unfork.program.llvm.ir import (
    Binary,
    Bits,
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
    Return,
    Select,
    Store,
)
from unfork.program.llvm.module import Function
from unfork.program.llvm.types import IntType, PointerType
from unfork.program.llvm.uses import registers_read

ASSEMBLING = frozenset(("zext", "sext", "trunc", "bitcast"))
"""Casts that keep bytes as they are."""


@dataclass(frozen=True, slots=True, eq=False)
class PieceUse:
    """What is done with a loaded piece.

    ``looks``: the result may depend on the piece. ``looks_above``: it may, on more than the four lowest bits.
    ``copies``: a store in the same block writes it. ``earlier``: the load, before this one in its block, of the bytes
    with which it is compared for equality. ``is_awaited``: it is itself such an earlier load.
    """

    load: Load
    looks: bool
    looks_above: bool
    copies: bool
    earlier: Load | None
    is_awaited: bool


@dataclass(slots=True, eq=False)
class WordUse:
    """A load of a whole number, which may be an address that was stored as a pointer. ``looks`` is found on demand."""

    load: Load
    looks: bool | None = None


class PieceUses:
    """The uses of loads of less than a word in one function."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._words: dict[int, WordUse] = {}

    def of(self, load: Load) -> PieceUse | None:
        """What is done with a load; None if it cannot be of a piece, or nothing depends on that."""
        return self._uses.get(load.result)

    def of_word(self, load: Load) -> WordUse | None:
        """A load of a number of 64 bits; None for other loads."""
        if load.type != IntType(8 * WORD):
            return None
        use = self._words.get(load.result)
        if use is None:
            use = self._words[load.result] = WordUse(load)
        return use

    def depend_on(self, register: int) -> tuple[bool, list[tuple[str, int]]]:
        """Whether results depend on the layout if a register holds the number of an address; and the calls that get
        the number, by name and position of the argument. Storing and returning it counts for nothing.
        """
        calls, seen, waiting = [], {register}, [register]
        while waiting:
            value = waiting.pop()
            for reader in self._readers[value]:
                match reader:
                    case Store(value=Register(index=index)) if index == value:
                        continue
                    case Call(callee=GlobalAddress(name=name)):
                        arguments = enumerate(reader.arguments)
                        calls += [(name, at) for at, each in arguments if each == Register(value, each.type)]
                        continue
                    case Call() | Return():
                        continue
                if not is_exact(reader, value):
                    return True, calls
                if keeps_address(reader, value) and reader.result not in seen:
                    seen.add(reader.result)
                    waiting.append(reader.result)
        return False, calls

    def source(self, store: Store) -> PieceUse | None:
        """The load whose bytes a store copies, in the same block."""
        return self._sources.get(id(store))

    @cached_property
    def _readers(self) -> defaultdict[int, list[Instruction]]:
        readers: defaultdict[int, list[Instruction]] = defaultdict(list)
        for instruction in self._function.instructions():
            for register in registers_read(instruction):
                readers[register].append(instruction)
        return readers

    @cached_property
    def _pairs(self) -> dict[int, tuple[Load, Load]]:
        """The comparisons for equality of two loads in one block, by result: the earlier load and the later."""
        pairs = {}
        for block in self._function.blocks:
            loads = {
                each.result: (index, each)
                for index, each in enumerate(block.body)
                if isinstance(each, Load) and _is_piece(each)
            }
            casts = [each for each in block.body if isinstance(each, Cast) and each.op in ASSEMBLING]
            widened = {each.result: each.value for each in casts}
            for each in block.body:
                if isinstance(each, Compare) and each.predicate in EQUALITY:
                    sides = [_origin(side, widened) for side in (each.left, each.right)]
                    if all(side in loads for side in sides) and sides[0] != sides[1]:
                        first, second = sorted(loads[side] for side in sides if side is not None)
                        pairs[each.result] = (first[1], second[1])
        return pairs

    @cached_property
    def _sources(self) -> dict[int, PieceUse]:
        sources = {}
        for block in self._function.blocks:
            loads = {each.result: use for each in block.body if isinstance(each, Load) and (use := self.of(each))}
            for each in block.body:
                if (register := _stored(each)) is not None and register in loads:
                    sources[id(each)] = loads[register]
        return sources

    @cached_property
    def _uses(self) -> dict[int, PieceUse]:
        earlier, awaited = {}, set()
        for first, second in self._pairs.values():
            earlier[second.result] = first
            awaited.add(first.result)
        uses = {}
        for block in self._function.blocks:
            stored = set(map(_stored, block.body))
            for each in block.body:
                if isinstance(each, Load) and _is_piece(each):
                    readers = self._final_readers(each)
                    looks = any(not self._is_exact(reader, value) for reader, value in readers)
                    above = looks and any(
                        not self._is_exact(reader, value) and not _is_of_low_bits(reader) for reader, value in readers
                    )
                    pair, waits = earlier.get(each.result), each.result in awaited
                    if looks or pair or waits or each.result in stored:
                        uses[each.result] = PieceUse(each, looks, above, each.result in stored, pair, waits)
        return uses

    def _final_readers(self, load: Load) -> list[tuple[Instruction, int]]:
        """What reads the bytes as they are, or put together with others, each with the register that it reads."""
        final, seen, waiting = [], {load.result}, [load.result]
        while waiting:
            value = waiting.pop()
            for reader in self._readers[value]:
                if not _assembles(reader, value):
                    final.append((reader, value))
                elif reader.result not in seen:
                    seen.add(reader.result)
                    waiting.append(reader.result)
        return final

    def _is_exact(self, reader: Instruction, value: int) -> bool:
        """Whether an instruction does the same with such bytes in every layout."""
        match reader:
            case Store(value=Register(index=index)):
                return index == value and (id(reader) in self._stores_of_loads or _is_word(reader))
            case Cast(op="inttoptr"):
                return True
            case Compare():
                return reader.result in self._pairs
        return False

    @cached_property
    def _stores_of_loads(self) -> set[int]:
        """The stores of what a load in the same block gave."""
        stores = set()
        for block in self._function.blocks:
            loads = {each.result for each in block.body if _is_piece(each)}
            for each in block.body:
                if _stored(each) in loads:
                    stores.add(id(each))
        return stores


def _is_piece(instruction: Instruction) -> bool:
    """Whether an instruction loads a number of less than a word."""
    return (
        isinstance(instruction, Load)
        and not isinstance(instruction.type, PointerType)
        and layout.store_size(instruction.type) < WORD
    )


def _origin(operand: Operand, widened: dict[int, Operand]) -> int | None:
    """The register that a comparison is about, before it was widened."""
    while isinstance(operand, Register) and operand.index in widened:
        operand = widened[operand.index]
    return operand.index if isinstance(operand, Register) else None


def _assembles(reader: Instruction, value: int) -> bool:
    """Whether the result of an instruction has the bytes of an operand, perhaps beside others."""
    match reader:
        case Cast(op=op):
            return op in ASSEMBLING
        case Phi() | Freeze():
            return True
        case Select(condition=condition):
            return not (isinstance(condition, Register) and condition.index == value)
        case Binary(op="shl", right=Bits()):
            return True
        case Binary(op="or", left=left, right=right):
            return not (isinstance(left, Bits) or isinstance(right, Bits))
    return False


def _is_of_low_bits(reader: Instruction) -> bool:
    match reader:
        case Binary(op="and", right=Bits(value=mask)):
            return mask < ALIGNED
    return False


def _stored(instruction: Instruction) -> int | None:
    """The register whose value an instruction stores."""
    match instruction:
        case Store(value=Register(index=index)):
            return index
    return None


def _is_word(store: Store) -> bool:
    return isinstance(store.type, IntType) and layout.store_size(store.type) == WORD
