"""The functions that a program stores in its variables, such as hooks: its own, and what its callers pass."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from unfork.errors import Unsupported
from unfork.program.facts.cfg import closure
from unfork.program.facts.passed_callbacks import sources_of
from unfork.program.facts.written import COPIES, named_in
from unfork.program.llvm.ir import (
    Alloca,
    Call,
    Cast,
    ConstantExpression,
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
from unfork.program.llvm.types import PointerType

_COPYING = frozenset(("memcpy", "memmove"))
_ANYWHERE = None
"""An offset that is not known."""
_MOST_OFFSETS = 16
"""The most offsets of one base at which a function is looked for; set without a trial."""
OF_CALLER = ""
"""A function that a caller may have passed."""

_Base: TypeAlias = str | tuple[str, int]
"""A variable by its name, or a register of a function: a parameter, or the address of a local."""


class _Place(NamedTuple):
    """A place in what a base is, or leads to."""

    base: _Base
    offset: int | None

    def moved(self, start: int | None, to: _Place) -> _Place:
        """The place in a copy of what begins at ``start``, which begins at ``to``."""
        if self.offset is None or start is None or to.offset is None:
            return _Place(to.base, _ANYWHERE)
        return _Place(to.base, self.offset - start + to.offset)


@dataclass(frozen=True, slots=True)
class _Flow:
    """What is at ``start`` is at ``to`` as well; ``is_whole``: and what is around, too."""

    start: int | None
    to: _Place
    is_whole: bool

    def of(self, place: _Place) -> _Place | None:
        """Where what is at a place gets, if it does."""
        if self.is_whole:
            return place.moved(self.start, self.to)
        return self.to if _ANYWHERE in (place.offset, self.start) or place.offset == self.start else None


class _Stored(NamedTuple):
    """A function that is stored at a place, by its name; OF_CALLER for one that is not known."""

    function: str
    place: _Place


def stored_at(program: Program, variable: str, offset: int) -> frozenset[str]:
    """The functions that may be stored at an offset of a variable; OF_CALLER for one that is not known."""
    known = stored_functions(program).get(variable, {})
    return known.get(offset, frozenset()) | known.get(_ANYWHERE, frozenset())


@lru_cache(maxsize=4)
def stored_functions(program: Program) -> Mapping[str, Mapping[int | None, frozenset[str]]]:
    """By variable and offset, None for an unknown one, the functions that are stored there."""
    flows = _Flows(program)
    for name in program.own:
        try:
            flows.read(program.function(name))
        except Unsupported:  # it may store anything in the variables that it names
            flows.first |= {_Stored(OF_CALLER, _Place(each, _ANYWHERE)) for each in program.mentioned((name,))}
    found = defaultdict[str, dict[int | None, frozenset[str]]](dict)
    for function, place in closure(flows.first, flows.after):
        if isinstance(place.base, str):
            known = found[place.base]
            known[place.offset] = known.get(place.offset, frozenset()) | {function}
    return found


class _Flows:
    """Where functions get. Mutable: it collects what the program does."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self.first: set[_Stored] = set()
        """What is stored, and what others may change."""
        self._flows: dict[_Base, list[_Flow]] = defaultdict(list)
        self._offsets: dict[tuple[str, _Base], set[int | None]] = defaultdict(set)

    def after(self, stored: _Stored) -> Iterator[_Stored]:
        """Where what is stored gets next."""
        for flow in self._flows[stored.place.base]:
            to = flow.of(stored.place)
            if to is not None:
                yield _Stored(stored.function, self._bounded(stored.function, to))

    def _bounded(self, function: str, place: _Place) -> _Place:
        """The place; that is anywhere if the function gets to many offsets there, as where recursion adds to one."""
        offsets = self._offsets[function, place.base]
        if len(offsets) >= _MOST_OFFSETS and place.offset not in offsets:
            return _Place(place.base, _ANYWHERE)
        offsets.add(place.offset)
        return place

    def read(self, function: Function) -> None:
        """Note what a function does."""
        origins = _Origins(function)
        for instruction in function.instructions():
            match instruction:
                case Store(value=value, pointer=pointer):
                    if isinstance(instruction.type, PointerType) or self._program.is_narrow:
                        for place in origins.places(pointer):
                            self._store(origins, value, place)
                    self._lose(origins, value)
                case Return(value=value) if value is not None:
                    self._lose(origins, value)
                case Cast(op="ptrtoint", value=value):
                    self._lose(origins, value)
                case Call():
                    self._call(origins, instruction)

    def _store(self, origins: _Origins, value: Operand, to: _Place) -> None:
        for source in sources_of(value, origins.choices):
            match source:
                case GlobalAddress(name=name):
                    self.first.add(_Stored(name, to))
                case Register():
                    places = [*origins.read_from(source)]
                    if not places or any(map(origins.is_passed, places)):
                        self.first.add(_Stored(OF_CALLER, to))
                    for place in places:
                        self._flow(place, to, is_whole=False)

    def _call(self, origins: _Origins, call: Call) -> None:
        name = call.callee.name if isinstance(call.callee, GlobalAddress) else ""
        if name.startswith(COPIES) or name in _COPYING:
            for to in origins.places(call.arguments[0]):
                places = [*origins.places(call.arguments[1])]
                if not places or any(map(origins.is_passed, places)):
                    self.first.add(_Stored(OF_CALLER, _Place(to.base, _ANYWHERE)))
                for place in places:
                    self._flow(place, to, is_whole=True)
            return
        is_own = name in self._program.defined and name not in self._program.library
        for at, operand in enumerate(call.arguments):
            if is_own and call.byval[at] is None:
                for place in origins.places(operand):
                    self._flows[name, at].append(_Flow(0, place, is_whole=True))
            elif not is_own and (not name or name in self._program.declarations):
                self._lose(origins, operand)

    def _flow(self, place: _Place, to: _Place, *, is_whole: bool) -> None:
        """Note that what is at a place gets to another; that may be what a variable has at first."""
        self._flows[place.base].append(_Flow(place.offset, to, is_whole=is_whole))
        held = self._program.globals.get(place.base) if isinstance(place.base, str) else None
        if held is not None and held.initializer is not None:
            at = _Place(to.base, _ANYWHERE) if is_whole else to
            self.first |= {_Stored(name, at) for name in named_in(held.initializer)}

    def _lose(self, origins: _Origins, operand: Operand) -> None:
        """Note that others get to know an address."""
        for place in origins.places(operand):
            if isinstance(place.base, str):
                self.first.add(_Stored(OF_CALLER, _Place(place.base, _ANYWHERE)))


