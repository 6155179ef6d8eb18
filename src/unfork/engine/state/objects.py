"""The live objects of one path by number: those it touched, then the globals in their initial state.

A fork copies only the table of touched objects; a global is made at its first use on any path.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Generic, TypeVar

from unfork.engine.state.stowed import Rows, Stowable, StowedRow

Item = TypeVar("Item")


class Beginnings(Generic[Item]):
    """The initial objects, each made on first use and shared by all paths, which never write to them.

    ``numbers`` and ``starts`` have them in order. Law: ``make`` always gives the same object.
    """

    __slots__ = ("_made", "_make", "numbers", "starts")

    def __init__(self, numbers: dict[int, str], make: Callable[[str], Item]) -> None:
        self.numbers = numbers
        self.starts = sorted(numbers)
        self._make = make
        self._made: dict[int, Item] = {}

    def made(self) -> Iterable[tuple[int, Item]]:
        """The objects made so far, with their numbers."""
        return self._made.items()

    def __getitem__(self, number: int) -> Item:
        item = self._made.get(number)
        if item is None:
            item = self._made[number] = self._make(self.numbers[number])
        return item


class Objects(Stowable, Mapping[int, Item]):
    """The objects of a path: ``held`` are those it made, wrote or read. Globals are never removed.

    Compiled code looks into ``held`` alone, and leaves for objects missing there; a lookup here adds them.
    """

    __slots__ = ("beginnings", "held")
    STOWED = ("held",)

    def __init__(self, held: dict[int, Item], beginnings: Beginnings[Item] | None) -> None:
        self.held = held
        self.beginnings = beginnings

    def copy(self) -> Objects[Item]:
        return Objects(self.held.copy(), self.beginnings)

    def stow(self, rows: Rows) -> Collection[Item]:
        """Stow ``held`` as a row until the next access. Returns the objects that the previous row lacked."""
        if self.kept() is not None:
            return ()
        held, row = self.held, rows.of_table(self.held)
        self.stow_as(row)
        return row.values if row.places else held.values()

    def restore(self, kept: StowedRow) -> None:
        self.held = kept.table()

    def get(self, number: int, default: Item | None = None) -> Item | None:  # type: ignore[override]  # one default type
        item = self.held.get(number)
        if item is not None:
            return item
        beginnings = self.beginnings
        if beginnings is None or number not in beginnings.numbers:
            return default
        item = self.held[number] = beginnings[number]
        return item

    def __getitem__(self, number: int) -> Item:
        item = self.get(number)
        if item is None:
            raise KeyError(number)
        return item

    def __setitem__(self, number: int, item: Item) -> None:
        self.held[number] = item

    def drop(self, number: int) -> Item | None:
        """Remove an object that is not a global; None if there is none."""
        assert self.beginnings is None or number not in self.beginnings.numbers
        return self.held.pop(number, None)

    def __contains__(self, number: object) -> bool:
        return number in self.held or (self.beginnings is not None and number in self.beginnings.numbers)

    def __iter__(self) -> Iterator[int]:
        """Globals first, in the program's order; then the others in order of creation."""
        if self.beginnings is None:
            return iter(self.held)
        numbers = self.beginnings.numbers
        return iter([*numbers, *(number for number in self.held if number not in numbers)])

    def is_initial(self, number: int) -> bool:
        """Whether an object is a global in its initial state."""
        beginnings, item = self.beginnings, self.held.get(number)
        if beginnings is None or number not in beginnings.numbers:
            return False
        return item is None or item is beginnings[number]

    def touched(self) -> Iterable[int]:
        """The objects that this path made, wrote or read: all that are no globals, and some of these."""
        return self.held

    def __len__(self) -> int:
        if self.beginnings is None:
            return len(self.held)
        numbers = self.beginnings.numbers
        return len(numbers) + sum(number not in numbers for number in self.held)


def changed_numbers(old: Objects[Item], new: Objects[Item]) -> Iterator[int]:
    """The numbers of the objects that may differ."""
    held = old.held
    yield from [number for number, item in new.held.items() if held.get(number) is not item]
    yield from [number for number in held if number not in new.held]
