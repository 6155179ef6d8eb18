"""How the parts of a waiting state are kept in little room: rows of values as differences, large objects as pages.

A stowed part drops its large attributes and rebuilds them on first access (``__getattr__``), so that its readers need
not know. explore/stowing.py says which states are stowed, and when.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Sequence
from itertools import compress, count
from operator import is_not
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar

T = TypeVar("T")

_BASES, _KINDS = 3, 4_096
"""Base rows per kind with which new rows are compared; kinds whose base rows are known."""
_SHARE = 8
"""A row becomes a difference if at most one in this many of its values differs from the base row."""


class Stowable:
    """Drops the attributes in STOWED while it is stowed; rebuilds them on first access.

    Its class says in ``restore`` how. While nothing is stowed, access costs what it costs elsewhere.
    """

    __slots__ = ("_kept",)
    STOWED: ClassVar[tuple[str, ...]]

    def kept(self) -> Any:
        """The small form; None while nothing is stowed."""
        return getattr(self, "_kept", None)

    def stow_as(self, kept: Any) -> None:
        """Replace the attributes in STOWED by their small form."""
        for name in self.STOWED:
            delattr(self, name)
        self._kept = kept

    def restore(self, kept: Any) -> None:
        """Set the attributes in STOWED from their small form."""
        raise NotImplementedError

    def looked_at(self, look: Callable[[Any], T]) -> T:
        """The result of ``look``, after which a stowed object is stowed again."""
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
    """A row of values: ``base`` with other ``values`` at ``places``. Rows of one ``kind`` have equal lengths."""

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
        """The row as a dict, whose keys are its ``kind``."""
        return dict(zip(self.kind, self.restored(), strict=True))


class Rows:
    """The base rows of each kind. Forgets the least recently used kind when there are too many."""

    def __init__(self) -> None:
        self._bases: OrderedDict[Hashable, list[StowedRow]] = OrderedDict()

    def of(self, kind: Hashable, values: Collection[Any]) -> StowedRow:
        """The values as a row: a base row itself, a difference from one, or a new base row."""
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
        """The values of a dict as a row; its keys are the kind."""
        return self.of(tuple(table), table.values())


class PagedObject(Protocol):
    """A large object: its bytes, which bytes were written, and how it becomes pages."""

    data: bytearray
    mask: bytearray | None

    def stow(self, opened: list[PagedObject]) -> None:
        """Drop the bytes for pages, and append itself to ``opened`` when it needs them again."""


class Pages:
    """The bytes of a large object in pages, which its copies share until they write there.

    An object whose bytes are needed again appends itself to ``opened``, so that it can be stowed again.
    """

    __slots__ = ("data", "mask", "opened")

    def __init__(self, data: tuple[bytes, ...], mask: tuple[bytes, ...] | None, opened: list[PagedObject]) -> None:
        self.data = data
        self.mask = mask
        self.opened = opened

    def __reduce__(self) -> tuple[type[Pages], tuple[Any, ...]]:
        return Pages, (self.data, self.mask, [])

    @staticmethod
    def of(item: PagedObject, earlier: Pages | None, opened: list[PagedObject]) -> Pages:
        """The pages of an object. Shares those that have not changed since ``earlier``."""
        data = _paged(item.data, None if earlier is None else earlier.data)
        mask = None if item.mask is None else _paged(item.mask, None if earlier is None else earlier.mask)
        if earlier is not None and data is earlier.data and mask is earlier.mask:
            earlier.opened = opened
            return earlier
        return Pages(data, mask, opened)

    def bytes(self) -> tuple[bytearray, bytearray | None]:
        """Data and mask, joined."""
        return bytearray().join(self.data), None if self.mask is None else bytearray().join(self.mask)


def _paged(data: bytearray, earlier: tuple[bytes, ...] | None) -> tuple[bytes, ...]:
    """The pages of ``data``, shared with ``earlier`` where equal. A page is about as large as their tuple."""
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
