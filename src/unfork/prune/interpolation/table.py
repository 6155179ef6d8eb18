"""The interpolants of one place, found by the numbers that they ask for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from unfork.prune.interpolation.interpolant import Interpolant
from unfork.prune.interpolation.sources import RegisterSource
from unfork.state.memory import offset_in
from unfork.state.state import State

PER_KEY = 8
"""Interpolants that ask for the same numbers; the oldest goes first."""

Asked = tuple[RegisterSource, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """What was learnt of the subtree that began at node ``node`` of the execution graph."""

    node: int
    interpolant: Interpolant


@dataclass(slots=True)
class Shelf:
    """The entries of one place: by the registers that must hold a certain number, then by these numbers."""

    by_registers: dict[Asked, dict[tuple[int, ...], list[Entry]]] = field(default_factory=dict)

    def add(self, entry: Entry) -> list[Entry]:
        """Put an entry in; those that go for it."""
        asked = _asked(entry.interpolant)
        registers, numbers = tuple(asked), tuple(asked.values())
        entries = self.by_registers.setdefault(registers, {}).setdefault(numbers, [])
        entries.append(entry)
        if len(entries) <= PER_KEY:
            return []
        return [entries.pop(0)]

    def candidates(self, state: State) -> Iterator[Entry]:
        """The entries whose numbers ``state`` has, or may have; the latest of a kind first."""
        for registers, by_numbers in self.by_registers.items():
            numbers = tuple([_number(one, state) for one in registers])
            if None not in numbers:
                yield from reversed(by_numbers.get(numbers, ()))  # type: ignore[arg-type]  # no None in it
                continue
            for asked, entries in by_numbers.items():
                if all(number is None or number == one for number, one in zip(numbers, asked, strict=True)):
                    yield from reversed(entries)


def _asked(interpolant: Interpolant) -> dict[RegisterSource, int]:
    """The registers that must hold a certain number (pointers: be at a certain offset)."""
    found = {}
    for condition in interpolant.conditions:
        if condition.op != "eq":
            continue
        for one, other in (condition.args, condition.args[::-1]):
            if one.op == "symbol" and other.op == "const":
                source = interpolant.sources[one]
                if isinstance(source, RegisterSource):
                    found[source] = other.value
    return dict(sorted(found.items(), key=_place))


def _place(item: tuple[RegisterSource, int]) -> tuple[int, int, tuple[int, ...]]:
    return item[0].depth, item[0].register, item[0].part


def _number(source: RegisterSource, state: State) -> int | None:
    """What ``state`` has there; None if that is not a plain number."""
    value = source.read(state)
    if not isinstance(value, int):
        return None
    return value if source.anchor is None else offset_in(value) & (1 << 64) - 1
