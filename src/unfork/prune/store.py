"""The states that may cover others, by place: found by the concrete values of the top frame's registers."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

from unfork.prune.abstraction import Abstracted
from unfork.state.state import State

MOST_COMPARED = 64
"""Stored states that one state is compared with at most, latest first."""
MOST_STORED = 20_000
"""When so many states are stored, all are forgotten: what they covered stays covered."""

Place = tuple[Hashable, ...]
Key = tuple[int | None, ...]
"""The top frame's live registers: None for all but plain numbers."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A state as it was when it went on from its place; nobody changes it."""

    state: State
    node: int
    depth: int
    abstracted: Abstracted | None = None
    """How it is compared, under an abstraction."""


class Store:
    """Stored states by place, and within a place by which registers hold plain numbers, and which numbers."""

    def __init__(self) -> None:
        self._places: dict[Place, dict[tuple[int, ...], dict[Key, list[Stored]]]] = {}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, place: Place, key: Key, stored: Stored) -> None:
        """Keep a state."""
        if self._count >= MOST_STORED:
            self.forget()
        pattern = tuple([i for i, value in enumerate(key) if value is not None])
        of_pattern = self._places.setdefault(place, {}).setdefault(pattern, {})
        of_pattern.setdefault(tuple([key[i] for i in pattern]), []).append(stored)
        self._count += 1

    def alike(self, place: Place, key: Key) -> list[Stored]:
        """Those that may cover a state with this key, latest first; a number is not looked for behind a term."""
        candidates: list[Stored] = []
        for pattern, of_pattern in self._places.get(place, {}).items():
            candidates += of_pattern.get(tuple([key[i] for i in pattern]), ())[-MOST_COMPARED:]
        candidates.sort(key=_node, reverse=True)
        return candidates[:MOST_COMPARED]

    def all(self) -> Iterator[State]:
        """Every stored state."""
        for patterns in self._places.values():
            for of_pattern in patterns.values():
                for many in of_pattern.values():
                    for stored in many:
                        yield stored.state

    def forget(self) -> None:
        """Drop all states."""
        self._places.clear()
        self._count = 0


def _node(stored: Stored) -> int:
    return stored.node


def key_of(values: Sequence[object], is_plain: Sequence[bool]) -> Key:
    """The key of registers of which some are plain numbers."""
    return tuple(
        [value if plain and isinstance(value, int) else None for value, plain in zip(values, is_plain, strict=True)]
    )
