"""The struct members that code passes together as bytes and as their number: ``memcpy(to, text.data, text.size)``.

The functions of the C library that read or write memory take both; so does a function of the program in whose prototype
a ``size_t`` follows the pointer.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from unfork.program.facts.struct_members import StructMember, member_of, size_behind
from unfork.program.llvm.c_types import Scalar
from unfork.program.llvm.ir import Call, Cast, GetElementPointer, GlobalAddress, Instruction, Load, Operand, Register
from unfork.program.llvm.module import Function, Program

_OF_BYTES: Mapping[str, tuple[tuple[int, int], ...]] = {
    **dict.fromkeys(("memcpy", "memmove", "memcmp"), ((0, 2), (1, 2))),
    **dict.fromkeys(("memset", "memchr"), ((0, 2),)),
    **dict.fromkeys(("read", "write", "recv", "send"), ((1, 2),)),
}
"""Where they take a pointer to bytes, and where their number."""
_OF_TEXT = frozenset(
    ("atoi", "atol", "strcasecmp", "strcat", "strchr", "strcmp", "strcpy", "strcspn", "strdup", "strlen", "strpbrk")
) | frozenset(("strrchr", "strspn", "strstr", "strtod", "strtol", "strtoul", "fputs", "puts"))
"""Those that take characters up to a NUL."""
_INTRINSIC = re.compile(r"llvm\.(mem\w+)\.")
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
    return {each: frozenset(counts) for each, counts in found.items() if each not in texts}


class _Passed:
    """What a function passes in calls."""

    def __init__(self, function: Function, program: Program, *, to_own: bool) -> None:
        self._types = program.c_types
        self._own = program.defined if to_own else ()
        self._made: dict[int, Instruction] = {each.result: each for each in function.instructions() if each.result >= 0}
        self._calls = [
            (each.callee.name, each.arguments)
            for each in function.instructions()
            if isinstance(each, Call) and isinstance(each.callee, GlobalAddress)
        ]

    def pairs(self) -> Iterator[tuple[StructMember, int]]:
        """Members that are passed as bytes, each with the offset of the one that is passed as their number."""
        for name, arguments in self._calls:
            for at, size in self._places(name, arguments):
                pointer, count = self._read(arguments[at]), self._read(arguments[size])
                if pointer is None or count is None or pointer.struct != count.struct:
                    continue
                is_one = pointer.member.record == count.member.record
                if is_one and size_behind(self._types, pointer.member, 1) == 1:
                    yield pointer.member, count.member.offset

    def texts(self) -> Iterator[StructMember]:
        """Members that lead to characters and are passed as a text."""
        for name, arguments in self._calls:
            if name in _OF_TEXT:
                for each in filter(None, map(self._read, arguments)):
                    if not size_behind(self._types, each.member):
                        yield each.member

    def _places(self, name: str, arguments: tuple[Operand, ...]) -> Iterator[tuple[int, int]]:
        """The positions of pointers to bytes, each with that of their number."""
        intrinsic = _INTRINSIC.match(name)
        of_library = _OF_BYTES.get(name if intrinsic is None else intrinsic[1], ())
        yield from (each for each in of_library if max(each) < len(arguments))  # a program may have its own recv()
        prototype = self._types.prototype(name) if name in self._own else None
        if prototype is not None and len(prototype.parameters) == len(arguments):
            for at, parameter in enumerate(prototype.parameters):
                kind = parameter.type
                is_size = isinstance(kind, Scalar) and kind.encoding == "unsigned"
                if at and is_size and kind.size == self._types.any_pointer.size:
                    yield at - 1, at

    def _read(self, operand: Operand) -> _Member | None:
        """The member from which a value was read."""
        made = self._maker(operand)
        while isinstance(made, Cast) and made.op in _RESIZING:
            made = self._maker(made.value)
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
