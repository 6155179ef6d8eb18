"""The live objects of one path by number: those that it has touched, and after them the globals as they began.

A fork copies the table of what was touched, and no more; a global is made when some path first asks for it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Generic, TypeVar

from unfork.engine.state.stowed import Rows, Stowable, StowedRow

Item = TypeVar("Item")


class Beginnings(Generic[Item]):
    """The objects that exist from the start, each made on first use and shared by all paths, which never write to them.

    ``numbers`` has them in order, and so has ``starts``. Law: ``make`` gives the same object whenever it is asked.
    """

    __slots__ = ("_made", "_make", "numbers", "starts")

    def __init__(self, numbers: dict[int, str], make: Callable[[str], Item]) -> None:
        self.numbers = numbers
        self.starts = sorted(numbers)
        self._make = make
        self._made: dict[int, Item] = {}

    def made(self) -> Iterable[tuple[int, Item]]:
        """Those that somebody has asked for, with their numbers."""
        return self._made.items()

    def __getitem__(self, number: int) -> Item:
        item = self._made.get(number)
        if item is None:
            item = self._made[number] = self._make(self.numbers[number])
        return item


class Objects(Stowable, Mapping[int, Item]):
    """What a path holds: ``held`` are the objects that it made, wrote or looked at. Globals are never removed.

    Compiled code looks into ``held`` alone and leaves where it finds nothing; asking here brings the object there.
    """

    __slots__ = ("beginnings", "held")
    STOWED = ("held",)

    def __init__(self, held: dict[int, Item], beginnings: Beginnings[Item] | None) -> None:
        self.held = held
        self.beginnings = beginnings

    def copy(self) -> Objects[Item]:
        return Objects(self.held.copy(), self.beginnings)

    def stow(self, rows: Rows) -> Collection[Item]:
        """Keep ``held`` as a row until it is asked for; what of it was not there when it was done before."""
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
        """Remove an object that is no global; None if it is not there."""
        assert self.beginnings is None or number not in self.beginnings.numbers
        return self.held.pop(number, None)

    def __contains__(self, number: object) -> bool:
        return number in self.held or (self.beginnings is not None and number in self.beginnings.numbers)

    def __iter__(self) -> Iterator[int]:
        """Globals first, in the program's order; then the others as they came."""
        if self.beginnings is None:
            return iter(self.held)
        numbers = self.beginnings.numbers
        return iter([*numbers, *(number for number in self.held if number not in numbers)])

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
