"""The struct members that code passes together as bytes and as their number: ``memcpy(to, text.data, text.size)``.

The functions of the C library that read or write memory take both; so does a function of the program in whose prototype
a ``size_t`` follows the pointer, or that takes a struct by value with nothing but a pointer to bytes and their size.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from unfork.program.facts.library_calls import TEXTS, NamedCall, is_of_library, named_call
from unfork.program.facts.size_names import is_named_size
from unfork.program.facts.struct_members import StructMember, member_at, member_of, passed_members, size_behind
from unfork.program.llvm.c_types import Parameter, Pointer, RecordType, Scalar, TypeCell
from unfork.program.llvm.ir import Cast, GetElementPointer, Instruction, Load, Operand, Register
from unfork.program.llvm.module import Function, Program

_RESIZING = frozenset(("zext", "sext", "trunc"))
_DEEP = 4
"""The most pointers that are read on the way to a struct."""
_Struct = tuple[Any, ...]
"""Where a struct is. Equal ones are the same, unless a pointer on the way there changes."""


class _Member(NamedTuple):
    """A member that was read, and of which struct."""

    member: StructMember
    struct: _Struct


def passed_counts(program: Program, *, to_own: bool) -> Mapping[StructMember, frozenset[int]]:
    """For members that lead to bytes, the offsets of those in the same struct that are passed as their number: to the C
    library and, with ``to_own``, to the program's functions.

    Characters that code passes as a text as well have none: a NUL may follow those that are counted.
    """
    found: dict[StructMember, set[int]] = defaultdict(set)
    texts = set[StructMember]()
    for name in program.own:
        passed = _Passed(program.function(name), program, to_own=to_own)
        for pointer, count in passed.pairs():
            found[pointer].add(count)
        texts.update(passed.texts())
    for pointer, count in _slices(program) if to_own else ():
        found[pointer].add(count)
    return {each: frozenset(counts) for each, counts in found.items() if each not in texts}


def _slices(program: Program) -> Iterator[tuple[StructMember, int]]:
    """The pointers to bytes of structs that functions of the program take by value and that have but a size beside
    it, with the offset of that.
    """
    types = program.c_types
    kinds = {parameter.type for name in program.own for parameter in _parameters(program, name)}
    for kind in sorted((each for each in kinds if isinstance(each, RecordType)), key=lambda each: each.name):
        cells = types.cells(kind)
        named = [each for each in (() if cells is None else cells.cells) if each.path is not None]
        pointers = [member_at(types, kind, each.offset) for each in named if isinstance(each.type, Pointer)]
        sizes = [each.offset for each in named if _is_size(each)]
        if (
            len(named) == 2
            and len(pointers) == len(sizes) == 1
            and pointers[0] is not None
            and size_behind(types, pointers[0], 1) == 1
        ):
            yield pointers[0], sizes[0]


def _parameters(program: Program, name: str) -> Sequence[Parameter]:
    prototype = program.c_types.prototype(name)
    return () if prototype is None else prototype.parameters


def _is_size(cell: TypeCell) -> bool:
    """Whether a member is a number that is named as a size."""
    is_number = isinstance(cell.type, Scalar) and cell.type.encoding in ("signed", "unsigned")
    return is_number and cell.path is not None and is_named_size(cell.path.removeprefix("."))


class _Passed:
    """What a function passes in calls."""

    def __init__(self, function: Function, program: Program, *, to_own: bool) -> None:
        self._program, self._types = program, program.c_types
        self._defined = program.defined if to_own else ()
        self._given = passed_members(program, function)
        self._made: dict[int, Instruction] = {each.result: each for each in function.instructions() if each.result >= 0}
        self._calls = [call for each in function.instructions() if (call := named_call(each)) is not None]

    def pairs(self) -> Iterator[tuple[StructMember, int]]:
        """Members that are passed as bytes, each with the offset of the one that is passed as their number."""
        for call in self._calls:
            for at, size in self._sized(call):
                pointer, count = self._read(call.arguments[at]), self._read(call.arguments[size])
                if pointer is None or count is None or pointer.struct != count.struct:
                    continue
                is_one = pointer.member.record == count.member.record
                if is_one and size_behind(self._types, pointer.member, 1) == 1:
                    yield pointer.member, count.member.offset

    def texts(self) -> Iterator[StructMember]:
        """Members that lead to characters and are passed as a text."""
        for call in self._calls:
            if call.name in TEXTS and is_of_library(self._program, call.name):
                for each in filter(None, map(self._read, call.arguments)):
                    if not size_behind(self._types, each.member):
                        yield each.member

    def _sized(self, call: NamedCall) -> Iterator[tuple[int, int]]:
        """The positions of pointers to bytes, each with that of their number."""
        if is_of_library(self._program, call.name):
            yield from call.sized_bytes()
        prototype = self._types.prototype(call.name) if call.name in self._defined else None
        if prototype is not None and len(prototype.parameters) == len(call.arguments):
            for at, parameter in enumerate(prototype.parameters):
                kind = parameter.type
                is_size = isinstance(kind, Scalar) and kind.encoding == "unsigned"
                if at and is_size and kind.size == self._types.any_pointer.size:
                    yield at - 1, at

    def _read(self, operand: Operand) -> _Member | None:
        """The member from which a value was read."""
        made = self._maker(operand)
        while isinstance(made, Cast) and made.op in _RESIZING:
            operand, made = made.value, self._maker(made.value)
        given = self._given.get(operand.index) if isinstance(operand, Register) else None
        if given is not None:
            return _Member(given.member, (given.parameter,))
        address = self._maker(made.pointer) if isinstance(made, Load) else None
        member = member_of(self._types, address)
        if member is None or not isinstance(address, GetElementPointer):
            return None
        return _Member(member, self._place(address.base, address.offset - member.offset))

    def _place(self, base: Operand, offset: int, depth: int = _DEEP) -> _Struct:
        """Where an address is: a register and the bytes from there on, or a pointer that was read somewhere."""
        match self._maker(base):
            case GetElementPointer(base=around, offset=more, terms=()):
                return self._place(around, offset + more, depth)
            case Load(pointer=pointer) if depth:
                return self._place(pointer, 0, depth - 1), offset
        return base, offset

    def _maker(self, operand: Operand) -> Instruction | None:
        return self._made.get(operand.index) if isinstance(operand, Register) else None
