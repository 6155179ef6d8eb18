"""States that wait long are stowed: rows of values are kept as what differs from earlier rows, large objects as pages.

A stowed thing is what it was before. What it lacks it makes again when somebody asks for it (the ``__getattr__`` of its
class), so nobody has to know.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Collection, Hashable, Sequence
from itertools import compress, count
from operator import is_not
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

if TYPE_CHECKING:
    from unfork.engine.state.memory import MemoryObject
    from unfork.engine.state.state import State

T = TypeVar("T")

_RECENT = 32
"""States that came last are not stowed: most of those that are picked soon are among them."""
_OPEN = 16
"""Large objects that somebody looked into last are not stowed again yet."""
_BASES, _KINDS = 3, 4_096
"""Rows of one kind that others are compared with, and kinds of which such rows are known."""
_SHARE = 8
"""A row is kept as what differs from another one if that is at most one of so many values."""


class Stowable:
    """What lacks its attributes STOWED while it is stowed, and makes them again when one of them is asked for."""

    __slots__ = ("_kept",)
    STOWED: ClassVar[tuple[str, ...]]

    def kept(self) -> Any:
        """What it is kept as, None while it is not stowed."""
        return getattr(self, "_kept", None)

    def stow_as(self, kept: Any) -> None:
        """From now on it is kept so."""
        for name in self.STOWED:
            delattr(self, name)
        self._kept = kept

    def restore(self, kept: Any) -> None:
        """Set what is STOWED as it was."""
        raise NotImplementedError

    def looked_at(self, look: Callable[[Any], T]) -> T:
        """What ``look`` says of it; if it is stowed it stays so."""
        kept = self.kept()
        seen = look(self)
        if kept is not None and self.kept() is None:
            self.stow_as(kept)
        return seen

    if not TYPE_CHECKING:  # every other name would be an attribute too

        def __getattr__(self, name: str) -> Any:
            if name not in self.STOWED:
                raise AttributeError(name)
            kept = self._kept
            del self._kept
            self.restore(kept)
            return getattr(self, name)


class StowedRow:
    """Values in a row: those of ``base``, but at ``places`` these ``values``."""

    __slots__ = ("base", "kind", "places", "values")

    def __init__(self, kind: Any, base: Sequence[Any], places: tuple[int, ...], values: tuple[Any, ...]) -> None:
        self.kind = kind
        self.base = base
        self.places = places
        self.values = values

    def restored(self) -> list[Any]:
        """The row as a list of its own."""
        row = list(self.base)
        for place, value in zip(self.places, self.values, strict=True):
            row[place] = value
        return row

    def table(self) -> dict[Any, Any]:
        """The dict whose keys are the ``kind`` of the row."""
        return dict(zip(self.kind, self.restored(), strict=True))


class Rows:
    """The latest rows of each kind, which others share values with; the kind that was needed last longest ago goes."""

    def __init__(self) -> None:
        self._bases: OrderedDict[Hashable, list[StowedRow]] = OrderedDict()

    def of(self, kind: Hashable, values: Collection[Any]) -> StowedRow:
        """The row of these values, of a kind whose rows have equal lengths."""
        bases = self._bases.get(kind)
        if bases is None:
            bases = self._bases[kind] = []
            if len(self._bases) > _KINDS:
                self._bases.popitem(last=False)
        else:
            self._bases.move_to_end(kind)
        for row in reversed(bases):
            differing = sum(map(is_not, values, row.base))
            if not differing:
                return row
            if _SHARE * differing <= len(row.base):
                places = tuple(compress(count(), map(is_not, values, row.base)))
                return StowedRow(row.kind, row.base, places, tuple(compress(values, map(is_not, values, row.base))))
        row = StowedRow(bases[0].kind if bases else kind, tuple(values), (), ())
        bases.append(row)
        del bases[:-_BASES]
        return row

    def of_table(self, table: dict[Any, Any]) -> StowedRow:
        """The row of the values of a dict; its kind are the keys."""
        return self.of(tuple(table), table.values())


class Pages:
    """The bytes of a large object in pages, which its copies share until they write there."""

    __slots__ = ("data", "mask", "opened")

    def __init__(self, data: tuple[bytes, ...], mask: tuple[bytes, ...] | None, opened: list[MemoryObject]) -> None:
        self.data = data
        self.mask = mask
        self.opened = opened
        """Where an object is noted that somebody looks into, so that it is stowed again."""

    def __reduce__(self) -> tuple[type[Pages], tuple[Any, ...]]:
        return Pages, (self.data, self.mask, [])

    @staticmethod
    def of(item: MemoryObject, earlier: Pages | None, opened: list[MemoryObject]) -> Pages:
        """The pages of an object; those that are as they were ``earlier`` are shared."""
        data = _paged(item.data, None if earlier is None else earlier.data)
        mask = None if item.mask is None else _paged(item.mask, None if earlier is None else earlier.mask)
        if earlier is not None and data is earlier.data and mask is earlier.mask:
            earlier.opened = opened
            return earlier
        return Pages(data, mask, opened)

    def bytes(self) -> tuple[bytearray, bytearray | None]:
        """Data and mask as they were."""
        return bytearray().join(self.data), None if self.mask is None else bytearray().join(self.mask)


def _paged(data: bytearray, earlier: tuple[bytes, ...] | None) -> tuple[bytes, ...]:
    """The pages of ``data``. There are about as many bytes in a page as in the tuple of all of them."""
    size = 1 << (len(data).bit_length() + 3) // 2
    starts = range(0, len(data), size)
    if earlier is not None and (len(earlier), len(earlier[0]), len(earlier[-1])) == (
        *(len(starts), len(data[:size]), len(data) - starts[-1]),
    ):
        changed = [i for i, start in enumerate(starts) if not data.startswith(earlier[i], start)]
        if not changed:
            return earlier
        pages = list(earlier)
        for i in changed:
            pages[i] = bytes(data[i * size : (i + 1) * size])
        return tuple(pages)
    alike: dict[bytes, bytes] = {}
    return tuple([alike.setdefault(page, page) for page in [bytes(data[i : i + size]) for i in starts]])


class Stowing:
    """Stows the states of a frontier, and what somebody has looked into since."""

    def __init__(self) -> None:
        self._recent: deque[State] = deque()
        self._rows = Rows()
        self._opened: list[MemoryObject] = []

    def add(self, state: State, waiting: Collection[State]) -> None:
        """``state`` waits from now on; stow the one that came long before it if it is among those ``waiting``."""
        self._recent.append(state)
        if len(self._recent) > _RECENT:
            earlier = self._recent.popleft()
            if earlier in waiting:
                self.stow(earlier)

    def stow(self, state: State) -> None:
        """Keep a state in as little room as there is; nobody runs it meanwhile."""
        opened = self._opened
        state.stow(self._rows, opened)
        if len(opened) > _OPEN:
            for item in opened[:-_OPEN]:
                item.stow(opened)
            del opened[:-_OPEN]
