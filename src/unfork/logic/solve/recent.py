"""Bounded tables of answers: they forget what was not used for long."""

from __future__ import annotations

from typing import Generic, TypeVar

Key = TypeVar("Key")
Item = TypeVar("Item")


class Recent(Generic[Key, Item]):
    """The items last set or read: at most ``most``, and at least half as many if there were.

    Two dicts: when the newer is full it becomes the older, which is dropped. Which items stay depends on the calls
    alone, so that a run can be repeated. No item is None.
    """

    __slots__ = ("_full", "_new", "_old")

    def __init__(self, most: int) -> None:
        self._full = most // 2
        self._new: dict[Key, Item] = {}
        self._old: dict[Key, Item] = {}

    def __len__(self) -> int:
        return len(self._new.keys() | self._old.keys())

    def get(self, key: Key) -> Item | None:
        """The item; None if it was forgotten."""
        item = self._new.get(key)
        if item is None:
            item = self._old.get(key)
            if item is not None:
                self[key] = item
        return item

    def __setitem__(self, key: Key, item: Item) -> None:
        if len(self._new) >= self._full and key not in self._new:
            self._old = self._new
            self._new = {}
        self._new[key] = item
