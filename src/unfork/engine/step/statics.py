"""Static objects: the object numbers of globals and functions, and the contents of the first memory."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property

from unfork.engine.state import narrow_layout
from unfork.engine.state.flat_layout import GRAIN, ROOM, aligned, name_at, number_of_static, start_of, windows
from unfork.engine.state.memory import (
    FIRST_ARGUMENT,
    FIRST_STATIC,
    LARGEST,
    MASK_64,
    SLOT_BITS,
    SLOT_MIDDLE,
    UNINITIALISED,
    Memory,
    MemoryObject,
    address_of,
    offset_in,
)
from unfork.engine.state.objects import Beginnings
from unfork.engine.state.state import RegisterValue
from unfork.errors import InputError, Unsupported
from unfork.logic.terms import build
from unfork.program.llvm import layout
from unfork.program.llvm.ir import (
    Aggregate,
    Binary,
    Bits,
    BlockAddress,
    ByteString,
    Cast,
    Compare,
    ConstantExpression,
    GetElementPointer,
    GlobalAddress,
    Operand,
    Select,
    Undefined,
    Zero,
)
from unfork.program.llvm.module import Program
from unfork.program.llvm.types import ArrayType, PointerType, StructType, Type, VectorType

MAKERS_OF_THREADS = ("pthread_create", "thrd_create")


def makes_threads(program: Program) -> bool:
    """Whether a program may ever have more than one thread."""
    return any(name in program.declarations or name in program.defined for name in MAKERS_OF_THREADS)


class Statics:
    """The addresses of all objects with static lifetime, and the values of constants."""

    def __init__(self, program: Program, is_modelled: Callable[[str], bool]) -> None:
        self.program = program
        self._is_modelled = is_modelled
        self._numbers: dict[str, int] = {}
        self._functions: dict[int, str] = {}
        self._labels: dict[str, dict[str, int]] = {}
        self._next = FIRST_STATIC
        self._starts: list[int] = []
        large = set(program.first_globals)
        for name in program.globals:
            self._numbers[name] = self._number(*self._shape(name)) if name in large else self._number()
        for name in (*program.defined, *program.declarations):
            number = self._numbers[name] = self._number()
            self._functions[number] = name
        self._first_label = self._next
        self._order = {name: number for number, name in enumerate(program.defined)}
        self.makes_threads = makes_threads(program)

    def _shape(self, name: str) -> tuple[int, int]:
        """Size and alignment of a global that may take more than one name; one that is too large is refused later."""
        try:
            variable = self.program.globals[name]
        except Unsupported:  # raised again at its use
            return 1, 1
        return min(layout.size_of(variable.type), LARGEST), variable.alignment

    def _number(self, size: int = 1, alignment: int = 1) -> int:
        is_narrow = self.program.is_narrow
        number = aligned(self._next, alignment, is_narrow=is_narrow)
        self._starts.append(number)
        self._next = number + windows(size, is_narrow=is_narrow)
        if self._next >= FIRST_ARGUMENT:
            most = FIRST_ARGUMENT - FIRST_STATIC
            room = most * (narrow_layout.GRAIN if is_narrow else GRAIN)
            raise Unsupported(f"more than {most} globals and functions, or globals of more than {room} bytes")
        return number

    def has(self, name: str) -> bool:
        """Whether the program has a global or function of this name."""
        return name in self._numbers

    def address(self, name: str) -> int:
        """The address of a global, function or alias; null for an undefined weak one."""
        alias = self.program.aliases.get(name)
        if alias is not None:
            value = self.constant(alias)
            assert isinstance(value, int)
            return value
        if name in self.program.weak and not self._is_modelled(name):
            return 0
        return address_of(self._numbers[name])

    def function_at(self, address: int) -> str | None:
        """The function at this address."""
        return self._functions.get(address >> SLOT_BITS) if address & ((1 << SLOT_BITS) - 1) == SLOT_MIDDLE else None

    def block_address(self, function: str, label: str) -> int:
        """The address of a label (computed goto): the labels of a function are offsets in one object.

        It depends on the program alone, so that all processes of a run agree on it.
        """
        addresses = self._labels.get(function)
        if addresses is None:
            number = self._first_label + self._order[function]
            if number >= FIRST_ARGUMENT:
                raise Unsupported(f"more than {FIRST_ARGUMENT - FIRST_STATIC} globals and functions with labels")
            blocks = self.program.function(function).blocks
            addresses = {block.label: address_of(number, 1 + i) for i, block in enumerate(blocks)}
            self._labels[function] = addresses
        return addresses[label]

    # --- values of constants ---

    def constant(self, operand: Operand) -> RegisterValue:
        """The value of a constant operand; undefined parts of aggregates are 0.

        Raises Unsupported for constant expressions that no C code needs.
        """
        match operand:
            case Bits(value=value):
                return value
            case GlobalAddress(name=name):
                return self.address(name)
            case Zero(type=kind) | Undefined(type=kind):
                return filled(kind, 0)
            case Aggregate(elements=elements):
                return tuple([self.constant(element) for element in elements])
            case ByteString(data=data):
                return tuple(data)
            case BlockAddress(function=function, label=label):
                return self.block_address(function, label)
            case ConstantExpression():
                return self._expression(operand)
        raise Unsupported(f"constant {type(operand).__name__}")

    def _expression(self, operand: ConstantExpression) -> RegisterValue:
        match operand.instruction:
            case GetElementPointer(base=base, offset=offset, terms=terms):
                start = self.constant(base)
                for index, stride in terms:
                    value = self.constant(index)
                    bits = layout.bits_of(index.type)
                    offset += (value - ((value >> (bits - 1)) << bits)) * stride
                return (start + offset) & MASK_64
            case Cast(op="ptrtoint", value=value) as cast:
                return self.number_of(self.constant(value)) & ((1 << layout.bits_of(cast.target)) - 1)
            case Cast(op="spell", value=value):
                return self.number_of(self.constant(value)) & narrow_layout.MASK
            case Cast(op="inttoptr", value=value):
                return self._pointer(self.constant(value) & MASK_64)
            case Cast(op="bitcast" | "addrspacecast" | "trunc" | "zext", value=value) as cast:
                return self.constant(value) & ((1 << layout.bits_of(cast.target)) - 1)
            case Binary(op="add" | "sub" | "mul" | "xor" as op, left=left, right=right, type=kind):
                a, b = self.constant(left), self.constant(right)
                width = layout.bits_of(kind)
                return {"add": build.add, "sub": build.sub, "mul": build.mul, "xor": build.xor}[op](a, b, width)
            case Compare(predicate="eq" | "ne" as predicate, left=left, right=right):
                return int((self.constant(left) == self.constant(right)) == (predicate == "eq"))
            case Select(condition=condition, then=then, otherwise=otherwise):
                return self.constant(then if self.constant(condition) else otherwise)
        raise Unsupported(f"constant expression {type(operand.instruction).__name__}")

    def _pointer(self, number: int) -> int:
        """The pointer for a number."""
        is_narrow = self.program.is_narrow
        number = number & narrow_layout.MASK if is_narrow else number
        name = narrow_layout.name_at(number) if is_narrow else name_at(number)
        if name is None or not FIRST_STATIC <= name < self._first_label + len(self._order):
            return narrow_layout.plain_word(number) if is_narrow else number
        is_label = name >= self._first_label
        owner = name if is_label else self._starts[bisect_right(self._starts, name) - 1]
        return address_of(owner, number - (narrow_layout.start_of(owner) if is_narrow else start_of(owner)))

    def number_of(self, pointer: int) -> int:
        """The number of a static pointer."""
        if not self.program.is_narrow:
            return number_of_static(pointer)
        name = pointer >> SLOT_BITS
        is_static = FIRST_STATIC <= name < FIRST_ARGUMENT
        return narrow_layout.start_of(name) + offset_in(pointer) if is_static else pointer & narrow_layout.MASK

    # --- the first memory ---

    def memory(self) -> Memory:
        """A memory with every global, initialised: always the same objects."""
        return Memory(beginnings=self._beginnings, is_narrow=self.program.is_narrow)

    @cached_property
    def _beginnings(self) -> Beginnings[MemoryObject]:
        names = {self._numbers[name]: name for name in self.program.globals}
        globals = Beginnings(names, self._global)
        for name in self.program.first_globals:
            with suppress(Unsupported):  # raised again at its use
                size = layout.size_of(self.program.globals[name].type)
                if size > LARGEST:
                    raise InputError(f"the global {name} has {size} bytes: more than the {LARGEST} that are modelled")
                _ = globals[self._numbers[name]]
        return globals

    def _global(self, name: str) -> MemoryObject:
        """A global in its initial state."""
        variable = self.program.globals[name]
        size = layout.size_of(variable.type)
        if size > LARGEST:
            raise Unsupported(f"the global {name} has {size} bytes: more than the {LARGEST} that are modelled")
        room = narrow_layout.ROOM if self.program.is_narrow else ROOM
        if size > room and name not in self.program.first_globals:
            raise Unsupported(f"the global {name} has {size} bytes: more than the text of its type says")
        data = bytearray(size)
        mask = None
        if variable.initializer is None:
            mask = bytearray([UNINITIALISED]) * size
        else:
            self._write(data, variable.initializer)
        return MemoryObject(
            data,
            size,
            "global",
            name,
            mask=mask,
            read_only=variable.constant,
            site=variable.position,
            type=variable.type,
        )

    def _write(self, data: bytearray, initializer: Operand) -> None:
        for offset, operand in layout.leaves_of(initializer):
            match operand:
                case Zero() | Undefined():
                    pass
                case ByteString(data=content):
                    data[offset : offset + len(content)] = content
                case _:
                    value = self.constant(operand)
                    size = layout.store_size(operand.type)
                    if isinstance(operand.type, PointerType) and self.program.is_narrow:
                        value = self.number_of(value)
                    data[offset : offset + size] = value.to_bytes(size, "little")


def filled(kind: Type, leaf: RegisterValue) -> RegisterValue:
    """The value of a type with ``leaf`` for all scalars: that, or tuples of such values."""
    match kind:
        case StructType(elements=elements):
            return tuple([filled(part, leaf) for part in elements])
        case ArrayType(count=count, element=element) | VectorType(count=count, element=element):
            return (filled(element, leaf),) * count
    return leaf
