"""The instructions of a function that may observe an address as a number, so that the names of objects matter.

Such a number comes from ptrtoint, or from a load where a pointer lies. Passing it on is not observing it: storing
it, setting or clearing its low bits, adding to it, or casting it back to a pointer. Nor are tests for equality, or
the difference or order of addresses in one object.

The verdict needs another answer: which functions have results that depend on where objects lie in memory? Steps with
the same result in every layout (tags in low bits, offsets, casts back to a pointer, equality, distances) do not
count. A number that leaves the function does, because its further use is unknown.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property

from unfork.program.facts.cfg import closure
from unfork.program.llvm import layout
from unfork.program.llvm.ir import (
    Binary,
    Bits,
    Call,
    Cast,
    Compare,
    ConstantExpression,
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
from unfork.program.llvm.module import Block, Function, Program
from unfork.program.llvm.narrow_pointers import UNSPELL
from unfork.program.llvm.types import IntType, PointerType, Position, VectorType
from unfork.program.llvm.uses import operands_of, registers_read

WORD = 8
"""Bytes of an address, and its alignment."""
SAME_WHATEVER_THE_NAME = 14
"""Low bits of an address that do not depend on the object's name: objects begin at multiples of 2^14."""
PASSING = frozenset(("add", "sub", "and", "or", "xor", "urem"))
"""Operations whose result may be an address, or a number that does not depend on its name."""
KERNEL = frozenset(("unfork_syscall",))
"""Functions that take addresses as numbers and treat them as addresses."""
EQUALITY = ("eq", "ne")


class AddressUses:
    """A function's possible uses of numbers that are addresses."""

    def __init__(self, function: Function) -> None:
        self._function = function

    def is_piece(self, load: Load) -> bool:
        """Whether a load may yield a piece of an address that is used other than for storing it again."""
        return load.result in self._pieces

    def looked_at_by(self, instruction: Instruction) -> list[Operand]:
        """The operands that may be addresses, and of which an instruction reads bits that depend on their names."""
        return [
            operand
            for operand in operands_of(instruction)
            if self.may_be_address(operand) and _looks(instruction, operand)
        ]

    def is_computed_with(self, load: Load) -> bool:
        """Whether more is done with a loaded number than to make a pointer of it, or to store it."""
        return any(
            not isinstance(each, Store) and not (isinstance(each, Cast) and each.op == UNSPELL)
            for each in self._readers[load.result]
        )

    def may_be_address(self, operand: Operand) -> bool:
        """Whether an operand may be a number that is an address."""
        return isinstance(operand, Register) and operand.index in self._numbers

    def copied(self, store: Store) -> Load | None:
        """The load of the stored value, if it is less than a word and only stores in this block use it."""
        return self._copies.get(store.value.index) if isinstance(store.value, Register) else None

    @cached_property
    def _instructions(self) -> list[Instruction]:
        return list(self._function.instructions())

    @cached_property
    def _numbers(self) -> set[int]:
        """The registers that may hold an address as a number of 64 bits."""
        first = {instruction.result for instruction in self._instructions if _makes_number(instruction)}
        readers = self._readers
        return closure(first, lambda number: [reader.result for reader in readers[number] if _passes_on(reader)])

    @cached_property
    def _readers(self) -> defaultdict[int, list[Instruction]]:
        readers: defaultdict[int, list[Instruction]] = defaultdict(list)
        for instruction in self._instructions:
            for register in registers_read(instruction):
                readers[register].append(instruction)
        return readers

    @cached_property
    def _pieces(self) -> set[int]:
        """The loads of neither pointers nor 64-bit numbers, except those that only copy."""
        return {
            instruction.result
            for instruction in self._instructions
            if isinstance(instruction, Load)
            and not isinstance(instruction.type, PointerType)
            and instruction.result not in self._numbers
            and instruction.result not in self._copies
        }

    @cached_property
    def _copies(self) -> dict[int, Load]:
        """Loads of pieces that are only stored again, in their own block."""
        copies: dict[int, Load] = {}
        for block in self._function.blocks:
            here = {id(instruction) for instruction in block.body}
            for instruction in block.body:
                if (
                    isinstance(instruction, Load)
                    and instruction.result not in self._numbers
                    and layout.store_size(instruction.type) < WORD
                ):
                    readers = self._readers[instruction.result]
                    if all(_stores(each, instruction.result) and id(each) in here for each in readers):
                        copies[instruction.result] = instruction
        return copies


def _makes_number(instruction: Instruction) -> bool:
    match instruction:
        case Cast(op="ptrtoint", target=IntType(width=width)):
            return width >= 8 * WORD
        case Load(type=IntType(width=64)):
            return True
    return False


def _passes_on(instruction: Instruction) -> bool:
    """Whether the result of the instruction may be its address operand."""
    match instruction:
        case Phi(type=IntType(width=64)) | Select(type=IntType(width=64)) | Freeze(type=IntType(width=64)):
            return True
        case Binary(op=op, type=IntType(width=64)):
            return op in PASSING
    return False


def _looks(instruction: Instruction, operand: Operand) -> bool:
    """Whether the instruction reads bits of an address that depend on the name of the object."""
    match instruction:
        case Select(condition=condition):
            return operand == condition
        case Cast(op="trunc", target=IntType(width=width)):
            return width > SAME_WHATEVER_THE_NAME
        case Call(callee=GlobalAddress(name=name)):
            return name not in KERNEL
        case Cast(op="inttoptr") | Store() | Compare(type=IntType(width=64)):
            return False
    return not _passes_on(instruction)


