"""Objects of any length: their contents are what nobody knows, and the changes made to it, newest first.

A cell is named by its offset (64 bits) and its size; a chain of changes is never copied, so that a fork is free.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from unfork.logic.term import Term, Value, symbol

UNBOUNDED = "unbounded"
"""The kind of a memory object of any length."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of unknown contents. ``offset`` (64 bits) is where it begins, ``size`` its bytes."""

    contents: Unknown
    offset: Value
    size: int


@dataclass(slots=True)
class Cells:
    """Whose cell each symbol of a run is."""

    of: dict[Term, Cell] = field(default_factory=dict)
    _contents: int = 0

    def unknown(self, name: str, stride: int) -> Unknown:
        """Contents that nobody knows yet, of elements of ``stride`` bytes."""
        self._contents += 1
        return Unknown(f"{name}@{self._contents}", stride, self)


@dataclass(slots=True, eq=False)
class Unknown:
    """Contents that nobody knows: a symbol for each cell that was asked for. Equal offsets have one symbol."""

    name: str
    stride: int
    cells: Cells
    _known: dict[tuple[Value, int], Term] = field(default_factory=dict)

    def cell(self, offset: Value, size: int) -> Term:
        """The symbol of a cell."""
        known = self._known.get((offset, size))
        if known is None:
            known = symbol(f"{self.name}[{len(self._known)}]", 8 * size)
            self._known[offset, size] = known
            self.cells.of[known] = Cell(self, offset, size)
        return known


@dataclass(frozen=True, slots=True, eq=False)
class Zeroed:
    """Contents whose bytes all are 0, of elements of ``stride`` bytes."""

    stride: int


@dataclass(frozen=True, slots=True, eq=False)
class Written:
    """``value`` was written to the ``size`` bytes at ``offset``, where ``guard`` (1 bit) holds."""

    below: Contents
    offset: Value
    size: int
    value: Value
    guard: Value = 1


@dataclass(frozen=True, slots=True, eq=False)
class Forgotten:
    """The bytes from ``low`` to before ``high`` (64 bits, signed) may be anything: what ``now`` says."""

    below: Contents
    low: Value
    high: Value
    now: Unknown


@dataclass(frozen=True, slots=True, eq=False)
class Either:
    """What a joined path has: ``first`` where ``guard`` (1 bit) holds, else ``second``."""

    guard: Value
    first: Contents
    second: Contents


Contents: TypeAlias = "Unknown | Zeroed | Written | Forgotten | Either"


def stride_of(contents: Contents) -> int:
    """The bytes of an element."""
    while not isinstance(contents, Unknown | Zeroed):
        contents = contents.first if isinstance(contents, Either) else contents.below
    return contents.stride


class Claim(Protocol):
    """A fact about all values of some variables. What it says is for meaning/formula.py to know."""

    def under(self, guard: Value) -> Claim:
        """The same claim, where ``guard`` (1 bit) holds."""


class Cut:
    """Where a path was cut, and what must hold when it comes there again; spec/cuts.py makes and reads it."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Proof:
    """What a path knows in a proof, beyond what a run knows.

    ``contents`` are those of the objects of any length, by number. ``claims`` hold on the path. ``cuts`` are the loops
    whose turn the path is in, by depth of the frame and block, and the calls whose contracts wait for their end.
    """

    contents: Mapping[int, Contents]
    claims: tuple[Claim, ...]
    cuts: Mapping[tuple[int, int], Cut]
    handled: int
    """After how many instructions the path was last looked at where it may be cut."""
    cells: Cells | None = None
    """Of blocks whose size is not known: they are objects of any length, too. None: they have a capacity."""


NOTHING = Proof({}, (), {}, -1)
"""Of a path that proves nothing."""
