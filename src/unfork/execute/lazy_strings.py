"""A std::string of the input, made as a value: a short one, with any characters, as libc++ keeps it in the object.

Its first byte is twice the length, the characters follow, and behind the last one is a NUL.
"""

from __future__ import annotations

from collections.abc import Sequence

from unfork.execute.step import Step
from unfork.llvm.c_types import BYTE, Cell, CType, Record
from unfork.logic import build
from unfork.logic.term import Value
from unfork.state.lazy import LazyObject

MOST = 22
"""The characters for which there is room in the object."""
_STRING = "struct basic_string<char, std::__1::char_traits<char>, std::__1::allocator<char> >"
_CONTENTS = "union __rep"


def is_string(kind: CType) -> bool:
    """Whether a type is std::string."""
    return isinstance(kind, Record) and kind.name == _STRING


def holds_string(thing: LazyObject, union: Cell) -> bool:
    """Whether a union is what a std::string in an object consists of."""
    if not isinstance(union.type, Record) or union.type.name != _CONTENTS or thing.cells is None:
        return False
    return any(is_string(kind) and start == union.offset for start, kind in thing.cells.parts)


def bytes_of_string(union: Cell) -> tuple[Cell, ...]:
    """The union as bytes."""
    return tuple([Cell(offset, BYTE, None) for offset in range(union.size)])


def assume_string(step: Step, values: Sequence[Value]) -> None:
    """Let bytes be those of a string."""
    first, characters = values[0], values[1:]
    lengths = [
        build.both(build.eq(first, 2 * length, 8), build.eq(characters[length], 0, 8)) for length in range(MOST + 1)
    ]
    one: Value = 0
    for each in lengths:
        one = build.either(one, each)
    step.assume(one)
