"""C++ library objects that are made as values, with members as constructors leave them.

A std::string is a short one of libc++: a byte with twice the length, the characters, a NUL. A std::vector has as many
elements as there is room for.
"""

from __future__ import annotations

from collections.abc import Sequence

from unfork.engine.memory import lazy_ranges
from unfork.engine.memory.lazy_targets import address_of_target, targets
from unfork.engine.state.lazy import LazyObject, cell_path
from unfork.engine.step.step import Step
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.program.llvm.c_types import BYTE, CType, Pointer, RecordType, TypeCell

_ROOM_TO_GROW = 4
"""An input vector takes at most this fraction of the largest object."""
MOST_CHARACTERS = 22
"""The most characters of a string."""
_STRING = "struct basic_string<char, std::__1::char_traits<char>, std::__1::allocator<char> >"
_VECTOR = "struct vector<"
_CONTENTS = "union __rep"
_FIRST, _ALLOCATOR = "__begin_", "std::__1::allocator<"


def is_value(kind: CType) -> bool:
    """Whether objects of a type are made as values."""
    return isinstance(kind, RecordType) and (kind.name == _STRING or _is_vector(kind))


def _is_vector(kind: CType) -> bool:
    name = kind.name if isinstance(kind, RecordType) else ""
    return name.startswith(_VECTOR) and _ALLOCATOR in name and not name.startswith(f"{_VECTOR}bool,")


def holds_string(thing: LazyObject, union: TypeCell) -> bool:
    """Whether a union is the contents of a std::string in an object."""
    if not isinstance(union.type, RecordType) or union.type.name != _CONTENTS or thing.cells is None:
        return False
    return any(kind.name == _STRING and start == union.offset for start, kind in thing.cells.parts)


def bytes_of_string(union: TypeCell) -> tuple[TypeCell, ...]:
    """The union as bytes."""
    return tuple([TypeCell(offset, BYTE, None) for offset in range(union.size)])


def assume_string(step: Step, values: Sequence[Value]) -> None:
    """Assume that bytes are those of a string."""
    first, characters = values[0], values[1:]
    possible: Value = 0
    for length in range(MOST_CHARACTERS + 1):
        ends = build.both(build.eq(first, 2 * length, 8), build.eq(characters[length], 0, 8))
        possible = build.either(possible, ends)
    step.assume(possible)


def vector_with(thing: LazyObject, offset: int) -> int | None:
    """The offset of the std::vector that the pointer at an offset belongs to; None for another pointer.

    A vector's first three members point to its first element, past its last, and past its room.
    """
    assert thing.cells is not None
    within = offset % thing.cells.size
    for start, kind in thing.cells.parts:
        if _is_vector(kind) and start <= within < start + kind.size:
            cells = [cell for _, cell in thing.cells.within(start, start + kind.size)]
            is_known = len(cells) == 3 and all(isinstance(cell.type, Pointer) for cell in cells)
            return offset - within + start if is_known and (cells[0].path or "").endswith(_FIRST) else None
    return None


def has_made_vector(step: Step, holder: LazyObject, first: int) -> bool:
    """Give the std::vector whose pointers begin at ``first`` any number of elements. Whether that was possible."""
    assert holder.cells is not None
    [(index, cell)] = holder.cells.within(first, first + 1)
    path, number = cell_path(holder, index, cell), holder.number
    assert isinstance(cell.type, Pointer)
    target = targets(step, cell.type, path)[-1]
    if not isinstance(target, LazyObject) or target.cells is None:
        return False
    made = lazy_ranges.new_range(step, target, f"{path.removesuffix(_FIRST)}size()")
    most = max(step.limits.max_size // (_ROOM_TO_GROW * target.cells.size), 1)
    step.assume(build.both(made.fits, build.ule(made.count, most, 64)))
    begin, end = address_of_target(step.state, made.target, step.limits), made.at(made.count)
    for offset, value in ((0, begin), (8, end), (16, end)):
        lazy_ranges.give(step.state, number, first + offset, value)
    return True
