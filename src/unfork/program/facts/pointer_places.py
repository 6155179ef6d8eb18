"""Where the pointers of a program come from, and what its code shows of them: which it compares, moves, accesses, takes
for streams of the C library or for bytes, tests, and passes on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from unfork.errors import Unsupported
from unfork.program.facts.library_calls import NEVER_NULL, STREAMS, TEXTS, named_call
from unfork.program.facts.pointees import Pointees
from unfork.program.facts.struct_members import StructMember, member_of
from unfork.program.llvm.c_type_reader import CTypes
from unfork.program.llvm.c_types import Array, Pointer, RecordType, Scalar
from unfork.program.llvm.ir import (
    Alloca,
    Binary,
    Call,
    Cast,
    Compare,
    Freeze,
    GetElementPointer,
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
from unfork.program.llvm.module import Function, Program
from unfork.program.llvm.types import IntType, PointerType
from unfork.program.llvm.uses import FORGETTING, operands_of

_BELOW = {"lt": (True,), "gt": (False,), "le": (True, False), "ge": (True, False)}
"""For each comparison of pointers, whether the left one comes first; ``if (at >= end) return`` shows neither order."""


class PassedCursor(NamedTuple):
    """The pointer to which a function's parameter at a position leads."""

    parameter: int


Place = int | PassedCursor | StructMember
"""Where a pointer comes from: a parameter by its position, what one leads to, or a member of any struct of a type."""
PlacePair = tuple[Place, Place]
"""The beginning and the end of a range, or of a part of one."""


@dataclass(frozen=True, slots=True)
class _Root:
    """Where a pointer comes from, and whether it has moved since; ``is_back``: only by a constant below 0."""

    place: Place
    has_moved: bool
    is_back: bool = False


@dataclass(frozen=True, slots=True)
class _Passed:
    """An argument: where it comes from, and the place whose address it is."""

    places: frozenset[Place]
    held: Place | None

    def of(self, place: Place) -> Iterable[Place]:
        """What the callee's parameter is for the caller, or what that leads to."""
        if isinstance(place, int):
            return self.places
        own = () if self.held is None else (self.held,)
        return (*own, *(PassedCursor(each) for each in self.places if isinstance(each, int)))


@dataclass(slots=True)
class ShownPointers:
    """What a function shows of its parameters, and of members."""

    pairs: set[PlacePair] = field(default_factory=set)
    strict: set[PlacePair] = field(default_factory=set)
    """Those of them that both lie in one object even if both are accessed: their distance is asked for."""
    compared: set[PlacePair] = field(default_factory=set)
    """Those that are compared for equality where they are: the one that moves elsewhere comes first."""
    moving: set[Place] = field(default_factory=set)
    accessed: set[Place] = field(default_factory=set)
    """Those that lead to what is accessed or kept, and so are no ends."""
    copied: set[PlacePair] = field(default_factory=set)
    """From where pointers are stored, and to where."""
    streams: set[Place] = field(default_factory=set)
    """Those that functions of the C library take for a ``FILE *``."""
    bytes: set[Place] = field(default_factory=set)
    """Those that lead to what code takes for bytes."""
    characters: set[Place] = field(default_factory=set)
    """Those that lead to bytes which code reads or writes as such, or as a text."""
    records: set[Place] = field(default_factory=set)
    """Those that lead to what code takes for a struct, a pointer or an array."""
    tested: set[Place] = field(default_factory=set)
    """Those that lead to what is compared, kept, returned, or passed to what may test it."""
    passed: list[tuple[str, tuple[_Passed, ...]]] = field(default_factory=list)
    """The calls of the program's functions."""

    def sets(self) -> tuple[set[PlacePair], set[PlacePair], set[PlacePair]]:
        return self.pairs, self.strict, self.compared

    def places(self) -> tuple[set[Place], ...]:
        return self.moving, self.accessed, self.streams, self.bytes, self.characters, self.records, self.tested

    def size(self) -> int:
        return sum(map(len, self.sets())) + sum(map(len, self.places()))


@lru_cache(maxsize=4)
def shown_pointers(program: Program) -> Mapping[str, ShownPointers]:
    """What the functions of the program's own code show, by name, also of what they call; empty if the code has an
    instruction that nothing reads.
    """
    own = {name: len(program.function(name).type.parameters) for name in program.own}
    try:
        shown = {name: _Pointers(program.function(name), program.c_types, own).shown() for name in program.own}
    except Unsupported:
        return {}
    while _passes_on(shown):
        pass
    return shown


def members(places: Iterable[Place]) -> set[Place]:
    """Those that are members."""
    return {each for each in places if isinstance(each, StructMember)}


