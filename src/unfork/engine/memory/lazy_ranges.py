"""Input pointers that bound a range of one object: where it begins, where it ends, and what lies between."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from unfork.engine.memory.lazy_targets import Target, address_of_target, own_targets, sized, targets
from unfork.engine.state.lazy import LAZY, LazyObject, cell_path
from unfork.engine.state.memory import UNINITIALISED, address_of
from unfork.engine.state.state import State
from unfork.engine.step.step import Step
from unfork.logic.solve.path import PathCondition
from unfork.logic.terms import build
from unfork.logic.terms.term import Value
from unfork.program.facts.pointer_ranges import pointer_ranges
from unfork.program.facts.struct_members import member_at
from unfork.program.llvm.c_types import Pointer


@dataclass(frozen=True, slots=True)
class LazyRange:
    """An object that is to be made, how many elements it has (64 bits), and when that fits (1 bit)."""

    target: LazyObject
    count: Value
    fits: Value

    def at(self, elements: Value) -> Value:
        """The address (64 bits) behind so many elements."""
        assert self.target.cells is not None
        return build.add(address_of(self.target.number), build.mul(elements, self.target.cells.size, 64), 64)


def new_range(step: Step, target: LazyObject, name: str) -> LazyRange:
    """A range of any length, which is an input of this name."""
    count = step.fresh(name, 64, LAZY)
    target, fits = sized(step, target, [(name, count, 8)])
    return LazyRange(target, count, fits)


def distance(later: str, earlier: str) -> str:
    """The number of elements between two pointers, in C."""
    return f"(size_t)({later} - {earlier})"


def apart(step: Step, found: Sequence[Target], path: str) -> list[Target]:
    """Null, and a new object if there is room for one, of the targets of the pointer that begins a range."""
    offered = own_targets(found)
    if len(offered) < len(found):
        step.state.lazy = step.state.lazy.assuming(f"{path} leads to no object that was met before")
    return offered


@dataclass(frozen=True, slots=True)
class BoundingMember:
    """A pointer of an input struct that bounds a range: its offset in the object, its C expression, and its type."""

    start: int
    path: str
    type: Pointer


def has_made_range(step: Step, holder: LazyObject, start: int) -> bool:
    """Let the range to which the pointer at an offset of an object belongs have a new object, or none. Whether there is
    such a range.
    """
    members = () if step.state.memory.is_narrow else _members_with(step, holder, start)
    if not members:
        return False
    new = apart(step, targets(step, members[0].type, members[0].path), members[0].path)[-1]
    if not isinstance(new, LazyObject):
        return False
    paths = [each.path for each in members]
    made, values, good = bounded(step, new, paths)
    path = step.conduct.assumption(step.state.path, good)

    def begin(state: State) -> None:
        assert isinstance(path, PathCondition)
        address_of_target(state, made.target, step.limits)
        state.path = path
        for member, value in zip(members, values, strict=True):
            give(state, holder.number, member.start, value)

    def be_null(state: State) -> None:
        for member in members:
            give(state, holder.number, member.start, 0)

    if not isinstance(path, PathCondition):
        step.give_up_part("capacity", f"{paths[0]} with more elements than there is room for; see --max-size")
    step.part([be_null, *([begin] if isinstance(path, PathCondition) else [])])
    return True


def _members_with(step: Step, holder: LazyObject, start: int) -> Sequence[BoundingMember]:
    """The members of the range to which the pointer at an offset of an object belongs, in order; none if any of them
    is touched, or if they lead to what has no size.
    """
    assert holder.cells is not None
    member = member_at(step.program.c_types, *holder.cells.type_around(holder.type, start))
    group = () if member is None else pointer_ranges(step.program).members.get(member, ())
    found = [_bounding(step, holder, start - member.offset + each.offset) for each in group if member is not None]
    bounding = [each for each in found if each is not None]
    is_whole = len(bounding) == len(group) and have_one_stride(step, [each.type for each in bounding])
    return bounding if is_whole else ()


def _bounding(step: Step, holder: LazyObject, at: int) -> BoundingMember | None:
    assert holder.cells is not None
    [(index, cell)] = holder.cells.within(at, at + 1)
    mask = step.state.memory.objects[holder.number].mask
    untouched = 0 if mask is None else mask.count(UNINITIALISED, at, at + cell.size)
    if not isinstance(cell.type, Pointer) or index * holder.cells.size + cell.offset != at or untouched < cell.size:
        return None
    return BoundingMember(at, cell_path(holder, index, cell), cell.type)


def have_one_stride(step: Step, kinds: Iterable[Pointer]) -> bool:
    """Whether pointers lead to elements of one size, which is known."""
    types, found = step.program.c_types, set()
    for kind in kinds:
        cells = types.cells(types.target(kind))
        found.add(0 if cells is None or cells.tail is not None else cells.size)
    return len(found) == 1 and 0 not in found


def bounded(step: Step, target: LazyObject, paths: Sequence[str]) -> tuple[LazyRange, list[Value], Value]:
    """A range of any length, the addresses of the pointers that bound it, by their C expressions, and when they lie in
    order (1 bit).
    """
    begin, *between, end = paths
    made = new_range(step, target, distance(end, begin))
    counts = [step.fresh(distance(each, begin), 64, LAZY) for each in between]
    good = build.conjunction([made.fits, *(build.ule(each, made.count, 64) for each in counts)])
    return made, [made.at(0), *map(made.at, counts), made.at(made.count)], good


def give(state: State, number: int, offset: int, value: Value) -> None:
    """Let the pointer at an offset of an input object be this address (64 bits) from the beginning."""
    if isinstance(value, int):
        state.lazy = state.lazy.with_pointer(number, offset, value)
    else:
        state.lazy = state.lazy.with_numbers({(number, offset): value})
    state.memory.writable(number).write(offset, 8, value)
