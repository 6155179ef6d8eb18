"""Tables of answers that do not grow for ever: what was not needed for long is forgotten, and found out again."""

from __future__ import annotations

from typing import Generic, TypeVar

Key = TypeVar("Key")
Item = TypeVar("Item")


class Recent(Generic[Key, Item]):
    """The items that were set or asked for last: at most ``most``, at least half as many if there were so many.

    They are in two dicts: when the newer one is full it becomes the older one, which is dropped. What stays depends on
    the calls alone, so that a run can be repeated. No item is None.
    """

    __slots__ = ("_full", "_new", "_old")

    def __init__(self, most: int) -> None:
        self._full = most // 2
        self._new: dict[Key, Item] = {}
        self._old: dict[Key, Item] = {}

    def __len__(self) -> int:
        return len(self._new.keys() | self._old.keys())

    def get(self, key: Key) -> Item | None:
        """The item, if it is not forgotten."""
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