def _passes_on(shown: Mapping[str, ShownPointers]) -> bool:
    """Let functions show what those show that they call. Whether that was new."""
    before = sum(each.size() for each in shown.values())
    everywhere = {place for each in shown.values() for place in members(each.accessed)}
    for each in shown.values():
        each.accessed |= everywhere
        for callee, arguments in each.passed:
            known = shown[callee]

            def of(place: Place, arguments: tuple[_Passed, ...] = arguments) -> Iterable[Place]:
                if isinstance(place, StructMember):
                    return ()
                position = place if isinstance(place, int) else place.parameter
                return arguments[position].of(place) if position < len(arguments) else ()

            for mine, theirs in zip(each.places(), known.places(), strict=True):
                mine |= {own for place in theirs for own in of(place)}  # the same set in a recursive function
            for pairs, others in zip(each.sets(), known.sets(), strict=True):
                pairs |= {(a, b) for begin, end in others for a in of(begin) for b in of(end) if a != b}
        each.accessed.update(source for source, target in each.copied if target in each.accessed)
    return before != sum(each.size() for each in shown.values())


class _Pointers:
    """The pointers of a function that come from its parameters or from members."""

    def __init__(self, function: Function, types: CTypes, own: Mapping[str, int]) -> None:
        """``own``: the functions whose calls are followed, and how many parameters each has."""
        self._function, self._types, self._own = function, types, own
        self._made = {each.result: each for each in function.instructions() if each.result >= 0}
        self._kept = self._contents()
        kinds = function.type.parameters
        self._parameters = {index for index, kind in enumerate(kinds) if isinstance(kind, PointerType)}

    def shown(self) -> ShownPointers:
        """What the function shows."""
        found = ShownPointers()
        for each in self._function.instructions():
            self._look(each, found)
            found.tested |= self._tested(each)
        for index, kind in Pointees(self._function, self._types).named():
            is_bytes = isinstance(kind, Scalar) and kind.size == 1
            if is_bytes or isinstance(kind, RecordType | Pointer | Array):
                places = found.bytes if is_bytes else found.records
                places |= self._places(Register(index, PointerType()))
        return found

    def _contents(self) -> Mapping[int, list[Operand]]:
        """The local variables that hold pointers and whose addresses go nowhere: what is stored in each."""
        found: dict[int, list[Operand]] = {
            index: []
            for index, made in self._made.items()
            if isinstance(made, Alloca) and isinstance(made.type, PointerType) and not made.captured
        }
        for each in self._function.instructions():
            if isinstance(each, Store) and isinstance(each.pointer, Register) and each.pointer.index in found:
                found[each.pointer.index].append(each.value)
        return found

    def _is_kept(self, address: Operand) -> bool:
        """Whether this is the address of such a variable."""
        return isinstance(address, Register) and address.index in self._kept

    def _look(self, instruction: Instruction, found: ShownPointers) -> None:
        match instruction:
            case Load(pointer=pointer) | Store(pointer=pointer) if self._is_kept(pointer):
                pass
            case Store(value=value, pointer=pointer) if (place := self._place_at(pointer)) is not None:
                found.accessed |= self._accessed(pointer)
                roots = self._roots(value)
                found.copied.update((each.place, place) for each in roots if each.place != place)
                if any(each.place == place and each.has_moved for each in roots):
                    found.moving.add(place)
            case Compare(type=PointerType(), predicate=predicate, left=left, right=right):
                self._compare(predicate, left, right, found)
            case Binary(op="sub", left=left, right=right):
                apart = {(a, b) for a in self._number_of(right) for b in self._number_of(left) if a != b}
                found.pairs |= apart
                found.strict |= apart
            case Cast() | GetElementPointer() | Phi() | Select() | Freeze() | Compare() | Binary() | Return():
                pass  # a pointer that moves, or numbers
            case Call(callee=GlobalAddress(name=name), arguments=arguments) if name in self._own:
                found.passed.append((name, tuple(map(self._passed, arguments))))
            case _:
                found.streams |= self._streams(instruction)
                found.bytes |= (bytes_here := self._bytes(instruction))
                found.characters |= bytes_here | self._texts(instruction)
                for operand in operands_of(instruction):
                    found.accessed |= self._accessed(operand)

    def _streams(self, instruction: Instruction) -> set[Place]:
        match instruction:
            case Call(callee=GlobalAddress(name=name), arguments=arguments) if name in STREAMS:
                position = STREAMS[name]
                return {place for each in arguments[position : position + 1] for place in self._accessed(each)}
        return set()

    def _bytes(self, instruction: Instruction) -> set[Place]:
        match instruction:
            case Load(pointer=pointer, type=IntType(8)) | Store(pointer=pointer, type=IntType(8)):
                return self._places(pointer)
        call = named_call(instruction)
        pointers = () if call is None else call.pointers_to_bytes()
        return {place for each in pointers for place in self._places(each)}

    def _texts(self, instruction: Instruction) -> set[Place]:
        call = named_call(instruction)
        pointers = call.arguments if call is not None and call.name in TEXTS else ()
        return {place for each in pointers for place in self._places(each)}

    def _tested(self, instruction: Instruction) -> set[Place]:
        """The pointers by which an instruction may decide, or that it lets others decide by."""
        operands: Iterable[Operand] = ()
        match instruction:
            case Store(pointer=pointer) if self._is_kept(pointer):
                pass
            case Store(value=value):
                operands = (value,)
            case Load() | GetElementPointer() | Phi() | Select() | Freeze() | Alloca():
                pass
            case Call(callee=GlobalAddress(name=name), arguments=arguments) if name in self._own:
                operands = arguments[self._own[name] :]
            case Call(callee=GlobalAddress(name=name)) if name in NEVER_NULL or name.startswith(FORGETTING):
                pass
            case Call(arguments=arguments):
                operands = arguments
            case _:
                operands = operands_of(instruction)
        return {place for each in operands for place in self._places(each)}

    def _places(self, operand: Operand) -> set[Place]:
        return {each.place for each in self._roots(operand)}

    def _accessed(self, operand: Operand) -> set[Place]:
        return {each.place for each in self._roots(operand) if not each.is_back}

    def _passed(self, argument: Operand) -> _Passed:
        return _Passed(frozenset(self._places(argument)), self._place_at(argument))

    def _compare(self, predicate: str, left: Operand, right: Operand, found: ShownPointers) -> None:
        """Note what a comparison of two pointers shows."""
        orders = _BELOW.get(predicate[1:], ())
        for first, second in self._two(left, right):
            pair = first.place, second.place
            found.pairs |= {pair if comes_first else pair[::-1] for comes_first in orders}
            if orders:
                continue
            if first.has_moved != second.has_moved:
                pair = pair if first.has_moved else pair[::-1]
                found.pairs.add(pair)
                found.strict.add(pair)
            elif not first.has_moved:
                found.compared.add(pair)

    def _two(self, left: Operand, right: Operand) -> Iterator[tuple[_Root, _Root]]:
        for first in self._roots(left):
            for second in self._roots(right):
                if first.place != second.place:
                    yield first, second

    def _number_of(self, operand: Operand) -> set[Place]:
        """Of which pointers a number is the address."""
        made = self._made.get(operand.index) if isinstance(operand, Register) else None
        if isinstance(made, Cast) and made.op == "ptrtoint":
            return self._places(made.value)
        return set()

    def _place_at(self, address: Operand) -> Place | None:
        """The place of a pointer at an address: a member, or what a parameter leads to."""
        made = self._made.get(address.index) if isinstance(address, Register) else None
        if isinstance(made, Load) and self._is_kept(made.pointer):
            assert isinstance(made.pointer, Register)
            values = self._kept[made.pointer.index]
            address = values[0] if len(values) == 1 else address
        if isinstance(address, Register) and address.index in self._parameters:
            return PassedCursor(address.index)
        return member_of(self._types, made)

    def _roots(self, operand: Operand) -> set[_Root]:
        """Where a pointer comes from."""
        found, seen = set[_Root](), set[tuple[int, bool, bool]]()
        waiting = [(operand, False, False)]
        while waiting:
            each, has_moved, is_back = waiting.pop()
            if not isinstance(each, Register) or (each.index, has_moved, is_back) in seen:
                continue
            seen.add((each.index, has_moved, is_back))
            if each.index in self._parameters:
                found.add(_Root(each.index, has_moved, is_back))
            match self._made.get(each.index):
                case GetElementPointer(base=base, offset=offset, terms=terms):
                    steps_back = not terms and offset < 0 and not has_moved
                    waiting.append((base, has_moved or bool(terms) or bool(offset), is_back or steps_back))
                case Phi(incoming=incoming):
                    waiting += [(value, has_moved, is_back) for value, _ in incoming]
                case Select(then=then, otherwise=otherwise):
                    waiting += [(then, has_moved, is_back), (otherwise, has_moved, is_back)]
                case Freeze(value=value):
                    waiting.append((value, has_moved, is_back))
                case Load(pointer=Register(index=index)) if index in self._kept:
                    waiting += [(value, has_moved, is_back) for value in self._kept[index]]
                case Load(type=PointerType(), pointer=pointer):
                    if (place := self._place_at(pointer)) is not None:
                        found.add(_Root(place, has_moved, is_back))
        return found
