"""Memory as objects named by the high bits of a pointer: concrete bytes until written symbolically, copied on write."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from unfork.engine.state.address_pieces import AddressPieces, adding, copied
from unfork.engine.state.objects import Beginnings, Objects
from unfork.engine.state.origins import NO_ORIGINS, ByteOrigins, OriginRange, OriginRecord, UnreadByte
from unfork.engine.state.stowed import PagedObject, Pages
from unfork.engine.state.unbounded import UNBOUNDED
from unfork.logic.terms import build
from unfork.logic.terms.term import Term, Value
from unfork.program.llvm import types

SLOT_BITS = 40
"""An object owns 2^40 addresses; its first byte is near the middle of them."""
SLOT_MIDDLE = 0x9A_5C30_0000
"""The offset of an object among its addresses, a multiple of 2^20. Its bits seldom come up by accident, since a word
of memory that looks like an address counts as one.
"""
BEFORE_NAME = SLOT_MIDDLE >> SLOT_BITS - 8
"""The byte of a pointer below its object's name, which no offset changes."""
SLOT_MASK = (1 << SLOT_BITS) - 1
MASK_64 = (1 << 64) - 1
"""The bits of a word."""

FIRST_STATIC = 1 << 7
FIRST_HEAP = 1 << 18
FIRST_ARGUMENT = FIRST_HEAP - (1 << 14)
"""The first object number of the program's arguments; the library's own objects follow."""
FIRST_STACK = 1 << 22
MOST_LAZY = 1 << 16
FIRST_LAZY = FIRST_STACK - MOST_LAZY
"""The first object number of lazily made objects, in order of creation."""
END_OF_NAMES = 1 << 23

LARGEST = 1 << 28
"""Bytes of the largest object: a larger heap block ends its path with a message, a larger global is refused."""

_PAGED = 1 << 9
"""Bytes of the smallest object that is stowed as pages."""

Kind = TypeVar("Kind")

CONCRETE = 0
SYMBOLIC = 1
UNINITIALISED = 2


def address_of(object_id: int, offset: int = 0) -> int:
    """The pointer to byte ``offset`` of an object."""
    return (object_id << SLOT_BITS) + SLOT_MIDDLE + offset


def object_of(pointer: int) -> int:
    """The object that a concrete pointer names."""
    return pointer >> SLOT_BITS


def offset_in(pointer: int) -> int:
    """The signed distance of a concrete pointer from the first byte of its object."""
    return (pointer & SLOT_MASK) - SLOT_MIDDLE