def _stores(instruction: Instruction, register: int) -> bool:
    """Whether the instruction only stores the number."""
    return (
        isinstance(instruction, Store)
        and operands_of(instruction)[0] == instruction.value
        and _is(instruction.value, register)
        and not _is(instruction.pointer, register)
    )


def _is(operand: Operand, register: int) -> bool:
    return isinstance(operand, Register) and operand.index == register


def is_cut(cast: Cast) -> bool:
    """Whether a cast of a pointer leaves bits that depend on the object's name."""
    whole = 8 * layout.store_size(cast.source) if isinstance(cast.source, PointerType) else 8 * WORD
    width = cast.target.width if isinstance(cast.target, IntType) else whole
    return cast.op == "ptrtoint" and (isinstance(cast.target, VectorType) or SAME_WHATEVER_THE_NAME < width < whole)


def is_ordered(compare: Compare) -> bool:
    """Whether a comparison is about the order of two pointers, or of two numbers."""
    kind = compare.type.element if isinstance(compare.type, VectorType) else compare.type
    return compare.predicate not in EQUALITY and isinstance(kind, PointerType | IntType)


# --- results that depend on the layout of memory ---


_OF_CHECKS = "__ubsan_handle_"
LayoutLook = tuple[str, Position | None]
"""A function whose result depends on where objects lie, by name, and a place in it."""
ALIGNED = 16
"""Objects begin at multiples of this many bytes in every layout, unless the program asks for more."""


def assumed_layout(running: Iterable[Function], program: Program, noticed: Iterable[LayoutLook]) -> list[str]:
    """The run's assumptions about where objects lie: a sentence for each of the program's functions that depends on
    it, by its instructions or as the run ``noticed``.
    """
    noticed_at = dict(noticed)
    assumptions = []
    for function in running:
        if function.name in program.library:
            continue
        if (instruction := first_dependence(function)) is not None:
            position = instruction.position or function.position
        elif function.name in noticed_at:
            position = noticed_at[function.name]
        else:
            continue
        location = f" ({position.file}:{position.line})" if position is not None else ""
        name = function.source_name
        assumptions.append(f"objects lie where unfork puts them: {name} looks at the bits of an address{location}")
    return assumptions


def first_dependence(function: Function) -> Instruction | None:
    """The first instruction whose result, or effect, may depend on where objects lie."""
    numbers: set[int] = set()
    body = list(function.instructions())
    grown = True
    while grown:
        derived = {
            instruction.result for instruction in body if instruction.result >= 0 and _is_number(instruction, numbers)
        }
        grown = derived != numbers
        numbers = derived
    if not numbers:
        return None
    reading = [
        instruction for instruction in body if any(register in numbers for register in registers_read(instruction))
    ]
    return next((instruction for instruction in reading if not _is_exact(instruction, numbers)), None)


def _is_number(instruction: Instruction, numbers: set[int]) -> bool:
    """Whether the result is the number of an address, perhaps with an offset or a tag."""
    match instruction:
        case Cast(op="ptrtoint", source=source):
            return isinstance(source, PointerType)
        case Binary(op="sub", left=left, right=right):
            return _of(left, numbers) and not _of(right, numbers)
        case Binary(op="add" | "or" | "xor", left=left, right=right):
            return _of(left, numbers) != _of(right, numbers)
        case Binary(op="and", left=left, right=Bits(value=mask)):
            return _of(left, numbers) and mask >= ALIGNED
        case Phi() | Select() | Freeze():
            return any(_of(operand, numbers) for operand in operands_of(instruction))
    return False


def _is_exact(instruction: Instruction, numbers: set[int]) -> bool:
    """Whether an instruction with such an operand does the same in every layout."""
    match instruction:
        case Binary(op="sub", left=left, right=right):
            return _of(left, numbers)
        case Binary(op="add" | "or" | "xor", left=left, right=right):
            return _of(left, numbers) != _of(right, numbers)
        case Binary(op="and", right=Bits(value=mask, type=kind)):
            return mask < ALIGNED or mask >= (1 << layout.bits_of(kind)) - ALIGNED
        case Cast(op="inttoptr") | Phi() | Select() | Freeze() | Compare(predicate="eq" | "ne"):
            return True
        case Call(callee=GlobalAddress(name=name)):  # a check that fails is told where a wide value lies
            return name.startswith(_OF_CHECKS)
    return False


def keeps_address(instruction: Instruction, register: int) -> bool:
    """Whether the result is the number of an address if ``register`` holds one."""
    return not isinstance(instruction, Cast) and _is_number(instruction, {register})


def is_exact(instruction: Instruction, register: int) -> bool:
    """Whether an instruction does the same in every layout if ``register`` holds the number of an address."""
    return _is_exact(instruction, {register})


def is_failed_check(block: Block) -> bool:
    """Whether a block calls a handler of the compiler's checks: the branch to it is none of the source."""
    calls = (each.callee for each in block.body if isinstance(each, Call))
    return any(isinstance(each, GlobalAddress) and each.name.startswith(_OF_CHECKS) for each in calls)


def _of(operand: Operand, numbers: set[int]) -> bool:
    if isinstance(operand, ConstantExpression):
        return isinstance(operand.instruction, Cast) and operand.instruction.op == "ptrtoint"
    return isinstance(operand, Register) and operand.index in numbers