class _Origins:
    """How the values of a function come about."""

    def __init__(self, function: Function) -> None:
        self._function = function
        self._made: dict[int, Instruction] = {each.result: each for each in function.instructions() if each.result >= 0}
        self.choices = {at: each for at, each in self._made.items() if isinstance(each, Phi | Select)}

    def is_passed(self, place: _Place) -> bool:
        """Whether a parameter leads to a place."""
        return isinstance(place.base, tuple) and place.base[1] < len(self._function.type.parameters)

    def read_from(self, operand: Operand) -> Iterator[_Place]:
        """The places from which a value is read."""
        made = self._made.get(operand.index) if isinstance(operand, Register) else None
        if isinstance(made, Load):
            yield from self.places(made.pointer)

    def places(self, pointer: Operand) -> Iterator[_Place]:
        """The places in variables, locals and what parameters lead to, to which a pointer may lead."""
        waiting: list[tuple[Operand, int | None]] = [(pointer, 0)]
        seen = set[Operand]()
        while waiting:
            current, offset = waiting.pop()
            for source in sources_of(current, self.choices):
                if source in seen:
                    continue
                seen.add(source)
                made = self._made.get(source.index) if isinstance(source, Register) else None
                match made or source:
                    case ConstantExpression(instruction=GetElementPointer() as gep) | (GetElementPointer() as gep):
                        waiting.append((gep.base, None if offset is None or gep.terms else offset + gep.offset))
                    case GlobalAddress(name=name):
                        yield _Place(name, offset)
                    case Alloca(result=result):
                        yield _Place((self._function.name, result), offset)
                    case Register(index=index):
                        yield _Place((self._function.name, index), offset)