@dataclass(slots=True, eq=False, repr=False)
class MemoryObject:
    """One object: ``data`` holds its concrete bytes, ``mask`` tells which bytes are not concrete.

    ``mask`` None: every byte is concrete. Otherwise ``mask[i]`` is CONCRETE, SYMBOLIC (``symbolic[i]`` is a term and
    the number of the byte within it) or UNINITIALISED (becomes a fresh symbol at the first read, unless ``origins``
    says what it is a copy of, or what writes have left there). Bytes that are not concrete are 0 in ``data``.
    ``size`` is in bytes; ``limit`` is ``size`` if that is an int and ``data`` has the bytes, else -1. Only the memory
    whose token is ``owner`` may change the object; read-only objects have no owner. ``label``
    names it among the inputs once its unwritten bytes were read. ``updates`` are hints for readers about writes at
    symbolic offsets (engine/state/updates.py), and no part of the contents. ``gone`` (1 bit, never 1) is the
    condition under which a joined object does not exist; ``limit`` is then -1. ``sites`` are other source locations
    that may have made it, each with its condition. Elements of an object that ``is_parted`` are objects of their own
    (engine/memory/array_elements.py); ``limit`` is then -1.
    """

    data: bytearray
    size: Value
    kind: str
    name: str
    _: KW_ONLY
    mask: bytearray | None = None
    read_only: bool = False
    site: types.Position | None = None
    type: types.Type | None = None
    symbolic: dict[int, tuple[Term, int]] | None = None
    origins: ByteOrigins | None = None
    owner: object | None = None
    label: str | None = None
    updates: tuple[Any, ...] | None = None
    gone: Value = 0
    sites: tuple[tuple[Value, str, types.Position | None], ...] = ()
    is_parted: bool = False
    limit: int = field(init=False)
    pages: Pages | None = field(init=False, default=None)
    """Earlier bytes as pages; the current ones while the object ``is_stowed``."""
    is_stowed: bool = field(init=False, default=False)
    has_names: bool = field(init=False)
    """Whether a pointer, or a piece of one, may have been written (engine/memory/pieces.py)."""
    pieces: AddressPieces = field(init=False, default=())
    """Bytes that were copied from the number of an address. They are no part of the contents."""

    def __post_init__(self) -> None:
        self.has_names = BEFORE_NAME in self.data or bool(self.symbolic)
        self.limit = -1
        self.vanish(self.gone)

    @classmethod
    def unwritten(
        cls,
        capacity: int,
        size: Value,
        kind: str,
        name: str,
        site: types.Position | None = None,
        type: types.Type | None = None,
    ) -> MemoryObject:
        """An object of ``capacity`` unwritten bytes."""
        mask = bytearray(b"\x02" * capacity) or None
        return cls(bytearray(capacity), size, kind, name, mask=mask, site=site, type=type)

    def copy(self, owner: object) -> MemoryObject:
        """The same object for another owner."""
        twin = MemoryObject.__new__(MemoryObject)
        if self.is_stowed:
            assert self.pages is not None
            twin.data, twin.mask = self.pages.bytes()
        else:
            twin.data = self.data[:]
            twin.mask = None if self.mask is None else self.mask[:]
        twin.pages = self.pages
        twin.is_stowed = False
        twin.has_names = self.has_names
        twin.pieces = self.pieces
        twin.symbolic = None if self.symbolic is None else self.symbolic.copy()
        twin.origins = self.origins
        twin.size = self.size
        twin.limit = self.limit
        twin.owner = owner
        twin.kind = self.kind
        twin.read_only = self.read_only
        twin.name = self.name
        twin.site = self.site
        twin.type = self.type
        twin.label = self.label
        twin.updates = self.updates
        twin.gone = self.gone
        twin.sites = self.sites
        twin.is_parted = self.is_parted
        return twin

    def __getstate__(self) -> tuple[None, dict[str, Any]]:
        stowed = ("data", "mask") if self.is_stowed else ("pages",)
        kept = {name: getattr(self, name) for name in self.__slots__ if name not in stowed}
        return None, {"pages": None} | kept

    def stow(self, opened: list[PagedObject]) -> None:
        """Stow a large object as pages until the next access, which appends it to ``opened``."""
        if self.is_stowed or self.owner is None or len(self.data) < _PAGED:
            return
        self.pages = Pages.of(self, self.pages, opened)
        del self.data, self.mask
        self.is_stowed = True

    if not TYPE_CHECKING:  # every other name would be an attribute too

        def __getattr__(self, name: str) -> Any:
            if name not in ("data", "mask") or not self.is_stowed:
                raise AttributeError(name)
            self.data, self.mask = self.pages.bytes()
            self.is_stowed = False
            self.pages.opened.append(self)
            return getattr(self, name)

    def make_room(self, size: int) -> None:
        """Grow to at least ``size`` bytes; new ones are unwritten."""
        more = max(size - len(self.data), 0)
        self.mask = (bytearray(len(self.data)) if self.mask is None else self.mask) + bytearray((UNINITIALISED,)) * more
        self.data += bytes(more)

    def vanish(self, condition: Value) -> None:
        """The object ceases to exist where ``condition`` (1 bit) holds; 0 makes it exist for good."""
        self.gone = condition
        is_here = isinstance(self.size, int) and condition == 0 and self.kind != UNBOUNDED and not self.is_parted
        self.limit = self.size if is_here else -1  # type: ignore[assignment]  # which is an int then

    def mark_parted(self, *, is_parted: bool) -> None:
        """Say whether elements are objects of their own."""
        self.is_parted = is_parted
        self.vanish(self.gone)

    # --- questions

    def is_concrete(self, offset: int, count: int) -> bool:
        """Whether ``count`` bytes from ``offset`` on are all concrete."""
        mask = self.mask
        return mask is None or mask.count(CONCRETE, offset, offset + count) == count

    def uninitialised_runs(self, offset: int, count: int) -> list[tuple[int, int]]:
        """The maximal runs (start, length) of uninitialised bytes within a range."""
        mask = self.mask
        if mask is None:
            return []
        runs = []
        end = offset + count
        start = mask.find(UNINITIALISED, offset, end)
        while start >= 0:
            stop = start + 1
            while stop < end and mask[stop] == UNINITIALISED:
                stop += 1
            runs.append((start, stop - start))
            start = mask.find(UNINITIALISED, stop, end)
        return runs

    def byte(self, offset: int) -> Value:
        """One initialised byte."""
        if self.mask is None or self.mask[offset] == CONCRETE:
            return self.data[offset]
        assert self.symbolic is not None
        term, index = self.symbolic[offset]
        return term if term.width == 8 else build.extract(term, 8 * index, 8)

    def byte_values(self, offset: int, count: int) -> list[Value]:
        """``count`` initialised bytes, one value each."""
        if self.is_concrete(offset, count):
            return list(self.data[offset : offset + count])
        return [self.byte(i) for i in range(offset, offset + count)]

    def read(self, offset: int, count: int) -> Value:
        """``count`` initialised bytes as one little-endian value of 8 * count bits.

        Reading back the bytes of one term gives that term.
        """
        if self.is_concrete(offset, count):
            return int.from_bytes(self.data[offset : offset + count], "little")
        symbolic = self.symbolic
        assert symbolic is not None
        result: Value = 0
        width = 0
        for start, length in self._pieces(offset, count):
            piece: Value
            entry = symbolic.get(start)
            if entry is None:
                piece = int.from_bytes(self.data[start : start + length], "little")
            else:
                term, index = entry
                piece = term if term.width == 8 * length else build.extract(term, 8 * index, 8 * length)
            result = piece if width == 0 else build.concat(piece, result, 8 * length, width)
            width += 8 * length
        return result

    def _pieces(self, offset: int, count: int) -> Iterator[tuple[int, int]]:
        """Split a range into runs of concrete bytes and runs of consecutive bytes of one term."""
        symbolic = self.symbolic
        assert symbolic is not None
        end = offset + count
        start = offset
        entry = symbolic.get(start)
        for position in range(offset + 1, end):
            following = symbolic.get(position)
            if entry is None:
                if following is None:
                    continue
            elif following is not None and following[0] is entry[0] and following[1] == entry[1] + position - start:
                continue
            yield start, position - start
            start, entry = position, following
        yield start, end - start

    def origin(self, offset: int) -> UnreadByte | None:
        """Where an unread byte comes from; None for one that was read, or is just unwritten."""
        return self.origins.get(offset) if self.origins else None

    # --- changes (by the owner only)

    def write(self, offset: int, count: int, value: Value) -> None:
        """Write ``count`` bytes of a little-endian value of 8 * count bits."""
        if count >= 8:
            self.has_names = True
        if isinstance(value, int):
            self.data[offset : offset + count] = value.to_bytes(count, "little")
            if self.mask is not None:
                self._forget(offset, count, CONCRETE)
            return
        mask = self.mask
        if mask is None:
            mask = self.mask = bytearray(len(self.data))
        elif self.origins:
            self.origins = self.origins.without(offset, offset + count) or None
        self.data[offset : offset + count] = bytes(count)
        mask[offset : offset + count] = b"\x01" * count
        symbolic = self.symbolic
        if symbolic is None:
            symbolic = self.symbolic = {}
        for i in range(count):
            symbolic[offset + i] = (value, i)

    def write_bytes(self, offset: int, values: bytes | bytearray) -> None:
        count = len(values)
        self.has_names = self.has_names or BEFORE_NAME in values
        self.data[offset : offset + count] = values
        if self.mask is not None:
            self._forget(offset, count, CONCRETE)

    def write_values(self, offset: int, values: list[Value]) -> None:
        """Write a byte for each value (8 bits)."""
        terms = [value for value in values if type(value) is Term]
        if not terms or len(terms) < len(values):
            for position, value in enumerate(values, offset):
                self.write(position, 1, value)
            return
        self.write(offset, 1, terms[0])  # makes what all of them need
        end = offset + len(terms)
        assert self.mask is not None and self.symbolic is not None
        if self.origins:
            self.origins = self.origins.without(offset, end) or None
        self.data[offset:end] = bytes(len(terms))
        self.mask[offset:end] = b"\x01" * len(terms)
        self.symbolic.update(zip(range(offset, end), [(term, 0) for term in terms], strict=True))

    def make_uninitialised(self, offset: int, count: int) -> None:
        """Make a range unwritten."""
        self._any_mask()
        self.data[offset : offset + count] = bytes(count)
        self._forget(offset, count, UNINITIALISED)

    def leave_unread(self, offset: int, count: int, record: OriginRecord) -> None:
        """Make a range unread; ``record`` says what its bytes are, by their position in this object."""
        self.make_uninitialised(offset, count)
        self.add_origins((OriginRange(offset, offset + count, record),))

    def add_origins(self, more: tuple[OriginRange, ...]) -> None:
        """Say where unread bytes come from that have no origin yet."""
        self.origins = (self.origins or NO_ORIGINS).having(more) or None

    def part(self, offset: int, count: int) -> MemoryObject:
        """A range of bytes as an object of its own."""
        twin = MemoryObject(bytearray(count), count, self.kind, self.name, mask=bytearray(count))
        twin.copy_range(0, self, offset, count)
        return twin

    def copy_range(self, offset: int, source: MemoryObject, source_offset: int, count: int) -> None:
        """Copy a range byte by byte, of whatever kind; the ranges may overlap within one object."""
        data = source.data[source_offset : source_offset + count]
        self.has_names = self.has_names or source.has_names
        moved = copied(source, source_offset, count, offset) if source.pieces else ()
        self._copy_contents(offset, source, source_offset, data)
        if moved:
            self.add_pieces(moved)

    def add_pieces(self, new: AddressPieces) -> None:
        """Record that some bytes are those of an address."""
        self.has_names = True
        self.pieces = adding(self, new)

    def _copy_contents(self, offset: int, source: MemoryObject, source_offset: int, data: bytearray) -> None:
        count = len(data)
        if source.is_concrete(source_offset, count):
            self.write_bytes(offset, data)
            return
        assert source.mask is not None
        mask = source.mask[source_offset : source_offset + count]
        terms = _renumber(source.symbolic, mask, SYMBOLIC, source_offset, offset)
        origins = () if source.origins is None else source.origins.within(source_offset, source_offset + count)
        if self.mask is not None:
            self._forget(offset, count, CONCRETE)
        self.data[offset : offset + count] = data
        self._any_mask()[offset : offset + count] = mask
        if terms:
            self.symbolic = {**self.symbolic, **terms} if self.symbolic else terms
        self.add_origins(tuple([each.moved(offset - source_offset) for each in origins]))

    def _any_mask(self) -> bytearray:
        if self.mask is None:
            self.mask = bytearray(len(self.data))
        return self.mask

    def _forget(self, offset: int, count: int, state: int) -> None:
        """Set the mask of a range and drop the data on its bytes."""
        mask = self.mask
        assert mask is not None
        end = offset + count
        symbolic = self.symbolic
        if symbolic:
            position = mask.find(SYMBOLIC, offset, end)
            while position >= 0:
                del symbolic[position]
                position = mask.find(SYMBOLIC, position + 1, end)
        if self.origins:
            self.origins = self.origins.without(offset, end) or None
        mask[offset:end] = bytes((state,)) * count
        if state == CONCRETE and (end == len(mask) or offset == 0) and mask.count(CONCRETE) == len(mask):
            self.mask = None  # every byte is written: back to the fast path

    # --- comparison

    def is_same(self, other: MemoryObject) -> bool:
        """Whether both are alike and hold the same bytes (identical terms)."""
        return self is other or (self.is_alike(other) and self.same_bytes(other, 0, len(self.data)))

    def is_alike(self, other: MemoryObject) -> bool:
        """Whether both differ at most in their bytes: accesses to both end alike."""
        return (
            self.gone is other.gone
            and (self.size is other.size or (isinstance(self.size, int) and self.size == other.size))
            and len(self.data) == len(other.data)
            and self.kind == other.kind
            and self.read_only == other.read_only
        )

    def same_bytes(self, other: MemoryObject, offset: int, count: int) -> bool:
        """Whether a range holds the same bytes (identical terms) in both."""
        end = offset + count
        if self.data[offset:end] != other.data[offset:end]:
            return False
        if self.is_concrete(offset, count):
            return other.is_concrete(offset, count)
        mask, other_mask = self.mask, other.mask
        if mask is None or other_mask is None or mask[offset:end] != other_mask[offset:end]:
            return False
        for position in range(offset, end):
            if mask[position] == SYMBOLIC:
                if not _same_byte(self, other, position):
                    return False
            elif mask[position] == UNINITIALISED and self.origin(position) != other.origin(position):
                return False
        return True

    def __repr__(self) -> str:
        return f"<{self.kind} object {self.name!r}, {self.size} bytes>"


