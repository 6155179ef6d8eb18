"""Facts that a path remembers beside stack, memory and inputs; each declares how it meets its like."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar, cast

from unfork.engine.state.merge_rules import ONLY_NAMES, MergeRule
from unfork.engine.state.stowed import Rows, Stowable, StowedRow

T = TypeVar("T")


@dataclass(frozen=True)
class Fact(Generic[T]):
    """A named fact, ``start`` until it is set. Its values are immutable.

    ``member`` distinguishes the facts of one family.
    """

    name: str
    merge_rule: MergeRule = field(compare=False)
    start: T = field(compare=False)
    member: str = ""


@dataclass(frozen=True)
class FactFamily(Generic[T]):
    """Facts of one kind, one for each ``member``."""

    name: str
    merge_rule: MergeRule
    start: T

    def of(self, member: str) -> Fact[T]:
        return Fact(self.name, self.merge_rule, self.start, member)


class Remembered(Stowable):
    """The facts that one path has set; the state that holds it may change it."""

    __slots__ = ("_values",)
    STOWED = ("_values",)

    def __init__(self, values: dict[Fact[object], object] | None = None) -> None:
        self._values = {} if values is None else values

    def __getitem__(self, fact: Fact[T]) -> T:
        return cast("T", self._values.get(cast("Fact[object]", fact), fact.start))

    def __setitem__(self, fact: Fact[T], value: T) -> None:
        """Remember ``value``; setting a fact to its start removes it."""
        key = cast("Fact[object]", fact)
        if value == fact.start:
            self._values.pop(key, None)
        else:
            self._values[key] = value

    def __iter__(self) -> Iterator[Fact[object]]:
        return iter(self._values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Remembered) and self._values == other._values

    __hash__ = None  # type: ignore[assignment]  # it changes

    def either(self, other: Remembered) -> list[Fact[object]]:
        """The facts that this path or the other one has set, its own first."""
        return [*self._values, *[fact for fact in other._values if fact not in self._values]]

    def copy(self) -> Remembered:
        kept = self.kept()
        return Remembered(self._values.copy() if kept is None else kept.table())

    def stow(self, rows: Rows) -> None:
        """Stow the facts as a row until the next access."""
        if self.kept() is None:
            self.stow_as(rows.of_table(self._values))

    def restore(self, kept: StowedRow) -> None:
        self._values = kept.table()

    def without_names(self) -> Remembered:
        """The facts that affect behaviour: all except those that only serve naming."""
        return Remembered(
            {fact: value for fact, value in self._values.items() if not isinstance(fact.merge_rule, ONLY_NAMES)}
        )
