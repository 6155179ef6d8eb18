"""The struct members that count the elements of another member, learnt from a project's code: those to which it
points, or those of a flexible array member.

C cannot declare it, but code shows it: ``items[i]`` occurs where ``i < count``, ``items + count`` is kept as an end
(pointer_ranges.py), or both are passed as bytes and their number (passed_counts.py). If any code accesses
``items[count]`` or beyond, or multiplies for an index, as for rows and columns, the member counts something else:
unless the blocks that ``items`` leads to all have ``count`` elements when they are made (allocated_counts.py).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from functools import lru_cache

from unfork.errors import Unsupported
from unfork.program.facts.allocated_counts import allocated_counts
from unfork.program.facts.cfg import control_flow
from unfork.program.facts.passed_counts import passed_counts
from unfork.program.facts.pointer_ranges import pointer_ranges
from unfork.program.facts.struct_members import StructMember, member_of, passed_members, size_behind, tail_of
from unfork.program.facts.summarisable_loops import signed
from unfork.program.llvm.c_types import RecordType, Scalar
from unfork.program.llvm.ir import (
    Binary,
    Bits,
    Call,
    Cast,
    Compare,
    ConditionalBranch,
    GetElementPointer,
    Load,
    Operand,
    Phi,
    Register,
    Select,
    Store,
)
from unfork.program.llvm.module import Function, Program
from unfork.program.llvm.uses import registers_read

_INTEGERS = ("signed", "unsigned", "unsigned_char")
_CASTS = frozenset(("zext", "sext", "trunc"))
_SCALING = frozenset(("mul", "shl"))
_BELOW = {"lt": (True, 0), "le": (True, 1), "gt": (False, 1), "ge": (False, 0)}
"""For each comparison of an index with a count: the side on which the index is below, and by how much it may be too
large.
"""
_TURNED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}


Integer = StructMember | int | None
"""The source of an integer: a member, its register, or None for a constant."""


@dataclass(frozen=True, slots=True)
class _Bound:
    """In blocks that ``side`` dominates, ``index + most`` is less than the count."""

    count: StructMember
    index: Integer
    most: int
    side: int | None


@lru_cache(maxsize=4)
def counting_members(program: Program) -> Mapping[StructMember, frozenset[int]]:
    """For members that have or point to counted elements, the offsets of their counts in the same struct."""
    return _counts(program, by_own_calls=True)


@lru_cache(maxsize=4)
def counted_without_calls(program: Program) -> Mapping[StructMember, frozenset[int]]:
    """The same, without what calls of the program's functions show: for a question about these calls."""
    return _counts(program, by_own_calls=False)


@dataclass(frozen=True, slots=True)
class _Shown:
    """What accesses show and deny, and blocks that are made, by member: offsets of counts."""

    shown: Mapping[StructMember, Set[int]]
    denied: Mapping[StructMember, Set[int]]
    allocated: Mapping[StructMember, frozenset[int]]


@lru_cache(maxsize=4)
def _shown(program: Program) -> _Shown:
    """What the program shows apart from what it passes. Raises Unsupported."""
    shown: dict[StructMember, set[int]] = defaultdict(set)
    denied: dict[StructMember, set[int]] = defaultdict(set)
    ends = frozenset(group[-1] for group in pointer_ranges(program).members.values())
    for name in program.own:
        _Uses(program.function(name), program, ends).look(shown, denied)
    return _Shown(dict(shown), dict(denied), allocated_counts(program))


def _counts(program: Program, *, by_own_calls: bool) -> Mapping[StructMember, frozenset[int]]:
    try:
        known, passed = _shown(program), passed_counts(program, to_own=by_own_calls)
    except Unsupported:
        return {}
    counts: dict[StructMember, frozenset[int]] = {}
    for each in dict.fromkeys((*known.shown, *passed, *known.allocated)):
        used = known.shown.get(each, frozenset()) | passed.get(each, frozenset())
        found = frozenset(used - known.denied.get(each, frozenset())) | known.allocated.get(each, frozenset())
        if found:
            counts[each] = found
    return counts


