"""What a contract at the head of a function reads in the input of a path: pointers, and numbers behind them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from unfork.commands.scan.failing_input import symbols_of
from unfork.commands.scan.siblings import ARGUMENT, Place, path_at, pointers_of
from unfork.engine.memory.lazy_objects import length_name
from unfork.engine.state.lazy import LazyObject
from unfork.engine.state.memory import object_of
from unfork.engine.state.state import State
from unfork.logic.terms.term import Term
from unfork.program.llvm.c_type_reader import CTypes
from unfork.program.llvm.c_types import CType, Pointer

_WITHIN = -1
"""The address of a pointer whose place in its object is a number of the input."""


@dataclass(frozen=True, slots=True)
class ReadMember:
    """What a path has read at an offset in an object of ``type``; the pointer ``owner`` leads there."""

    type: CType
    offset: int
    owner: str


class ContractInput:
    """The input of one path, as far as the path has read it. Pointers go by their C expressions."""

    def __init__(self, state: State, types: CTypes) -> None:
        self.state = state
        self._types = types
        self._lazy = state.lazy

    @cached_property
    def pointers(self) -> dict[str, int]:
        """Where the pointers lead that the path has read; 0 for null, _WITHIN for one into a range."""
        lazy = self._lazy
        known = {each.name: _WITHIN for each in lazy.arguments if isinstance(each.type, Pointer)}
        known |= {
            path_at(lazy, place): _WITHIN for place in lazy.numbers if isinstance(lazy.cell_at(*place).type, Pointer)
        }
        return known | {path_at(lazy, place): address for place, address in pointers_of(lazy)}

    @cached_property
    def is_apart(self) -> bool:
        """Whether no two pointers lead to one object, and none to a variable: then each place has one expression."""
        goals = [self._lazy.find(object_of(address)) for address in self.pointers.values() if address > 0]
        counts = Counter(each.number for each in goals if each is not None)
        are_variables = any(each is not None and each.variable is not None for each in goals)
        return not are_variables and all(count == 1 for count in counts.values())

    @cached_property
    def _homes(self) -> dict[Term, Place]:
        """Where the numbers of the input are, by their symbols."""
        homes = {symbol: (ARGUMENT, 0) for each in self._lazy.arguments for symbol in symbols_of([each.value])}
        return homes | {symbol: place for place, value in self._lazy.numbers.items() for symbol in symbols_of([value])}

    @cached_property
    def _texts(self) -> dict[str, LazyObject]:
        """The texts and arrays, by the names of their lengths."""
        return {length_name(each): each for each in self._lazy.objects}

    def text(self, length: str) -> LazyObject | None:
        """The text whose length has this name."""
        return self._texts.get(length)

    def has_read(self, symbols: Iterable[Term]) -> bool:
        """Whether the path has looked at all of these numbers, or got them as arguments."""
        measured = {symbol for each in self._texts.values() for symbol in symbols_of([each.length])}
        return all(each in self._homes or each in measured for each in symbols)

    def behind(self, pointer: str) -> tuple[str, ...]:
        """The pointers through which one is read, the outermost first."""
        place = next((place for place, _ in pointers_of(self._lazy) if path_at(self._lazy, place) == pointer), None)
        return () if place is None else self._to_object(place[0])

    def behind_numbers(self, symbols: Iterable[Term]) -> tuple[str, ...]:
        """The pointers through which numbers are read, each after those that lead to it."""
        found: dict[str, None] = {}
        for each in sorted(symbols, key=lambda term: term.name):
            text = self._texts.get(each.name)
            number = self._homes[each][0] if each in self._homes else ARGUMENT if text is None else text.number
            found |= dict.fromkeys(self._to_object(number))
        return tuple(found)

    def goes_on(self, pointers: Sequence[str]) -> bool:
        """Whether one of these pointers leads from an object to another one of its type, as in a list."""
        goals = [self._lazy.find(object_of(max(self.pointers.get(each, 0), 0))) for each in pointers]
        types = [each.type for each in goals if each is not None]
        return any(each in types[:at] for at, each in enumerate(types))

    def members(self, pointers: Iterable[str], symbols: Iterable[Term]) -> frozenset[ReadMember]:
        """The members of structs that hold these pointers and numbers."""
        places = {place for place, _ in pointers_of(self._lazy) if path_at(self._lazy, place) in pointers}
        places |= {self._homes[each] for each in symbols if each in self._homes}
        return frozenset(each for place in places if (each := self._member(place)) is not None)

    def goes_on_from(self, members: Iterable[ReadMember]) -> bool:
        """Whether the path has also read where the object of one of these members leads to another one of its type, as
        in a list.
        """
        return any(
            (item.path, item.type) == (each.owner, each.type) and offset % max(each.type.size, 1) != each.offset
            for each in members
            for item, offset in self._onward
        )

    @cached_property
    def _onward(self) -> list[tuple[LazyObject, int]]:
        """The pointers that the path has read to the type of the object that they are in: the object, and where."""
        found: list[tuple[LazyObject, int]] = []
        for number, offset in self._lazy.pointers:
            item = self._lazy.find(number)
            if item is None or item.cells is None:
                continue
            kind = self._lazy.cell_at(number, offset).type
            if isinstance(kind, Pointer) and self._types.target(kind) == item.type:
                found.append((item, offset))
        return found

    def _member(self, place: Place) -> ReadMember | None:
        item = self._lazy.find(place[0])
        if item is None or item.cells is None or not item.cells.size:
            return None
        return ReadMember(item.type, place[1] % item.cells.size, item.path)

    def _to_object(self, number: int) -> tuple[str, ...]:
        """The pointers that lead to an object."""
        found: list[str] = []
        item = self._lazy.find(number)
        while item is not None and item.variable is None and item.path not in found:
            found.append(item.path)
            number, path = item.number, item.path
            home = next((place for place in self._lazy.pointers if path_at(self._lazy, place) == path), None)
            item = None if home is None else self._lazy.find(home[0])
        return tuple(reversed(found))
