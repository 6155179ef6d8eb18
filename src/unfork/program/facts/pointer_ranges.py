"""The pointers that end a range of one object, as in ``parse(const char *at, const char *end)`` or in a struct of two,
learnt from what a program's code shows of its pointers (pointer_places.py).

C cannot declare them, but code shows them: it subtracts the two, or compares the one that moves with the one that
stays. An end is never accessed: code that reads ``*end`` takes it for more than an end, as a copy does whose source and
target are compared.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from unfork.program.facts.cfg import closure
from unfork.program.facts.pointer_places import PassedCursor, Place, PlacePair, ShownPointers, members, shown_pointers
from unfork.program.facts.struct_members import StructMember
from unfork.program.llvm.module import Program


class MemberCursor(NamedTuple):
    """A member that leads into the object at which another member ``begin``s, and those that lead to places before."""

    begin: StructMember
    before: frozenset[StructMember]


@dataclass(frozen=True, slots=True)
class PointerRanges:
    """``parameters``: of functions, by name, those that end a range, each with what begins it or lies in it, in order.

    ``members``: for each member of a range, all of them: the first begins it, and the last one ends it. ``cursors``:
    members of a struct that code subtracts or compares without such an end, as a scanner of texts does.
    """

    parameters: Mapping[str, Mapping[int, tuple[int | PassedCursor, ...]]]
    members: Mapping[StructMember, tuple[StructMember, ...]]
    cursors: Mapping[StructMember, MemberCursor]


@lru_cache(maxsize=4)
def pointer_ranges(program: Program) -> PointerRanges:
    """The ranges that a program's own code shows."""
    shown = shown_pointers(program)
    every = ShownPointers()
    for each in shown.values():
        for mine, known in zip(every.sets(), each.sets(), strict=True):
            mine |= {pair for pair in known if _is_within_one_struct(pair)}
        every.accessed |= members(each.accessed)
        every.moving |= members(each.moving)
    groups = {}
    for end, before in _ends(every, lambda pair: True).items():
        group = (*before, end)
        groups.update(dict.fromkeys(group, group))
    parameters = {}
    for name, each in shown.items():
        if ends := _ends(each, _is_in_order):
            parameters[name] = ends
    cursors = _cursors({pair for pair in every.strict if pair[0] not in groups and pair[1] not in groups})
    return PointerRanges(parameters, groups, cursors)  # type: ignore[arg-type]  # places of one kind


def _cursors(pairs: Set[PlacePair]) -> dict[Place, MemberCursor]:
    """The members that lie behind others, of which exactly one lies behind none; in the order of their offsets."""
    before: dict[Place, set[Place]] = defaultdict(set)
    for earlier, later in pairs:
        if (later, earlier) not in pairs:
            before[later].add(earlier)
    found: dict[Place, MemberCursor] = {}
    for later, nearest in before.items():
        ahead = closure(nearest, lambda place: before.get(place, ()))
        begins = [each for each in ahead if each not in before]
        if len(begins) == 1 and later not in ahead:
            found[later] = MemberCursor(begins[0], frozenset(ahead))  # type: ignore[arg-type]  # all are members
    return dict(sorted(found.items(), key=lambda each: each[0].offset))  # type: ignore[union-attr]  # all are members


def _is_within_one_struct(pair: PlacePair) -> bool:
    first, second = pair
    return isinstance(first, StructMember) and isinstance(second, StructMember) and first.record == second.record


def _is_in_order(pair: PlacePair) -> bool:
    """Whether a parameter comes before the one that ends its range."""
    begin, end = pair
    position = begin.parameter if isinstance(begin, PassedCursor) else begin
    return isinstance(end, int) and isinstance(position, int) and position < end


def _ends(shown: ShownPointers, is_pair: Callable[[PlacePair], bool]) -> dict[Place, tuple[Place, ...]]:
    """The ends of ranges, with what lies before them. Nothing is in two ranges."""
    moves = {(a, b) for pair in shown.compared for a, b in (pair, pair[::-1]) if a in shown.moving}
    pairs = {each for each in shown.pairs | (moves - {each[::-1] for each in moves}) if is_pair(each)}
    before: dict[Place, set[Place]] = defaultdict(set)
    for begin, end in pairs:
        if end not in shown.accessed:
            before[end].add(begin)
    for begins in before.values():
        waiting = [*begins]
        while waiting:
            inner = waiting.pop()
            more = {a for a, b in shown.strict if b == inner and is_pair((a, b))} - begins
            begins |= more
            waiting += more
    several = Counter(begin for begins in before.values() for begin in begins)

    def order(place: Place, begins: Iterable[Place]) -> tuple[int, int, int]:
        ahead = sum((each, place) in shown.strict and (place, each) not in shown.strict for each in begins)
        position = place if isinstance(place, int) else place[-1]
        assert isinstance(position, int)
        return ahead, position, isinstance(place, int)

    return {
        end: tuple(sorted(begins, key=lambda place: order(place, begins)))
        for end, begins in before.items()
        if all(several[each] == 1 and each not in before for each in begins)
    }