class _Uses:
    """A function's uses of members; ``look`` records what they show."""

    def __init__(self, function: Function, program: Program, ends: Set[StructMember]) -> None:
        self._types = program.c_types
        self._passed = passed_members(program, function)
        self._ends = ends
        self._function = function
        self._made = {each.result: each for each in function.instructions() if each.result >= 0}

    def look(self, shown: Mapping[StructMember, set[int]], denied: Mapping[StructMember, set[int]]) -> None:
        """Record the members that the code here confirms or refutes as counts."""
        for pointer, count in self._ended():
            shown[pointer].add(count)
        accesses = list(self._accesses())
        if not accesses:
            return
        flow = control_flow(self._function)
        bounds = list(self._bounds(flow.predecessors))
        for block, pointer, given, beyond in accesses:
            members = self._integers(pointer.record)
            leaves = None if given is None else self._leaves(given, beyond)
            is_of_text = self._is_of_text(pointer)
            if given is None or leaves is None:
                denied[pointer].update(() if is_of_text else members)
                continue
            denied[pointer].update(
                each.offset for each, least in leaves if each.record == pointer.record and least >= 0
            )
            if is_of_text:
                continue
            index, more = self._shifted(given)
            distance = beyond + more
            for count in members:
                known = [each for each in bounds if each.count == (pointer.record, count) and each.index == index]
                if known and distance > max(each.most for each in known):
                    denied[pointer].add(count)
                elif any(
                    distance <= each.most and each.side is not None and flow.dominates(each.side, block)
                    for each in known
                ):
                    shown[pointer].add(count)

    def _ended(self) -> Iterator[tuple[StructMember, int]]:
        """The members to which others are added where an end is kept, as in ``r->end = r->begin + r->size``, with the
        offsets of these.
        """
        for each in self._function.instructions():
            if isinstance(each, Store) and self._keeps_end(each) and isinstance(each.value, Register):
                match self._made.get(each.value.index):
                    case GetElementPointer(base=base, offset=0, terms=((index, stride),)):
                        pointer, (count, more) = self._member(base), self._shifted(index)
                        if pointer is None or not isinstance(count, StructMember) or more:
                            continue
                        if count.record == pointer.record and stride == size_behind(self._types, pointer, 1):
                            yield pointer, count.offset

    def _keeps_end(self, store: Store) -> bool:
        address = store.pointer
        made = self._made.get(address.index) if isinstance(address, Register) else None
        return member_of(self._types, made) in self._ends

    def _integers(self, record: RecordType) -> list[int]:
        """The offsets of possible counts."""
        cells = self._types.cells(record)
        return [
            each.offset
            for each in (() if cells is None else cells.cells)
            if isinstance(each.type, Scalar) and each.type.encoding in _INTEGERS and each.path is not None
        ]

    def _accesses(self) -> Iterator[tuple[int, StructMember, Operand | None, int]]:
        """Accesses to a member's elements: the block, the member, the index, and the constant added to it.

        The index is None if it is not one of elements.
        """
        used = {
            index
            for each in self._function.instructions()
            if not isinstance(each, Compare) and not (isinstance(each, Store) and self._keeps_end(each))
            for index in registers_read(each)
        }
        for block in self._function.blocks:
            for each in block.body:
                match each:
                    case GetElementPointer(terms=((index, stride), *_)) if each.result in used:
                        member, size, start = self._elements(each)
                        if member is not None and size:
                            is_plain = stride == size and len(each.terms) == 1
                            yield block.index, member, index if is_plain else None, start // size
                    case Call(arguments=arguments):
                        for member in filter(None, map(self._passed_text, arguments)):
                            yield block.index, member, None, 0

    def _elements(self, access: GetElementPointer) -> tuple[StructMember | None, int, int]:
        """The member whose elements an access is to, the bytes of each, and those from the first one on."""
        pointer = self._member(access.base)
        if pointer is not None:
            return pointer, size_behind(self._types, pointer, 1), access.offset
        tail, start = self._tail_at(access)
        return tail, 0 if tail is None else self._tail_cells(tail.record), start

    def _is_of_text(self, pointer: StructMember) -> bool:
        """Whether a member leads to characters: where code reads them shows of no count that a NUL does not follow."""
        return size_behind(self._types, pointer) == 0 and size_behind(self._types, pointer, 1) == 1

    def _tail_at(self, address: GetElementPointer) -> tuple[StructMember | None, int]:
        """The flexible array member in which an address begins, and where there; None for any other."""
        start, at = address.offset, address
        if at.record is None and isinstance(at.base, Register):
            match self._made.get(at.base.index):
                case GetElementPointer(terms=()) as around:
                    start, at = start + around.offset, around
        record = None if at.record is None else self._types.named(*at.record)
        cells = None if record is None else self._types.cells(record)
        if record is None or cells is None or cells.tail is None or start < cells.tail.offset:
            return None, 0
        member = tail_of(self._types, cells.tail.record)
        return member, start - cells.tail.offset

    def _tail_cells(self, record: RecordType) -> int:
        """The bytes of each element of a struct's flexible array member."""
        cells = self._types.cells(record)
        return 0 if cells is None or cells.tail is None else cells.tail.cells.size

    def _passed_text(self, argument: Operand) -> StructMember | None:
        """The flexible array of characters to which an argument leads: it may be a text, with a NUL after the last."""
        made = self._made.get(argument.index) if isinstance(argument, Register) else None
        member, _ = self._tail_at(made) if isinstance(made, GetElementPointer) else (None, 0)
        cells = None if member is None else self._types.cells(member.record)
        is_text = cells is not None and cells.tail is not None and cells.tail.element.name == "char"
        return member if is_text else None

    def _bounds(self, predecessors: list[list[int]]) -> Iterator[_Bound]:
        """The comparisons of integers with members in branches."""
        for block in self._function.blocks:
            end = block.body[-1]
            if not isinstance(end, ConditionalBranch) or not isinstance(end.condition, Register):
                continue
            asked = self._made.get(end.condition.index)
            if not isinstance(asked, Compare):
                continue
            relation = asked.predicate[1:]
            for left, right, asks in (
                (asked.left, asked.right, relation),
                (asked.right, asked.left, _TURNED.get(relation, "")),
            ):
                (index, more), (count, less) = self._shifted(left), self._shifted(right)
                if asks in _BELOW and isinstance(count, StructMember) and index is not None and index != count:
                    is_then, beyond = _BELOW[asks]
                    side = end.then if is_then else end.otherwise
                    yield _Bound(count, index, more - less - beyond, side if len(predecessors[side]) == 1 else None)

    def _member(self, operand: Operand) -> StructMember | None:
        """The member from which a register was read, or that it was passed for."""
        if isinstance(operand, Register) and operand.index in self._passed:
            return self._passed[operand.index].member
        read = self._made.get(operand.index) if isinstance(operand, Register) else None
        if not isinstance(read, Load) or not isinstance(read.pointer, Register):
            return None
        return member_of(self._types, self._made.get(read.pointer.index))

    def _shifted(self, operand: Operand) -> tuple[Integer, int]:
        """The source of an integer, and the constant added to it."""
        distance = 0
        while isinstance(operand, Register):
            match self._made.get(operand.index):
                case Cast(op=op, value=value) if op in _CASTS:
                    operand = value
                case Binary(op="add" | "sub" as op, left=left, right=Bits() as right):
                    distance += signed(right) if op == "add" else -signed(right)
                    operand = left
                case _:
                    return self._member(operand) or operand.index, distance
        return None, 0

    def _leaves(self, operand: Operand, distance: int) -> list[tuple[StructMember, int]] | None:
        """The members that an index may be, and the least addition; None if it is a multiple of something."""
        found: list[tuple[StructMember, int]] = []
        waiting, seen = [(operand, distance)], set[int]()
        while waiting:
            current, added = waiting.pop()
            if not isinstance(current, Register) or current.index in seen:
                continue
            seen.add(current.index)
            match self._made.get(current.index):
                case Cast(op=op, value=value) if op in _CASTS:
                    waiting.append((value, added))
                case Phi(incoming=incoming):
                    waiting += [(value, added) for value, _ in incoming]
                case Select(then=then, otherwise=otherwise):
                    waiting += [(then, added), (otherwise, added)]
                case Binary(op=op) if op in _SCALING:
                    return None
                case Binary(op="add" | "sub" as op, left=left, right=Bits() as right):
                    waiting.append((left, added + signed(right) * (1 if op == "add" else -1)))
                case Binary(op="add", left=left, right=right):
                    waiting += [(left, added), (right, added)]
                case Binary(op="sub", left=left):
                    waiting.append((left, -1))
                case _:
                    member = self._member(current)
                    found += [(member, added)] if member is not None else []
        return found