def _renumber(table: dict[int, Kind] | None, mask: bytearray, state: int, source: int, target: int) -> dict[int, Kind]:
    """The entries of the bytes of a range whose mask is ``state``, renumbered from ``source`` to ``target``."""
    moved: dict[int, Kind] = {}
    if not table:
        return moved
    position = mask.find(state)
    while position >= 0:
        entry = table.get(source + position)
        if entry is not None:
            moved[target + position] = entry
        position = mask.find(state, position + 1)
    return moved


def _same_byte(left: MemoryObject, right: MemoryObject, position: int) -> bool:
    assert left.symbolic is not None and right.symbolic is not None
    (term, index), (other, other_index) = left.symbolic[position], right.symbolic[position]
    return (term is other and index == other_index) or left.byte(position) is right.byte(position)


@dataclass(frozen=True, slots=True)
class Released:
    """The record of an object that is gone: ``why``, and ``where`` it went."""

    kind: str
    name: str
    size: Value
    why: str
    site: types.Position | None
    where: types.Position | None


class Memory:
    """The live objects of one path by name, and the freed heap objects.

    Forks share objects and tables until a write: ``writable`` copies an object whose owner is not this memory's
    token. Stack objects leave no record: a stack name without an object is one that went out of scope.
    """

    __slots__ = ("_freed_owner", "freed", "is_narrow", "objects", "token")

    def __init__(
        self,
        held: dict[int, MemoryObject] | None = None,
        beginnings: Beginnings[MemoryObject] | None = None,
        freed: dict[int, Released] | None = None,
        *,
        is_narrow: bool = False,
    ) -> None:
        """A memory of the objects ``held``, none of which it owns yet, and of globals in their initial state."""
        self.objects: Objects[MemoryObject] = Objects(held or {}, beginnings)
        self.freed: dict[int, Released] = freed or {}
        self.is_narrow = is_narrow
        """Whether pointers in it have 4 bytes."""
        self.token: object = object()
        self._freed_owner: object = None

    def fork(self) -> Memory:
        """A memory with the same contents; each side copies what it writes from now on."""
        twin = Memory.__new__(Memory)
        twin.objects = self.objects.copy()
        twin.freed = self.freed
        twin.is_narrow = self.is_narrow
        twin.token = object()
        twin._freed_owner = None
        self.token = object()
        return twin

    def add(self, object_id: int, item: MemoryObject) -> None:
        """Add a live object; this memory owns it unless it is read-only."""
        item.owner = None if item.read_only else self.token
        self.objects[object_id] = item

    def writable(self, object_id: int) -> MemoryObject:
        """The live object, ready to be written."""
        item = self.objects[object_id]
        if item.owner is not self.token:
            item = item.copy(self.token)
            self.objects[object_id] = item
        return item

    def free(self, object_id: int, why: str = "freed", where: types.Position | None = None) -> None:
        """End the life of an object."""
        item = self.objects.drop(object_id)
        if item is None:
            raise KeyError(object_id)
        if item.kind == "stack":
            return
        if self._freed_owner is not self.token:
            self.freed = self.freed.copy()
            self._freed_owner = self.token
        self.freed[object_id] = Released(item.kind, item.name, item.size, why, item.site, where)

    def free_where(self, condition: Value, object_id: int, why: str, where: types.Position | None) -> None:
        """End the life of an object on the part of the path where ``condition`` (1 bit) holds."""
        item = self.objects.get(object_id)
        if item is None:
            return
        gone = build.either(item.gone, condition)
        self.free(object_id, why, where)
        if gone != 1:
            twin = item.copy(self.token)
            twin.vanish(gone)
            self.objects[object_id] = twin

    def same(self, other: Memory) -> bool:
        """Whether both hold the same objects with the same contents."""
        return self.objects.keys() == other.objects.keys() and all(
            item.is_same(other.objects[number]) for number, item in self.objects.items()
        )
